"""Slopes, areas, polynomials and products of vectors, in the script language.

The caller turns arrays: `gradient` runs along the first axis, the others along the last.
"""

import numpy as np

EDGE = 1


def cross(a, b):
    """Return the cross products of vectors with three elements."""
    if a.shape[-1] != 3 or b.shape[-1] != 3:
        # NumPy still takes two elements, and warns that it will not.
        raise ValueError("incompatible dimensions for cross product\n(dimension must be 2 or 3)")
    if a.ndim == 1 and b.ndim == 1:
        out = np.empty(3, a.dtype)
        out[0] = a[1] * b[2] - a[2] * b[1]
        out[1] = a[2] * b[0] - a[0] * b[2]
        out[2] = a[0] * b[1] - a[1] * b[0]
        return out
    x, y, z = a[..., 0], a[..., 1], a[..., 2]
    u, v, w = b[..., 0], b[..., 1], b[..., 2]
    return np.stack((y * w - z * v, z * u - x * w, x * v - y * u), axis=-1)


def require_points(count: int):
    """Refuse fewer points than the differences at the ends take."""
    if count < EDGE + 1:
        raise ValueError(
            "Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) "
            "elements are required."
        )


def gradient(f, step):
    """Return the slopes along the first axis of points that lie one step apart."""
    require_points(len(f))
    out = np.empty_like(f)
    out[1:-1] = (f[2:] - f[:-2]) / (2.0 * step)
    if EDGE == 1:
        out[0] = (f[1] - f[0]) / step
        out[-1] = (f[-1] - f[-2]) / step
    else:
        out[0] = (-1.5 / step) * f[0] + (2.0 / step) * f[1] + (-0.5 / step) * f[2]
        out[-1] = (0.5 / step) * f[-3] + (-2.0 / step) * f[-2] + (1.5 / step) * f[-1]
    return out


def gradient_of_rows(f, step):
    """Return the same along the last axis, where neighbours lie side by side in memory."""
    require_points(f.shape[-1])
    out = np.empty_like(f)
    out[..., 1:-1] = (f[..., 2:] - f[..., :-2]) / (2.0 * step)
    if EDGE == 1:
        out[..., 0] = (f[..., 1] - f[..., 0]) / step
        out[..., -1] = (f[..., -1] - f[..., -2]) / step
    else:
        a, b, c = -1.5 / step, 2.0 / step, -0.5 / step
        out[..., 0] = a * f[..., 0] + b * f[..., 1] + c * f[..., 2]
        a, b, c = 0.5 / step, -2.0 / step, 1.5 / step
        out[..., -1] = a * f[..., -3] + b * f[..., -2] + c * f[..., -1]
    return out


def gradient_at(f, places):
    """Return the slopes along the first axis of points at these places."""
    if len(places) != len(f):
        raise ValueError("when 1d, distances must match the length of the corresponding dimension")
    steps = places[1:] - places[:-1]
    if len(steps) == 0:
        raise IndexError("index 0 is out of bounds for axis 0 with size 0")
    if np.all(steps == steps[0]):
        return gradient(f, steps[0])
    require_points(len(f))
    out = np.empty_like(f)
    for i in range(1, len(f) - 1):
        one = steps[i - 1]
        two = steps[i]
        a = -two / (one * (one + two))
        b = (two - one) / (one * two)
        c = one / (two * (one + two))
        out[i] = a * f[i - 1] + b * f[i] + c * f[i + 1]
    one = steps[0]
    last = steps[-1]
    if EDGE == 1:
        out[0] = (f[1] - f[0]) / one
        out[-1] = (f[-1] - f[-2]) / last
        return out
    two = steps[1]
    a = -(2.0 * one + two) / (one * (one + two))
    b = (one + two) / (one * two)
    c = -one / (two * (one + two))
    out[0] = a * f[0] + b * f[1] + c * f[2]
    one = steps[-2]
    a = last / (one * (one + last))
    b = -(last + one) / (one * last)
    c = (2.0 * last + one) / (last * (one + last))
    out[-1] = a * f[-3] + b * f[-2] + c * f[-1]
    return out


def area(y, step):
    """Return the sum of trapezoids along the last axis that are one step wide."""
    return np.sum(step * (y[..., 1:] + y[..., :-1]) / 2.0, axis=-1)


def area_at(y, places):
    """Return the sum of trapezoids along the last axis between these places."""
    steps = places[..., 1:] - places[..., :-1]
    return np.sum(steps * (y[..., 1:] + y[..., :-1]) / 2.0, axis=-1)


def polyval(p, x):
    """Return the values of a polynomial whose highest coefficient comes first."""
    y = np.zeros_like(x)
    for k in range(len(p)):
        y = y * x + p[k]
    return y


def polyval_at(p, x):
    """Return the value of a polynomial for one number."""
    y = np.zeros(1, p.dtype)[0]
    for k in range(len(p)):
        y = y * x + p[k]
    return y


def geomspace(points, start: float, stop: float, endpoint: bool):
    """Return powers of ten as a geometric sequence, with the ends that were asked for."""
    sign = 1.0 if start > 0 else -1.0
    if len(points) > 0:
        points[0] = start / sign
        if len(points) > 1 and endpoint:
            points[-1] = stop / sign
    points *= sign
    return points


def exponent_of(x: float, start: float):
    """Return the logarithm of an end of a geometric sequence, which starts at `start`."""
    if x == 0 or start == 0:
        raise ValueError("Geometric sequence cannot include zero")
    return float(np.log10(np.float64(x / (1.0 if start > 0 else -1.0))))


def repeated(x, counts):
    """Return each row of x as often as its count says."""
    if len(counts) != len(x) and len(counts) != 1:
        raise ValueError(
            f"operands could not be broadcast together with shape ({len(x)},) ({len(counts)},)"
        )
    total = 0
    for i in range(len(x)):
        times = int(counts[i if len(counts) == len(x) else 0])
        if times < 0:
            raise ValueError("repeats may not contain negative values.")
        total += times
    out = np.empty((total,) + x.shape[1:], x.dtype)
    place = 0
    for i in range(len(x)):
        for _ in range(int(counts[i if len(counts) == len(x) else 0])):
            out[place] = x[i]
            place += 1
    return out
