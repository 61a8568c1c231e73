"""Sets of numbers, which are sorted arrays, and orders by several keys, in the script language.

The compiler binds the constants anew for each use; they are named after parameters of NumPy's.
"""

import numpy as np

ASSUME_UNIQUE = False
RETURN_INDICES = False
TRIM = "fb"


def union1d(a, b):
    """Return each element of one or the other once."""
    return np.unique(np.concatenate((a, b)))


def each_once(a):
    """Return the elements in order, which ASSUME_UNIQUE says are there once."""
    return a if ASSUME_UNIQUE else np.unique(a)


def intersect1d(a, b):
    """Return the elements that both have, and their places in each if RETURN_INDICES."""
    if RETURN_INDICES:
        return intersection_places(a, b)
    both = np.concatenate((each_once(a), each_once(b)))
    both.sort()
    return both[:-1][both[1:] == both[:-1]]


def intersection_places(a, b):
    """Return the elements that both have, and their places in each."""
    one, first = elements_and_places(a)
    two, second = elements_and_places(b)
    both = np.concatenate((one, two))
    order = np.argsort(both, kind="stable")
    both = both[order]
    found = both[1:] == both[:-1]
    return (
        both[:-1][found],
        first[order[:-1][found]],
        second[order[1:][found] - len(one)],
    )


def elements_and_places(a):
    """Return each element once, and where it is found first."""
    if ASSUME_UNIQUE:
        return a, np.arange(len(a))
    return np.unique(a, return_index=True)


def setdiff1d(a, b):
    """Return the elements of the first that the second does not have."""
    one = each_once(a)
    return one[np.isin(one, each_once(b), invert=True)]


def setxor1d(a, b):
    """Return the elements that one of the two has."""
    both = np.concatenate((each_once(a), each_once(b)))
    both.sort()
    differs = np.ones(len(both) + 1, np.bool_)
    if len(both) > 0:
        differs[1:-1] = both[1:] != both[:-1]
    return both[differs[1:] & differs[:-1]]


def trim_zeros(x):
    """Return a part of an array without the zeros at its ends that TRIM names."""
    first = 0
    last = len(x)
    if TRIM != "b":
        while first < last and x[first] == 0:
            first += 1
    if TRIM != "f":
        while last > first and x[last - 1] == 0:
            last -= 1
    return x[first:last]


def ediff1d(x, behind, before):
    """Return the differences of neighbours between what is put before and behind them."""
    count = max(len(x) - 1, 0)
    start = 0 if before is None else before.size
    more = 0 if behind is None else behind.size
    out = np.empty(start + count + more, x.dtype)
    if before is not None:
        out[:start] = before.reshape(-1)
    out[start : start + count] = x[1:] - x[:-1]
    if behind is not None:
        out[start + count :] = behind.reshape(-1)
    return out


def next_order(order, key):
    """Return an order by a key in which equal ones stay as they are."""
    if len(order) != len(key):
        raise ValueError("all keys need to be the same shape")
    return order[np.argsort(key[order], kind="stable")]


def order_of_rows(keys):
    """Return the order of columns by the last row, then by the one before it, and so on."""
    if len(keys) == 0:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    order = np.argsort(keys[0], kind="stable")
    for k in range(1, len(keys)):
        order = next_order(order, keys[k])
    return order


def place_of(size: int, kth: int) -> int:
    """Return a place to part at, counted from the front."""
    place = kth + size if kth < 0 else kth
    if size > 0 and (place < 0 or place >= size):
        raise ValueError(f"kth(={place}) out of bounds ({size})")
    return place


def places_of(kth):
    """Return places as an array."""
    return np.array(kth)
