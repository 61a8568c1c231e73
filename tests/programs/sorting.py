"""Sorting, searching, counting."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

LINE = np.array([1.0, -2.0, 0.5, 4.0, 0.5, 3.0, -7.25])
NANS = np.array([3.0, np.nan, -np.inf, 1.0, np.inf, np.nan, 2.0])
TABLE = np.array([[3, -1, 4, 1], [5, -9, 2, 6], [5, 3, 5, 8]])
LONG = (np.arange(300) * 7919 % 211 - 100) / 4
BYTES = (np.arange(1500) ** 3 % 253 % 200).astype(np.uint8)
SIGNED = BYTES.view(np.int8).reshape(2, 750)[:, ::-2]
MASK = np.array([True, False, True, True])


def ordered(a):
    return np.sort(a), np.sort(a, axis=0), np.sort(a, axis=None), np.sort(a[::-1])


def ordered_in_place(a):
    a.sort()
    b = a[::2]
    b[0] = 100
    b.sort()
    return a


def ordered_columns(a):
    a.sort(axis=0)
    a[:, ::2].sort()
    return a


def order(a):
    return np.argsort(a, kind="stable"), a.argsort(axis=0, kind="stable"), a[np.argsort(a[:, 0])]


def order_of_line(a):
    i = np.argsort(a, kind="stable")
    return i, a[i], np.argsort(-a, kind="stable")


def searched(a, v):
    b = np.sort(a)
    return np.searchsorted(b, v), np.searchsorted(b, v, side="right"), b.searchsorted(a)


def met(a, others):
    return np.isin(a, others), np.isin(a, others, invert=True)


def each_once(a):
    values, times = np.unique(a, return_counts=True)
    return np.unique(a), values, times


def counted(x, n):
    return np.bincount(x), np.bincount(x, minlength=n), np.bincount(x, x * 0.5)


def counted_bytes(x, n):
    return np.bincount(x), np.bincount(x, minlength=n)


def spread(a, n):
    counts, edges = np.histogram(a, n)
    return counts, edges, np.histogram(a)[0], np.histogram(a, n, weights=a)[0]


def weighed(a, n):
    return np.histogram(a, n, weights=a)[0]


def spread_bytes(a, n):
    return (
        np.histogram(a, n),
        np.histogram(a),
        np.histogram(a, [-3, 0, 2.5, 2.5, 199], density=True),
    )


def spread_between(a, low, high):
    counts, edges = np.histogram(a, bins=4, range=(low, high))
    return counts, edges


def spread_over(a, edges):
    return np.histogram(a, edges)[0]


def ratio(a, r):
    return np.histogram(r, 5, weights=a)[0] / np.histogram(r, 5)[0]


def middles(a):
    return np.median(a), np.median(a, axis=0), np.median(a, axis=1, keepdims=True)


def middle_of_line(a):
    return np.median(a), np.median(a[1:]), np.median(a, axis=-1)


_ODD = np.array([[0.0, 0.1, 0.2], [0.3, 0.7, 0.9]])
_TENTHS = np.arange(31) * 0.1
_MANY = np.random.default_rng(5).random(7000) * 10.0
# More than the weights of one sum of NumPy's.
_WEIGHTS = np.random.default_rng(5).random(65600) * 10.0

CASES: list[Case] = [
    (
        spread_over,
        [(NANS, np.array(e)) for e in ([-2, 0, np.nan], [0.0, np.nan, np.nan], [0, 2.0])],
    ),
    (spread_over, [(LINE, np.array([np.nan] * 2)), (BYTES, np.array([0, 1, 200]))]),
    (ordered, [(LINE,), (NANS,), (TABLE,), (TABLE.T,), (LONG,), (MASK,), (TABLE[:0],)]),
    (ordered, [(BYTES,), (SIGNED,), (SIGNED > 5,), (BYTES[::3].reshape(250, 2),), (BYTES[:256],)]),
    (ordered_in_place, [(BYTES,), (SIGNED[0],), (BYTES[:255],), (BYTES[:0],)]),
    (ordered_in_place, [(LINE,), (LONG,), (LINE[:1],), (NANS.astype(np.float32),)]),
    (ordered_columns, [(TABLE,), (TABLE * 0.5,), (TABLE.astype(np.uint8),)]),
    (order, [(TABLE,), (TABLE[::-1] * 0.5,), (TABLE.astype(np.int16),)]),
    (order_of_line, [(LINE,), (NANS,), (LONG,), (LINE[:0],)]),
    (searched, [(LINE, LINE), (LINE, 0.5), (TABLE[0], TABLE), (LONG, 3), (LINE, NANS)]),
    (searched, [(a, np.sort(v)) for a in (_MANY, NANS, LINE[:0]) for v in (_MANY, NANS, LINE[:1])]),
    (
        searched,
        [(a, v) for a in (LONG, BYTES) for v in (_MANY * 9 - 20, LONG, BYTES, np.sort(LONG))],
    ),
    (searched, [(_MANY, np.tile(np.sort(_MANY), 2)), (_MANY[:2], _MANY), (np.ones(9), np.ones(3))]),
    (
        met,
        [(_MANY, _MANY[::7]), (NANS, NANS), (LINE, LINE[:0]), (LINE[:0], LINE), (LINE, LINE[:1])],
    ),
    (met, [(_MANY, np.repeat(LINE, 3)), (LONG * 1.5, LONG), (BYTES, LONG)]),
    (each_once, [(LINE,), (NANS,), (TABLE,), (LONG,), (MASK,), (LINE[:0],)]),
    (counted, [(np.array([255, 4, 4, 0], np.uint8), 300)]),
    (
        counted_bytes,
        [(np.zeros(0, np.uint8), 3), (np.zeros(3, np.uint8), 0), (np.array([9], np.uint8), 4)],
    ),
    (counted, [(np.arange(9, dtype=np.uint8)[::-2], 0), (np.array([3], np.uint8), -1)]),
    (counted, [(np.array([True, False, True]), 1), (np.array([7, 7], np.uint16), 2)]),
    (counted, [(np.array([1, 4, 1, 0]), 9), (TABLE[2], 2), (TABLE[0], 1)]),
    (spread, [(LINE, 5), (LONG, 13), (TABLE * 1.0, 3), (LINE[:1], 2), (LINE[:0], 4), (LINE, 0)]),
    (spread, [(NANS, 3), (_ODD, 10), (_TENTHS, 30), (_TENTHS + 1e16, 7), (_TENTHS * 1e-310, 9)]),
    (weighed, [(_WEIGHTS, 97)]),
    (spread, [(_MANY, 97), (_MANY[::-3], 1000), (LINE + 1e16, 40), (_MANY.astype(np.int64), 8)]),
    (spread_between, [(LINE, 0.0, 3.0), (LINE, 3, 0), (NANS, 1.0, 1.0), (LINE, 0.0, np.inf)]),
    (spread_between, [(_MANY, 0.25, 7.5), (_TENTHS, 0.1, 0.9), (_MANY, -1e308, 1e308)]),
    (ratio, [(np.arange(7.0), LINE), (_MANY, _MANY[::-1]), (_MANY[1:], _MANY)]),
    (middles, [(TABLE,), (TABLE * 0.5,), (TABLE[:2],), (TABLE[:, :3].astype(np.float32),)]),
    (middles, [(BYTES.reshape(5, 300),), (SIGNED,)]),
    (spread_bytes, [(BYTES, 7), (SIGNED, 300), (BYTES[:0], 3), (BYTES[:1], 2), (BYTES[::-3], 256)]),
    (spread_between, [(BYTES, 0, 256), (SIGNED, -3.5, 3), (SIGNED, 300, 301), (BYTES, 7, 7)]),
    (middle_of_line, [(BYTES,), (SIGNED[0],), (LINE,), (NANS,), (LONG,), (LINE[:1],)]),
]
