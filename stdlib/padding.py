"""Rows before and behind those of an array, in the script language.

`out` holds the rows of the array along its first axis, with room for others around them, which
these functions write.
"""

import numpy as np

MODE = "maximum"
AXIS = 0
WHOLE = False
ODD = False


def grown(count: int, before: int, behind: int):
    """Return how many rows there are together."""
    if before < 0 or behind < 0:
        raise ValueError("index can't contain negative values")
    if count == 0 and before + behind > 0 and MODE != "constant":
        raise ValueError(
            f"can't extend empty axis {AXIS} using modes other than 'constant' or 'empty'"
        )
    return before + count + behind


def between(out, before: int, behind: int, first, last):
    """Write one constant before the rows and one behind them."""
    out[:before] = first
    out[len(out) - behind :] = last


def edged(out, before: int, behind: int):
    """Write the first row before the rows and the last one behind them."""
    if before > 0:
        out[:before] = out[before : before + 1]
    if behind > 0:
        end = len(out) - behind
        out[end:] = out[end - 1 : end]


def wrapped(out, before: int, behind: int):
    """Write the rows again and again around themselves."""
    count = len(out) - before - behind
    if count == 0:
        return
    for left in range(before, 0, -count):
        chunk = min(count, left)
        out[left - chunk : left] = out[left - chunk + count : left + count]
    for end in range(len(out) - behind, len(out), count):
        chunk = min(count, len(out) - end)
        out[end : end + chunk] = out[end - count : end - count + chunk]


def reflected(out, before: int, behind: int):
    """Write the rows as mirrors at both ends show them, in NumPy's portions: they round alike."""
    count = len(out) - before - behind
    if count == 1:
        edged(out, before, behind)
        return
    own = 1 if MODE == "symmetric" else 0  # whether the mirror shows the last row itself
    while before > 0 or behind > 0:
        whole = len(out) - before - behind
        length = whole // count * count if own else (whole - 1) // (count - 1) * (count - 1)
        if before > 0:
            chunk = min(length, before)
            start = before + 1 - own
            rows = out[start : start + chunk][::-1]
            out[before - chunk : before] = turned(rows, out[before : before + 1])
            before -= chunk
        if behind > 0:
            chunk = min(length, behind)
            end = len(out) - behind
            rows = out[end - 1 + own - chunk : end - 1 + own][::-1]
            out[end : end + chunk] = turned(rows, out[end - 1 : end])
            behind -= chunk


def turned(rows, edge):
    """Return what a mirror shows: rows, or as far on the other side of the edge."""
    return 2 * edge - rows if ODD else rows


def folded(out, before: int, behind: int):
    """Write what all rows make before and behind them."""
    count = len(out) - before - behind
    folded_ends(out, before, behind, count, count)


def folded_ends(out, before: int, behind: int, first: int, last: int):
    """Write what the first rows make before the rows, and what the last ones make behind them."""
    end = len(out) - behind
    count = end - before
    if out.size == 0:
        return
    if first < 0 or last < 0:
        raise ValueError("index can't contain negative values")
    first, last = min(first, count), min(last, count)
    if (first == 0 or last == 0) and (MODE == "maximum" or MODE == "minimum"):
        raise ValueError("stat_length of 0 yields no value for padding")
    found = fold(out[before : before + first], out)
    out[:before] = found
    if first < count or last < count:
        found = fold(out[end - last : end], out)
    out[end:] = found


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


def ramped(out, before: int, behind: int, first, last):
    """Write rows that lead from one number to the rows, and from them to another one."""
    if out.size == 0:
        return
    end = len(out) - behind
    ramp(out[:before], out[before : before + 1], first)
    ramp(out[end:][::-1], out[end - 1 : end], last)


def ramp(rows, edge, end):
    """Write as many rows as there are, from `end` on, where the row `edge` would be the next.

    They are computed in the dtype of `end`, as in np.linspace.
    """
    num = len(rows)
    if num == 0:
        return
    delta = edge.astype(end.dtype) - end
    step = delta / num
    small = np.any(step == 0)
    places = np.arange(num).astype(end.dtype)
    for k in range(num):
        found = places[k] / num * delta if small else places[k] * step
        found = found + end
        rows[k : k + 1] = np.floor(found).astype(rows.dtype) if WHOLE else found.astype(rows.dtype)
