"""`json.loads`, in the script language, as CPython 3.11 has it."""

import math
from json import JSONDecodeError

from scriptc_runtime import unsafe


def _skip(s: str, i: int) -> int:
    """Return the place of what follows blanks."""
    while i < len(s) and s[i] in " \t\n\r":
        i += 1
    return i


def _is_at(s: str, i: int, char: str) -> bool:
    return i < len(s) and s[i] == char


def _hex4(s: str, i: int) -> int:
    """Return the number that the four hexadecimal digits from a place on are."""
    if i + 4 < len(s) and all(c in "0123456789abcdefABCDEF" for c in s[i : i + 4]):
        return int(s[i : i + 4], 16)
    raise JSONDecodeError("Invalid \\uXXXX escape", s, i - 1)


def _escaped(s: str, i: int) -> tuple[str, int]:
    """Return the character that a backslash at a place stands for, and the place behind it."""
    known = '"\\/bfnrt'.find(s[i + 1])
    if known >= 0:
        return '"\\/\b\f\n\r\t'[known], i + 2
    if s[i + 1] != "u":
        raise JSONDecodeError("Invalid \\escape", s, i)
    code = _hex4(s, i + 2)
    i += 6
    if 0xD800 <= code <= 0xDBFF and i + 6 < len(s) and s[i : i + 2] == "\\u":
        low = _hex4(s, i + 2)
        if 0xDC00 <= low <= 0xDFFF:
            return chr(0x10000 + (((code - 0xD800) << 10) | (low - 0xDC00))), i + 6
    return chr(code), i


def _string(s: str, i: int, strict: bool) -> tuple[str, int]:
    """Return a string whose first character stands at a place, and the place behind it."""
    begin = i - 1
    parts = [""]
    while True:
        end = i
        while end < len(s) and s[end] != '"' and s[end] != "\\" and (s[end] >= " " or not strict):
            end += 1
        parts.append(s[i:end])
        if _is_at(s, end, '"'):
            return "".join(parts), end + 1
        if end + 1 >= len(s) and not (end < len(s) and s[end] < " "):
            raise JSONDecodeError("Unterminated string starting at", s, begin)
        if s[end] != "\\":
            raise JSONDecodeError("Invalid control character at", s, end)
        char, i = _escaped(s, end)
        parts.append(char)


def _behind_digits(s: str, i: int) -> int:
    while i < len(s) and "0" <= s[i] <= "9":
        i += 1
    return i


def _number(s: str, i: int):
    """Return a number, and the place behind it."""
    first = i + 1 if _is_at(s, i, "-") else i
    end = first + 1 if _is_at(s, first, "0") else _behind_digits(s, first)
    if end == first:
        raise JSONDecodeError("Expecting value", s, i)
    whole = end
    if _is_at(s, end, ".") and _behind_digits(s, end + 1) > end + 1:
        end = _behind_digits(s, end + 1)
    if _is_at(s, end, "e") or _is_at(s, end, "E"):
        sign = end + 1
        power = sign + 1 if _is_at(s, sign, "+") or _is_at(s, sign, "-") else sign
        if _behind_digits(s, power) > power:
            end = _behind_digits(s, power)
    if end == whole:
        return int(s[i:end]), end
    return float(s[i:end]), end


def _object(s: str, i: int, strict: bool):
    """Return a dict whose brace stands before a place, and the place behind it."""
    found = {}
    i = _skip(s, i)
    if _is_at(s, i, "}"):
        return found, i + 1
    while True:
        if not _is_at(s, i, '"'):
            what = "Expecting property name enclosed in double quotes"
            raise JSONDecodeError(what, s, i)
        key, i = _string(s, i + 1, strict)
        i = _skip(s, i)
        if not _is_at(s, i, ":"):
            raise JSONDecodeError("Expecting ':' delimiter", s, i)
        item, i = _value(s, _skip(s, i + 1), strict)
        found[key] = item
        i = _skip(s, i)
        if _is_at(s, i, "}"):
            return found, i + 1
        if not _is_at(s, i, ","):
            raise JSONDecodeError("Expecting ',' delimiter", s, i)
        i = _skip(s, i + 1)


def _array(s: str, i: int, strict: bool):
    """Return a list whose bracket stands before a place, and the place behind it."""
    items = []
    i = _skip(s, i)
    if _is_at(s, i, "]"):
        return items, i + 1
    while True:
        item, i = _value(s, i, strict)
        items.append(item)
        i = _skip(s, i)
        if _is_at(s, i, "]"):
            return items, i + 1
        if not _is_at(s, i, ","):
            raise JSONDecodeError("Expecting ',' delimiter", s, i)
        i = _skip(s, i + 1)


def _value(s: str, i: int, strict: bool):
    """Return a value, and the place behind it."""
    if _is_at(s, i, '"'):
        return _string(s, i + 1, strict)
    if _is_at(s, i, "{"):
        return _object(s, i + 1, strict)
    if _is_at(s, i, "["):
        return _array(s, i + 1, strict)
    if s.startswith("null", i):
        return None, i + 4
    if s.startswith("true", i):
        return True, i + 4
    if s.startswith("false", i):
        return False, i + 5
    return _constant_or_number(s, i)


def _constant_or_number(s: str, i: int):
    if s.startswith("NaN", i):
        return math.nan, i + 3
    if s.startswith("Infinity", i):
        return math.inf, i + 8
    if s.startswith("-Infinity", i):
        return -math.inf, i + 9
    return _number(s, i)


def loads(
    s: str,
    *,
    cls=None,
    object_hook=None,
    parse_float=None,
    parse_int=None,
    parse_constant=None,
    object_pairs_hook=None,
    strict: bool = True,
):
    """Return the value that a text is of.  Raises JSONDecodeError."""
    if cls is not None or object_hook is not None or parse_float is not None:
        unsafe.refuse("json.loads with a hook is not built", "a loop over what it gives")
    if parse_int is not None or parse_constant is not None or object_pairs_hook is not None:
        unsafe.refuse("json.loads with a hook is not built", "a loop over what it gives")
    if s.startswith("\ufeff"):
        raise JSONDecodeError("Unexpected UTF-8 BOM (decode using utf-8-sig)", s, 0)
    found, i = _value(s, _skip(s, 0), strict)
    i = _skip(s, i)
    if i != len(s):
        raise JSONDecodeError("Extra data", s, i)
    return found
