"""Quantiles and bins, in the script language.  Rows come along the last axis."""

import numpy as np

from scriptc_runtime import unsafe

AXIS = -1
KEEPDIMS = False
HUNDREDTHS = False
RIGHT = False
METHOD = "linear"
TAKES_ROWS = False  # the method finds rows that are there, of which nothing is computed


def share_of(q):
    """Return the share of elements that q asks for."""
    share = q / 100 if HUNDREDTHS else q
    if not (share >= 0 and share <= 1):
        if HUNDREDTHS:
            raise ValueError("Percentiles must be in the range [0, 100]")
        raise ValueError("Quantiles must be in the range [0, 1]")
    return share


def row_of(count: int, share):
    """Return the row that such a method finds at a share of the rows."""
    place = (count - 1) * np.float64(share)
    if METHOD == "lower":
        return int(np.floor(place))
    if METHOD == "higher":
        return int(np.ceil(place))
    if METHOD == "nearest":
        return int(np.rint(place))
    place = count * np.float64(share) - 1
    if METHOD == "closest_observation":
        place = place - 0.5
    before = int(np.floor(place))
    stays = METHOD == "inverted_cdf" or before % 2 == 1
    return max(before if place == before and stays else before + 1, 0)


def place_of(count: int, share):
    """Return the place between rows that a method finds at a share of them."""
    if METHOD == "linear":
        return (count - 1) * share
    if METHOD == "midpoint":
        place = (count - 1) * share
        # Not with np.floor: a Python float has to stay one.
        return 0.5 * (place // 1 - -place // 1)
    if METHOD == "averaged_inverted_cdf":
        return count * share - 1
    first, last = 1 / 3.0, 1 / 3.0
    if METHOD == "interpolated_inverted_cdf":
        first, last = 0.0, 1.0
    if METHOD == "hazen":
        first, last = 0.5, 0.5
    if METHOD == "weibull":
        first, last = 0.0, 0.0
    if METHOD == "normal_unbiased":
        first, last = 3 / 8.0, 3 / 8.0
    return count * share + (first + share * (1 - first - last)) - 1


def weight_of(weight, place):
    """Return in what proportion a method takes the row behind a place."""
    if METHOD == "midpoint":
        return weight * 0 + (0.0 if place % 1 == 0 else 0.5)
    if METHOD == "averaged_inverted_cdf":
        return weight * 0 + (0.5 if weight == 0 else 1.0)
    return weight


def quantile(x, q):
    """Return what lies at a share of each row, or between two of its elements."""
    share = share_of(q)
    count = x.shape[-1]
    require_some(count)
    if TAKES_ROWS:
        return at_places(x, np.array([row_of(count, share)]))[0]
    before, behind = ends_around(count, place_of(count, share))
    ends = at_places(x, np.array([before, behind]))
    return between(ends[0], ends[1], count, place_of(count, share))


def at_places(x, places):
    """Return the elements that sorting each row puts at some places, which come first."""
    return np.moveaxis(unsafe.order_statistics(x, places), -1, 0)


def require_some(count: int):
    """Refuse rows without elements."""
    if count == 0:
        raise IndexError("index -1 is out of bounds for axis 0 with size 0")


def ends_around(count: int, place):
    """Return the elements around a place."""
    before = max(min(int(np.floor(place)), count - 1), 0)
    return before, min(before + 1, count - 1) if place >= 0 else 0


def between(low, high, count: int, place):
    """Return what lies between the elements around a place."""
    before = max(min(int(np.floor(place)), count - 1), 0)
    # As NumPy has it, the last element is one before the first; it is all the same to numbers.
    weight = weight_of(place + 1 if place >= count - 1 else place - before, place)
    distance = high - low
    return high - distance * (1 - weight) if weight >= 0.5 else low + distance * weight


def quantiles(x, q):
    """Return the quantiles for each of several shares."""
    # All of them are looked at first.
    for k in range(len(q)):
        share_of(q[k])
    count = x.shape[-1]
    require_some(count)
    if TAKES_ROWS:
        places = np.empty(len(q), np.int64)
        for k in range(len(q)):
            places[k] = row_of(count, share_of(q[k]))
        return at_places(x, places)
    places = np.empty(2 * len(q), np.int64)
    for k in range(len(q)):
        before, behind = ends_around(count, place_of(count, share_of(q[k])))
        places[2 * k] = before
        places[2 * k + 1] = behind
    ends = at_places(x, places)
    out = np.empty((len(q),) + x.shape[:-1])
    for k in range(len(q)):
        place = place_of(count, share_of(q[k]))
        out[k] = between(ends[2 * k], ends[2 * k + 1], count, place)
    return out


def digitize(x, edges):
    """Return the bin of each element: how many edges are below it, or above if they fall."""
    first = 1
    while first < len(edges) and edges[first] == edges[0]:
        first += 1
    rises = first >= len(edges) or edges[0] < edges[first]
    for k in range(first + 1, len(edges)):
        # As NumPy compares them: NaN stands in nobody's way.
        if edges[k - 1] > edges[k] if rises else edges[k - 1] < edges[k]:
            raise ValueError("bins must be monotonically increasing or decreasing")
    if rises:
        return np.searchsorted(edges, x, side="left" if RIGHT else "right")
    return len(edges) - np.searchsorted(edges[::-1], x, side="left" if RIGHT else "right")


def nanmedian(x):
    """Return the middle of the numbers in each row along the last axis."""
    out = np.empty(x.shape[:-1], x.dtype)
    rows = x.reshape(out.size, x.shape[-1])
    found = out.reshape(-1)
    for i in range(len(rows)):
        row = rows[i]
        numbers = row[row == row]
        count = len(numbers)
        if count == 0:
            found[i] = np.nan
        else:
            ends = unsafe.order_statistics(numbers, np.array([(count - 1) // 2, count // 2]))
            found[i] = ends[1] if count % 2 == 1 else (ends[0] + ends[1]) / 2
    return out


def nanquantile(x, q):
    """Return what lies at a share of the numbers in each row along the last axis."""
    share_of(q)
    out = np.empty(x.shape[:-1], x.dtype)
    rows = x.reshape(out.size, x.shape[-1])
    found = out.reshape(-1)
    for i in range(len(rows)):
        row = rows[i]
        numbers = row[row == row]
        if len(numbers) == 0:
            found[i] = np.nan
        else:
            found[i] = quantile(numbers, q)
    return out


def nanquantiles(x, q):
    """Return the quantiles of numbers for each of several shares."""
    for k in range(len(q)):
        share_of(q[k])
    if x.size == 0:
        raise ValueError("of no elements NumPy gives no axis of shares, which this has")
    out = np.empty((len(q),) + x.shape[:-1], x.dtype)
    rows = x.reshape(-1, x.shape[-1])
    found = out.reshape(len(q), len(rows))
    for i in range(len(rows)):
        row = rows[i]
        numbers = row[row == row]
        if len(numbers) == 0:
            found[:, i] = np.nan
        else:
            found[:, i] = quantiles(numbers, q)
    return out


def require_numbers(missing):
    """Refuse rows in which there is no number."""
    if np.any(np.all(missing, axis=AXIS)):
        raise ValueError("All-NaN slice encountered")


def nanargmax(x):
    """Return the index of the largest number."""
    missing = x != x
    found = np.argmax(np.where(missing, -np.inf, x), axis=AXIS, keepdims=KEEPDIMS)
    require_numbers(missing)
    return found


def nanargmin(x):
    """Return the index of the smallest number."""
    missing = x != x
    found = np.argmin(np.where(missing, np.inf, x), axis=AXIS, keepdims=KEEPDIMS)
    require_numbers(missing)
    return found
