"""Elements picked by masks and by arrays of indices, in the script language.

The array comes with the axes that are picked from in front, the others stay behind them; indices
come as one axis, and what is picked, or put there, has that axis first.
"""

import numpy as np

from scriptc.parallel import prange
from scriptc_runtime import unsafe

AXIS = (0,)
KIND = "put"
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


def tally(target, places, values):
    """Add the values, or the one value, to the elements of `target` at `places`."""
    if ON_DEVICE:
        combine_at(target, values, 1, places.astype(np.int64), "add")
    elif (
        places.dtype == np.uint8
        and np.issubdtype(target.dtype, np.integer)
        and np.ndim(values) == 0
    ):
        counts = counts_of_bytes(places)
        size = min(256, len(target))
        target[:size] += counts[:size].astype(target.dtype) * values
    else:
        for k in range(len(places)):
            place = unsafe.load(places, k)
            unsafe.store(target, unsafe.load(target, place) + value_at(values, k), place)


def counts_of_bytes(x):
    """Return how often each number below 256 occurs."""
    # Four at a time: an element that is the one before it would wait until that is counted.
    counts = np.zeros((4, 256), np.int64)
    whole = len(x) - len(x) % 4
    for i in range(0, whole, 4):
        counts[0, x[i]] += 1
        counts[1, x[i + 1]] += 1
        counts[2, x[i + 2]] += 1
        counts[3, x[i + 3]] += 1
    for i in range(whole, len(x)):
        counts[0, x[i]] += 1
    return counts[0] + counts[1] + counts[2] + counts[3]


def value_at(values, k):
    """Return one of the values, or the one value."""
    return values if np.ndim(values) == 0 else unsafe.load(values, k)


def put_at(target, values, index):
    """Write the values, or the one value, to places, or combine them with what is there."""
    size = len(target)
    if KIND == "put":
        require_shape(np.shape(values), len(index))
    if np.any((index < -size) | (index >= size)):
        require_indices(index, size, AXIS[0])
    if KIND != "put":
        require_values(np.shape(values), len(index))
    places = index.astype(np.int64)
    places = np.where(places < 0, places + size, places)
    if np.ndim(values) == 0:
        combine_at(target, values, 0, places, KIND)
    else:
        combine_at(target, values.copy(), 1 if len(values) == len(index) else 0, places, KIND)


def require_shape(shape, count: int):
    """Refuse values that are not as many as places."""
    for size in shape:
        if size != count and size != 1:
            raise ValueError(
                f"shape mismatch: value array of shape ({size},) could not be broadcast to "
                f"indexing result of shape ({count},)"
            )


def require_values(shape, count: int):
    """Refuse values that are not as many as places, as a ufunc does."""
    for size in shape:
        if size != count and size != 1:
            raise ValueError("array is not broadcastable to correct shape")


def combine_at(target, values, step: int, places, kind: str):
    """Write values to places of an array, of one place the last, or combine them in order.

    From one to the next it is `step` values.
    """
    if kind == "put":
        last = np.zeros(len(target), np.int64)
        for k in prange(len(places)):
            unsafe.atomic(last, k, unsafe.load(places, k), "max")
        for k in prange(len(places)):
            place = unsafe.load(places, k)
            if unsafe.load(last, place) == k:
                unsafe.store(target, value_at(values, np.int64(k) * step), place)
    elif np.issubdtype(target.dtype, np.integer) and (kind == "add" or kind == "sub"):
        sums = np.zeros(len(target), np.int64)
        for k in prange(len(places)):
            value = np.int64(value_at(values, np.int64(k) * step))
            unsafe.atomic(sums, value, unsafe.load(places, k), "sum")
        parts = sums.astype(target.dtype)
        target[:] = target + parts if kind == "add" else target - parts
    else:
        combine_sorted(target, values, step, places, kind)


def combine(target, places, values):
    """Combine values in order with the elements at places in C order; below zero is nowhere."""
    if target.ndim == 1:
        combine_sorted(target, values, 1, places, KIND)
        return
    line = target.reshape(-1)
    combine_sorted(line, values, 1, places, KIND)
    if not unsafe.is_contiguous(target):
        target[...] = line.reshape(target.shape)


def combine_sorted(target, values, step: int, places, kind: str):
    """Combine values with elements; a stable sort gives a thread all values for a place.

    Those with places below zero are left out.
    """
    order = np.argsort(places, kind="stable")
    count = np.int64(len(places))
    for t in prange(len(places)):
        k = np.int64(t)
        source = unsafe.load(order, k)
        place = unsafe.load(places, source)
        is_first = k == 0 or unsafe.load(places, unsafe.load(order, k - 1)) != place
        if is_first and place >= 0:
            value = value_at(values, source * step)
            value = updated(unsafe.load(target, place), value, kind)
            k += 1
            more = k < count
            while more:
                source = unsafe.load(order, k)
                more = unsafe.load(places, source) == place
                if more:
                    value = updated(value, value_at(values, source * step), kind)
                    k += 1
                    more = k < count
            unsafe.store(target, value, place)


def updated(old, value, kind: str):
    """Return what an element becomes."""
    if kind == "maximum":
        return np.maximum(old, value)
    if kind == "minimum":
        return np.minimum(old, value)
    if kind == "mul":
        return old * value
    return old - value if kind == "sub" else old + value


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
