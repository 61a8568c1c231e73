"""Numerical code as it is found: plain functions, helpers that write in place, stencils, sweeps."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

WEIGHT = 0.2
BORDER = 2.5
STEPS = 3

GRID = np.arange(42.0).reshape(6, 7) % 5 - 1.5
SQUARE = np.arange(36.0).reshape(6, 6) % 7 - 2.0
ROW = np.array([1.0, -2.0, 0.5, 4.0, -0.25, 8.0])
ODD = np.array([[np.nan, -0.0, 0.0, 1.0], [np.inf, 2.0, -np.inf, -1.0], [3.0, 0.5, 0.25, -4.0]])
WIDE = np.arange(192.0).reshape(12, 16)


def new_axes(a, v):
    return a[:, np.newaxis], a[np.newaxis, :, 0], a[..., np.newaxis, 1:], v[np.newaxis] * a


def five_axes(images, weights):
    return np.sum(images[:, 0:2, 1:3, :, np.newaxis] * weights[np.newaxis], axis=(1, 2, 3))


def blend(a, b, factor=0.5):
    return factor * a + (1.0 - factor) * b


def damp(a, by):
    a *= by
    a[0, :] = BORDER


def ends(a):
    return a[0], a[-1]


def several_helpers(a, b):
    damp(a, 0.25)
    first, last = ends(blend(a, b))
    c = blend(a, b, factor=WEIGHT)
    damp(c, first[0] + last[-1])
    return c, first - last


def relax(a, b, steps):
    for _ in range(1, steps):
        b[1:-1, 1:-1] = 0.2 * (
            a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1]
        )
        a[1:-1, 1:-1] = 0.2 * (
            b[1:-1, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:] + b[2:, 1:-1] + b[:-2, 1:-1]
        )


def relax_one(a):
    a[1:-1, 1:-1] = 0.25 * (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])
    a[1:] -= a[:-1]
    a[:, :-1] += 2.0 * a[:, 1:]


def relax_itself(a):
    relax(a, a, STEPS)


def relax_overlapping(a):
    relax(a[:-1], a[1:], STEPS)


def relax_views(a):
    relax(a[::2, ::3], a[1::2, 1::3], STEPS)
    relax(a[:, ::-1], a.T[::-1].T, STEPS)
    relax(a[1:7, 2:9], a[:6, :7], STEPS)
    relax_one(a[::-2, 1::2])
    rank_updates(a[:5, ::-1], a[2:7, ::2])


def walls(p):
    p[:, -1] = p[:, -2]
    p[0, :] = p[1, :]
    p[:, 0] = p[:, 1]
    p[-1, :] = 0


def copies(p, b, steps):
    old = np.empty_like(p)
    for _ in range(steps):
        old = p.copy()
        p[1:-1, 1:-1] = (old[1:-1, 2:] + old[1:-1, :-2]) * 0.5 - 0.125 * b[1:-1, 1:-1]
        walls(p)
    return old


def staggered(ex, ey, hz, source):
    for t in range(source.shape[0]):
        ey[0, :] = source[t]
        ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.75 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])


def limited(field, out):
    n, m = out.shape[0], out.shape[1]
    lap = 4.0 * field[1 : n + 3, 1 : m + 3] - (
        field[2 : n + 4, 1 : m + 3]
        + field[0 : n + 2, 1 : m + 3]
        + field[1 : n + 3, 2 : m + 4]
        + field[1 : n + 3, 0 : m + 2]
    )
    res = lap[1:, 1 : m + 1] - lap[:-1, 1 : m + 1]
    flux = np.where(res * (field[2 : n + 3, 2 : m + 2] - field[1 : n + 2, 2 : m + 2]) > 0, 0, res)
    res = lap[1 : n + 1, 1:] - lap[1 : n + 1, :-1]
    other = np.where(res * (field[2 : n + 2, 2 : m + 3] - field[2 : n + 2, 1 : m + 2]) > 0, 0, res)
    out[:, :] = field[2 : n + 2, 2 : m + 2] - (
        flux[1:, :] - flux[:-1, :] + other[:, 1:] - other[:, :-1]
    )


def sweeps(u, v):
    n = u.shape[0]
    for j in range(1, n - 1):
        v[1 : n - 1, j] = 0.5 * v[1 : n - 1, j - 1] + u[j, 1 : n - 1] - u[j, 0 : n - 2]
    for j in range(n - 2, 0, -1):
        u[j, 1 : n - 1] = v[1 : n - 1, j] * u[j + 1, 1 : n - 1] + v[1 : n - 1, j]
    return u


def triangular(a):
    for i in range(a.shape[0]):
        for j in range(i):
            a[i, j] -= a[i, :j] @ a[:j, j]
            a[i, j] /= a[j, j]
        for j in range(i, a.shape[0]):
            a[i, j] -= a[i, :i] @ a[:i, j]


def columns(a, b):
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            b[i, j] += np.dot(a[i + 1 :, i], b[i + 1 :, j])
    b *= 0.5


def rank_updates(c, a):
    for i in range(a.shape[0]):
        c[i, : i + 1] *= 0.5
        for k in range(a.shape[1]):
            c[i, : i + 1] += 2.0 * a[i, k] * a[: i + 1, k]


def serial_row(a):
    for i in range(1, a.shape[0] - 1):
        a[i, 1:-1] += a[i - 1, :-2] + a[i - 1, 2:] + a[i, 2:] + a[i + 1, 1:-1]
        for j in range(1, a.shape[1] - 1):
            a[i, j] += a[i, j - 1]
            a[i, j] /= 8.0


def chained(a):
    a[:, 0] = a[0, :] = a[1, ::-1] + 1.0
    x = y = a[2] * 2.0
    x += 1.0
    return y


def until_steady(u):
    change = 1
    count = 0
    while change > 0.25:
        old = u.copy()
        u[1:-1] = 0.5 * (old[:-2] + old[2:])
        change = np.sum(np.abs(u - old))
        count += 1
    return count


def matrix_vector(a, x, y):
    return a @ x, y @ a, (a @ x) @ a, 2.0 * a @ x + y @ a.T


def stacked(a, b):
    return a @ b, np.dot(a, b), a @ b[:, 0], np.matmul(a[..., ::-1], b)


def stacked_in_place(a, b):
    n, m, k = a.shape
    a[:] = np.reshape(np.reshape(a, (n, m, 1, k)) @ b, (n, m, k))


def matrix_vector_in_place(a, x, y):
    x += a @ y
    y += x @ a
    x[1:] -= a[1:] @ y


def grids(seed):
    rng = np.random.default_rng(seed)
    return [rng.integers(-8, 8, (9, 8)) / 4.0 for _ in range(3)]


STACK = np.arange(24.0).reshape(2, 3, 4) % 7 - 3.0
EMPTY = np.zeros((0, 0))
THIN = np.ones((1, 5))
# Every quotient and sum on the way to its factors is exact.
LOWER = np.tril(SQUARE, -1) + np.eye(6)
FACTORED = LOWER @ (np.triu(SQUARE, 1) + np.diag([1.0, -2.0, 4.0, 0.5, -1.0, 8.0]))
ONES = np.ones((2, 3, 4, 3))

CASES: list[Case] = [
    (new_axes, [(GRID, GRID[0]), (GRID[:, ::-2], GRID[0, ::2]), (GRID[:0], GRID[0])]),
    (five_axes, [(ONES, np.arange(24.0).reshape(2, 2, 3, 2)), (ONES[:0], ONES[:, :2, :3])]),
    (several_helpers, [(GRID, GRID[::-1]), (SQUARE.T, SQUARE)]),
    (relax, [(SQUARE, SQUARE.T.copy(), 3), (GRID[:, ::-1], GRID, 2), (THIN, THIN * 2, 3)]),
    (relax, [(EMPTY, EMPTY, 3)]),
    (relax_views, [(WIDE,), (WIDE.T,)]),
    (relax_one, [(GRID,), (SQUARE.T,), (ODD,), (THIN,), (WIDE[::-1, ::2],), (EMPTY,)]),
    (relax_itself, [(GRID,), (SQUARE.T,)]),
    (relax_overlapping, [(GRID,), (WIDE[:, ::-1],)]),
    (walls, [(GRID,), (SQUARE.T,), (THIN,), (EMPTY,)]),
    (copies, [(SQUARE, SQUARE.T, 3), (GRID, GRID, 2)]),
    (staggered, [(*grids(1), np.arange(3.0)), (*(g[:, ::-1] for g in grids(2)), np.arange(2.0))]),
    (staggered, [(GRID, GRID, GRID, np.ones(2)), (EMPTY, EMPTY, EMPTY, np.ones(1))]),
    (limited, [(WIDE, np.zeros((8, 12))), (WIDE.T, np.zeros((12, 8))), (WIDE, WIDE[2:10, 2:14])]),
    (limited, [(WIDE, np.zeros((9, 12))), (WIDE[:5], np.zeros((0, 12)))]),
    (sweeps, [(SQUARE, SQUARE.T), (SQUARE, SQUARE * 0.5), (EMPTY, EMPTY)]),
    (triangular, [(FACTORED,), (FACTORED.T,), (np.zeros((3, 3)),), (EMPTY,)]),
    (columns, [(SQUARE, GRID), (SQUARE, SQUARE), (SQUARE.T, GRID[:, ::-1])]),
    (rank_updates, [(SQUARE, GRID), (SQUARE, SQUARE), (SQUARE.T, GRID[:, ::2])]),
    (serial_row, [(GRID,), (SQUARE.T,), (ODD,), (THIN,)]),
    (chained, [(SQUARE,), (SQUARE.T,), (GRID,), (GRID[:, :1],)]),
    (until_steady, [(ROW,), (ROW[::-1],), (np.zeros(3),)]),
    (matrix_vector, [(SQUARE, ROW, ROW[::-1]), (SQUARE.T, ROW, ROW), (EMPTY, ROW[:0], ROW[:0])]),
    (matrix_vector, [(GRID, GRID[0], ROW), (SQUARE[::-1, ::-1], ROW, ROW)]),
    (stacked, [(STACK, SQUARE[:4]), (STACK.T, SQUARE[:2]), (STACK[:0], SQUARE[:4])]),
    (stacked, [(STACK[:, :0], SQUARE[:4]), (STACK[..., :0], SQUARE[:0]), (STACK, SQUARE)]),
    (stacked, [(STACK.astype(np.float32), SQUARE[:4]), (STACK, SQUARE[:4].astype(np.int64))]),
    (stacked_in_place, [(STACK, SQUARE[:4, :4]), (STACK.T, SQUARE[:2, :2])]),
    (matrix_vector_in_place, [(SQUARE, ROW, ROW[::-1] * 1.0), (SQUARE, SQUARE[0], SQUARE[:, 1])]),
]
