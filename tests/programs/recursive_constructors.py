"""Constructors that call recursive methods and generators of their object: parsers and trees."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from scriptc import script
from tests.programs import Case


class Sums:
    """The fields are set before; the method fills one of them."""

    def __init__(self, xs):
        self.size = len(xs)
        self.tree = [0] * (4 * self.size)
        self.build(xs, 1, 0, self.size - 1)

    def build(self, xs, place, low, high):
        if low == high:
            self.tree[place] = xs[low]
            return
        middle = (low + high) // 2
        self.build(xs, 2 * place, low, middle)
        self.build(xs, 2 * place + 1, middle + 1, high)
        self.tree[place] = self.tree[2 * place] + self.tree[2 * place + 1]


class Branch:
    def __init__(self, key, left, right):
        self.key = key
        self.left = left
        self.right = right


class Tree:
    """What the method gives may be None, and nothing reads the field before."""

    def __init__(self, keys):
        self.size = 0
        self.root = self.build(sorted(keys))
        self.depth = self.depth_of(self.root)

    def build(self, keys):
        if not keys:
            return None
        self.size += 1
        middle = len(keys) // 2
        return Branch(keys[middle], self.build(keys[:middle]), self.build(keys[middle + 1 :]))

    def depth_of(self, branch):
        if branch is None:
            return 0
        return 1 + max(self.depth_of(branch.left), self.depth_of(branch.right))


class Parsed:
    """Two methods call each other; a base inherits them, and another one is its own."""

    def __init__(self, text):
        self.text = text
        self.place = 0
        self.value = self.sum()
        self.rest = text[self.place :]

    def sum(self):
        found = self.factor()
        while self.text[self.place : self.place + 1] == "+":
            self.place += 1
            found += self.factor()
        return found

    def factor(self):
        self.place += 1
        if self.text[self.place - 1] == "(":
            found = self.sum()
            self.place += 1
            return found
        return self.digit(self.text[self.place - 1])

    def digit(self, text):
        return int(text)


class Doubled(Parsed):
    def digit(self, text):
        return 2 * int(text)


class Yielding:
    def __init__(self, n):
        self.n = n
        self.items = list(self.squares())
        self.total = sum(self.squares())

    def squares(self):
        for i in range(self.n):
            yield i * i


class TooEarly:
    """The method reads what is set later: AttributeError."""

    def __init__(self, n):
        self.n = n
        self.found = self.find(n)
        self.last = n

    def find(self, n):
        if n == 9:
            return 2
        return self.last if n == 0 else self.find(n - 1)


@script
class Counted:
    def __init__(self, n: int):
        self.calls = [0]
        self.found = 0
        self.found = self.count(n)

    def count(self, n: int) -> int:
        self.calls[0] += 1
        return 1 if n < 2 else self.count(n - 1) + self.count(n - 2)


def summed(n):
    return Sums(list(range(n))).tree


def planted(n):
    tree = Tree([i * 7 % 11 for i in range(n)])
    none = Tree([1][:0])
    return tree.size, tree.depth, tree.root and tree.root.key, none.root is None, none.depth


def parsed(text):
    a, b = Parsed(text), Doubled(text)
    return a.value, a.rest, b.value, b.rest


def yielded(n):
    found = Yielding(n)
    return found.items, found.total


def too_early(n):
    return TooEarly(n).found


def counted(n):
    found = Counted(n)
    return found.found, found.calls


CASES: list[Case] = [
    (summed, [(1,), (6,)]),
    (planted, [(0,), (1,), (7,)]),
    (parsed, [("1+(2+3)+4;",), ("(((7)))",), ("(",), ("x",)]),
    (yielded, [(4,), (0,)]),
    (too_early, [(0,), (12,)]),
    (counted, [(1,), (6,)]),
]
