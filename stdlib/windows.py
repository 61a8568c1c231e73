"""Windows, and functions of signals, in the script language.

The compiler binds the constants anew for each use: `AXIS` is the axis that a function runs along.
"""

import numpy as np

AXIS = -1


def spread(count: int, half: float):
    """Return so many places from -half to half; of one place the middle, of less than one none."""
    count = max(count, 0)
    return half * np.arange(1 - count, count, 2) / max(count - 1, 1)


def hanning(count: int):
    """Return a raised cosine that ends at zero."""
    return 0.5 + 0.5 * np.cos(spread(count, np.pi))


def hamming(count: int):
    """Return a raised cosine that ends a little above zero."""
    return 0.54 + 0.46 * np.cos(spread(count, np.pi))


def blackman(count: int):
    """Return a sum of two cosines that ends near zero."""
    if count == 1:
        return np.ones(1)  # which the sum is not
    twice = np.cos(spread(count, 2.0 * np.pi))
    return 0.42 + 0.5 * np.cos(spread(count, np.pi)) + 0.08 * twice


def bartlett(count: int):
    """Return a triangle that ends at zero."""
    places = spread(count, 1.0)
    return np.where(places <= 0, 1 + places, 1 - places)


def kaiser(count: int, beta: float):
    """Return a window whose width `beta` decides on, by the modified Bessel function."""
    if count == 1:
        return np.ones(1)
    count = max(count, 0)
    alpha = (count - 1) / 2.0
    out = np.empty(count)
    whole = bessel(np.float64(beta))
    for n in range(len(out)):
        share = (n - alpha) / alpha
        out[n] = bessel(np.float64(beta * np.sqrt(1 - share * share))) / whole
    return out


def i0(x):
    """Return the modified Bessel function of order 0 of each element."""
    out = np.empty_like(x)
    given = x.reshape(-1)
    found = out.reshape(-1)
    for k in range(len(given)):
        found[k] = bessel(np.float64(given[k]))
    return out


def bessel(x):
    """Return the sum of (x/2)**2k / k!**2, whose terms are all positive: it loses no digits."""
    quarter = x * x / 4
    total = quarter * 0 + 1
    term = total
    k = 1
    while term > total * 1e-17:
        term = term * (quarter / (k * k))
        total = total + term
        k += 1
    return total


def sinc(x):
    """Return sin(pi x) / (pi x), 1 at zero."""
    angle = np.pi * x
    if np.ndim(x) == 0:
        least = np.finfo(x.dtype).eps
        angle = angle + (least if angle == 0 else 0.0)
        return np.sin(angle) / angle
    angle = np.where(angle != 0, angle, np.finfo(x.dtype).eps)
    return np.sin(angle) / angle


def unwrap(x, least: float, period: float):
    """Return angles without jumps of more than half a period."""
    rows = np.moveaxis(x, AXIS, -1)
    half = period / 2
    steps = rows[..., 1:] - rows[..., :-1]
    turned = np.mod(steps + half, period) - half
    turned = np.where((turned == -half) & (steps > 0), half, turned)
    more = np.where(np.abs(steps) < max(least, half), 0, turned - steps)
    out = rows.copy()
    out[..., 1:] = rows[..., 1:] + np.cumsum(more, axis=-1)
    return np.ascontiguousarray(np.moveaxis(out, -1, AXIS))
