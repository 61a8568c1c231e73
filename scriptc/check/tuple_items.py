"""Items and slices of tuples whose length is known: each place has its own type."""

from scriptc.check.bindings import Known, Typed, any_length, merge_types
from scriptc.check.checked import Convert
from scriptc.check.context import Context, operand
from scriptc.check.desugar.slice_variables import spelled
from scriptc.check.indices import as_int
from scriptc.check.numpy import advanced_indexing
from scriptc.check.open_parameters import open_item
from scriptc.check.open_types import is_open
from scriptc.check.operators import INDEX_TYPES
from scriptc.check.python.lists import slices as list_slices
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import data
from scriptc_runtime.record import replace
from scriptc_runtime.types import (
    BOOL,
    DType,
    PyType,
    TensorType,
    TupleType,
    Type,
    holds_list,
)


def tuple_item(context: Context, node: n.Subscript, base: Typed, type_: TupleType) -> Typed:
    """Check an item or a slice of a tuple; where it is computed, of one of any length."""
    slice_ = spelled(context, node.slice)
    if isinstance(slice_, n.Slice) and not _is_computed(context, slice_):
        return _tuple_slice(context, node, slice_, base, type_)
    if isinstance(slice_, n.Slice) and (kind := any_length(type_)):
        return list_slices.read(context, node, base, slice_, kind)
    if _is_chosen(context, node.slice, type_):
        index = as_int(context, node.slice, context.typed(node.slice))
        whole = operand(node.value, base)
        chosen = advanced_indexing.place_of(context, node).standard(
            "list_methods", "item_of", whole, index
        )
        return context.record(node, [node.value, node.slice], chosen)
    index = context.typed(node.slice)
    is_computed = index.known is None and index.type in (*INDEX_TYPES, BOOL)
    kind = any_length(type_) if is_computed else None
    if kind and not holds_list(kind.item):
        whole = Convert(operand(node.value, base), kind)
        place = as_int(context, node.slice, index)
        found = context.apply(node, data.LIST_GET, whole, place)
        return context.record(node, [node.value, node.slice], found)
    parts, known = _constant_index(context, node.slice)
    length = len(type_.items)
    if not -length <= known < length:
        base_name = node.value.id if isinstance(node.value, n.Name) else ""
        tested = f", or test len({base_name}) around it" if base_name else ""
        context.fail(
            "tuple-index",
            f"index {known} is out of range for a tuple of {length} items",
            node.slice,
            why="Python raises IndexError: tuple index out of range",
            instead=f"use 0 to {length - 1}{tested}" if length else f"no index{tested}",
        )
    whole = operand(node.value, base)
    item = context.apply(node, data.ITEM, whole, index=known % length)
    found = context.record(node, [node.value, *parts], item)
    constants = base.known.value if base.known else None
    if base.known and isinstance(constants, tuple) and type(constants[known]) is int:
        return replace(found, known=Known(constants[known], base.known.is_computed))
    return open_item(context, node, found) if is_open(found.type) else found


def _is_chosen(context: Context, index: n.Expression, type_: TupleType) -> bool:
    """Whether the place in a tuple is known when the program runs, and all items are of one type.

    These are numbers, tuples of them, or arrays: who may write to a list among many would not be
    known.
    """
    given = context.typed(index)
    if given.known or given.type not in INDEX_TYPES or not type_.items:
        return False
    first, *rest = type_.items
    if isinstance(first, TensorType):
        return all(merge_types(first, item) is not None for item in rest)
    return _holds_values(first) and all(item == first for item in rest)


def _holds_values(type_: Type) -> bool:
    """Whether a type is that of numbers and texts, or of tuples of them."""
    if isinstance(type_, TupleType):
        return all(map(_holds_values, type_.items))
    return isinstance(type_, DType | PyType)


def _is_computed(context: Context, slice_: n.Slice) -> bool:
    """Whether a bound of a slice is known when the program runs alone."""
    parts = (slice_.lower, slice_.upper, slice_.step)
    return any(part is not None and context.typed(part).known is None for part in parts)


def _tuple_slice(
    context: Context, node: n.Subscript, slice_: n.Slice, base: Typed, type_: TupleType
) -> Typed:
    parts: list[n.Expression] = []
    bounds: list[int | None] = []
    for part in (slice_.lower, slice_.upper, slice_.step):
        if part is None:
            bounds.append(None)
            continue
        evaluated, known = _constant_index(context, part)
        parts += evaluated
        bounds.append(known)
    if bounds[2] == 0:
        context.fail("tuple-index", "the step of a slice cannot be 0", slice_, instead="use 1")
    chosen = range(len(type_.items))[slice(*bounds)]
    whole = operand(node.value, base)
    items = [context.apply(node, data.ITEM, whole, index=i) for i in chosen]
    found = context.record(node, [node.value, *parts], context.apply(node, data.TUPLE, *items))
    constants = base.known.value if base.known else None
    if not (base.known and isinstance(constants, tuple) and chosen):
        return found
    taken = tuple(constants[i] for i in chosen)
    return replace(found, known=Known(taken, base.known.is_computed))


def _constant_index(context: Context, node: n.Expression) -> tuple[list[n.Expression], int]:
    """Return an index of a tuple, and what to evaluate all the same."""
    index = context.typed(node)
    known = index.known.value if index.known else None
    if type(known) is not int:
        context.fail(
            "tuple-index",
            f"the index of a tuple must be a constant int, which this {index.type} is not",
            node,
            why="each item of a tuple has its own type",
            instead="write the number, unpack the tuple, or loop over it",
        )
    return [] if node in context.facts.constants else [node], known
