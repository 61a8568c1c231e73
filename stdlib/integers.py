"""Functions of Python's ints, in the script language: bodies of ops, and of methods."""

import numpy as np


def gcd(x: int, y: int) -> int:
    """Greatest common divisor, by Euclid's algorithm."""
    while y != 0:
        # As NumPy's numbers: the least int by -1 would not fit.
        x, y = y, int(np.int64(x) % np.int64(y))
    return abs(x)


def lcm(x: int, y: int) -> int:
    """Least common multiple."""
    if x == 0 or y == 0:
        return 0
    return abs(x // gcd(x, y) * y)


def isqrt(n: int) -> int:
    """Largest int whose square is not above `n`: the root as a float is off by one at most."""
    if n < 0:
        raise ValueError("isqrt() argument must be nonnegative")
    root = min(int(np.sqrt(np.float64(n))), 3037000499)
    while root * root > n:
        root -= 1
    while root < 3037000499 and (root + 1) * (root + 1) <= n:
        root += 1
    return root


def pow_mod(base: int, exponent: int, modulus: int) -> int:
    """Power modulo `modulus`, by squaring; the result has the sign of the modulus."""
    if modulus == 0:
        raise ValueError("pow() 3rd argument cannot be 0")
    if modulus == 1 or modulus == -1:
        return 0
    if modulus == -9223372036854775807 - 1:
        raise OverflowError("integer result does not fit in 64 bits")
    size = abs(modulus)
    factor = base % size
    if exponent < 0:
        factor = _inverse(factor, size)
        if exponent == -9223372036854775807 - 1:
            # Its opposite does not fit: one factor is taken out.
            exponent = 9223372036854775807
            result = _times(_power(factor, exponent, size), factor, size)
            return result - size if modulus < 0 and result != 0 else result
        exponent = -exponent
    result = _power(factor, exponent, size)
    return result - size if modulus < 0 and result != 0 else result


def _power(factor: int, exponent: int, size: int) -> int:
    result = 1 % size
    while exponent > 0:
        if exponent % 2 == 1:
            result = _times(result, factor, size)
        exponent //= 2
        if exponent > 0:
            factor = _times(factor, factor, size)
    return result


def _times(x: int, y: int, size: int) -> int:
    """Product modulo `size` of two remainders; by doubling where it could be too large."""
    if size <= 3037000499:
        return x * y % size
    total = 0
    while y > 0:
        if y % 2 == 1:
            # total + x - size, in an order that does not overflow.
            total = total - (size - x) if total >= size - x else total + x
        x = x - (size - x) if x >= size - x else x + x
        y //= 2
    return total


def _inverse(x: int, size: int) -> int:
    """Return the number that makes 1 of `x` modulo `size`, by Euclid's algorithm."""
    old, now = x, size
    first, second = 1, 0
    while now != 0:
        times = old // now
        old, now = now, old - times * now
        first, second = second, first - times * second
    if old != 1:
        raise ValueError("base is not invertible for the given modulus")
    return first % size


def gcd_of_numbers(x, y):
    """Return the greatest common divisor of two of NumPy's integers."""
    while y != 0:
        x, y = y, x % y
    return np.abs(x)


def lcm_of_numbers(x, y):
    """Return the least common multiple of two of NumPy's integers, which may wrap."""
    divisor = gcd_of_numbers(x, y)
    if divisor == 0:
        return divisor
    return np.abs(x) // divisor * np.abs(y)


def gcd_of_arrays(x, y):
    """Return the greatest common divisor of each pair of elements."""
    one, other = np.broadcast_arrays(x, y)
    out = np.empty_like(one)
    first, second, found = one.reshape(-1), other.reshape(-1), out.reshape(-1)
    for k in range(len(found)):
        found[k] = gcd_of_numbers(first[k], second[k])
    return out


def lcm_of_arrays(x, y):
    """Return the least common multiple of each pair of elements."""
    one, other = np.broadcast_arrays(x, y)
    out = np.empty_like(one)
    first, second, found = one.reshape(-1), other.reshape(-1), out.reshape(-1)
    for k in range(len(found)):
        found[k] = lcm_of_numbers(first[k], second[k])
    return out


def magnitude(n: int):
    """Return the size of a number as one without sign, which holds that of the least int too."""
    return np.uint64(n) if n >= 0 else np.uint64(-(n + 1)) + np.uint64(1)


def bit_count(n: int) -> int:
    """Count the ones in the size of `n`."""
    return int(np.bitwise_count(magnitude(n)))


def bit_length(n: int) -> int:
    """Count the bits that the size of `n` takes: all below the first one are set for it."""
    bits = magnitude(n)
    for places in (1, 2, 4, 8, 16, 32):
        bits = bits | (bits >> np.uint64(places))
    return int(np.bitwise_count(bits))
