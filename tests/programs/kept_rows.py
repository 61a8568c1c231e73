"""Rows that are folded and kept in one loop: distances from a mean that later lines scale."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

# Whole numbers, of which sums are exact; the widths are those around whole and parted vectors.
WIDTHS = (
    0,
    1,
    2,
    3,
    4,
    5,
    7,
    8,
    9,
    15,
    16,
    17,
    31,
    32,
    33,
    63,
    64,
    65,
    100,
    1023,
    1024,
    1025,
    2100,
)


def table(width):
    return (np.arange(5.0 * width).reshape(5, width) * 7) % 23 - 11.0


def shifted(a, b):
    d = a - b[:, None]
    s = np.sum(d * d, axis=1, keepdims=True)
    return d * 2.0 + s, s


def steps(a, b):
    out = np.empty_like(a)
    for i in range(len(a)):
        d = a[i] - b[i]
        out[i] = d + np.sum(d * 3.0)
    return out


def largest(a, b):
    d = np.abs(a + b[:, None])
    return d - np.max(d, axis=1, keepdims=True, initial=0.0)


def truths(a, b):
    d = np.where(a > b[:, None], a, -1.0)
    return d * np.sum(d, axis=1, keepdims=True), np.sum(a > 0.0, axis=1)


B = np.array([1.0, -2.0, 0.0, 4.0, 3.0])
CALLS = [
    *((table(width), B) for width in WIDTHS),
    *((table(width).astype(np.float32), B.astype(np.float32)) for width in WIDTHS),
    (table(64)[::-1], B),
    (table(64)[:, ::-1], B),
    (np.asfortranarray(table(33)), B),
    (table(130)[:, ::2], B[::-1]),
    (table(9)[:0], B[:0]),
]
CASES: list[Case] = [(f, CALLS) for f in (shifted, steps, largest, truths)]
