"""Arrays picked by arrays of indices out of what is not in memory yet."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

TABLE = np.arange(12.0).reshape(3, 4) - 5.0
LINE = np.array([4.0, -0.25, 1.0, 16.0])
PLACES = np.array([2, 0, -1, 2])
BYTES = np.array([1, 0, 2], np.uint8)
NONE = np.zeros(0, np.int64)
EMPTY = np.zeros((0, 4))
CUBE = np.arange(24.0).reshape(2, 3, 4)


def rows_of_a_map(x, i):
    return (np.maximum(x, 0.0) * 2.0)[i]


def elements_of_a_map(x, i, j):
    return (x - x.max(axis=1, keepdims=True))[i, j].sum()


def of_broadcast_rows(x, y, i):
    return (x + y)[i], (x[:, None, 0] + y[None, :])[i, i]


def of_a_costly_map(x, i):
    y = np.sqrt(np.abs(x))
    return y[i] + y[i[::-1]], y


def of_a_sum(x, i):
    return (x.sum(axis=1) / 4.0)[i], x.sum(axis=0)[i]


def written_between(x, i):
    y = x * 2.0
    x[:] = 1.0
    return y[i] + x[i]


def picked_twice(x, i, j):
    return x[i][j], x[i[j]]


def of_columns(x, i):
    return x[:, i] * 2.0, x.T[i], (x * 3.0)[1:, i]


def of_cubes(c, i, j):
    return c[i, :, j], c[:, i, j], c[i], c[i, j] * c[i, j], c[..., j], c[i, 1:, 0]


def into_a_sum(x, i, w):
    return (x[i] * w[:, None]).sum(axis=0), (x[i] * w[:, None]).sum(axis=1), x[i].max()


def by_two_lists(x, i, j):
    return x[i, j], x[i[:, None], j[None, :]], x[i[:, None], j]


def by_a_slice_of_a_value(x, i):
    return (x * 2.0)[1:][i], (x[:, 1:] + x[:, :-1])[i]


def by_a_list_that_is_computed(x, i):
    return x[i // 2], x[(i * i) % len(x)], x[np.arange(len(x)), i[: len(x)] * 0]


def by_masks_and_lists(x, mask, j):
    return x[mask, 1], x[mask][:, j], x[mask, 2] + 1.0


CASES: list[Case] = [
    (rows_of_a_map, [(TABLE, PLACES), (TABLE, BYTES), (TABLE, NONE), (TABLE[:, ::-1], PLACES)]),
    (rows_of_a_map, [(TABLE, PLACES * 9), (EMPTY, NONE), (EMPTY, PLACES), (LINE, PLACES)]),
    (rows_of_a_map, [(TABLE.T.copy().T, PLACES), (TABLE[::2], BYTES[:2]), (CUBE, BYTES[:2])]),
    (elements_of_a_map, [(TABLE, PLACES, PLACES), (TABLE, BYTES, BYTES), (TABLE, NONE, NONE)]),
    (elements_of_a_map, [(TABLE, PLACES, PLACES[:1]), (TABLE, PLACES, PLACES[:2])]),
    (elements_of_a_map, [(TABLE, PLACES, PLACES + 3), (TABLE, PLACES - 3, PLACES)]),
    (of_broadcast_rows, [(TABLE, LINE, PLACES), (TABLE[:1], LINE, PLACES * 0)]),
    (of_a_costly_map, [(TABLE, PLACES), (LINE, PLACES), (LINE, NONE)]),
    (of_a_sum, [(TABLE, PLACES), (TABLE, NONE), (TABLE, PLACES + 1)]),
    (written_between, [(TABLE, PLACES), (LINE, PLACES)]),
    (picked_twice, [(TABLE, PLACES, BYTES), (LINE, PLACES, PLACES), (TABLE, PLACES, PLACES * 7)]),
    (of_columns, [(TABLE, BYTES), (TABLE, NONE), (TABLE, PLACES * 3), (EMPTY, NONE)]),
    (of_cubes, [(CUBE, BYTES[:2], BYTES[:2]), (CUBE, NONE, NONE), (CUBE, BYTES[:2], BYTES[1:2])]),
    (into_a_sum, [(TABLE, PLACES, LINE), (TABLE, BYTES, LINE[:3]), (TABLE, PLACES, LINE[:2])]),
    (by_two_lists, [(TABLE, PLACES, PLACES), (TABLE, BYTES, BYTES), (TABLE, NONE, NONE)]),
    (by_two_lists, [(TABLE, PLACES, BYTES), (TABLE, PLACES, PLACES + 9)]),
    (by_a_slice_of_a_value, [(TABLE, PLACES * 0), (LINE[:, None] * LINE, PLACES), (TABLE, PLACES)]),
    (by_a_list_that_is_computed, [(TABLE, PLACES), (TABLE, NONE), (TABLE, PLACES * 50)]),
    (by_masks_and_lists, [(TABLE, TABLE[:, 0] < 0, PLACES), (TABLE, TABLE[:, 0] > 99, PLACES)]),
]
