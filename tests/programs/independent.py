"""Plain loops whose rounds threads may share, and loops that look so but must run in order."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import math

import numpy as np

from tests.programs import Case

TABLE = np.arange(63.0).reshape(7, 9) / 4 - 7
SQUARE = np.arange(36.0).reshape(6, 6) % 7 / 2
WIDE = np.arange(40.0).reshape(4, 10)
LINE = np.array([1.5, -2.0, 0.5, 4.0, -0.25, 8.0, np.nan, -0.0])
PLACES = np.array([3, 0, 2, 1, 3, 5, 4, 0])
POINTS = np.arange(24.0).reshape(8, 3) ** 2 % 11
FLAT = np.zeros(30)
FLAT_ROWS = np.lib.stride_tricks.as_strided(np.zeros(9), (5, 5), (8, 8))


# Loops that may be shared.


def elements(a, b):
    for i in range(len(a)):
        b[i] = a[i] * 2.0 - i
    return b


def escapes(out, most):
    n, m = out.shape
    for i in range(n):
        for j in range(m):
            x = y = 0.0
            a, b = -2.0 + 3.0 * i / n, -1.5 + 3.0 * j / m
            k = 0
            while k < most and x * x + y * y < 4.0:
                x, y = x * x - y * y + a, 2.0 * x * y + b
                k += 1
            out[i, j] = k
    return out


def products(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            s = 0.0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s
    return c


def distances(p, d):
    for i in range(p.shape[0]):
        for j in range(p.shape[0]):
            s = 0.0
            for k in range(p.shape[1]):
                t = p[i, k] - p[j, k]
                s += t * t
            d[i, j] = np.sqrt(s)
    return d


def turned_about(a, b):
    n = a.shape[0]
    for i in range(n - 1, -1, -1):
        for j in range(a.shape[1]):
            b[n - 1 - i, j] = a[i, j] * 3.0
    return b


def every_second(a):
    for i in range(0, a.shape[0] - 1, 2):
        for j in range(a.shape[1]):
            a[i, j] = a[i + 1, j] + 1.0
    return a


def below_diagonal(a):
    for i in range(a.shape[0]):
        for j in range(i):
            a[i, j] = a[i, j] * 2.0 + j
    return a


def copied_triangle(a, b):
    for i in range(a.shape[0]):
        for j in range(i):
            b[i, j] = a[i, j]
        for j in range(i, a.shape[1]):
            b[i, j] = 2.0
    return b


def filled_prism(a, b):
    for i in range(a.shape[0]):
        for j in range(i):
            for k in range(j):
                b[i, k] = a[j, k]
    return b


def choices(a, b):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] > 0.0:
                if j == 3:
                    continue
                b[i, j] = a[i, j]
            else:
                b[i, j] = -1.0
    return b


def sweeps(a, b, times):
    for _ in range(times):
        for i in range(1, a.shape[0] - 1):
            for j in range(1, a.shape[1] - 1):
                b[i, j] = (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1]) / 4.0
        for i in range(1, a.shape[0] - 1):
            for j in range(1, a.shape[1] - 1):
                a[i, j] = b[i, j]
    return a


def rows(a, b):
    for i in range(a.shape[0]):
        b[i, 1:] = a[i, :-1] * 2.0 + a[i, 1:]
    return b


def mirrored(p, d):
    for i in range(p.shape[0]):
        for j in range(i, p.shape[0]):
            d[i, j] = p[i, 0] - p[j, 1]
            d[j, i] = d[i, j] + 1.0
    return d


# Loops that must run in order.


def from_above(a):
    for i in range(1, a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] = a[i - 1, j] + 1.0
    return a


def from_below(a):
    for i in range(a.shape[0] - 1):
        for j in range(a.shape[1]):
            a[i, j] = a[i + 1, j] + 1.0
    return a


def scattered(a, places, b):
    for i in range(len(places)):
        b[places[i]] = a[i]
    return b


def one_place(a, b):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            b[0, j] = a[i, j]
    return b


def diagonals(a, line):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            line[i + j] = a[i, j]
    return line


def columns_carried(a):
    for j in range(1, a.shape[1]):
        for i in range(a.shape[0]):
            a[i, j] = a[i, j - 1] + a[0, j - 1]
    return a


def until(a, b, limit):
    for i in range(len(a)):
        if a[i] > limit:
            break
        b[i] = a[i]
    return b


def picked(a, places, b):
    for i in range(len(b)):
        b[i] = a[places[i]]
    return b


def roots(a, b):
    for i in range(len(a)):
        b[i] = math.sqrt(a[i])
    return b


def kept(a, row, b):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            row[j] += a[i, j]
            b[i, j] = row[j]
    return b


def steps(a, b, step):
    """A step of 0 raises in the first round, behind its first store."""
    n, m = a.shape
    for i in range(n):
        b[i] = 1.0
        s = 0.0
        for j in range(0, m, step):
            s += a[i, 0] - j
        b[i] = s
    return b


def picked_by_rows(x, columns, k):
    """The index of the inner access is what an access that is proven first reads."""
    n, _ = x.shape
    out = np.zeros((n, k), x.dtype)
    for i in range(n):
        for j in range(k):
            out[i, j] = x[i, columns[i, j]]
    return out


CASES: list[Case] = [
    (
        picked_by_rows,
        [
            (np.arange(12.0).reshape(3, 4), np.array([[1, 0], [3, 3], [-1, 2]]), 2),
            (np.arange(12.0).reshape(3, 4), np.array([[1, 0], [4, 3], [0, 2]]), 2),
            (np.arange(12.0).reshape(3, 4), np.array([[1, 0], [2, 3], [0, 2]]), 3),
            (np.zeros((0, 4)), np.zeros((0, 2), int), 2),
        ],
    ),
    (elements, [(LINE, LINE * 0), (LINE[::-2], LINE[:4] * 0), (LINE[:0], LINE[:0])]),
    (escapes, [(TABLE * 0, 20), (TABLE[:0], 3), (TABLE[:, :0], 3), (TABLE.T * 0, 0)]),
    (
        products,
        [(TABLE, TABLE.T, WIDE[:, :7].repeat(2, 0)), (WIDE, WIDE.T, SQUARE)],
    ),
    (distances, [(POINTS, np.zeros((8, 8))), (POINTS[:0], np.zeros((0, 0)))]),
    (turned_about, [(TABLE, TABLE * 0), (TABLE.T, TABLE.T * 0), (TABLE[::-1], TABLE * 0)]),
    (every_second, [(TABLE,), (TABLE[:1],), (TABLE[::2],), (FLAT_ROWS + 0.0,)]),
    (below_diagonal, [(SQUARE,), (SQUARE.T,), (SQUARE[:0, :0],), (SQUARE[::-1],)]),
    *(
        (f, [(SQUARE, SQUARE * 0), (SQUARE.T, SQUARE * 0), (SQUARE[:0, :0], SQUARE[:0, :0])])
        for f in (copied_triangle, filled_prism)
    ),
    (
        picked,
        [(LINE, PLACES, LINE * 0), (LINE, PLACES - 3, LINE * 0), (LINE[:3], PLACES, LINE)],
    ),
    (choices, [(TABLE, TABLE * 0), (TABLE.T, TABLE.T * 0), (TABLE[:0], TABLE[:0])]),
    (sweeps, [(TABLE, TABLE + 1, 3), (TABLE, TABLE, 0), (WIDE[:2], WIDE[:2], 2)]),
    (rows, [(TABLE, TABLE * 0), (TABLE.T, TABLE.T * 0), (TABLE[:0], TABLE[:0])]),
    (from_above, [(TABLE,), (TABLE.T,), (TABLE[:0],)]),
    (from_below, [(TABLE,), (TABLE[::-1],)]),
    (mirrored, [(POINTS, np.zeros((8, 8))), (SQUARE, SQUARE)]),
    (scattered, [(LINE, PLACES, LINE * 0)]),
    (one_place, [(TABLE, TABLE * 0)]),
    (diagonals, [(SQUARE, FLAT), (TABLE, FLAT)]),
    (columns_carried, [(TABLE,), (TABLE.T,)]),
    (until, [(LINE, LINE * 0, 3.0)]),
    (roots, [(LINE, LINE * 0), (abs(LINE), LINE * 0)]),
    (kept, [(TABLE, LINE.repeat(2)[:9], TABLE * 0)]),
    (steps, [(TABLE, LINE * 0, step) for step in (1, 0, 2, -1)]),
]
