"""The methods `"...".format(values)` and `format_map`, of constant texts."""

import re
import string
from collections.abc import Callable, Mapping, Sequence

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Literal
from scriptc.check.context import operand
from scriptc.check.library.call import Library, LibraryCall
from scriptc.check.python import percent_formats
from scriptc.check.python import text as python_text
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import data
from scriptc_runtime.record import record
from scriptc_runtime.types import STR

# No keyword of a call is called so.
_TEXT, _VALUE = "the text", "a value"
_PLACE = re.compile(r"([^.\[]*)((?:\.\w+|\[[^\]]+\])*)")
_STEP = re.compile(r"\.(\w+)|\[([^\]]+)\]")


@record(frozen=False, eq=False)
class _Filled:
    """A format whose places are being filled: `find` gives what stands for a name of a place."""

    call: LibraryCall
    find: Callable[[str], Computation]
    taken: int = 0  # how many places without a number have been met

    def text(self, format_: str, depth: int = 2) -> Computation:
        """Return the text that a format becomes; formats of formats have no formats."""
        if not depth:
            percent_formats.refuse(
                self.call.context, self.call.node, "the format is nested too deeply"
            )
        parts: list[Computation] = []
        for before, place, spec, conversion in _fields(self.call, format_):
            parts.append(Literal(before, STR))
            if place is None:
                continue
            value = self.find(self._numbered(place))
            by = self.text(spec or "", depth - 1) if spec else Literal("", STR)
            context, at = self.call.context, self.call.node
            parts.append(python_text.format_by(context, at, value, by, conversion or ""))
        if all(isinstance(part, Literal) for part in parts):
            constants = (str(part.value) for part in parts if isinstance(part, Literal))
            return Literal("".join(constants), STR)
        return self.call.context.apply(self.call.node, data.CONCAT, *parts)

    def _numbered(self, place: str) -> str:
        """Return a place with its number, if it has neither a number nor a name."""
        if place and place[0] not in ".[":
            return place
        self.taken += 1
        return f"{self.taken - 1}{place}"


def _format(call: LibraryCall) -> Typed:
    """Check `"...".format(values)`."""
    text = percent_formats.constant(call.context, call.node, call.typed(_TEXT))
    call.drop(_TEXT)
    values = [name for name in call.values if name != _TEXT and not name.isidentifier()]

    def find(place: str) -> Computation:
        first, steps = _steps(call, place)
        by_place = first.isdecimal()
        known = int(first) < len(values) if by_place else first in call.values
        if not known:
            percent_formats.refuse(
                call.context, call.node, f"there is no value for the place {{{place}}}"
            )
        name = values[int(first)] if by_place else first
        return _part(call, name, steps) if steps else call.operand(name)

    return call.result(_Filled(call, find).text(text))


def _format_map(call: LibraryCall) -> Typed:
    """Check `"...".format_map(items)`, of a dict."""
    text = percent_formats.constant(call.context, call.node, call.typed(_TEXT))
    call.drop(_TEXT)
    whole = call.operand("mapping")

    def find(place: str) -> Computation:
        first, steps = _steps(call, place)
        if steps:
            percent_formats.refuse(
                call.context, call.node, f"the place {{{place}}} takes a part of an item"
            )
        return percent_formats.item_of(call.context, call.nodes["mapping"], whole, first)

    return call.result(_Filled(call, find).text(text))


def _steps(call: LibraryCall, place: str) -> tuple[str, Sequence[tuple[str, str]]]:
    """Return the name of a place, and the attributes and indices behind it."""
    found = _PLACE.fullmatch(place)
    if found is None:
        percent_formats.refuse(
            call.context, call.node, f"the place {{{place}}} is no name with attributes"
        )
    return found[1], [(step[1] or "", step[2] or "") for step in _STEP.finditer(found[2])]


def _part(call: LibraryCall, name: str, steps: Sequence[tuple[str, str]]) -> Computation:
    """Return `value.attribute[index]` of a variable, which is read once more for each place."""
    node = call.nodes[name]
    call.typed(name)
    if not isinstance(node, n.Name):
        percent_formats.refuse(
            call.context, node, "a part of what is computed here", "a name for it, before"
        )
    part: n.Expression = node
    for attribute, index in steps:
        if attribute:
            part = n.Attribute(node.lo, node.hi, part, attribute)
        else:
            key = int(index) if index.isdecimal() else index
            part = n.Subscript(node.lo, node.hi, part, n.Constant(node.lo, node.hi, key, None))
    typed = call.context.typed(part)
    call.parts.append(part)
    return operand(part, typed)


def _fields(
    call: LibraryCall, text: str
) -> Sequence[tuple[str, str | None, str | None, str | None]]:
    try:
        found = list(string.Formatter().parse(text))
    except ValueError as error:
        percent_formats.refuse(call.context, call.node, f"the format is wrong: {error}")
    places = (place for _, place, _, _ in found if place is not None)
    numbered = {place[:1].isdecimal() for place in places if _is_numbered(place)}
    if numbered == {True, False}:
        percent_formats.refuse(
            call.context, call.node, "some places of the format have numbers, and some none"
        )
    return found


def _is_numbered(place: str) -> bool:
    """Whether a value is found by its place among others, written down or counted."""
    return place[:1] in ("", ".", "[") or place[:1].isdecimal()


METHODS: Mapping[str, Library] = {
    "format": Library("str.format", (_TEXT, _VALUE), 1, _format, variadic=True, keywords=True),
    "format_map": Library("str.format_map", (_TEXT, "mapping"), 2, _format_map),
}
