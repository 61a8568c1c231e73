"""Whole numbers divided by constants, and by each other: what rounds down, at the ends as well."""

# Without annotations the types come from the call.
# pyright: basic

import numpy as np

from tests.programs import Case


def quotients(k):
    return k // 1, k // 2, k // 3, k // 7, k // 64, k // 100, k // 127, k // -3, k // -1


def remainders(k):
    return k % 2, k % 3, k % 100, k % -7, k - k // 7 * 7


def large_divisors(k):
    first = k // 2147483647, k // 4294967295, k // 4294967299, k // 1099511627776
    return first, k // 4611686018427387905, k // 9223372036854775807, k % 9223372036854775807


def beside_other_work(k):
    x = np.where(k // 5 > 3, k % 11, k)
    return x, np.sum(k % 7), (k // 3 + k % 3) * 2.0


def by_each_other(k, m):
    return k // m, k % m


def by_one_number(k, n):
    return k // n, k % n, n // k, n % k


def remainders_in_rows(k, m):
    rows = k.reshape(-1, m.size)
    return rows // m, rows % m[::-1], (rows % m).sum(axis=0)


def of_python(n: int):
    return n // 1, n // 3, n // 8, n // 1000003, n // 2**62, n % 8, n % 3, n // -8


def ends(dtype):
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    around = [least, least + 1, least + 2, least // 2, most // 2, most - 1, most]
    # More than one vector.
    return np.tile(np.array([*around, *range(-9, 10), -100, 100, -127, 127], dtype), 9)


SIGNED = [ends(t) for t in (np.int64, np.int32, np.int16, np.int8)]
LONG = SIGNED[0]
# Beyond 2**51 such numbers are divided one after the other, on one of both sides or both.
FAR = np.tile(np.array([2**51 - 1, 2**51, -(2**51), -(2**51) - 1, 0, -1, 3, 2**52 + 1, 7]), 30)
DIVISORS = np.tile(np.array([1, -1, 2**51, 3, -7, 2**51 - 1, -(2**51), 0, -(2**51) - 1, 10]), 27)
PRODUCTS = (np.arange(270) - 135) * 1000003 * 65537 - np.arange(270) % 3
CASES: list[Case] = [
    (large_divisors, [(LONG,), (LONG[::-1],), (FAR,), (PRODUCTS,)]),
    (beside_other_work, [(LONG // 4,), (FAR,), (FAR.astype(np.int32),)]),
    (
        by_each_other,
        [(LONG, LONG[::-1]), (FAR, DIVISORS), (DIVISORS, FAR), (LONG, np.roll(LONG, 1))],
    ),
    (
        by_each_other,
        [(PRODUCTS, DIVISORS), (PRODUCTS, np.full(270, 1000003)), (FAR[::2], FAR[1::2])],
    ),
    (by_each_other, [(k, np.roll(k, 5)) for k in SIGNED[1:]]),
    (
        by_each_other,
        [(k.view(f"u{k.itemsize}"), np.roll(k, 5).view(f"u{k.itemsize}")) for k in SIGNED],
    ),
    (by_each_other, [(SIGNED[1], LONG), (LONG[:7], LONG[2:9]), (LONG[:0], LONG[:0])]),
    (by_one_number, [(k, n) for k in (LONG, FAR) for n in (0, -1, 7, -12, 2**60)]),
    (by_one_number, [(k, k.dtype.type(n)) for k in SIGNED for n in (0, -1, 7)]),
    (
        remainders_in_rows,
        [(PRODUCTS, np.arange(-5, 5)), (PRODUCTS, np.arange(1, 28)), (FAR, FAR[:9])],
    ),
    (quotients, [*((k,) for k in SIGNED), (SIGNED[0][::-2],), (SIGNED[1][:0],)]),
    (remainders, [(k,) for k in SIGNED]),
    (of_python, [(n,) for n in (0, 1, -1, 7, -7, -8, -9, 2**63 - 1, -(2**63), 1 - 2**63)]),
]
