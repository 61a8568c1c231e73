"""Sorting, searching and counting, in the script language.

Rows are sorted by merging: runs of 12 elements are put in order by insertion, then two runs at a
time are merged, so that equal elements keep their order.
"""

import numpy as np

RIGHT = False
INVERT = False


def sort(x):
    """Return the elements of each row in order, NaN last."""
    out = x.copy()
    if out.size > 0:
        rows = out.reshape(-1, x.shape[-1])
        spare = np.empty(x.shape[-1], x.dtype)
        for i in range(rows.shape[0]):
            sort_row(rows[i], spare)
    return out


def argsort(x):
    """Return the indices that put the elements of each row in order, NaN last."""
    # Zeros over the sizes of x.
    out = np.where(x != x, 0, 0)
    if out.size > 0:
        keys = x.reshape(-1, x.shape[-1])
        rows = out.reshape(-1, x.shape[-1])
        spare = np.empty(x.shape[-1], np.int64)
        for i in range(rows.shape[0]):
            order_row(keys[i], rows[i], spare)
    return out


def before(x, y):
    """Return whether x comes before y: NaN comes after all numbers."""
    return x < y or (y != y and x == x)


def sort_row(row, spare):
    """Sort one row, with room for another one."""
    count = len(row)
    for start in range(0, count, 12):
        for i in range(start + 1, min(start + 12, count)):
            value = row[i]
            place = i
            while place > start and before(value, row[place - 1]):
                row[place] = row[place - 1]
                place -= 1
            row[place] = value
    width = 12
    while width < count:
        for start in range(0, count - width, 2 * width):
            merge(row, spare, start, start + width, min(start + 2 * width, count))
        width *= 2


def merge(row, spare, start: int, middle: int, end: int):
    """Merge two sorted runs that follow each other."""
    if not before(row[middle], row[middle - 1]):
        return
    spare[start:middle] = row[start:middle]
    left = start
    right = middle
    place = start
    while left < middle:
        if right < end and before(row[right], spare[left]):
            row[place] = row[right]
            right += 1
        else:
            row[place] = spare[left]
            left += 1
        place += 1


def order_row(keys, row, spare):
    """Put the indices of one row in the order of its keys."""
    count = len(row)
    for i in range(count):
        row[i] = i
    for start in range(0, count, 12):
        for i in range(start + 1, min(start + 12, count)):
            value = row[i]
            place = i
            while place > start and before(keys[value], keys[row[place - 1]]):
                row[place] = row[place - 1]
                place -= 1
            row[place] = value
    width = 12
    while width < count:
        for start in range(0, count - width, 2 * width):
            merge_order(keys, row, spare, start, start + width, min(start + 2 * width, count))
        width *= 2


def merge_order(keys, row, spare, start: int, middle: int, end: int):
    """Merge two runs of indices whose keys are in order."""
    if not before(keys[row[middle]], keys[row[middle - 1]]):
        return
    spare[start:middle] = row[start:middle]
    left = start
    right = middle
    place = start
    while left < middle:
        if right < end and before(keys[row[right]], keys[spare[left]]):
            row[place] = row[right]
            right += 1
        else:
            row[place] = spare[left]
            left += 1
        place += 1


def searchsorted(a, values):
    """Return where each value belongs in the sorted a: before equal ones, or behind if RIGHT."""
    out = np.empty(len(values), np.int64)
    for k in range(len(values)):
        value = values[k]
        low = 0
        high = len(a)
        while low < high:
            middle = (low + high) // 2
            if not before(value, a[middle]) if RIGHT else before(a[middle], value):
                low = middle + 1
            else:
                high = middle
        out[k] = low
    return out


def is_new(ordered, i: int):
    """Return whether the element differs from the one before it; all NaNs are one."""
    one = ordered[i - 1]
    other = ordered[i]
    return one != other and not (one != one and other != other)


def unique(ordered):
    """Return each element of a sorted array once."""
    count = 0
    for i in range(len(ordered)):
        if i == 0 or is_new(ordered, i):
            count += 1
    out = np.empty(count, ordered.dtype)
    place = 0
    for i in range(len(ordered)):
        if i == 0 or is_new(ordered, i):
            out[place] = ordered[i]
            place += 1
    return out


def unique_counts(ordered, found):
    """Return how often each of the elements `found` occurs in a sorted array."""
    out = np.zeros(len(found), np.int64)
    place = -1
    for i in range(len(ordered)):
        if i == 0 or is_new(ordered, i):
            place += 1
        out[place] += 1
    return out


def bincount(x, least: int):
    """Return how often each number from 0 on occurs."""
    if least < 0:
        raise ValueError("'minlength' must not be negative")
    out = np.zeros(bins_of(x, least), np.int64)
    for i in range(len(x)):
        out[x[i]] += 1
    return out


def weighted_bincount(x, weights, least: int):
    """Return the sum of the weights of each number from 0 on, added in their order."""
    if least < 0:
        raise ValueError("'minlength' must not be negative")
    if len(x) != len(weights):
        raise ValueError("The weights and list don't have the same length.")
    out = np.zeros(bins_of(x, least))
    for i in range(len(x)):
        out[x[i]] += weights[i]
    return out


def bins_of(x, least: int):
    """Return how many numbers are counted; negative ones are refused."""
    count = least
    if len(x) > 0:
        if np.min(x) < 0:
            raise ValueError("'list' argument must have no negative elements")
        count = max(int(np.max(x)) + 1, least)
    return count


def median(ordered):
    """Return the middle of each sorted row, the mean of two where it has none; NaN if any is."""
    count = ordered.shape[-1]
    first = max((count - 1) // 2, 0)
    last = min(first + 2 - count % 2, count)
    middle = np.mean(ordered[..., first:last], axis=-1)
    if count == 0:
        return middle
    # A NaN is sorted to the end; times zero it is one, and so is infinity.
    end = ordered[..., -1]
    return middle + np.where(end != end, end * 1.0, 0.0)


def unique_places(keys, order):
    """Return where each element occurs first, and which of the unique ones each element is."""
    places = np.empty(len(keys), np.int64)
    which = np.empty(len(keys), np.int64)
    count = 0
    for i in range(len(order)):
        if i == 0 or is_new_key(keys, order[i - 1], order[i]):
            places[count] = order[i]
            count += 1
        which[order[i]] = count - 1
    return places[:count].copy(), which


def is_new_key(keys, one, other):
    """Return whether two elements differ; all NaNs are one."""
    x = keys[one]
    y = keys[other]
    return x != y and not (x != x and y != y)


def isin(x, others):
    """Return whether each element is one of the others, or none of them if INVERT."""
    ordered = np.sort(others)
    out = np.empty(len(x), np.bool_)
    for k in range(len(x)):
        value = x[k]
        low = 0
        high = len(ordered)
        while low < high:
            middle = (low + high) // 2
            if before(ordered[middle], value):
                low = middle + 1
            else:
                high = middle
        found = low < len(ordered) and ordered[low] == value
        out[k] = not found if INVERT else found
    return out
