"""Averages with weights, and covariances, in the script language.

The compiler binds the constants of `cov` and `corrcoef` anew for each use.
"""

import numpy as np

from scriptc_runtime import unsafe

DDOF = 1
SINGLE = False


def average(
    a: np.ndarray,
    axis: unsafe.Axis = None,
    weights: np.ndarray | None = None,
    returned: unsafe.Flag = False,
    *,
    keepdims: unsafe.Flag = False,
):
    """Return the mean in which each element counts as much as its weight."""
    if returned:
        unsafe.refuse("the sum of the weights is not built", "np.sum(weights)", "returned")
    if weights is None:
        found = np.mean(a, axis=axis, keepdims=keepdims)
        if isinstance(found, np.ndarray) and found.size == 0:
            # NumPy divides the number of elements by the number of means.
            raise ZeroDivisionError("division by zero")
        return found
    values, weights = in_floats(a), in_floats(weights)
    if weights.ndim == a.ndim:
        if weights.shape != a.shape:
            refuse_weights(axis)
        return weighted(values, weights, axis, keepdims)
    if weights.ndim != 1 or not isinstance(axis, int):
        unsafe.refuse("the weights must have the shape of the array", "", "weights")
    if weights.shape[0] != a.shape[axis]:
        refuse_weights(axis)
    found = weighted_rows(np.moveaxis(values, axis, -1), weights)
    return np.expand_dims(found, axis) if keepdims else found


def in_floats(x):
    """Return an array in which NumPy divides."""
    return x if np.issubdtype(x.dtype, np.inexact) else x.astype(np.float64)


def refuse_weights(axis: unsafe.Axis) -> None:
    """Raise what NumPy raises for weights of another shape."""
    if axis is None:
        raise TypeError("Axis must be specified when shapes of a and weights differ.")
    raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")


def weighted(x, weights, axis: unsafe.Axis, keepdims: unsafe.Flag):
    """Return the mean with a weight for each element."""
    product = x * weights
    total = np.sum(weights, axis=axis, keepdims=keepdims)
    if np.any(total == 0):
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    return np.sum(product, axis=axis, keepdims=keepdims) / total


def weighted_rows(x, weights):
    """Return the mean along the last axis, whose elements have one weight each."""
    product = x * weights
    total = np.sum(weights)
    if total == 0:
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    return np.sum(product, axis=-1) / total


def ptp(
    a: np.ndarray,
    axis: unsafe.Axis = None,
    out: unsafe.Out = None,
    keepdims: unsafe.Flag = False,
):
    """Return how far the largest elements lie above the smallest."""
    if a.dtype == np.bool_:
        unsafe.refuse("NumPy does not subtract bools", "use np.any and np.all", "a")
    high = np.max(a, axis=axis, keepdims=keepdims)
    return high - np.min(a, axis=axis, keepdims=keepdims)


def joined(x, y):
    """Return the rows of x and those of y."""
    return np.concatenate((x, y))


def cov(x):
    """Return the covariances of the rows of x."""
    if x.shape[0] == 1 and not SINGLE:
        raise ValueError("the covariance of one variable is an array without axes: use np.var")
    distance = x - np.mean(x, axis=1, keepdims=True)
    factor = max(x.shape[1] - DDOF, 0)
    one = np.float64(1.0)
    return (distance @ distance.T) * (one / factor)


def corrcoef(x):
    """Return the correlations of the rows of x."""
    found = cov(x)
    size = np.empty(len(found))
    for i in range(len(found)):
        size[i] = np.sqrt(found[i, i])
    found /= size[:, None]
    found /= size[None, :]
    return np.clip(found, -1, 1)
