"""Loops over `np.ndindex` and `np.ndenumerate`: they are checked, and lowered, as nested loops."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from scriptc.check.bindings import Fixed, Static, Typed
from scriptc.check.context import Context
from scriptc.check.operators import INDEX_TYPES
from scriptc.syntax import nodes as n
from scriptc.syntax.expand import nested
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.record import replace
from scriptc_runtime.types import TensorType, TupleType


class _Calls(NamedTuple):
    range: str
    error: str


def check_index_loop(context: Context, node: n.For, call: n.Call, callee: Static) -> None:
    """Check a loop over a call of one of the two."""
    is_one = len(call.args) == 1 and not isinstance(call.args[0], n.Starred)
    whole = call.args[0] if is_one else call
    if callee.value is np.ndindex and not is_one:
        whole = n.Tuple(call.lo, call.hi, call.args)
    if call.keywords or whole is call:
        context.fail("call-arity", "this loop takes sizes, or one array, by position", call)
    _as_loops(context, node, whole, callee)


def _as_loops(context: Context, node: n.For, whole: n.Expression, callee: Static) -> None:
    place = f"@{whole.lo}:{whole.hi}"
    held = n.Name(whole.lo, whole.hi, f"over{place}")
    first = n.Assign(whole.lo, whole.hi, (held,), whole)
    # What the loops call, by names that no program has.
    calls = _Calls(f"range{place}", f"ValueError{place}")
    context.locals |= {held.id, *calls}
    context.assign(held, context.typed(whole))
    assert context.env is not None
    over = context.env[held.id]
    assert isinstance(over, Typed)
    is_shape = callee.value is np.ndindex
    rank = _rank_of_sizes(context, node, over) if is_shape else _rank_of_array(context, node, over)
    expansion = context.learned.index_loops.get((node, rank))
    if expansion is None:
        make = _indices if is_shape else _elements
        loops = make(node, held, over, calls)
        names = loops.names | {held.id, *calls}
        expansion = replace(loops, body=(first, *loops.body), names=names)
        context.learned.index_loops[node, rank] = expansion
    context.locals |= expansion.names
    span = context.span(node.iter)
    context.env[calls.range] = Fixed(Static(range, span))
    context.env[calls.error] = Fixed(Static(ValueError, span))
    context.block(expansion.body[1:])
    left = context.reached() or {}
    for name in expansion.names:
        left.pop(name, None)
    # What it runs over is another node in each iteration of checking, the loops are not.
    context.facts.expanded[node] = replace(expansion, body=(first, *expansion.body[1:]))


def _rank_of_sizes(context: Context, node: n.For, over: Typed) -> int:
    items = over.type.items if isinstance(over.type, TupleType) else (over.type,)
    if any(item not in INDEX_TYPES for item in items):
        context.fail(
            "argument",
            f"np.ndindex() takes sizes, ints or a tuple of ints, not {over.type}",
            node.iter,
            instead="np.ndindex(x.shape), or np.ndindex(n, m)",
        )
    return len(items)


def _rank_of_array(context: Context, node: n.For, over: Typed) -> int:
    if not isinstance(over.type, TensorType):
        context.fail(
            "argument",
            f"np.ndenumerate() takes an array, not {over.type}",
            node.iter,
            instead="enumerate(...) for a list",
        )
    return over.type.rank


def _indices(node: n.For, held: n.Name, over: Typed, calls: _Calls) -> Expansion:
    """Return the loops over all indices below the sizes that `held` has."""
    sizes: Sequence[n.Expression] = [held]
    if isinstance(over.type, TupleType):
        sizes = [_item(held, k) for k in range(len(over.type.items))]
    found = nested(node, sizes, lambda whole: whole, calls.range)
    refusals = [_refusal(size, calls.error) for size in sizes]
    return replace(found, body=(*refusals, *found.body))


def _elements(node: n.For, held: n.Name, over: Typed, calls: _Calls) -> Expansion:
    """Return the loops over all elements of the array that `held` is, and their indices."""
    assert isinstance(over.type, TensorType)
    shape = n.Attribute(held.lo, held.hi, held, "shape")
    sizes = [_item(shape, k) for k in range(over.type.rank)]

    def item(whole: n.Tuple) -> n.Expression:
        element = n.Subscript(held.lo, held.hi, held, whole)
        return n.Tuple(held.lo, held.hi, (whole, element))

    return nested(node, sizes, item, calls.range)


def _item(whole: n.Expression, index: int) -> n.Expression:
    number = n.Constant(whole.lo, whole.hi, index, None)
    return n.Subscript(whole.lo, whole.hi, whole, number)


def _refusal(size: n.Expression, error_name: str) -> n.Statement:
    lo, hi = size.lo, size.hi
    test = n.Compare(lo, hi, size, ("<",), (n.Constant(lo, hi, 0, None),))
    message = n.Constant(lo, hi, "negative dimensions are not allowed", None)
    error = n.Call(lo, hi, n.Name(lo, hi, error_name), (message,), ())
    return n.If(lo, hi, test, (n.Raise(lo, hi, error, None),), ())
