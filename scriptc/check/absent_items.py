"""Lists of None that are passed on: what a function puts in says what else they hold.

    def fill(cells):
        cells[0] = "x"

    cells = [None] * 3      list[str | None]
    fill(cells)

Such a function is checked with a list that says nothing first, only to learn what it puts in.
"""

from collections.abc import Sequence
from types import FunctionType

from scriptc.check.bindings import ListKey, Typed
from scriptc.check.checked import Computation, Constants
from scriptc.check.context import Context, operand
from scriptc.check.open_types import UNTOLD
from scriptc.check.told_items import tell_item
from scriptc.check.wider_types import wider_type
from scriptc.syntax import nodes as n
from scriptc_runtime.record import record
from scriptc_runtime.types import NONE, ListType, Type


@record
class Absent:
    """A list of None that a parameter is given, and where."""

    parameter: str
    node: n.Expression
    value: Typed

    @property
    def opened(self) -> Computation:
        """The list as one that says nothing."""
        return operand(self.node, Typed(_opened(self.value.type), self.value.span))


# The arguments by parameter, the class that is made, and what `Context.told_by` takes after these.
_Call = tuple[
    dict[str, Computation],
    type | None,
    tuple[str, ...] | None,
    tuple[tuple[str, object], ...],
    Constants,
]


def may_hold_more(value: Typed) -> bool:
    """Whether a value is a list of None, or of such lists, of which more may be told."""
    known = value.open_list is not None or value.held_by is not None
    return known and _opened(value.type) != value.type


def _opened(type_: Type) -> Type:
    match type_:
        case ListType(item, False):
            return ListType(UNTOLD if item is NONE else _opened(item))
        case _:
            return type_


def learn_put_in(
    context: Context,
    node: n.Node,
    function: FunctionType,
    call: _Call,
    absent: Sequence[Absent],
) -> bool:
    """Learn what a function puts into lists of None; return whether something is new."""
    arguments, owner, names, fixed, constants = call
    opened = arguments | {item.parameter: item.opened for item in absent}
    given = tuple(opened.values())
    uses = context.told_by(node, function, given, owner, names, fixed, constants)
    told = {name: item for name, item, _ in uses.told}
    is_new = False
    for item in absent:
        found = told.get(item.parameter)
        if found is None:
            continue
        if item.value.open_list is None:
            tell_item(context, node, item.value, found)
        else:
            is_new = _learn(context, item.value.open_list, found) or is_new
    return is_new


def _learn(context: Context, key: ListKey, item: Typed) -> bool:
    known = context.learned.items.get(key)
    if known is None:
        return False
    if known.open_list is not None and isinstance(item.type, ListType):
        return _learn(context, known.open_list, Typed(item.type.item, item.span))
    type_ = wider_type(known.type, item.type, (), (), may_unite=False)
    if type_ is None or type_ == known.type:
        return False
    context.learned.items[key] = Typed(type_, item.span)
    return True
