"""Loops over `prange`: what rounds write, and what they add up."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import math

import numpy as np

from scriptc import prange
from tests.programs import Case

LINE = np.array([1.5, -2.0, 0.5, 4.0, -0.25, 8.0])
LONG = np.arange(-400.0, 400.0) / 8
TABLE = np.arange(42.0).reshape(6, 7) / 4 - 3
WHOLE = np.array([3, -1, 4, 1, -5, 9, 2, 6])
NANS = np.array([1.0, np.nan, -0.0, np.inf])
EMPTY = np.zeros(0)


class Rounds:
    """What stands for Numba's `prange`, which is known by its name and its module."""

    def __new__(cls, *bounds: int) -> range:
        return range(*bounds)


Rounds.__module__, Rounds.__qualname__ = "numba.misc.special", "prange"


def numbas(a, b):
    total = 0.0
    for i in Rounds(1, len(a)):
        b[i] = a[i] * 2.0 + i
        total += b[i]
    return total


def elements(a, b):
    for i in prange(len(a)):
        b[i] = a[i] * 2.0 + i


def rows(a):
    n, m = a.shape
    out = np.zeros((n, m))
    for i in prange(n):
        total = 0.0
        for j in range(m):
            total += a[i, j]
            out[i, j] = total
    return out


def rows_as_arrays(a):
    out = np.empty(len(a))
    for i in prange(len(a)):
        row = a[i] * 2.0
        out[i] = np.sum(row) + row.max()
    return out


def whole_rows(a, out):
    for i in prange(1, a.shape[0] - 1):
        out[i] = (a[i - 1] + a[i + 1]) / 2


def steps(n, first, by):
    out = np.zeros(n)
    for i in prange(first, n, by):
        out[i] = i
    return out


def backwards(a):
    out = np.zeros_like(a)
    for i in prange(len(a) - 1, -1, -1):
        out[len(a) - 1 - i] = a[i]
    return out


def by_nothing(n):
    s = 0
    for i in prange(0, 10, n):
        s += i
    return s


def sums(a):
    s, p, n = 0.0, 1.0, 0
    for i in prange(len(a)):
        if a[i] > 0:
            s += a[i]
            n += 1
        else:
            s -= 1.0
        p *= 2.0
    return s, p, n


def written_out(a):
    total, less, product, count, high = 0.0, 1.0, 1.0, 0, -9.0
    for i in prange(len(a)):
        total = total + a[i]
        less = less - a[i]
        product = (1 + a[i] / 1e6) * product
        count = 1 + count
        high = max(high, a[i])
    return total > -1e300, less > -1e300, product > -1e300, count, high


def zeros_of_sums(a):
    s = -0.0
    for i in prange(len(a)):
        s += a[i] * 0.0
    return s, math.copysign(1.0, s)


def extremes(a, low, high):
    for i in prange(len(a)):
        low = min(low, a[i])
        high = max(high, a[i])
    return low, high


def bits(a):
    every, some, odd = -1, 0, 0
    for i in prange(len(a)):
        every &= int(a[i])
        some |= int(a[i])
        odd ^= int(a[i])
    return every, some, odd


def truths(a):
    every, some = True, False
    for i in prange(len(a)):
        every &= bool(a[i] > 0)
        some |= bool(a[i] > 0)
    return every, some


def large(n):
    s = 1
    for i in prange(n):
        s += 2**61 + i
    return s


def longest(n):
    most = 0
    for i in prange(1, n):
        k, length = i, 0
        while k > 1:
            k = k // 2 if k % 2 == 0 else 3 * k + 1
            length += 1
        most = max(most, length)
    return most


def nested(a):
    n, m = a.shape
    total = 0.0
    for i in prange(n):
        part = 0.0
        for j in prange(m):
            part += a[i, j]
        total += part
    return total


def private(a):
    out = np.zeros(len(a))
    scale = 2.0
    for i in prange(len(a)):
        x = a[i]
        y = x * scale
        if x < 0:
            y = -x
        x = y + 1.0
        out[i] = x
    return out


def skipped(a):
    n = 0
    for i in prange(len(a)):
        if a[i] < 0:
            continue
        n += 1
    else:
        n += 100
    return n


def out_of_range(a, n):
    s = 0.0
    for i in prange(n):
        s += a[i]
    return s


def raising(a):
    for i in prange(len(a)):
        if a[i] < 0:
            raise ValueError("negative")
        a[i] = math.sqrt(a[i])


def caught(a):
    out = np.zeros(len(a))
    for i in prange(len(a)):
        try:
            out[i] = math.sqrt(a[i])
        except ValueError:
            out[i] = -1.0
    return out


def printing(n):
    for i in prange(n):
        print(i)


def lists(a):
    out = np.zeros(len(a))
    for i in prange(len(a)):
        found = [a[i], 1.0]
        found.append(2.0)
        out[i] = sum(found)
    return out


def _twice(x):
    return x * 2.0 if x < 3.0 else x


def calls(a):
    out = np.zeros(len(a))
    for i in prange(len(a)):
        out[i] = _twice(a[i])
    return out


def grown_arrays(a):
    out = np.zeros(len(a))
    for i in prange(len(a)):
        x = a[i : i + 1]
        for _ in range(3):
            x = x + 1.0
        out[i] = x[0]
    return out


def products(a):
    out = np.zeros((a.shape[0], a.shape[0]))
    for i in prange(a.shape[0]):
        out[i] = a @ a[i]
    return out


def complexes(a):
    s = 0j
    for i in prange(len(a)):
        s += complex(a[i], 1.0)
    return s


CASES: list[Case] = [
    (numbas, [(LINE, LINE * 0), (LONG[::-2], LONG[:400])]),
    (elements, [(LINE, LINE * 0), (LONG, LONG * 0), (EMPTY, EMPTY), (LONG[::-2], LONG[:400])]),
    (rows, [(TABLE,), (TABLE.T,), (TABLE[:0],), (TABLE[:, :0],)]),
    (rows_as_arrays, [(TABLE,), (TABLE.T,), (TABLE[:0],)]),
    (whole_rows, [(TABLE, TABLE * 0), (TABLE.T, TABLE.T * 0), (TABLE[:1], TABLE[:1])]),
    (steps, [(20, 3, 4), (20, 25, 4), (20, -1, 7), (5, 0, 1)]),
    (backwards, [(LINE,), (LONG,), (EMPTY,)]),
    (by_nothing, [(3,), (0,), (-1,)]),
    (sums, [(LINE,), (LONG,)]),
    (written_out, [(LINE,), (LONG,)]),
    (zeros_of_sums, [(LINE,), (-LINE,), (-np.abs(LONG),)]),
    (extremes, [(LINE, 9.0, -9.0), (LONG, 0.0, 0.0), (NANS, 0.5, 0.5)]),
    (bits, [(WHOLE,), (WHOLE[:0],)]),
    (truths, [(LINE,), (np.abs(LINE),), (EMPTY,)]),
    (large, [(2,), (0,)]),
    (longest, [(100,), (0,), (3000,)]),
    (nested, [(TABLE,), (TABLE.T,)]),
    (private, [(LINE,), (EMPTY,)]),
    (skipped, [(LINE,), (EMPTY,)]),
    (out_of_range, [(LINE, 6), (LINE, 7), (EMPTY, 1)]),
    (caught, [(LINE,)]),
    (printing, [(3,), (0,)]),
    (lists, [(LINE,)]),
    (calls, [(LINE,), (LONG,)]),
    (grown_arrays, [(LINE,)]),
    (products, [(TABLE,)]),
    (complexes, [(LINE,)]),
]
