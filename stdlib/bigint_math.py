"""Functions of `math` on ints of any size, in the script language."""

from scriptc_runtime import unsafe


def gcd(*integers: unsafe.AnySize):
    """Return the greatest common divisor."""
    total = unsafe.bigint_of(0)
    for value in integers:
        total = unsafe.bigint_gcd(total, value)
    return total


def lcm(*integers: unsafe.AnySize):
    """Return the least common multiple."""
    total = unsafe.bigint_of(1)
    for value in integers:
        if not value:
            return value
        total = abs(total // unsafe.bigint_gcd(total, value) * value)
    return total


def isqrt(n):
    """Return the largest int whose square is not above `n`, by Newton's method from above."""
    if n < 0:
        raise ValueError("isqrt() argument must be nonnegative")
    if not n:
        return n
    root = unsafe.bigint_of(1) << (n.bit_length() + 1) // 2
    while True:
        better = (root + n // root) >> 1
        if better >= root:
            return root
        root = better


def factorial(n: unsafe.AnySize, /):
    """Return the product of 1 to `n`."""
    if n < 0:
        raise ValueError("factorial() not defined for negative values")
    return _product(2, int(n) + 1)


def _product(first: int, stop: int):
    """Return the product of the ints from `first` on below `stop`: of halves of one length."""
    if stop - first > 16:
        middle = (first + stop) // 2
        return _product(first, middle) * _product(middle, stop)
    result = unsafe.bigint_of(1)
    part = 1
    for k in range(first, stop):
        if part > 4611686018427387904 // k:
            result *= part
            part = 1
        part *= k
    return result * part


def perm(n: unsafe.AnySize, k: unsafe.AnySize | None = None, /):
    """Return the number of ways to put `k` of `n` things into an order."""
    if k is None:
        return factorial(n)
    _require_counts(n, k)
    if k > n:
        return unsafe.bigint_of(0)
    result = unsafe.bigint_of(1)
    for i in range(k):
        result *= n - i
    return result


def comb(n: unsafe.AnySize, k: unsafe.AnySize, /):
    """Return the number of ways to choose `k` of `n`; each partial product is such a number."""
    _require_counts(n, k)
    if k > n:
        return unsafe.bigint_of(0)
    result = unsafe.bigint_of(1)
    for i in range(min(k, n - k)):
        result = result * (n - i) // (i + 1)
    return result


def _require_counts(n, k) -> None:
    if n < 0:
        raise ValueError("n must be a non-negative integer")
    if k < 0:
        raise ValueError("k must be a non-negative integer")


def nearest_int(x):
    """Return the number that is nearest to `x` and that 64 bits hold."""
    return max(-9223372036854775807 - 1, min(x, 9223372036854775807))


def range_length(start, stop, step):
    """Return how many ints a range has; of more than 2**63 - 1 it has as many."""
    if not step:
        raise ValueError("range() arg 3 must not be zero")
    if step < 0:
        start, stop, step = stop, start, -step
    return nearest_int((stop - start + step - 1) // step) if start < stop else 0


def in_range(x, start, stop, step) -> bool:
    """Whether a range has `x`."""
    if not step:
        raise ValueError("range() arg 3 must not be zero")
    inside = stop < x and x <= start if step < 0 else start <= x and x < stop
    return inside and not (x - start) % step


def round_int(x, n: int):
    """Round to a multiple of 10**-n, the even one of two; places after the point change nothing."""
    if n >= 0:
        return x
    power = unsafe.bigint_of(10) ** -n
    times, rest = divmod(x, power)
    twice = rest * 2
    if twice > power or (twice == power and times % 2 == 1):
        times += 1
    return times * power
