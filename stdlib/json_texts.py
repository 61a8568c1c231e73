"""`json.dumps`, in the script language, as CPython 3.11 has it."""

import math

from scriptc_runtime import unsafe


def dumps(
    obj,
    *,
    skipkeys: bool = False,
    ensure_ascii: bool = True,
    check_circular: bool = True,
    allow_nan: bool = True,
    cls=None,
    indent=None,
    separators=None,
    default=None,
    sort_keys: bool = False,
) -> str:
    """Return a value as text."""
    if cls is not None or default is not None:
        unsafe.refuse("json.dumps with an encoder is not built", "dicts and lists of what it makes")
    step = None
    if isinstance(indent, str):
        step = indent
    elif indent is not None:
        step = " " * indent
    item_end, key_end = ", " if step is None else ",", ": "
    if separators is not None:
        item_end, key_end = separators
    parts: list[str] = []
    _add(parts, obj, "\n", step, item_end, key_end, ensure_ascii, allow_nan, sort_keys)
    return "".join(parts)


def _add(
    parts: list[str],
    value,
    line: str,
    step: str | None,
    item_end: str,
    key_end: str,
    ascii: bool,
    nan: bool,
    ordered: bool,
) -> None:
    """Add the text of a value; `line` begins a line that is as far in as the value is."""
    if isinstance(value, str):
        _add_quoted(parts, value, ascii)
    elif isinstance(value, list | tuple):
        inner = line if step is None else line + step
        start = "["
        for item in value:
            parts.append(start if step is None else start + inner)
            start = item_end
            _add(parts, item, inner, step, item_end, key_end, ascii, nan, ordered)
        _end(parts, start == "[", "[", "]", line, step)
    elif isinstance(value, dict):
        inner = line if step is None else line + step
        start = "{"
        # Of items, since a NaN is a key that no look-up finds.
        items = sorted(value.items(), key=_first) if ordered else list(value.items())
        for key, item in items:
            parts.append(start if step is None else start + inner)
            start = item_end
            if isinstance(key, tuple | bytes | complex | frozenset):
                raise TypeError(f"keys must be str, int, float, bool or None, not {_kind(key)}")
            _add_quoted(parts, _key(key, nan, step is None), ascii)
            parts.append(key_end)
            _add(parts, item, inner, step, item_end, key_end, ascii, nan, ordered)
        _end(parts, start == "{", "{", "}", line, step)
    else:
        _add_plain(parts, value, nan, step is None)


def _first(item):
    return item[0]


def _end(parts: list[str], empty: bool, first: str, last: str, line: str, step: str | None) -> None:
    if empty:
        parts.append(first)
    elif step is not None:
        parts.append(line)
    parts.append(last)


def _add_plain(parts: list[str], value, nan: bool, brief: bool) -> None:
    if value is None:
        parts.append("null")
    elif isinstance(value, bool):
        parts.append("true" if value else "false")
    elif isinstance(value, int):
        parts.append(str(int(value)))
    elif isinstance(value, float):
        parts.append(_number(float(value), nan, brief))
    else:
        raise TypeError(f"Object of type {_kind(value)} is not JSON serializable")


def _key(key, nan: bool, brief: bool) -> str:
    if isinstance(key, str):
        return key
    if key is None:
        return "null"
    if isinstance(key, bool):
        return "true" if key else "false"
    if isinstance(key, int):
        return str(int(key))
    if isinstance(key, float):
        return _number(float(key), nan, brief)
    raise TypeError(f"keys must be str, int, float, bool or None, not {type(key).__name__}")


def _kind(value) -> str:
    if isinstance(value, tuple):
        return "tuple"
    if isinstance(value, bytes):
        return "bytes"
    if isinstance(value, complex):
        return "complex"
    if isinstance(value, set | frozenset):
        return "set" if isinstance(value, set) else "frozenset"
    return type(value).__name__


def _number(x: float, nan: bool, brief: bool) -> str:
    if math.isfinite(x):
        return repr(x)
    if not nan:
        if brief:
            raise ValueError("Out of range float values are not JSON compliant")
        raise ValueError(f"Out of range float values are not JSON compliant: {x!r}")
    if math.isnan(x):
        return "NaN"
    return "Infinity" if x > 0.0 else "-Infinity"


def _add_quoted(parts: list[str], text: str, ascii: bool) -> None:
    parts.append('"')
    start = 0
    for k in range(len(text)):
        char = text[k]
        if char >= " " and char != '"' and char != "\\" and (char < "\x7f" or not ascii):
            continue
        parts.append(text[start:k])
        parts.append(_escaped(char))
        start = k + 1
    parts.append(text[start:])
    parts.append('"')


def _escaped(char: str) -> str:
    place = '"\\\n\r\t\x0c\b'.find(char)
    if place >= 0:
        return "\\" + '"\\nrtfb'[place]
    code = ord(char)
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 | (code >> 10):04x}\\u{0xDC00 | (code & 0x3FF):04x}"
