"""Deques as they are made; what is put into an empty one says what it holds, as for lists."""

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Literal
from scriptc.check.context import Context, operand
from scriptc.check.conversion import converted
from scriptc.check.declared_displays import as_declared, declared_type
from scriptc.check.library.standard import standard_function
from scriptc.check.open_types import UNTOLD, is_open
from scriptc.check.operators import INDEX_TYPES
from scriptc.check.python.lists.items import known_item
from scriptc.check.size_names import without_sizes
from scriptc.check.wider_types import part_of
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import containers, data
from scriptc_runtime.record import replace
from scriptc_runtime.types import INT, NONE, DequeType, Type

_OPEN = DequeType(UNTOLD)


def standard(context: Context, at: n.Node, name: str, *operands: Computation) -> Computation:
    """Return a call of a function of `stdlib/deques.py`."""
    return context.call(at, standard_function("deques", name), operands)


def empty(context: Context, at: n.Node, type_: DequeType) -> Computation:
    """Return a new deque without items."""
    items = context.apply(at, data.LIST, item=type_.item)
    counts = (Literal(0, INT), Literal(-1, INT), Literal(0, INT))
    return context.apply(at, containers.CONTAINER, items, *counts, type=type_)


def check_empty(
    context: Context, node: n.Call, limit: n.Expression | None, expected: Type | None
) -> Typed:
    """Check a call that makes a deque without items."""
    at = (node, context.path)
    whole = declared_type(context, at, expected) if isinstance(expected, DequeType) else None
    declared = part_of(whole, "item") if whole else None
    most = context.typed(limit) if limit else None
    known = known_item(context, at)
    item = declared or (known.type if known else None)
    if item is None or is_open(item):
        context.empty_lists.append(at)
        type_ = _OPEN if item is None else DequeType(item)
        context.facts.types[node] = type_
        return Typed(type_, context.span(node), open_list=at)
    made = empty(context, node, DequeType(without_sizes(item)))
    parts: list[n.Expression] = []
    if limit is not None and most is not None and most.type is not NONE:
        made = standard(context, node, "limited", made, _whole(context, limit, most))
        parts.append(limit)
    found = context.record(node, parts, made)
    return as_declared(context, at, found) if declared else replace(found, open_list=at)


def _whole(context: Context, node: n.Expression, value: Typed) -> Computation:
    if value.type not in INDEX_TYPES:
        context.fail(
            "argument",
            f"maxlen is {value.type}",
            node,
            why="Python raises TypeError: an integer is required",
            instead="an int, or nothing",
        )
    return converted(operand(node, value), INT)
