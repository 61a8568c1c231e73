"""Functions of Python's `math` that are programs, and the rounding of numbers.

Where loops over arrays call them, conditions are joined by `&` and `|`: these compute both sides,
so that there is no branch in the loop.
"""

import math
from collections.abc import Iterable

import numpy as np

from scriptc_runtime import unsafe


def pow(x: float, y: float, /) -> float:
    """Return the power; a pole is an error of the domain, as is what has no real power."""
    result = unsafe.c_pow(x, y)
    fails = (not math.isfinite(result)) & math.isfinite(x) & math.isfinite(y)
    if fails & (math.isnan(result) | (x == 0.0)):
        raise ValueError("math domain error")
    if fails:
        raise OverflowError("math range error")
    return result


def isclose(a: float, b: float, *, rel_tol: float = 1e-09, abs_tol: float = 0.0) -> bool:
    """Return whether two numbers are as near to each other as one of the tolerances allows."""
    if (rel_tol < 0.0) | (abs_tol < 0.0):
        raise ValueError("tolerances must be non-negative")
    apart = abs(b - a)
    near = (apart <= abs(rel_tol * b)) | (apart <= abs(rel_tol * a)) | (apart <= abs_tol)
    return (a == b) | (math.isfinite(a) & math.isfinite(b) & near)


def fmod(x: float, y: float, /) -> float:
    """Return the remainder with the sign of `x`."""
    result = unsafe.c_fmod(x, y)
    if math.isnan(result) & (not math.isnan(x)) & (not math.isnan(y)):
        raise ValueError("math domain error")
    return result


def gamma(x: float, /) -> float:
    """Return the gamma function."""
    if (np.floor(x) == x) & (x <= 0.0):
        raise ValueError("math domain error")
    result = unsafe.c_gamma(x)
    if math.isinf(result) & (not math.isinf(x)):
        raise OverflowError("math range error")
    return result


def lgamma(x: float, /) -> float:
    """Return the logarithm of the gamma function's absolute value."""
    if (np.floor(x) == x) & (x <= 0.0) & math.isfinite(x):
        raise ValueError("math domain error")
    result = unsafe.c_lgamma(x)
    if math.isinf(result) & (not math.isinf(x)):
        raise OverflowError("math range error")
    return result


def hypot(*coordinates: float) -> float:
    """Return the square root of the sum of all squares."""
    if len(coordinates) == 0:
        return 0.0
    if len(coordinates) == 1:
        return abs(coordinates[0])
    return length_of(coordinates)


def length_of(coordinates) -> float:
    """Return the square root of the sum of all squares, as CPython 3.11 adds these up."""
    largest = 0.0
    for value in coordinates:
        largest = max(largest, abs(float(value)))
    if (largest > 2.0**-900) & (largest < 2.0**900):
        # What the first digit of the largest one stands for (Rump: unit in the first place).
        shifted = largest * (2.0**52 + 1.0)
        unit = shifted - (1.0 - 2.0**-53) * shifted
        return _scaled_length(coordinates, 0.5 / unit) * (2.0 * unit)
    return _extreme_length(coordinates, largest)


def _scaled_length(coordinates, scale: float) -> float:
    """Return the length of coordinates times `scale`, which makes the largest 0.5 or more, below 1.

    Each square is split into two floats without an error (Veltkamp), and what the sum of the larger
    parts loses is added at its end; the root is corrected once (Modules/mathmodule.c, vector_norm).
    """
    total, lost, other, low_squares = 1.0, 0.0, 0.0, 0.0
    for value in coordinates:
        part = abs(float(value)) * scale
        split = part * 134217729.0
        high = split - (split - part)
        low = part - high
        square = high * high
        before = total
        total += square
        lost += (before - total) + square
        square = 2.0 * high * low
        before = total
        total += square
        other += (before - total) + square
        low_squares += low * low
    root = math.sqrt(total - 1.0 + (lost + other + low_squares))
    split = root * 134217729.0
    high = split - (split - root)
    low = root - high
    square = -high * high
    before = total
    total += square
    lost += (before - total) + square
    square = -2.0 * high * low
    before = total
    total += square
    other += (before - total) + square
    square = -low * low
    before = total
    total += square
    low_squares += (before - total) + square
    rest = total - 1.0 + (lost + other + low_squares)
    return root + rest / (2.0 * root)


def _extreme_length(coordinates, largest: float) -> float:
    """Return the length of what is no number, without an end, 0, or near to one of the last two."""
    for value in coordinates:
        if math.isinf(value):
            return math.inf
    for value in coordinates:
        if math.isnan(value):
            return math.nan
    if largest == 0.0:
        return 0.0
    if largest >= 2.0**-1023:
        _, power = math.frexp(largest)
        scale = math.ldexp(1.0, -power)
        return _scaled_length(coordinates, scale) / scale
    # No scale makes them large enough.
    total, lost = 1.0, 0.0
    for value in coordinates:
        part = float(value) / largest
        square = part * part
        before = total
        total += square
        lost += (before - total) + square
    return largest * math.sqrt(total - 1.0 + lost)


def hypot_of(coordinates) -> float:
    """Return the square root of the sum of all squares."""
    distances = [abs(float(value)) for value in coordinates]
    return distances[0] if len(distances) == 1 else length_of(distances)


def dist(p: np.ndarray, q: np.ndarray, /) -> float:
    """Return how far two points lie apart."""
    if p.ndim != 1:
        unsafe.refuse(
            "p must hold the coordinates of one point, not be {p}",
            "a tuple, a list or an array with one axis",
            "p",
        )
    if q.ndim != 1:
        unsafe.refuse(
            "q must hold the coordinates of one point, not be {q}",
            "a tuple, a list or an array with one axis",
            "q",
        )
    if len(p) != len(q):
        raise ValueError("both points must have the same number of dimensions")
    distances = [abs(float(p[i]) - float(q[i])) for i in range(len(p))]
    return distances[0] if len(distances) == 1 else length_of(distances)


def gcd(*integers: int) -> int:
    """Return the greatest common divisor."""
    total = 0
    for value in integers:
        # That of the least int and 0 would not fit.
        total = value if total == 0 else total if value == 0 else unsafe.gcd(total, value)
    return abs(total)


def lcm(*integers: int) -> int:
    """Return the least common multiple."""
    if len(integers) == 0:
        return 1
    for value in integers:
        # Of 0 and others it is 0, whether or not that of the others fits.
        if value == 0:
            return 0
    total = abs(integers[0])
    for value in integers[1:]:
        total = unsafe.lcm(total, value)
    return total


def factorial(n: int, /) -> int:
    """Return the product of 1 to `n`."""
    if n < 0:
        raise ValueError("factorial() not defined for negative values")
    result = 1
    for i in range(2, n + 1):
        result *= i
    return result


def require_counts(n: int, k: int) -> None:
    """Refuse what is no number of things."""
    if n < 0:
        raise ValueError("n must be a non-negative integer")
    if k < 0:
        raise ValueError("k must be a non-negative integer")


def perm(n: int, k: int | None = None, /) -> int:
    """Return the number of ways to put `k` of `n` things into an order."""
    if k is None:
        return factorial(n)
    require_counts(n, k)
    if k > n:
        return 0
    result = 1
    for i in range(k):
        result *= n - i
    return result


def comb(n: int, k: int, /) -> int:
    """Return the number of ways to choose `k` of `n`; each partial product is such a number."""
    require_counts(n, k)
    if k > n:
        return 0
    result = 1
    for i in range(min(k, n - k)):
        common = unsafe.gcd(result, i + 1)
        result = result // common * ((n - i) // ((i + 1) // common))
    return result


def ldexp(x: float, i: int, /) -> float:
    """Return x * 2**i, rounded once: what leaves the normal range comes last."""
    if x == 0.0 or not math.isfinite(x):
        return x
    result = x
    left = max(min(i, 5000), -5000)
    while left > 1023:
        result *= 2.0**1023
        left -= 1023
    while left < -1022:
        # So far above denormal numbers that only the last step rounds.
        result *= 2.0**-969
        left += 969
    result *= 2.0**left
    if math.isinf(result):
        raise OverflowError("math range error")
    return result


def frexp(x: float, /) -> tuple[float, int]:
    """Return m and e with x = m * 2**e and 0.5 <= abs(m) < 1."""
    if x == 0.0 or not math.isfinite(x):
        return x, 0
    m, e = x, 0
    if abs(m) < 2.0**-900:
        m *= 2.0**200
        e -= 200
    step = 512
    while step > 0:
        if abs(m) >= 2.0**step:
            m *= 2.0**-step
            e += step
        elif abs(m) < 2.0**-step:
            m *= 2.0**step
            e -= step
        step //= 2
    while abs(m) >= 1.0:
        m *= 0.5
        e += 1
    while abs(m) < 0.5:
        m *= 2.0
        e -= 1
    return m, e


def modf(x: float, /) -> tuple[float, float]:
    """Return what comes after and before the point, both with the sign of `x`."""
    if math.isinf(x):
        return math.copysign(0.0, x), x
    part = math.fmod(x, 1.0)
    return math.copysign(part, x), math.copysign(x - part, x)


def is_integer(self: float, /) -> bool:
    """Return whether a float is a whole number."""
    return math.isfinite(self) and math.fmod(self, 1.0) == 0.0


def ulp(x: float, /) -> float:
    """Return the value of the last bit of `x`."""
    size = abs(x)
    if not math.isfinite(x):
        return size
    _, e = frexp(size)
    if size == 0.0 or e < -1020:
        return 5e-324
    return ldexp(1.0, e - 53)


def nextafter(x: float, y: float, /) -> float:
    """Return the next float after `x` in the direction of `y`."""
    if math.isnan(x) or math.isnan(y):
        return x + y
    if x == y:
        return y
    if x == 0.0:
        return math.copysign(5e-324, y)
    if math.isinf(x):
        return math.copysign(1.7976931348623157e308, x)
    away = (x < y) == (x > 0.0)
    step = ulp(x)
    m, _ = frexp(abs(x))
    if not away and m == 0.5 and step > 5e-324:
        step *= 0.5
    # A step too far gives an infinity, as it should.
    return math.copysign(abs(x) + step if away else abs(x) - step, x)


def remainder(x: float, y: float, /) -> float:
    """Return x - n * y for the whole number n that is nearest to x / y, the even one of two."""
    if math.isnan(x) or math.isnan(y):
        return x + y
    if math.isinf(x) or y == 0.0:
        raise ValueError("math domain error")
    if math.isinf(y):
        return x
    size, by = abs(x), abs(y)
    rest = math.fmod(size, by)
    other = by - rest
    if rest > other:
        rest = -other
    elif rest == other:
        rest = rest - 2.0 * math.fmod(0.5 * (size - rest), by)
    return math.copysign(1.0, x) * rest


def items_prod(items, start):
    """Multiply all items with `start`, one after the other."""
    total = start
    for item in items:
        total = total * item
    return total


def fsum(seq: Iterable[float], /) -> float:
    """Return the exact sum of floats, rounded once.

    Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric predicates"
    (1997): what rounding takes away is kept in partial sums that do not overlap.
    """
    special = _sum_of_others(seq)
    if special != 0.0:
        return special
    partials = [0.0]
    for item in seq:
        x = float(item)
        count = 0
        for j in range(len(partials)):
            y = partials[j]
            if abs(x) < abs(y):
                x, y = y, x
            high = x + y
            low = y - (high - x)
            if low != 0.0:
                partials[count] = low
                count += 1
            x = high
        if math.isinf(x):
            raise OverflowError("intermediate overflow in fsum")
        while len(partials) > count:
            partials.pop()
        partials.append(x)
    return _rounded(partials)


def _sum_of_others(items) -> float:
    """Add up what is infinite or NaN; 0.0 stands for nothing."""
    total, infinite = 0.0, 0.0
    for item in items:
        x = float(item)
        if math.isinf(x):
            infinite += x
        if not math.isfinite(x):
            total += x
    if math.isnan(infinite):
        raise ValueError("-inf + inf in fsum")
    return total


def _rounded(partials: list[float]) -> float:
    """Add partial sums, the largest first; what lies half way goes where the next ones point."""
    n = len(partials)
    if n == 0:
        return 0.0
    n -= 1
    high, low = partials[n], 0.0
    while n > 0:
        n -= 1
        x, y = high, partials[n]
        high = x + y
        low = y - (high - x)
        if low != 0.0:
            break
    if n > 0 and ((low < 0.0 and partials[n - 1] < 0.0) or (low > 0.0 and partials[n - 1] > 0.0)):
        y = low * 2.0
        x = high + y
        if y == x - high:
            high = x
    return high


def round_float(x: float, n: int) -> float:
    """Round to `n` places after the point: the decimal number nearest to `x`, the even one of two.

    Powers of ten up to 10**22 are floats. Both `x` times such a power and what is lost of that
    product are known exactly, so ties are.
    """
    if x == 0.0 or not math.isfinite(x) or n > 323:
        return x
    if n < -308:
        return math.copysign(0.0, x)
    size = abs(x)
    if n < 0:
        return math.copysign(_round_to_tens(size, -n), x)
    if n > 22 and size < 2.0**53 / 1e22:
        raise ValueError("rounding to so many places is not built for a number as small as this")
    power = 10.0 ** min(n, 22)
    if size >= 2.0**53 / power:
        return x  # its last bit is worth more than the last place
    return math.copysign(_nearest(size, power) / power, x)


def _nearest(x: float, power: float) -> float:
    """Return the whole number nearest to the exact product, which is below 2**53."""
    product = x * power
    lost = _lost(x, power, product)
    whole = math.floor(product)
    # At a whole product what is lost of it decides where it lies.
    beyond = (product - whole) - 0.5
    if beyond == 0.0:
        beyond = lost
    up = beyond > 0.0 or (beyond == 0.0 and whole % 2 == 1)
    return float(whole + 1 if up else whole)


def _lost(x: float, y: float, product: float) -> float:
    """Return x * y - product, exactly (Dekker 1971: halves of numbers have exact products)."""
    a = 134217729.0 * x
    x_high = a - (a - x)
    x_low = x - x_high
    b = 134217729.0 * y
    y_high = b - (b - y)
    y_low = y - y_high
    return ((x_high * y_high - product) + x_high * y_low + x_low * y_high) + x_low * y_low


def _round_to_tens(x: float, n: int) -> float:
    """Round a number that is not negative to a multiple of 10**n."""
    power = 10.0**n
    if x / 2.0**53 >= (power if n <= 22 else 1.1 * power):
        return x  # its last bit is worth more than the last place
    if x < 0.4 * power:
        return 0.0
    if n > 22:
        raise ValueError("rounding to so many tens is not built for a number such as this")
    rest = math.fmod(x, power)
    times = (x - rest) / power
    half = power * 0.5
    up = rest > half or (rest == half and math.fmod(times, 2.0) == 1.0)
    result = (times + 1.0 if up else times) * power
    if math.isinf(result):
        raise OverflowError("rounded value too large to represent")
    return result


def round_int(x: int, n: int) -> int:
    """Round to a multiple of 10**-n, the even one of two; places after the point change nothing."""
    if n >= 0:
        return x
    if n < -19 or (n == -19 and -(5 * 10**18) <= x <= 5 * 10**18):
        return 0
    if n == -19:
        raise OverflowError("integer result does not fit in 64 bits")
    power = 10 ** int(-n)
    rest = x % power
    half = power // 2
    if rest > half or (rest == half and x // power % 2 != 0):
        return x + (power - rest)
    return x - rest
