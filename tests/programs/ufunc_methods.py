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


def folded_bits(a):
    some = np.bitwise_or.reduce(a), np.bitwise_and.reduce(a, axis=1), np.bitwise_xor.reduce(a)
    gcds = np.gcd.reduce(a, axis=None), np.lcm.reduce(np.abs(a[0]), initial=2)
    return some, gcds, np.bitwise_and.reduce(a[:0], axis=(0, 1)), np.bitwise_xor.accumulate(a)


def folded_in_order(a):
    quotients = np.divide.reduce(a), np.divide.reduce(a, axis=1, keepdims=True)
    return quotients, np.subtract.reduce(a, axis=-1), np.subtract.accumulate(a, axis=1)


def folded_sizes(a):
    sizes = np.hypot.reduce(a), np.hypot.reduce(a, axis=None), np.hypot.reduce(a[:0], axis=None)
    return sizes, np.fmax.reduce(a), np.fmin.reduce(a, axis=1), np.fmax.accumulate(a, axis=1)


def folded_truths(a):
    some = np.logical_or.reduce(a, initial=True), np.logical_and.reduce(a, initial=2.5)
    return some, np.logical_xor.reduce(a, axis=None), np.logical_or.accumulate(a, axis=1)


def folded_nothing(a):
    return np.fmax.reduce(a)


def folded_at(a, i):
    return np.subtract.reduceat(a, i), np.fmax.reduceat(a, i), np.logical_or.reduceat(a > 1, i)


def products(z):
    return np.prod(z), np.multiply.reduce(z[::-1]), np.prod(z[:0])


def updated(a, i, v):
    np.subtract.at(a, i, v)
    np.divide.at(a, i, 2.0)
    np.add.at(a, [0, 1, 0], 0.5)
    np.maximum.at(a, 1, 3)
    np.hypot.at(a, i, a[i])
    return a


def updated_in_wide(a, v):
    np.add.at(a, ([0, 1, 0],), v)
    return a


def updated_bits(a, i):
    np.bitwise_or.at(a, (i, [0]), 6)
    np.left_shift.at(a, (0, i), 1)
    np.gcd.at(a, (1, i), 6)
    return a


def more_outer(a, b):
    return np.fmax.outer(a, b), np.heaviside.outer(a, b), np.nextafter.outer(a, b)


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
    (folded_bits, [(WHOLE,), (WHOLE.astype(np.int8),), (WHOLE[:, ::-1],), (WHOLE[:, :1],)]),
    (folded_in_order, [(TABLE,), (WHOLE,), (NANS,), (TABLE[:1, ::-1],), (TABLE * (1 + 1j),)]),
    (folded_sizes, [(TABLE,), (NANS,), (WHOLE,)]),
    (folded_truths, [(TABLE,), (NANS,), (WHOLE * 0,), (TABLE * 1j,)]),
    (folded_nothing, [(LINE[:0],), (TABLE[:0],), (TABLE[:0, :0],), (NANS[:, :0],)]),
    (folded_at, [(LINE, np.array([0, 2, 1])), (LINE, np.array([0, 4])), (TABLE, np.array([1, 0]))]),
    (products, [(LINE * 1j,), (np.arange(1, 6) * (1 - 2j),)]),
    (
        updated,
        [(LINE, np.array([0, 0, 3]), np.array([1.5, 2.5, -1.0])), (LINE, np.array([2]), 0.25)],
    ),
    (updated, [(LINE, np.array([0, 9]), 1.0), (LINE[::-1], np.array([-1, -1]), 3)]),
    (updated, [(TABLE, np.array([0, 1]), TABLE[:, :1])]),
    (
        updated_in_wide,
        [
            (np.ones(2, np.float32), np.array([16777217, 3, 16777219])),
            (np.ones(2, np.float32), 1 / np.array([3.0, 5.0, 7.0])),
        ],
    ),
    (updated_bits, [(WHOLE, np.array([1, 0, 1])), (WHOLE.astype(np.uint8), np.array([0]))]),
    (more_outer, [(LINE, NANS[0]), (NANS[0], LINE[:0])]),
    (into, [(TABLE, 2.0, np.zeros((2, 3))), (TABLE, TABLE, TABLE), (WHOLE, 0.5, np.zeros((2, 3)))]),
    (into_itself, [(LINE,), (TABLE,)]),
    (into_truth, [(LINE, np.zeros(4, bool))]),
    (into_other_dtype, [(TABLE, np.zeros((2, 3), np.float32)), (WHOLE, np.zeros((2, 3)))]),
    (outer_into, [(LINE, np.zeros((4, 4)))]),
]
