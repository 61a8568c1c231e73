"""The greatest common divisor of ints of any size, in the script language: the body of an op.

Lehmer's algorithm, as in CPython (Objects/longobject.c): many steps of Euclid's are found with the
first 60 bits of both numbers, and taken at once, in lists of digits of 30 bits.
"""

import numpy as np

from scriptc_runtime import unsafe


def bigint_gcd(x, y):
    """Greatest common divisor, never negative."""
    x, y = abs(x), abs(y)
    if x < y:
        x, y = y, x
    while not unsafe.bigint_is_small(y):
        a, b = _digits(unsafe.bigint_limbs(x)), _digits(unsafe.bigint_limbs(y))
        size = _reduce(a, b, len(a))
        if size == 0:
            x, y = y, x % y  # the first bits do not tell a step
        else:
            x, y = _number(a, size), _number(b, size)
    if not y:
        return x
    return unsafe.bigint_of(unsafe.gcd(unsafe.bigint_small(y), unsafe.bigint_small(x % y)))


def _reduce(a, b, size: int) -> int:
    """Take steps of Euclid's in two lists of digits, of which `b` is not above `a`.

    Return how many digits of `a` are left: two at most, or as many as there are where the first
    bits tell no further step; 0 where there was none. No more than those of `b` are used.
    """
    for _ in range(len(a) - len(b)):
        b.append(np.int64(0))
    taken = False
    while size > 2:
        bits = _bits(a[size - 1])
        steps, one, two, three, four = _steps(_head(a, size, bits), _head(b, size, bits))
        if steps == 0:
            return size if taken else 0
        taken = True
        if steps % 2 == 1:
            one, two, three, four = -two, -one, -four, -three
        _combine(a, b, size, one, two, three, four)
        while size > 0 and a[size - 1] == np.int64(0):
            size -= 1
    return size


def _combine(a, b, size: int, one, two, three, four) -> None:
    """Make `one * a - two * b` of `a`, and `four * b - three * a` of `b`."""
    mask, shift = np.int64(1073741823), np.int64(30)
    first, second = np.int64(0), np.int64(0)
    for k in range(size):
        left, right = a[k], b[k]
        first += one * left - two * right
        second += four * right - three * left
        a[k] = first & mask
        b[k] = second & mask
        first >>= shift
        second >>= shift


def _head(digits, size: int, bits: np.int64) -> np.int64:
    """Return the 60 bits of a number below the first one of a number of `size` digits."""
    high = digits[size - 1] << (np.int64(60) - bits)
    return high | digits[size - 2] << (np.int64(30) - bits) | digits[size - 3] >> bits


def _bits(digit: np.int64) -> np.int64:
    """Return how many bits a digit takes."""
    count = np.int64(0)
    for step in (16, 8, 4, 2, 1):
        if digit >> np.int64(step) != np.int64(0):
            digit >>= np.int64(step)
            count += np.int64(step)
    return count + digit


def _steps(x: np.int64, y: np.int64):
    """Return how many steps are sure, and how what is left is made of both numbers."""
    a, b, c, d = np.int64(1), np.int64(0), np.int64(0), np.int64(1)
    steps = 0
    while y != c:
        # `y` is above `c`, as a step is taken where what is left is not below what it is made of.
        times = np.int64(np.uint64(x + a - np.int64(1)) // np.uint64(y - c))
        if times >= np.int64(1073741824):
            break  # so is what the next numbers are made of, which would be less
        more, rest = b + times * d, x - times * y
        if more > rest:
            break
        x, y = y, rest
        a, b, c, d = d, c, more, a + times * c
        steps += 1
    return steps, a, b, c, d


def _digits(limbs):
    """Return the digits of 30 bits of a size."""
    count = (64 * len(limbs) + 29) // 30
    out = [np.int64(0)] * count
    for k in range(count):
        place, bits = 30 * k // 64, np.uint64(30 * k % 64)
        digit = limbs[place] >> bits
        if bits > np.uint64(34) and place + 1 < len(limbs):
            digit |= limbs[place + 1] << (np.uint64(64) - bits)
        out[k] = np.int64(digit & np.uint64(1073741823))
    while len(out) > 0 and out[len(out) - 1] == np.int64(0):
        out.pop()
    return out


def _number(digits, size: int):
    """Return the number of the first `size` digits."""
    limbs = [np.uint64(0)] * ((30 * size + 63) // 64)
    for k in range(size):
        place, bits = 30 * k // 64, np.uint64(30 * k % 64)
        digit = np.uint64(digits[k])
        limbs[place] |= digit << bits
        if bits > np.uint64(34) and place + 1 < len(limbs):
            limbs[place + 1] |= digit >> (np.uint64(64) - bits)
    while len(limbs) > 0 and limbs[len(limbs) - 1] == np.uint64(0):
        limbs.pop()
    if len(limbs) == 0:
        return unsafe.bigint_of(0)
    if len(limbs) == 1 and limbs[0] < np.uint64(0x4000000000000000):
        return unsafe.bigint_of(int(limbs[0]))
    return unsafe.bigint_made(limbs, False)
