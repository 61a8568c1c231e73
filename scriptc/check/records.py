"""Structured arrays, and their records: their fields, their items, loops over them.

They are tuples of arrays (`scriptc_runtime.records`). What an index means of all fields is written
in `stdlib/records.py`.
"""

from collections.abc import Sequence
from types import FunctionType
from typing import NoReturn

from scriptc.check import element_conversion, record_parts
from scriptc.check.bindings import Fixed, Static, Typed
from scriptc.check.checked import After, Computation, Literal, Stored, Write
from scriptc.check.context import Context, Value, operand
from scriptc.check.desugar.slice_variables import spelled
from scriptc.check.library.standard import standard_function
from scriptc.check.named_types import is_records
from scriptc.check.python import slices
from scriptc.check.record_parts import arrays_of, dtype_in, fields_in, plain, rank_of
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.ops import arrays, data, elementwise
from scriptc_runtime.records import dtype_of
from scriptc_runtime.types import INT, NONE, STR, ListType, NamedType, TensorType, TupleType, Type


def item(context: Context, node: n.Subscript, base: Typed) -> Typed:
    """Check `x["field"]`, and `x[index]` with any index that an array has."""
    name = _name(context, node.slice)
    if name is not None:
        found = read(context, node, operand(node.value, base), name)
        return context.record(node, [node.value], found)
    key, place = _key(context, node)
    whole = operand(node.value, base)
    read_item = _function("item", key)
    parts = [
        context.call(node, read_item, (field, key)) for field in arrays_of(context, node, whole)
    ]
    # What arrays pick is no view.
    as_one = record_parts.gathered if _picks(key.type) else record_parts.made
    found = as_one(context, node, dtype_in(base.type), parts)
    return context.record(node, [node.value, place], found)


def store(context: Context, node: n.Subscript, base: Typed, value: Typed) -> Write:
    """Check what is stored into a field, or into the records that an index means."""
    name = _name(context, node.slice)
    if name is not None:
        view = _field(context, node, operand(node.value, base), name)
        source = _fitting(context, node, Stored(value.type), view.type)
        context.check_op(node, arrays.ASSIGN, view, source)
        return Write((node.value,), arrays.ASSIGN, (view, source), {})
    key, place = _key(context, node)
    fields = arrays_of(context, node, operand(node.value, base))
    put = _function("put", key)
    puts = [
        context.call(node, put, (field, key, part))
        for field, part in zip(fields, _given(context, node, base.type, value), strict=True)
    ]
    return Write((node.value, place), None, (After(tuple(puts[:-1]), puts[-1], NONE),), {})


def updated(context: Context, target: n.Subscript, base: Typed) -> Computation:
    """Return the field that is updated."""
    name = _name(context, target.slice)
    if name is None:
        context.fail(
            "subscript",
            "all fields of a record are updated here",
            target,
            why="NumPy has no arithmetic for records",
            instead="name the field",
        )
    return read(context, target, operand(target.value, base), name)


def attribute(context: Context, node: n.Attribute, base: Typed) -> Value | None:
    """Check an attribute that arrays have; None for one that is not built."""
    assert isinstance(base.type, NamedType)
    if node.attr == "dtype":
        return Static(dtype_of(base.type.labels), context.span(node))
    if node.attr in ("shape", "size", "ndim"):
        found = _measured(context, node, operand(node.value, base))
        return context.record(node, [node.value], found)
    if node.attr == "copy":
        return Static(node.attr, context.span(node), (node.value, base))
    return None


def copied(context: Context, node: n.Call, base: n.Expression, receiver: Typed) -> Typed:
    """Check `x.copy()`."""
    if node.args or node.keywords:
        context.fail("call-arity", "copy() of a structured array takes no arguments", node)
    fields = arrays_of(context, node, operand(base, receiver))
    found = record_parts.gathered(context, node, dtype_in(receiver.type), fields)
    return context.record(node, [base], found)


def length(context: Context, at: n.Node, whole: Computation) -> Computation:
    """Return how many records an array has along its first axis, or how many fields a record."""
    if rank_of(whole.type) == 0:
        return Literal(len(fields_in(whole.type)), INT)
    return _sizes(context, at, whole)[0]


def read(context: Context, at: n.Node, whole: Computation, name: str) -> Computation:
    """Return a field: the array, or the number of a record."""
    found = _field(context, at, whole, name)
    is_number = isinstance(found.type, TensorType) and found.type.rank == 0
    return context.apply(at, arrays.INDEX, found) if is_number else found


def unpacked(context: Context, at: n.Node, whole: Computation) -> Computation:
    """Return a record as the tuple of its numbers."""
    assert isinstance(whole.type, NamedType)
    names = [field.name for field in fields_in(whole.type)]
    return context.apply(at, data.TUPLE, *(read(context, at, whole, name) for name in names))


def loop(context: Context, node: n.For) -> Expansion:
    """Return the loop over indices that one over a structured array is short for.

    Each record is a view of its place.
    """
    known = context.learned.expansions.get(node)
    if known is None:
        lo, hi = node.iter.lo, node.iter.hi
        whole, place, count = (
            n.Name(lo, hi, f"{word}@{lo}:{hi}") for word in ("records", "place", "count")
        )
        len_, range_ = (n.Name(lo, hi, f"{word}@{lo}:{hi}") for word in ("len", "range"))
        first = n.Assign(lo, hi, (whole,), node.iter)
        second = n.Assign(lo, hi, (count,), n.Call(lo, hi, len_, (whole,), ()))
        counted = n.Call(lo, hi, range_, (count,), ())
        taken = n.Assign(lo, hi, (node.target,), n.Subscript(lo, hi, whole, place))
        body = (taken, *node.body)
        over = n.For(node.lo, node.hi, place, counted, body, node.orelse, node.is_async)
        names = frozenset(name.id for name in (whole, place, count, len_, range_))
        known = context.learned.expansions[node] = Expansion((first, second, over), whole, names)
    assert context.env is not None
    for function in (len, range):
        name = f"{function.__name__}@{node.iter.lo}:{node.iter.hi}"
        context.env[name] = Fixed(Static(function, context.span(node.iter)))
    context.locals |= known.names
    return known


def _given(context: Context, at: n.Node, type_: Type, value: Typed) -> Sequence[Computation]:
    """Return what is stored into each field: of a record or a tuple a part, or one for all."""
    fields, given = fields_in(type_), Stored(value.type)
    if is_records(value.type):
        _require_all(context, at, type_, len(fields_in(value.type)))
        return arrays_of(context, at, given)
    if not isinstance(value.type, TupleType):
        if isinstance(value.type, TensorType | ListType) and any(f.shape for f in fields):
            _refuse_items(context, at, value.type)
        return [given] * len(fields)
    _require_all(context, at, type_, len(value.type.items))
    parts = [context.apply(at, data.ITEM, given, index=i) for i in range(len(fields))]
    for field, part in zip(fields, parts, strict=True):
        if isinstance(part.type, TensorType) and part.type.rank > len(field.shape):
            _refuse_items(context, at, part.type)
    return parts


def _refuse_items(context: Context, at: n.Node, type_: Type) -> NoReturn:
    context.fail(
        "subscript",
        f"{type_} is stored into fields that do not have its axes",
        at,
        instead="store into the array of each field",
    )


def _field(context: Context, at: n.Node, whole: Computation, name: str) -> Computation:
    """Return the array of a field."""
    names = [field.name for field in fields_in(whole.type)]
    if name not in names:
        context.fail(
            "subscript",
            f"there is no field {name!r}",
            at,
            why="NumPy raises ValueError: no field of name " + name,
            instead=f"one of {', '.join(map(repr, names))}",
        )
    return context.apply(at, data.ITEM, plain(whole), index=names.index(name))


def _sizes(context: Context, at: n.Node, whole: Computation) -> Sequence[Computation]:
    first = context.apply(at, data.ITEM, plain(whole), index=0)
    return record_parts.sizes_of(context, at, first, fields_in(whole.type)[0])


def _measured(context: Context, node: n.Attribute, whole: Computation) -> Computation:
    """Return the shape, the size or the number of axes."""
    if node.attr == "ndim":
        return Literal(rank_of(whole.type), INT)
    sizes = _sizes(context, node, whole)
    if node.attr == "shape":
        return context.apply(node, data.TUPLE, *sizes)
    count: Computation = Literal(1, INT)
    for size in sizes:
        count = context.apply(node, elementwise.MUL, count, size)
    return count


def _fitting(context: Context, at: n.Node, value: Computation, type_: Type) -> Computation:
    """Return what is stored into a field, converted to its numbers as NumPy does."""
    assert isinstance(type_, TensorType)
    return element_conversion.stored(context, at, value, type_.dtype)


def _require_all(context: Context, at: n.Node, type_: Type, given: int) -> None:
    count = len(fields_in(type_))
    if given != count:
        context.fail(
            "subscript",
            f"a record has {count} fields, and {given} values are stored",
            at,
            instead="give a value for each field, in their order",
        )


def _key(context: Context, node: n.Subscript) -> tuple[Computation, n.Expression]:
    """Check an index of the whole, whose slices are values."""
    index = spelled(context, node.slice)
    for part in index.elts if isinstance(index, n.Tuple) else (index,):
        if isinstance(part, n.Constant) and part.value is ...:
            context.fail(
                "subscript",
                "`...` in an index of a structured array is not built",
                part,
                instead="write : for each axis, or index the array of a field",
            )
    place = slices.as_key(context, index)
    key = context.typed(place)
    if isinstance(key.type, ListType) and key.type.item is STR:
        context.fail(
            "subscript",
            "a list of names of fields is not built",
            node.slice,
            instead="name the fields one by one",
        )
    context.require_items(place, key)
    return operand(place, key), place


def _picks(key: Type) -> bool:
    """Whether an index is an array or a list, or has one among its parts."""
    parts = key.items if isinstance(key, TupleType) else (key,)
    return any(isinstance(part, TensorType | ListType) for part in parts)


def _function(name: str, key: Computation) -> FunctionType:
    """Return the function of the library for an index, which may be one of several axes."""
    several = isinstance(key.type, TupleType)
    return standard_function("records", f"{name}_at" if several else name)


def _name(context: Context, index: n.Expression) -> str | None:
    """Return the name of a field that stands in brackets; None for another index."""
    if isinstance(index, n.Constant):
        return index.value if isinstance(index.value, str) else None
    if not isinstance(index, n.Name):
        return None
    found = context.expression(index)
    if not isinstance(found, Typed) or found.type is not STR:
        return None
    if found.known is None or not isinstance(found.known.value, str):
        context.fail(
            "subscript",
            "which field this is has to be known when the function is compiled",
            index,
            why="fields have types of their own",
            instead="write its name",
        )
    return found.known.value
