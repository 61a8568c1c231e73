"""Formats by `%`: `"..." % values`, of constant texts."""

import re
from collections.abc import Iterator
from typing import NoReturn

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Convert, Literal
from scriptc.check.context import Context
from scriptc.check.conversion import converted
from scriptc.check.library.standard import standard_function
from scriptc.check.python import text as python_text
from scriptc.check.python.dicts import missing
from scriptc.syntax.nodes import Node
from scriptc_runtime.ops import data
from scriptc_runtime.record import record
from scriptc_runtime.types import (
    BIGINT,
    BOOL,
    FLOAT,
    INT,
    STR,
    DictType,
    DType,
    ListType,
    TupleType,
    is_complex,
    is_number,
)

_PERCENT = re.compile(
    r"%(?:\((?P<key>[^)]*)\))?(?P<flags>[-+ 0#]*)(?P<width>\*|\d*)"
    r"(?:\.(?P<places>\*|\d*))?(?P<kind>.?)",
    re.S,
)
_AS_MANY = "a value for each place, and %% for a sign of per cent"
_INSTEAD = 'an f-string: f"{count} of {total:.2f}"'


def percent(context: Context, at: Node, text: Typed, values: Computation) -> Computation:
    """Return `text % values`; a tuple stands for its items, a dict for those with their names."""
    format_ = constant(context, at, text)
    pieces = list(_pieces(format_))
    wanted = sum(_wanted(found) for found in pieces)
    given = _Given(context, at, values, _items(context, at, values, wanted))
    parts: list[Computation] = []
    for found in pieces:
        if isinstance(found, str) or found.group() == "%%":
            parts.append(Literal(found if isinstance(found, str) else "%", STR))
        else:
            parts.append(_formatted(given, found))
    given.require_all_taken()
    shown = [part for part in parts if part != Literal("", STR)]
    return shown[0] if len(shown) == 1 else context.apply(at, data.CONCAT, *shown)


@record(frozen=False, eq=False)
class _Given:
    """What places of a format are filled with, in turn or by their names."""

    context: Context
    at: Node
    whole: Computation
    items: list[Computation]
    taken: int = 0
    named: bool = False

    def value(self, key: str | None) -> Computation:
        """Return the value for the next place, or for one with a name."""
        if key is not None:
            self.named = True
            return item_of(self.context, self.at, self.whole, key)
        return self.next()

    def next(self) -> Computation:
        """Return the next value."""
        if self.taken == len(self.items):
            message = "the format has more places than there are values"
            refuse(self.context, self.at, message, _AS_MANY)
        self.taken += 1
        return self.items[self.taken - 1]

    def whole_number(self) -> Computation:
        """Return the next value, for a width or a number of places."""
        value = self.next()
        if value.type not in (INT, BOOL):
            refuse(self.context, self.at, f"* takes an int, not {value.type}", "int(x)")
        return converted(value, INT)

    def require_all_taken(self) -> None:
        """Refuse values that no place takes; of those with names there may be some."""
        if self.taken < len(self.items) and not self.named:
            message = "the format has fewer places than there are values"
            refuse(self.context, self.at, message, _AS_MANY)


def _wanted(piece: str | re.Match[str]) -> int:
    """Return how many values a piece of a format takes."""
    if isinstance(piece, str) or piece.group() == "%%":
        return 0
    return 1 + sum(piece[name] == "*" for name in ("width", "places"))


def _items(context: Context, at: Node, values: Computation, wanted: int) -> list[Computation]:
    if isinstance(values.type, ListType) and values.type.frozen and wanted:
        item, size = standard_function("stars", "format_item"), Literal(wanted, INT)
        return [context.call(at, item, [values, Literal(k, INT), size]) for k in range(wanted)]
    if not isinstance(values.type, TupleType):
        return [values]
    places = range(len(values.type.items))
    return [context.apply(at, data.ITEM, values, index=place) for place in places]


def item_of(context: Context, at: Node, whole: Computation, key: str) -> Computation:
    """Return the item of a dict that a place of a format names."""
    if not isinstance(whole.type, DictType) or whole.type.key is not STR:
        refuse(context, at, f"{whole.type} has no items with names", "a dict with strings as keys")
    made = Typed(whole.type, context.span(at))
    return missing.read(context, at, made, whole, Literal(key, STR))


def _pieces(text: str) -> Iterator[str | re.Match[str]]:
    """Yield what stands between the places of a format, and the places."""
    end = 0
    for found in _PERCENT.finditer(text):
        yield text[end : found.start()]
        yield found
        end = found.end()
    yield text[end:]


def _formatted(given: _Given, place: re.Match[str]) -> Computation:
    """Return the text for a place: by a format as format() takes it, parts of it computed."""
    context, at = given.context, given.at
    key, flags, width, places, kind = place.group("key", "flags", "width", "places", "kind")
    align = "<" if "-" in flags else ">"
    counts = _width(given, width, align), _precision(given, places)
    value, letter = _shown(given, place, given.value(key), kind)
    if letter in ("", "s"):
        return python_text.format_by(context, at, value, _joined(context, at, "", *counts, ""), "")
    if letter in "dxXo" and places is not None:
        refuse(context, at, f"the place {place.group()!r} of the format is not built for ints")
    sign = next((flag for flag in "+ " if flag in flags), "")
    sharp = "#" if "#" in flags and letter != "d" else ""
    zeros = "0" if "0" in flags and "-" not in flags else ""
    if zeros and width == "*":
        refuse(context, at, "zeros up to a width that is computed are not built")
    if width == "*":
        plain = _joined(context, at, f"{sign}{sharp}", counts[1], letter)
        return python_text.format_by(
            context, at, python_text.format_by(context, at, value, plain), counts[0]
        )
    front = f"{'' if zeros else align}{sign}{sharp}{zeros}{width}"
    return python_text.format_by(context, at, value, _joined(context, at, front, counts[1], letter))


def _joined(context: Context, at: Node, *parts: Computation | str) -> Computation:
    """Return parts of a format as one: a constant, where all of them are."""
    found = [Literal(part, STR) if isinstance(part, str) else part for part in parts]
    if all(isinstance(part, Literal) for part in found):
        return Literal("".join(str(p.value) for p in found if isinstance(p, Literal)), STR)
    return context.apply(at, data.CONCAT, *found)


def _width(given: _Given, width: str, align: str) -> Computation:
    if width != "*":
        return Literal(f"{align}{width}" if width else "", STR)
    function = standard_function("str_forms", "width_text")
    given_width = given.whole_number()
    return given.context.call(given.at, function, (given_width, Literal(align, STR)))


def _precision(given: _Given, places: str | None) -> Computation:
    if places != "*":
        return Literal("" if places is None else f".{places or 0}", STR)
    function = standard_function("str_forms", "precision_text")
    return given.context.call(given.at, function, (given.whole_number(),))


def _shown(
    given: _Given, place: re.Match[str], value: Computation, kind: str
) -> tuple[Computation, str]:
    """Return what a place shows of a value, and the letter of the format for that."""
    context, at = given.context, given.at
    is_real = value.type is BIGINT or (is_number(value.type) and not is_complex(value.type))
    is_whole = value.type in (INT, BIGINT, BOOL) or (
        isinstance(value.type, DType) and value.type.kind in "biu"
    )
    if kind in ("s", "r", "a"):
        return python_text.format_value(context, at, value, "", kind), "s"
    if kind in tuple("diu") and is_real:
        if isinstance(value.type, DType) and value.type.kind == "f":
            value = Convert(value, FLOAT)
        return value if value.type is BIGINT else converted(value, INT), "d"
    if kind in tuple("xXo") and is_whole:
        return value if value.type is BIGINT else converted(value, INT), kind
    if kind in tuple("eEfFgG") and is_real:
        return converted(value, FLOAT), kind
    if kind == "c" and (is_whole or value.type is STR):
        name = "char_of_int" if is_whole else "char_of_text"
        whole = converted(value, INT) if is_whole else value
        return context.call(at, standard_function("str_forms", name), (whole,)), "s"
    refuse(context, at, f"the place {place.group()!r} of the format is not built for {value.type}")


def constant(context: Context, at: Node, text: Typed) -> str:
    """Return the text that a format is; refuse one that is not known."""
    if text.known is None or not isinstance(text.known.value, str):
        refuse(context, at, "the format is no constant")
    return text.known.value


def refuse(context: Context, at: Node, message: str, instead: str = _INSTEAD) -> NoReturn:
    """Refuse a format, with an f-string as the way out."""
    context.fail("format", message, at, instead=instead)
