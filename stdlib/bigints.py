"""Ints of any size, in the script language: bodies of the ops of arithmetic.

A size is a list of limbs of 64 bits, the lowest first; the last limb of an operand is not 0. The
last limbs of a result may be.
Sources: Knuth, The Art of Computer Programming, volume 2, section 4.3.1; Karatsuba and Ofman, 1962;
Moeller and Granlund, Improved division by invariant integers, 2011.
"""

import numpy as np

from scriptc_runtime import unsafe


def bigint_add(x, y):
    """Sum."""
    if unsafe.bigint_is_small(x) & unsafe.bigint_is_small(y):
        return unsafe.bigint_of(unsafe.bigint_small(x) + unsafe.bigint_small(y))
    return _sum(x, y, _is_negative(y))


def bigint_sub(x, y):
    """Difference."""
    if unsafe.bigint_is_small(x) & unsafe.bigint_is_small(y):
        return unsafe.bigint_of(unsafe.bigint_small(x) - unsafe.bigint_small(y))
    return _sum(x, y, not _is_negative(y))


def _sum(x, y, negative: bool):
    """Return `x` and the size of `y`, which counts as negative or not."""
    one, other = _size_of(x), _size_of(y)
    if _is_negative(x) == negative:
        return _number(_add(one, other), negative)
    if _compared(one, other) < 0:
        return _number(_subtract(other, one), negative)
    return _number(_subtract(one, other), not negative)


def bigint_mul(x, y):
    """Product."""
    if unsafe.bigint_is_small(x) & unsafe.bigint_is_small(y):
        one, other = unsafe.bigint_small(x), unsafe.bigint_small(y)
        if -2147483648 <= one <= 2147483647 and -2147483648 <= other <= 2147483647:
            return unsafe.bigint_of(one * other)
    negative = _is_negative(x) != _is_negative(y)
    if unsafe.bigint_is_small(y):
        return _number(_times(_size_of(x), np.uint64(abs(unsafe.bigint_small(y)))), negative)
    if unsafe.bigint_is_small(x):
        return _number(_times(_size_of(y), np.uint64(abs(unsafe.bigint_small(x)))), negative)
    return _number(_multiply(_size_of(x), _size_of(y)), negative)


def bigint_floordiv(x, y):
    """Floor of the quotient."""
    if unsafe.bigint_is_small(x) & unsafe.bigint_is_small(y):
        return unsafe.bigint_of(unsafe.bigint_small(x) // unsafe.bigint_small(y))
    quotient, _ = bigint_divmod(x, y)
    return quotient


def bigint_mod(x, y):
    """Remainder, with the sign of the divisor."""
    if unsafe.bigint_is_small(y):
        if unsafe.bigint_small(y) == 0:
            raise ZeroDivisionError("integer modulo by zero")
        number = unsafe.bigint_small(y)
        if unsafe.bigint_is_small(x):
            return unsafe.bigint_of(unsafe.bigint_small(x) % number)
        rest = int(_rest_by_limb(unsafe.bigint_limbs(x), np.uint64(abs(number))))
        if rest != 0 and unsafe.bigint_negative(x) != (number < 0):
            rest = abs(number) - rest
        return unsafe.bigint_of(-rest if number < 0 else rest)
    _, rest = bigint_divmod(x, y)
    return rest


def bigint_divmod(x, y):
    """Floor of the quotient, and the remainder."""
    divisor = _size_of(y)
    if len(divisor) == 0:
        raise ZeroDivisionError("integer division or modulo by zero")
    negative = _is_negative(y)
    quotient, rest = _divide(_size_of(x), divisor)
    if _is_negative(x) == negative:
        return _number(quotient, False), _number(rest, negative)
    if len(rest) == 0:
        return _number(quotient, True), unsafe.bigint_of(0)
    return _number(_add(quotient, [np.uint64(1)]), True), _number(
        _subtract(divisor, rest), negative
    )


def bigint_neg(x):
    """Change the sign."""
    if unsafe.bigint_is_small(x):
        return unsafe.bigint_of(-unsafe.bigint_small(x))
    return _number(unsafe.bigint_limbs(x), not unsafe.bigint_negative(x))


def bigint_abs(x):
    """Drop the sign."""
    return -x if _is_negative(x) else x


def bigint_order(x, y) -> int:
    """-1 where `x` is less, 0 where both are equal, else 1."""
    if unsafe.bigint_is_small(x) & unsafe.bigint_is_small(y):
        one, other = unsafe.bigint_small(x), unsafe.bigint_small(y)
        return int(one > other) - int(one < other)
    negative = _is_negative(x)
    if negative != _is_negative(y):
        return -1 if negative else 1
    found = _compared(_size_of(x), _size_of(y))
    return -found if negative else found


def bigint_equal(x, y) -> bool:
    """Whether both are equal."""
    if unsafe.bigint_is_small(x) | unsafe.bigint_is_small(y):
        both = unsafe.bigint_is_small(x) & unsafe.bigint_is_small(y)
        return both and unsafe.bigint_small(x) == unsafe.bigint_small(y)
    if unsafe.bigint_negative(x) != unsafe.bigint_negative(y):
        return False
    return _compared(unsafe.bigint_limbs(x), unsafe.bigint_limbs(y)) == 0


def _is_negative(x) -> bool:
    if unsafe.bigint_is_small(x):
        return unsafe.bigint_small(x) < 0
    return unsafe.bigint_negative(x)


def _size_of(x):
    """Return the size of a number, which is not to be changed."""
    if not unsafe.bigint_is_small(x):
        return unsafe.bigint_limbs(x)
    number = unsafe.bigint_small(x)
    if number == 0:
        return _zeros(0)
    return [np.uint64(abs(number))]


def _number(size, negative: bool):
    """Return the number of a size, of which nothing will change a limb that is not 0."""
    size = _trimmed(size)
    if len(size) == 0:
        return unsafe.bigint_of(0)
    if len(size) == 1 and size[0] <= np.uint64(0x4000000000000000):
        number = int(size[0])
        return unsafe.bigint_of(-number if negative else number)
    return unsafe.bigint_made(size, negative)


def _zeros(count: int):
    """Return so many limbs that are 0."""
    return [np.uint64(0)] * count


def _compared(x, y) -> int:
    """Return -1, 0 or 1: whether one size is less than, equal to or more than another one."""
    if len(x) != len(y):
        return -1 if len(x) < len(y) else 1
    for k in range(len(x) - 1, -1, -1):
        if x[k] != y[k]:
            return -1 if x[k] < y[k] else 1
    return 0


def _trimmed(x):
    """Drop the last limbs that are 0."""
    size = len(x)
    while size > 0 and x[size - 1] == np.uint64(0):
        size -= 1
    unsafe.list_set_size(x, np.int64(size))
    return x


def _add(x, y):
    """Return the sum."""
    if len(x) < len(y):
        x, y = y, x
    out = _zeros(len(x) + 1)
    carry = np.uint64(0)
    for k in range(len(y)):
        at = np.int64(k)
        total = unsafe.list_load(x, at) + unsafe.list_load(y, at)
        over = np.uint64(total < unsafe.list_load(y, at))
        total += carry
        carry = over | np.uint64(total < carry)
        unsafe.list_store(out, at, total)
    for k in range(len(y), len(x)):
        at = np.int64(k)
        total = unsafe.list_load(x, at) + carry
        carry = np.uint64(total < carry)
        unsafe.list_store(out, at, total)
    out[len(x)] = carry
    return out


def _subtract(x, y):
    """Return the difference: `x` is not less than `y`."""
    out = _zeros(len(x))
    borrow = np.uint64(0)
    for k in range(len(y)):
        at = np.int64(k)
        first, second = unsafe.list_load(x, at), unsafe.list_load(y, at)
        rest = first - second
        under = np.uint64(first < second) | np.uint64(rest < borrow)
        unsafe.list_store(out, at, rest - borrow)
        borrow = under
    for k in range(len(y), len(x)):
        at = np.int64(k)
        first = unsafe.list_load(x, at)
        unsafe.list_store(out, at, first - borrow)
        borrow = np.uint64(first < borrow)
    return out


def _times(x, factor: np.uint64):
    """Return the product by a limb."""
    out = _zeros(len(x) + 1)
    carry = np.uint64(0)
    for k in range(len(x)):
        at = np.int64(k)
        limb = unsafe.list_load(x, at)
        low = limb * factor + carry
        carry = unsafe.high_product(limb, factor) + np.uint64(low < carry)
        unsafe.list_store(out, at, low)
    out[len(x)] = carry
    return out


def _multiply(x, y):
    """Return the product."""
    if len(x) < len(y):
        x, y = y, x
    if len(y) < 40:  # from there on three products of halves take less time than four
        return _by_rows(x, y)
    if len(x) < 2 * len(y):
        return _by_halves(x, y)
    out = _zeros(len(x) + len(y))
    for first in range(0, len(x), len(y)):
        part = _trimmed(x[first : first + len(y)])
        _add_at(out, _trimmed(_by_halves(part, y)), first)
    return out


def _by_rows(x, y):
    """Return the product as it is computed by hand."""
    out = _zeros(len(x) + len(y))
    for k in range(len(y)):
        out[k + len(x)] = _add_product(out, x, y[k], k)
    return out


def _add_product(out, x, factor: np.uint64, first: int) -> np.uint64:
    """Add `x` times a limb to limbs from `first` on, and return what is carried."""
    carry = np.uint64(0)
    place = np.int64(first)
    for k in range(len(x)):
        at = np.int64(k)
        limb = unsafe.list_load(x, at)
        low, high = limb * factor, unsafe.high_product(limb, factor)
        low += carry
        high += np.uint64(low < carry)
        before = unsafe.list_load(out, place + at)
        low += before
        carry = high + np.uint64(low < before)
        unsafe.list_store(out, place + at, low)
    return carry


def _by_halves(x, y):
    """Return the product by Karatsuba's three products of halves.

    What is to be multiplied waits in a list, and so do products that others are made of: calls of
    compiled library code are not counted, as those of a function that calls itself are.
    """
    factors = [x, y]
    found = [_zeros(0)]
    tasks = [0]  # how long a half is where products are put together
    while len(tasks) > 0:
        half = tasks.pop()
        if half > 0:
            low, high, middle = found.pop(), found.pop(), found.pop()
            found.append(_of_halves(low, high, middle, half))
            continue
        one, other = factors.pop(), factors.pop()
        if len(one) < len(other):
            one, other = other, one
        if len(other) < 40:
            found.append(_trimmed(_by_rows(one, other)))
            continue
        half = (len(one) + 1) // 2
        parts = _trimmed(one[:half]), one[half:], _trimmed(other[:half]), other[half:]
        factors += [parts[0], parts[2], parts[1], parts[3]]
        factors += [_trimmed(_add(parts[0], parts[1])), _trimmed(_add(parts[2], parts[3]))]
        tasks += [half, 0, 0, 0]
    return found.pop()


def _of_halves(low, high, middle, half: int):
    """Return a product of the products of the lower halves, of the upper ones and of sums."""
    middle = _trimmed(_subtract(_trimmed(_subtract(middle, low)), high))
    out = _zeros(max(len(low), len(middle) + half, len(high) + 2 * half) + 1)
    _add_at(out, low, 0)
    _add_at(out, high, 2 * half)
    _add_at(out, middle, half)
    return _trimmed(out)


def _add_at(out, x, first: int) -> None:
    """Add a size to limbs from `first` on, which take the sum."""
    carry = np.uint64(0)
    place = np.int64(first)
    for k in range(len(x)):
        at = np.int64(k)
        limb = unsafe.list_load(x, at)
        total = unsafe.list_load(out, place + at) + limb
        over = np.uint64(total < limb)
        total += carry
        carry = over | np.uint64(total < carry)
        unsafe.list_store(out, place + at, total)
    k = first + len(x)
    while carry != np.uint64(0):
        out[k] += carry
        carry = np.uint64(out[k] == np.uint64(0))
        k += 1


def _divide(x, y):
    """Return quotient and rest: Knuth's algorithm D, by the inverse of the first limb."""
    if _compared(x, y) < 0:
        return _zeros(0), x
    if len(y) == 1:
        return _by_limb(x, y[0])
    shift = _leading_zeros(y[len(y) - 1])
    divisor, rest = _trimmed(_scaled(y, shift)), _scaled(x, shift)
    top = divisor[len(divisor) - 1]
    inverse = _inverse(top)
    size = len(divisor)
    quotient = _zeros(len(rest) - size)
    for k in range(len(rest) - size - 1, -1, -1):
        quotient[k] = _next_limb(rest, divisor, k, inverse)
    return _trimmed(quotient), _trimmed(_scaled_back(rest, shift))


def _by_limb(x, divisor: np.uint64):
    """Return quotient and rest by one limb."""
    shift = np.uint64(_leading_zeros(divisor))
    divisor <<= shift
    inverse = _inverse(divisor)
    out = _zeros(len(x))
    # A shift by 64 bits is made of two, of which each may be of any count below.
    rest = x[len(x) - 1] >> np.uint64(1) >> (np.uint64(63) - shift)
    for k in range(len(x) - 1, -1, -1):
        limb = x[k] << shift
        if k > 0:
            limb |= x[k - 1] >> np.uint64(1) >> (np.uint64(63) - shift)
        out[k], rest = _two_by_one(rest, limb, divisor, inverse)
    return _trimmed(out), _trimmed([rest >> shift])


def _rest_by_limb(x, divisor: np.uint64) -> np.uint64:
    """Return the rest by one limb."""
    if divisor & (divisor - np.uint64(1)) == np.uint64(0):
        return x[0] & (divisor - np.uint64(1))
    shift = np.uint64(_leading_zeros(divisor))
    divisor <<= shift
    inverse = _inverse(divisor)
    rest = x[len(x) - 1] >> np.uint64(1) >> (np.uint64(63) - shift)
    for k in range(len(x) - 1, -1, -1):
        limb = x[k] << shift
        if k > 0:
            limb |= x[k - 1] >> np.uint64(1) >> (np.uint64(63) - shift)
        _, rest = _two_by_one(rest, limb, divisor, inverse)
    return rest >> shift


def _scaled(x, shift: int):
    """Return a size times a power of two below that of a limb, with one limb more."""
    out = _zeros(len(x) + 1)
    out[len(x)] = _add_product(out, x, np.uint64(1) << np.uint64(shift), 0)
    return out


def _scaled_back(x, shift: int):
    """Return a size by a power of two that it is a multiple of."""
    if shift > 0:
        up, down = np.uint64(64 - shift), np.uint64(shift)
        for k in range(len(x) - 1):
            x[k] = (x[k] >> down) | (x[k + 1] << up)
        x[len(x) - 1] >>= down
    return x


def _leading_zeros(limb: np.uint64) -> int:
    """Return how many bits above the first 1 of a limb there are."""
    count = 0
    for step in (32, 16, 8, 4, 2, 1):
        if limb >> np.uint64(64 - step) == np.uint64(0):
            limb <<= np.uint64(step)
            count += step
    return count


def _next_limb(rest, divisor, place: int, inverse: np.uint64) -> np.uint64:
    """Return a limb of a quotient, and take what it stands for from the rest."""
    size = len(divisor)
    top = divisor[size - 1]
    first, second = rest[place + size], rest[place + size - 1]
    is_sure = False
    if first >= top:
        limb = np.uint64(0xFFFFFFFFFFFFFFFF)
        left = second + top
        is_sure = bool(left < top)
    else:
        limb, left = _two_by_one(first, second, top, inverse)
    if size > 1:
        below, third = divisor[size - 2], rest[place + size - 2]
        while not is_sure:
            low, high = limb * below, unsafe.high_product(limb, below)
            if (high < left) | ((high == left) & (low <= third)):
                break
            limb -= np.uint64(1)
            left += top
            is_sure = bool(left < top)
    if limb == np.uint64(0):
        return limb
    borrow = _take_product(rest, divisor, limb, place)
    if rest[place + size] < borrow:
        limb -= np.uint64(1)
        borrow -= _put_back(rest, divisor, place)
    rest[place + size] -= borrow
    return limb


def _take_product(out, x, factor: np.uint64, first: int) -> np.uint64:
    """Take `x` times a limb from limbs from `first` on, and return what is missing."""
    missing = np.uint64(0)
    place = np.int64(first)
    for k in range(len(x)):
        at = np.int64(k)
        limb = unsafe.list_load(x, at)
        low, high = limb * factor, unsafe.high_product(limb, factor)
        low += missing
        high += np.uint64(low < missing)
        before = unsafe.list_load(out, place + at)
        missing = high + np.uint64(before < low)
        unsafe.list_store(out, place + at, before - low)
    return missing


def _put_back(out, x, first: int) -> np.uint64:
    """Add `x` to limbs from `first` on, and return what is carried."""
    carry = np.uint64(0)
    for k in range(len(x)):
        total = out[first + k] + x[k]
        over = np.uint64(total < x[k])
        total += carry
        carry = over | np.uint64(total < carry)
        out[first + k] = total
    return carry


def _two_by_one(first: np.uint64, second: np.uint64, divisor: np.uint64, inverse: np.uint64):
    """Return quotient and rest of two limbs by one whose highest bit is 1, and that is larger.

    Moeller and Granlund, algorithm 4.
    """
    low = inverse * first + second
    high = unsafe.high_product(inverse, first) + first + np.uint64(low < second)
    high += np.uint64(1)
    rest = second - high * divisor
    if rest > low:
        high -= np.uint64(1)
        rest += divisor
    if rest >= divisor:
        high += np.uint64(1)
        rest -= divisor
    return high, rest


def _inverse(divisor: np.uint64) -> np.uint64:
    """Return (2**128 - 1) // divisor - 2**64, of a divisor whose highest bit is 1.

    The quotient of (2**64 - 1 - divisor, 2**64 - 1) by it, in two steps of 32 bits: Knuth's
    algorithm with digits of 32 bits.
    """
    low32 = np.uint64(0xFFFFFFFF)
    half = np.uint64(32)
    top, below = divisor >> half, divisor & low32
    rest = ~divisor
    result = np.uint64(0)
    for _ in range(2):
        digit = rest // top
        left = rest - digit * top
        while (digit > low32) | (digit * below > ((left << half) | low32)):
            digit -= np.uint64(1)
            left += top
            if left > low32:
                break
        rest = ((rest << half) | low32) - digit * divisor
        result = (result << half) | digit
    return result
