"""Arrays indexed by lists that the program builds, and arrays that are made of such lists."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case


def every_second(x):
    places = []
    for i in range(0, len(x), 2):
        places.append(i)
    y = x[places]
    x[places] = 7
    x[places] += 1
    x[places] = y[::-1]
    return y, x, np.take(x, places)


def backwards(x, k):
    places = []
    for i in range(k):
        places.append(-1 - i)
    return x[places]


def rows_and_columns(m, k):
    rows = [i for i in range(k)]
    m[rows, :2] = 9
    m[:, rows] *= 2
    m[rows, rows] += 1
    inner = m[rows][:, rows].sum()
    return m, inner, m[rows, 1], m[(rows, rows)], m[-1][rows], m[np.ix_(rows, [0, 2])]


def wanted(m):
    rows = [bool(row.sum() > 10) for row in m]
    columns = []
    for j in range(m.shape[1]):
        columns.append(j % 2 == 0)
    return m[rows], m[:, columns]


def in_rows(x):
    places = [[i, i + 1] for i in range(3)]
    return x[places]


def given(x, places: list[int]):
    x[places] = x[places][::-1]
    return x[places]


def narrow(x):
    places = [np.int32(3), np.int32(2)]
    places.append(np.int32(1))
    return x[places], np.take(x, places)


def stored_numbers(x):
    places = [1, 2]
    places.append(3)
    x[places] = [4, 5, 6]
    return x


def least_axes(x, n):
    row = np.array(x, ndmin=2)
    row[0, 0] = 5
    return row, np.array([1.0, n], ndmin=3), np.array(n, ndmin=1), np.array(x, ndmin=1), x


def points(n):
    found = []
    for i in range(n):
        found.append((i * 0.5, i))
    return np.array(found), np.array([[i * j for j in range(3)] for i in range(n)])


_FLOATS, _ROWS = np.arange(10.0), np.arange(12.0).reshape(3, 4)

CASES: list[Case] = [
    (every_second, [(_FLOATS,), (_FLOATS[::-2],), (np.zeros(0),), (np.arange(5, dtype="u1"),)]),
    (backwards, [(_FLOATS, 3), (_FLOATS, 0), (_FLOATS, 11)]),
    (rows_and_columns, [(_ROWS, 3), (_ROWS, 1), (_ROWS, 4)]),
    (wanted, [(_ROWS,), (_ROWS.T,), (_ROWS.astype(np.int16),)]),
    (in_rows, [(_FLOATS,), (_FLOATS[:2],)]),
    (given, [(_FLOATS, [1, 2, 3]), (_FLOATS, [-10]), (_FLOATS, [10])]),
    (narrow, [(_FLOATS,)]),
    (stored_numbers, [(_FLOATS,), (np.arange(5, dtype=np.uint8),)]),
    (least_axes, [(_FLOATS, 2), (np.arange(3, dtype=np.int16)[::-1], 0.5), (_FLOATS[::3], 1)]),
    (points, [(1,), (4,)]),
]
