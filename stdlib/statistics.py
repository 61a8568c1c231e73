"""Averages with weights and variances with degrees of freedom, in the script language.

The compiler binds the constants anew for each use: `AXES` are the axes that go.
"""

import numpy as np

AXES = (0,)
KEEPDIMS = False
DDOF = 1
SINGLE = False
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


def joined(x, y):
    """Return the rows of x and those of y."""
    if x.shape[1] != y.shape[1]:
        raise ValueError(
            "all the input array dimensions except for the concatenation axis must match exactly, "
            f"but along dimension 1, the array at index 0 has size {x.shape[1]} and the array at "
            f"index 1 has size {y.shape[1]}"
        )
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
