"""Slices that occur once, rows written as subscripts, differences at the ends, and more forms."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

LINE = np.array([3.0, -1.0, 2.5, 8.0, 0.5, 1.0])
TABLE = np.array([[3, 1, 4], [1, 5, 9], [3, 1, 4], [0, 7, 7]])
NANS = np.array([[np.nan, 1.0], [np.nan, 1.0], [0.5, -0.0], [0.5, 0.0]])
CUBE = np.arange(24).reshape(2, 3, 4) % 5
PICK = np.array([0, 3, 1, 5])


def rows_once(a):
    found, first, which, counts = np.unique(
        a, return_index=True, return_inverse=True, return_counts=True, axis=0
    )
    return found, first, which, counts, np.unique(a, axis=-1), np.unique(a[:, :1], axis=0)


def rows(a, b):
    return np.r_[a, 0, 1:7:2], np.r_[0:1:5j, b, [1, 2.5]], np.c_[a, b], np.c_[b, np.c_[a, a], b]


def small_rows(a):
    return np.r_[a, a], np.c_[a, a[:, 0]], np.r_[a[0], 2], np.c_[a]


def steps(a):
    return (
        np.diff(a, prepend=0),
        np.diff(a, n=2, append=a[..., :2]),
        np.diff(a, prepend=1, append=2),
    )


def steps_down(a):
    return np.diff(a, axis=0, prepend=a[:1], append=9), np.diff(a > 2, axis=0, append=True)


def flat(a, i):
    total = 0
    for place, value in enumerate(a.flat):
        total += place * value
    return total, a.flat[i], a.T.flat[i], a.T.flat[1:4]


def folded_at(a, i):
    b = np.add.reduceat(a, i)
    return b, np.maximum.reduceat(a, [0, 2], axis=0), np.multiply.reduceat(a, i[:2], axis=-1)


def as_lists(a):
    return a.tolist(), a[::-1].tolist()


def several(a, b):
    c, d = np.atleast_2d(a, b)
    e = a.astype(np.float64, copy=False)
    return c, d, e, np.array(a, copy=True), np.asanyarray(a), np.searchsorted(a, 2, sorter=b)


def around(x, places, values):
    return np.interp(x, places, values, period=360), np.interp(2.0, places, values, period=-6)


CASES: list[Case] = [
    (rows_once, [(TABLE,), (NANS,), (TABLE[:0],)]),
    (
        rows,
        [(LINE, LINE[::-1]), (LINE[:2].astype(np.float32), PICK[:2]), (PICK, PICK)],
    ),
    (small_rows, [(TABLE,), (NANS,)]),
    (steps, [(LINE,), (TABLE,), (LINE[:0],)]),
    (steps_down, [(TABLE,), (NANS,)]),
    (flat, [(TABLE, 5), (CUBE, -3)]),
    (folded_at, [(LINE, PICK), (TABLE.T.astype(np.int8), PICK[:1] + 1), (CUBE, PICK % 2)]),
    (folded_at, [(LINE, PICK * 2)]),
    (as_lists, [(LINE,), (TABLE,), (CUBE,), (TABLE > 2,), (LINE.astype(np.float32),), (LINE[:0],)]),
    (several, [(LINE, np.argsort(LINE)), (LINE, PICK)]),
    (around, [(np.array([-180, 5, 185, 350.0, 720]), np.array([190, -190, 350, -350]), LINE[:4])]),
]
