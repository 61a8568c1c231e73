"""Small arrays, tuples and lists that are stored into rows, or read by elements."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

TABLE = np.arange(6.0).reshape(3, 2)
ROWS = (
    TABLE,
    TABLE[::-1, ::-1],
    TABLE.astype(np.int32),
    TABLE.astype(">f4"),
    TABLE > 2,
    TABLE + 1j,
    np.arange(24).reshape(4, 6)[::-2, ::3],
    np.asfortranarray(TABLE),
    np.ones((3, 3)),
    np.ones((3, 1)),
    np.ones((3, 0)),
    np.ones((0, 2)),
)
PLACES = (0, -1, 2, -4, 5)
CALLS = [(rows, i, 1.5, 2) for rows in ROWS if rows.dtype.isnative for i in PLACES]
CALLS += [(TABLE, 1, a, b) for a, b in ((3, -0.0), (True, 2), (float("nan"), 1.0), (-1, 2.5))]


def tuple_into_row(out, i, a, b):
    out[i] = a, b
    return out


def list_into_row(out, i, a, b):
    out[i] = [a, b]
    return out


def array_into_row(out, i, a, b):
    out[i, :] = np.array([a, b])
    return out


def tuple_into_column(out, i, a, b):
    out[:, i] = a, b, a
    return out


def tuple_over_rows(out, i, a, b):
    out[i : i + 2] = a, b
    return out


def one_over_a_row(out, i, a, b):
    out[i] = (a,)
    return out


def list_kept_as_well(out, i, a, b):
    both = out[i] = [a, a + b]
    both.append(b)
    return out, both


def exchanged(out, i, a, b):
    out[i] = out[i, 1], out[i, 0]
    return out


def each_of_the_row_before(out):
    for k in range(1, out.shape[0]):
        out[k] = [out[k - 1, 1], out[k - 1, 0] + out[k, 0]]
    return out


def points(out, x, n):
    for k in range(n):
        v = np.array([x[k], -x[k], x[k] * 0.5])
        w = v + v * v
        if x[k] > 2.0:
            out[k] = w - x[k]
        else:
            out[k] = w
    return out


def either(out, x, n):
    for k in range(n):
        v = np.array([x[k], -x[k], x[k] * 0.5])
        out[k] = v * 2 if x[k] > 2.0 else v
    return out


def moved(x, by):
    total = 0.0
    for k in range(x.shape[0]):
        v = np.array([x[k, 0], x[k, 1]])
        u = v + by
        total += u[0] * v[1] - u[-1] * v[0] + np.sum(u) + u @ v
    return total


def written_again(out, a, b):
    v = np.empty(2)
    v[0], v[1] = a, b
    out[0] = v
    v[0] = b
    out[1] = v
    return out, v


def bound_anew(out, a, b):
    v = np.array([a, b])
    w = v
    for _ in range(2):
        v = v + w
    out[0] = v
    if a > 1:
        w = np.array([b, a])
    out[1] = w
    return out


def read_where_it_is_not(x, i):
    v = np.array([x, x + 1])
    return v[i] + v[2]


def seen_by_a_view(out, a, b):
    v = np.array([a, b])
    w = v[::-1]
    w[0] = 7.0
    out[0] = v
    return out


def matrix(out, a, b):
    m = np.array([[a, b], [b, a]])
    n = m * 2
    out[:2] = n - m[0, 1]
    return out


def first_zeros(out, a, b):
    v = np.zeros(2)
    v[1] = a - b
    w = np.full((2, 1), b)
    w[0, 0] = v[0]
    out[0] = v + 1.0
    out[1] = w[1, 0]
    return out, v[0], w[0, 0]


def zeros_that_loops_write(x, n):
    v = np.zeros(3)
    for i in range(n):
        v[0] += x[i]
        v[2] = v[1] - 1.0
    u = np.zeros(2)
    u[0] = v[0]
    w = u[0] + v[2]
    u[0] = 9.0
    return v[0], v[2], w, u[0]


def ones_of_a_size(n, a):
    v = np.ones((n, 2))
    v[0, 1] = a
    return v[0, 0] + v[0, 1]


ON_ROWS = (tuple_into_row, list_into_row, array_into_row, tuple_over_rows, one_over_a_row)
SQUARES = (np.zeros((3, 2)), np.zeros((2, 2), np.float32), np.zeros((2, 3)), np.zeros((0, 2)))


def repeated(x):
    some = np.repeat(x, 1), np.repeat(x, 2), np.repeat(x, 3), np.repeat(x, 4), np.repeat(x, 5)
    return some, np.repeat(x, 7), np.repeat(x, 8), np.repeat(x, 9), np.repeat(x, 12)


def rows_of_few(n, x):
    out = [np.zeros((n, k)) for k in (1, 2, 3)]
    more = np.zeros((n, 5)), np.zeros((n, 6)), np.zeros((n, 10))
    for rows in out:
        rows += x
    for rows in more:
        rows[1:] = x * 2
    four = np.zeros((n, 4), np.float32)
    four[:] = np.arange(4) * 0.5
    return out, more, four, (four * x).sum(axis=1)


CASES: list[Case] = [
    (repeated, [(x,) for x in (np.arange(1001.0), TABLE[:, 0], np.arange(7, dtype=np.uint8))]),
    (repeated, [(np.arange(40.0)[::-3].astype(np.float32),), (np.zeros(0),), (np.arange(9) * 1j,)]),
    (rows_of_few, [(n, 1.5) for n in (0, 1, 2, 1000)]),
    *[(f, CALLS) for f in ON_ROWS],
    (tuple_into_column, [(TABLE, i, 1.5, 2) for i in PLACES] + [(TABLE.T, 0, 1.5, 2)]),
    (list_kept_as_well, [(TABLE, i, 1.5, 2.0) for i in PLACES]),
    (exchanged, [(TABLE, i, 0, 0) for i in PLACES] + [(TABLE[:, :1], 0, 0, 0)]),
    (each_of_the_row_before, [(TABLE,), (TABLE[::-1, ::-1],), (TABLE[:0],), (np.ones((2, 3)),)]),
    *[
        (
            f,
            [
                (np.zeros((n, m)), np.arange(4.0) - 0.0, k)
                for n, m, k in ((4, 3, 4), (4, 3, 5), (3, 3, 4), (4, 2, 4), (4, 4, 0), (4, 1, 1))
            ],
        )
        for f in (points, either)
    ],
    (moved, [(TABLE, by) for by in (np.ones(2), np.ones(1), np.ones(3), np.ones(4)[::-2])]),
    (written_again, [(a, 1.5, 2.0) for a in SQUARES]),
    (bound_anew, [(a, b, 2.0) for a in SQUARES for b in (0.5, 1.5)]),
    (read_where_it_is_not, [(1.5, 0), (1.5, -3), (1.5, 2)]),
    (seen_by_a_view, [(a, 1.5, 2.0) for a in SQUARES]),
    (first_zeros, [(a, 1.5, 2.0) for a in SQUARES]),
    (zeros_that_loops_write, [(np.arange(4.0), n) for n in (0, 1, 4, 5)]),
    (ones_of_a_size, [(n, 1.5) for n in (1, 2, 0, -1)]),
    (matrix, [(a, 1.5, 2.0) for a in SQUARES]),
]
