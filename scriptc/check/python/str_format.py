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

# No keyword of a call is called so.
_TEXT, _VALUE = "the text", "a value"


def _format(call: LibraryCall) -> Typed:
    """Check `"...".format(values)`."""
    text = constant(call.context, call.node, call.typed(_TEXT))
    call.drop(_TEXT)
    values = [name for name in call.values if name != _TEXT and not name.isidentifier()]
    parts: list[Computation] = []
    taken = 0
    for before, place, spec, conversion in _fields(call, text):
        parts.append(Literal(before, STR))
        if place is None:
            continue
        number = int(place) if place.isdecimal() else taken
        taken += not place
        by_place = not place or place.isdecimal()
        known = number < len(values) if by_place else place in call.values
        if not known or "{" in (spec or ""):
            refuse(call.context, call.node, f"there is no value for the place {{{place}}}")
        name = values[number] if by_place else place
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
    "format": Library("str.format", (_TEXT, _VALUE), 1, _format, variadic=True, keywords=True)
}
