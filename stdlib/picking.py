"""Elements picked by masks and by arrays of indices, in the script language.

The array comes with the axes that are picked from in front, the others stay behind them; indices
come as one axis, and what is picked, or put there, has that axis first.
"""

import numpy as np

from scriptc.parallel import prange
from scriptc_runtime import unsafe

ON_DEVICE = False
UFUNC = np.add


def require_axis(size: int, other: int, axis: int):
    """Refuse a mask of another size than the axis it is for."""
    if size != other:
        raise IndexError(
            f"boolean index did not match indexed array along axis {axis}; size of axis is {size} "
            f"but size of corresponding boolean axis is {other}"
        )


def require_indices(index, size: int, axis: int):
    """Refuse an index out of range before anything is read or written."""
    for k in range(len(index)):
        if index[k] < -size or index[k] >= size:
            raise IndexError(f"index {index[k]} is out of bounds for axis {axis} with size {size}")


def require_count(given: int, count: int):
    """Refuse another number of values than a mask is true for; one goes everywhere."""
    if given != count and given != 1:
        raise ValueError(
            "NumPy boolean array indexing assignment cannot assign "
            f"{given} input values to the {count} output values where the mask is true"
        )


def compress(x, mask):
    """Return the elements of x for which the mask is true."""
    require_axis(len(x), len(mask), 0)
    found = np.flatnonzero(mask)
    out = np.empty(len(found), x.dtype)
    for k in prange(len(found)):
        unsafe.store(out, unsafe.load(x, unsafe.load(found, k)), k)
    return out


def compress_rows(out, x, mask):
    """Write the rows of x for which the mask is true to `out`."""
    place = 0
    for i in range(len(mask)):
        if mask[i]:
            out[place] = x[i]
            place += 1
    return out


def places(mask):
    """Return the indices at which the mask is true.

    Each index is written and stays where the mask is true: no branch depends on the mask.
    """
    if ON_DEVICE:
        return places_by_parts(mask)
    out = np.empty(np.count_nonzero(mask), np.int64)
    place = 0
    i = 0
    while place < len(out):
        out[place] = i
        place += int(mask[i])
        i += 1
    return out


def places_by_parts(mask):
    """Return the same; a thread counts in a part and, when all have, writes its indices."""
    size = len(mask)
    counts = np.empty((size + 63) // 64, np.int64)
    for k in prange(len(counts)):
        first = np.int64(k) * 64
        stop = np.minimum(first + 64, np.int64(size))
        count = np.int64(0)
        while first < stop:
            if unsafe.load(mask, first):
                count += 1
            first += 1
        unsafe.store(counts, count, k)
    ends = np.cumsum(counts)
    out = np.empty(ends[-1] if size > 0 else 0, np.int64)
    for k in prange(len(counts)):
        first = np.int64(k) * 64
        stop = np.minimum(first + 64, np.int64(size))
        place = unsafe.load(ends, k) - unsafe.load(counts, k)
        while first < stop:
            if unsafe.load(mask, first):
                unsafe.store(out, first, place)
                place += 1
            first += 1
    return out


def update1(x, values, i):
    """Combine the rows of `values` with x[i], each in its turn."""
    for k in range(len(i)):
        x[i[k]] = UFUNC(x[i[k]], values[k])


def update2(x, values, i, j):
    """Combine the rows of `values` with x[i, j]."""
    for k in range(len(i)):
        x[i[k], j[k]] = UFUNC(x[i[k], j[k]], values[k])


def update3(x, values, i, j, m):
    """Combine the rows of `values` with x[i, j, m]."""
    for k in range(len(i)):
        x[i[k], j[k], m[k]] = UFUNC(x[i[k], j[k], m[k]], values[k])
