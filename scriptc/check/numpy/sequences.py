"""Lists, tuples and what is written in place of them, as arrays."""

from collections.abc import Sequence
from functools import reduce
from typing import cast

import numpy as np

from scriptc.check import element_conversion
from scriptc.check.checked import After, Apply, Check, Computation, Literal
from scriptc.check.library.call_site import CallSite, Display
from scriptc.check.whole_types import without_bigints
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import arrays, data, elementwise
from scriptc_runtime.promotion import promote
from scriptc_runtime.types import (
    BIGINT,
    DEFAULT_DTYPE,
    INT,
    NONE,
    DType,
    ListType,
    OptionalType,
    PyType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    element_of,
    is_number,
)
from scriptc_runtime.unions import members_of


def array_of(
    call: CallSite, display: Display, at: n.Expression, dtype: DType | None = None
) -> Computation:
    """Return a new array of what is written in place: numbers, or arrays of one shape."""
    shape = display.shape()
    if shape is None:
        call.refuse("the items have different lengths", at, "give all rows as many items")
    leaves = [_row(call, call.leaf(leaf), at, dtype) for leaf in display.leaves()]
    return _array_of_items(call, leaves, shape, at, dtype)


def _row(call: CallSite, item: Computation, at: n.Node, dtype: DType | None) -> Computation:
    """Return an item of an array: what is a list or a tuple itself is an array."""
    if dtype is None:
        return array_with_dtype(call, item, at)
    return array_of_sequence(call, item, at, dtype)


def _array_of_items(
    call: CallSite,
    leaves: Sequence[Computation],
    shape: tuple[int, ...],
    at: n.Node,
    dtype: DType | None,
) -> Computation:
    """Return a new array of this shape of numbers, or of arrays of one shape."""
    if dtype is None:
        dtype = dtype_of_all(call, leaves, at)
    ranks = {leaf.type.rank if isinstance(leaf.type, TensorType) else 0 for leaf in leaves} or {0}
    if len(ranks) > 1:
        call.refuse("numbers and arrays cannot be items of one array", at)
    apply, node = call.context.apply, call.node
    (rank,) = ranks
    sizes: list[Computation] = [Literal(size, INT) for size in shape]
    sizes += [apply(node, arrays.DIM, leaves[0], axis=axis) for axis in range(rank)]
    dims = (*shape, *(None,) * rank)
    whole = apply(node, arrays.EMPTY, *sizes, dtype=dtype, dims=dims)
    effects: list[Computation] = []
    for place, leaf in zip(np.ndindex(shape), leaves, strict=True):
        index = [Literal(i, INT) for i in place]
        value = element_conversion.stored(call.context, at, leaf, dtype)
        if rank == 0 and not isinstance(leaf.type, TensorType):
            effects.append(Apply(arrays.SET_INDEX, (whole, value, *index), {}, NONE))
            continue
        for axis in range(rank):
            size = apply(node, arrays.DIM, leaf, axis=axis)
            same = apply(node, elementwise.EQ, size, sizes[len(shape) + axis])
            message = (
                "setting an array element with a sequence. The requested array has an "
                f"inhomogeneous shape after {len(shape)} dimensions. The detected shape was "
                f"{shape} + inhomogeneous part."
            )
            value = Check(same, "ValueError", message, value, value.type)
        part = apply(node, arrays.VIEW, whole, *index, axes="i" * len(index))
        effects.append(Apply(arrays.ASSIGN, (part, value), {}, NONE))
    return After(tuple(effects), whole, whole.type)


def dtype_of_all(call: CallSite, leaves: Sequence[Computation], at: n.Node) -> DType:
    """Return the dtype that NumPy gives an array of these items."""
    found: set[DType] = set()
    for leaf in leaves:
        elements = _elements(leaf.type)
        if not elements:
            instead = "numbers alone; texts and objects go into a list"
            call.refuse(f"an array cannot hold {leaf.type}", at, instead)
        found = {promote(d, other) for d in found for other in elements} if found else elements
        if len(found) > 1 and leaf is leaves[-1]:
            message = f"the dtype of an array of {leaf.type} is known when it runs"
            call.refuse(message, at, "give the dtype: np.array(x, dtype=np.float64)")
    return found.pop() if found else DType.F64


def _elements(type_: Type) -> set[DType]:
    """Return the dtypes that one number, or each item of an array, may have; none for others."""
    found = [element_of(without_bigints(member)) for member in members_of(type_)]
    if None in found or (len(found) > 1 and not all(map(is_number, members_of(type_)))):
        return set()
    return {DEFAULT_DTYPE[e] if isinstance(e, PyType) else e for e in found if e is not None}


def array_of_sequence(
    call: CallSite, value: Computation, at: n.Node, dtype: DType | None = None
) -> Computation:
    """Return a list or tuple of numbers as an array, and anything else as it is."""
    match value.type:
        case ListType(item) if is_number(item) or item is BIGINT:
            return _array_of_list(call, value, dtype or without_bigints(item))
        case ListType(OptionalType(item)) if is_number(item):
            known = call.standard("making", "without_none", value)
            return array_of_sequence(call, known, at, dtype)
        case ListType(UnionType() as item) if elements := _elements(item):
            if len(elements) > 1 and dtype is None:
                call.refuse(
                    f"the dtype of an array of {item} is known when it runs",
                    at,
                    "give the dtype: np.array(x, dtype=np.float64)",
                )
            return _array_of_list(call, value, dtype or elements.pop())
        case ListType(TensorType()) if dtype is None:
            return call.standard("making", "array_of_arrays", value)
        case ListType(item):
            return _array_of_rows(call, value, item, dtype)
        case TupleType(items) if items:
            return _array_of_tuple(call, value, at, dtype)
        case _:
            return value


def array_with_dtype(call: CallSite, value: Computation, at: n.Node) -> Computation:
    """Return a list or tuple of numbers as an array that NumPy gives the same dtype.

    That of an empty list is float64, whatever might have been in it: others raise ValueError.
    """
    made = array_of_sequence(call, value, at)
    if not isinstance(value.type, ListType) or not isinstance(made.type, TensorType):
        return made
    dtype = made.type.dtype
    if dtype is DType.F64:
        return made
    apply, node = call.context.apply, call.node
    count = apply(node, arrays.DIM, made, axis=0)
    for axis in range(1, made.type.rank):
        size = apply(node, arrays.DIM, made, axis=axis)
        count = apply(node, elementwise.MUL, count, size)
    name = dtype.numpy.type.__name__
    message = (
        f"an empty list is an array of float64 to NumPy, and one of {name} here: give the dtype, "
        f"np.array(x, dtype=np.{name})"
    )
    is_any = apply(node, elementwise.NE, count, Literal(0, INT))
    return Check(is_any, "ValueError", message, made, made.type)


def _array_of_rows(
    call: CallSite, items: Computation, item: Type, wanted: DType | None = None
) -> Computation:
    """Return lists, tuples or arrays of one shape as an array with an axis more."""
    row, depth = item, 0
    while isinstance(row, ListType):
        row, depth = row.item, depth + 1
    match row:
        case TensorType(dtype, dims):
            element, depth = dtype, depth + len(dims)
        case TupleType(fields) if fields and all(map(is_number, fields)):
            found = [DEFAULT_DTYPE[f] if isinstance(f, PyType) else f for f in fields]
            element, depth = reduce(promote, cast("list[DType]", found)), depth + 1
        case PyType() | DType() if is_number(row):
            element = DEFAULT_DTYPE[row] if isinstance(row, PyType) else row
        case _:
            return items
    assert isinstance(element, DType)
    none = [Literal(0, INT)] * (depth + 1)
    dims = (0,) * (depth + 1)
    dtype = wanted or element
    model = call.context.apply(call.node, arrays.EMPTY, *none, dtype=dtype, dims=dims)
    return call.standard("making", "array_of_rows", items, model)


def _array_of_tuple(
    call: CallSite, value: Computation, at: n.Node, wanted: DType | None
) -> Computation:
    assert isinstance(value.type, TupleType)
    size = len(value.type.items)
    items = [call.context.apply(call.node, data.ITEM, value, index=i) for i in range(size)]
    rows = [_row(call, item, at, wanted) for item in items]
    return _array_of_items(call, rows, (size,), at, wanted)


def _array_of_list(call: CallSite, items: Computation, item: Type) -> Computation:
    """Return the numbers of a list as an array."""
    dtype = DEFAULT_DTYPE[item] if isinstance(item, PyType) else item
    assert isinstance(dtype, DType)
    zero = call.context.apply(call.node, arrays.EMPTY, Literal(0, INT), dtype=dtype, dims=(0,))
    return call.standard("making", "array_of_list", items, zero)
