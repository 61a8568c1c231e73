"""Subscripts: items of tuples and lists, elements and views of arrays, read and written."""

from collections.abc import Sequence
from enum import EnumType

import numpy as np

from scriptc.check import element_conversion, protocols, records, tuple_items
from scriptc.check.array_attributes import flat_of
from scriptc.check.bindings import (
    KeptKeywords,
    Static,
    Typed,
)
from scriptc.check.borrowed_lists import refuse_borrowed
from scriptc.check.checked import Computation, Literal, Operand, Stored, Write
from scriptc.check.context import Context, Value, operand
from scriptc.check.conversion import converted
from scriptc.check.desugar import keywords
from scriptc.check.desugar.slice_variables import check_maker, spelled
from scriptc.check.exception_arguments import check_argument
from scriptc.check.generics import view_name
from scriptc.check.indices import MOST_ARRAYS, Pick, Picking, as_int, bound, int_of, present
from scriptc.check.library.standard import standard_function
from scriptc.check.named import enumerations
from scriptc.check.named_types import is_records, plain
from scriptc.check.narrowed_items import as_narrowed, forget_items
from scriptc.check.numpy import advanced_indexing, sequences
from scriptc.check.open_types import is_open
from scriptc.check.present import present_container, present_index, whole_last
from scriptc.check.python import (
    byte_arrays,
    byte_strings,
    containers,
    ranges,
    slices,
    strings,
)
from scriptc.check.python.dicts import missing
from scriptc.check.python.lists import slices as list_slices
from scriptc.check.python.lists.items import fit_item, learn, of_items
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import arrays, data
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import (
    EXCEPTION_ARGS,
    NONE,
    STR,
    TEXTS,
    ClassType,
    Container,
    DequeType,
    DictType,
    DType,
    ListType,
    OptionalType,
    TensorType,
    TupleType,
    Type,
    element_of,
    holds_class,
    is_tuple_of,
)

_NONE = Literal(None, NONE)


@record
class Subscripted:
    """A subscript taken apart: `letters` as the op `view` has them."""

    base: n.Expression
    value: Typed
    parts: tuple[n.Expression, ...]
    letters: str
    indices: tuple[Computation, ...]
    has_ellipsis: bool = False
    picking: Picking | None = None

    @property
    def is_element(self) -> bool:
        """Whether every axis of an array has its index, so that one element is meant.

        `a[0, ...]` is an array without axes, where `a[0]` is a scalar.
        """
        type_ = self.value.type
        whole = isinstance(type_, TensorType) and self.letters == "i" * type_.rank
        return whole and not self.has_ellipsis and self.picking is None


@record
class _Entry:
    """One item of a subscript: a letter of `view`, `a` for an array, `...` for the rest."""

    letter: str
    parts: tuple[n.Expression, ...]
    indices: tuple[Computation, ...]
    axes: int


def check_subscript(context: Context, node: n.Subscript) -> Value:
    """Check `base[index]` where it is read."""
    return as_narrowed(context, node, _item(context, node))


def _item(context: Context, node: n.Subscript) -> Value:
    flat = flat_of(context, node.value)
    found = flat or context.expression(node.value)
    if isinstance(found, Static) and (item := _of_live(context, node, found)) is not None:
        return item
    base = plain(context.as_typed(node.value, found))
    if is_records(base.type):
        return records.item(context, node, base)
    if isinstance(base.type, TupleType):
        return tuple_items.tuple_item(context, node, base, base.type)
    if base.type is EXCEPTION_ARGS:
        return check_argument(context, node, base)
    if isinstance(base.type, DictType):
        _learn_key(context, node, base)
    if isinstance(base.type, DictType) and is_open(base.type.value):
        # What its lists hold, what is put into this one says in the next pass.
        context.require_item(node, base)
        context.typed(node.slice)
        context.facts.types[node] = base.type.value
        return item_of(context, base, Typed(base.type.value, context.span(node)))
    slice_ = spelled(context, node.slice)
    part = _part(context, node, base, slice_)
    if part is not None:
        return part
    taken = take_apart(context, node, base)
    item = read(context, node, taken)
    if flat and isinstance(item.type, TensorType):
        item = context.apply(node, arrays.COPY, item)  # what x.flat gives is no view
    return item_of(context, base, context.record(node, taken.parts, item))


def _learn_key(context: Context, node: n.Subscript, base: Typed) -> None:
    """Note what a defaultdict holds, which makes what is missing where it is read."""
    missing.learn_missing(context, node, base, context.typed(node.slice))


def _part(context: Context, node: n.Subscript, base: Typed, index: n.Expression) -> Typed | None:
    """Return a part of a text, or a slice of a list or a range; None for anything else."""
    if base.type in TEXTS:
        part = strings.part if base.type is STR else byte_strings.part
        return part(context, node, base, index)
    if not isinstance(index, n.Slice):
        return None
    if byte_arrays.is_byte_array(base.type):
        return byte_arrays.read_slice(context, node, base, index)
    if isinstance(base.type, ListType):
        return list_slices.read(context, node, base, index)
    return ranges.check_slice(context, node, index) if ranges.is_range(base) else None


def _of_live(context: Context, node: n.Subscript, found: Static) -> Value | None:
    """Check an item of what is no value of the language; None where it has none."""
    made = check_maker(context, node, found)
    if made is not None:
        return made
    if isinstance(found.value, EnumType) and found.receiver is None:
        return _member(context, node, found.value)
    if isinstance(found.value, KeptKeywords):
        return keywords.check_item(context, node, found.value)
    return None


def _member(context: Context, node: n.Subscript, cls: type) -> Typed:
    """Check `Color["RED"]`."""
    name = context.typed(node.slice)
    if name.type is not STR:
        context.fail("index-type", f"a member is found by its name, not by {name.type}", node.slice)
    found = enumerations.by_name(context, node, cls, operand(node.slice, name))
    return context.record(node, [node.slice], found)


def item_of(context: Context, base: Typed, item: Typed) -> Typed:
    """Return an item of `base` with what is known of lists: whose part it is, what it may hold."""
    found = Typed(item.type, item.span, borrowed=_still_borrowed(base, item.type))
    return of_items(context, base, found)


def _still_borrowed(base: Typed, item: Type) -> str | None:
    return base.borrowed if isinstance(item, ListType) else None


def take_apart(context: Context, node: n.Subscript, base: Typed) -> Subscripted:
    """Check the index of `node`, whose base is an array, a list, a dict or an object."""
    if not isinstance(base.type, DictType | DequeType):
        context.require_item(node, base)
    match base.type:
        case ListType():
            part, index = _index(context, base.type, node.slice)
            return Subscripted(node.value, base, (node.value, *part), "i", (index,))
        case TensorType(_, dims):
            return _array_subscript(context, node, base, len(dims))
        case ClassType() | DictType() | DequeType():
            return _own_subscript(context, node, base)
        case _:
            instead = "use a tuple, a list or an array"
            if base.type in TEXTS:
                instead = "texts do not change: make a new one, s[:i] + c + s[i + 1 :]"
            if isinstance(base.type, OptionalType):
                instead = "test `is not None` first"
            context.fail(
                "subscript", f"{base.type} cannot be subscripted", node.value, instead=instead
            )


def _own_subscript(context: Context, node: n.Subscript, base: Typed) -> Subscripted:
    """Check what stands in brackets behind an object: a value, which its methods are given."""
    place = node.slice
    if isinstance(base.type, ClassType):
        place = slices.as_key(context, spelled(context, place))
    key = context.typed(place)
    if isinstance(base.type, DequeType):
        key = present_index(context, base.type, place, key)
    context.require_items(place, key)
    return Subscripted(node.value, base, (node.value, place), "i", (operand(place, key),))


def _refuse_view(context: Context, node: n.Node, live: type) -> None:
    if shown := view_name(live):
        context.fail(
            "subscript",
            f"{shown} has no subscripts",
            node,
            why="a view of a dict has no places",
            instead="list(...) of the view, whose items have them",
        )


def _own_method(
    context: Context, node: n.Node, taken: Subscripted, name: str, *given: Computation
) -> Computation:
    whole = Operand(taken.base, taken.value.type)
    found = protocols.called(context, node, name, whole, *taken.indices, *given)
    if found is None:
        type_ = taken.value.type
        if isinstance(type_, ClassType):
            _refuse_view(context, node, context.class_named(type_.name).live)
        context.fail(
            "subscript",
            f"{type_} has no {name} for this",
            node,
            instead=f"write the method: def {name}(self, key{', value' * len(given)}): ...",
        )
    return found


def delete_item(context: Context, node: n.Subscript, base: Typed) -> Write:
    """Check `del base[key]` of an object or a dict."""
    if isinstance(base.type, Container):
        return containers.delete(context, node, base)
    if byte_arrays.is_byte_array(base.type) and isinstance(node.slice, n.Slice):
        return byte_arrays.delete_slice(context, node, base, node.slice)
    taken = _own_subscript(context, node, base)
    return Write(taken.parts, None, (_own_method(context, node, taken, "__delitem__"),), {})


def _array_subscript(context: Context, node: n.Subscript, base: Typed, rank: int) -> Subscripted:
    index = spelled(context, node.slice)
    items = index.elts if isinstance(index, n.Tuple) else (index,)
    entries = [entry for item in items for entry in _entries(context, base.type, item)]
    used = sum(entry.axes for entry in entries)
    ellipses = sum(entry.letter == "..." for entry in entries)
    _require_axes(context, node, rank, rank - used, ellipses)
    parts: list[n.Expression] = [node.value]
    letters = ""
    indices: list[Computation] = []
    arrays_: list[tuple[Computation, int, int]] = []
    axis = 0
    for entry in entries:
        parts += entry.parts
        if entry.letter == "a":
            place = len(letters) - letters.count("i")
            arrays_.append((entry.indices[0], place, axis))
        whole = entry.letter in ("a", "...")
        count = rank - used if entry.letter == "..." else entry.axes
        letters += "s" * count if whole else entry.letter
        indices += [_NONE] * (3 * count) if whole else entry.indices
        axis += count
    taken = Subscripted(node.value, base, tuple(parts), letters, tuple(indices), ellipses > 0)
    if not arrays_:
        return taken
    return replace(taken, picking=_picking(context, node, taken, entries, arrays_))


def _picking(
    context: Context,
    node: n.Subscript,
    taken: Subscripted,
    entries: Sequence[_Entry],
    indices: Sequence[tuple[Computation, int, int]],
) -> Picking:
    """Return the view of the basic parts, and what picks from it."""
    if len(indices) > MOST_ARRAYS:
        context.fail(
            "subscript",
            f"{len(indices)} arrays in one subscript are not built, {MOST_ARRAYS} are",
            node.slice,
            instead="index in two steps",
        )
    base: Computation = Operand(taken.base, taken.value.type)
    if set(taken.letters) - {"s"} or any(index is not _NONE for index in taken.indices):
        operands = (base, *taken.indices)
        base = context.apply(node, arrays.VIEW, *operands, axes=taken.letters)
    # Beside arrays an int counts as one; what stands between them takes them apart.
    kinds = "".join("a" if entry.letter in ("a", "i") else " " for entry in entries).strip()
    picks = tuple(Pick(index, place, axis) for index, place, axis in indices)
    return Picking(base, picks, " " in kinds)


def _entries(context: Context, whole: Type, item: n.Expression) -> list[_Entry]:
    """Return what one item of a subscript means; a tuple stands for its items."""
    item = spelled(context, item)
    if _is_ellipsis(item):
        return [_Entry("...", (), (), 0)]
    if isinstance(item, n.Slice):
        bounds = [bound(context, part) for part in (item.lower, item.upper, item.step)]
        parts = tuple(part for found, _ in bounds for part in found)
        indices = tuple(index for _, index in bounds)
        if any(isinstance(index.type, OptionalType) for index in indices):
            indices = present(advanced_indexing.place_of(context, item), indices)
        return [_Entry("s", parts, indices, 1)]
    if isinstance(item, n.List):
        return [_listed(context, item)]
    value = present_index(context, whole, item, context.typed(item))
    context.require_items(item, value)
    if isinstance(value.type, TupleType):
        given = operand(item, value)
        fields = [
            context.apply(item, data.ITEM, given, index=i) for i in range(len(value.type.items))
        ]
        found = [_entry(context, item, field) for field in fields]
        return [replace(entry, parts=(item,) if i == 0 else ()) for i, entry in enumerate(found)]
    return [_entry(context, item, operand(item, value))]


def _entry(context: Context, item: n.Expression, value: Computation) -> _Entry:
    if value.type is NONE:  # np.newaxis, or a variable that is None
        return _Entry("n", (), (), 0)
    value = _as_array(context, item, value)
    if not isinstance(value.type, TensorType):
        known = Typed(value.type, context.span(item))
        return _Entry("i", (item,), (int_of(context, item, value, known),), 1)
    dtype, rank = value.type.dtype, value.type.rank
    if dtype.kind not in "biu" or rank == 0:
        context.fail(
            "index-type",
            f"an index cannot be {value.type}",
            item,
            instead="index by whole numbers, or by truth values: a[x > 0]",
        )
    return _Entry("a", (item,), (value,), rank if dtype is DType.B1 else 1)


def _listed(context: Context, item: n.List) -> _Entry:
    """Return the entry of a list written in place: an array of its numbers."""
    index, parts = advanced_indexing.listed(context, item)
    entry = _entry(context, item, index)
    return replace(entry, parts=parts)


def _require_axes(
    context: Context, node: n.Subscript, rank: int, missing: int, ellipses: int
) -> None:
    """Refuse a subscript that names more axes than there are, or does not say which."""
    if missing < 0:
        context.fail(
            "dims",
            f"{rank - missing} indices for an array with {rank} axes",
            node.slice,
            instead=f"use at most {rank}",
        )
    if ellipses > 1:
        context.fail(
            "dims", "an index can have one ellipsis", node.slice, instead="write : for an axis"
        )


def _is_ellipsis(node: n.Expression) -> bool:
    return isinstance(node, n.Constant) and node.value is ...


def _index(
    context: Context, whole: Type, node: n.Expression
) -> tuple[tuple[n.Expression, ...], Computation]:
    if isinstance(node, n.Slice):
        context.fail(
            "subscript",
            "a slice of a list is not updated in place",
            node,
            instead="assign it: xs[a:b] = xs[a:b] + more",
        )
    value = present_index(context, whole, node, context.typed(node))
    return (node,), as_int(context, node, value)


def read(context: Context, node: n.Expression, taken: Subscripted) -> Computation:
    """Return the computation of what a subscript means."""
    base = Operand(taken.base, taken.value.type)
    if isinstance(taken.value.type, ListType):
        return context.apply(node, data.LIST_GET, base, *taken.indices)
    if isinstance(taken.value.type, ClassType):
        return _own_method(context, node, taken, "__getitem__")
    if isinstance(taken.value.type, Container):
        return containers.read(context, node, taken.value, base, *taken.indices)
    if taken.picking is not None:
        return advanced_indexing.picked(advanced_indexing.place_of(context, node), taken.picking)
    if taken.is_element:
        return context.apply(node, arrays.INDEX, base, *taken.indices)
    axes = taken.letters
    return context.apply(node, arrays.VIEW, base, *taken.indices, axes=axes)


def check_target(context: Context, node: n.Subscript, value: Typed) -> None:
    """Check that `node` can be assigned a value, and record how."""
    base = present_container(context, node, context.typed(node.value))
    forget_items(context, None if holds_class(base.type) else base.type)
    if is_records(base.type):
        context.facts.writes[node] = records.store(context, node, base, value)
        return
    if isinstance(base.type, TupleType) or is_tuple_of(base.type):
        context.fail(
            "assignment",
            "a tuple cannot be written to",
            node,
            instead="build a new tuple, or use a list",
        )
    if isinstance(base.type, ListType):
        refuse_borrowed(context, node, value, "put into a list")
    slice_ = spelled(context, node.slice)
    if isinstance(base.type, ListType) and isinstance(slice_, n.Slice):
        refuse_borrowed(context, node, base, "written to")
        context.facts.writes[node] = list_slices.write(context, node, base, slice_, value)
        return
    if not isinstance(base.type, ListType | DictType | DequeType):
        context.require_items(node, value)
    if byte_arrays.is_byte_array(base.type) and isinstance(slice_, n.Slice):
        context.facts.writes[node] = byte_arrays.write_slice(context, node, base, slice_, value)
        return
    if isinstance(base.type, ListType) and learn(context, node, base, value):
        raise context.not_known_yet(node)  # before the index, which may wait for what it tells
    taken = take_apart(context, node, base)
    context.facts.writes[node] = whole_last(context, node, writing(context, node, taken, value))


def writing(context: Context, node: n.Subscript, taken: Subscripted, value: Typed) -> Write:
    """Return how `value` is put into the place that was taken apart."""
    whole = Operand(taken.base, taken.value.type)
    given = Stored(value.type)
    match taken.value.type:
        case ListType():
            refuse_borrowed(context, node, taken.value, "written to")
            if learn(context, node, taken.value, value):
                raise context.not_known_yet(node)
            context.require_items(node, value)
            fitting = fit_item(context, node, given, taken.value.type, value)
            operands = (whole, *taken.indices, fitting)
            return Write(taken.parts, data.LIST_SET, operands, {})
        case TensorType(dtype) if taken.picking is not None:
            source = element_conversion.stored(
                context, node, _as_array(context, node, given, dtype), dtype
            )
            putting = advanced_indexing.put(
                advanced_indexing.place_of(context, node), taken.picking, source
            )
            return Write(taken.parts, None, (putting,), {})
        case TensorType(dtype) if taken.is_element:
            _refuse_array(context, node, given)
            element = element_conversion.stored(context, node, given, dtype)
            operands = (whole, element, *taken.indices)
            return Write(taken.parts, arrays.SET_INDEX, operands, {})
        case TensorType(dtype):
            view = read(context, node, taken)
            source = element_conversion.stored(
                context, node, _as_array(context, node, given, dtype), dtype
            )
            context.check_op(node, arrays.ASSIGN, view, source)
            return Write(taken.parts, arrays.ASSIGN, (view, source), {})
        case DictType() | DequeType():
            key = context.typed(node.slice)
            return containers.write(context, node, (taken.value, key), taken.indices[0], value)
        case ClassType():
            context.require_items(node, value)
            putting = _own_method(context, node, taken, "__setitem__", given)
            return Write(taken.parts, None, (putting,), {})
        case other:
            raise AssertionError(other)


def _as_array(
    context: Context, at: n.Expression, value: Computation, dtype: DType | None = None
) -> Computation:
    """Return a list or tuple as the array that NumPy makes of it, and anything else as it is."""
    if value.type == ClassType(ranges.NAME):
        return context.call(at, standard_function("ranges", "as_array"), (value,))
    if not isinstance(value.type, ListType | TupleType):
        return value
    return sequences.array_of_sequence(advanced_indexing.place_of(context, at), value, at, dtype)


def updated_in_place(context: Context, at: n.Node, value: Computation, dtype: DType) -> Computation:
    """Return the result of `array op= ...` with the dtype of the array, which NumPy must allow."""
    element = element_of(value.type)
    assert isinstance(element, DType)
    if not np.can_cast(element.numpy, dtype.numpy, "same_kind"):
        context.fail(
            "dtype",
            f"the result is {element}, which an array of {dtype} does not take in place",
            at,
            why=f"NumPy raises TypeError: {element} to {dtype} is no cast of the same kind",
            instead="convert the operand first, or bind the result to a new variable: x = x + y",
        )
    return converted(value, dtype)


def _refuse_array(context: Context, at: n.Node, value: Computation) -> None:
    if isinstance(value.type, TensorType):
        context.fail(
            "dtype",
            f"one element of an array cannot hold {value.type}",
            at,
            instead="name a row with fewer indices, or store one number: x[i]",
        )
