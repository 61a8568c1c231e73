"""Powers of ints of any size, in the script language: bodies of ops."""

from scriptc_runtime import unsafe


def bigint_pow(x, y):
    """Power, by squaring: from the first bit of the exponent on, so that `x` stays short."""
    if y < 0:
        raise ValueError("a negative exponent that is not a literal: use float(x) ** y")
    result = unsafe.bigint_of(1)
    for k in range(y.bit_length() - 1, -1, -1):
        result = result * result
        if (y >> k) & 1:
            result = result * x
    return result


def bigint_pow_mod(x, y, z):
    """Power modulo `z`, whose sign the result has; of the inverse where `y` is negative."""
    if not z:
        raise ValueError("pow() 3rd argument cannot be 0")
    size = abs(z)
    factor, exponent = x % size, abs(y)
    if y < 0:
        factor = _inverse(factor, size)
    result = unsafe.bigint_of(1) % size
    for k in range(exponent.bit_length() - 1, -1, -1):
        result = result * result % size
        if (exponent >> k) & 1:
            result = result * factor % size
    return result + z if z < 0 and result else result


def _inverse(x, size):
    """Return the number that makes 1 of `x` modulo `size`, by Euclid's algorithm."""
    old, now = x, size
    first, second = unsafe.bigint_of(1), unsafe.bigint_of(0)
    while now:
        times, rest = divmod(old, now)
        old, now = now, rest
        first, second = second, first - times * second
    if old != 1:
        raise ValueError("base is not invertible for the given modulus")
    return first % size
