"""Methods of bytes that search, cut and join, in the script language.

Bytes are searched as the text of the characters that have them as their numbers. The methods have
the parameters that Python gives them.
"""

import numpy as np

from scriptc_runtime import unsafe


def text_of(part) -> str:
    """Return what is searched for: the text of bytes, or of one that is a number."""
    if isinstance(part, bytes):
        return unsafe.bytes_text(part)
    if isinstance(part, bytearray):
        return unsafe.bytes_text(bytes(part))
    if isinstance(part, (int, np.integer)):
        code = int(part)
        if code < 0 or code > 255:
            raise ValueError("byte must be in range(0, 256)")
        return chr(code)
    unsafe.refuse("it takes bytes, or one byte as an int", "bytes(x)")


def all_text_of(part) -> str:
    """Return the text of bytes."""
    if isinstance(part, bytes):
        return unsafe.bytes_text(part)
    if isinstance(part, bytearray):
        return unsafe.bytes_text(bytes(part))
    unsafe.refuse("it takes bytes", "bytes(x), or x.encode() of a str")


def get(self: bytes, index: int) -> int:
    """Return the byte at a place.  Raises IndexError."""
    size = len(self)
    if index < -size or index >= size:
        raise IndexError("index out of range")
    return ord(unsafe.bytes_text(self)[index])


def contains(self: bytes, part) -> bool:
    """Return whether there is a part."""
    return text_of(part) in unsafe.bytes_text(self)


def find(self: bytes, sub, start: int | None = None, end: int | None = None, /) -> int:
    """Return the first place of a part in a slice, -1 where there is none."""
    return unsafe.bytes_text(self).find(text_of(sub), start, end)


def rfind(self: bytes, sub, start: int | None = None, end: int | None = None, /) -> int:
    """Return the last place of a part in a slice, -1 where there is none."""
    return unsafe.bytes_text(self).rfind(text_of(sub), start, end)


def index(self: bytes, sub, start: int | None = None, end: int | None = None, /) -> int:
    """Return the first place of a part in a slice.  Raises ValueError."""
    place = unsafe.bytes_text(self).find(text_of(sub), start, end)
    if place < 0:
        raise ValueError("subsection not found")
    return place


def rindex(self: bytes, sub, start: int | None = None, end: int | None = None, /) -> int:
    """Return the last place of a part in a slice.  Raises ValueError."""
    place = unsafe.bytes_text(self).rfind(text_of(sub), start, end)
    if place < 0:
        raise ValueError("subsection not found")
    return place


def count(self: bytes, sub, start: int | None = None, end: int | None = None, /) -> int:
    """Return how often a part is in a slice, without overlaps."""
    return unsafe.bytes_text(self).count(text_of(sub), start, end)


def startswith(self: bytes, prefix, start: int | None = None, end: int | None = None, /) -> bool:
    """Return whether a slice starts with a part, or with one of a tuple."""
    text = unsafe.bytes_text(self)
    if isinstance(prefix, tuple):
        for one in prefix:  # noqa: SIM110 -- the items of a tuple are of several types
            if text.startswith(all_text_of(one), start, end):
                return True
        return False
    return text.startswith(all_text_of(prefix), start, end)


def endswith(self: bytes, suffix, start: int | None = None, end: int | None = None, /) -> bool:
    """Return whether a slice ends with a part, or with one of a tuple."""
    text = unsafe.bytes_text(self)
    if isinstance(suffix, tuple):
        for one in suffix:  # noqa: SIM110 -- as above
            if text.endswith(all_text_of(one), start, end):
                return True
        return False
    return text.endswith(all_text_of(suffix), start, end)


def removeprefix(self: bytes, prefix, /) -> bytes:
    """Return the bytes without a prefix that they may have."""
    return unsafe.text_bytes(unsafe.bytes_text(self).removeprefix(all_text_of(prefix)))


def removesuffix(self: bytes, suffix, /) -> bytes:
    """Return the bytes without a suffix that they may have."""
    return unsafe.text_bytes(unsafe.bytes_text(self).removesuffix(all_text_of(suffix)))


def _blank(code: int) -> bool:
    return code == 32 or 9 <= code <= 13


def split(self: bytes, /, sep=None, maxsplit: int = -1):
    """Return what stands between separators, or between blanks."""
    text = unsafe.bytes_text(self)
    if sep is not None:
        return [unsafe.text_bytes(part) for part in text.split(all_text_of(sep), maxsplit)]
    parts: list[bytes] = []
    size = len(text)
    at = 0
    while True:
        while at < size and _blank(ord(text[at])):
            at += 1
        if at == size:
            return parts
        if maxsplit == 0:
            parts.append(self[at:])
            return parts
        first = at
        while at < size and not _blank(ord(text[at])):
            at += 1
        parts.append(self[first:at])
        maxsplit -= 1


def rsplit(self: bytes, /, sep=None, maxsplit: int = -1):
    """Return the same, where the first part is what is left of `maxsplit` separators."""
    text = unsafe.bytes_text(self)
    if sep is not None:
        return [unsafe.text_bytes(part) for part in text.rsplit(all_text_of(sep), maxsplit)]
    parts: list[bytes] = []
    end = len(text)
    while True:
        while end > 0 and _blank(ord(text[end - 1])):
            end -= 1
        if end == 0:
            break
        if maxsplit == 0:
            parts.append(self[:end])
            break
        last = end
        while end > 0 and not _blank(ord(text[end - 1])):
            end -= 1
        parts.append(self[end:last])
        maxsplit -= 1
    parts.reverse()
    return parts


def splitlines(self: bytes, /, keepends: bool = False):
    """Return the lines, which end with a line feed, a carriage return, or both."""
    text = unsafe.bytes_text(self)
    parts: list[bytes] = []
    size = len(text)
    at = 0
    while at < size:
        first = at
        while at < size and ord(text[at]) != 10 and ord(text[at]) != 13:
            at += 1
        end = at
        if at < size:
            both = ord(text[at]) == 13 and at + 1 < size and ord(text[at + 1]) == 10
            at += 2 if both else 1
            if keepends:
                end = at
        parts.append(self[first:end])
    return parts


def partition(self: bytes, sep, /):
    """Return what stands before the first separator, it, and what follows."""
    first, between, rest = unsafe.bytes_text(self).partition(all_text_of(sep))
    return unsafe.text_bytes(first), unsafe.text_bytes(between), unsafe.text_bytes(rest)


def rpartition(self: bytes, sep, /):
    """Return what stands before the last separator, it, and what follows."""
    first, between, rest = unsafe.bytes_text(self).rpartition(all_text_of(sep))
    return unsafe.text_bytes(first), unsafe.text_bytes(between), unsafe.text_bytes(rest)


def strip(self: bytes, bytes=None, /) -> bytes:
    """Return the bytes without blanks, or some bytes, at both ends."""
    wanted = " \t\n\r\x0b\x0c" if bytes is None else all_text_of(bytes)
    return unsafe.text_bytes(unsafe.bytes_text(self).strip(wanted))


def lstrip(self: bytes, bytes=None, /) -> bytes:
    """Return the bytes without blanks, or some bytes, at their start."""
    wanted = " \t\n\r\x0b\x0c" if bytes is None else all_text_of(bytes)
    return unsafe.text_bytes(unsafe.bytes_text(self).lstrip(wanted))


def rstrip(self: bytes, bytes=None, /) -> bytes:
    """Return the bytes without blanks, or some bytes, at their end."""
    wanted = " \t\n\r\x0b\x0c" if bytes is None else all_text_of(bytes)
    return unsafe.text_bytes(unsafe.bytes_text(self).rstrip(wanted))


def replace(self: bytes, old, new, count: int = -1, /) -> bytes:
    """Return the bytes with one part in place of another, `count` times from the left."""
    text = unsafe.bytes_text(self)
    return unsafe.text_bytes(text.replace(all_text_of(old), all_text_of(new), count))
