"""NumPy's functions that make structured arrays: of sizes, of tuples, of other ones."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from scriptc.check import record_parts
from scriptc.check.bindings import Static, Typed
from scriptc.check.checked import Computation, Literal
from scriptc.check.conversion import converted
from scriptc.check.library.call import LibraryCall
from scriptc.check.library.call_site import Display
from scriptc.check.named_types import is_records
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import arrays, data, joining
from scriptc_runtime.records import fields_of, is_structured_dtype
from scriptc_runtime.types import INT, ListType, NamedType, TupleType

Sizes = tuple[Sequence[Computation], tuple[int | None, ...]]


def dtype_asked(call: LibraryCall) -> "np.dtype[Any] | None":
    """Return the dtype that a call asks for, if it is one of structured arrays."""
    if "dtype" not in call.values:
        return None
    given = call.values["dtype"]
    dtype: object = given.value if isinstance(given, Static) else None
    return dtype if is_structured_dtype(dtype) else None


def records_given(call: LibraryCall, name: str) -> NamedType | None:
    """Return the type of an argument that is a structured array; None for any other."""
    given = call.values.get(name)
    if isinstance(given, Typed) and isinstance(given.type, NamedType) and is_records(given.type):
        return given.type
    return None


def full(call: LibraryCall, dtype: "np.dtype[Any]", sizes: Sizes, value: float) -> Computation:
    """Return a new structured array of one number."""
    if not sizes[0]:
        call.refuse("a structured array without axes is not built", None, "np.zeros(1, dtype)[0]")
    fields = record_parts.new(call.context, call.node, dtype, *sizes)
    if not value:
        return record_parts.made(call.context, call.node, dtype, fields)

    def write(place: int, field: Computation) -> Computation:
        one = converted(Literal(1, INT), record_parts.number_of(fields_of(dtype)[place]))
        return call.context.apply(call.node, arrays.ASSIGN, field, one)

    return record_parts.filled(call.context, call.node, dtype, fields, write)


def like(call: LibraryCall, name: str, value: float) -> Computation | None:
    """Return a structured array of one number in the shape of another; None where it is none."""
    model = records_given(call, name)
    if model is None:
        return None
    for other in ("dtype", "shape", "order"):
        if call.is_given(other):
            call.refuse(f"{other} is not built for a structured array", call.nodes[other])
    call.flag("subok", default=True)
    first = record_parts.arrays_of(call.context, call.node, call.operand(name))[0]
    field = record_parts.fields_in(model)[0]
    sizes = record_parts.sizes_of(call.context, call.node, first, field)
    dtype = record_parts.dtype_in(model)
    return full(call, dtype, (sizes, (None,) * len(sizes)), value)


def copied(call: LibraryCall, name: str) -> Computation | None:
    """Return a copy of a structured array; None for anything else."""
    model = records_given(call, name)
    if model is None:
        return None
    if record_parts.rank_of(model) == 0:
        call.refuse("an array of one record, without axes, is not built", call.nodes[name])
    parts = record_parts.arrays_of(call.context, call.node, call.operand(name))
    return record_parts.gathered(call.context, call.node, record_parts.dtype_in(model), parts)


def of_items(call: LibraryCall, name: str, dtype: "np.dtype[Any]") -> Computation:
    """Return a structured array of a list of tuples, one for each record."""
    call.drop("dtype")
    context, at = call.context, call.node
    if name in call.displays:
        rows = [_values(call, row, dtype, name) for row in call.displays[name].items]
        fields = record_parts.new(context, at, dtype, [Literal(len(rows), INT)], (len(rows),))

        def write_rows(place: int, field: Computation) -> Computation:
            values = context.apply(at, data.TUPLE, *(row[place] for row in rows))
            return call.defined("records", "put_all", field, values)

        return record_parts.filled(context, at, dtype, fields, write_rows)
    items = call.operand(name)
    if not isinstance(items.type, ListType) or not isinstance(items.type.item, TupleType):
        call.refuse(
            f"a structured array is made of a list of tuples, not of {items.type}",
            call.nodes[name],
            "np.zeros, and a store for each field",
        )
    _require_all(call, len(items.type.item.items), dtype, name)
    size = context.apply(at, data.LIST_LEN, items)
    fields = record_parts.new(context, at, dtype, [size], (None,))

    def write(place: int, field: Computation) -> Computation:
        return call.defined("records", "put_column", field, items, place=place)

    return record_parts.filled(context, at, dtype, fields, write)


def _values(
    call: LibraryCall, row: Display | n.Expression, dtype: "np.dtype[Any]", name: str
) -> Sequence[Computation]:
    """Return the values of the fields of one record that is written in place."""
    if isinstance(row, Display):
        values = [call.leaf(item) for item in row.items if not isinstance(item, Display)]
        _require_all(call, len(values), dtype, name)
        return values
    value = call.leaf(row)
    if isinstance(value.type, TupleType):
        _require_all(call, len(value.type.items), dtype, name)
        count = len(value.type.items)
        return [call.context.apply(call.node, data.ITEM, value, index=i) for i in range(count)]
    call.refuse(f"a record is made of a tuple, not of {value.type}", call.nodes[name])


def _require_all(call: LibraryCall, given: int, dtype: "np.dtype[Any]", name: str) -> None:
    wanted = len(fields_of(dtype))
    if given != wanted:
        what = f"a record has {wanted} fields, and a tuple {given} items"
        call.refuse(what, call.nodes[name], "give a value for each field, in their order")


def joined(call: LibraryCall, name: str) -> Computation | None:
    """Return structured arrays of one dtype behind each other; None where they are none."""
    rows = call.displays[name].items if name in call.displays else ()
    given = [call.leaf(row) for row in rows if not isinstance(row, Display)]
    first = given[0].type if given else None
    if len(given) != len(rows) or not isinstance(first, NamedType) or not is_records(first):
        return None
    has_axes = record_parts.rank_of(first) > 0
    if any(value.type != first for value in given) or call.is_given("axis") or not has_axes:
        call.refuse(
            "structured arrays are joined along their first axis, and are of one dtype",
            call.nodes[name],
            "np.empty, and a store for each",
        )
    context, at = call.context, call.node
    parts = [record_parts.arrays_of(context, at, value) for value in given]
    fields = [
        context.apply(at, joining.JOIN, *columns, axis=0, kind=joining.CONCATENATE)
        for columns in zip(*parts, strict=True)
    ]
    return record_parts.gathered(context, at, record_parts.dtype_in(first), fields)
