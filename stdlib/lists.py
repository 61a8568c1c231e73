"""The list type, in the script language over unsafe low ops.

A list is a counted block with a size, a capacity and room for `capacity` items.  Positions are
tested here; what `unsafe` does with them is not.
"""

import numpy as np

from scriptc_runtime import unsafe


def list_len(items):
    """Return the number of items."""
    return int(unsafe.list_size(items))


def list_get(items, index: int):
    """Return the item at `index`, negative ones counted from the end."""
    size = int(unsafe.list_size(items))
    if index < 0:
        index += size
    if index < 0 or index >= size:
        raise IndexError("list index out of range")
    return unsafe.list_load(items, np.int64(index))


def list_set(items, index: int, value) -> None:
    """Replace the item at `index`."""
    size = int(unsafe.list_size(items))
    if index < 0:
        index += size
    if index < 0 or index >= size:
        raise IndexError("list assignment index out of range")
    place = np.int64(index)
    old = unsafe.list_load(items, place)
    unsafe.list_store(items, place, value)
    unsafe.release(old)  # the count that the list held


def list_append(items, value) -> None:
    """Add `value` at the end; room grows by a half, so appending n items takes O(n)."""
    size = unsafe.list_size(items)
    if size == unsafe.list_capacity(items):
        unsafe.list_reserve(items, size + (size >> 1) + 4)
    unsafe.list_set_size(items, size + 1)
    unsafe.list_store(items, size, value)


def list_pop(items, index: int):
    """Remove the item at `index` and return it."""
    size = int(unsafe.list_size(items))
    if size == 0:
        raise IndexError("pop from empty list")
    if index < 0:
        index += size
    if index < 0 or index >= size:
        raise IndexError("pop index out of range")
    item = unsafe.list_load(items, np.int64(index))
    for place in range(index, size - 1):
        moved = unsafe.list_load(items, np.int64(place + 1))
        unsafe.list_store(items, np.int64(place), moved)
        unsafe.release(moved)  # the count of the slot it left
    unsafe.list_set_size(items, np.int64(size - 1))
    unsafe.release(item)  # the count that the list held
    return item
