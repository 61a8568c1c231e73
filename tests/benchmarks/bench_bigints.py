"""What ints of any size cost inside of compiled code: CPython's time over that of machine code.

Cases are done and measured as those of `bench_containers`.

    python -m tests.benchmarks.bench_bigints [--rounds 7] [NAME ...]
"""

import math
import random

from scriptc.types import bigint
from tests.benchmarks.bench_containers import Case, main


def fibonacci(n: int, times: int) -> bigint:
    a = bigint(0)
    for _ in range(times):
        a, b = bigint(0), bigint(1)
        for _ in range(n):
            a, b = b, a + b
    return a


def factorial(n: int, times: int) -> bigint:
    result = bigint(1)
    for _ in range(times):
        result = bigint(1)
        for k in range(2, n + 1):
            result *= k
    return result


def digits_of_pi(count: int, times: int) -> int:
    """Gibbons, "Unbounded spigot algorithms for the digits of pi" (2006)."""
    total = 0
    for _ in range(times):
        q, r, t, n = bigint(1), bigint(0), bigint(1), bigint(3)
        k, m, found = 1, 3, 0
        while found < count:
            if 4 * q + r - t < n * t:
                total += int(n)
                found += 1
                n, q, r = (10 * (3 * q + r)) // t - 10 * n, 10 * q, 10 * (r - n * t)
            else:
                n = (q * (7 * k + 2) + r * m) // (t * m)
                q, r, t, m, k = q * k, (2 * q + r) * m, t * m, m + 2, k + 1
    return total


def collatz(start: bigint, times: int) -> int:
    steps = 0
    for _ in range(times):
        n = start
        while n != 1:
            n = 3 * n + 1 if n % 2 else n // 2
            steps += 1
    return steps


def sum_of_squares(n: int, times: int) -> bigint:
    total = bigint(0)
    for _ in range(times):
        for i in range(n):
            total += i * i
    return total


def product(a: bigint, b: bigint, times: int) -> bigint:
    found = bigint(0)
    for _ in range(times):
        found = a * b
    return found


def quotient(a: bigint, b: bigint, times: int) -> bigint:
    found = bigint(0)
    for _ in range(times):
        found = a // b
    return found


def power(a: bigint, b: bigint, c: bigint, times: int) -> bigint:
    found = bigint(0)
    for _ in range(times):
        found = pow(a, b, c)
    return found


def divisor(a: bigint, b: bigint, times: int) -> bigint:
    found = bigint(0)
    for _ in range(times):
        found = math.gcd(a, b)
    return found


def text(a: bigint, times: int) -> int:
    total = 0
    for _ in range(times):
        total += len(str(a))
    return total


def cases() -> dict[str, Case]:
    """Return the cases by name."""
    bits = random.Random(1).getrandbits
    found = [
        Case(fibonacci, (20_000,), 5),
        Case(factorial, (2_000,), 10),
        Case(digits_of_pi, (500,), 3),
        Case(collatz, (2**500 - 1,), 5),
        Case(sum_of_squares, (100_000,), 5),
        Case(product, (bits(4_000), bits(4_000)), 1_000),
        Case(quotient, (bits(4_000), bits(2_000)), 1_000),
        Case(power, (bits(1_024), bits(1_024), bits(1_024) | 1), 5),
        Case(divisor, (bits(2_000), bits(2_000)), 100),
        Case(text, (bits(10_000),), 50),
    ]
    return {case.function.__name__: case for case in found}


if __name__ == "__main__":
    main(__doc__, cases())
