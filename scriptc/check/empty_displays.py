"""Displays into which a function puts nothing: `[]`, `{}`, `set()` of whatever type.

    found = []
    for x in ():
        found.append(str(x))        nothing is ever put in
    return ", ".join(found)         list[str] fits

Where all else is known, such a display gets a type that fits, or else the first one with which the
program compiles.
Those in fields of scripted classes get none: what Python puts in later is not known.
"""

from scriptc.check.bindings import ListKey, Typed
from scriptc.check.context import Context
from scriptc.check.open_types import is_open, key_of
from scriptc.syntax import nodes as n
from scriptc_runtime.types import Type


class Closing:
    """What gives such displays of a function a type: `otherwise` where nothing says what fits."""

    def __init__(self, otherwise: Type) -> None:
        self._otherwise = otherwise
        self.has_begun = False

    def goes_on(self, context: Context) -> bool:
        """Give the first display a type, for the next pass; return whether there is any."""
        closed = [key for key in context.empty_lists if key not in context.of_fields]
        if context.problems or not closed:
            return False
        key = min(closed, key=lambda known: known[0].lo)
        parts = (key, key_of(key)) if isinstance(key[0], n.Dict | n.Call) else (key,)
        untold = [part for part in parts if _is_untold(context, part)]
        for part in untold:
            fits = context.fitting.get(part)
            type_ = self._otherwise if fits is None or is_open(fits) else fits
            context.learned.items[part] = Typed(type_, context.span(key[0]))
        self.has_begun |= bool(untold)
        return bool(untold)  # else no type fits


def _is_untold(context: Context, part: ListKey) -> bool:
    known = context.learned.items.get(part)
    return known is None or is_open(known.type)


def refuse_empty(context: Context) -> None:
    """Refuse the first of them, if there is any."""
    for node, _ in context.empty_lists:
        match node:
            case n.Set():
                what, has = "set", "a set has items of one type"
                told = "what this function puts in"
                way = "the variable, s: set[int] = set(), or the field in its class"
            case n.Dict():
                what, has = "dict", "a dict has one type of keys and one of values"
                told = "what this function puts in"
                way = "the variable, d: dict[str, int] = {}, or the field in its class"
            case _:
                what, has = "list", "a list has one item type"
                told = (
                    "what this function puts in by its name, an index or a plain loop: here "
                    "nothing is"
                )
                way = "the variable, xs: list[float] = [], or the field in its class"
        context.fail(
            "empty-list",
            f"nothing says what this {what} holds",
            node,
            why=f"{has}, told by {told}",
            instead=f"annotate {way}",
        )
