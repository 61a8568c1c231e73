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
    if (index < 0) | (index >= size):
        if isinstance(items, tuple):
            raise IndexError("tuple index out of range")
        raise IndexError("list index out of range")
    return unsafe.list_load(items, np.int64(index))


def list_set(items, index: int, value) -> None:
    """Replace the item at `index`."""
    size = int(unsafe.list_size(items))
    if index < 0:
        index += size
    if (index < 0) | (index >= size):
        raise IndexError("list assignment index out of range")
    place = np.int64(index)
    unsafe.release(unsafe.list_load(items, place))  # the count that the list held
    unsafe.list_store(items, place, value)


def list_append(items, value) -> None:
    """Add `value` at the end; room grows by a half, so appending n items takes O(n)."""
    size = unsafe.list_size(items)
    make_room(items, size + 1)
    unsafe.list_set_size(items, size + 1)
    unsafe.list_store(items, size, value)


def list_insert(items, index: int, value) -> None:
    """Put `value` in front of the item at `index`, or at an end of the list."""
    size = int(unsafe.list_size(items))
    place = max(index + size, 0) if index < 0 else min(index, size)
    at, rest = np.int64(place), np.int64(size - place)
    make_room(items, at + rest + 1)
    unsafe.list_set_size(items, at + rest + 1)
    unsafe.list_move(items, at + 1, at, rest)
    unsafe.list_store(items, at, value)


def list_extend(items, more) -> None:
    """Add the items of `more` at the end: those that were there, where both are one list."""
    size, count = unsafe.list_size(items), unsafe.list_size(more)
    make_room(items, size + count)
    unsafe.list_copy(items, size, more, np.int64(0), count)
    unsafe.list_set_size(items, size + count)


def list_add(items, more, first: int, count: int) -> None:
    """Add items of `more` at the end: those from `first` on, `count` at most."""
    whole = int(unsafe.list_size(more))
    start = min(max(first, 0), whole)
    added = np.int64(min(max(count, 0), whole - start))
    size = unsafe.list_size(items)
    make_room(items, size + added)
    unsafe.list_copy(items, size, more, np.int64(start), added)
    unsafe.list_set_size(items, size + added)


def list_replace(items, first: int, count: int, more) -> None:
    """Put the items of `more`, another list, in place of those from `first` on."""
    size = int(unsafe.list_size(items))
    start = min(max(first, 0), size)
    given = min(max(count, 0), size - start)
    at, gone, added = np.int64(start), np.int64(given), unsafe.list_size(more)
    rest = np.int64(size - start - given)
    make_room(items, at + added + rest)
    unsafe.list_drop(items, at, gone)
    if gone != added:
        unsafe.list_move(items, at + added, at + gone, rest)
    unsafe.list_copy(items, at, more, np.int64(0), added)
    unsafe.list_set_size(items, at + added + rest)


def list_fill(items, value, count: int) -> None:
    """Add `value` at the end, `count` times."""
    if count > 1152921504606846975:
        raise MemoryError()
    size, added = unsafe.list_size(items), np.int64(max(count, 0))
    make_room(items, size + added)
    unsafe.list_pad(items, size, added, value)
    unsafe.list_set_size(items, size + added)


def make_room(items, needed: np.int64) -> None:
    """Let a list have room for `needed` items; it grows by a half at least."""
    room = unsafe.list_capacity(items)
    if needed > room:
        unsafe.list_reserve(items, max(needed, room + (room >> 1) + 4))


def list_room(items, count: int) -> None:
    """Let a list have room for `count` items; MemoryError where it cannot, as for Python's."""
    if count > 1152921504606846975:
        raise MemoryError()
    unsafe.list_reserve(items, np.int64(count))


def list_pop(items, index: int):
    """Remove the item at `index` and return it."""
    size = int(unsafe.list_size(items))
    if size == 0:
        raise IndexError("pop from empty list")
    if index < 0:
        index += size
    if (index < 0) | (index >= size):
        raise IndexError("pop index out of range")
    place = np.int64(index)
    item = unsafe.list_load(items, place)
    unsafe.list_move(items, place, place + 1, np.int64(size - 1) - place)
    unsafe.list_set_size(items, np.int64(size - 1))
    unsafe.release(item)  # the count that the list held
    return item


def list_pop_last(items, index: int):
    """Remove the last item and return it; `index` is the constant -1."""
    size = int(unsafe.list_size(items))
    if size == 0:
        raise IndexError("pop from empty list")
    last = np.int64(size - 1)
    item = unsafe.list_load(items, last)
    unsafe.list_set_size(items, last)
    unsafe.release(item)  # the count that the list held
    return item
