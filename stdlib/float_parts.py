"""NumPy's functions that take floats apart, in the script language.

Elements are computed with as Python's floats, which hold those of every dtype. DIGITS of them are
those of the dtype; LEAST and LARGEST are its ends.
HALF says that it is f16, for which NumPy has code of its own.
"""

import math

import numpy as np

DIGITS = 53
LEAST = 5e-324
LARGEST = 1.7976931348623157e308
HALF = False


def frexp_of_arrays(x):
    """Return m and e of each element, which is m * 2**e with 0.5 <= abs(m) < 1."""
    parts = np.empty_like(x)
    powers = np.empty(x.shape, np.int32)
    flat, m, e = x.reshape(-1), parts.reshape(-1), powers.reshape(-1)
    for k in range(len(flat)):
        part, power = math.frexp(float(flat[k]))
        m[k] = part
        e[k] = power
    return parts, powers


def ldexp_of_arrays(x, i):
    """Return x * 2**i of each pair of elements, rounded once."""
    one, other = np.broadcast_arrays(x, i)
    out = np.empty_like(one)
    first, second, found = one.reshape(-1), other.reshape(-1), out.reshape(-1)
    for k in range(len(found)):
        found[k] = scaled(float(first[k]), int(second[k]))
    return out


def scaled(x: float, i: int) -> float:
    """Return x * 2**i; an infinity where that is too large."""
    i = max(min(i, 5000), -5000)
    _, e = math.frexp(x)
    if x != 0.0 and math.isfinite(x) and e + i > 1024:
        return math.copysign(math.inf, x)
    return math.ldexp(x, i)


def nextafter_of_arrays(x, y):
    """Return the next float after each x in the direction of y."""
    one, other = np.broadcast_arrays(x, y)
    out = np.empty_like(one)
    first, second, found = one.reshape(-1), other.reshape(-1), out.reshape(-1)
    for k in range(len(found)):
        found[k] = nextafter(float(first[k]), float(second[k]))
    return out


def nextafter(x: float, y: float) -> float:
    """Return the next number of the dtype after `x` in the direction of `y`."""
    if math.isnan(x) or math.isnan(y):
        return x + y
    if x == y:
        return x if HALF else y
    if x == 0.0:
        return math.copysign(LEAST, y)
    if math.isinf(x):
        return math.copysign(LARGEST, x)
    m, step = steps(x)
    if (x < y) == (x > 0.0):
        return math.copysign(abs(x) + step, x)
    if m == 0.5 and step > LEAST:
        step *= 0.5
    return math.copysign(abs(x) - step, x)


def steps(x: float) -> tuple[float, float]:
    """Return the fraction of a number, 0.5 for a power of two, and the value of its last bit."""
    m, e = math.frexp(abs(x))
    return m, max(math.ldexp(1.0, e - DIGITS), LEAST)


def spacing_of_arrays(x):
    """Return the distance from each element to the next one away from zero, with its sign."""
    out = np.empty_like(x)
    flat, found = x.reshape(-1), out.reshape(-1)
    for k in range(len(flat)):
        found[k] = distance(float(flat[k])) if HALF else spacing(float(flat[k]))
    return out


def spacing(x: float) -> float:
    """Return the distance from `x` to the next number of the dtype away from zero, signed."""
    if not math.isfinite(x):
        return math.nan
    if x == 0.0:
        return LEAST
    if abs(x) == LARGEST:
        return math.copysign(math.inf, x)
    _, step = steps(x)
    return math.copysign(step, x)


def distance(x: float) -> float:
    """Return the distance to the next number of the dtype above, as that of f16 is."""
    if x == LARGEST:
        return math.inf
    return nextafter(x, math.inf) - x if math.isfinite(x) else math.nan
