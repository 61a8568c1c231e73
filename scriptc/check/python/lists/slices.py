"""Slices of lists: copied, replaced, removed."""

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Stored, Write
from scriptc.check.context import Context, operand
from scriptc.check.indices import as_int, bound
from scriptc.check.present import present_index
from scriptc.check.python.lists.items import meet
from scriptc.check.python.lists.operators import as_any_length, characters, held_list, standard
from scriptc.check.python.lists.own_copies import own_copy
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import tuples
from scriptc_runtime.record import replace
from scriptc_runtime.types import ListType, TensorType, TupleType, is_tuple_of


def read(
    context: Context,
    node: n.Subscript,
    base: Typed,
    slice_: n.Expression,
    kind: ListType | None = None,
) -> Typed:
    """Check `xs[a:b:c]`, a new list; of a tuple as one of any length, which `kind` is."""
    assert isinstance(slice_, n.Slice)
    context.require_items(node, base)
    parts, bounds = _bounds(context, slice_)
    whole = as_any_length(operand(node.value, base), kind or base.type)
    found = standard(context, node, "sliced", whole, *bounds)
    if is_tuple_of(whole.type):
        found = context.apply(node, tuples.TUPLE_OF, found)
    found, key = own_copy(context, node, base, found)
    result = context.record(node, [node.value, *parts], found)
    return replace(result, open_list=key, borrowed=held_list(base))


def write(context: Context, node: n.Subscript, base: Typed, slice_: n.Slice, value: Typed) -> Write:
    """Check `xs[a:b:c] = value`."""
    value, stored = characters(context, node, value, Stored(value.type))
    if isinstance(value.type, ListType):
        meet(context, node, base, value)
    elif not isinstance(value.type, TensorType | TupleType):
        context.fail(
            "assignment",
            f"{value.type} has no items to put into a slice",
            node,
            instead="assign a list, a tuple or an array",
        )
    context.require_items(node, base)
    parts, bounds = _bounds(context, slice_)
    putting = standard(context, node, "set_slice", operand(node.value, base), stored, *bounds)
    return Write((node.value, *parts), None, (putting,), {})


def delete(context: Context, node: n.Subscript, base: Typed, index: n.Expression) -> Write:
    """Check `del xs[i]` and `del xs[a:b:c]`."""
    context.require_items(node, base)
    whole = operand(node.value, base)
    if isinstance(index, n.Slice):
        parts, bounds = _bounds(context, index)
        removing = standard(context, node, "delete_slice", whole, *bounds)
    else:
        value = present_index(context, base.type, index, context.typed(index))
        parts, place = [index], as_int(context, index, value)
        removing = standard(context, node, "delete_item", whole, place)
    return Write((node.value, *parts), None, (removing,), {})


def _bounds(
    context: Context, slice_: n.Slice
) -> tuple[list[n.Expression], tuple[Computation, ...]]:
    found = [bound(context, part) for part in (slice_.lower, slice_.upper, slice_.step)]
    return [part for parts, _ in found for part in parts], tuple(index for _, index in found)
