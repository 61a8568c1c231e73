"""Polynomials, blocks, and arrays turned, rolled, repeated and stacked in more axes."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

LINE = np.array([1.0, -2.0, 0.5, 4.0])
TABLE = np.arange(12.0).reshape(3, 4) - 5
WHOLE = np.array([[3, -1, 4], [1, -5, 9]])
CUBE = np.arange(24).reshape(2, 3, 4)
NONE = np.zeros((0, 3))


def stacked(a, b):
    return np.dstack((a, b)), np.dstack([a]), np.atleast_3d(a), np.atleast_3d(2.5)


def blocks(a, v):
    n = len(v)
    return (
        np.block([[a, a * 2], [np.zeros((1, 2 * a.shape[1]))]]),
        np.block([v, 7, v]),
        np.block([[np.eye(n), np.ones((n, 1))], [v, np.array([[3]])]]),
        np.block([[a], [a]]),
        np.block(v),
    )


def turned(a):
    return (
        np.rot90(a, axes=(1, 2)),
        np.rot90(a, 3, (-1, 0)),
        np.rot90(a),
        np.rollaxis(a, 2),
        np.rollaxis(a, 1, 3),
        np.rollaxis(a, 0, -1),
        np.matrix_transpose(a),
        a.mT,
        a.nbytes,
    )


def rolled(a, n):
    return np.roll(a, (n, -1), axis=(0, 1)), np.roll(a, 1, (0, 1)), np.roll(a, (1, 2), axis=(1, 1))


def resized(a):
    return np.resize(a, 7), np.resize(a, (2, 1)), np.resize(a, (3, 5))


def spread(a, b):
    c, d = np.broadcast_arrays(a, b)
    return c, d, np.broadcast_arrays(a, 2)[1], np.diagflat(b), np.diagflat([1, 2], -1)


def diagonals(a, k):
    return (
        np.diagonal(a),
        a.diagonal(k, 1, 2),
        np.diagonal(a, offset=-1, axis1=-1, axis2=0),
        np.trace(a),
        a.trace(k, 1, 2),
        np.trace(a, axis1=0, axis2=-1, dtype=float),
    )


def sums(p, q):
    return np.polyadd(p, q), np.polysub(p, q), np.polymul(p, q), np.polydiv(p, q)


def derived(p):
    return (
        np.polyder(p),
        np.polyder(p, 2),
        np.polyint(p),
        np.polyint(p, 2, [1, 2]),
        np.polyder(p, 0),
    )


def powers(x):
    return np.vander(x), np.vander(x, 2), np.vander(x, 4, increasing=True), np.vander(x, N=0)


def from_zeros(z):
    return np.poly(z), np.poly([2, 3])


def columns(a, b):
    # Each is one element wide; a part of another width stands between two of these.
    wide = np.hstack((a[:, None], np.stack((a, b), axis=1), b[:, None]))
    return np.stack((a, b, a), axis=-1), np.column_stack((a, b)), wide, np.stack((b,), axis=1)


def planes(x):
    return np.stack((x, -x), axis=2), np.stack([x[::-1], x], axis=1), np.dstack((x, x, x))


def column_of_itself(x):
    y = np.stack((x, x[::-1]), axis=1)
    y[0, 0] = 100
    return x, y


def with_numbers(a, xs):
    ends = np.concatenate(([1], a, [2.5, 3])), np.hstack([[0], a, (a[0], 1)])
    return ends, np.concatenate((xs, [])), np.vstack((a, [1, 2])), np.concatenate([[[1, 2]], [a]])


def joined_in_a_dtype(a, b):
    narrow = np.concatenate((a, b), dtype=np.float32)
    return narrow, np.concatenate((a, b), axis=None, dtype="f8"), np.concatenate([a, a], dtype=None)


CASES: list[Case] = [
    (joined_in_a_dtype, [(np.arange(3), np.ones(2)), (np.ones((1, 2)), np.ones((2, 2), np.int8))]),
    (with_numbers, [(np.array([1.5, -2.0]), [1, 2]), (np.array([3, 4]), [0.5])]),
    (columns, [(LINE, LINE * 2), (LINE[::-1], LINE.astype(np.float32)), (LINE[:0], LINE[:0])]),
    (columns, [(LINE, LINE[1:]), (LINE[1:], LINE), (LINE[:1], LINE[:1]), (LINE[:1], LINE)]),
    (columns, [(np.arange(4).astype(np.int16), np.arange(8)[::2])]),
    (planes, [(TABLE,), (TABLE.T,), (TABLE[:0],), (TABLE[:, ::-2].astype(np.int8),)]),
    (column_of_itself, [(LINE,)]),
    (stacked, [(TABLE, TABLE * 2), (LINE, LINE), (CUBE, CUBE), (NONE, NONE)]),
    (blocks, [(TABLE, LINE), (WHOLE, LINE[:2]), (NONE, LINE[:1])]),
    (turned, [(CUBE,), (CUBE[:, ::-1, ::2] * 0.5,), (CUBE[:, :0],)]),
    (rolled, [(TABLE, 1), (CUBE, -5), (NONE, 1)]),
    (resized, [(LINE,), (WHOLE,), (NONE,)]),
    (spread, [(TABLE, LINE), (LINE[:, None], LINE)]),
    (diagonals, [(CUBE, 1), (CUBE * 0.5, -9), (CUBE.astype(np.int8), 0), (CUBE[:, :0], 0)]),
    (
        sums,
        [(LINE, LINE[1:3]), (LINE[:2], LINE), (WHOLE[0], WHOLE[1]), ([0.0, 0.0, 1.0], [0.0, 2.0])],
    ),
    (sums, [(np.zeros(2), LINE[:1])]),
    (derived, [(LINE,), (WHOLE[0],), (LINE.astype(np.float32),), (LINE[:1],)]),
    (powers, [(LINE,), (WHOLE[1],), (LINE.astype(np.float32),), (LINE > 0,), (LINE[:0],)]),
    (from_zeros, [(LINE,), (WHOLE[0],), (LINE.astype(np.float32),)]),
]
