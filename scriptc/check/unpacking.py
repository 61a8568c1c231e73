"""Targets that take a value apart, `a, b = x`: the items of a tuple, a list or an array.

CPython iterates over the whole value before it binds anything, so all items are computed first.
How many there are is compared when the program is compiled, where types say it: tuples have a
length, and an array may have a known first size.  Elsewhere the program compares, and raises what
CPython raises.
"""

from scriptc.check.bindings import Typed, items_at
from scriptc.check.checked import After, Computation, Literal, Stored
from scriptc.check.context import Context
from scriptc.check.library import LibraryCall
from scriptc.syntax import nodes as n
from scriptc_runtime.errors import Note
from scriptc_runtime.ops import arrays, data
from scriptc_runtime.types import INT, NONE, ListType, TensorType, TupleType


def unpack(context: Context, target: n.Tuple, value: Typed) -> None:
    """Check that `target` can take the items of `value`, and bind them."""
    match value.type:
        case TupleType(items):
            _require_count(context, target, value, len(items))
            context.facts.unpacked.pop(target, None)
            for index, (elt, item) in enumerate(zip(target.elts, items, strict=True)):
                context.assign(elt, Typed(item, value.span, items_at(value.literals, index)))
        case ListType() | TensorType(dims=(_, *_)):
            _unpack_items(context, target, value)
        case other:
            context.fail(
                "unpack",
                f"{other} cannot be unpacked",
                target,
                why="it has no items",
                instead="unpack a tuple, a list or an array with axes",
                notes=(Note(f"{other} comes from here", value.span),),
            )


def _require_count(context: Context, target: n.Tuple, value: Typed, count: int) -> None:
    if count == len(target.elts):
        return
    context.fail(
        "unpack",
        f"{count} values for {len(target.elts)} targets",
        target,
        instead="write one target for each value",
        notes=(Note("the values come from here", value.span),),
    )


def _unpack_items(context: Context, target: n.Tuple, value: Typed) -> None:
    context.require_items(target, value)
    call = LibraryCall(context, n.Call(target.lo, target.hi, target, (), ()), "unpacking")
    whole: Computation = Stored(value.type)
    if isinstance(value.type, ListType):
        size: Computation = context.apply(target, data.LIST_LEN, whole)
    else:
        assert isinstance(value.type, TensorType)
        first = value.type.dims[0]
        if first.is_constant:
            _require_count(context, target, value, first.constant)
        size = context.apply(target, arrays.DIM, whole, axis=0)
    wanted = Literal(len(target.elts), INT)
    check = call.standard("shapes", "require_items", size, wanted)
    known = isinstance(value.type, TensorType) and value.type.dims[0].is_constant
    checked = whole if known else After((check,), whole, value.type)
    found = [_item(context, target, checked, index) for index in range(len(target.elts))]
    context.facts.unpacked[target] = tuple(found)
    for elt, item in zip(target.elts, found, strict=True):
        borrowed = value.borrowed if isinstance(item.type, ListType) else None
        context.assign(elt, Typed(item.type, value.span, borrowed=borrowed))


def _item(context: Context, at: n.Node, whole: Computation, index: int) -> Computation:
    number = Literal(index, INT)
    if isinstance(whole.type, ListType):
        return context.apply(at, data.LIST_GET, whole, number)
    assert isinstance(whole.type, TensorType)
    if whole.type.rank == 1:
        return context.apply(at, arrays.INDEX, whole, number)
    rest = (Literal(None, NONE),) * 3 * (whole.type.rank - 1)
    letters = "i" + "s" * (whole.type.rank - 1)
    return context.apply(at, arrays.VIEW, whole, number, *rest, axes=letters)
