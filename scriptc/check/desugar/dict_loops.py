"""Loops over dicts: they are checked, and lowered, as loops over the places of entries.

    for k in d: body      over@ = d; count@ = len(over@); place@ = -1
                          while more@(over@, place@, count@):
                              place@ = following@(over@, place@); k = key_at@(over@, place@); body

Each step sees whether the dict has still as many items, as CPython does.
"""

from typing import NamedTuple

from scriptc.check.bindings import Fixed, Static, Typed
from scriptc.check.context import Context
from scriptc.check.library.standard import standard_function
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.types import DictType

# What a loop over the result of a method meets.
_VIEWS = {"keys": "key_at", "values": "value_at", "items": "item_at"}


class _Source(NamedTuple):
    whole: n.Expression
    value: Typed
    reads: str


def is_dict_loop(context: Context, node: n.Expression) -> bool:
    """Whether a loop over `node` is one over a dict."""
    return _source(context, node) is not None


def _source(context: Context, node: n.Expression) -> _Source | None:
    if isinstance(node, n.Call) and isinstance(node.func, n.Attribute):
        if node.func.attr not in _VIEWS or node.args or node.keywords:
            return None
        found = context.expression(node.func)
        if not (isinstance(found, Static) and found.receiver):
            return None
        value, whole = found.receiver[1], node.func.value
        reads = _VIEWS[node.func.attr]
    elif isinstance(node, n.Call):
        return None
    else:
        found = context.expression(node)
        if not isinstance(found, Typed):
            return None
        value, whole, reads = found, node, "key_at"
    return _Source(whole, value, reads) if isinstance(value.type, DictType) else None


def check_dict_loop(context: Context, node: n.For) -> None:
    """Check a loop over a dict, or over its keys, values or items."""
    source = _source(context, node.iter)
    assert source is not None
    context.require_items(node.iter, source.value)
    place = f"@{node.iter.lo}:{node.iter.hi}"
    lo, hi = node.iter.lo, node.iter.hi
    over, count, at = (n.Name(lo, hi, name + place) for name in ("over", "count", "place"))
    functions = {name: name + place for name in ("dict_len", "more", "following", source.reads)}
    first = n.Assign(lo, hi, (over,), source.whole)
    expansion = context.learned.index_loops.get((node, 0))
    if expansion is None:

        def call(name: str, *arguments: n.Expression) -> n.Call:
            return n.Call(lo, hi, n.Name(lo, hi, functions[name]), arguments, ())

        body = (
            n.Assign(lo, hi, (at,), call("following", over, at)),
            n.Assign(node.target.lo, node.target.hi, (node.target,), call(source.reads, over, at)),
            *node.body,
        )
        start = n.UnaryOp(lo, hi, "-", n.Constant(lo, hi, 1, None))
        loops = (
            n.Assign(lo, hi, (count,), call("dict_len", over)),
            n.Assign(lo, hi, (at,), start),
            n.While(node.lo, node.hi, call("more", over, at, count), body, node.orelse),
        )
        names = frozenset((over.id, count.id, at.id, *functions.values()))
        expansion = context.learned.index_loops[node, 0] = Expansion((first, *loops), over, names)
    context.locals |= expansion.names
    assert context.env is not None
    context.assign(over, context.typed(source.whole))
    span = context.span(node.iter)
    for name, called in functions.items():
        context.env[called] = Fixed(Static(standard_function("dicts", name), span))
    context.block(expansion.body[1:])
    left = context.reached() or {}
    for name in expansion.names:
        left.pop(name, None)
    context.facts.expanded[node] = Expansion((first, *expansion.body[1:]), over, expansion.names)
