"""Formats by `%`: `"..." % values`, of constant texts."""

import re
from collections.abc import Iterator
from typing import NoReturn

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Convert, Literal
from scriptc.check.context import Context
from scriptc.check.conversion import converted
from scriptc.check.python.text import format_value
from scriptc.syntax.nodes import Node
from scriptc_runtime.ops import data
from scriptc_runtime.types import FLOAT, INT, STR, DType, TupleType, is_complex, is_number

_PERCENT = re.compile(r"%(?P<flags>[-+ 0#]*)(?P<width>\d*)(?:\.(?P<places>\d*))?(?P<kind>.?)", re.S)
_AS_MANY = "a value for each place, and %% for a sign of per cent"
_INSTEAD = 'an f-string: f"{count} of {total:.2f}"'


def percent(context: Context, at: Node, text: Typed, values: Computation) -> Computation:
    """Return `text % values`; a tuple stands for its items."""
    items: list[Computation] = [values]
    if isinstance(values.type, TupleType):
        count = len(values.type.items)
        items = [context.apply(at, data.ITEM, values, index=i) for i in range(count)]
    parts: list[Computation] = []
    taken = 0
    for found in _pieces(constant(context, at, text)):
        if isinstance(found, str) or found.group() == "%%":
            parts.append(Literal(found if isinstance(found, str) else "%", STR))
            continue
        if taken == len(items):
            refuse(context, at, "the format has more places than there are values", _AS_MANY)
        parts.append(_formatted(context, at, found, items[taken]))
        taken += 1
    if taken < len(items):
        refuse(context, at, "the format has fewer places than there are values", _AS_MANY)
    return context.apply(at, data.CONCAT, *parts)


def _pieces(text: str) -> Iterator[str | re.Match[str]]:
    """Yield what stands between the places of a format, and the places."""
    end = 0
    for found in _PERCENT.finditer(text):
        yield text[end : found.start()]
        yield found
        end = found.end()
    yield text[end:]


def _formatted(context: Context, at: Node, place: re.Match[str], value: Computation) -> Computation:
    flags, width, places, kind = place.group("flags", "width", "places", "kind")
    is_real = is_number(value.type) and not is_complex(value.type)
    align = "<" if "-" in flags else ">"
    precision = "" if places is None else f".{places or 0}"
    if kind in ("s", "r") and "#" not in flags:
        shown = format_value(context, at, value, "", kind)
        return format_value(context, at, shown, f"{align}{width}{precision}")
    sign = next((flag for flag in "+ " if flag in flags), "")
    zeros = "0" if "0" in flags and "-" not in flags else ""
    front = f"{'' if zeros else align}{sign}"
    if kind in tuple("diu") and is_real and places is None and "#" not in flags:
        if isinstance(value.type, DType) and value.type.kind == "f":
            value = Convert(value, FLOAT)
        return format_value(context, at, converted(value, INT), f"{front}{zeros}{width}d")
    if kind in tuple("eEfFgG") and is_real and "#" not in flags:
        number = converted(value, FLOAT)
        return format_value(context, at, number, f"{front}{zeros}{width}{precision}{kind}")
    refuse(context, at, f"the place {place.group()!r} of the format is not built for {value.type}")


def constant(context: Context, at: Node, text: Typed) -> str:
    """Return the text that a format is; refuse one that is not known."""
    if text.known is None or not isinstance(text.known.value, str):
        refuse(context, at, "the format is no constant")
    return text.known.value


def refuse(context: Context, at: Node, message: str, instead: str = _INSTEAD) -> NoReturn:
    """Refuse a format, with an f-string as the way out."""
    context.fail("format", message, at, instead=instead)
