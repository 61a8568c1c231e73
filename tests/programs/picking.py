"""Indexing by arrays: masks and whole numbers, read, written and updated in place."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

LINE = np.array([1.0, -2.0, 0.5, 4.0, -0.0, 3.0])
TABLE = np.arange(12.0).reshape(3, 4) - 5
WHOLE = np.array([[3, -1, 4], [1, -5, 9]])
CUBE = np.arange(24.0).reshape(2, 3, 4)
PICK = np.array([2, 0, -1, 2])
GRID = np.array([[0, 1], [2, -1]])
EVERY = np.array([True, False, True, False, True, False])
ROWS = np.array([True, False, True])
NONE = np.zeros(0, np.int64)


def masked(a):
    return a[a > 0], a[a < -100], a[~(a > 0)] * 2, np.sum(a[a > 0])


def folded_where(a, low):
    v = a[a > low]
    return v.sum(), v.mean(), (v * 2 + 1).std(), v.any(), (v != 3).all(), v.prod(), len(v), v.size


def ends_where(a, low):
    return a[a > low].max(), np.min(a[a <= low])


def folded_by_mask(a, mask):
    return np.sum(a[mask]), (a[mask] * a[mask]).sum(), (a[::-1][mask] > 1).sum()


def picked_before_a_write(a, mask):
    v = a[mask]
    w = a[~mask]
    a[0] = 100
    mask[:] = False
    return v.sum(), v.mean(), w.size, a[mask].sum(), w


def means_of_rings(a, r):
    out = np.zeros(5)
    for i in range(5):
        ring = np.logical_and(i * 0.75 <= r, r < (i + 1) * 0.75)
        out[i] = a[ring].mean()
    return out


def sums_above(a, n):
    out = np.zeros(n)
    least = np.zeros(n)
    for i in range(n):
        low = i * 0.125
        out[i] = a[a > low].sum() - np.sum(a > low)
        least[i] = np.max(np.where(a < low, a, -1.0)) + np.sum(a * a)
    return out, least


def sums_over_what_is_read(a, n):
    out = a[:n]
    for i in range(n):
        out[i] = np.sum(a > 2.0)
    return a


def sums_that_follow(a, n):
    total = 0.0
    out = np.zeros(n)
    for i in range(n):
        out[i] = np.sum(a > total)
        total = total + out[i] / len(a)
    return out


def sums_below_the_last(a, edges):
    for i in range(1, len(edges)):
        edges[i] = np.sum(a < edges[i - 1]) * 0.0001
    return edges


def mask_of_rows(a, rows):
    return a[rows], a[rows, :], a[rows].sum(axis=0)


def mask_of_columns(a, columns):
    return a[:, columns], a[..., columns], a[1:, columns]


def mask_with_others(a, rows):
    return a[rows, 0], a[rows, 1:], a[rows, ::-1], a[0][a[0] > -4]


def mask_and_indices(a, rows, index):
    return a[rows, index]


def masks(a, one, other):
    return a[one][:, other], a[one, other]


def set_masked(a, x):
    a[a > 1] = x
    a[a < -3] += 1
    a[a == 0] *= 5
    return a


def set_masked_rows(a, rows):
    a[rows] = 7
    a[rows, 1] = -1
    a[:, a[0] > 0] = 0
    return a


def set_masked_to_array(a, values):
    a[a > 0] = values
    return a


def set_rows_to_array(a, rows, values):
    a[rows] = values
    return a


def update_masked(a):
    a[a > 0] = a[a > 0] ** 2 + a[a > 0]
    a[a < 0] -= np.arange(len(a[a < 0])) * 1.0
    return a


def set_in_view(a):
    b = a[:, ::2]
    b[b > 0] = 100
    c = a.T
    c[c < 0] = -1
    return a


def picked(a, i):
    return a[i], a[i] + 1, a[i][0], a[[0, 2, 1]], a[np.array([1, 1])]


def picked_rows(a, i):
    return a[i], a[i, 1], a[i, 1:], a[0, i], a[:, i], a[..., i], a[i, None]


def picked_grid(a, g):
    return a[g], a[g, 0], a[:, g], a[::-1, g].shape


def picked_pairs(a, i, j):
    return a[i, j], a[i[:, None], j], a[i, 0], a[i[:, None], [0, 1]]


def picked_apart(a, i):
    return a[i, :, 0], a[0, :, i], a[i, :, i], a[:, i, i], a[i, i], a[:, 0, i], a[None, 0, i]


def picked_three(a, i, j, k):
    return a[i, j, k], a[i, j], a[i, :, k]


def set_picked(a, i, x):
    a[i] = x
    a[i[:1]] += 10
    return a


def set_picked_to_array(a, i, values):
    a[i] = values
    return a


def set_pairs(a, i, j):
    a[i, j] = -100
    a[i, 0] = np.arange(len(i)) * 1.0
    a[:, j] += 1000
    return a


def set_apart(a, i, values):
    a[0, :, i] = values
    a[i, 1, :] -= 1
    return a


def set_onto_itself(a, i):
    a[i] = a[::-1][: len(i)]
    return a


def by_tuple(a):
    where = np.nonzero(a > 0)
    return a[where], where[0], where[1]


def found(a):
    rows, columns = np.where(a > 2)
    return rows, columns, np.flatnonzero(a), np.argwhere(a > 0), (a < 0).nonzero()


def found_in_line(a):
    (places,) = np.nonzero(a)
    return places, np.where(a > 0)[0], np.argwhere(a)


def taken(a, i):
    return np.take(a, i), np.take(a, i, axis=0), a.take(i), np.take(a, 1), np.take(a, i, axis=-1)


def added_at(a, i, x):
    np.add.at(a, i, x)
    return a


def subtracted_at(a, i, j, x):
    np.subtract.at(a, (i, j), x)
    np.maximum.at(a, (i, j), 0.0)
    return a


def counts(index, n):
    out = np.zeros(n, np.int64)
    np.add.at(out, index, 1)
    return out


def in_a_loop(a, index):
    total = 0.0
    for k in range(3):
        total += a[index + k].sum()
    return total


def swapped(a, i, j):
    a[i], a[j] = a[j], a[i]
    return a


def fused(a, rows, i):
    return (a[rows] * 2 + a[i[:2]]).sum(axis=0), np.exp(a[i] * 0).mean()


_FOUR = np.array([True, False, False, True])
_VALUES = np.array([10.0, 20.0, 30.0])

_GAPS = np.array([np.nan, -0.0, 3.0, np.inf, -np.inf, 0.0])
_LONG = np.random.default_rng(3).integers(0, 4096, 70001) / 1024  # sums are exact

CASES: list[Case] = [
    (folded_where, [(LINE, 0), (LINE * 0.5, 0.25), (LINE, 99), (LINE[::-2] * 0.1, -9), (_GAPS, 0)]),
    (ends_where, [(LINE, 2), (LINE * 0.5, 99), (LINE[::-1] * 0.5, -99), (_GAPS, 0)]),
    (folded_by_mask, [(LINE, LINE > 1), (LINE * 0.5, LINE[1:] > 1), (LINE[:0], LINE[:0] > 1)]),
    (picked_before_a_write, [(LINE, LINE > 1), (LINE * 0.5, LINE > 99), (LINE, LINE[1:] > 1)]),
    (means_of_rings, [(LINE * 0.5, LINE * 0.5), (_LONG, _LONG[::-1]), (_LONG[1:], _LONG)]),
    (sums_above, [(_LONG, 35), (_LONG[::-2], 16), (_LONG, 1), (_LONG[:9], 3), (_LONG, 0)]),
    (sums_over_what_is_read, [(_LONG, 35), (LINE, 4)]),
    (sums_that_follow, [(_LONG, 20)]),
    (sums_below_the_last, [(_LONG, np.ones(19))]),
    (masked, [(LINE,), (TABLE,), (TABLE.T,), (WHOLE,), (CUBE[:, ::-1],), (LINE[:0],)]),
    (
        mask_of_rows,
        [(TABLE, ROWS), (TABLE, ~ROWS), (CUBE, ROWS[:2]), (TABLE, ROWS[:2]), (WHOLE, ROWS[1:])],
    ),
    (mask_of_columns, [(TABLE, _FOUR), (TABLE, ROWS), (TABLE[:, ::-1], _FOUR)]),
    (mask_with_others, [(TABLE, ROWS), (TABLE, np.zeros(3, bool)), (TABLE, _FOUR)]),
    (mask_and_indices, [(TABLE, ROWS, PICK[:2]), (TABLE, ROWS, PICK), (TABLE, ROWS, PICK[:1])]),
    (masks, [(TABLE, ROWS, _FOUR), (TABLE, np.ones(3, bool), _FOUR)]),
    (set_masked, [(LINE, 9), (TABLE, 0.5), (TABLE.T, -2), (WHOLE, 7)]),
    (set_masked_rows, [(TABLE, ROWS), (TABLE.astype(np.float32), ROWS), (TABLE, _FOUR)]),
    (
        set_masked_to_array,
        [(LINE, _VALUES), (LINE, _VALUES[:2]), (LINE, _VALUES[:1]), (TABLE, np.arange(6))],
    ),
    (set_rows_to_array, [(TABLE, ROWS, np.arange(4)), (TABLE, ROWS, np.ones((2, 1)))]),
    (update_masked, [(LINE,), (TABLE,), (TABLE[:, ::2],)]),
    (set_in_view, [(TABLE,)]),
    (
        picked,
        [(LINE, PICK), (TABLE, PICK[:2]), (LINE, np.array([6])), (LINE, np.array([0, -7, 9]))],
    ),
    (
        picked_rows,
        [(TABLE, PICK[:3]), (TABLE.T, np.array([1, 2])), (TABLE, NONE), (TABLE, PICK + 2)],
    ),
    (picked_grid, [(TABLE, GRID), (TABLE, GRID.T), (TABLE, GRID[:0])]),
    (picked_pairs, [(TABLE, PICK, PICK), (TABLE, PICK[:1], PICK), (TABLE, PICK[:2], PICK[:3])]),
    (picked_apart, [(np.arange(27.0).reshape(3, 3, 3), PICK), (CUBE, NONE)]),
    (picked_three, [(CUBE, PICK % 2, PICK, PICK), (CUBE, GRID % 2, PICK[:2], PICK[:1])]),
    (set_picked, [(LINE, PICK, 9), (WHOLE, PICK[1:3], 5), (LINE, np.array([1, 7]), 0)]),
    (
        set_picked_to_array,
        [(LINE, PICK, np.arange(4.0)), (TABLE, PICK[:2], LINE[:4]), (LINE, GRID, LINE[:2])],
    ),
    (set_pairs, [(TABLE, PICK, PICK), (TABLE.T[:3, :3], PICK, PICK), (TABLE, PICK[:1], NONE)]),
    (
        set_apart,
        [(CUBE, np.array([0, 1]), np.ones((2, 3))), (CUBE, np.array([1, 1]), np.arange(3))],
    ),
    (set_onto_itself, [(LINE, np.array([5, 4, 0]))]),
    (by_tuple, [(TABLE,), (WHOLE,)]),
    (found, [(TABLE,), (WHOLE.T,), (TABLE[:0],)]),
    (found_in_line, [(LINE,), (EVERY,), (LINE[:0],)]),
    (taken, [(TABLE, PICK[:2]), (TABLE, GRID[:1]), (TABLE, np.array([5]))]),
    (
        added_at,
        [
            (LINE, PICK, 1.5),
            (LINE, PICK, np.arange(4)),
            (TABLE, PICK, LINE[:4]),
            (LINE, PICK * 9, 1),
        ],
    ),
    (subtracted_at, [(TABLE, PICK, PICK, 2.0)]),
    (counts, [(np.array([0, 3, 3, 1, 3]), 5), (NONE, 3)]),
    (in_a_loop, [(LINE, np.array([0, 1, 2]))]),
    (swapped, [(TABLE, PICK[:2], PICK[1:3])]),
    (fused, [(TABLE, ROWS, PICK)]),
]
