"""Convolutions and interpolation, in the script language."""

import numpy as np

MODE = "full"


def convolve(a, v):
    """Return the sums of products of `a` with the shifted and mirrored `v`."""
    if len(a) == 0:
        raise ValueError("a cannot be empty")
    if len(v) == 0:
        raise ValueError("v cannot be empty")
    if len(v) > len(a):
        return folded(v, a)
    return folded(a, v)


def folded(a, v):
    """Return the part of the convolution that MODE names; `v` is the shorter one."""
    n = len(a)
    m = len(v)
    out = np.zeros(n + m - 1, a.dtype)
    for i in range(m):
        out[i : i + n] += a * v[i]
    if MODE == "valid":
        return out[m - 1 : n]
    if MODE == "same":
        start = (m - 1) // 2
        return out[start : start + n]
    return out


def correlate(a, v):
    """Return the sums of products of `a` with the shifted `v`."""
    if len(a) == 0:
        raise ValueError("first array argument cannot be empty")
    if len(v) == 0:
        raise ValueError("second array argument cannot be empty")
    if len(v) > len(a):
        return aligned(v, a)[::-1]
    return aligned(a, v)


def aligned(a, v):
    """Return the part of the correlation that MODE names; `v` is the shorter one."""
    n = len(a)
    m = len(v)
    out = np.zeros(n + m - 1, a.dtype)
    for i in range(m):
        out[m - 1 - i : m - 1 - i + n] += a * v[i]
    if MODE == "valid":
        return out[m - 1 : n]
    if MODE == "same":
        start = m - 1 - m // 2
        return out[start : start + n]
    return out


def interp(x, points, values, left, right):
    """Return the piecewise linear function through points, at x; the ends' values outside."""
    if len(points) == 0:
        raise ValueError("array of sample points is empty")
    if len(points) != len(values):
        raise ValueError("fp and xp are not of the same length.")
    out = np.empty(len(x))
    last = len(points) - 1
    for k in range(len(x)):
        out[k] = at_point(x[k], points, values, left, right, last)
    return out


def at_point(x, points, values, left, right, last: int):
    """Return the value at one place."""
    if x != x:
        return x
    if x > points[last]:
        return right
    if x < points[0]:
        return left
    low = 0
    high = last + 1
    while low < high:
        middle = (low + high) // 2
        if points[middle] <= x:
            low = middle + 1
        else:
            high = middle
    j = low - 1
    if j == last or points[j] == x:
        return values[j]
    slope = (values[j + 1] - values[j]) / (points[j + 1] - points[j])
    result = slope * (x - points[j]) + values[j]
    if result != result:
        result = slope * (x - points[j + 1]) + values[j + 1]
        if result != result and values[j] == values[j + 1]:
            result = values[j]
    return result


def around(points, values, period: float):
    """Return points in one period, in order, with one more at each end, their values, the period.

    A period counts by its size alone.
    """
    if period == 0:
        raise ValueError("period must be a non-zero value")
    size = np.float64(abs(period))
    places = points % size
    order = np.argsort(places)
    places = places[order]
    found = values[order]
    return (
        np.concatenate((places[-1:] - size, places, places[:1] + size)),
        np.concatenate((found[-1:], found, found[:1])),
        size,
    )


def require_vectors(first: int, second: int) -> None:
    """Refuse vectors of two sizes, one of which may be 1: they do not repeat."""
    if first != second:
        raise ValueError(
            "vecdot: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
            f"(n),(n)->() (size {second} is different from {first})"
        )


def require_aligned(x, y):
    """Raise what np.dot does unless the last axis of x is as long as the last but one of y."""
    last, first = x.ndim - 1, max(y.ndim - 2, 0)
    if x.shape[last] != y.shape[first]:
        raise ValueError(
            f"shapes {shape_text(x)} and {shape_text(y)} not aligned: "
            f"{x.shape[last]} (dim {last}) != {y.shape[first]} (dim {first})"
        )


def shape_text(x):
    """Return the sizes of an array as NumPy's messages show them."""
    if x.ndim == 1:
        return f"({x.shape[0]},)"
    text = f"({x.shape[0]}"
    for size in x.shape[1:]:
        text += f",{size}"
    return text + ")"
