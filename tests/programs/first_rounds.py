"""Loops whose rounds all compute something that raises: in the first round, or in none.

What a round did before it stays done; a loop without rounds raises nothing.
"""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

TABLE = np.arange(24.0).reshape(4, 6)


def shares(a, out, n, d):
    h, w = a.shape
    for i in range(h):
        for j in range(w):
            out[i, j] = a[i, j] + (i * n) // d
    return out


def written_before(a, out, n, d):
    """An element is written before a round divides."""
    for j in range(len(out)):
        out[j] = a[0, j]
        out[j] += n % d
    return out


def read_out_of_range(a, out, n, d):
    for j in range(n):
        v = a[j, 0]
        out[j] = v + n // d
    return out


def windows(a, out, r):
    h, w = a.shape
    for i in range(r, h - r):
        for j in range(r, w - r):
            s = 0.0
            for y in range(-r, r + 1):
                for x in range(-r, r + 1):
                    s += a[i + y, j + x]
            out[i, j] = s / ((2 * r + 1) * (2 * r + 1))
    return out


def whole_part(a, out, x, n):
    for j in range(n):
        out[j] = a[0, j] * int(x)
    return out


def counted_down(a, n, d):
    total = 7
    for j in range(n, 1, -2):
        total += j + n // d
        if j == 3:
            continue
        total -= int(a[0, 0])
    return total


def only_some(n, d):
    total = 0
    for j in range(n):
        if j > 2:
            total += n // d
        total += j
    return total


def two_of_them(n, d, k):
    total = 1
    for j in range(n):
        total += n // d + n % k + j
    return total


def behind_a_range(n, m, step, d):
    """A step of 0 raises before the quotient does."""
    total = 0.5
    for _ in range(n):
        for _ in range(0, m, step):
            total += 1.0
        total += n // d
    return total


CASES: list[Case] = [
    (shares, [(TABLE, np.zeros((4, 6)), n, d) for n in (0, 3, -7) for d in (0, 1, -2)]),
    (shares, [(TABLE[:, :0], np.zeros((4, 0)), 3, 0), (TABLE[:0], np.zeros((0, 6)), 3, 0)]),
    (shares, [(TABLE, np.zeros((4, 5)), 3, 2), (TABLE, np.zeros((4, 5)), 3, 0)]),
    (written_before, [(TABLE, np.ones(n), 5, d) for n in (0, 1, 6, 7) for d in (0, 3, -3)]),
    (read_out_of_range, [(TABLE, np.ones(6), n, d) for n in (0, 1, 4, 5) for d in (0, 2)]),
    (read_out_of_range, [(TABLE[:0], np.ones(6), 2, 0)]),
    (windows, [(TABLE, np.ones((4, 6)), r) for r in (0, 1, 2, 3, -1)]),
    (whole_part, [(TABLE, np.ones(6), x, n) for x in (2.5, np.nan, np.inf) for n in (0, 1, 6, 7)]),
    (counted_down, [(TABLE, n, d) for n in (-3, 1, 2, 5, 8) for d in (0, 2)]),
    (only_some, [(n, d) for n in (0, 2, 3, 4, 9) for d in (0, 2)]),
    (two_of_them, [(n, d, k) for n in (0, 1, 5) for d in (0, 2) for k in (0, 3)]),
    (behind_a_range, [(n, 4, step, d) for n in (0, 3) for step in (0, 1, -1) for d in (0, 2)]),
]
