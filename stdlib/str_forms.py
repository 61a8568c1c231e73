"""Methods of str that pad, classify and translate, and numbers that texts say.

They have the parameters that Python gives them.
"""

from scriptc_runtime import unsafe


def _fill(char: str) -> str:
    if len(char) != 1:
        raise TypeError("The fill character must be exactly one character long")
    return char


def ljust(self: str, width: int, fillchar: str = " ", /) -> str:
    """Return the text, filled up at its end."""
    fill = _fill(fillchar)
    return self + fill * max(width - len(self), 0)


def rjust(self: str, width: int, fillchar: str = " ", /) -> str:
    """Return the text, filled up at its start."""
    fill = _fill(fillchar)
    return fill * max(width - len(self), 0) + self


def center(self: str, width: int, fillchar: str = " ", /) -> str:
    """Return the text, filled up at both ends."""
    fill = _fill(fillchar)
    rest = max(width - len(self), 0)
    left = rest // 2 + (rest & width & 1)
    return fill * left + self + fill * (rest - left)


def zfill(self: str, width: int, /) -> str:
    """Return the text with zeros in front, behind a sign."""
    zeros = "0" * max(width - len(self), 0)
    if len(self) > 0 and (ord(self[0]) == 43 or ord(self[0]) == 45):
        return self[:1] + zeros + self[1:]
    return zeros + self


def expandtabs(self: str, /, tabsize: int = 8) -> str:
    """Return the text with spaces for tabs."""
    parts: list[str] = []
    column = 0
    first = 0
    for i in range(len(self)):
        code = ord(self[i])
        if code == 9:
            parts.append(self[first:i])
            first = i + 1
            if tabsize > 0:
                spaces = tabsize - column % tabsize
                parts.append(" " * spaces)
                column += spaces
        elif code == 10 or code == 13:
            column = 0
        else:
            column += 1
    parts.append(self[first:])
    return "".join(parts)


def isascii(self: str, /) -> bool:
    """Return whether all characters are ASCII."""
    for i in range(len(self)):  # noqa: SIM110
        if ord(self[i]) > 127:
            return False
    return True


def isalpha(self: str, /) -> bool:
    """Return whether there are characters, all of them letters."""
    for i in range(len(self)):
        if not unsafe.char_is(ord(self[i]), "alpha"):
            return False
    return len(self) > 0


def isdecimal(self: str, /) -> bool:
    """Return whether there are characters, all of them decimal digits."""
    for i in range(len(self)):
        if not unsafe.char_is(ord(self[i]), "decimal"):
            return False
    return len(self) > 0


def isdigit(self: str, /) -> bool:
    """Return whether there are characters, all of them digits."""
    for i in range(len(self)):
        if not unsafe.char_is(ord(self[i]), "digit"):
            return False
    return len(self) > 0


def isnumeric(self: str, /) -> bool:
    """Return whether there are characters, all of them numeric."""
    for i in range(len(self)):
        if not unsafe.char_is(ord(self[i]), "numeric"):
            return False
    return len(self) > 0


def isalnum(self: str, /) -> bool:
    """Return whether there are characters, all of them letters or numeric."""
    for i in range(len(self)):
        code = ord(self[i])
        if not (unsafe.char_is(code, "alpha") or unsafe.char_is(code, "numeric")):
            return False
    return len(self) > 0


def isspace(self: str, /) -> bool:
    """Return whether there are characters, all of them blanks."""
    for i in range(len(self)):
        if not unsafe.char_is(ord(self[i]), "space"):
            return False
    return len(self) > 0


def isprintable(self: str, /) -> bool:
    """Return whether all characters can be printed."""
    for i in range(len(self)):  # noqa: SIM110
        if not unsafe.char_is(ord(self[i]), "printable"):
            return False
    return True


def isidentifier(self: str, /) -> bool:
    """Return whether the text is a name."""
    return unsafe.str_is_identifier(self)


def islower(self: str, /) -> bool:
    """Return whether there are small letters, and no others that have a case."""
    cased = False
    for i in range(len(self)):
        code = ord(self[i])
        if unsafe.char_is(code, "upper") or unsafe.char_is(code, "title"):
            return False
        if unsafe.char_is(code, "lower"):
            cased = True
    return cased


def isupper(self: str, /) -> bool:
    """Return whether there are capitals, and no other letters that have a case."""
    cased = False
    for i in range(len(self)):
        code = ord(self[i])
        if unsafe.char_is(code, "lower") or unsafe.char_is(code, "title"):
            return False
        if unsafe.char_is(code, "upper"):
            cased = True
    return cased


def istitle(self: str, /) -> bool:
    """Return whether each word starts with a capital, and has no other ones."""
    cased = False
    inside = False
    for i in range(len(self)):
        code = ord(self[i])
        if unsafe.char_is(code, "upper") or unsafe.char_is(code, "title"):
            if inside:
                return False
            inside = True
            cased = True
        elif unsafe.char_is(code, "lower"):
            if not inside:
                return False
            cased = True
        else:
            inside = False
    return cased


def translate(self: str, table, /) -> str:
    """Return the text with what a dict has in place of characters, by number."""
    parts: list[str] = []
    for i in range(len(self)):
        code = ord(self[i])
        if code in table:
            put = table[code]
            if isinstance(put, str):
                parts.append(put)
            elif put is not None:
                parts.append(chr(put))
        else:
            parts.append(self[i])
    return "".join(parts)


def maketrans(x, y=None, z=None, /):
    """Return the dict that `translate` takes: of another dict, or of characters and those instead.

    The characters of `z` are left out.
    """
    if y is None:
        return _table_of(x)
    if not isinstance(x, str) or not isinstance(y, str):
        unsafe.refuse("two arguments are texts", "str.maketrans({...}) of one dict", "x")
    if len(x) != len(y):
        raise ValueError("the first two maketrans arguments must have equal length")
    if z is None:
        table: dict[int, int] = {}
        for i in range(len(x)):
            table[ord(x[i])] = ord(y[i])
        return table
    return _table_without(x, y, z)


def _table_without(x: str, y: str, z: str):
    table: dict[int, int | None] = {}
    for i in range(len(x)):
        table[ord(x[i])] = ord(y[i])
    for i in range(len(z)):
        table[ord(z[i])] = None
    return table


def _table_of(items):
    if not isinstance(items, dict):
        unsafe.refuse("one argument is a dict", "two texts, or a dict", "x")
    table = {}
    for key in items:
        if isinstance(key, str):
            if len(key) != 1:
                raise ValueError("string keys in translate table must be of length 1")
            table[ord(key)] = items[key]
        else:
            table[key] = items[key]
    return table


def width_text(width: int, align: str) -> str:
    """Return the part of a format that says where a text stands in a width, by `%*d`."""
    return "<" + str(-width) if width < 0 else align + str(width)


def precision_text(places: int) -> str:
    """Return the part of a format that says how many places there are, by `%.*f`."""
    return "." + str(max(places, 0))


def char_of_int(code: int) -> str:
    """Return what `%c` shows of a number."""
    if code < 0 or code > 0x10FFFF:
        raise OverflowError("%c arg not in range(0x110000)")
    return chr(code)


def char_of_text(text: str) -> str:
    """Return what `%c` shows of a text, which is one character."""
    if len(text) != 1:
        raise TypeError("%c requires int or char")
    return text


def _digit(code: int) -> int:
    """Return the value of a digit in any base up to 36, 99 for what is none."""
    if 48 <= code <= 57:
        return code - 48
    if 97 <= code <= 122:
        return code - 87
    if 65 <= code <= 90:
        return code - 55
    found = unsafe.char_decimal(code) if code > 127 else -1
    return found if found >= 0 else 99


def _no_int(text: str, base: int):
    shown = repr(text)
    return f"invalid literal for int() with base {base}: {shown[:200]}"


def _trimmed(text: str):
    """Return the first place that is no blank, and the one behind the last."""
    at = 0
    end = len(text)
    while at < end and unsafe.char_is(ord(text[at]), "space"):
        at += 1
    while end > at and unsafe.char_is(ord(text[end - 1]), "space"):
        end -= 1
    return at, end


def _prefix(text: str, at: int, end: int) -> int:
    """Return the base that `0x` and the like stand for, 0 where there is none."""
    if at + 1 >= end or _digit(ord(text[at])) != 0:
        return 0
    letter = ord(text[at + 1]) | 32
    return 16 if letter == 120 else 8 if letter == 111 else 2 if letter == 98 else 0


def _read(text: str, at: int, end: int, base: int):
    """Return what digits say below zero, whether they are right, and whether 64 bits hold it.

    Counted downwards: the least int has no counterpart above zero.
    """
    least = -9223372036854775807 - 1
    value = 0
    fits = True
    after_digit = False
    while at < end:
        code = ord(text[at])
        at += 1
        if code == 95:
            if not after_digit:
                return 0, False, fits
            after_digit = False
            continue
        digit = _digit(code)
        if digit >= base:
            return 0, False, fits
        after_digit = True
        bound = least + digit
        if value < bound // base + min(bound % base, 1):
            fits = False
        if fits:
            value = value * base - digit
    return value, after_digit, fits


def to_int(text: str, base: int) -> int:
    """Return the int that a text says.  Raises ValueError, and OverflowError beyond 64 bits."""
    if base != 0 and (base < 2 or base > 36):
        raise ValueError("int() base must be >= 2 and <= 36, or 0")
    at, end = _trimmed(text)
    sign = ord(text[at]) if at < end else 0
    if sign == 43 or sign == 45:
        at += 1
    said = _prefix(text, at, end)
    used = base if base != 0 else said if said != 0 else 10
    # A number of a program has no zeros in front.
    lone = base == 0 and said == 0 and at < end and _digit(ord(text[at])) == 0
    if said == used:
        at += 2
        if at < end and ord(text[at]) == 95:
            at += 1
    value, is_right, fits = _read(text, at, end, used)
    if not is_right or (lone and value != 0) or (lone and not fits):
        raise ValueError(_no_int(text, base))
    if not fits or (sign != 45 and value == -9223372036854775807 - 1):
        raise OverflowError("integer result does not fit in 64 bits")
    return value if sign == 45 else -value


def capwords(s: str, sep: str | None = None) -> str:
    """Return a text whose words begin with capitals."""
    if sep is None:
        return " ".join([word.capitalize() for word in s.split()])
    return sep.join([word.capitalize() for word in s.split(sep)])


def unknown_format(text: str) -> None:
    """Raise what CPython does for `text % number` where a text is no format.

    A text with places for values is a format, which the language has as a constant alone: that is
    told by another exception than Python raises, which no handler for those takes.
    """
    if "%" in text:
        raise NotImplementedError("% of a text that is no constant: an f-string makes such texts")
    raise TypeError("not all arguments converted during string formatting")
