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


def product_of_stacks(a, b):
    """Return the products of the matrices of two stacks; a stack of one is taken for many."""
    require_inner(a.shape[2], b.shape[1])
    count = len(b) if len(a) == 1 else len(a)
    if len(b) != count and len(b) != 1:
        raise ValueError(
            "operands could not be broadcast together with remapped shapes [original->remapped]: "
            f"{shape_text(a)}->({len(a)},newaxis,newaxis) {shape_text(b)}->({len(b)},newaxis,"
            f"newaxis)  and requested shape ({a.shape[1]},{b.shape[2]})"
        )
    if a.shape[1] * a.shape[2] * b.shape[2] < 4096:
        return np.sum(a[..., None] * b[:, None], axis=2)  # in one nest: calls take longer
    first = int(len(a) > 1)
    second = int(len(b) > 1)
    out = np.empty((count, a.shape[1], b.shape[2]), a.dtype)
    for i in range(count):
        out[i] = a[i * first] @ b[i * second]
    return out


def product_of_deep_stacks(a, b):
    """Return the same of stacks of stacks."""
    require_inner(a.shape[3], b.shape[2])
    count = len(b) if len(a) == 1 else len(a)
    inner = b.shape[1] if a.shape[1] == 1 else a.shape[1]
    if (len(b) != count and len(b) != 1) or (b.shape[1] != inner and b.shape[1] != 1):
        raise ValueError(
            "operands could not be broadcast together with remapped shapes [original->remapped]: "
            f"{shape_text(a)}->({len(a)},{a.shape[1]},newaxis,newaxis) "
            f"{shape_text(b)}->({len(b)},{b.shape[1]},newaxis,newaxis)  "
            f"and requested shape ({a.shape[2]},{b.shape[3]})"
        )
    first = int(len(a) > 1)
    second = int(len(b) > 1)
    out = np.empty((count, inner, a.shape[2], b.shape[3]), a.dtype)
    for i in range(count):
        out[i] = product_of_stacks(a[i * first], b[i * second])
    return out


def require_inner(columns: int, rows: int) -> None:
    """Raise what a matrix product does unless one side has as many columns as the other rows."""
    if columns != rows:
        raise ValueError(
            "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc "
            f"signature (n?,k),(k,m?)->(n?,m?) (size {rows} is different from {columns})"
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
