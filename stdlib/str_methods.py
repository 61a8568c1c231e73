"""Methods of str that search, cut and join, in the script language.

They have the parameters that Python gives them. Numbers of characters are compared, not texts.
"""

from scriptc_runtime import unsafe


def _is_space(code: int) -> bool:
    if code > 32:
        return code > 127 and unsafe.char_is(code, "space")
    return code == 32 or 9 <= code <= 13 or 28 <= code <= 31


def _window(size: int, start: int | None, end: int | None):
    """Return the bounds of a slice as places; the first may lie behind the text."""
    first = 0 if start is None else start
    last = size if end is None else end
    if first < 0:
        first = max(first + size, 0)
    if last < 0:
        last = max(last + size, 0)
    return first, min(last, size)


def open_bounds(step: int):
    """Return what stands for the bounds of a slice that are left out."""
    if step < 0:
        return 9223372036854775807, -9223372036854775807 - 1
    return 0, 9223372036854775807


def texts_joined(items):
    """Return texts that are joined, where nothing else may be among them."""
    out = []
    for place in range(len(items)):
        item = items[place]
        if not isinstance(item, str):
            kind = type(item).__name__
            raise TypeError(f"sequence item {place}: expected str instance, {kind} found")
        out.append(item)
    return out


def characters(text: str):
    """Return a list of all characters."""
    return [text[i] for i in range(len(text))]


def find(self: str, sub: str, start: int | None = None, end: int | None = None, /) -> int:
    """Return the first place of a text in a slice, -1 where there is none."""
    first, last = _window(len(self), start, end)
    return unsafe.str_find(self, sub, first, last)


def rfind(self: str, sub: str, start: int | None = None, end: int | None = None, /) -> int:
    """Return the last place of a text in a slice, -1 where there is none."""
    first, last = _window(len(self), start, end)
    return unsafe.str_rfind(self, sub, first, last)


def index(self: str, sub: str, start: int | None = None, end: int | None = None, /) -> int:
    """Return the first place of a text in a slice.  Raises ValueError."""
    first, last = _window(len(self), start, end)
    place = unsafe.str_find(self, sub, first, last)
    if place < 0:
        raise ValueError("substring not found")
    return place


def rindex(self: str, sub: str, start: int | None = None, end: int | None = None, /) -> int:
    """Return the last place of a text in a slice.  Raises ValueError."""
    first, last = _window(len(self), start, end)
    place = unsafe.str_rfind(self, sub, first, last)
    if place < 0:
        raise ValueError("substring not found")
    return place


def count(self: str, sub: str, start: int | None = None, end: int | None = None, /) -> int:
    """Return how often a text is in a slice, without overlaps."""
    first, last = _window(len(self), start, end)
    if len(sub) == 0:
        return max(last - first + 1, 0)
    found = 0
    if len(sub) == 1 and last - first <= 64:
        # Looking for the next one takes longer than comparing as many characters.
        code = ord(sub)
        for i in range(first, last):
            found += int(ord(self[i]) == code)
        return found
    while True:
        place = unsafe.str_find(self, sub, first, last)
        if place < 0:
            return found
        found += 1
        first = place + len(sub)


def _starts(text: str, prefix: str, first: int, last: int) -> bool:
    if last - first < len(prefix):
        return False
    return unsafe.str_find(text, prefix, first, first + len(prefix)) >= 0


def _ends(text: str, suffix: str, first: int, last: int) -> bool:
    if last - first < len(suffix):
        return False
    return unsafe.str_find(text, suffix, last - len(suffix), last) >= 0


def startswith(self: str, prefix, start: int | None = None, end: int | None = None, /) -> bool:
    """Return whether a slice starts with a text, or with one of a tuple."""
    first, last = _window(len(self), start, end)
    if isinstance(prefix, tuple):
        for one in prefix:
            if not isinstance(one, str):
                unsafe.refuse("a tuple of prefixes holds texts", "convert them: str(x)", "prefix")
            if _starts(self, one, first, last):
                return True
        return False
    if not isinstance(prefix, str):
        unsafe.refuse("the prefix is a text, or a tuple of texts", "", "prefix")
    return _starts(self, prefix, first, last)


def endswith(self: str, suffix, start: int | None = None, end: int | None = None, /) -> bool:
    """Return whether a slice ends with a text, or with one of a tuple."""
    first, last = _window(len(self), start, end)
    if isinstance(suffix, tuple):
        for one in suffix:
            if not isinstance(one, str):
                unsafe.refuse("a tuple of suffixes holds texts", "convert them: str(x)", "suffix")
            if _ends(self, one, first, last):
                return True
        return False
    if not isinstance(suffix, str):
        unsafe.refuse("the suffix is a text, or a tuple of texts", "", "suffix")
    return _ends(self, suffix, first, last)


def removeprefix(self: str, prefix: str, /) -> str:
    """Return the text without a prefix that it may have."""
    if _starts(self, prefix, 0, len(self)):
        return self[len(prefix) :]
    return self


def removesuffix(self: str, suffix: str, /) -> str:
    """Return the text without a suffix that it may have."""
    if len(suffix) > 0 and _ends(self, suffix, 0, len(self)):
        return self[: len(self) - len(suffix)]
    return self


def split(self: str, /, sep: str | None = None, maxsplit: int = -1):
    """Return what stands between separators, or between blanks."""
    parts: list[str] = []
    if sep is None:
        return _split_at_blanks(self, maxsplit)
    if len(sep) == 0:
        raise ValueError("empty separator")
    start = 0
    while maxsplit != 0:
        place = unsafe.str_find(self, sep, start, len(self))
        if place < 0:
            break
        parts.append(self[start:place])
        start = place + len(sep)
        maxsplit -= 1
    parts.append(self[start:])
    return parts


def _split_at_blanks(text: str, most: int):
    parts: list[str] = []
    size = len(text)
    at = 0
    while True:
        first = unsafe.str_scan(text, at, "ink")
        if first == size:
            return parts
        if most == 0:
            parts.append(text[first:])
            return parts
        at = unsafe.str_scan(text, first, "blank")
        parts.append(text[first:at])
        most -= 1


def rsplit(self: str, /, sep: str | None = None, maxsplit: int = -1):
    """Return the same, where the first part is what is left of `maxsplit` separators."""
    parts: list[str] = []
    if sep is None:
        return _rsplit_at_blanks(self, maxsplit)
    if len(sep) == 0:
        raise ValueError("empty separator")
    end = len(self)
    while maxsplit != 0:
        place = unsafe.str_rfind(self, sep, 0, end)
        if place < 0:
            break
        parts.append(self[place + len(sep) : end])
        end = place
        maxsplit -= 1
    parts.append(self[:end])
    parts.reverse()
    return parts


def _rsplit_at_blanks(text: str, most: int):
    parts: list[str] = []
    end = len(text)
    while True:
        while end > 0 and _is_space(ord(text[end - 1])):
            end -= 1
        if end == 0:
            break
        if most == 0:
            parts.append(text[:end])
            break
        last = end
        while end > 0 and not _is_space(ord(text[end - 1])):
            end -= 1
        parts.append(text[end:last])
        most -= 1
    parts.reverse()
    return parts


def splitlines(self: str, /, keepends: bool = False):
    """Return the lines of a text."""
    parts: list[str] = []
    size = len(self)
    at = 0
    while at < size:
        first = at
        at = unsafe.str_scan(self, first, "break")
        end = at
        if at < size:
            both = ord(self[at]) == 13 and at + 1 < size and ord(self[at + 1]) == 10
            at += 2 if both else 1
            if keepends:
                end = at
        parts.append(self[first:end])
    return parts


def partition(self: str, sep: str, /):
    """Return what stands before the first separator, it, and what follows."""
    if len(sep) == 0:
        raise ValueError("empty separator")
    place = unsafe.str_find(self, sep, 0, len(self))
    if place < 0:
        return self, "", ""
    return self[:place], sep, self[place + len(sep) :]


def rpartition(self: str, sep: str, /):
    """Return what stands before the last separator, it, and what follows."""
    if len(sep) == 0:
        raise ValueError("empty separator")
    place = unsafe.str_rfind(self, sep, 0, len(self))
    if place < 0:
        return "", "", self
    return self[:place], sep, self[place + len(sep) :]


def _has(chars: str, code: int) -> bool:
    for i in range(len(chars)):  # noqa: SIM110
        if ord(chars[i]) == code:
            return True
    return False


def _left(text: str, chars: str | None) -> int:
    """Return the first place that is not stripped."""
    if chars is None:
        return unsafe.str_scan(text, 0, "ink")
    at = 0
    while at < len(text) and _has(chars, ord(text[at])):
        at += 1
    return at


def _right(text: str, chars: str | None, first: int) -> int:
    """Return the place behind the last one that is not stripped."""
    end = len(text)
    if chars is None:
        while end > first and _is_space(ord(text[end - 1])):
            end -= 1
        return end
    while end > first and _has(chars, ord(text[end - 1])):
        end -= 1
    return end


def strip(self: str, chars: str | None = None, /) -> str:
    """Return the text without blanks, or some characters, at both ends."""
    first = _left(self, chars)
    return self[first : _right(self, chars, first)]


def lstrip(self: str, chars: str | None = None, /) -> str:
    """Return the text without blanks, or some characters, at its start."""
    return self[_left(self, chars) :]


def rstrip(self: str, chars: str | None = None, /) -> str:
    """Return the text without blanks, or some characters, at its end."""
    return self[: _right(self, chars, 0)]


def replace(self: str, old: str, new: str, count: int = -1, /) -> str:
    """Return the text with one text in place of another, `count` times from the left."""
    size = len(self)
    if len(old) > 0:
        place = -1 if count == 0 else unsafe.str_find(self, old, 0, size)
        if place < 0:
            return self
        end = place + len(old)
        if count == 1 or unsafe.str_find(self, old, end, size) < 0:
            return self[:place] + new + self[end:]
        return new.join(split(self, old, count))
    most = size + 1 if count < 0 else min(count, size + 1)
    parts: list[str] = []
    for i in range(most):
        parts.append(new)
        if i < size:
            parts.append(self[i])
    if most < size:
        parts.append(self[most:])
    return "".join(parts)
