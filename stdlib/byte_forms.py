"""Methods of bytes that pad, classify, translate and convert, and what makes bytes.

They have the parameters that Python gives them. Letters, digits and blanks are those of ASCII.
"""

import numpy as np

from scriptc_runtime import unsafe


def _all_text_of(part) -> str:
    if isinstance(part, bytes):
        return unsafe.bytes_text(part)
    if isinstance(part, bytearray):
        return unsafe.bytes_text(bytes(part))
    unsafe.refuse("it takes bytes", "bytes(x), or x.encode() of a str")


def _fill(method: str, byte) -> str:
    text = _all_text_of(byte)
    if len(text) != 1:
        raise TypeError(method + "() argument 2 must be a byte string of length 1, not bytes")
    return text


def ljust(self: bytes, width: int, fillchar=b" ", /) -> bytes:
    """Return the bytes, filled up at their end."""
    return unsafe.text_bytes(unsafe.bytes_text(self).ljust(width, _fill("ljust", fillchar)))


def rjust(self: bytes, width: int, fillchar=b" ", /) -> bytes:
    """Return the bytes, filled up at their start."""
    return unsafe.text_bytes(unsafe.bytes_text(self).rjust(width, _fill("rjust", fillchar)))


def center(self: bytes, width: int, fillchar=b" ", /) -> bytes:
    """Return the bytes, filled up at both ends."""
    return unsafe.text_bytes(unsafe.bytes_text(self).center(width, _fill("center", fillchar)))


def zfill(self: bytes, width: int, /) -> bytes:
    """Return the bytes with zeros in front, behind a sign."""
    return unsafe.text_bytes(unsafe.bytes_text(self).zfill(width))


def expandtabs(self: bytes, /, tabsize: int = 8) -> bytes:
    """Return the bytes with spaces for tabs."""
    return unsafe.text_bytes(unsafe.bytes_text(self).expandtabs(tabsize))


def _lower(code: int) -> bool:
    return 97 <= code <= 122


def _upper(code: int) -> bool:
    return 65 <= code <= 90


def _digit(code: int) -> bool:
    return 48 <= code <= 57


def isascii(self: bytes, /) -> bool:
    """Return whether all bytes are below 128."""
    return unsafe.bytes_text(self).isascii()


def isalpha(self: bytes, /) -> bool:
    """Return whether there are bytes, all of them letters."""
    for code in self:
        if not (_lower(code) or _upper(code)):
            return False
    return len(self) > 0


def isdigit(self: bytes, /) -> bool:
    """Return whether there are bytes, all of them digits."""
    for code in self:
        if not _digit(code):
            return False
    return len(self) > 0


def isalnum(self: bytes, /) -> bool:
    """Return whether there are bytes, all of them letters or digits."""
    for code in self:
        if not (_lower(code) or _upper(code) or _digit(code)):
            return False
    return len(self) > 0


def isspace(self: bytes, /) -> bool:
    """Return whether there are bytes, all of them blanks."""
    for code in self:
        if not (code == 32 or 9 <= code <= 13):
            return False
    return len(self) > 0


def islower(self: bytes, /) -> bool:
    """Return whether there are letters, none of them a capital."""
    found = False
    for code in self:
        if _upper(code):
            return False
        found = found or _lower(code)
    return found


def isupper(self: bytes, /) -> bool:
    """Return whether there are letters, all of them capitals."""
    found = False
    for code in self:
        if _lower(code):
            return False
        found = found or _upper(code)
    return found


def istitle(self: bytes, /) -> bool:
    """Return whether each word has one capital, at its start."""
    found = False
    inside = False
    for code in self:
        if _upper(code):
            if inside:
                return False
            inside = True
            found = True
        elif _lower(code):
            if not inside:
                return False
        else:
            inside = False
    return found


def upper(self: bytes, /) -> bytes:
    """Return the bytes with capitals for small letters."""
    items = unsafe.bytes_items(self)
    for i in range(len(items)):
        code = int(items[i])
        if _lower(code):
            items[i] = np.uint8(code - 32)
    return unsafe.bytes_of(items)


def lower(self: bytes, /) -> bytes:
    """Return the bytes with small letters for capitals."""
    items = unsafe.bytes_items(self)
    for i in range(len(items)):
        code = int(items[i])
        if _upper(code):
            items[i] = np.uint8(code + 32)
    return unsafe.bytes_of(items)


def swapcase(self: bytes, /) -> bytes:
    """Return the bytes with the other case of each letter."""
    items = unsafe.bytes_items(self)
    for i in range(len(items)):
        code = int(items[i])
        if _upper(code) or _lower(code):
            items[i] = np.uint8(code ^ 32)
    return unsafe.bytes_of(items)


def capitalize(self: bytes, /) -> bytes:
    """Return the bytes with one capital, at the start."""
    items = unsafe.bytes_items(self)
    for i in range(len(items)):
        code = int(items[i])
        if (_lower(code) and i == 0) or (_upper(code) and i > 0):
            items[i] = np.uint8(code ^ 32)
    return unsafe.bytes_of(items)


def title(self: bytes, /) -> bytes:
    """Return the bytes with a capital at the start of each word."""
    items = unsafe.bytes_items(self)
    inside = False
    for i in range(len(items)):
        code = int(items[i])
        if (_lower(code) and not inside) or (_upper(code) and inside):
            items[i] = np.uint8(code ^ 32)
        inside = _lower(code) or _upper(code)
    return unsafe.bytes_of(items)


def translate(self: bytes, table, /, delete=b"") -> bytes:
    """Return the bytes that a table has for these, without some."""
    deleted = _all_text_of(delete)
    drops = [False] * 256
    for i in range(len(deleted)):
        drops[ord(deleted[i])] = True
    places = [np.uint8(i) for i in range(256)]
    if table is not None:
        text = _all_text_of(table)
        if len(text) != 256:
            raise ValueError("translation table must be 256 characters long")
        for i in range(256):
            places[i] = np.uint8(ord(text[i]))
    kept: list[np.uint8] = []
    for code in self:
        if not drops[code]:
            kept.append(places[code])
    return unsafe.bytes_of(kept)


def maketrans(frm, to, /) -> bytes:
    """Return the table that `translate` takes for bytes and those in their place."""
    olds, news = _all_text_of(frm), _all_text_of(to)
    if len(olds) != len(news):
        raise ValueError("maketrans arguments must have same length")
    places = [np.uint8(i) for i in range(256)]
    for i in range(len(olds)):
        places[ord(olds[i])] = np.uint8(ord(news[i]))
    return unsafe.bytes_of(places)


def _hex_digit(number: int) -> np.uint8:
    return np.uint8(number + 48 if number < 10 else number + 87)


def hex(self: bytes, sep=None, bytes_per_sep: int = 1) -> str:
    """Return two digits for each byte, `sep` between groups of them."""
    digits: list[np.uint8] = []
    if sep is None:
        for code in self:
            digits.append(_hex_digit(code >> 4))
            digits.append(_hex_digit(code & 15))
        return unsafe.bytes_text(unsafe.bytes_of(digits))
    between = sep if isinstance(sep, str) else _all_text_of(sep)
    if len(between) != 1:
        raise ValueError("sep must be length 1.")
    if not between.isascii():
        raise ValueError("sep must be ASCII.")
    size = len(self)
    group = abs(bytes_per_sep)
    first = size % group if bytes_per_sep > 0 else 0
    for place, code in enumerate(self):
        if group > 0 and place > 0 and (place - first) % group == 0:
            digits.append(np.uint8(ord(between)))
        digits.append(_hex_digit(code >> 4))
        digits.append(_hex_digit(code & 15))
    return unsafe.bytes_text(unsafe.bytes_of(digits))


def _hex_value(code: int) -> int:
    if _digit(code):
        return code - 48
    if 97 <= code <= 102:
        return code - 87
    if 65 <= code <= 70:
        return code - 55
    return -1


def fromhex(string: str, /) -> bytes:
    """Return the bytes that pairs of digits stand for; there may be blanks between them."""
    found: list[np.uint8] = []
    size = len(string)
    at = 0
    if not string.isascii():
        while ord(string[at]) < 128:
            at += 1
        raise ValueError(f"non-hexadecimal number found in fromhex() arg at position {at}")
    while at < size:
        code = ord(string[at])
        if code == 32 or 9 <= code <= 13:
            at += 1
            continue
        high = _hex_value(code)
        low = _hex_value(ord(string[at + 1])) if high >= 0 and at + 1 < size else -1
        if high < 0 or low < 0:
            wrong = at if high < 0 else at + 1
            text = f"non-hexadecimal number found in fromhex() arg at position {wrong}"
            raise ValueError(text)
        found.append(np.uint8(16 * high + low))
        at += 2
    return unsafe.bytes_of(found)


def of_count(count: int) -> bytes:
    """Return so many zeros."""
    if count < 0:
        raise ValueError("negative count")
    return unsafe.text_bytes("\x00" * count)


def of_items(items, name: str) -> bytes:
    """Return bytes of numbers."""
    found: list[np.uint8] = []
    for item in items:
        code = int(item)
        if code < 0 or code > 255:
            raise ValueError(name + " must be in range(0, 256)")
        found.append(np.uint8(code))
    return unsafe.bytes_of(found)


def from_bytes(bytes, byteorder: str = "big", *, signed: bool = False) -> int:
    """Return the number that bytes are.  Raises OverflowError where 64 bits do not hold it."""
    if byteorder != "little" and byteorder != "big":
        raise ValueError("byteorder must be either 'little' or 'big'")
    data = _all_text_of(bytes)
    size = len(data)
    whole = np.int64(0)
    negative = False
    if signed and size > 0:
        negative = ord(data[size - 1 if byteorder == "little" else 0]) > 127
    filler = 255 if negative else 0
    for i in range(size):
        code = ord(data[i if byteorder == "little" else size - 1 - i])
        if i < 8:
            whole = whole | np.int64(code) << np.int64(8 * i)
        elif code != filler:
            raise OverflowError("integer result does not fit in 64 bits")
    if negative and size < 8:
        whole = whole | np.int64(-1) << np.int64(8 * size)
    found = int(whole)
    if (found < 0) != negative:
        raise OverflowError("integer result does not fit in 64 bits")
    return found


def to_bytes(
    self: int, /, length: int = 1, byteorder: str = "big", *, signed: bool = False
) -> bytes:
    """Return a number as bytes.  Raises OverflowError."""
    if byteorder != "little" and byteorder != "big":
        raise ValueError("byteorder must be either 'little' or 'big'")
    if length < 0:
        raise ValueError("length argument must be non-negative")
    if self < 0 and not signed:
        raise OverflowError("can't convert negative int to unsigned")
    bits = 8 * length - (1 if signed else 0)
    if bits < 0:
        fits = self == 0 or self == -1
    elif bits >= 63:
        fits = True
    else:
        fits = -(1 << bits) <= self < (1 << bits)
    if not fits:
        raise OverflowError("int too big to convert")
    found: list[np.uint8] = []
    rest = self
    for _ in range(length):
        found.append(np.uint8(rest & 255))
        rest >>= 8
    if byteorder == "big":
        found.reverse()
    return unsafe.bytes_of(found)
