"""Bytearrays: what their methods, items and slices do; `items` is a list of `u8`.

What does not change one is done by the method of bytes, on a copy.
"""

import numpy as np

from scriptc_runtime import unsafe


def _byte(value: int) -> np.uint8:
    if value < 0 or value > 255:
        raise ValueError("byte must be in range(0, 256)")
    return np.uint8(value)


def _data_of(source) -> bytes:
    """Return the bytes of what a bytearray is changed by."""
    if isinstance(source, bytes):
        return source
    if isinstance(source, (int, np.integer)):
        unsafe.refuse("it takes bytes, or what holds ints", "bytes([x])")
    return bytes(bytearray(source))


def length(self) -> int:
    """Return the number of bytes."""
    return len(self.items)


def item(self, index: int) -> int:
    """Return the byte at a place.  Raises IndexError."""
    size = len(self.items)
    if index < -size or index >= size:
        raise IndexError("bytearray index out of range")
    return int(self.items[index])


def set_item(self, index: int, value: int) -> None:
    """Put a byte at a place.  Raises IndexError and ValueError."""
    size = len(self.items)
    put = _byte(value)
    if index < -size or index >= size:
        raise IndexError("bytearray index out of range")
    self.items[index] = put


def delete_item(self, index: int) -> None:
    """Remove the byte at a place.  Raises IndexError."""
    size = len(self.items)
    if index < -size or index >= size:
        raise IndexError("bytearray index out of range")
    del self.items[index]


def sliced(self, lower, upper, step):
    """Return a slice, a new bytearray."""
    return bytearray(bytes(self)[lower:upper:step])


def set_slice(self, source, lower, upper, step) -> None:
    """Put bytes in the place of a slice."""
    put = unsafe.bytes_items(_data_of(source))
    if step is None:
        self.items[lower:upper] = put
        return
    if step == 1 or len(put) == 0:
        if step == 1:
            self.items[lower:upper] = put
        else:
            del self.items[lower:upper:step]
        return
    place, size = _places(len(self.items), lower, upper, step)
    if len(put) != size:
        text = f"attempt to assign bytes of size {len(put)} to extended slice of size {size}"
        raise ValueError(text)
    items = self.items
    for i in range(size):
        items[place + i * step] = put[i]


def _places(size: int, lower, upper, step: int):
    """Return the first place of a slice, and how many places it has."""
    if step == 0:
        raise ValueError("slice step cannot be zero")
    least = 0 if step > 0 else -1
    most = size if step > 0 else size - 1
    begin = least if step > 0 else most
    end = most if step > 0 else least
    if lower is not None:
        begin = max(lower + size, least) if lower < 0 else min(lower, most)
    if upper is not None:
        end = max(upper + size, least) if upper < 0 else min(upper, most)
    gap = end - begin if step > 0 else begin - end
    if gap <= 0:
        return begin, 0
    pace = step if step > 0 else -step
    return begin, (gap - 1) // pace + 1


def delete_slice(self, lower, upper, step) -> None:
    """Remove a slice."""
    del self.items[lower:upper:step]


def contains(self, part) -> bool:
    """Return whether there is a part."""
    return part in bytes(self)


def text(self) -> str:
    """Return what Python shows of a bytearray."""
    shown = repr(bytes(self))
    # CPython escapes a single quote between double ones, too.
    if ord(shown[1]) == 34:
        shown = shown.replace("'", "\\'")
    return "bytearray(" + shown + ")"


def joined(self, other):
    """Return the bytes of both, a new bytearray."""
    return bytearray(bytes(self) + _plain(other))


def joined_behind(self, other):
    """Return bytes and those of a bytearray, as bytes."""
    return _plain(other) + bytes(self)


def extended(self, other):
    """Add bytes, and return the bytearray."""
    self.items.extend(unsafe.bytes_items(_plain(other)))
    return self


def repeated(self, count: int):
    """Return the bytes as often as `count` says, a new bytearray."""
    return bytearray(bytes(self) * count)


def repeat(self, count: int):
    """Repeat the bytes, and return the bytearray."""
    self.items = self.items * count
    return self


def _plain(other) -> bytes:
    if isinstance(other, bytes):
        return other
    if isinstance(other, bytearray):
        return bytes(other)
    unsafe.refuse("it takes bytes", "bytes(x)")


def append(self, item: int, /) -> None:
    """Add a byte at the end.  Raises ValueError."""
    self.items.append(_byte(item))


def extend(self, iterable_of_ints, /) -> None:
    """Add bytes at the end."""
    self.items.extend(unsafe.bytes_items(_data_of(iterable_of_ints)))


def insert(self, index: int, item: int, /) -> None:
    """Put a byte in front of another.  Raises ValueError."""
    self.items.insert(index, _byte(item))


def pop(self, index: int = -1, /) -> int:
    """Remove a byte and return it.  Raises IndexError."""
    size = len(self.items)
    if size == 0:
        raise IndexError("pop from empty bytearray")
    if index < -size or index >= size:
        raise IndexError("pop index out of range")
    return int(self.items.pop(index))


def remove(self, value: int, /) -> None:
    """Remove the first byte of a value.  Raises ValueError."""
    wanted = _byte(value)
    for i in range(len(self.items)):
        if self.items[i] == wanted:
            del self.items[i]
            return
    raise ValueError("value not found in bytearray")


def reverse(self) -> None:
    """Put the bytes in the other order."""
    self.items.reverse()


def clear(self) -> None:
    """Remove all bytes."""
    self.items.clear()


def copy(self):
    """Return a new bytearray with the same bytes."""
    return bytearray(bytes(self))


def same(self, other) -> bool:
    """Return whether `self == other`."""
    return bytes(self) == _plain(other)


def before(self, other) -> bool:
    """Return whether `self < other`."""
    return bytes(self) < _plain(other)


def not_behind(self, other) -> bool:
    """Return whether `self <= other`."""
    return bytes(self) <= _plain(other)


def behind(self, other) -> bool:
    """Return whether `self > other`."""
    return bytes(self) > _plain(other)


def not_before(self, other) -> bool:
    """Return whether `self >= other`."""
    return bytes(self) >= _plain(other)


def find(self, sub, start: int | None = None, end: int | None = None, /) -> int:
    """Return the first place of a part, -1 where there is none."""
    return bytes(self).find(sub, start, end)


def rfind(self, sub, start: int | None = None, end: int | None = None, /) -> int:
    """Return the last place of a part, -1 where there is none."""
    return bytes(self).rfind(sub, start, end)


def index(self, sub, start: int | None = None, end: int | None = None, /) -> int:
    """Return the first place of a part.  Raises ValueError."""
    return bytes(self).index(sub, start, end)


def rindex(self, sub, start: int | None = None, end: int | None = None, /) -> int:
    """Return the last place of a part.  Raises ValueError."""
    return bytes(self).rindex(sub, start, end)


def count(self, sub, start: int | None = None, end: int | None = None, /) -> int:
    """Return how often there is a part."""
    return bytes(self).count(sub, start, end)


def startswith(self, part, start: int | None = None, end: int | None = None, /) -> bool:
    """Return whether a slice starts with a part."""
    return bytes(self).startswith(part, start, end)


def endswith(self, part, start: int | None = None, end: int | None = None, /) -> bool:
    """Return whether a slice ends with a part."""
    return bytes(self).endswith(part, start, end)


def isalnum(self) -> bool:
    """Return what the method of bytes says."""
    return bytes(self).isalnum()


def isalpha(self) -> bool:
    """Return what the method of bytes says."""
    return bytes(self).isalpha()


def isascii(self) -> bool:
    """Return what the method of bytes says."""
    return bytes(self).isascii()


def isdigit(self) -> bool:
    """Return what the method of bytes says."""
    return bytes(self).isdigit()


def islower(self) -> bool:
    """Return what the method of bytes says."""
    return bytes(self).islower()


def isspace(self) -> bool:
    """Return what the method of bytes says."""
    return bytes(self).isspace()


def istitle(self) -> bool:
    """Return what the method of bytes says."""
    return bytes(self).istitle()


def isupper(self) -> bool:
    """Return what the method of bytes says."""
    return bytes(self).isupper()


def capitalize(self):
    """Return a new bytearray, changed as bytes are."""
    return bytearray(bytes(self).capitalize())


def lower(self):
    """Return a new bytearray, changed as bytes are."""
    return bytearray(bytes(self).lower())


def swapcase(self):
    """Return a new bytearray, changed as bytes are."""
    return bytearray(bytes(self).swapcase())


def title(self):
    """Return a new bytearray, changed as bytes are."""
    return bytearray(bytes(self).title())


def upper(self):
    """Return a new bytearray, changed as bytes are."""
    return bytearray(bytes(self).upper())


def strip(self, chars=None, /):
    """Return a new bytearray without blanks, or some bytes, at its ends."""
    return bytearray(bytes(self).strip(chars))


def lstrip(self, chars=None, /):
    """Return a new bytearray without blanks, or some bytes, at its ends."""
    return bytearray(bytes(self).lstrip(chars))


def rstrip(self, chars=None, /):
    """Return a new bytearray without blanks, or some bytes, at its ends."""
    return bytearray(bytes(self).rstrip(chars))


def removeprefix(self, part, /):
    """Return a new bytearray without a part that it may have."""
    return bytearray(bytes(self).removeprefix(part))


def removesuffix(self, part, /):
    """Return a new bytearray without a part that it may have."""
    return bytearray(bytes(self).removesuffix(part))


def ljust(self, width: int, fillchar=b" ", /):
    """Return a new bytearray, filled up."""
    return bytearray(bytes(self).ljust(width, fillchar))


def rjust(self, width: int, fillchar=b" ", /):
    """Return a new bytearray, filled up."""
    return bytearray(bytes(self).rjust(width, fillchar))


def center(self, width: int, fillchar=b" ", /):
    """Return a new bytearray, filled up."""
    return bytearray(bytes(self).center(width, fillchar))


def zfill(self, width: int, /):
    """Return a new bytearray with zeros in front."""
    return bytearray(bytes(self).zfill(width))


def replace(self, old, new, count: int = -1, /):
    """Return a new bytearray with one part in place of another."""
    return bytearray(bytes(self).replace(old, new, count))


def translate(self, table, /, delete=b""):
    """Return a new bytearray of what a table has for the bytes."""
    return bytearray(bytes(self).translate(table, delete))


def hex(self, sep=None, bytes_per_sep: int = 1) -> str:
    """Return two digits for each byte."""
    return bytes(self).hex(sep, bytes_per_sep)


def split(self, /, sep=None, maxsplit: int = -1):
    """Return what stands between separators, bytearrays."""
    return [bytearray(part) for part in bytes(self).split(sep, maxsplit)]


def rsplit(self, /, sep=None, maxsplit: int = -1):
    """Return the same, counted from the end."""
    return [bytearray(part) for part in bytes(self).rsplit(sep, maxsplit)]


def splitlines(self, /, keepends: bool = False):
    """Return the lines, bytearrays."""
    return [bytearray(part) for part in bytes(self).splitlines(keepends)]


def partition(self, sep, /):
    """Return what stands before a separator, it, and what follows."""
    first, between, rest = bytes(self).partition(sep)
    return bytearray(first), bytearray(between), bytearray(rest)


def rpartition(self, sep, /):
    """Return the same for the last separator."""
    first, between, rest = bytes(self).rpartition(sep)
    return bytearray(first), bytearray(between), bytearray(rest)
