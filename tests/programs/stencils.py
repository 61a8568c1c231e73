"""Slices of arrays and of values that are never in memory; updates in place from shifted slices."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

A = np.arange(30.0).reshape(5, 6) ** 2 % 7.0
B = np.arange(30.0).reshape(5, 6) * 0.125 - 2.0
V = np.array([1.0, -2.0, np.nan, 4.0, -0.0, np.inf, 2.5])
W = np.arange(40, dtype=np.int32)
CUBE = np.arange(210.0).reshape(5, 6, 7) ** 2 % 11.0
COLUMN = np.array([[1.0], [-2.0], [0.5], [3.0], [2.0]])


def second_difference(v):
    d = v[1:] - v[:-1]
    return d[1:] - d[:-1]


def limited(a):
    lap = 4.0 * a[1:-1, 1:-1] - (a[2:, 1:-1] + a[:-2, 1:-1] + a[1:-1, 2:] + a[1:-1, :-2])
    res = lap[1:, :] - lap[:-1, :]
    flux = np.where(res * (a[2:-1, 1:-1] - a[1:-2, 1:-1]) > 0, 0, res)
    res = lap[:, 1:] - lap[:, :-1]
    other = np.where(res > 1.0, 0, res)
    return flux[1:, 1:-1] - flux[:-1, 1:-1] + other[1:-1, 1:] - other[1:-1, :-1]


def cut_by_sizes(a, n, m):
    s = a * 2.0
    return s[1 : n + 3, 0:m] - a[1 : n + 3, 0:m], s[n:, m:] + 1.0


def cut_behind_the_end(a):
    s = a + 1.0
    t = s[3:9, 2:100] * 2.0
    return t, s[7:] * 2.0, t[1:, 5:] + 1.0


def from_the_end(a):
    s = a + 1.0
    return s[-2:] * 2.0, s[:, -3:-1] - s[:, -2:], s[::2] * 2.0, s[3] - s[2], s[1:, None] * 2.0


def kept_and_sliced(a):
    s = a * a
    t = s[1:] - s[:-1]
    return s, t


def slice_is_returned(a):
    s = a * a
    t = s[1:]
    s[2] = -1.0
    return t, s


def slice_is_written(a):
    s = a * a
    t = s[1:]
    t[:, 1:] = 0.0
    return s[1:] + t


def written_meanwhile(a):
    s = a * 2.0
    t = s[1:] - s[:-1]
    a[0] = 100.0
    return s[1:] + t, t[1:] - t[:-1]


def sliced_and_summed(a):
    s = a * 0.5
    t = s[1:, 1:] - s[:-1, :-1]
    return np.sum(t), np.sum(t[1:] + t[:-1], axis=1), np.max(s[2:], axis=0)


def deep(v):
    for _ in range(3):
        v = v[1:] + v[:-1]
        v = v[1:] - v[:-1]
        v = v[:-1] * v[1:]
    return v


def spread_over_rows(a, v):
    s = v + 1.0
    t = a - s[1:7]
    return t[1:] + t[:-1] * s[:6]


def slice_of_one(a, c):
    s = c * 2.0
    return a - s, a[1:] * s[1:], s[:, 1:] + 1.0, a[:, :0] + s[:, 1:]


def in_another_order(a):
    s = a + 1.0
    t = np.transpose(s)[1:] * 2.0
    return t[1:] - t[:-1]


def slices_of_slices(a):
    s = a - 1.0
    t = s[1:, 1:]
    u = t[1:, :-1]
    return u[1:] * 2.0 + u[:-1]


def in_a_loop(a, n):
    for k in range(n):
        s = a * 0.5
        d = s[1:] - s[:-1]
        a[1:-1] = d[1:] - d[:-1] + k
    return a


def staggered(x, y, z):
    y[0, :] = 0.25
    y[1:, :] -= 0.5 * (z[1:, :] - z[:-1, :])
    x[:, 1:] -= 0.5 * (z[:, 1:] - z[:, :-1])
    z[:-1, :-1] -= 0.7 * (x[:-1, 1:] - x[:-1, :-1] + y[1:, :-1] - y[:-1, :-1])
    return x, y, z


def in_place(x, y):
    x += y
    x[:] = x * 2.0 + y
    x[:] = np.sum(x * y) * x
    return x


def rows_in_place(x, y):
    x[:] = x - np.sum(x * y, axis=1, keepdims=True)
    return x


def relaxed(a, n):
    for _ in range(n):
        a[1:-1, 1:-1] = 0.25 * (a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1])
        a[1:] = a[:-1] + 1.0
        a[:-1] = a[1:] * 0.5
    return a


def cut_far_away(a):
    far, most = 2**62, 0x7FFFFFFFFFFFFFFF
    s = a[most:-1] * 2.0 + a[1:-most][most:-1]
    t = a[far:][far:] + 1.0
    a[most:-2] = a[most:-2] * 2.0
    b = a[:2, most:-1].copy()
    for i in range(len(b)):
        b[i, most:-1] = a[i, most:-1]
    return s, t, b, a[-most:most] + 1.0


def closed_line(v, far):
    """Neighbours at both ends are those of the other end; `far` may be further than that."""
    n = len(v)
    out = np.zeros(n)
    for i in range(n):
        out[i] = v[(i - 1) % n] - v[(i + 1) % n] * 0.5
        for d in range(-2, 3):
            out[i] += v[(i + d) % n] * d + v[(i + n) % n] + v[(i - n) % n]
            out[i] -= v[(i + far) % n] + v[(2 * i) % n] + v[(-i) % n]
    return out


def closed_grid(a):
    n, m = a.shape
    total = 0
    for i in range(n):
        for j in range(m):
            for di in range(-1, 2):
                for dj in range(-1, 2):
                    if di != 0 or dj != 0:
                        total += ((i + di) % n) * 31 + ((j + dj) % m) * (1 + int(a[i, j]))
    return total


def closed_by(v, n):
    """The divisor may be zero, negative, or another one than the number of rounds."""
    total = 0.0
    for i in range(5):
        total = total * 3 + v[(i + 1) % n] + (i - 1) % n
    for k in range(-n, 2 * n):
        total += k % n
    return total


CASES: list[Case] = [
    (closed_line, [(V, 5), (V[:1], 0), (V[:2], -9), (V[:0], 1), (V[::-2], 2**62)]),
    (closed_grid, [(A,), (A[:1],), (A[:2, :1],), (A[:0],), (A.T,)]),
    (closed_by, [(V, 5), (V, 1), (V, 0), (V, 3), (V, -4), (V, 9), (V, 2)]),
    (second_difference, [(V,), (V[:2],), (V[:1],), (V[:0],), (W,), (V[::-1],)]),
    (limited, [(A,), (np.tile(A, (3, 4)),), (A[:4, :4],), (A[:2],), (B[:, ::-1],), (A.T,)]),
    (cut_by_sizes, [(A, 1, 3), (A, 9, 9), (A, -2, 1), (A, 4, 0)]),
    (cut_behind_the_end, [(A,), (A[:1],)]),
    (cut_far_away, [(A,), (A[:0],)]),
    (from_the_end, [(A,)]),
    (kept_and_sliced, [(A,), (V,)]),
    (slice_is_returned, [(A,)]),
    (slice_is_written, [(A,)]),
    (written_meanwhile, [(A,)]),
    (sliced_and_summed, [(A,), (np.tile(A, (2, 9)),)]),
    (deep, [(np.arange(12.0),), (np.arange(9.0),), (np.arange(3.0),)]),
    (spread_over_rows, [(A, V), (A, V[:6]), (A[:1], V)]),
    (slice_of_one, [(A, COLUMN), (A, COLUMN[:1])]),
    (in_another_order, [(A,)]),
    (slices_of_slices, [(A,), (A[:2],)]),
    (in_a_loop, [(A, 3), (A[:2], 2), (A[::-1], 2)]),
    (staggered, [(A, B, A + B), (A, A, B), (A, B, COLUMN), (COLUMN, B, COLUMN)]),
    (in_place, [(A, B), (A, COLUMN), (A[:1], B[:1]), (A, 2.0), (A[:, ::2], B[:, ::2])]),
    (rows_in_place, [(A, B), (A, COLUMN), (A[:1], B[:1])]),
    (relaxed, [(A, 3), (np.tile(A, (3, 5)), 2), (A[:, ::-1], 2), (A[:2], 1)]),
]
