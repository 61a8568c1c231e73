"""The greatest common divisor of ints of any size, in the script language: the body of an op.

Lehmer's algorithm, as in CPython (Objects/longobject.c): many steps of Euclid's are found with the
first 60 bits of both numbers, and taken at once.
"""

from scriptc_runtime import unsafe


def bigint_gcd(x, y):
    """Greatest common divisor, never negative."""
    x, y = abs(x), abs(y)
    if x < y:
        x, y = y, x
    while not unsafe.bigint_is_small(y):
        below = x.bit_length() - 60
        steps, a, b, c, d = _steps(_head(x, below), _head(y, below))
        if steps == 0:
            x, y = y, x % y
        elif steps % 2 == 1:
            x, y = y * a - x * b, x * d - y * c
        else:
            x, y = x * a - y * b, y * d - x * c
    if not y:
        return x
    return unsafe.bigint_of(unsafe.gcd(unsafe.bigint_small(y), unsafe.bigint_small(x % y)))


def _head(x, below: int) -> int:
    return unsafe.bigint_small(x >> below)


def _steps(x: int, y: int):
    """Return how many steps are sure, and how what is left is made of both numbers."""
    a, b, c, d = 1, 0, 0, 1
    steps = 0
    while y != c:
        times = (x + a - 1) // (y - c)
        if times >= 1073741824:
            break  # so is what the next numbers are made of, which would be less
        more, rest = b + times * d, x - times * y
        if more > rest:
            break
        x, y = y, rest
        a, b, c, d = d, c, more, a + times * c
        steps += 1
    return steps, a, b, c, d
