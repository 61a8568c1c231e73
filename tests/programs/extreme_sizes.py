"""Sizes, steps, offsets and bounds at the ends of 64 bits, and products of them that wrap around.

`test_extreme_sizes` compares what they do, but for the words of messages.
"""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic
# ruff: noqa: B905

import numpy as np

from scriptc import prange
from tests.programs import Case

LEAST, MOST = -(2**63), 2**63 - 1
HALF = 2**62


def reshaped(x, a, b, c):
    return np.reshape(x, (a, b, c))


def reshaped_by_numbers(x):
    return x.reshape(4611686018427387905, -1, 4)


def read_through_a_shape(x, a, b, c, i):
    return float(np.reshape(x, (a, b, c))[i, 0, 0])


def written_through_a_shape(x, a, b, c, i):
    np.reshape(x, (a, b, c))[i, 0, 0] = 7.0


def shape_set(x, a, b):
    y = x.copy()
    y.shape = (a, b)
    return y


def of_no_elements(x, a, b):
    return x[:0].reshape(a, b).shape


def below_a_diagonal(x, k):
    return np.tril(x, k)


def above_a_diagonal(x, k):
    return np.triu(x, k)


def ones_beside_a_diagonal(x, k):
    return np.tril(x, k), np.triu(x, k)


def ones_on_a_diagonal(n, m, k):
    return np.eye(n, m, k)


def ones_below_a_diagonal(n, m, k):
    return np.tri(n, m, k)


def resized(x, n, m):
    return np.resize(x, (n, m))


def diagonals_of_known_columns(n, k):
    return np.tril(np.ones((n, 3)), k), np.triu(np.ones((n, 0)), k), np.triu(np.ones((2, n)), k)


def repeated(x, n):
    return np.repeat(x, n), np.tile(x, n)


def rows_repeated(x, n):
    return np.repeat(x, n, axis=0)


def columns_repeated(x, n):
    return np.repeat(x, n, axis=1)


def tiled(x, n, m):
    return np.tile(x, (n, m))


def repeated_by_numbers(x):
    return np.repeat(x, -3), np.tile(x, -3), np.repeat(x, 4611686018427387904)


def place_among(i, j, n, m):
    return np.ravel_multi_index((i, j), (n, m))


def place_among_clipped(i, j, n, m):
    return np.ravel_multi_index((i, j), (n, m), mode="clip")


def place_among_too_many(i, j):
    return np.ravel_multi_index((i, j), (4611686018427387904, 4))


# Of rows without elements, more than anybody could count; `x` has no element.


def empty_rows_computed(x, n):
    y = np.zeros((n, 0))
    return (y + 1).shape, (y * x - y[::-1]).shape, np.where(y > 1, y, x).shape, y.T.copy().shape


def empty_rows_folded(x, n):
    y = np.zeros((n, 0))
    return y.sum(), (y * 2).prod(), y.sum(axis=0), (y > 1).any(), (y > 1).all(), y.T.sum(axis=1)


def empty_rows_copied(x, n):
    y = np.zeros((n, 0))
    z = np.roll(np.concatenate((y, y), axis=1), 1, axis=0)
    return z.shape, y.reshape(-1), np.sort(y, axis=1).shape, y.astype(np.int32).shape, y.ravel()


def empty_rows_of_several_axes(x, n):
    y = np.zeros((2, n, 0, 3), np.uint8)
    return (y + 1).shape, y.sum(), y.sum(axis=(1, 2)), (y * y).T.shape


def empty_rows_written(x, n):
    y = np.zeros((n, 0))
    y += x
    y[:] = 3.0
    return y.shape


def empty_rows_beside_others(x, n):
    y = np.broadcast_to(x, (n, 0))
    return (y - y.sum(axis=0)).shape, np.exp(y).shape, (y[:, None, :] + y[:, :, None]).shape


# Products without an element, of more rows or columns than anybody could count.


def empty_products(x, n):
    y, none = np.zeros((0, n), x.dtype), np.zeros((0, 0), x.dtype)
    return (y.T @ none).shape, (none @ y).shape, (np.zeros((n, 0), x.dtype) @ none).shape


def empty_contractions(x, n):
    y, z = np.zeros((n, 0)), np.zeros((0, 0))
    return (
        np.dot(y, z).shape,
        np.inner(y, z).shape,
        np.tensordot(y, z, 1).shape,
        np.tensordot(y, y, ((0,), (0,))).shape,
        np.einsum("ij,jk->ik", y, z).shape,
        np.einsum("ij,ij->", y, y),
        np.vdot(y, y),
        np.outer(x, x).shape,
    )


# Functions of NumPy that go along an axis, of rows without elements.


def empty_rows_scanned(x, n):
    y = np.zeros((n, 0))
    return (
        np.cumsum(y, axis=0).shape,
        np.cumprod(y, axis=0).shape,
        np.maximum.accumulate(y, axis=0).shape,
        np.minimum.accumulate(y, axis=0).shape,
        np.logaddexp.accumulate(y, axis=0).shape,
        np.logaddexp.reduce(y, axis=0).shape,
        np.cumulative_sum(y, axis=0, include_initial=True).shape,
        np.cumulative_prod(y, axis=0, include_initial=True).shape,
        np.nancumsum(y, axis=0).shape,
        np.diff(y, axis=0).shape,
    )


def empty_rows_sorted(x, n):
    y = np.zeros((n, 0))
    return (
        np.sort(y, axis=0).shape,
        np.sort(y, axis=1).shape,
        np.argsort(y, axis=0).shape,
        np.median(y, axis=0).shape,
        np.partition(y, 1, axis=0).shape,
    )


def empty_diagonals(x, n):
    y = np.zeros((n, 0))
    np.fill_diagonal(y, 3.0)
    z = np.zeros((0, n, n))
    windows = np.lib.stride_tricks.sliding_window_view(np.zeros((0, n)), n, axis=1)
    return z.diagonal(0, 1, 2).shape, np.diagonal(y).shape, np.vander(x, n).shape, windows.shape


def products_with_vectors(m, v):
    return m @ v, v @ m.T


def products_of_matrices(m, v):
    return m @ v[:, None], v[None, :] @ m.T


def items_of_a_range(start, stop, step):
    total = 0
    for i in range(start, stop, step):
        total = (total * 3 + (i & 1023)) & 0xFFFF
    return total


def items_of_rounds(start, stop, step):
    total = 0
    for i in prange(start, stop, step):
        total += i & 1023
    return total


def places_of_rounds(x, start, stop, step):
    for i in prange(start, stop, step):
        x[i & 15] = i
    return x


def items_beside_others(start, stop, step):
    total = 0
    for i, j in zip(range(start, stop, step), range(9)):
        total += (i & 1023) * j
    return total


def items_backwards(start, stop, step):
    total = 0
    for i in reversed(range(start, stop, step)):
        total = (total * 3 + (i & 1023)) & 0xFFFF
    return total


def numbers_backwards(n):
    total = 0
    for i in reversed(range(n)):
        total = total * 3 + i
    return total


def left_early():
    for i in range(-9223372036854775808, 9223372036854775807):
        if i & 15 == 9:
            break
    return i


def left_early_within_rounds(n):
    total = 0
    for i in range(n):
        for j in range(-9223372036854775808, 9223372036854775807, 3):
            if j & 15 == i:
                break
            total += 1
    return total


def steps_of_numbers(start, stop, step):
    return np.arange(start, stop, step)


X = np.arange(4.0)
M = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
ENDS = (LEAST, LEAST + 1, -HALF, -3, -1, 0, 1, 2, HALF, MOST - 1, MOST)
SHAPES = [
    (HALF + 1, -1, 4), (MOST, LEAST, 2), (2, -1, MOST), (HALF, 4, -1), (2**32, 2**32, -1),
    (2**32, -1, 2**32), (-1, 0, 4), (0, HALF, 4), (0, HALF, 2), (HALF, 4, 0), (-1, -1, 4),
    (LEAST, 2, 2), (1, -7, 2), (2, 2, 1), (HALF + 1, 4, 1), (0, 0, 0), (1, MOST, 1),
]  # fmt: skip
# Of few items each, wherever they begin.
RANGES = [
    (0, 5, MOST), (3, 9, MOST - 1), (0, MOST, HALF), (LEAST, MOST, HALF), (MOST, LEAST, -HALF),
    (LEAST, MOST, MOST), (MOST, LEAST, LEAST), (0, LEAST, LEAST), (LEAST, LEAST + 5, 2),
    (MOST - 5, MOST, 1), (MOST - 5, MOST, 2), (LEAST + 5, LEAST, -1), (LEAST, MOST, -1),
    (MOST, LEAST, 1), (0, LEAST, 1), (1, LEAST, 1), (LEAST, 0, LEAST), (5, 5, 0), (0, 9, LEAST),
]  # fmt: skip

EXTREMES: list[Case] = [
    (reshaped, [(x, *shape) for x in (X, X[:0], X[:2]) for shape in SHAPES]),
    (reshaped_by_numbers, [(X,)]),
    (read_through_a_shape, [(X, HALF + 1, -1, 4, 0), (X, 2, -1, 2, 1)]),
    (written_through_a_shape, [(X, HALF + 1, -1, 4, 0), (X, 2, -1, 2, 1)]),
    (shape_set, [(X, 2**32, 2**32), (X, HALF + 1, -1), (X, 2, -1), (X, -1, MOST)]),
    (of_no_elements, [(X, 0, HALF), (X, HALF, 0), (X, 0, 2**59), (X, MOST, 0), (X, -1, 5)]),
    # Near the least one NumPy's own arithmetic does not fit.
    (below_a_diagonal, [(M, k) for k in ENDS[2:]]),
    (above_a_diagonal, [(M, k) for k in ENDS[2:]]),
    (ones_beside_a_diagonal, [(X, k) for k in ENDS[2:]]),
    (ones_on_a_diagonal, [(3, 4, k) for k in ENDS]),
    (ones_below_a_diagonal, [(3, 4, k) for k in ENDS[2:]]),
    (diagonals_of_known_columns, [(n, k) for n in (0, 1, 4) for k in (-1, 0, 1)]),
    (repeated, [(X[:0], n) for n in ENDS] + [(X, n) for n in (LEAST, -1, 0, 2)]),
    (
        rows_repeated,
        [(M, n) for n in (-1, 0, 2)] + [(M[:, :0], n) for n in (-(2**61), -3, -1, 0, 5)],
    ),
    (rows_repeated, [(M[:0], n) for n in ENDS]),
    (columns_repeated, [(M[:, :0], n) for n in ENDS] + [(M[:0], n) for n in (-3, -1, 0, 5)]),
    (tiled, [(M, n, m) for n in (-1, 0, 1, 2) for m in (-1, 0, 1, 2)]),
    (tiled, [(M[:0], n, m) for n in ENDS for m in (-1, 0, 2)]),
    (tiled, [(M[:, :0], n, m) for n in (-1, 0, 2) for m in ENDS]),
    (repeated_by_numbers, [(X[:0],), (X,)]),
    (place_among, [(i, j, n, m) for i in (0, 1) for j in (0, -1) for n in ENDS for m in ENDS]),
    # A size below zero, in the midst of its arithmetic, is nothing to NumPy.
    (place_among_clipped, [(i, 5, n, m) for i in (0, -1) for n in ENDS[5:] for m in ENDS[5:]]),
    (place_among_too_many, [(0, 0)]),
    (empty_rows_computed, [(X[:0], n) for n in (0, 3, 2**59)]),
    (empty_rows_folded, [(X[:0], n) for n in (0, 3, 2**59)]),
    (empty_rows_copied, [(X[:0], n) for n in (0, 3, 2**58)]),
    (empty_rows_of_several_axes, [(X[:0], n) for n in (0, 3, 2**55)]),
    (empty_rows_written, [(X[:0], n) for n in (0, 3, 2**59)]),
    (empty_rows_beside_others, [(X[:0], n) for n in (0, 3, 2**59)]),
    (empty_products, [(X[:0], n) for n in (0, 3, 2**59)]),
    (empty_products, [(X[:0].astype(np.float32), n) for n in (0, 3, 2**59)]),
    (empty_products, [(X[:0].astype(np.int64), n) for n in (0, 3, 2**59)]),
    (empty_products, [(X[:0].astype(np.complex128), n) for n in (0, 3, 2**58)]),
    (empty_contractions, [(X[:0], n) for n in (0, 3, 2**57)]),
    (empty_rows_scanned, [(X[:0], n) for n in (2, 3, 2**57)]),
    (empty_rows_sorted, [(X[:0], n) for n in (2, 3, 2**57)]),
    (empty_diagonals, [(X[:0], n) for n in (2, 3, 2**28)]),
    (products_with_vectors, [(M[:i, :j], X[:j]) for i in (0, 1, 2) for j in (0, 1, 3)]),
    (products_of_matrices, [(M[:i, :j], X[:j]) for i in (0, 1, 2) for j in (0, 1, 3)]),
    (resized, [(X, -1, 1), (X, 1, -1), (X, -1, -1), (X, MOST, -1), (X, -1, MOST), (X, 3, 2)]),
    (items_of_a_range, RANGES),
    (items_of_rounds, RANGES),
    (places_of_rounds, [(np.zeros(16, np.int64), *r) for r in RANGES]),
    (items_beside_others, RANGES),
    (items_backwards, RANGES),
    (numbers_backwards, [(LEAST,), (-1,), (0,), (3,)]),
    (left_early, [()]),
    (left_early_within_rounds, [(0,), (5,)]),
    # NumPy counts with floats, and refuses what is too far apart even where it has no item.
    (steps_of_numbers, [r for r in RANGES if r[2] and abs(r[1] - r[0]) < 2**64 - 1]),
]
