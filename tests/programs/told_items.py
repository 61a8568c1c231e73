"""Fields with lists and dicts into which the program puts more than `__init__` did."""

# Without annotations the types follow from what is put in, which is what these programs are about.
# pyright: basic, reportArgumentType=false, reportCallIssue=false, reportOptionalSubscript=false

from collections import defaultdict, deque

import numpy as np

from tests.programs import Case


class Record:
    def __init__(self, n):
        self.readings = [k for k in range(n)]
        self.history = []
        self.latest = {}
        self.seen = set()
        self.queue = deque([n])

    def put(self, i, value):
        self.readings[i] = value
        self.history.append(value)
        self.latest[i] = value
        self.seen.add(value)
        self.queue.append(value)

    def name(self, key, value):
        self.latest[key] = value


def ints_and_floats(n):
    record = Record(n)
    record.put(0, n)
    record.put(1, n / 2)
    record.name("total", n)
    return (
        record.readings,
        record.history,
        sum(record.history),
        record.latest,
        sorted(record.seen),
        list(record.queue),
    )


class Account:
    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance
        self.log = []

    def deposit(self, amount):
        self.balance += amount
        self.log.append(self.balance)


def accounts(n):
    first, second = Account("a"), Account("b", n)
    first.deposit(n / 2)
    second.deposit(n)
    return first.balance, second.balance, first.log, second.log


class Matrix:
    def __init__(self, rows, cols):
        self.rows = rows
        self.cols = cols
        self.data = [[0.0] * cols for _ in range(rows)]
        self.names = [None] * rows

    def __getitem__(self, place):
        return self.data[place[0]][place[1]]

    def __setitem__(self, place, value):
        self.data[place[0]][place[1]] = value

    def __mul__(self, other):
        out = Matrix(self.rows, other.cols)
        for i in range(self.rows):
            for j in range(other.cols):
                out[i, j] = sum(self[i, k] * other[k, j] for k in range(self.cols))
        return out

    def name(self, i, text):
        if self.names[i] is not None:
            return False
        self.names[i] = text
        return True


def matrices(x):
    a = Matrix(2, 2)
    a[0, 0], a[0, 1], a[1, 1] = x, 2.5, 3.5
    return (a * a).data, a.name(0, "x"), a.name(0, "y"), a.names


class Vector:
    def __init__(self, n):
        self.items = [0] * n  # literals give way to floats
        self.rows = [[0] * n for _ in range(n)]

    def halve(self):
        for i, x in enumerate(self.items):
            self.items[i] = x / 2
        for row in self.rows:
            row[0] = 1.5

    def set(self, i, value):
        self.items[i] = value
        self.rows[i][i] = value


def vectors(x):
    v = Vector(2)
    v.set(0, x)
    v.set(1, 2 * x)
    v.halve()
    return v.items, sum(v.items), v.rows[0][0], v.rows[1]


class Node:
    def __init__(self, value):
        self.value = value
        self.children = [None] * 2


class Tree:
    def __init__(self):
        self.root = None
        self.count = 0

    def insert(self, value):
        self.count += 1
        if self.root is None:
            self.root = Node(value)
            return
        node = self.root
        while True:
            side = 1 if value > node.value else 0
            child = node.children[side]
            if child is None:
                node.children[side] = Node(value)
                return
            node = child


def walk(node):
    if node is None:
        return []
    return [*walk(node.children[0]), node.value, *walk(node.children[1])]


def trees(values):
    tree = Tree()
    for value in values:
        tree.insert(value)
    return walk(tree.root), tree.count


class Table:
    def __init__(self, n):
        self.slots = [None] * n
        self.size = n

    def put(self, key, value):
        i = hash(key) % self.size
        while self.slots[i] is not None and self.slots[i][0] != key:
            i = (i + 1) % self.size
        self.slots[i] = (key, value)

    def get(self, key):
        i = hash(key) % self.size
        while self.slots[i] is not None:
            if self.slots[i][0] == key:
                return self.slots[i][1]
            i = (i + 1) % self.size
        return None


def tables(n):
    table = Table(n)
    table.put(3, "c")
    table.put(3 + n, "d")
    table.put(3, "e")
    return table.get(3), table.get(3 + n), table.get(9), table.slots


class Board:
    def __init__(self, n):
        self.cells = [[None for _ in range(n)] for _ in range(n)]

    def put(self, i, j, piece):
        if self.cells[i][j] is not None:
            raise ValueError(f"{i}, {j} is taken by {self.cells[i][j]}")
        self.cells[i][j] = piece

    def shown(self):
        return ["".join(c or "." for c in row) for row in self.cells]

    def is_full(self):
        return all(c is not None for row in self.cells for c in row)


def boards(n, places):
    board = Board(n)
    for count, (i, j) in enumerate(places):
        board.put(i, j, "XO"[count % 2])
    return board.shown(), board.is_full(), board.cells


class Book:
    def __init__(self):
        self.levels = {"buy": defaultdict(deque), "sell": defaultdict(deque)}
        self.heaps = {"buy": [], "sell": []}
        self.pages = [defaultdict(list), defaultdict(list)]
        self.never = {1: defaultdict(list), 2: defaultdict(list)}

    def add(self, side, price, name):
        if price not in self.levels[side]:
            self.heaps[side].append(price)
        self.levels[side][price].append(name)
        self.pages[len(name) % 2][name].append(price)

    def first(self, side):
        queue = self.levels[side].get(min(self.heaps[side], default=0))
        return queue[0] if queue else None


def several_in_a_display(orders):
    """Each of several dicts that make their values is told what one of them is."""
    book = Book()
    for side, price, name in orders:
        book.add(side, price, name)
    sizes = {price: len(queue) for price, queue in book.levels["buy"].items()}
    return book.first("buy"), book.first("sell"), sizes, [dict(page) for page in book.pages]


class Pile:
    def __init__(self):
        self.held = []

    def push(self, x):
        self.held.append(x)

    def __iter__(self):
        return iter(self.held[::-1])


def beside_others(n):
    pile = Pile()
    for i in range(n):
        pile.push(i)
    later = []
    both = [7, later]
    later.append(n)
    return [n, list(pile)], [x for x in pile], ["s", [x + 1 for x in pile], None], both


def told_by_arrays(rows):
    values, places, pairs = [], [], []
    for row in rows:
        found = np.nonzero(row)[0]
        values.extend(row[found])
        places.extend(found)
        pairs.extend((len(found), row.sum()))
    whole = []
    whole.extend(rows)
    return values, places, pairs, len(whole), [row.sum() for row in whole]


def beside_a_float(x):
    values = [1.0]
    values.extend(x)
    values.extend((2, 3.0))
    return values, [type(value) is float for value in values]


CASES: list[Case] = [
    (told_by_arrays, [(np.eye(3),), (np.arange(6.0).reshape(2, 3),), (np.zeros((0, 2)),)]),
    (beside_a_float, [(np.arange(2.0),), (np.zeros(0),)]),
    (
        several_in_a_display,
        [([("buy", 3, "a"), ("buy", 2, "bc"), ("buy", 3, "a")],), ([("sell", 1, "z")],)],
    ),
    (beside_others, [(0,), (3,)]),
    (ints_and_floats, [(3,)]),
    (accounts, [(10,)]),
    (matrices, [(1.5,)]),
    (vectors, [(1.5,)]),
    (trees, [([2, 1, 3],)]),
    (tables, [(5,)]),
    (boards, [(2, [(0, 0), (1, 1)]), (1, [(0, 0), (0, 0)])]),
]
