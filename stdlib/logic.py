"""NumPy's comparisons of whole arrays, and reductions that leave out NaN."""

import numpy as np
from numpy.typing import ArrayLike

from scriptc_runtime import unsafe


def isclose(
    a: ArrayLike,
    b: ArrayLike,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    equal_nan: unsafe.Flag = False,
):
    """Return whether elements are within rtol * abs(b) + atol of each other."""
    first, second = unsafe.common_floats(a, b)
    size = np.abs(second)
    near = (np.abs(first - second) <= atol + rtol * size) & (size < np.inf)
    found = near | (first == second)
    if equal_nan:
        found = found | ((first != first) & (second != second))
    return found


def allclose(
    a: ArrayLike,
    b: ArrayLike,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    equal_nan: unsafe.Flag = False,
) -> bool:
    """Return whether `isclose` holds for all elements."""
    return bool(np.all(isclose(a, b, rtol, atol, equal_nan)))


def array_equal(a1: np.ndarray, a2: np.ndarray, equal_nan: unsafe.Flag = False) -> bool:
    """Return whether two arrays have one shape and equal elements."""
    if a1.ndim != a2.ndim:
        return False
    if a1.shape != a2.shape:
        return False
    equal = a1 == a2
    if equal_nan:
        equal = equal | ((a1 != a1) & (a2 != a2))
    return bool(np.all(equal))


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


def nanvar(a: np.ndarray, axis: unsafe.Axis = None, *, keepdims: unsafe.Flag = False):
    """Return the variances of what is no NaN."""
    if not np.issubdtype(a.dtype, np.floating):
        return np.var(a, axis=axis, keepdims=keepdims)
    distance = a - shared(without_nan(a, 0.0), a, axis, True)
    square = np.where(a != a, a.dtype.type(0), distance * distance)
    return shared(square, a, axis, keepdims)


def nanstd(a: np.ndarray, axis: unsafe.Axis = None, *, keepdims: unsafe.Flag = False):
    """Return the square roots of the variances of what is no NaN."""
    return np.sqrt(nanvar(a, axis, keepdims=keepdims))
