"""Classes: fields, methods, constructors, instances that are passed on."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from scriptc.types import M, N, f64
from tests.programs import Case


class Counter:
    """Fields without annotations take the types of the constructor."""

    def __init__(self, start: int, step: int = 1):
        self.value = start
        self.step = step
        self.calls = 0

    def advance(self):
        self.value += self.step
        self.calls = self.calls + 1
        return self.value

    def advance_by(self, n):
        for _ in range(n):
            self.advance()
        return self


class Scaled:
    """A constructor with a parameter that is given by name alone."""

    def __init__(self, x: float, *, factor: float = 2.0):
        self.x = x * factor


class Layer:
    """Array fields, annotated."""

    weight: f64[N, M]
    bias: f64[M]
    rate: float
    name: str
    best: float | None

    def __init__(self, weight: f64[N, M], rate: float) -> None:
        self.weight = weight
        self.bias = np.zeros(weight.shape[1])
        if rate < 0:
            self.rate = 0
        else:
            self.rate = rate
        self.name = "layer"
        self.best = None

    def forward(self, x):
        return x @ self.weight + self.bias

    def update(self, x):
        self.weight -= self.rate * self.weight
        self.bias[0] += 1
        self.bias = self.bias + np.mean(x)
        score = np.sum(self.forward(x))
        best = self.best
        if best is None or score > best:
            self.best = score
        return self.describe(score)

    def describe(self, score):
        return f"{self.name} {score:.3f}"


class Point:
    def __init__(self, x: float, y: float):
        self.x = x
        self.y = y

    def norm(self):
        return self.x * self.x + self.y * self.y

    def plus(self, other):
        return Point(self.x + other.x, self.y + other.y)


class Log:
    """Lists as fields: the annotation says what they hold, or what `__init__` puts in."""

    values: list[float]
    rows: list[list[int]]

    def __init__(self, n: int):
        self.values, self.rows = [], [[], []]
        self.squares = []
        for i in range(n):
            self.squares.append(i * i)
            self.values.append(i / 2)

    def add(self, x):
        self.values.append(x)
        self.rows[0] = []
        self.rows.append([len(self.values)])
        return len(self.rows[0])

    def clear(self):
        self.values = []
        self.rows[-1] = [1, 2]


class Node:
    """Fields that may be None: a test of one holds until it may be written."""

    value: float
    scale: float | None
    weight: f64[N] | None
    next: "Node | None"

    def __init__(self, value: float, scale: float | None = None):
        self.value = value
        self.scale = scale
        self.weight = None
        self.next = None
        if self.scale is not None:
            self.value = self.scale * value

    def scaled(self, x):
        return x if self.scale is None else x * self.scale

    def weights(self, n):
        if self.weight is None:
            self.weight = np.zeros(n)
        self.weight[0] += 1.0
        return np.sum(self.weight)

    def drop(self):
        self.scale = None
        self.weight = None
        return 1.0

    def tail(self):
        if self.next is not None and self.next.scale is not None:
            return self.next.scale + self.next.value
        return -1.0

    def doubled(self):
        if not self.scale:
            self.scale = 2.0
        self.scale *= 2
        return self.scale + 1

    def looped(self, n):
        total = 0.0
        for i in range(n):
            if self.scale is None:
                self.scale = 0.5
                continue
            total += self.scale
            if i % 3 == 2:
                self.drop()
        return total

    def aliased(self, other: "Node"):
        if self.scale is None or other.scale is None:
            return -1.0
        before = self.scale
        other.scale = None
        return before if self.scale is None else self.scale

    def rebound(self, other: "Node"):
        node = self
        total = 0.0
        while node.scale is not None:
            total += node.scale
            node = other
            if total > 10.0:
                break
        return total

    def tried(self, n):
        if self.scale is None:
            return 0.0
        try:
            self.drop()
            n = 10 // n
        except ZeroDivisionError:
            return 1.0 if self.scale is None else self.scale
        return 2.0 if self.scale is None else n * 1.0


def nodes(scale, n):
    first = Node(1.5, scale)
    last = Node(2.5)
    results = first.scaled(2.0), first.tail(), first.weights(2), first.weights(3)
    first.next = last
    tails = first.tail(), last.doubled(), last.doubled(), first.tail()
    loops = first.looped(n), last.looped(n), first.value
    twice = last.aliased(last), last.scale is None
    last.scale = 4.0
    ends = last.aliased(first), last.rebound(first), first.rebound(last), last.tried(n)
    return results, tails, loops, twice, ends, last.scale is None


def logged(n):
    log = Log(n)
    first = log.add(1.5), len(log.values), len(log.squares)
    log.clear()
    log.values.append(2.0)
    return first, log.add(n * 0.5), log.values, log.rows, log.squares


def count(start, n):
    c = Counter(start, 2)
    c.advance()
    c.advance_by(n)
    d = c
    d.value *= 10
    return c.value, c.calls, d.step


def layer(w, x, rate):
    net = Layer(w, rate)
    first = net.forward(x)
    text = net.update(x)
    second = net.update(x)
    return first, net.forward(x), text, second, net.rate, net.best is None


def points(n):
    total = Point(0.0, 0.0)
    for i in range(n):
        total = total.plus(Point(i, 0.5))
    return total.x, total.y, total.norm()


def instances_in_list(n):
    items = []
    for i in range(n):
        items.append(Point(i * 1.0, 1.0))
    total = 0.0
    for p in items:
        p.x += 1
        total += p.norm()
    return total


def maybe_point(n):
    p = None
    if n > 0:
        p = Point(3.0, 4.0)
    if p is None:
        return -1.0
    return p.norm()


def passed(n):
    p = Point(1.0, 2.0)
    shift(p, n)
    return p.x, p.y


def shift(p, n):
    p.x += n
    p.y = p.x * 2


def method_result(n):
    return Counter(n).advance_by(3).value


W = np.array([[1.0, 2.0], [0.5, -1.0]])
X = np.array([[1.0, 1.0], [2.0, 0.0]])


class Box:
    """Properties, which are read alone, and static methods."""

    depth: float | None

    def __init__(self, width: float, sides: f64[N]):
        self.width = width
        self.sides = sides.copy()
        self.depth = None
        self.reads = 0

    @property
    def area(self):
        self.reads += 1
        return self.width * np.sum(self.sides)

    @property
    def label(self):
        return "deep" if self.depth is not None else None

    @property
    def inner(self):
        return self.sides[1:]

    @property
    def opposite(self):
        return self.inverse(self.width)

    @staticmethod
    def inverse(x, other=0.0):
        if x == 0:
            raise ValueError("no inverse")
        return 1 / x + other

    def deepen(self):
        if self.depth is None and self.label is None:
            self.depth = self.area
        return self.depth is not None and self.label is not None

    def sink(self):
        self.depth = None
        return self


def boxes(width, sides):
    box = Box(width, sides)
    first = box.area, box.area * box.area, box.reads
    if box.label:
        width += 1
    box.inner[0] += 5.0
    inner = box.inner
    inner *= 2
    deep = box.deepen(), box.reads, box.depth is None, box.sink().label is None
    total = 0.0
    while box.area < 100:
        box.width += 1.5
        total += box.inverse(box.area) + Box.inverse(2.0, other=box.width)
    return first, deep, box.sides, total, box.reads, box.opposite, Box(3.0, sides).inverse(width)


class Rows:
    """Keeps the list that it is given."""

    def __init__(self, rows):
        self.rows = rows

    def total(self):
        return sum(sum(row) for row in self.rows)


def beside_itself(row):
    return [row, row]


def lists_that_are_kept(n):
    rows = [[i] * n for i in range(n)]
    kept, again = Rows(rows), Rows([rows[0]])
    rows[0].append(7)
    pair = beside_itself(kept.rows[-1])
    pair[0].append(5)
    again.rows.append(pair[1])
    return kept.total(), again.total(), len(pair[1]), rows


def scaled(x):
    return Scaled(x).x, Scaled(x, factor=0.5).x


CASES: list[Case] = [
    (scaled, [(1.5,)]),
    (lists_that_are_kept, [(1,), (3,)]),
    (boxes, [(0.5, np.arange(1.0, 4.0)), (2.0, np.ones(2)), (0.0, np.ones(2))]),
    (nodes, [(0.5, 0), (3.0, 7), (-1.0, 2)]),
    (logged, [(0,), (3,)]),
    (count, [(0, 0), (5, 3)]),
    (layer, [(W, X, 0.5)]),
    (points, [(0,), (4,)]),
    (instances_in_list, [(0,), (3,)]),
    (maybe_point, [(0,), (1,)]),
    (passed, [(0,), (2,)]),
    (method_result, [(1,)]),
]
# A literal takes the type it is merged with: equal in value to what CPython has.
MERGED: list[Case] = [
    (points, [(0,), (1,)]),
]
