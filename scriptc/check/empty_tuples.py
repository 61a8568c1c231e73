"""Lists for which `()` may stand where there is none: `for x in xs or ()`."""

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Convert, Select
from scriptc.check.context import Context
from scriptc.syntax.nodes import Node
from scriptc_runtime.ops import data, unions
from scriptc_runtime.record import replace
from scriptc_runtime.types import ListType, TupleType, UnionType


def without_empty(
    context: Context, at: Node, value: Typed, whole: Computation
) -> tuple[Typed, Computation]:
    """Return what a loop runs over: an empty list in place of an empty tuple beside a list."""
    members = value.type.members if isinstance(value.type, UnionType) else ()
    held = [member for member in members if member != TupleType(())]
    type_ = held[0] if len(held) == 1 else None
    if not isinstance(type_, ListType) or type_.frozen:
        return value, whole
    is_list = context.apply(at, unions.HOLDS, whole, type=type_)
    none = context.apply(at, data.LIST, item=type_.item)
    listed = Select(is_list, Convert(whole, type_), none, type_)
    return replace(value, type=type_, known=None, length=None), listed
