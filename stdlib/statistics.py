"""Averages with weights and variances with degrees of freedom, in the script language.

The compiler binds the constants anew for each use: `AXES` are the axes that go.
"""

import numpy as np

AXES = (0,)
KEEPDIMS = False
DDOF = 1
ONE = False
EVERY = (0,)
WHOLE = True


def var_of(x):
    """Return the squared distances from the mean, over the number of elements less DDOF."""
    count = 1
    for axis in AXES:
        count *= x.shape[axis]
    distance = x - np.mean(x, axis=AXES, keepdims=True)
    return np.sum(distance * distance, axis=AXES, keepdims=KEEPDIMS) / max(count - DDOF, 0)


def average(x, weights):
    """Return the mean over AXES in which each element counts as much as its weight.

    With ONE the weights are those of the last axis alone, WHOLE says that all axes go.
    """
    if ONE:
        fits = weights.shape[0] == x.shape[-1]
    else:
        fits = True
        for axis in EVERY:
            fits = fits and weights.shape[axis] == x.shape[axis]
    if not fits:
        if WHOLE:
            raise TypeError("Axis must be specified when shapes of a and weights differ.")
        raise ValueError(
            "Shape of weights must be consistent with shape of a along specified axis."
        )
    product = x * weights
    total = np.sum(weights) if ONE else np.sum(weights, axis=AXES)
    if np.any(total == 0):
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    return np.sum(product, axis=AXES) / total


def cov(x):
    """Return the covariances of the rows of x."""
    if x.shape[0] == 1:
        raise ValueError("the covariance of one variable is an array without axes: use np.var")
    distance = x - np.mean(x, axis=1, keepdims=True)
    factor = max(x.shape[1] - DDOF, 0)
    one = np.float64(1.0)
    return (distance @ distance.T) * (one / factor)
