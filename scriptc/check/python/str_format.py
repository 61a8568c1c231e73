"""The method `"...".format(values)`, of constant texts."""

import string
from collections.abc import Mapping, Sequence

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Literal
from scriptc.check.library.call import Library, LibraryCall
from scriptc.check.python.percent_formats import constant, refuse
from scriptc.check.python.text import format_value
from scriptc_runtime.ops import data
from scriptc_runtime.types import STR


def _format(call: LibraryCall) -> Typed:
    """Check `"...".format(values)`."""
    text = constant(call.context, call.node, call.typed("text"))
    call.drop("text")
    values = [name for name in call.values if name != "text"]
    parts: list[Computation] = []
    taken = 0
    for before, place, spec, conversion in _fields(call, text):
        parts.append(Literal(before, STR))
        if place is None:
            continue
        number = int(place) if place.isdecimal() else taken
        taken += not place
        is_plain = (not place or place.isdecimal()) and "{" not in (spec or "")
        if not is_plain or number >= len(values):
            refuse(call.context, call.node, f"there is no value for the place {{{place}}}")
        name = values[number]
        value, at = call.operand(name), call.nodes[name]
        parts.append(format_value(call.context, at, value, spec or "", conversion or ""))
    return call.apply(data.CONCAT, *parts)


def _fields(
    call: LibraryCall, text: str
) -> Sequence[tuple[str, str | None, str | None, str | None]]:
    try:
        found = list(string.Formatter().parse(text))
    except ValueError as error:
        refuse(call.context, call.node, f"the format is wrong: {error}")
    if {place == "" for _, place, _, _ in found if place is not None} == {True, False}:
        refuse(call.context, call.node, "some places of the format have numbers, and some none")
    return found


METHODS: Mapping[str, Library] = {
    "format": Library("str.format", ("text", "value"), 1, _format, variadic=True)
}
