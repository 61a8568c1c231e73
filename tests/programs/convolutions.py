"""Loops whose rounds run loops of their own: sums, products and extremes around each element.

Neighbouring rounds are computed side by side; each sum keeps its order, so that the bits stay.
"""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from typing import Any

import numpy as np

from tests.programs import Case

RNG = np.random.default_rng(17)
PLANE = RNG.normal(size=(23, 37))
SMALL = RNG.normal(size=(5, 4))
SIGNAL = RNG.normal(size=100)
TAPS = RNG.normal(size=7)
STRANGE = np.where(RNG.random((12, 19)) < 0.1, np.nan, RNG.normal(size=(12, 19)))
STRANGE[3, 5], STRANGE[7, 7], STRANGE[2, 2] = np.inf, -np.inf, -0.0


def convolved(a, k, out):
    h, w = out.shape
    n, m = k.shape
    for y in range(h):
        for x in range(w):
            s = 0.0
            for i in range(n):
                for j in range(m):
                    s += a[y + i, x + j] * k[i, j]
            out[y, x] = s
    return out


def filtered(x, taps, out):
    for i in range(len(out)):
        s = out[i]
        for k in range(len(taps)):
            s = s + x[i + k] * taps[k]
        out[i] = s
    return out


def around(a, out, r):
    """The bounds of the loops inside are computed, and the rounds start inside."""
    h, w = a.shape
    for y in range(r, h - r):
        for x in range(r, w - r):
            s = a[y, x]
            for i in range(-r, r + 1):
                for j in range(-r, r + 1):
                    s += a[y + i, x + j]
            out[y, x] = s
    return out


def least_and_greatest(a, low, high, n):
    h, w = low.shape
    for y in range(h):
        for x in range(w):
            least = a[y, x]
            greatest = a[y, x]
            for i in range(n):
                v = a[y + i, x]
                if v < least:
                    least = v
                if v > greatest:
                    greatest = v
            low[y, x] = least
            high[y, x] = greatest
    return low, high


def exchanged(a, out, n):
    """What is carried changes places, and some rounds count down, or by two."""
    for i in range(len(out)):
        p = a[i]
        q = a[i + 1]
        for k in range(n, 0, -2):
            p, q = q, p * 0.5 + a[i + k]
        out[i] = p - q
    return out


def evaluated(x, coefficients, out):
    for i in range(len(x)):
        s = 0.0
        for c in range(len(coefficients)):
            s = s * x[i] + coefficients[c]
        out[i] = s
    return out


def each_into_itself(a, n):
    """A round reads what an earlier one has written: they run in order."""
    for i in range(1, len(a) - n):
        s = 0.0
        for k in range(n):
            s += a[i + k - 1]
        a[i] = s * 0.25
    return a


def of_other_lengths(a, out):
    """The loop inside is longer from round to round."""
    for i in range(len(out)):
        s = 0.0
        for k in range(i):
            s += a[k]
        out[i] = s
    return out


def columns(a, out):
    n, m = a.shape
    for j in range(m):
        s = 0.0
        t = 1.0
        for i in range(n):
            s += a[i, j]
            t *= a[i, j]
        out[j] = s / n - t
    return out


def added_in_place(a, k, out):
    h, w = out.shape
    for y in range(h):
        for x in range(w):
            for i in range(len(k)):
                out[y, x] += a[y + i, x] * k[i]
    return out


def _like(shape, dtype: Any = np.float64):
    return np.zeros(shape, dtype)


WIDTHS = (0, 1, 2, 7, 8, 9, 16, 17, 34)
INTEGERS = (PLANE * 100).astype(np.int64)

CASES: list[Case] = [
    (convolved, [(PLANE, SMALL, _like((19, w))) for w in WIDTHS]),
    (convolved, [(PLANE, SMALL[:n, :m], _like((19, 34))) for n, m in ((0, 4), (3, 0), (1, 1))]),
    (
        convolved,
        [
            (PLANE.astype(np.float32), SMALL.astype(np.float32), _like((19, 34), np.float32)),
            (INTEGERS, INTEGERS[:5, :4], _like((19, 34), np.int64)),
            (
                INTEGERS.astype(np.int32),
                INTEGERS[:5, :4].astype(np.int32),
                _like((19, 34), np.int32),
            ),
            (
                INTEGERS.astype(np.uint8),
                INTEGERS[:5, :4].astype(np.uint8),
                _like((19, 34), np.uint8),
            ),
            (STRANGE, SMALL, _like((8, 16))),
            (PLANE[::-1], SMALL, _like((19, 34))),
            (PLANE.T, SMALL, _like((33, 19))),
            (PLANE[:, ::2], SMALL, _like((19, 15))),
            (PLANE, SMALL, _like((20, 34))),
            (PLANE, SMALL, _like((19, 35))),
            (PLANE, PLANE, _like((1, 1))),
            (PLANE, SMALL, _like((34, 19)).T),
        ],
    ),
    (filtered, [(SIGNAL, TAPS, _like(n)) for n in (0, 1, 5, 8, 63, 94, 95)]),
    (filtered, [(SIGNAL, TAPS[:0], SIGNAL[:9].copy()), (SIGNAL, TAPS, SIGNAL[:90].copy())]),
    (around, [(PLANE, _like(PLANE.shape), r) for r in (0, 1, 2, 11, 12, -1)]),
    (around, [(STRANGE, _like(STRANGE.shape), 2), (PLANE, _like((22, 37)), 1)]),
    (
        least_and_greatest,
        [(a, _like((8, 19)), _like((8, 19)), n) for a in (STRANGE, -STRANGE) for n in (0, 1, 5, 6)],
    ),
    (exchanged, [(SIGNAL, _like(n), m) for n in (1, 20, 90) for m in (0, 1, 6, 9)]),
    (exchanged, [(SIGNAL, _like(90), 12), (SIGNAL.astype(np.float32), _like(80, np.float32), 5)]),
    (evaluated, [(SIGNAL[:n], TAPS, _like(n)) for n in (0, 1, 9, 100)]),
    (evaluated, [(SIGNAL, TAPS[:0], _like(100)), (SIGNAL[::3], TAPS, _like(34))]),
    (each_into_itself, [(SIGNAL.copy(), n) for n in (0, 1, 2, 7)]),
    (of_other_lengths, [(SIGNAL, _like(n)) for n in (0, 1, 30, 100, 101)]),
    (columns, [(PLANE[:, :n], _like(n)) for n in (1, 3, 8, 37)]),
    (
        columns,
        [(PLANE, _like(37)), (STRANGE, _like(19)), (PLANE.T, _like(23))],
    ),
    (added_in_place, [(PLANE, TAPS, _like((17, 37))), (PLANE, TAPS, PLANE[:17].copy())]),
    (
        added_in_place,
        [(PLANE, TAPS, _like((18, 37))), (INTEGERS, INTEGERS[0, :4], _like((17, 9), int))],
    ),
]
