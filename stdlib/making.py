"""New arrays, in the script language."""

import numpy as np

ENDPOINT = True


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


def list_of_array(x):
    """Return the elements as Python's numbers, in lists of lists for more than one axis."""
    if x.ndim == 1:
        return [x.item(i) for i in range(len(x))]
    return [list_of_array(x[i]) for i in range(len(x))]
