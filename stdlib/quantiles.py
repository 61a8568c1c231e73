"""Quantiles and bins, in the script language.  Rows come in order along the first axis."""

import numpy as np

HUNDREDTHS = False
RIGHT = False


def share_of(q):
    """Return the share of elements that q asks for."""
    share = q / 100 if HUNDREDTHS else q
    if not (share >= 0 and share <= 1):
        if HUNDREDTHS:
            raise ValueError("Percentiles must be in the range [0, 100]")
        raise ValueError("Quantiles must be in the range [0, 1]")
    return share


def quantile(ordered, q):
    """Return what lies at a share of the rows, between two of them in proportion."""
    share = share_of(q)
    count = len(ordered)
    if count == 0:
        raise IndexError("index -1 is out of bounds for axis 0 with size 0")
    place = (count - 1) * share
    before = min(int(place), count - 1)
    behind = min(before + 1, count - 1)
    # As NumPy has it, the last row is one before the first; it is all the same to numbers.
    weight = place + 1 if before == count - 1 else place - before
    low = ordered[before]
    high = ordered[behind]
    distance = high - low
    found = high - distance * (1 - weight) if weight >= 0.5 else low + distance * weight
    last = ordered[-1]
    if ordered.ndim == 1:
        return found if last == last else found + last
    return np.where(last == last, found, last)


def quantiles(ordered, q):
    """Return the quantiles for each of several shares."""
    # All of them are looked at first.
    for k in range(len(q)):
        share_of(q[k])
    if len(ordered) == 0:
        raise IndexError("index -1 is out of bounds for axis 0 with size 0")
    out = np.empty((len(q),) + ordered.shape[1:])
    for k in range(len(q)):
        out[k] = quantile(ordered, q[k])
    return out


def digitize(x, edges):
    """Return the bin of each element: how many edges are below it, or above if they fall."""
    rises = True
    falls = True
    for k in range(1, len(edges)):
        rises = rises and edges[k] >= edges[k - 1]
        falls = falls and edges[k] <= edges[k - 1]
    if not rises and not falls:
        raise ValueError("bins must be monotonically increasing or decreasing")
    if rises:
        return np.searchsorted(edges, x, side="left" if RIGHT else "right")
    return len(edges) - np.searchsorted(edges[::-1], x, side="left" if RIGHT else "right")
