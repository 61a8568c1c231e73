"""Loops over containers: they are checked, and lowered, as loops over the places of items.

    for k in d: body      over@ = d; count@ = dict_len@(over@); place@ = -1; going@ = True
                          while going@:
                              place@ = next_place@(over@, place@, count@); going@ = place@ >= 0
                              if going@: k = key_at@(over@, place@); body

Each step sees whether the container has still as many items, as CPython does.
"""

from collections.abc import Mapping
from typing import NamedTuple

from scriptc.check.bindings import Fixed, Static, Typed
from scriptc.check.container_makers import is_maker
from scriptc.check.context import Context
from scriptc.check.early_calls import is_early_call
from scriptc.check.library.standard import standard_function
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.types import Container, DequeType, DictType, SetType

# What a loop over the result of a method meets.
_VIEWS = {"keys": "key_at", "values": "value_at", "items": "item_at"}


class _Source(NamedTuple):
    whole: n.Expression
    value: Typed
    reads: str


def is_dict_loop(context: Context, node: n.Expression) -> bool:
    """Whether a loop over `node` is one over a container, or the values or items of a dict."""
    return _source(context, node) is not None


def is_view(context: Context, node: n.Expression) -> bool:
    """Whether `node` is the keys, values or items of a dict, which are no value."""
    if not (isinstance(node, n.Call) and isinstance(node.func, n.Attribute)):
        return False
    if is_early_call(context, node):
        return False
    source = _source(context, node)
    return source is not None and source.whole is not node


def _source(context: Context, node: n.Expression) -> _Source | None:
    if isinstance(node, n.Call) and is_early_call(context, node):
        return _held(context, node)
    if isinstance(node, n.Call) and isinstance(node.func, n.Attribute):
        found = context.callee(node)
        if isinstance(found, Static) and is_maker(found.value):
            return _held(context, node)
        if not (isinstance(found, Static) and found.receiver):
            return None
        value, whole = found.receiver[1], node.func.value
        if isinstance(value.type, DictType) and node.func.attr in _VIEWS:
            given = node.args or node.keywords
            return None if given else _Source(whole, value, _VIEWS[node.func.attr])
        if not isinstance(value.type, Container):
            return None
    elif isinstance(node, n.Call):
        callee = context.callee(node)
        if not (isinstance(callee, Static) and is_maker(callee.value)):
            return None
    return _held(context, node)


def _held(context: Context, node: n.Expression) -> _Source | None:
    found = context.expression(node)
    if not isinstance(found, Typed) or not isinstance(found.type, Container):
        return None
    return _Source(node, found, "key_at")


def _functions_of(source: _Source) -> tuple[str, Mapping[str, str]]:
    """Return a file of `stdlib`, and the functions there, by what a loop does with them."""
    if isinstance(source.value.type, DequeType):
        return "deques", {"size": "loop_mark", "next": "next_place", "read": "item_at"}
    if isinstance(source.value.type, SetType):
        return "hash_sets", {"size": "set_len", "next": "next_place", "read": "item_at"}
    return "dicts", {"size": "dict_len", "next": "next_place", "read": source.reads}


def check_dict_loop(context: Context, node: n.For) -> None:
    """Check a loop over a container, or over the keys, values or items of a dict."""
    source = _source(context, node.iter)
    assert source is not None
    context.require_items(node.iter, source.value)
    place = f"@{node.iter.lo}:{node.iter.hi}"
    lo, hi = node.iter.lo, node.iter.hi
    over, count, at, going = (
        n.Name(lo, hi, name + place) for name in ("over", "count", "place", "going")
    )
    file, functions = _functions_of(source)
    names = {use: name + place for use, name in functions.items()}
    first = n.Assign(lo, hi, (over,), source.whole)
    expansion = context.learned.index_loops.get((node, 0))
    if expansion is None:

        def call(use: str, *arguments: n.Expression) -> n.Call:
            return n.Call(lo, hi, n.Name(lo, hi, names[use]), arguments, ())

        item = n.Assign(node.target.lo, node.target.hi, (node.target,), call("read", over, at))
        zero = n.Constant(lo, hi, 0, None)
        body = (
            n.Assign(lo, hi, (at,), call("next", over, at, count)),
            n.Assign(lo, hi, (going,), n.Compare(lo, hi, at, (">=",), (zero,))),
            n.If(lo, hi, going, (item, *node.body), ()),
        )
        start = n.UnaryOp(lo, hi, "-", n.Constant(lo, hi, 1, None))
        loops = (
            n.Assign(lo, hi, (count,), call("size", over)),
            n.Assign(lo, hi, (at,), start),
            n.Assign(lo, hi, (going,), n.Constant(lo, hi, True, None)),
            n.While(node.lo, node.hi, going, body, node.orelse),
        )
        own = frozenset((over.id, count.id, at.id, going.id, *names.values()))
        expansion = context.learned.index_loops[node, 0] = Expansion((first, *loops), over, own)
    context.locals |= expansion.names
    assert context.env is not None
    context.assign(over, context.typed(source.whole))
    span = context.span(node.iter)
    for use, name in functions.items():
        context.env[names[use]] = Fixed(Static(standard_function(file, name), span))
    context.block(expansion.body[1:])
    left = context.reached() or {}
    for name in expansion.names:
        left.pop(name, None)
    context.facts.expanded[node] = Expansion((first, *expansion.body[1:]), over, expansion.names)
