"""Containers of items of different types: `==` compares them as they are, as `in` does."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from collections import OrderedDict, deque

import numpy as np

from tests.programs import Case


class Pair:
    """Equal to ranges of its length."""

    def __init__(self, size: int):
        self.size = size

    def __eq__(self, other: object):
        return isinstance(other, range) and len(other) == self.size


def lists(xs, ys):
    found = [xs == ys, xs != ys, xs < ys, xs <= ys, xs > ys, xs >= ys, [xs] == [ys]]
    return found, (xs, 1) == (ys, 1.0), {1: xs} == {1: ys}, ys == [], deque(xs) == deque(ys)


def displays(n):
    made = [], [[]], [None, n], [True], [n, 2]
    found = [[] == [1.5], [[n]] == [[]], [None, n] == [n, 2.0], ["a", n] == ["a", 1.0]]
    found += [[10**16 + 1, 2**53 + 1] == [1e16, 2.0**53], [np.float32(n)] == [n + 0.5]]
    return made, found, [1] == ["a"], [n] == (n,), [[n], []] == [[1.0], []]


def dicts(n):
    found = [{"a": n} == {1: n}, {"a": n} == {"a": "x"}, {"a": n} != {"a": float(n)}]
    found += [{n: [n]} == {n: [float(n)]}, {1: (1, 2)} != {1: (1.0, 2.0)}, {n: 1} == {float(n): 1}]
    found += [{"a": [1, 2]} == {"a": (1, 2)}, {"a": n} == {}, {"a": n} == [1]]
    none = {"a": n}
    none.clear()
    found += [none == {1: n}, none != {b"a": n}, OrderedDict(a=n) == OrderedDict(a=float(n))]
    return found, "a" in {n: 1}, n not in {"a": 1}, n in {"a", "b"}, b"a" not in {"a"}


def sets(n):
    none = {"a"} - {"a"}
    found = [{n} == {"a"}, {n} != {"a"}, none == {n}, none != {n}, {n} == {float(n)}]
    return found, {n} == frozenset({n}), {n} == [n]


def ranges(n):
    r = range(n)
    found = [r == [0, 1], r != (0, 1), r == None, (r, 1) == ([0], 1), r == range(0, n, 1)]  # noqa: E711
    found += [r == Pair(2), Pair(2) == r, r != Pair(3), r in [range(2)], r in [None, r]]
    found += [isinstance(r, range), type(r) is range, isinstance([n], range)]
    mixed = [r, None, n]
    return found, [isinstance(x, range) for x in mixed], {r: 1} == {range(2): 1}


CASES: list[Case] = [
    (lists, [([1, 2], [1.0, 2.5]), ([1, 2], [1.0, 2.0]), ([3], [float("nan")]), ([0], [-0.0])]),
    (displays, [(1,), (2,)]),
    (dicts, [(1,), (0,)]),
    (sets, [(1,)]),
    (ranges, [(2,), (0,)]),
]
