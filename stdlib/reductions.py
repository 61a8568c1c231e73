"""Reductions of what a mask chooses, or is no NaN, from a start, or with degrees of freedom."""

import numpy as np

from scriptc_runtime import unsafe


def chosen(x, mask, nothing):
    """Return the elements for which the mask is true, and `nothing` in the place of others."""
    if mask.ndim > x.ndim:
        raise ValueError("the mask has more axes than the array")
    for size, own in zip(mask.shape[::-1], x.shape[::-1]):  # noqa: B905
        if size != own and size != 1:
            raise ValueError("non-broadcastable operand with shapes that differ")
    return np.where(mask, x, nothing)


def mean_where(x, mask, axis: unsafe.Axis, ddof: unsafe.Whole, keepdims: unsafe.Flag):
    """Return the sum of what the mask chooses over the number of it, less `ddof`."""
    total = np.sum(chosen(x, mask, x.dtype.type(0)), axis=axis, keepdims=keepdims)
    count = np.sum(np.broadcast_to(mask, x.shape), axis=axis, keepdims=keepdims)
    divisor = in_dtype_of(count, x)
    if ddof != 0:
        divisor = np.maximum(divisor - x.dtype.type(ddof), x.dtype.type(0))
    return total / divisor


def var_where(x, mask, axis: unsafe.Axis, ddof: unsafe.Whole, keepdims: unsafe.Flag):
    """Return the variance of what the mask chooses."""
    distance = x - mean_where(x, mask, axis, 0, True)
    return mean_where(distance * distance, mask, axis, ddof, keepdims)


def var_of(x, ddof, axis: unsafe.Axis, keepdims: unsafe.Flag):
    """Return the squared distances from the mean, over the number of elements less `ddof`."""
    distance = x - np.mean(x, axis=axis, keepdims=True)
    if np.issubdtype(x.dtype, np.complexfloating):
        square = distance.real * distance.real + distance.imag * distance.imag
    else:
        square = distance * distance
    return np.sum(square, axis=axis, keepdims=keepdims) / max(count_of(x, axis) - ddof, 0)


def count_of(x, axis: unsafe.Axis):
    """Return how many elements go into each result."""
    if axis is None:
        return x.size
    if isinstance(axis, int):
        return x.shape[axis]
    count = 1
    for place in axis:
        count *= x.shape[place]
    return count


def filled(x, value, axis: unsafe.Axis, keepdims: unsafe.Flag):
    """Return the value in the shape of the result."""
    return np.where(np.any(x != x, axis=axis, keepdims=keepdims), value, value)


def largest(x, initial, axis: unsafe.Axis, keepdims: unsafe.Flag):
    """Return the largest elements over `axis`, or `initial` where that is larger."""
    if count_of(x, axis) == 0:
        return np.maximum(filled(x, initial, axis, keepdims), initial)
    return np.maximum(np.max(x, axis=axis, keepdims=keepdims), initial)


def smallest(x, initial, axis: unsafe.Axis, keepdims: unsafe.Flag):
    """Return the smallest elements over `axis`, or `initial` where that is smaller."""
    if count_of(x, axis) == 0:
        return np.minimum(filled(x, initial, axis, keepdims), initial)
    return np.minimum(np.min(x, axis=axis, keepdims=keepdims), initial)


def extreme_complex(x, axis: unsafe.Axis, sign: unsafe.Whole, keepdims: unsafe.Flag):
    """Return the largest elements by real and then imaginary part, or, by a sign, the smallest."""
    if count_of(x, axis) == 0:
        name = "maximum" if sign > 0 else "minimum"
        raise ValueError(f"zero-size array to reduction operation {name} which has no identity")
    if axis is None or x.ndim == 1:
        elements = x.ravel()
        found = elements[0]
        for element in elements:
            if not stays(found, element, sign):
                found = element
        return np.full((1,) * x.ndim, found) if keepdims else found
    rows = np.moveaxis(x, axis, 0)
    row = rows[0].copy()
    for i in range(1, rows.shape[0]):
        row = np.where(stays(row, rows[i], sign), row, rows[i])
    return np.expand_dims(row, axis) if keepdims else row


def stays(found, other, sign):
    """Return whether an element comes before another one; a NaN in it does."""
    real, imag = found.real * sign, found.imag * sign
    beyond, above = other.real * sign, other.imag * sign
    first = (real > beyond) & (imag == imag) & (above == above)
    return first | ((real == beyond) & (imag >= above)) | (real != real) | (imag != imag)


def without_nan(x, filler: float):
    """Return an array with a number in the place of each NaN."""
    if not np.issubdtype(x.dtype, np.floating):
        return x
    return np.where(x != x, x.dtype.type(filler), x)


def in_dtype_of(count, x):
    """Return a number, or an array of them, with the dtype of an array."""
    if isinstance(count, np.ndarray):
        return count.astype(x.dtype)
    return x.dtype.type(count)


def nansum(a: np.ndarray, axis: unsafe.Axis = None, *, keepdims: unsafe.Flag = False):
    """Return the sums of what is no NaN."""
    return np.sum(without_nan(a, 0.0), axis=axis, keepdims=keepdims)


def nanprod(a: np.ndarray, axis: unsafe.Axis = None, *, keepdims: unsafe.Flag = False):
    """Return the products of what is no NaN."""
    return np.prod(without_nan(a, 1.0), axis=axis, keepdims=keepdims)


def nanmax(a: np.ndarray, axis: unsafe.Axis = None, *, keepdims: unsafe.Flag = False):
    """Return the largest elements; NaN where there is nothing else."""
    found = np.max(without_nan(a, -np.inf), axis=axis, keepdims=keepdims)
    if not np.issubdtype(a.dtype, np.floating):
        return found
    # Only where the filler is found can there be nothing but NaN: few arrays are read twice.
    if not np.any(found == -np.inf):
        return found
    return with_nan(found, np.all(a != a, axis=axis, keepdims=keepdims))


def nanmin(a: np.ndarray, axis: unsafe.Axis = None, *, keepdims: unsafe.Flag = False):
    """Return the smallest elements; NaN where there is nothing else."""
    found = np.min(without_nan(a, np.inf), axis=axis, keepdims=keepdims)
    if not np.issubdtype(a.dtype, np.floating):
        return found
    if not np.any(found == np.inf):
        return found
    return with_nan(found, np.all(a != a, axis=axis, keepdims=keepdims))


def with_nan(found, nothing):
    """Return a number, or an array of them, with NaN where `nothing` is true."""
    nan = found.dtype.type(np.nan)
    if isinstance(found, np.ndarray):
        return np.where(nothing, nan, found)
    return nan if nothing else found


def nanmean(a: np.ndarray, axis: unsafe.Axis = None, *, keepdims: unsafe.Flag = False):
    """Return the means of what is no NaN."""
    if not np.issubdtype(a.dtype, np.floating):
        return np.mean(a, axis=axis, keepdims=keepdims)
    return shared(without_nan(a, 0.0), a, axis, keepdims)


def shared(x, a, axis: unsafe.Axis, keepdims: unsafe.Flag):
    """Return the sums of `x` over the numbers of elements of `a` that are no NaN."""
    total = np.sum(x, axis=axis, keepdims=keepdims)
    return total / in_dtype_of(np.sum(a == a, axis=axis, keepdims=keepdims), a)


def nanvar(
    a: np.ndarray, axis: unsafe.Axis = None, *, ddof: float = 0, keepdims: unsafe.Flag = False
):
    """Return the variances of what is no NaN; NaN where there is no more than `ddof`."""
    if not np.issubdtype(a.dtype, np.floating):
        return var_of(a.astype(np.float64), ddof, axis, keepdims)
    distance = a - shared(without_nan(a, 0.0), a, axis, True)
    square = np.where(a != a, a.dtype.type(0), distance * distance)
    total = np.sum(square, axis=axis, keepdims=keepdims)
    freedom = in_dtype_of(np.sum(a == a, axis=axis, keepdims=keepdims), a) - a.dtype.type(ddof)
    return with_nan(total / freedom, freedom <= 0)


def nanstd(
    a: np.ndarray, axis: unsafe.Axis = None, *, ddof: float = 0, keepdims: unsafe.Flag = False
):
    """Return the square roots of the variances of what is no NaN."""
    return np.sqrt(nanvar(a, axis, ddof=ddof, keepdims=keepdims))
