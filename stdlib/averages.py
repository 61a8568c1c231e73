"""The functions of `statistics`, in the script language, as CPython 3.11 has them.

CPython computes with fractions and rounds once. Here sums are kept exactly in limbs of 24 bits, of
numbers of any size: limb k counts 2**(24 * k - ONE) or, in sums of squares, 2**(24 * k - 2 * ONE).
"""

# What an exception comes from is what it comes from in CPython: nothing is said of it.
# ruff: noqa: B904

import math
from collections import Counter
from statistics import LinearRegression, StatisticsError

import numpy as np

from scriptc_runtime import unsafe


def mean(data):
    """Return the exact mean, rounded once; of ints an int where it is one."""
    values = _values(data)
    if len(values) == 0:
        raise StatisticsError("mean requires at least one data point")
    if isinstance(values[0], float):
        special, total = _sum(values)
        if not math.isfinite(special):
            return special / len(values)
        return _divided(total, 1126, len(values), 1)
    return _number(_sum(values)[1], 1126, len(values), 1)


def fmean(data, weights=None):
    """Return the mean of data as floats."""
    values = [float(x) for x in data]
    if weights is None:
        if len(values) == 0:
            raise StatisticsError("fmean requires at least one data point")
        return math.fsum(values) / len(values)
    factors = [w for w in weights]
    total = math.fsum([x * w for x, w in zip(_values(data), factors, strict=False)])
    if len(values) != len(factors):
        raise StatisticsError("data and weights must be the same length")
    weight = math.fsum([float(w) for w in factors])
    if weight == 0.0:
        raise StatisticsError("sum of weights must be non-zero")
    return total / weight


def geometric_mean(data):
    """Return the mean of the logarithms, as a power."""
    try:
        return math.exp(fmean([math.log(x) for x in data]))
    except ValueError:
        raise StatisticsError(
            "geometric mean requires a non-empty dataset containing positive numbers"
        ) from None


def median(data):
    """Return the item in the middle, or the mean of the two there."""
    values = sorted(data)
    if len(values) == 0:
        raise StatisticsError("no median for empty data")
    place = len(values) // 2
    if len(values) % 2 == 1:
        return values[place]
    return (values[place - 1] + values[place]) / 2


def median_low(data):
    """Return the item in the middle, or the lower of the two there."""
    values = sorted(data)
    if len(values) == 0:
        raise StatisticsError("no median for empty data")
    return values[(len(values) - 1) // 2]


def median_high(data):
    """Return the item in the middle, or the higher of the two there."""
    values = sorted(data)
    if len(values) == 0:
        raise StatisticsError("no median for empty data")
    return values[len(values) // 2]


def median_grouped(data, interval=1.0):
    """Return the median of data that stand for intervals, of which they are the midpoints."""
    values = sorted(data)
    if len(values) == 0:
        raise StatisticsError("no median for empty data")
    x = values[len(values) // 2]
    below, equal = 0, 0
    for value in values:
        if value < x:
            below += 1
        elif value == x:
            equal += 1
    width = float(interval)
    return float(x) - width / 2.0 + width * (len(values) / 2 - below) / equal


def mode(data):
    """Return the commonest item, the first of several."""
    pairs = Counter(data).most_common(1)
    try:
        return pairs[0][0]
    except IndexError:
        raise StatisticsError("no mode for empty data") from None


def multimode(data):
    """Return the commonest items."""
    counts = Counter(data)
    most = 0
    for number in counts.values():
        most = max(most, number)
    return [item for item, number in counts.items() if number == most]


def quantiles(data, *, n=4, method="exclusive"):
    """Return the `n - 1` numbers that cut data into parts of equal probability."""
    if n < 1:
        raise StatisticsError("n must be at least 1")
    values = sorted(data)
    count = len(values)
    if count < 2:
        raise StatisticsError("must have at least two data points")
    found = []
    if method == "inclusive":
        for i in range(1, n):
            j = i * (count - 1) // n
            rest = i * (count - 1) % n
            found.append((values[j] * (n - rest) + values[j + 1] * rest) / n)
        return found
    if method != "exclusive":
        raise ValueError(f"Unknown method: {method!r}")
    for i in range(1, n):
        j = min(max(i * (count + 1) // n, 1), count - 1)
        rest = i * (count + 1) - j * n
        found.append((values[j - 1] * (n - rest) + values[j] * rest) / n)
    return found


def variance(data, xbar=None):
    """Return the variance of a sample."""
    values = _values(data)
    if len(values) < 2:
        raise StatisticsError("variance requires at least two data points")
    return _variance(values, xbar, len(values) - 1)


def pvariance(data, mu=None):
    """Return the variance of a population."""
    values = _values(data)
    if len(values) < 1:
        raise StatisticsError("pvariance requires at least one data point")
    return _variance(values, mu, len(values))


def stdev(data, xbar=None):
    """Return the square root of the variance of a sample."""
    values = _values(data)
    if len(values) < 2:
        raise StatisticsError("stdev requires at least two data points")
    return _deviation(values, xbar, len(values) - 1)


def pstdev(data, mu=None):
    """Return the square root of the variance of a population."""
    values = _values(data)
    if len(values) < 1:
        raise StatisticsError("pstdev requires at least one data point")
    return _deviation(values, mu, len(values))


def covariance(x, y, /):
    """Return the covariance of two samples."""
    if len(y) != len(x):
        raise StatisticsError(
            "covariance requires that both inputs have same number of data points"
        )
    if len(x) < 2:
        raise StatisticsError("covariance requires at least two data points")
    return _products(x, y)[1] / (len(x) - 1)


def correlation(x, y, /):
    """Return Pearson's coefficient of two samples."""
    if len(y) != len(x):
        raise StatisticsError(
            "correlation requires that both inputs have same number of data points"
        )
    if len(x) < 2:
        raise StatisticsError("correlation requires at least two data points")
    sxx, sxy, syy = _products(x, y)
    try:
        return sxy / math.sqrt(sxx * syy)
    except ZeroDivisionError:
        raise StatisticsError("at least one of the inputs is constant")


def linear_regression(x, y, /, *, proportional=False):
    """Return slope and intercept of the line of least squares."""
    if len(y) != len(x):
        raise StatisticsError(
            "linear regression requires that both inputs have same number of data points"
        )
    if len(x) < 2:
        raise StatisticsError("linear regression requires at least two data points")
    if proportional:
        sxy = math.fsum([float(a * b) for a, b in zip(x, y, strict=False)])
        sxx = math.fsum([float(a * a) for a in x])
    else:
        sxx, sxy, _ = _products(x, y)
    try:
        slope = sxy / sxx
    except ZeroDivisionError:
        raise StatisticsError("x is constant")
    if proportional:
        return LinearRegression(slope, 0.0)
    middle = math.fsum([float(b) for b in y]) / len(y)
    return LinearRegression(slope, middle - slope * (math.fsum([float(a) for a in x]) / len(x)))


def _products(x, y):
    """Return the sums of the products of what deviates from the means: xx, xy and yy."""
    first = [float(a) for a in x]
    second = [float(b) for b in y]
    xbar = math.fsum(first) / len(first)
    ybar = math.fsum(second) / len(second)
    xx = [(a - xbar) * (a - xbar) for a in first]
    xy = [(a - xbar) * (b - ybar) for a, b in zip(first, second, strict=False)]
    yy = [(b - ybar) * (b - ybar) for b in second]
    return math.fsum(xx), math.fsum(xy), math.fsum(yy)


def _values(data):
    if isinstance(data, np.ndarray):
        unsafe.refuse("statistics takes lists, not arrays", "x.tolist(), or the functions of NumPy")
    return [x for x in data]


def _variance(values, middle, divisor: int):
    if middle is not None:
        squares = [(x - middle) * (x - middle) for x in values]
        special, total = _sum(squares)
        if isinstance(squares[0], float):
            if not math.isfinite(special):
                return special / divisor
            return _divided(total, 1126, divisor, 1)
        return _number(total, 1126, divisor, 1)
    special, total = _deviations(values)
    if isinstance(values[0], float):
        if not math.isfinite(special):
            return special / divisor
        return _divided(total, 2252, divisor, len(values))
    return _number(total, 2252, divisor, len(values))


def _deviation(values, middle, divisor: int) -> float:
    if middle is not None:
        special, total = _sum([(x - middle) * (x - middle) for x in values])
    else:
        special, total = _deviations(values)
    if not math.isfinite(special):
        raise AttributeError("'float' object has no attribute 'numerator'")
    if middle is not None:
        return _root(total, 1126, divisor, 1)
    return _root(total, 2252, divisor, len(values))


def _deviations(values):
    """Return n times the exact sum of squares, less the square of the sum, of n numbers."""
    special, total = _sum(values)
    if not math.isfinite(special):
        return special, total
    squares = [0] * 190
    for x in values:
        if isinstance(x, float):
            m, e = math.frexp(x)
            _put_square(squares, int(math.ldexp(m, 53)), 2 * (e + 1073))
        else:
            _put_square(squares, int(x), 2252)
    _carry(squares)
    for k in range(len(squares)):
        squares[k] *= len(values)
    _carry(squares)
    _carry(total)
    last = len(total) - 1
    while last > 0 and total[last] == 0:
        last -= 1
    first = 0
    while first < last and total[first] == 0:
        first += 1
    for i in range(first, last + 1):
        for j in range(first, last + 1):
            squares[i + j] -= total[i] * total[j]
    return special, squares


def _sum(values):
    """Return the sum of what is not finite, and the limbs of the sum of all else."""
    special = 0.0
    total = [0] * 95
    for x in values:
        if isinstance(x, float):
            if math.isfinite(x):
                m, e = math.frexp(x)
                _put(total, int(math.ldexp(m, 53)), e + 1073)
            else:
                special += x
        else:
            # Two parts, as the least int has no opposite.
            _put(total, int(x) & 0xFFFFFFFF, 1126)
            _put(total, int(x) >> 32, 1158)
    return special, total


def _put(total: list[int], value: int, place: int) -> None:
    """Add a number, below 2**62, times 2**place."""
    sign = 1
    if value < 0:
        sign = -1
        value = -value
    k = place // 24
    room = 24 - place % 24
    total[k] += sign * ((value & ((1 << room) - 1)) << (24 - room))
    value >>= room
    while value > 0:
        k += 1
        total[k] += sign * (value & 0xFFFFFF)
        value >>= 24


def _put_square(total: list[int], x: int, place: int) -> None:
    """Add the square of an int times 2**place, of three parts with 22 bits each."""
    low = x & 0x3FFFFF
    middle = (x >> 22) & 0x3FFFFF
    high = x >> 44
    _put(total, low * low, place)
    _put(total, 2 * low * middle, place + 22)
    _put(total, middle * middle + 2 * low * high, place + 44)
    _put(total, 2 * middle * high, place + 66)
    _put(total, high * high, place + 88)


def _carry(total: list[int]) -> bool:
    """Make limbs of 24 bits, of the size of a number; return whether it is negative."""
    carry = 0
    for k in range(len(total)):
        limb = total[k] + carry
        total[k] = limb & 0xFFFFFF
        carry = limb >> 24
    if carry >= 0:
        return False
    total[-1] += carry << 24
    for k in range(len(total)):
        total[k] = -total[k]
    _carry(total)
    return True


def _quotient(total: list[int], first: int, second: int) -> tuple[bool, bool, list[int]]:
    """Divide a number times 2**144 by two ints; return whether it is negative, and exact."""
    negative = _carry(total)
    quotient = [0] * 6
    for limb in total:
        quotient.append(limb)
    exact = True
    for divisor in (first, second):
        rest = 0
        for k in range(len(quotient) - 1, -1, -1):
            rest = (rest << 24) | quotient[k]
            quotient[k] = rest // divisor
            rest %= divisor
        exact = exact and rest == 0
    return negative, exact, quotient


def _bit(limbs: list[int], place: int) -> int:
    return (limbs[place // 24] >> (place % 24)) & 1


def _bits_in(limbs: list[int]) -> int:
    """Return how many bits a number has."""
    k = len(limbs) - 1
    while k >= 0 and limbs[k] == 0:
        k -= 1
    return 24 * k + limbs[k].bit_length() if k >= 0 else 0


def _part(limbs: list[int], place: int) -> int:
    """Return the bits of a number from a place up, which are less than 63."""
    k = place // 24
    found = limbs[k] >> (place % 24)
    filled = 24 - place % 24
    k += 1
    while k < len(limbs) and filled < 63:
        found |= (limbs[k] & ((1 << (63 - filled)) - 1)) << filled
        filled += 24
        k += 1
    return found


def _rest(limbs: list[int], place: int) -> bool:
    """Whether there are bits below a place."""
    k = place // 24
    for limb in limbs[:k]:
        if limb != 0:
            return True
    return limbs[k] & ((1 << (place % 24)) - 1) != 0


def _divided(total: list[int], one: int, first: int, second: int) -> float:
    """Return a number divided by two ints, rounded once."""
    negative, exact, quotient = _quotient(total, first, second)
    one += 144
    bits = _bits_in(quotient)
    if bits == 0:
        return 0.0
    # The last bit of a float of that size.
    place = max(bits - 53, one - 1074)
    found = _part(quotient, place)
    if _bit(quotient, place - 1) == 1 and (
        found % 2 == 1 or not exact or _rest(quotient, place - 1)
    ):
        found += 1
    if found == 1 << 53 and place - one == 971:
        raise OverflowError("integer division result too large for a float")
    if bits - one > 1024:
        raise OverflowError("integer division result too large for a float")
    value = math.ldexp(float(found), place - one)
    return -value if negative else value


def _number(total: list[int], one: int, first: int, second: int):
    """Return a number divided by two ints: an int where it is one, else a rounded float."""
    negative, exact, quotient = _quotient(total.copy(), first, second)
    place = one + 144
    if not exact or _rest(quotient, place):
        return _divided(total, one, first, second)
    if _bits_in(quotient) - place > 63:
        raise OverflowError("integer result does not fit in 64 bits")
    whole = _part(quotient, place)
    return -whole if negative else whole


def _root(total: list[int], one: int, first: int, second: int) -> float:
    """Return the square root of a number divided by two ints, rounded once."""
    _, exact, quotient = _quotient(total, first, second)
    one += 144
    bits = _bits_in(quotient)
    if bits == 0:
        return 0.0
    # 108 bits, or 109, whose root has 54 and the one below which the result is rounded.
    place = max(bits - 108, 0)
    if (place - one) % 2 != 0:
        place = place - 1 if place > 0 else 1
    exact = exact and not _rest(quotient, place)
    high = _part(quotient, place + 54)
    low = _part(quotient, place) & ((1 << 54) - 1)
    found = int(math.sqrt(float(high) * 18014398509481984.0 + float(low)))
    # Off by little: (found * found) against high * 2**54 + low, in two parts.
    while _compared(found, high, low) > 0:
        found -= 1
    while _compared(found + 1, high, low) <= 0:
        found += 1
    exact = exact and _compared(found, high, low) == 0
    power = (place - one) // 2
    extra = max(found.bit_length() - 53, -1074 - power)
    rest = found & ((1 << extra) - 1)
    half = 1 << (extra - 1)
    found >>= extra
    if rest > half or (rest == half and (not exact or found % 2 == 1)):
        found += 1
    return math.ldexp(float(found), power + extra)


def _compared(root: int, high: int, low: int) -> int:
    """Return whether the square of a root is above high * 2**54 + low, as a sign."""
    upper = root >> 27
    lower = root & 0x7FFFFFF
    cross = 2 * upper * lower
    rest = (cross & 0x7FFFFFF) * 134217728 + lower * lower
    first = upper * upper + (cross >> 27) + (rest >> 54)
    second = rest & ((1 << 54) - 1)
    if first != high:
        return 1 if first > high else -1
    if second != low:
        return 1 if second > low else -1
    return 0
