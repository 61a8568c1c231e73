"""Floats that are computed from ints: roots, halves and shares, made into ints again."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import math

import numpy as np

from tests.programs import Case


def sum_of_roots(n: int):
    total = 0
    for i in range(n):
        total += int(math.sqrt(i))
    return total


def roots_from(start: int, stop: int):
    total = 0
    for i in range(start, stop):
        total += int(math.sqrt(i))
    return total


def squares_below(n: int):
    count = 0
    for k in range(1, n):
        root = int(np.sqrt(k))
        if root * root == k:
            count += 1
    return count


def primes_below(n: int):
    found = []
    for i in range(2, n):
        prime = True
        for d in range(2, int(math.sqrt(i)) + 1):
            if i % d == 0:
                prime = False
                break
        if prime:
            found.append(i)
    return found


def root_of_any(n: int):
    return int(math.sqrt(n))


def guarded_root(n: int):
    if n >= 0:
        return int(math.sqrt(n)), math.sqrt(n - 1) if n > 0 else -1.0
    return -1, -1.0


def halves(n: int):
    total = 0
    for i in range(n):
        total += int(i * 0.5) + int(-i / 4) + int(abs(3 - i) / 2.0)
    return total


def scaled(n: int, by: float):
    # By may be anything, NaN too: nothing is known of the product.
    total = 0
    for i in range(n):
        total += int(i * by)
    return total


def whole_share(n: int, of: int):
    return int(n / of), math.floor(n / 8), math.ceil(n / 8), math.trunc(n * 0.25)


def far(n: int):
    # Up to 2**126 as a float, which no int holds.
    return int(float(n) * float(n))


def next_to_the_end(n: int):
    return int(float(n))


def small_bytes(x):
    total = 0
    for i in range(len(x)):
        total += int(math.sqrt(x[i])) + int(x[i] * 1.5)
    return total


def numbered_roots(h):
    total = 0
    for i in range(len(h)):
        total += int(np.sqrt(h[i]))
    return total


def one_over(n: int):
    total = 0.0
    for i in range(n):
        total += 1.0 / (2 * i + 1)
    return total


def growing(n: int):
    # What goes round has no bounds: the float grows until no int holds it.
    x = 1.0
    total = 0
    for _ in range(n):
        total = int(x)
        x = x * 4.0
    return total


def never_negative(n: int):
    if float(n * n) < 0.0:
        return -1
    return 1 if float(abs(n)) >= 0.0 else 0


CASES: list[Case] = [
    (sum_of_roots, [(0,), (-3,), (1,), (1000,)]),
    (roots_from, [(0, 20), (-1, 3), (5, 5), (2**62, 2**62 + 3), (2**62, 2**62 - 3)]),
    (squares_below, [(0,), (1,), (150,)]),
    (primes_below, [(0,), (60,)]),
    (root_of_any, [(0,), (-1,), (2**63 - 1,), (-(2**63),), (2**52 + 1,)]),
    (guarded_root, [(0,), (-1,), (1,), (2**63 - 1,)]),
    (halves, [(0,), (9,), (100,)]),
    (scaled, [(4, 0.5), (4, math.nan), (4, math.inf), (1, math.inf), (0, math.nan), (3, 1e18)]),
    (whole_share, [(7, 2), (-7, 2), (7, 0), (2**62, 1), (-(2**63), 1), (-(2**62), -1)]),
    (far, [(3,), (-(2**31),), (2**31,), (3037000499,)]),
    (next_to_the_end, [(2**63 - 513,), (-(2**63),), (5,)]),
    (small_bytes, [(np.arange(256, dtype=np.uint8),), (np.arange(5, dtype=np.int16),)]),
    (small_bytes, [(np.arange(-2, 5, dtype=np.int8),), (np.zeros(0, np.uint16),)]),
    (numbered_roots, [(np.arange(50),), (np.array([4, -1, 9]),), (np.array([2**63 - 1]),)]),
    (numbered_roots, [(np.array([2**64 - 1, 3], np.uint64),), (np.arange(9)[::-2],)]),
    (one_over, [(0,), (1,), (50,)]),
    (growing, [(0,), (30,), (32,)]),
    (never_negative, [(0,), (-5,), (2**31,)]),
]
