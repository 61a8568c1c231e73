"""What structured arrays are made of: the arrays of their fields, which view one memory.

The memory is an array of bytes with a row for each record, as NumPy's is. Fields that do not stand
at multiples of their size have arrays of their own.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from scriptc.check.checked import After, Computation, Convert, Literal
from scriptc.check.context import Context
from scriptc.check.named_types import is_records, named_tuple
from scriptc.check.size_names import without_sizes
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import arrays, data
from scriptc_runtime.records import (
    Field,
    dtype_of,
    fields_of,
    overlaps,
    records_class,
    stands_aligned,
)
from scriptc_runtime.types import FROM_NUMPY, INT, DType, NamedType, TensorType, TupleType, Type


def made(
    context: Context, at: n.Node, dtype: "np.dtype[Any]", parts: Sequence[Computation]
) -> Computation:
    """Return the structured array that has arrays as its fields."""
    cls = records_class(dtype)
    context.declare_named(cls)
    whole = context.apply(at, data.TUPLE, *parts)
    return Convert(whole, named_tuple(cls, [without_sizes(part.type) for part in parts]))


def new(
    context: Context,
    at: n.Node,
    dtype: "np.dtype[Any]",
    sizes: Sequence[Computation],
    dims: tuple[int | None, ...],
) -> Sequence[Computation]:
    """Return the fields of a new structured array, which are zero."""
    fields = fields_of(dtype)
    if not stands_aligned(dtype):
        if overlaps(dtype):
            context.fail(
                "dtype",
                "fields that overlap, and do not stand at multiples of their size, are not built",
                at,
                instead="fields apart from each other",
            )
        return [_new_alone(context, at, field, sizes, dims) for field in fields]
    room = Literal(dtype.itemsize, INT)
    whole = (*dims, dtype.itemsize)
    memory = context.apply(at, arrays.FULL, Literal(0, DType.U8), *sizes, room, dims=whole)
    return [
        context.apply(
            at,
            arrays.RECORD_FIELD,
            memory,
            offset=field.offset,
            dtype=number_of(field),
            shape=field.shape,
        )
        for field in fields
    ]


def _new_alone(
    context: Context,
    at: n.Node,
    field: Field,
    sizes: Sequence[Computation],
    dims: tuple[int | None, ...],
) -> Computation:
    own = [Literal(size, INT) for size in field.shape]
    zero = Literal(number_of(field).numpy.type(0).item(), number_of(field))
    return context.apply(at, arrays.FULL, zero, *sizes, *own, dims=(*dims, *field.shape))


def filled(
    context: Context,
    at: n.Node,
    dtype: "np.dtype[Any]",
    parts: Sequence[Computation],
    write: Callable[[int, Computation], Computation],
) -> Computation:
    """Return a new structured array once something is written to each of its fields."""
    effects = [write(place, part) for place, part in enumerate(parts)]
    whole = made(context, at, dtype, parts)
    return After(tuple(effects), whole, whole.type)


def gathered(
    context: Context, at: n.Node, dtype: "np.dtype[Any]", parts: Sequence[Computation]
) -> Computation:
    """Return a new structured array with the numbers of arrays of one shape, one for each field."""
    if not stands_aligned(dtype):
        return made(context, at, dtype, parts)
    first = fields_of(dtype)[0]
    sizes = sizes_of(context, at, parts[0], first)
    fields = new(context, at, dtype, sizes, (None,) * len(sizes))

    def write(place: int, field: Computation) -> Computation:
        return context.apply(at, arrays.ASSIGN, field, parts[place])

    return filled(context, at, dtype, fields, write)


def number_of(field: Field) -> DType:
    """Return the dtype of the numbers of a field."""
    return FROM_NUMPY[np.dtype(field.format)]


def rank_of(type_: Type) -> int:
    """Return how many axes structured arrays of a type have: records have none."""
    assert isinstance(type_, NamedType)
    assert isinstance(type_.base, TupleType)
    first = type_.base.items[0]
    assert isinstance(first, TensorType)
    return first.rank - len(fields_in(type_)[0].shape)


def fields_in(type_: Type) -> Sequence[Field]:
    """Return the fields of structured arrays of a type."""
    return fields_of(dtype_in(type_))


def dtype_in(type_: Type) -> "np.dtype[Any]":
    """Return the dtype of structured arrays of a type."""
    assert isinstance(type_, NamedType)
    return dtype_of(type_.labels)


def plain(whole: Computation) -> Computation:
    """Return the tuple that a structured array is."""
    assert is_records(whole.type)
    assert isinstance(whole.type, NamedType)
    return Convert(whole, whole.type.base)


def arrays_of(context: Context, at: n.Node, whole: Computation) -> Sequence[Computation]:
    """Return the arrays of all fields."""
    held = plain(whole)
    count = len(fields_in(whole.type))
    return [context.apply(at, data.ITEM, held, index=i) for i in range(count)]


def sizes_of(
    context: Context, at: n.Node, part: Computation, field: Field
) -> Sequence[Computation]:
    """Return the sizes of a structured array, of which one field is known."""
    assert isinstance(part.type, TensorType)
    axes = range(part.type.rank - len(field.shape))
    return [context.apply(at, arrays.DIM, part, axis=axis) for axis in axes]
