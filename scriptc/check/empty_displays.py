"""Displays into which a function puts nothing: `[]`, `{}`, `set()` of whatever type.

    found = []
    for x in ():
        found.append(str(x))        nothing is ever put in
    return ", ".join(found)         list[str] fits

Where all else is known, such a display gets a type that fits, or else the first one with which the
program compiles. Where none does, loops over such displays end before their first round.
Those in fields of scripted classes get none: what Python puts in later is not known.
"""

from collections.abc import Callable, Iterator

from scriptc.check.bindings import ListKey, Typed
from scriptc.check.context import Context
from scriptc.check.open_types import is_open, key_of
from scriptc.syntax import nodes as n
from scriptc_runtime.errors import TypeCheckError
from scriptc_runtime.types import INT, STR, DictType, Type


def closed(
    find: Callable[["Closing"], Type | None],
    forget: Callable[[], None],
    refused_anyway: list[TypeCheckError],
) -> Type | None:
    """Return the result of a function with the first types that fit such displays of it.

    `refused_anyway` gets a refusal that is the same whatever these are said to hold.
    """
    refusals: list[TypeCheckError] = []
    for otherwise, at_once in ((INT, True), (STR, True), (INT, False), (STR, False)):
        closing = Closing(otherwise, at_once=at_once)
        try:
            return find(closing)
        except TypeCheckError as refusal:
            if not closing.has_begun:
                raise
            refusals.append(refusal)
            forget()
        if otherwise is STR and not closing.has_closed_several:
            break  # one after the other would be the same
    closing = Closing(INT, at_once=True, ends_loops=True)
    try:
        return find(closing)
    except TypeCheckError:
        forget()
    in_turn = refusals[2:]  # where all at once were refused, what they hold was told by then
    refusal = (in_turn or refusals)[0]
    if len({(r.diagnostics[0].code, r.diagnostics[0].span) for r in refusals}) == 1:
        refused_anyway.append(refusal)
    raise refusal


class Closing:
    """What gives such displays of a function a type: `otherwise` where nothing says what fits.

    All at once, for the next pass. Where that is refused, what one holds may depend on another one,
    `for x in xs: ys.append(str(x))`: then one after the other, in the order of the program.
    """

    def __init__(self, otherwise: Type, *, at_once: bool, ends_loops: bool = False) -> None:
        self._otherwise = otherwise
        self._ends_loops = ends_loops
        self._at_once = at_once
        self.has_begun = False
        self.has_closed_several = False

    def goes_on(self, context: Context) -> bool:
        """Give displays a type, for the next pass; return whether there are any."""
        # In the order of the program: the same code each time.
        closed = dict.fromkeys(context.empty_lists)
        if context.problems or not closed:
            return False
        keys = closed if self._at_once else [min(closed, key=lambda known: known[0].lo)]
        untold = [key for key in keys if self._close(context, key)]
        self.has_begun |= bool(untold)
        self.has_closed_several |= len(untold) > 1
        return bool(untold)  # else no type fits

    def _close(self, context: Context, key: ListKey) -> bool:
        """Give one a type; return whether it had none."""
        is_dict = isinstance(key[0], n.Dict | n.Call)
        parts = _parts(context, key, is_dict=is_dict)
        untold = [part for part in parts if _is_untold(context, part)]
        if self._ends_loops and key not in context.learned.items:
            context.learned.unfilled.add(key)
        for part in untold:
            fits = context.fitting.get(part)
            type_ = self._otherwise if fits is None or is_open(fits) else fits
            context.learned.items[part] = Typed(type_, context.span(key[0]))
        return bool(untold)


def _parts(context: Context, key: ListKey, *, is_dict: bool) -> Iterator[ListKey]:
    """Yield where it is kept what a display holds: `defaultdict(list)` holds lists, in any case."""
    if is_dict:
        yield key_of(key)
    known = context.learned.items.get(key)
    made = known.open_list if known else None
    if known is None or made is None or made[0] is not key[0] or made == key:
        yield key
    else:
        yield from _parts(context, made, is_dict=isinstance(known.type, DictType))


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
