"""Methods of ufuncs, and where they write their results."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

LINE = np.array([1.0, -2.0, 0.5, 4.0])
TABLE = np.array([[1.5, -2.5, 0.5], [-0.25, 3.5, 2.0]])
WHOLE = np.array([[3, -1, 4], [1, -5, 9]])
NANS = np.array([[1.0, np.nan, 3.0], [2.0, 0.5, -np.inf]])


def outer(a, b):
    return np.add.outer(a, b), np.multiply.outer(a, b), np.less.outer(a, b), np.outer(a, b)


def outer_extremes(a, b):
    return np.maximum.outer(a, b), np.minimum.outer(a, b), np.subtract.outer(b, a)


def shortest(path):
    for k in range(path.shape[0]):
        path[:] = np.minimum(path[:], np.add.outer(path[:, k], path[k, :]))
    return path


def reduced(a):
    return np.add.reduce(a), np.add.reduce(a, axis=1), np.multiply.reduce(a, axis=None)


def reduced_extremes(a):
    return np.maximum.reduce(a, axis=1), np.minimum.reduce(a), np.logical_and.reduce(a > 0)


def accumulated(a):
    return np.add.accumulate(a), np.multiply.accumulate(a, axis=1), np.maximum.accumulate(a, axis=1)


def lowest_so_far(a):
    return np.minimum.accumulate(a), np.maximum.accumulate(a[0])


def into(a, b, out):
    np.multiply(a, b, out)
    np.add(out, 1, out=out)
    np.sqrt(np.abs(out), out=out)
    return np.negative(out, out=out)


def into_itself(a):
    np.multiply(a, a, a)
    np.subtract(a, a[::-1], out=a)
    np.maximum(a, 0, out=a[:])
    return a


def into_truth(a, out):
    np.logical_not(a > 0, out)
    np.less(a, 1, out=out[::-1])
    return out


def into_other_dtype(a, out):
    return np.add(a, a, out=out)


def outer_into(a, out):
    return np.outer(a, a, out=out)


CASES: list[Case] = [
    (outer, [(LINE, LINE[:2]), (TABLE, LINE), (WHOLE, LINE[::-1]), (LINE[:0], LINE)]),
    (outer_extremes, [(LINE, LINE[:3]), (WHOLE[0], LINE)]),
    (
        shortest,
        [(np.abs(WHOLE) @ np.abs(WHOLE.T),), (np.array([[0, 7, 2], [3, 0, 9], [1, 4, 0]]),)],
    ),
    (reduced, [(TABLE,), (WHOLE,), (TABLE[:0],)]),
    (reduced_extremes, [(TABLE,), (NANS,), (TABLE[:, :0],)]),
    (accumulated, [(TABLE,), (WHOLE,), (NANS,), (TABLE[:0],)]),
    (lowest_so_far, [(TABLE,), (NANS,)]),
    (into, [(TABLE, 2.0, np.zeros((2, 3))), (TABLE, TABLE, TABLE), (WHOLE, 0.5, np.zeros((2, 3)))]),
    (into_itself, [(LINE,), (TABLE,)]),
    (into_truth, [(LINE, np.zeros(4, bool))]),
    (into_other_dtype, [(TABLE, np.zeros((2, 3), np.float32)), (WHOLE, np.zeros((2, 3)))]),
    (outer_into, [(LINE, np.zeros((4, 4)))]),
]
