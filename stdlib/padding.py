"""Rows before and behind those of an array, in the script language; the first axis is extended."""

import numpy as np

MODE = "maximum"
AXIS = 0
WHOLE = False


def with_room(x, before: int, behind: int):
    """Return an array that holds the rows of x, and others around them that are not set yet."""
    if before < 0 or behind < 0:
        raise ValueError("index can't contain negative values")
    if len(x) == 0 and before + behind > 0 and MODE != "constant":
        raise ValueError(
            f"can't extend empty axis {AXIS} using modes other than 'constant' or 'empty'"
        )
    out = np.empty((before + len(x) + behind,) + x.shape[1:], x.dtype)
    out[before : before + len(x)] = x
    return out


def between(x, before: int, behind: int, first, last):
    """Return the rows of x with one constant before them and one behind."""
    out = with_room(x, before, behind)
    out[:before] = first
    out[before + len(x) :] = last
    return out


def folded(x, before: int, behind: int, first: int, last: int):
    """Return the rows of x between what the first ones make and what the last ones do.

    Fewer than none are all of them.
    """
    out = with_room(x, before, behind)
    count = len(x)
    if x.size == 0:
        return out
    if first < 0 or first > count:
        first = count
    if last < 0 or last > count:
        last = count
    if (first == 0 or last == 0) and (MODE == "maximum" or MODE == "minimum"):
        raise ValueError("stat_length of 0 yields no value for padding")
    out[:before] = fold(x[:first], out)
    out[before + count :] = fold(x[count - last :], out)
    return out


def fold(rows, out):
    """Return the one row that rows make together; of integers it is rounded."""
    if MODE == "maximum":
        return np.max(rows, axis=0, keepdims=True)
    if MODE == "minimum":
        return np.min(rows, axis=0, keepdims=True)
    if MODE == "mean":
        found = np.mean(rows, axis=0, keepdims=True)
    else:
        found = np.median(rows, axis=0, keepdims=True)
    if WHOLE:
        return np.rint(found).astype(out.dtype)
    return found


def ramped(x, before: int, behind: int, first, last):
    """Return the rows of x between rows that lead from one number to them, and to another one."""
    out = with_room(x, before, behind)
    if x.size == 0:
        return out
    ramp(out[:before], x[:1] * 1.0, first, before)
    ramp(out[before + len(x) :][::-1], x[-1:] * 1.0, last, behind)
    return out


def ramp(rows, edge, end, num: int):
    """Write as many rows as there are, from `end` on, where the row `edge` would be the next."""
    if num == 0:
        return
    delta = edge - end
    step = delta / num
    small = np.any(step == 0)
    for k in range(num):
        found = k / num * delta if small else k * step
        found = found + end
        rows[k : k + 1] = np.floor(found).astype(rows.dtype) if WHOLE else found
