"""Array functions of the standard library, in the script language.

Each function is the body of the library op of its name.  The compiler binds the constants below
anew for each use of an op: `AXES` are the reduced axes in order, `BEHIND` those after the last of
them.  The values here serve readers, type checkers and CPython.

An op of NumPy gives a scalar for arrays of rank 0, which has no axis to reduce.
"""

import numpy as np

RANK = 1
AXES = (0,)
BEHIND = ()
KEEPDIMS = False


def mean(x):
    """Arithmetic mean over AXES; NaN where there is no element."""
    if RANK == 0:
        return x - 0.0
    count = 1
    for axis in AXES:
        count *= x.shape[axis]
    if x.dtype == np.complex128 or x.dtype == np.complex64:
        return np.sum(x, axis=AXES, keepdims=KEEPDIMS) / count
    # The difference turns integers and bools into floats and leaves floats alone, -0.0 among them.
    return np.sum(x - 0.0, axis=AXES, keepdims=KEEPDIMS) / count


def var(x):
    """Mean of the squared distance from the mean over AXES: two passes, as NumPy's."""
    distance = x - np.mean(x, axis=AXES, keepdims=True)
    if RANK == 0:
        return distance * distance
    return np.mean(distance * distance, axis=AXES, keepdims=KEEPDIMS)


def clip(x, low, high):
    """`x` held between two bounds; a bound that is NaN, or an x, stays NaN."""
    return np.minimum(np.maximum(x, low), high)


def argmax(x):
    """Index of the first largest element; the first NaN where there is one."""
    require_elements(x, "attempt to get argmax of an empty sequence")
    if RANK == 0:
        return np.int64(0)
    if len(AXES) == RANK and x.size >= 8192:
        return as_kept(first_extremes(x.reshape(1, -1), np.max)[0])
    if RANK > 1 and len(AXES) == 1 and len(BEHIND) == 0 and x.shape[-1] >= 4096:
        return extremes_along_rows(x, np.max)
    largest = np.max(x, axis=AXES, keepdims=True)
    # A maximum of NaN equals nothing, so NaNs are recognised by being unequal to themselves.
    found = np.where((x == largest) | (x != x), positions(x), x.size)
    return np.min(found, axis=AXES, keepdims=KEEPDIMS)


def argmin(x):
    """Index of the first smallest element; the first NaN where there is one."""
    require_elements(x, "attempt to get argmin of an empty sequence")
    if RANK == 0:
        return np.int64(0)
    if len(AXES) == RANK and x.size >= 8192:
        return as_kept(first_extremes(x.reshape(1, -1), np.min)[0])
    if RANK > 1 and len(AXES) == 1 and len(BEHIND) == 0 and x.shape[-1] >= 4096:
        return extremes_along_rows(x, np.min)
    smallest = np.min(x, axis=AXES, keepdims=True)
    found = np.where((x == smallest) | (x != x), positions(x), x.size)
    return np.min(found, axis=AXES, keepdims=KEEPDIMS)


def extremes_along_rows(x, extreme):
    """Index of the first extreme element of each row along the last axis; a row is long."""
    # Zeros over the sizes of x but the last one.
    found = np.where(x[..., 0] != x[..., 0], 0, 0)
    found.reshape(-1)[:] = first_extremes(x.reshape(-1, x.shape[-1]), extreme)
    if KEEPDIMS:
        return found[..., None]
    return found


def first_extremes(rows, extreme):
    """Index of the first extreme element of each long row: it is looked for in one of its blocks.

    The last block shares elements with the one before it.
    """
    block = 1024
    size = rows.shape[1]
    tops = np.empty((len(rows), (size - 1) // block + 1), rows.dtype)
    before = tops.shape[1] - 1
    tops[:, :-1] = extreme(rows[:, : before * block].reshape(-1, before, block), axis=2)
    tops[:, -1] = extreme(rows[:, -block:], axis=1)
    found = np.empty(len(rows), np.int64)
    for i in range(len(rows)):
        best = extreme(tops[i])
        start = min(first_place(tops[i], best) * block, size - block)
        found[i] = start + first_place(rows[i, start : start + block], best)
    return found


def first_place(x, value):
    """Index of the first element of a row that is this value, or NaN."""
    return np.min(np.where((x == value) | (x != x), np.arange(x.size), x.size))


def as_kept(index):
    """Give an index the axes that are kept."""
    if KEEPDIMS:
        kept = np.full((), index)
        for _ in AXES:
            kept = kept[..., None]
        return kept
    return index


def require_elements(x, message: str) -> None:
    """Refuse an array that has none over AXES, even where there is no result."""
    count = 1
    for axis in AXES:
        count *= x.shape[axis]
    if count == 0:
        raise ValueError(message)


def positions(x):
    """Index of each element along AXES, which is one axis or all of them, in C order."""
    index = np.zeros((), np.int64)
    for axis in AXES:
        index = index[..., None] * x.shape[axis] + np.arange(x.shape[axis])
    for _ in BEHIND:
        index = index[..., None]
    return index
