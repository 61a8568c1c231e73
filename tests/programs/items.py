"""What Python's builtin functions take from the items of lists, and of arrays of every dtype."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import math

import numpy as np

from tests.programs import Case


def added(x):
    return sum(x), sum(x[::-1]), math.prod(x)


def extremes(x):
    return min(x), max(x), min(x[::-1]), max(x, default=x[0])


def listed(x):
    return x.tolist(), list(x), any(x), all(x), len(x)


def ordered(x):
    return sorted(x), sorted(x, reverse=True), math.fsum(x)


def rows(m):
    return [sum(row) for row in m], [max(row) for row in m.T], m.tolist()


def one(x):
    return x.item(), (x + 1).item(0)


def parted(x):
    both = divmod(x, x[::-1])
    quotient, rest = divmod(x, 3)
    return both, quotient, rest, divmod(7, x)


def truths(xs: list[bool]):
    return sum(xs), sum([x > 1 for x in (1, 2, 3)]), math.prod(xs), max(xs)


def pairs(n):
    found = [(i * 7 % 5, -i) for i in range(n)]
    words = ["b", "a", "c"]
    return min(found, default=(9, 9)), max(found, default=(9, 9)), min(words), max(words)


def no_pairs(n):
    return max([(i, -i) for i in range(n)])


def distances(x):
    near = math.dist((0.0, 3.0), (4, 0)), math.dist([1, 2, 2], [0, 0, 0]), math.dist((), ())
    return near, math.dist(x, x), math.dist((x[0], math.inf), (0.0, math.nan))


def of_two_sizes(x):
    return math.dist(x, x[1:])


_INTS = [np.array([2, 3, 100], t) for t in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")]
_WRAPPING = [np.array([200, 100], np.uint8), np.array([30000, -2, 30000], np.int16)]
_FLOATS = [np.array([0.1, 2e3, -0.0], t) for t in ("f2", "f4", "f8")]
_SPECIAL = [np.array([3.5, math.inf, 0.0, -0.0])]
_BOOLS = [np.array([True, True]), np.array([False])]
_COMPLEX = [np.array([2e3 + 1j, 0.1, -0.0j], t) for t in ("c8", "c16")]
_REAL = [*_INTS, *_WRAPPING, *_FLOATS, *_SPECIAL, *_BOOLS]


def beside_tuples(items, a, b):
    total = 0
    for weight, item in zip((1, -2, 3), items, strict=False):
        total += weight * item
    pairs = [(i, x, y) for i, (x, y) in enumerate(zip(items, (a, b), strict=False))]
    named = [count for name, count in zip(("a", "b"), [1, 2], strict=False) if name == "b"]
    return total, pairs, named, max(zip((1, 2), [3, 4], strict=False))


def strictly_beside_a_tuple(items):
    total = 0
    for item, weight in zip(items, (1, 2), strict=True):
        total += item * weight
    for weight, item in zip((1, 2), items, strict=True):
        total += item * weight
    return total


def beside_a_tuple_of_each_round(items):
    total = 0
    for i in range(3):
        for a, b in zip((i, i + 1), items, strict=False):
            total += a * b
    return total


def sums_from_a_start(x):
    return sum(x, 0), sum(x, 3), sum(x, 7)


def sums_from_a_float(x):
    return sum(x, -0.0), sum(x, 0), sum(x, 0.5)


_NARROW = (np.int8, np.uint8, np.int32, np.uint64, np.bool_)

CASES: list[Case] = [
    (beside_tuples, [([4, 5, 6, 7], 1, 2), ([4], 0.5, -0.0), (np.arange(5), 2, 3)]),
    (beside_tuples, [(np.arange(2, dtype=np.int8), 1, 2)]),
    (strictly_beside_a_tuple, [([4, 5],), ([4],), ([4, 5, 6],)]),
    (beside_a_tuple_of_each_round, [([4, 5],), ([4],), ([4.5, 5.5, 6.0],)]),
    (sums_from_a_start, [(np.array([100, 1, 100]).astype(dtype),) for dtype in _NARROW]),
    (sums_from_a_float, [(np.array([-0.0, 0.0, 1e-9]).astype(t),) for t in (np.float32, float)]),
    (sums_from_a_float, [(np.array([-0.0]),), (np.array([-0.0], np.float32),)]),
    (added, [(x,) for x in (*_REAL, *_COMPLEX)]),
    (extremes, [(x,) for x in (*_REAL[:-2], *_BOOLS, np.array([1.0, 2.0])[:1])]),
    (listed, [(x,) for x in (*_REAL, *_COMPLEX, np.zeros(0, np.uint8), np.arange(9)[::-2])]),
    (ordered, [(x,) for x in _REAL]),
    (rows, [(np.arange(6, dtype=t).reshape(2, 3),) for t in ("u1", "i2", "f4", "f8")]),
    (one, [(x[:1],) for x in (*_REAL[:-2], *_COMPLEX)]),
    (parted, [(x,) for x in (*_INTS[:8], *_FLOATS[1:], *_SPECIAL, np.array([3, 0, -7]))]),
    (truths, [([True, False, True],), ([True],)]),
    (pairs, [(0,), (1,), (6,)]),
    (no_pairs, [(0,), (3,)]),
    (distances, [(np.array([3.0, 4.0]),)]),
    (of_two_sizes, [(np.array([3.0, 4.0]),)]),
]
