"""Whole numbers divided by constants: what rounds down, at the ends of the types as well."""

# Without annotations the types come from the call.
# pyright: basic

import numpy as np

from tests.programs import Case


def quotients(k):
    return k // 1, k // 2, k // 3, k // 7, k // 64, k // 100, k // 127, k // -3, k // -1


def remainders(k):
    return k % 2, k % 3, k % 100, k % -7, k - k // 7 * 7


def of_python(n: int):
    return n // 1, n // 3, n // 8, n // 1000003, n // 2**62, n % 8, n % 3, n // -8


def ends(dtype):
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    around = [least, least + 1, least + 2, least // 2, most // 2, most - 1, most]
    # More than one vector.
    return np.tile(np.array([*around, *range(-9, 10), -100, 100, -127, 127], dtype), 9)


SIGNED = [ends(t) for t in (np.int64, np.int32, np.int16, np.int8)]
CASES: list[Case] = [
    (quotients, [*((k,) for k in SIGNED), (SIGNED[0][::-2],), (SIGNED[1][:0],)]),
    (remainders, [(k,) for k in SIGNED]),
    (of_python, [(n,) for n in (0, 1, -1, 7, -7, -8, -9, 2**63 - 1, -(2**63), 1 - 2**63)]),
]
