"""Reductions of the elements that a mask chooses, in the script language.

The compiler binds the constants anew for each use: `AXES` are the axes that go, `BACKS` those of
the mask, counted from the last one.
"""

import numpy as np

AXES = (0,)
BACKS = (-1,)
KEEPDIMS = False


def require_fit(x, mask):
    """Refuse a mask that is larger than the array along an axis."""
    if mask.ndim > x.ndim:
        raise ValueError("the mask has more axes than the array")
    for back in BACKS:
        if mask.shape[back] != x.shape[back] and mask.shape[back] != 1:
            raise ValueError("non-broadcastable operand with shapes that differ")


def chosen(x, mask, nothing):
    """Return the elements for which the mask is true, and `nothing` in the place of others."""
    require_fit(x, mask)
    return np.where(mask, x, nothing)


def count_of(x):
    """Return how many elements go into each result."""
    count = 1
    for axis in AXES:
        count *= x.shape[axis]
    return count


def filled(x, value):
    """Return the value in the shape of the result."""
    return np.where(np.any(x != x, axis=AXES, keepdims=KEEPDIMS), value, value)


def largest(x, initial):
    """Return the largest elements over AXES, or `initial` where that is larger."""
    if count_of(x) == 0:
        return np.maximum(filled(x, initial), initial)
    return np.maximum(np.max(x, axis=AXES, keepdims=KEEPDIMS), initial)


def smallest(x, initial):
    """Return the smallest elements over AXES, or `initial` where that is smaller."""
    if count_of(x) == 0:
        return np.minimum(filled(x, initial), initial)
    return np.minimum(np.min(x, axis=AXES, keepdims=KEEPDIMS), initial)


def spread(mask, x):
    """Return the mask in the shape of the array."""
    return np.broadcast_to(mask, x.shape)
