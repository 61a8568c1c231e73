"""Iterators keep the functions they were given, whatever their variables stand for later."""

# Without annotations the types come from the call, which is what these programs are about.
# ruff: noqa: B007, E731 -- how people write it
# pyright: basic, reportArgumentType=false, reportOptionalSubscript=false, reportOptionalMemberAccess=false
# pyright: reportAttributeAccessIssue=false, reportOperatorIssue=false, reportCallIssue=false
# pyright: reportOptionalOperand=false, reportReturnType=false

import math

import numpy as np

from tests.programs import Case


def inc(x):
    return x + 1


def dec(x):
    return x - 1


def mapped(n):
    f = inc
    it = map(f, [1, 2])
    f = dec
    return list(it)


def in_a_loop(n):
    out = []
    for f in (inc, dec):
        it = map(f, [1, 2])
        out.append(list(it))
    return out


def filtered(n):
    out = []
    f = inc
    for k in range(3):
        it = filter(f, [-1, 0, 1])
        f = dec if k else inc
        out.append(list(it))
    return out


def g(f, xs):
    yield from map(f, xs)


def in_a_generator(n):
    f = inc
    it = g(f, [1, n])
    f = dec
    return list(it), f(1)


def made_here(n):
    f = lambda x: x * n
    it = (f(x) for x in [1, 2])
    f = inc
    return list(it)


def in_sums(n):
    out = []
    for k in range(2):
        f = inc
        out.append(sum((x for x in map(f, [1, 2])), abs(-1)))
        f = dec
        out.append(sum((x for x in map(f, [1, 2])), abs(-1)))
    return out


def of_python(n):
    key = len
    it = map(key, ["ab", "c"])
    key = str
    return list(it), key(n)


def while_it_runs(n):
    f = inc
    total = 0
    for x in map(f, [1, 2]):
        f = dec
        total += x + f(1)
    return total


def methods(n):
    d = {1: 2}
    for k in range(2):
        it = map(d.get, [1])
        d = {1: 9}
        n = list(it)
    return n


def methods_assigned_again(n):
    d = {1: 2}
    get = d.get
    g = (get(k) for k in [1])
    d = {1: 5}
    get = d.get
    return list(g), get(1)


def methods_in_a_loop(n):
    out = []
    for k in range(2):
        d = {k: k + 1}
        get = d.get
        g = (get(j) for j in [k])
        out.append(list(g))
    return out


def of_the_old_dict(n):
    d = {1: 2}
    for k in range(2):
        get = d.get
        d = {1: 7}
        out = [get(j) for j in [1]]
    return out


def of_dicts_in_turn(n):
    d = {1: 2}
    out = []
    for k in range(2):
        get = d.get
        g = (get(j) for j in [1])
        d = {1: 7 + k}
        get = d.get
        out.append(list(g))
    return out


class S:
    def __init__(self):
        self.items = []
        self.n = 0

    def fill(self):
        add = self.items.append
        for i in range(3):
            add(i)
        return self

    def swap(self):
        add = self.items.append
        self.items = []
        add(1)
        self.n = len(self.items)
        return self


def of_fields(n):
    s = S().fill()
    t = S().swap()
    return s.items, t.items, t.n


def popped(n):
    xs = list(range(n))
    while xs:
        pop = xs.pop
        last = pop()
    return last


class Rows:
    def __init__(self, rows):
        self.rows = rows

    def __getitem__(self, place):
        i, j = place
        return self.rows[i][j]


class Line:
    def __init__(self, items):
        self.items = items

    def __iter__(self):
        return iter(self.items)

    def at(self, i):
        return self.items[i]


def products_of_items(xs, n):
    """`math.prod` and `math.fsum` take whatever a loop could run over."""
    rows = Rows([[1.5, 2.0], [xs[0], 0.5]])
    told = math.prod(rows[i, i] for i in range(2)), math.fsum(rows[0, i] for i in range(n))
    texts = [str(x) for x in xs]
    made = math.prod(map(len, texts)), math.fsum(map(float, texts)), math.prod(range(1, n))
    held = math.prod({x: n for x in xs}), math.fsum(Line(xs)), math.prod(reversed(xs))
    return told, made, held, math.prod(x * x for x in xs), math.prod((n, xs[0]))


def products_of_tuples(shape, x):
    items = np.zeros(shape).shape
    mixed = math.prod((2, x)), math.prod((x, 2), start=n) if (n := len(shape)) else 0.5
    return math.prod(shape), math.prod(items[1:], start=2), mixed, math.fsum((x, 0.5, x))


def keys_of_objects(n):
    """What a key captures stays what it is: an object that is looped over, an iterator."""
    rows, line = Rows([[3, 1], [2, 5], [4, 4]]), Line([2, 0, 1])
    left = iter(range(10, 0, -1))
    found = sorted(range(3), key=lambda i: rows[i, n]), max(range(3), key=lambda i: line.at(i))
    rest = sorted([5, 6, 7], key=lambda x: next(left)), [*left]
    return found, rest, min(line, key=lambda i: -sum(line) * i), [*filter(line.at, line)]


CASES: list[Case] = [
    (products_of_items, [([2.0, 0.25], 2), ([4.0], 1)]),
    (products_of_tuples, [((2, 3), 0.5), ((), 2.5), ((4,), 1.0)]),
    (keys_of_objects, [(0,), (1,)]),
    (mapped, [(3,)]),
    (in_a_loop, [(3,)]),
    (filtered, [(3,)]),
    (in_a_generator, [(3,)]),
    (made_here, [(3,)]),
    (in_sums, [(3,)]),
    (of_python, [(3,)]),
    (while_it_runs, [(3,)]),
    (methods, [(3,)]),
    (methods_assigned_again, [(3,)]),
    (methods_in_a_loop, [(3,)]),
    (of_the_old_dict, [(3,)]),
    (of_dicts_in_turn, [(3,)]),
    (of_fields, [(3,)]),
    (popped, [(3,)]),
]
