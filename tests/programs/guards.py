"""Rounds that compare their number with a bound: it may lie anywhere, and so may an error."""

import numpy as np

from tests.programs import Case

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic


def at_least(a, b, w):
    for c in range(len(b)):
        if c >= w and a[c - w] > b[c]:
            b[c] = a[c - w]
    return b


def above(a, b, w):
    for c in range(len(b)):
        if c > w:
            b[c] += a[c - w - 1]
        else:
            b[c] -= 1.0
    return b


def below(a, b, w):
    for c in range(2, len(b) - 1):
        if w > c:
            b[c] = a[c]
        elif c != w:
            b[c] = a[c - 2]
    return b


def at_most(a, b, w):
    """What is carried goes through both loops; the number of the last round is asked for."""
    total, c = 0.0, -1
    for c in range(-3, len(b)):
        if c <= w:
            total = total * 0.5 + a[c]
        total -= b[c]
    return total, c


def neighbours(a, b, w):
    for i in range(len(a)):
        left = a[i - 1] if i > 0 else -1.0
        right = a[i + 1] if i < len(a) - 1 else float(w)
        b[i] = 2.0 * a[i] - left - right
    return b


def table(a, b, w):
    """In rows, as a knapsack has them."""
    rows = np.zeros((4, len(b)))
    for i in range(1, 4):
        weight = w + i
        for c in range(len(b)):
            rows[i, c] = rows[i - 1, c]
            if c >= weight and rows[i - 1, c - weight] + a[c] > rows[i, c]:
                rows[i, c] = rows[i - 1, c - weight] + a[c]
    return rows


def until(a, b, w):
    """A round may be the last one, or return."""
    for c in range(len(b)):
        if c >= w:
            b[c] = a[c - w]
            if b[c] > 50.0:
                break
        if b[c] == 7.0:
            return b, c
    return b, -1


def returned(a, b, w):
    for c in range(len(b)):
        if c < w:
            b[c] = a[c]
        if b[c] > 40.0:
            return c
    return -1


def moving(a, b, w):
    """The bound is another one in each round."""
    for c in range(len(b)):
        if c >= w:
            b[c] = a[c - w]
            w += 2
    return b


A, B = np.arange(64.0) * 7 % 61, np.arange(64.0) * 5 % 59
EDGES = (0, 1, 5, 62, 63, 64, 65, 2**40, 2**62, 2**63 - 2, 2**63 - 1)
BOUNDS = (*EDGES, *(-w for w in EDGES if w))
SIZES = [(A[:n], B[:m]) for n, m in ((0, 0), (0, 3), (1, 1), (3, 3), (3, 5), (63, 64))]
STRIDED = [(A[::-1], B), (A[::3], B[::3]), (A, A), (A[1:], A[:-1]), (A[:-1], A[1:])]

CASES: list[Case] = [
    *[(f, [(A, B, w) for w in BOUNDS]) for f in (at_least, above, below, at_most, neighbours)],
    *[
        (f, [(a, b, w) for a, b in (*SIZES, *STRIDED) for w in (0, 2, -2)])
        for f in (at_least, above, below, at_most, neighbours, table, until, returned, moving)
    ],
    *[(f, [(A, B, w) for w in (0, 1, 30, 63, 64, 99)]) for f in (table, until, returned, moving)],
    *[
        (f, [(A.astype(t), B.astype(t), 3)])
        for f in (at_least, above)
        for t in (np.float32, np.int8)
    ],
]
