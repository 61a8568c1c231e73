"""Elements found by a place or a truth value: taken out, put in, counted in several axes.

The compiler binds the constants anew for each use: `AXIS` is the axis that a function works along,
None for all elements in C order; `MODE` says what becomes of places outside of the array.
"""

import numpy as np

AXIS = 0
MODE = "raise"
WRAP = False
LOWER = True


def rows_of(x):
    """Return the array with the axis in front, or its elements as one axis."""
    if AXIS is None:
        return x.reshape(-1)
    return np.moveaxis(x, AXIS, 0)


def back(rows):
    """Return an array whose first axis is the one that was in front."""
    if AXIS is None:
        return rows
    return np.moveaxis(rows, 0, AXIS)


def new_back(rows):
    """Return a new array whose first axis is the one that was in front, in C order."""
    return np.ascontiguousarray(back(rows))


def axis_number() -> int:
    """Return the axis as messages tell it."""
    return 0 if AXIS is None else AXIS


def inside(index, size: int):
    """Return indices as MODE has them, which is not "raise"."""
    if size == 0 and np.size(index) > 0:
        raise IndexError("cannot do a non-empty take from an empty axes.")
    if MODE == "wrap":
        return index % max(size, 1)
    return np.minimum(np.maximum(index, 0), max(size - 1, 0))


def compress(condition, x):
    """Return the slices along AXIS for which the condition is true; it may be shorter."""
    rows = rows_of(x)
    if condition.size == len(rows):
        return new_back(rows[condition.reshape(-1)])
    return np.take(x, np.flatnonzero(condition), axis=AXIS)


def extract(condition, x):
    """Return the elements for which the condition is true."""
    if condition.size == x.size:
        return x.reshape(-1)[condition.reshape(-1)]
    return np.take(x, np.flatnonzero(condition))


def place(x, mask, values):
    """Put values, in turn and again from the first, where the mask is true."""
    if mask.size != x.size:
        raise ValueError("place: mask and data must be the same size")
    count = int(np.count_nonzero(mask))
    if count == 0:
        return
    given = values.reshape(-1)
    if len(given) == 0:
        raise ValueError("Cannot insert from an empty array!")
    x[mask.reshape(x.shape)] = given[np.arange(count) % len(given)]


def putmask(x, mask, values):
    """Put values where the mask is true; each element has its own, again from the first."""
    if mask.size != x.size:
        raise ValueError("putmask: mask and data must be the same size")
    given = values.reshape(-1)
    if len(given) > 0:
        own = given[np.arange(x.size) % len(given)].reshape(x.shape)
        x[...] = np.where(mask.reshape(x.shape), own, x)


def put(x, places, values):
    """Put values, in turn and again from the first, at places in C order."""
    flat = x.reshape(-1)
    given = values.reshape(-1).copy()  # it may lie in what is written
    size = len(flat)
    if len(given) == 0 or len(places) == 0:
        return
    if size == 0:
        raise IndexError("cannot replace elements of an empty array")
    for k in range(len(places)):
        place = int(places[k])
        if MODE == "wrap":
            place %= size
        elif MODE == "clip":
            place = min(max(place, 0), size - 1)
        elif place < -size or place >= size:
            raise IndexError(f"index {place} is out of bounds for axis 0 with size {size}")
        flat[place] = given[k % len(given)]
    x[...] = flat.reshape(x.shape)


def delete_one(x, place: int):
    """Return the array without one slice."""
    rows = rows_of(x)
    size = len(rows)
    if place < -size or place >= size:
        raise IndexError(
            f"index {place} is out of bounds for axis {axis_number()} with size {size}"
        )
    if place < 0:
        place += size
    out = np.empty((size - 1,) + rows.shape[1:], x.dtype)
    out[:place] = rows[:place]
    out[place:] = rows[place + 1 :]
    return new_back(out)


def delete(x, places):
    """Return the array without some slices, which may be named twice."""
    rows = rows_of(x)
    if len(places) == 1:
        return delete_one(x, int(places[0]))
    keep = np.ones(len(rows), np.bool_)
    keep[places] = False
    return back(rows[keep])


def delete_part(x, part):
    """Return the array without the slices that one slice names."""
    rows = rows_of(x)
    keep = np.ones(len(rows), np.bool_)
    keep[part] = False
    return back(rows[keep])


def delete_where(x, gone):
    """Return the array without the slices for which a mask is true."""
    rows = rows_of(x)
    if len(gone) != len(rows):
        raise ValueError(
            "boolean array argument obj to delete must be one dimensional and match the axis "
            f"length of {len(rows)}"
        )
    return back(rows[~gone])


def insert_at(x, place: int, values):
    """Return the array with slices before one place."""
    rows = rows_of(x)
    size = len(rows)
    if place < -size or place > size:
        raise IndexError(
            f"index {place} is out of bounds for axis {axis_number()} with size {size}"
        )
    if place < 0:
        place += size
    more = len(values)
    out = np.empty((size + more,) + rows.shape[1:], x.dtype)
    out[:place] = rows[:place]
    out[place : place + more] = values
    out[place + more :] = rows[place:]
    return new_back(out)


def insert(x, places, values):
    """Return the array with a slice before each of several places of the old one."""
    if len(places) == 1:
        return insert_at(x, int(places[0]), values)
    rows = rows_of(x)
    size = len(rows)
    starts = np.where(places < 0, places + size, places)
    order = np.argsort(starts, kind="stable")
    starts[order] += np.arange(len(starts))
    old = np.ones(size + len(starts), np.bool_)
    old[starts] = False
    out = np.empty((size + len(starts),) + rows.shape[1:], x.dtype)
    out[starts] = values
    out[old] = rows
    return new_back(out)


def require_entries(index, count: int):
    """Refuse numbers that are none of the choices."""
    if np.any(index < 0) or np.any(index >= count):
        raise ValueError("invalid entry in choice array")


def require_flat(index, size: int):
    """Refuse places that an array of this size does not have."""
    line = index.reshape(-1)
    for k in range(len(line)):
        if line[k] < 0 or line[k] >= size:
            raise ValueError(f"index {line[k]} is out of bounds for array with size {size}")


def require_space(dims):
    """Refuse sizes whose product no size is."""
    total, fits = 1, True
    for size in dims[::-1]:
        try:
            total = total * size
        except OverflowError:
            fits = False
    if not fits:
        raise ValueError(
            "invalid dims: array size defined by dims is larger than the maximum possible size."
        )


def coordinate(index, size: int):
    """Return the places along one axis as MODE has them."""
    if MODE != "raise" and size <= 0 and np.size(index) > 0:
        raise ValueError("cannot unravel if shape has zero entries (is empty).")
    if MODE == "wrap":
        return index % size
    if MODE == "clip":
        return np.minimum(np.maximum(index, 0), size - 1)
    if np.any(index < 0) or np.any(index >= size):
        raise ValueError("invalid entry in coordinates array")
    return index


def fill_diagonal(x, value):
    """Write a value to the elements [i, i, ...]; below a square they start again if WRAP."""
    if x.ndim > 2:
        for size in x.shape:
            if size != x.shape[0]:
                raise ValueError("All dimensions of input must be of equal length")
        line = x.reshape(-1)
        step = 0
        for _ in x.shape:
            step = step * x.shape[0] + 1
        line[::step] = value
        x[...] = line.reshape(x.shape)
        return
    columns = x.shape[1]
    for i in range(x.shape[0] if columns > 0 else 0):
        j = i % (columns + 1) if WRAP else i
        if j < columns:
            x[i, j] = value


def fill_diagonal_with(x, values):
    """Write values to the elements [i, i], in turn and again from the first."""
    given = values.reshape(-1)
    columns = x.shape[1]
    k = 0
    for i in range(x.shape[0] if columns > 0 else 0):
        j = i % (columns + 1) if WRAP else i
        if j < columns:
            x[i, j] = given[k % len(given)]
            k += 1


def triangle(rows: int, columns: int, offset: int):
    """Return the indices of the elements below a diagonal, or of those above it."""
    chosen = np.tri(rows, columns, offset if LOWER else offset - 1, np.bool_)
    return np.nonzero(chosen if LOWER else ~chosen)


def common_size(sizes) -> int:
    """Return the size that all axes have."""
    for size in sizes:
        if size != sizes[0]:
            raise ValueError("All dimensions of input must be of equal length")
    return sizes[0]
