"""Sorting, searching and counting, in the script language.

Rows are put in order by NumPy's own functions, so that equal elements end up where they do there.
"""

import numpy as np

from scriptc.parallel import prange
from scriptc_runtime import unsafe

KIND = "quicksort"
RIGHT = False
INVERT = False
ON_DEVICE = False


def sort(x):
    """Return the elements of each row in order, NaN last."""
    out = x.copy()
    if ON_DEVICE:
        if out.size > 0:
            keys = x.copy().reshape(-1)
            found, _ = merged(keys, np.empty(0, np.int64), x.shape[-1], False)
            if KIND == "stable" or is_settled(found):
                out[...] = found.reshape(x.shape)
            else:
                sort_rows(out)
    else:
        sort_rows(out)
    return out


def sort_rows(x):
    """Put the elements of each row in order, NaN last."""
    if x.ndim == 1:
        sort_row(x)
    elif x.size > 0:
        rows = x.reshape(-1, x.shape[-1])
        for i in range(rows.shape[0]):
            sort_row(rows[i])


def sort_row(row):
    """Put the elements of a row in order, NaN last."""
    if row.dtype == np.uint8 or row.dtype == np.int8 or row.dtype == np.bool_:
        sort_bytes(row)
    else:
        unsafe.sort_row(row, KIND)


def sort_bytes(row):
    """Put the elements of a row in order: each number as often as it occurs."""
    if len(row) < 2048:
        unsafe.sort_row(row, KIND)
        return
    counts = counts_of_bytes(row.astype(np.uint8))
    numbers = numbers_of_bytes(row)
    first = 128 if row.dtype == np.int8 else 0
    place = 0
    for k in range(256):
        number = (k + first) % 256
        count = counts[number]
        row[place : place + count] = numbers[number]
        place += count


def counts_of_bytes(x):
    """Return how often each number below 256 occurs."""
    counts = np.zeros(256, np.int64)
    unsafe.tally(counts, x, np.int64(1))
    return counts


def numbers_of_bytes(x):
    """Return what the numbers below 256 are in the dtype of an array of bytes."""
    return np.arange(256).astype(x.dtype)


def argsort(x):
    """Return the indices that put the elements of each row in order, NaN last."""
    # Zeros over the sizes of x.
    out = np.where(x != x, 0, 0)
    if out.size > 0:
        if ON_DEVICE:
            size = x.shape[-1]
            found, order = merged(x.copy().reshape(-1), np.arange(x.size) % size, size, True)
            if KIND == "stable" or not np.any(are_equal(found, size)):
                out[...] = order.reshape(x.shape)
            else:
                order_rows(x, out)
        else:
            order_rows(x, out)
    return out


def order_rows(x, out):
    """Write the indices that put the elements of each row in order."""
    keys = x.copy().reshape(-1, x.shape[-1])
    rows = out.reshape(-1, x.shape[-1])
    for i in range(rows.shape[0]):
        unsafe.order_row(keys[i], rows[i], KIND)


def merged(keys, order, size: int, ordering: unsafe.Flag):
    """Return rows of so many keys in order, and what `order` has for each of them if ordering.

    In each round runs of keys that are in order become one, two by two.  A thread writes a part of
    such a run, and looks for where that starts in both.  Keys that are equal stay as they are.
    """
    more_keys, more = np.empty_like(keys), np.empty_like(order)
    width = 1
    while width < size:
        pairs = (size - 1) // (2 * width) + 1
        part = min(2 * width, 64)
        parts = 2 * width // part
        for k in prange(len(keys) // size * pairs * parts):
            t = np.int64(k)
            run = t // parts
            start = np.int64(size) * (run // pairs)
            end = start + size
            start += run % pairs * (2 * width)
            middle = np.minimum(start + width, end)
            end = np.minimum(start + 2 * width, end)
            to = np.minimum(start + t % parts * part, end)
            stop = np.minimum(to + part, end)
            i = taken(keys, start, middle, end, to)
            j = middle + (to - i)
            while to < stop:
                is_first = j >= end
                if j < end and i < middle:
                    is_first = not before(unsafe.load(keys, j), unsafe.load(keys, i))
                place = i if is_first else j
                if is_first:
                    i += 1
                else:
                    j += 1
                unsafe.store(more_keys, unsafe.load(keys, place), to)
                if ordering:
                    unsafe.store(more, unsafe.load(order, place), to)
                to += 1
        keys, more_keys = more_keys, keys
        order, more = more, order
        width *= 2
    return keys, order


def taken(keys, start, middle, end, to):
    """Return how far the first of two runs is taken where both make one that ends at `to`."""
    low = np.maximum(start, to - (end - middle))
    high = np.minimum(middle, to)
    while low < high:
        i = (low + high) // 2
        if before(unsafe.load(keys, middle + (to - 1 - i)), unsafe.load(keys, i)):
            high = i
        else:
            low = i + 1
    return low


def is_settled(keys):
    """Return whether neighbours that are equal are the same: no zeros of two signs, no two NaNs."""
    if not np.issubdtype(keys.dtype, np.floating):
        return True
    one, other = keys[1:], keys[:-1]
    zeros = (one == other) & (np.signbit(one) != np.signbit(other))
    return not np.any(zeros | ((one != one) & (other != other)))


def are_equal(keys, size: int):
    """Return where neighbours of a row are equal, or both NaN."""
    one, other = keys[1:], keys[:-1]
    same = (one == other) | ((one != one) & (other != other))
    return same & (np.arange(1, len(keys)) % size != 0)


def before(x, y):
    """Return whether x comes before y: NaN comes after all numbers."""
    return x < y or (y != y and x == x)


def searchsorted(a, values):
    """Return where each value belongs in the sorted a: before equal ones, or behind if RIGHT."""
    out = np.empty(len(values), np.int64)
    numbers = count_of_numbers(a)
    if unsafe.on_device():
        for k in prange(len(values)):
            value = values[k]
            place = len(a) if RIGHT else numbers
            if value == value:
                place = place_in(a, value, RIGHT, 0, len(a))
            out[k] = place
        return out
    ascending = are_ascending(values)
    place = 0
    for k in range(len(values)):
        value = values[k]
        if value != value:
            out[k] = len(a) if RIGHT else numbers
            continue
        first, count = 0, len(a)
        if ascending:
            # It belongs where the value before it does, or close behind.
            step = 1
            while place + step <= len(a) and is_behind(value, a[place + step - 1], RIGHT):
                place += step
                step *= 2
            first, count = place, min(step - 1, len(a) - place)
        place = place_in(a, value, RIGHT, first, count)
        out[k] = place
    return out


def count_of_numbers(ordered):
    """Return how many elements of a sorted array stand before its NaNs."""
    if len(ordered) == 0 or ordered[-1] == ordered[-1]:
        return len(ordered)
    return np.count_nonzero(ordered == ordered)


def are_ascending(values) -> bool:
    """Return whether no value is less than the one before it, and none is a NaN before others."""
    return all(values[k] >= values[k - 1] for k in range(1, len(values)))


def is_behind(value, other, right: bool):
    """Return whether a number belongs behind another element."""
    return other <= value if right else other < value


def place_in(ordered, value, right: bool, first: int, count: int):
    """Return where a number belongs among so many elements of a sorted array.

    `| 0` makes both ways of a step new values, between which machine code does not branch: a
    processor would guess every second one wrong.
    """
    while count > 0:
        half = (count + 1) // 2
        behind = is_behind(value, ordered[half - 1 + first], right)
        first = first + half if behind else first | 0
        count -= half
    return first


def is_new(ordered, i: int):
    """Return whether the element differs from the one before it; all NaNs are one."""
    one = ordered[i - 1]
    other = ordered[i]
    return one != other and not (one != one and other != other)


def are_new(ordered):
    """Return which elements differ from the ones before them."""
    new = np.ones(len(ordered), np.bool_)
    for i in prange(1, len(ordered)):
        one = ordered[i - 1]
        other = ordered[i]
        new[i] = one != other and not (one != one and other != other)
    return new


def unique(ordered):
    """Return each element of a sorted array once."""
    if unsafe.on_device():
        return ordered[are_new(ordered)]
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


def unique_ints(x):
    """Return each whole number once, in order; where they lie close together nothing is sorted."""
    if len(x) > 0:
        low = int(np.min(x))
        high = int(np.max(x))
        # As floats: the difference of two ints may be none.
        if float(high) - float(low) < len(x):
            return numbers_met(x, low, high - low + 1)
    return unique(np.sort(x))


def numbers_met(x, low: int, count: int):
    """Return the numbers from `low` on, of so many, that occur."""
    met = np.zeros(count, np.bool_)
    for i in range(len(x)):
        met[int(x[i]) - low] = True
    if unsafe.on_device():
        return (np.flatnonzero(met) + low).astype(x.dtype)
    out = np.empty(np.count_nonzero(met), x.dtype)
    place = 0
    for k in range(count):
        if met[k]:
            out[place] = low + k
            place += 1
    return out


def unique_counts(ordered, found):
    """Return how often each of the elements `found` occurs in a sorted array."""
    if unsafe.on_device():
        return np.diff(np.append(np.flatnonzero(are_new(ordered)), len(ordered)))
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
    unsafe.tally(out, x, np.int64(1))
    return out


def bincount_of_bytes(x, least: int):
    """Return the same for numbers below 256: what is counted needs no look at them before."""
    if least < 0:
        raise ValueError("'minlength' must not be negative")
    found = counts_of_bytes(x)
    bins = 256
    while bins > 0 and found[bins - 1] == 0:
        bins -= 1
    out = np.zeros(max(bins, least), np.int64)
    for i in range(bins):
        out[i] = found[i]
    return out


def weighted_bincount(x, weights, least: int):
    """Return the sum of the weights of each number from 0 on, added in their order."""
    if least < 0:
        raise ValueError("'minlength' must not be negative")
    if len(x) != len(weights):
        raise ValueError("The weights and list don't have the same length.")
    out = np.zeros(bins_of(x, least))
    unsafe.tally(out, x, weights)
    return out


def bins_of(x, least: int):
    """Return how many numbers are counted; negative ones are refused."""
    count = least
    if len(x) > 0:
        if np.min(x) < 0:
            raise ValueError("'list' argument must have no negative elements")
        count = max(int(np.max(x)) + 1, least)
    return count


def median(x):
    """Return the middle of each row, the mean of two where it has none; NaN if any is."""
    count = x.shape[-1]
    places = np.array([(count - 1) // 2, count // 2])
    # Of no elements there is no middle; the mean of nothing is NaN.
    near = unsafe.order_statistics(x, places[: min(2 * count, 2)])
    return np.mean(near[..., count % 2 :], axis=-1)


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


def elements_at(keys, places):
    """Return the elements at some places, each of which is one."""
    out = np.empty(len(places), keys.dtype)
    for i in range(len(places)):
        out[i] = keys[places[i]]
    return out


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
        place = place_in(ordered, x[k], False, 0, len(ordered))
        found = place < len(ordered) and ordered[place] == x[k]
        out[k] = not found if INVERT else found
    return out


def isin_of_integers(x, others):
    """Return the same for integers; those from near to each other are looked up in a table."""
    if len(others) == 0:
        return isin(x, others)
    low = int(np.min(others))
    high = int(np.max(others))
    if float(high) - float(low) > 6.0 * (len(x) + len(others)):
        return isin(x, others)
    table = np.zeros(high - low + 1, np.bool_)
    for k in range(len(others)):
        table[int(others[k]) - low] = True
    out = np.empty(len(x), np.bool_)
    for k in range(len(x)):
        value = int(x[k])
        found = False
        if value >= low and value <= high:
            found = bool(table[value - low])
        out[k] = not found if INVERT else found
    return out


def order_of_rows(rows):
    """Return the order of rows by their first elements, then by the next ones."""
    order = np.arange(len(rows))
    for k in range(rows.shape[1] - 1, -1, -1):
        order = order[np.argsort(rows[:, k][order], kind="stable")]
    return order


def unique_rows(slices):
    """Return each slice along the first axis once, its first place, which each is, how many."""
    count = 1
    for size in slices.shape[1:]:
        count *= size
    rows = slices.reshape(len(slices), count)
    order = order_of_rows(rows)
    places = np.empty(len(rows), np.int64)
    which = np.empty(len(rows), np.int64)
    counts = np.zeros(len(rows), np.int64)
    found = 0
    for i in range(len(order)):
        row = rows[order[i]]
        if i == 0 or np.any(row != rows[order[i - 1]]):
            places[found] = order[i]
            found += 1
        which[order[i]] = found - 1
        counts[found - 1] += 1
    first = places[:found].copy()
    return slices[first], first, which, counts[:found].copy()


def in_order(a, order):
    """Return an array as an order of its elements says."""
    if len(order) != len(a):
        raise ValueError("sorter.size must equal a.size")
    return a[order]
