"""Methods of ufuncs with two operands, in the script language: the first axis is the one that goes.

UFUNC is the function, CALLED its name in messages.
"""

import numpy as np

UFUNC = np.add
CALLED = "add"


def numbers_from(x, first):
    """Return what all numbers make with `first`, one after the other."""
    total = first
    for i in range(len(x)):
        total = UFUNC(total, x[i])
    return total


def numbers(x):
    """Return what all numbers make; of none there is no result."""
    if len(x) == 0:
        raise ValueError(f"zero-size array to reduction operation {CALLED} which has no identity")
    return numbers_from(x[1:], x[0])


def rows_from(x, first):
    """Return what all rows make with `first`, one after the other."""
    out = np.empty(x.shape[1:], x.dtype)
    out[...] = first
    if out.size > 0:
        for i in range(len(x)):
            out[...] = UFUNC(out, x[i])
    return out


def rows(x):
    """Return what all rows make; of none there is no result."""
    if len(x) == 0:
        raise ValueError(f"zero-size array to reduction operation {CALLED} which has no identity")
    return rows_from(x[1:], x[0])


def accumulated(x):
    """Return what the rows up to each one make."""
    out = np.empty_like(x)
    if x.size > 0:
        out[0] = x[0]
        for i in range(1, len(x)):
            out[i] = UFUNC(out[i - 1], x[i])
    return out


def folded_at(x, places):
    """Return what rows from each place to the next make; one row where that is behind."""
    out = np.empty((len(places),) + x.shape[1:], x.dtype)
    size = len(x)
    for i in range(len(places)):
        if places[i] < 0 or places[i] >= size:
            raise IndexError(f"index {places[i]} out-of-bounds in {CALLED}.reduceat [0, {size})")
    for i in range(len(places)):
        start = int(places[i])
        stop = int(places[i + 1]) if i + 1 < len(places) else size
        out[i] = x[start]
        for j in range(start + 1, stop):
            out[i] = UFUNC(out[i], x[j])
    return out
