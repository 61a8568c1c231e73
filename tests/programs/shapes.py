"""NumPy's functions that rearrange arrays, put them together and make new ones."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

LINE = np.array([1.0, -2.0, 0.5, 4.0, -0.0, 3.0])
TABLE = np.arange(12.0).reshape(3, 4)
WHOLE = np.arange(6).reshape(2, 3)
CUBE = np.arange(24.0).reshape(2, 3, 4)
MASK = np.array([[True, False], [False, True]])
SINGLE = np.array([[0.5, 1.5], [2.5, -1.0]], np.float32)
EMPTY = np.zeros((0, 3))


def reshaped(a):
    return a.reshape(4, 3), np.reshape(a, (2, -1)), a.reshape(-1), a.reshape((1, 12, 1)), a.ravel()


def reshape_shares(a):
    b = a.reshape(-1)
    b[0] = 100.0
    c = a.T.reshape(-1)
    c[1] = 200.0
    d = a[:, ::2].reshape(6)
    d[2] = 300.0
    e = a.ravel()
    e[3] = 400.0
    f = a.flatten()
    f[4] = 500.0
    return a, b, c, d, e, f


def reshape_line(a):
    b = a[::2].reshape(3, 1)
    b[0] = 9.0
    c = a[::2].ravel()
    c[1] = 8.0
    return a, b, c, a[::-1].reshape(2, 3)


def reshape_to(a, n, m):
    return a.reshape(n, m)


def reshape_unknown(a, n):
    return a.reshape((n, -1)) + 1.0


def reshape_computed(a, b):
    return (a + b).reshape(-1, 2) * 2.0, np.sum((a * b).ravel())


def empty_shapes(a):
    return a.reshape(3, 0), a.reshape(0, 5, 2), a.ravel(), a.reshape(-1, 3), a.flatten()


def turned(a):
    return (
        np.transpose(a),
        a.transpose(),
        np.transpose(a, (1, 0)),
        a.transpose(-1, 0),
        a.swapaxes(0, 1),
    )


def moved(a):
    return (
        np.moveaxis(a, 0, -1),
        np.moveaxis(a, (0, 1), (1, 2)),
        np.swapaxes(a, 0, 2),
        a.transpose((2, 0, 1)),
    )


def ones(a):
    b = np.expand_dims(a, 0)
    return b, np.expand_dims(a, (0, -1)), np.squeeze(b, 0), b.squeeze(axis=0)


def squeezed(a):
    return np.squeeze(a, axis=0)


def flipped(a):
    return np.flip(a), np.flip(a, 0), np.flip(a, axis=(0, 1)), np.flipud(a), np.fliplr(a)


def quarters(a):
    return np.rot90(a), np.rot90(a, 2), np.rot90(a, -1), np.rot90(a, 4)


def flip_onto_itself(a):
    a[:3] += 2.0 * np.flip(a[:3])
    return a


def joined(a, b):
    return (
        np.concatenate((a, b)),
        np.concatenate([a, b, a], axis=0),
        np.vstack((a, b)),
        np.append(a, b),
    )


def joined_columns(a, b):
    return np.concatenate((a, b), axis=1), np.hstack((a, b)), np.concatenate((a, b), axis=None)


def stacked(a, b):
    return np.stack((a, b)), np.stack([a, b], axis=-1), np.column_stack((a, b)), np.hstack((a, b))


def joined_rows(a, b):
    return np.vstack((a, b)), np.append(a, b[0])


def at_least(a, x):
    return np.atleast_1d(x), np.atleast_2d(a), np.atleast_2d(x), np.atleast_1d(a)


def repeated(a, n):
    return np.repeat(a, n), np.repeat(a, 2, axis=0), a.repeat(n, axis=1)


def repeated_by_numbers(a):
    flat = np.repeat(a, 0), np.repeat(a, 1), np.repeat(a, 2), np.repeat(a, 3), np.repeat(a, 9)
    return flat, a.repeat(2, 0), a.repeat(3, 1), np.repeat(a[::-1, ::-2], 2), np.repeat(2.5, 3)


def repeated_by_a_negative_number(a):
    return np.repeat(a, -1)


def tiled(a, n):
    return np.tile(a, n), np.tile(a, (2, n)), np.tile(a, (n, 1, 2))


def rolled(a, n):
    return np.roll(a, n), np.roll(a, 1, axis=0), np.roll(a, n, axis=-1)


def padded(a):
    return np.pad(a, 1), np.pad(a, (1, 2)), np.pad(a, ((0, 1), (2, 0)), constant_values=7)


def written_in_place(x, y):
    return np.array([x, y, 1]), np.array([[x, 0.5], [y, 2]]), np.array((1, 2, 3)), np.array([])


def with_dtype(x):
    return (
        np.array([1, 2, x], dtype=np.float32),
        np.asarray([1, x], np.float64),
        np.array([True, False]),
    )


def of_arrays(a, b):
    return np.array([a, b]), np.array([[a], [b]]), np.asarray([a + b])


def copied(a):
    b, c = np.array(a), np.asarray(a)
    b[0] = 50.0
    c[1] = 60.0
    return a, b, c, np.asarray(a, np.float64), np.array(2.5), np.asarray(a[0])


def of_a_list(n):
    xs = [0.5]
    for i in range(n):
        xs.append(i * 1.5)
    return np.array(xs), np.asarray(xs).sum(), np.sum(xs)


def like(a):
    return (
        np.full_like(a, 2),
        np.zeros_like(a),
        np.ones_like(a, dtype=np.float64),
        np.full_like(a, 0),
    )


def unset(n):
    a = np.ndarray((n, 2))
    a.fill(1.5)
    b = np.ndarray(n, np.int64)
    b[:] = 3
    c = np.zeros([n, n], dtype=a.dtype)
    return a, b, c


def squares(n, m):
    return np.eye(n), np.eye(n, m), np.eye(n, k=1), np.eye(n, m, -1, dtype=np.int64), np.identity(n)


def triangles(a):
    return np.tril(a), np.triu(a), np.triu(a, 1), np.tril(a, k=-1), np.triu(a, k=-2)


def triangle_masks(n):
    return np.tri(n), np.tri(n, 2), np.tri(n, 4, 1, dtype=np.int64), np.tri(n, dtype=bool)


def diagonals(a, v):
    return np.diag(a), np.diag(a, 1), np.diag(v), np.diag(v, k=-1), np.diagonal(a), a.diagonal(-1)


def points(a, b, n):
    return (
        np.linspace(a, b, n),
        np.linspace(a, b, n, endpoint=False),
        np.linspace(a, b, n, dtype=np.float32),
    )


def fifty():
    return np.linspace(0, 1)


def grids(x, y):
    a, b = np.meshgrid(x, y)
    c, d = np.meshgrid(x, y, indexing="ij")
    return a, b, c, d


def indices_alone(n):
    return np.indices((n, 2))


def too_many_bytes(n, m):
    try:
        return np.zeros((n, m))
    except MemoryError:
        return np.ones((1, 1))


def places(n, m):
    g = np.mgrid[0:n, 1:m]
    return g, np.mgrid[2:n], np.mgrid[0:n:2, m:0:-1], np.indices((n, m)), g[0] * 2 + g[1]


def elements(a):
    return a.item(1, 0), a[0, 0:1].item(), a.item(0, -1)


def element_of_many(a):
    return a.item()


def dtypes(a):
    b = np.zeros(3, a.dtype)
    return b, np.empty_like(b).itemsize if False else a.itemsize


def fused(a):
    b = np.concatenate((a[1:], a[:1])) - np.roll(a, -1, axis=0)
    return np.abs(b).sum() + np.hstack((a, a * 2)).max() + np.pad(a, 1).mean()


def tuples_stored(a):
    pair = (1.5, 2)
    a[0] = a[-1] = 1, 2
    a[1:2] = [5, 6]
    a[2, :] = pair
    a[:, 1:] = [7.0]
    return np.add(pair, a[0]), np.sum((1, 2, 3)), np.maximum((1, 2), 1.5)


def tuple_too_long(a):
    a[0] = 1, 2, 3


CASES: list[Case] = [
    (tuples_stored, [(np.zeros((5, 2)),), (np.zeros((2, 5)).T,)]),
    (tuple_too_long, [(np.zeros((5, 2)),), (np.zeros((5, 3)),)]),
    (reshaped, [(TABLE,), (TABLE.T,), (TABLE[::-1],), (TABLE.astype(np.float32),)]),
    (reshape_shares, [(TABLE,)]),
    (reshape_line, [(LINE,)]),
    (
        reshape_to,
        [(TABLE, 2, 6), (TABLE, 12, 1), (TABLE, 5, 2), (TABLE, -1, 3), (TABLE, 2**33, 2**33)],
    ),
    (reshape_unknown, [(TABLE, 2), (TABLE.T, 6), (TABLE, -1), (EMPTY, 3)]),
    (reshape_computed, [(TABLE, TABLE), (TABLE.T, TABLE.T)]),
    (empty_shapes, [(EMPTY,), (EMPTY.T,)]),
    (turned, [(TABLE,), (WHOLE,), (EMPTY,)]),
    (moved, [(CUBE,), (CUBE[:, ::-1],)]),
    (ones, [(LINE[:1],)]),
    (squeezed, [(TABLE[:1],), (TABLE,)]),
    (flipped, [(TABLE,), (WHOLE.T,), (EMPTY,)]),
    (quarters, [(TABLE,), (WHOLE.T,)]),
    (flip_onto_itself, [(LINE,)]),
    (joined, [(TABLE, TABLE[:1]), (WHOLE, WHOLE * 2), (TABLE, TABLE[:, :2]), (EMPTY, EMPTY)]),
    (joined_columns, [(TABLE, TABLE[:, :1]), (TABLE, WHOLE[:1].T), (TABLE, TABLE[:2])]),
    (stacked, [(LINE, LINE[::-1]), (LINE, np.arange(6)), (LINE, LINE[:2])]),
    (joined_rows, [(LINE, TABLE[:, :3].reshape(-1, 3)[:, [0, 1, 2, 0, 1, 2]]), (LINE, TABLE)]),
    (at_least, [(LINE, 2.5), (TABLE, 3)]),
    (repeated, [(TABLE, 3), (WHOLE.T, 0), (MASK, 2), (EMPTY, 2)]),
    (repeated_by_numbers, [(TABLE,), (WHOLE.T,), (MASK,), (SINGLE,), (EMPTY,)]),
    (repeated_by_a_negative_number, [(TABLE,), (EMPTY,)]),
    (tiled, [(TABLE, 2), (WHOLE.T, 1), (MASK, 0)]),
    (rolled, [(TABLE, 1), (TABLE.T, -3), (WHOLE, 100), (EMPTY, 2)]),
    (padded, [(TABLE,), (WHOLE.T,), (SINGLE,), (EMPTY,)]),
    (written_in_place, [(2, 3), (0.5, 2), (np.float32(1.5), 2), (np.float64(1.5), np.int64(2))]),
    (with_dtype, [(3,), (np.int64(4),)]),
    (of_arrays, [(LINE, LINE[::-1]), (WHOLE[0], LINE[:3]), (LINE, LINE[:2])]),
    (copied, [(LINE,)]),
    (of_a_list, [(3,), (0,)]),
    (like, [(TABLE,), (WHOLE,), (SINGLE,), (EMPTY,)]),
    (unset, [(2,), (0,)]),
    (squares, [(3, 4), (2, 0), (0, 3), (-1, 2)]),
    (triangles, [(TABLE,), (WHOLE.T,), (LINE,), (CUBE,), (MASK,), (EMPTY,)]),
    (triangle_masks, [(3,), (0,), (-1,), (-5,)]),
    (indices_alone, [(2,), (0,), (-1,)]),
    (
        too_many_bytes,
        [(2**60, 1), (2**61, 1), (2**62, 4), (2**40, 2**40), (1, 2**63 - 1), (2, 2)],
    ),
    (diagonals, [(TABLE, LINE), (WHOLE, WHOLE[0]), (EMPTY, LINE[:0])]),
    (
        points,
        [(0.0, 1.0, 5), (2, -3, 4), (1.0, 1.0, 3), (0.0, 1.0, 1), (0.5, 2.0, 0), (0.0, 5e-324, 4)],
    ),
    (points, [(0.0, 1.0, -1), (-1e308, 1e308, 3)]),
    (fifty, [()]),
    (grids, [(LINE, np.arange(2)), (LINE[:0], LINE)]),
    (places, [(3, 4), (0, 2), (2, 1)]),
    (elements, [(TABLE,), (WHOLE,), (MASK,), (SINGLE,)]),
    (element_of_many, [(LINE[:1],), (LINE,), (np.array([[3]]),)]),
    (dtypes, [(TABLE,), (SINGLE,), (WHOLE,)]),
    (fused, [(TABLE,), (TABLE.T,)]),
]
