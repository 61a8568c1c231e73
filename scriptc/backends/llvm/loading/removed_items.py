"""What CPython has in a slot of a set that an item was removed from."""

import ctypes
import struct

_HEAD = object.__basicsize__  # then: fill, used, mask, the table


def removed_item() -> object:
    """Return the object that stands for a removed item, as a set shows it."""
    sample = {0, 1}
    sample.remove(0)
    (table,) = struct.unpack("q", ctypes.string_at(id(sample) + _HEAD + 24, 8))
    return ctypes.py_object.from_address(table).value
