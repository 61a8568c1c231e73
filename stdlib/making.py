"""New arrays, in the script language."""

import numpy as np

ENDPOINT = True
AXIS = 0


def array_of_list(items, model):
    """Return the items of a list of numbers as an array of the dtype of another one."""
    out = np.empty(len(items), model.dtype)
    for i in range(len(items)):
        out[i] = items[i]
    return out


def linspace(start: float, stop: float, num: int):
    """Return `num` points from start to stop, as NumPy computes them; ENDPOINT is one of them."""
    if num < 0:
        raise ValueError(f"Number of samples, {num}, must be non-negative.")
    parts = num - 1 if ENDPOINT else num
    delta = stop - start
    points = np.arange(num) * 1.0
    if parts > 0:
        step = delta / parts
        # A step that is too small for a float is made of two factors.
        points = points / parts * delta if step == 0 else points * step
    else:
        points = points * delta
    points += start
    if ENDPOINT and num > 1:
        points[-1] = stop
    return points


def points(start, stop, num: int):
    """Return `num` points from start to stop along a new first axis, in the dtype of both."""
    if num < 0:
        raise ValueError(f"Number of samples, {num}, must be non-negative.")
    parts = num - 1 if ENDPOINT else num
    delta = np.asarray(stop - start)
    out = np.empty((num,) + delta.shape, delta.dtype)
    if num == 0:
        return out
    places = np.arange(num).astype(delta.dtype)
    step = delta / max(parts, 1)
    small = np.any(step == 0)
    for k in range(num):
        if parts == 0:
            out[k] = places[k] * delta + start
        elif small:
            out[k] = places[k] / parts * delta + start
        else:
            out[k] = places[k] * step + start
    if ENDPOINT and num > 1:
        out[-1] = stop
    return out


def list_of_array(x):
    """Return the elements as Python's numbers, in lists of lists for more than one axis."""
    if x.ndim == 1:
        return [x.item(i) for i in range(len(x))]
    return [list_of_array(x[i]) for i in range(len(x))]


def require_same_shapes(items, message: str):
    """Refuse arrays of different shapes; there is one at least."""
    first = items[0]
    for i in range(1, len(items)):
        if items[i].shape != first.shape:
            raise ValueError(message)


def without_none(items):
    """Return the items of a list that may have been None, where none is."""
    found = []
    for item in items:
        if item is None:
            raise TypeError("a list with None is an array of objects to NumPy, which scripts lack")
        found.append(item)
    return found


def array_of_arrays(items):
    """Return the arrays of a list as the rows of one."""
    if len(items) == 0:
        raise ValueError("an empty list of arrays does not say what the array of them is")
    require_same_shapes(
        items,
        "setting an array element with a sequence. The requested array has an inhomogeneous shape "
        f"after 1 dimensions. The detected shape was ({len(items)},) + inhomogeneous part.",
    )
    first = items[0]
    out = np.empty((len(items),) + first.shape, first.dtype)
    for i in range(len(items)):
        out[i] = items[i]
    return out


def stacked(items):
    """Return the arrays of a list along a new axis, which is AXIS of the result."""
    if len(items) == 0:
        raise ValueError("need at least one array to stack")
    require_same_shapes(items, "all input arrays must have the same shape")
    first = items[0]
    out = np.empty(first.shape[:AXIS] + (len(items),) + first.shape[AXIS:], first.dtype)
    rows = np.moveaxis(out, AXIS, 0)
    for i in range(len(items)):
        rows[i] = items[i]
    return out


def refuse_sizes(sizes: list[int], others: list[int], place: int):
    """Say which sizes of the first array and the one at a place differ."""
    for axis in range(len(sizes)):
        if axis != AXIS and sizes[axis] != others[axis]:
            raise ValueError(
                "all the input array dimensions except for the concatenation axis must match "
                f"exactly, but along dimension {axis}, the array at index 0 has size {sizes[axis]} "
                f"and the array at index {place} has size {others[axis]}"
            )


def concatenated(items):
    """Return the arrays of a list behind each other along AXIS."""
    if len(items) == 0:
        raise ValueError("need at least one array to concatenate")
    first = np.moveaxis(items[0], AXIS, 0)
    count = len(first)
    for i in range(1, len(items)):
        part = np.moveaxis(items[i], AXIS, 0)
        if part.shape[1:] != first.shape[1:]:
            refuse_sizes(list(items[0].shape), list(items[i].shape), i)
        count += len(part)
    others = first.shape[1:]
    out = np.empty(others[:AXIS] + (count,) + others[AXIS:], first.dtype)
    rows = np.moveaxis(out, AXIS, 0)
    place = 0
    for i in range(len(items)):
        part = np.moveaxis(items[i], AXIS, 0)
        rows[place : place + len(part)] = part
        place += len(part)
    return out


def step_of(start: float, stop: float, num: int):
    """Return how far the points of `linspace` lie apart."""
    parts = num - 1 if ENDPOINT else num
    if parts < 1:
        raise ValueError("of one point NumPy gives a step of another type")
    return (np.float64(stop) - np.float64(start)) / parts


def array_of_rows(rows, model):
    """Return lists, tuples or arrays of one shape as an array of the dtype and rank of another."""
    if len(rows) == 0:
        raise ValueError("an array of no rows: how many axes it has is not known")
    first = np.asarray(rows[0], model.dtype)
    out = np.empty((len(rows),) + first.shape, model.dtype)
    for i in range(len(rows)):
        row = np.asarray(rows[i], model.dtype)
        if row.shape != first.shape:
            raise ValueError(
                "setting an array element with a sequence. The requested array has an "
                "inhomogeneous shape after 1 dimensions. The detected shape was "
                f"({len(rows)},) + inhomogeneous part."
            )
        out[i] = row
    return out
