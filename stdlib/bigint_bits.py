"""Bits of ints of any size, and their floats, in the script language: bodies of ops.

Sizes are lists of limbs as in `bigints.py`. A number below 0 has the bits of the two's complement,
with ones without end before them.
"""

import math

import numpy as np

from scriptc_runtime import unsafe


def bigint_shl(x, count: int):
    """Shift to the left."""
    if count < 0:
        raise ValueError("negative shift count")
    if unsafe.bigint_is_small(x):
        number = unsafe.bigint_small(x)
        if number == 0:
            return x
        if count < 31 and -2147483648 <= number <= 2147483647:
            return unsafe.bigint_of(number << count)
    if count > 1 << 50:  # no memory holds them
        raise OverflowError("too many digits in integer")
    return _number(_shift_left(_size_of(x), count), _is_negative(x))


def bigint_shr(x, count: int):
    """Shift to the right: the floor of the quotient by a power of two."""
    if count < 0:
        raise ValueError("negative shift count")
    if unsafe.bigint_is_small(x):
        return unsafe.bigint_of(unsafe.bigint_small(x) >> min(count, 63))
    size, negative = unsafe.bigint_limbs(x), unsafe.bigint_negative(x)
    found = _number(_shift_right(size, count), negative)
    return found - 1 if negative and _has_bits_below(size, count) else found


def bigint_and(x, y):
    """Take the bits that are in both."""
    if unsafe.bigint_is_small(x) & unsafe.bigint_is_small(y):
        return unsafe.bigint_of(unsafe.bigint_small(x) & unsafe.bigint_small(y))
    one, other = _pair_of_bits(x, y)
    for k in range(len(one)):
        one[k] &= other[k]
    return _of_bits(one)


def bigint_or(x, y):
    """Take the bits that are in one or both."""
    if unsafe.bigint_is_small(x) & unsafe.bigint_is_small(y):
        return unsafe.bigint_of(unsafe.bigint_small(x) | unsafe.bigint_small(y))
    one, other = _pair_of_bits(x, y)
    for k in range(len(one)):
        one[k] |= other[k]
    return _of_bits(one)


def bigint_xor(x, y):
    """Take the bits that are in one alone."""
    if unsafe.bigint_is_small(x) & unsafe.bigint_is_small(y):
        return unsafe.bigint_of(unsafe.bigint_small(x) ^ unsafe.bigint_small(y))
    one, other = _pair_of_bits(x, y)
    for k in range(len(one)):
        one[k] ^= other[k]
    return _of_bits(one)


def _pair_of_bits(x, y):
    """Return the two's complements of two numbers, of one length that has a sign bit."""
    one, other = _size_of(x), _size_of(y)
    count = max(len(one), len(other)) + 1
    return _bits_of(one, _is_negative(x), count), _bits_of(other, _is_negative(y), count)


def _bits_of(size, negative: bool, count: int):
    out = _zeros(count)
    for k in range(len(size)):
        out[k] = size[k]
    return _negated(out) if negative else out


def _negated(bits):
    """Change the sign of a two's complement."""
    carry = np.uint64(1)
    for k in range(len(bits)):
        bits[k] = ~bits[k] + carry
        carry = carry & np.uint64(bits[k] == np.uint64(0))
    return bits


def _of_bits(bits):
    if bits[len(bits) - 1] >> np.uint64(63) != np.uint64(0):
        return _number(_negated(bits), True)
    return _number(bits, False)


def bigint_bits(x) -> int:
    """Count the bits that the size takes."""
    return _bit_length(_size_of(x))


def bigint_ones(x) -> int:
    """Count the ones in the size."""
    total = 0
    for limb in _size_of(x):
        total += int(np.bitwise_count(limb))
    return total


def bigint_hash(x) -> int:
    """Return the remainder of the size by 2**61 - 1, with the sign; -1 stands for an error."""
    prime = np.uint64(0x1FFFFFFFFFFFFFFF)
    found = np.uint64(0)
    size = _size_of(x)
    for k in range(len(size) - 1, -1, -1):
        # 2**64 is 8 to that prime.
        found = ((found << np.uint64(3)) & prime) | (found >> np.uint64(58))
        found += (size[k] & prime) + (size[k] >> np.uint64(61))
        while found >= prime:
            found -= prime
    code = -int(found) if _is_negative(x) else int(found)
    return -2 if code == -1 else code


def bigint_float(x) -> float:
    """Return the float that is next."""
    if unsafe.bigint_is_small(x):
        return float(unsafe.bigint_small(x))
    size = unsafe.bigint_limbs(x)
    bits = _bit_length(size)
    found = _scaled(_first_bits(size, bits - 64), bits - 64) if bits <= 1024 else math.inf
    if found == math.inf:
        raise OverflowError("int too large to convert to float")
    return -found if unsafe.bigint_negative(x) else found


def _first_bits(size, below: int):
    """Return 64 bits of a size, of which the last stands for those that are cut off, too."""
    if below <= 0:
        return size[0] << np.uint64(-below)
    limb = _shift_right(size, below)[0]
    return limb | np.uint64(_has_bits_below(size, below))


def _scaled(limb, power: int) -> float:
    """Return a limb times a power of two, rounded once; an infinity where it is too large."""
    found = float(np.float64(limb))
    if power > 960 or (power == 960 and found == 18446744073709551616.0):
        return math.inf
    return math.ldexp(found, power)


def bigint_of_float(x: float):
    """Return the whole part."""
    if x != x:
        raise ValueError("cannot convert float NaN to integer")
    if math.isinf(x):
        raise OverflowError("cannot convert float infinity to integer")
    _, power = math.frexp(x)
    if power <= 62:
        return unsafe.bigint_of(int(x))
    return unsafe.bigint_of(int(math.ldexp(x, 53 - power))) << (power - 53)


def bigint_div(x, y) -> float:
    """Return the float next to the quotient."""
    if not y:
        raise ZeroDivisionError("division by zero")
    if not x:
        return -0.0 if _is_negative(y) else 0.0
    negative = _is_negative(x) != _is_negative(y)
    one, other = abs(x), abs(y)
    # The quotient has 63 or 64 bits, of which a float takes 53; one below all normal floats is
    # counted in quarters of the least of all.
    shift = max(bigint_bits(x) - bigint_bits(y) - 63, -1076)
    if shift > 0:
        other = other << shift
    else:
        one = one << -shift
    quotient, rest = divmod(one, other)
    size = _size_of(quotient)
    limb = (size[0] if len(size) > 0 else np.uint64(0)) | np.uint64(bool(rest))
    found = _scaled(_in_whole(limb) if shift == -1076 else limb, shift)
    if found == math.inf:
        raise OverflowError("integer division result too large for a float")
    return -found if negative else found


def _in_whole(limb):
    """Round quarters to a multiple of four, where there is no more to round."""
    if limb >= np.uint64(1 << 55):
        return limb
    whole, rest = limb >> np.uint64(2), limb & np.uint64(3)
    if (rest == np.uint64(3)) | ((rest == np.uint64(2)) & (whole & np.uint64(1) != np.uint64(0))):
        whole += np.uint64(1)
    return whole << np.uint64(2)


def _size_of(x):
    """Return the size of a number, which is not to be changed."""
    if not unsafe.bigint_is_small(x):
        return unsafe.bigint_limbs(x)
    number = unsafe.bigint_small(x)
    if number == 0:
        return _zeros(0)
    return [np.uint64(abs(number))]


def _is_negative(x) -> bool:
    if unsafe.bigint_is_small(x):
        return unsafe.bigint_small(x) < 0
    return unsafe.bigint_negative(x)


def _number(size, negative: bool):
    """Return the number of a size, of which nothing will change a limb that is not 0."""
    count = len(size)
    while count > 0 and size[count - 1] == np.uint64(0):
        count -= 1
    unsafe.list_set_size(size, np.int64(count))
    if count == 0:
        return unsafe.bigint_of(0)
    if count == 1 and size[0] <= np.uint64(0x4000000000000000):
        number = int(size[0])
        return unsafe.bigint_of(-number if negative else number)
    return unsafe.bigint_made(size, negative)


def _zeros(count: int):
    """Return so many limbs that are 0."""
    return [np.uint64(0)] * count


def _shift_left(x, count: int):
    """Return a size times a power of two."""
    whole, bits = count // 64, np.uint64(count % 64)
    out = _zeros(len(x) + whole + 1)
    above = np.uint64(0)
    for k in range(len(x)):
        limb = x[k]
        out[k + whole] = (limb << bits) | above
        above = limb >> (np.uint64(64) - bits) if bits != np.uint64(0) else np.uint64(0)
    out[len(x) + whole] = above
    return out


def _shift_right(x, count: int):
    """Return the floor of a size by a power of two."""
    whole, bits = count // 64, np.uint64(count % 64)
    if whole >= len(x):
        return _zeros(0)
    out = _zeros(len(x) - whole)
    for k in range(len(out)):
        limb = x[k + whole] >> bits
        if bits != np.uint64(0) and k + whole + 1 < len(x):
            limb |= x[k + whole + 1] << (np.uint64(64) - bits)
        out[k] = limb
    return out


def _has_bits_below(x, count: int) -> bool:
    """Whether one of the lowest bits is 1."""
    whole, bits = count // 64, np.uint64(count % 64)
    for k in range(min(whole, len(x))):
        if x[k] != np.uint64(0):
            return True
    if whole >= len(x):
        return False
    return bool(x[whole] & ((np.uint64(1) << bits) - np.uint64(1)) != np.uint64(0))


def _leading_zeros(limb: np.uint64) -> int:
    """Return how many bits above the first 1 of a limb there are."""
    count = 0
    for step in (32, 16, 8, 4, 2, 1):
        if limb >> np.uint64(64 - step) == np.uint64(0):
            limb <<= np.uint64(step)
            count += step
    return count


def _bit_length(x) -> int:
    """Return how many bits a size takes."""
    return 64 * len(x) - _leading_zeros(x[len(x) - 1]) if len(x) > 0 else 0
