"""Histograms with bins of one width, in the script language.

The bin of a value is its distance from the low end over the width, which rounds: NumPy compares
each value with the edges of the bin found and goes to the neighbour where they say so.  Only a
value that lies very near to an edge can need that, so the bins of a block of values are computed
without edges, by vector code, and a block with a value near to an edge is gone through again.
"""

import numpy as np

from scriptc.parallel import prange
from scriptc_runtime import unsafe

NARROW = False


def outer_edges(a):
    """Return the least and the largest element, a little apart, as floats."""
    if len(a) == 0:
        return 0.0, 1.0
    low = float(np.min(a))
    high = float(np.max(a))
    if not (np.isfinite(low) and np.isfinite(high)):
        raise ValueError(f"autodetected range of [{low}, {high}] is not finite")
    if low == high:
        return low - 0.5, high + 0.5
    return low, high


def given_edges(low: float, high: float):
    """Return the ends of a range that was asked for, a little apart."""
    if low > high:
        raise ValueError("max must be larger than min in range parameter.")
    if not (np.isfinite(low) and np.isfinite(high)):
        raise ValueError(f"supplied range of [{low}, {high}] is not finite")
    if low == high:
        return low - 0.5, high + 0.5
    return low, high


def narrow_edges(a, low, high, num: int):
    """Return the edges between two numbers of single precision, as NumPy computes them."""
    if len(a) == 0:
        return np.linspace(0.0, 1.0, num).astype(np.float32)
    points = np.arange(num).astype(np.float32)
    parts = np.float32(num - 1)
    delta = high - low
    step = delta / parts
    points = points / parts * delta if step == 0 else points * step
    points += low
    points[-1] = high
    return points


def ends_of(edges):
    """Return the first edge and the last."""
    return float(edges[0]), float(edges[-1])


def histogram(a, low: float, high: float, edges):
    """Return how many elements lie between each edge and the next."""
    require_bins(edges)
    count = len(edges) - 1
    if unsafe.on_device():
        found = np.zeros(count + 1, np.int64)
        unsafe.tally(found, places_by_many(a, low, high, edges), np.int64(1))
        return found[:count]
    margin = margin_of(low, high, count)
    out = np.zeros(count + 1, np.int64)
    room = np.empty(1024, np.int64)
    for start in range(0, len(a), 1024):
        values = a[start : start + 1024]
        places = room[: len(values)]
        if find_bins(places, values, low, high, count, margin):
            correct_bins(places, values, low, high, edges)
        for k in range(len(places)):
            out[places[k]] += 1
    return out[:count]


def weighted_histogram(a, weights, low: float, high: float, edges):
    """Return the sums of the weights of the elements between each edge and the next.

    As NumPy does, weights are added in their order to sums of 65536 elements.
    """
    if len(a) != len(weights):
        raise ValueError("weights should have the same shape as a.")
    require_bins(edges)
    count = len(edges) - 1
    margin = margin_of(low, high, count)
    out = np.zeros(count, weights.dtype)
    part = np.empty(count + 1)
    if unsafe.on_device():
        found = places_by_many(a, low, high, edges)
        for block in range(0, len(a), 65536):
            part[:] = 0.0
            some = weights[block : block + 65536].astype(np.float64)
            unsafe.tally(part, found[block : block + 65536], some)
            out += part[:count].astype(weights.dtype)
        return out
    room = np.empty(1024, np.int64)
    for block in range(0, len(a), 65536):
        part[:] = 0.0
        for start in range(block, min(block + 65536, len(a)), 1024):
            values = a[start : start + 1024]
            places = room[: len(values)]
            if find_bins(places, values, low, high, count, margin):
                correct_bins(places, values, low, high, edges)
            for k in range(len(places)):
                part[places[k]] += weights[start + k]
        out += part[:count].astype(weights.dtype)
    return out


def require_bins(edges):
    """Refuse bins without a width."""
    for k in range(len(edges) - 1):
        if edges[k] >= edges[k + 1]:
            raise ValueError(
                f"Too many bins for data range. Cannot create {len(edges) - 1} finite-sized bins."
            )


def margin_of(low: float, high: float, count: int) -> float:
    """Return how far from the middle of a bin, in widths of one, no edge needs to be looked at.

    Where a value lies is off by 5 roundings of it, in units of a bin count * 5 * 2**-53; an edge
    by 5 roundings of the distance between the ends and one of the larger end.  A distance that is
    not finite, or bins so narrow that they are denormal, may be off by any amount. So may edges
    that were rounded to f32, as NARROW says.
    """
    distance = high - low
    if NARROW or not np.isfinite(distance) or distance / count < 1e-290:
        return -1.0
    return 0.5 - 2.0**-52 * count * (8.0 + max(abs(low), abs(high)) / distance)


def find_bins(places, values, low: float, high: float, count: int, margin: float) -> bool:
    """Write the bin of each value, `count` for those outside; return whether one is uncertain."""
    distance = np.float64(high - low)
    bins = np.float64(count)
    outside = np.int64(count)
    uncertain = 0
    for k in range(len(places)):
        value = values[k]
        place = outside
        if value >= low and value <= high:
            scaled = (value - low) / distance * bins
            whole = np.trunc(scaled)
            place = np.int64(whole)
            if np.abs(scaled - whole - 0.5) > margin:
                uncertain = 1
        places[k] = place
    return uncertain == 1


def correct_bins(places, values, low: float, high: float, edges):
    """Hold the values that lie in a bin against its edges."""
    last = len(edges) - 2
    for k in range(len(values)):
        value = values[k]
        if value >= low and value <= high:
            place = int(places[k])
            if place > last:
                place = last
            if value < edges[place]:
                place -= 1
            if place != last and value >= edges[place + 1]:
                place += 1
            places[k] = place


def places_by_many(a, low: float, high: float, edges):
    """Return the bin of each value, the number of bins for those outside; a thread finds each."""
    places = np.empty(len(a), np.int64)
    last = np.int64(len(edges) - 2)
    distance = np.float64(high - low)
    bins = np.float64(len(edges) - 1)
    for k in prange(len(a)):
        value = a[k]
        place = last + 1
        if value >= low and value <= high:
            place = np.minimum(np.int64((value - low) / distance * bins), last)
            if value < edges[place]:
                place -= 1
            if place != last and value >= edges[place + 1]:
                place += 1
        places[k] = place
    return places


def require_rising(edges):
    """Refuse edges that fall."""
    for k in range(len(edges) - 1):
        if edges[k] > edges[k + 1]:
            raise ValueError("`bins` must increase monotonically, when an array")


def require_rising_side(edges, side: int):
    """Refuse edges of one of several sides that fall."""
    for k in range(len(edges) - 1):
        if edges[k] > edges[k + 1]:
            raise ValueError(f"`bins[{side}]` must be monotonically increasing, when an array")


def counts(a, edges):
    """Return how many elements lie between each edge and the next; the last one counts, too."""
    require_rising(edges)
    out = np.zeros(max(len(edges) - 1, 0), np.int64)
    if len(out) == 0:
        return out
    if unsafe.on_device():
        return counts_by_many(a, edges)
    last = len(out) - 1
    top = edges[-1]
    endless = top != top  # NaN is behind all numbers, as it is where arrays are sorted
    for k in range(len(a)):
        value = a[k]
        inside = value >= edges[0] and (value <= top or endless)
        if inside or (endless and value != value):
            low = 0
            high = len(edges)
            while low < high:
                middle = (low + high) // 2
                if edges[middle] <= value or value != value:
                    low = middle + 1
                else:
                    high = middle
            out[min(low - 1, last)] += 1
    return out


def counts_by_many(a, edges):
    """Return the same; a thread finds the place of each value."""
    size = len(edges)
    places = np.empty(len(a), np.int64)
    behind = np.searchsorted(edges, a, side="right")
    for k in prange(len(a)):
        value = a[k]
        place = behind[k] - 1
        top = edges[size - 1]
        endless = top != top
        inside = value >= edges[0] and (value <= top or endless)
        if not (inside or (endless and value != value)):
            place = np.int64(size)
        places[k] = np.minimum(place, np.int64(size - 2)) if place < size else place
    out = np.zeros(size + 1, np.int64)
    unsafe.tally(out, places, np.int64(1))
    return out[: size - 1]


def weighted_counts(a, weights, edges):
    """Return the sums of the weights of the elements between each edge and the next.

    As in NumPy they are differences of sums, which run over 65536 elements in order.
    """
    if len(a) != len(weights):
        raise ValueError("weights should have the same shape as a.")
    require_rising(edges)
    total = np.zeros(len(edges), weights.dtype)
    for start in range(0, len(a), 65536):
        values = a[start : start + 65536]
        order = np.argsort(values)
        ordered = values[order]
        sums = np.zeros(len(values) + 1, weights.dtype)
        sums[1:] = np.cumsum(weights[start : start + 65536][order])
        places = np.searchsorted(ordered, edges)
        places[-1:] = np.searchsorted(ordered, edges[-1:], side="right")
        total += sums[places]
    return total[1:] - total[:-1]


def density(found, edges):
    """Return counts over the widths of their bins and over their sum."""
    widths = (edges[1:] - edges[:-1]).astype(np.float64)
    return found / widths / np.sum(found)


def bin_of(value, edges):
    """Return the bin of a value; 0 and the number of edges stand for what lies outside.

    Where all bins have one width the first guess is right, but next to an edge.
    """
    first = edges[0]
    last = edges[-1]
    bins = len(edges) - 1
    if value == last:
        return np.int64(bins)
    if value < first:
        return np.int64(0)
    if value > last:
        return np.int64(bins + 1)
    guess = np.int64((value - first) / (last - first) * bins)
    if guess >= 0 and guess < bins and edges[guess] <= value and value < edges[guess + 1]:
        return guess + 1
    return np.searchsorted(edges, value, side="right")


def bins_by_many(x, edges):
    """Return the bins of values, as `bin_of` says."""
    found = np.searchsorted(edges, x, side="right")
    last = np.int64(len(edges) - 1)
    for k in prange(len(x)):
        if x[k] == edges[last]:
            found[k] = last
    return found


def weighted_pairs(x, y, weights, first, second):
    """Return the sums of the weights of the pairs in each field of a grid."""
    if len(x) != len(y):
        raise ValueError("x and y must have the same length.")
    if len(x) != len(weights):
        raise ValueError("The weights and list don't have the same length.")
    require_rising_side(first, 0)
    require_rising_side(second, 1)
    out = np.zeros((len(first) + 1, len(second) + 1))
    if unsafe.on_device():
        line = out.reshape(-1)
        width = len(second) + 1
        unsafe.tally(line, bins_by_many(x, first) * width + bins_by_many(y, second), weights)
        return line.reshape(out.shape)[1:-1, 1:-1].copy()
    for k in range(len(x)):
        out[bin_of(x[k], first), bin_of(y[k], second)] += weights[k]
    return out[1:-1, 1:-1].copy()


def pairs(x, y, first, second):
    """Return how many pairs lie in each field of a grid."""
    return weighted_pairs(x, y, np.ones(len(x)), first, second)


def density_of_pairs(found, first, second):
    """Return counts over the sizes of their fields and over their sum."""
    total = np.sum(found)
    found = found / (first[1:] - first[:-1])[:, None]
    found = found / (second[1:] - second[:-1])[None, :]
    return found / total
