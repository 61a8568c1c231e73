"""Array functions of the standard library, in the script language.

Each function is the body of the library op of its name.  The compiler binds the constants below
anew for each use of an op: `AXES` are the reduced axes in order, `BEHIND` those after the last of
them.  `DENSE` says whether an array is known to be in C order, `ON_DEVICE` whether there are many
threads.  The values here serve readers, type checkers and CPython.

An op of NumPy gives a scalar for arrays of rank 0, which has no axis to reduce.
"""

import numpy as np

from scriptc.parallel import prange
from scriptc_runtime import unsafe

RANK = 1
AXES = (0,)
BEHIND = ()
KEEPDIMS = False
DENSE = False
ON_DEVICE = False


def mean(x):
    """Arithmetic mean over AXES; NaN where there is no element."""
    if RANK == 0:
        return x - 0.0
    count = 1
    for axis in AXES:
        count *= x.shape[axis]
    if (
        x.dtype == np.float64 or x.dtype == np.float32 or x.dtype == np.float16
        or x.dtype == np.complex128 or x.dtype == np.complex64
    ):  # fmt: skip
        return np.sum(x, axis=AXES, keepdims=KEEPDIMS) / count
    # The difference turns integers and bools into floats.
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
    if len(AXES) == RANK:
        return as_kept(place_of_extreme(x if RANK == 1 else x.reshape(-1), "max"))
    if len(BEHIND) == 0:
        return places_of_extremes(x, "max")
    if not DENSE:
        # In Fortran order the elements of the first axis are neighbours.
        rows = np.moveaxis(x, AXES, (-1,))
        if unsafe.is_contiguous(rows) and not unsafe.is_contiguous(x):
            return places_of_extremes(rows, "max")
    largest = np.max(x, axis=AXES, keepdims=True)
    # A maximum of NaN equals nothing, so NaNs are recognised by being unequal to themselves.
    found = np.where((x == largest) | (x != x), positions(x), x.size)
    return np.min(found, axis=AXES, keepdims=KEEPDIMS)


def argmin(x):
    """Index of the first smallest element; the first NaN where there is one."""
    require_elements(x, "attempt to get argmin of an empty sequence")
    if RANK == 0:
        return np.int64(0)
    if len(AXES) == RANK:
        return as_kept(place_of_extreme(x if RANK == 1 else x.reshape(-1), "min"))
    if len(BEHIND) == 0:
        return places_of_extremes(x, "min")
    if not DENSE:
        # In Fortran order the elements of the first axis are neighbours.
        rows = np.moveaxis(x, AXES, (-1,))
        if unsafe.is_contiguous(rows) and not unsafe.is_contiguous(x):
            return places_of_extremes(rows, "min")
    smallest = np.min(x, axis=AXES, keepdims=True)
    found = np.where((x == smallest) | (x != x), positions(x), x.size)
    return np.min(found, axis=AXES, keepdims=KEEPDIMS)


def place_of_extreme(x, kind: str):
    """Index of the first extreme element of a row; threads share a long one."""
    if ON_DEVICE:
        return place_by_rounds(x, kind)
    size = len(x)
    if size < 262144:
        return unsafe.extreme_place(x, kind)
    count = size // 65536
    places = np.empty(count, np.int64)
    values = np.empty(count, x.dtype)
    for k in prange(count):
        part = x[k * 65536 : size if k == count - 1 else (k + 1) * 65536]
        place = unsafe.extreme_place(part, kind)
        places[k] = k * 65536 + place
        values[k] = part[place]
    return places[unsafe.extreme_place(values, kind)]


def place_by_rounds(x, kind: str):
    """Return the same; in each round a thread finds the extreme of some that are left."""
    places = np.empty(0, np.int64)
    left = len(x)
    first = True
    while left > 1 or first:
        groups = (left + 63) // 64
        found = np.empty(groups, np.int64)
        values = np.empty(groups, x.dtype)
        for k in prange(groups):
            i = np.int64(k) * 64
            stop = np.minimum(i + 64, np.int64(left))
            place = i
            value = unsafe.load(x, i)
            i += 1
            while i < stop:
                other = unsafe.load(x, i)
                if exceeds(other, value, kind):
                    place = i
                    value = other
                i += 1
            unsafe.store(found, place if first else unsafe.load(places, place), k)
            unsafe.store(values, value, k)
        places = found
        x = values
        left = groups
        first = False
    return places[0]


def exceeds(other, value, kind: str):
    """Return whether an extreme element is not `value` but one behind it."""
    more = other > value if kind == "max" else other < value
    return more or (other != other and value == value)


def places_of_extremes(x, kind: str):
    """Index of the first extreme element of each row along the last axis."""
    # Zeros over the sizes of x but the last one.
    found = np.where(x[..., 0] != x[..., 0], 0, 0)
    rows = np.ascontiguousarray(x).reshape(-1, x.shape[-1])
    places = found.reshape(-1)
    for i in prange(len(rows)):
        places[i] = unsafe.extreme_place(rows[i], kind)
    if KEEPDIMS:
        return np.expand_dims(found, AXES)
    return found


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


def no_room(x, result):
    """Raise what NumPy does where an array is updated in place by one with more axes."""
    room, needed = str(x.shape).replace(", ", ","), str(result.shape).replace(", ", ",")
    raise ValueError(
        f"non-broadcastable output operand with shape {room} doesn't match the broadcast shape "
        f"{needed}"
    )
