"""Array functions of the standard library, in the script language.

Each function is the body of the library op of its name.  The compiler binds the constants below
anew for each use of an op: `AXES` are the reduced axes in order, `AXIS` the only one of them (-1
where there are several), `AFTER` the number of axes behind it.  The values here serve readers,
type checkers and CPython.
"""

import numpy as np

RANK = 1
AXES = (0,)
AXIS = 0
AFTER = 0
KEEPDIMS = False


def mean(x):
    """Arithmetic mean over AXES; NaN where there is no element."""
    count = 1
    for axis in AXES:
        count *= x.shape[axis]
    # The product turns integers and bools into floats and leaves floats alone.
    return np.sum(x * 1.0, axis=AXES, keepdims=KEEPDIMS) / count


def var(x):
    """Mean of the squared distance from the mean over AXES: two passes, as NumPy's."""
    distance = x - np.mean(x, axis=AXES, keepdims=True)
    return np.mean(distance * distance, axis=AXES, keepdims=KEEPDIMS)


def clip(x, low, high):
    """`x` held between two bounds; a bound that is NaN, or an x, stays NaN."""
    return np.minimum(np.maximum(x, low), high)


def argmax(x):
    """Index of the first largest element; the first NaN where there is one.

    The index is the least of those whose element equals the maximum.  A maximum of NaN equals
    nothing, so NaNs are recognised by being unequal to themselves.
    """
    if x.size == 0:
        raise ValueError("attempt to get argmax of an empty sequence")
    largest = np.max(x, axis=AXES, keepdims=True)
    index = positions(x)
    found = np.where((x == largest) | (x != x), index, x.size)
    return np.min(found, axis=AXES, keepdims=KEEPDIMS)


def positions(x):
    """Index of each element along AXES, in C order where there are several."""
    if AXIS >= 0:
        line = np.arange(x.shape[AXIS])
        if AFTER == 0:
            return line
        if AFTER == 1:
            return line[:, None]
        return line[:, None, None]
    if RANK == 2:
        return np.arange(x.shape[0])[:, None] * x.shape[1] + np.arange(x.shape[1])
    rows = np.arange(x.shape[0])[:, None, None] * x.shape[1] + np.arange(x.shape[1])[:, None]
    return rows * x.shape[2] + np.arange(x.shape[2])
