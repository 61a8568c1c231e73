"""NumPy's functions that take out elements, put some in, and count places in several axes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from scriptc.check.bindings import Typed
from scriptc.check.checked import After, Apply, Computation, Literal
from scriptc.check.conversion import converted
from scriptc.check.indices import Pick, Picking
from scriptc.check.library.call import Library, LibraryCall, as_numpy, common, int_size, into_out
from scriptc.check.named_types import is_index_part
from scriptc.check.numpy import array_parts, creation, reductions, ufuncs
from scriptc.check.numpy.advanced_indexing import nonzero, picked, put
from scriptc.check.numpy.standard_calls import (
    Argument,
    Given,
    array,
    axis_of,
    fitting,
    stored_in,
    table_row,
)
from scriptc.check.operators import common_dtype
from scriptc_runtime.ops import arrays, data, elementwise
from scriptc_runtime.types import INT, NONE, DType, TensorType
from scriptc_runtime.values import INT_MAX

# ------------------------------------------------------------------------- along one axis, in pairs


def _along_axis(call: LibraryCall, name: str, default: int | None) -> tuple[Picking, bool]:
    """Return what indices along an axis pick: every other axis is counted through."""
    value, index = call.array(name), call.array("indices")
    if reductions.dtype_of(index).kind not in "iu":
        call.refuse("the indices must be ints", call.nodes["indices"])
    flat = reductions.one_axis(call, reductions.rank_of(value), default) is None
    value, axis = reductions.along_axis(call, value, default)
    rank = reductions.rank_of(value)
    if rank == 0:
        call.refuse("an array with an axis is needed", call.nodes[name], "x[None]")
    if reductions.rank_of(index) != rank:
        call.refuse("as many axes of indices as of the array are needed", call.nodes["indices"])
    if rank > 3:
        call.refuse("arrays with up to three axes are built", call.nodes[name])
    picks: list[Pick] = []
    for place in range(rank):
        found = index
        if place != axis % rank:
            line = creation.count_to(call, array_parts.size_of(call, value, place))
            letters = "".join("s" if i == place else "n" for i in range(rank))
            found = array_parts.view(call, line, letters, *array_parts.WHOLE)
        picks.append(Pick(found, place, place))
    return Picking(value, tuple(picks), False), flat


def _take_along_axis(call: LibraryCall) -> Typed:
    picking, _ = _along_axis(call, "arr", -1)
    return call.result(picked(call, picking))


def _put_along_axis(call: LibraryCall) -> Typed:
    if not call.is_given("axis"):
        call.refuse("axis None is not built", call.nodes.get("axis"), "x.reshape(-1)[i] = v")
    picking, _ = _along_axis(call, "arr", None)
    return call.result(
        put(call, picking, stored_in(call, "values", reductions.dtype_of(picking.view)))
    )


def _truths(name: str) -> Argument:
    return Argument(name, lambda call, name: ufuncs.truth(call, call.array(name)))


def _written(name: str) -> Argument:
    """Return an argument that is an array which is written to."""

    def read(call: LibraryCall, name: str) -> Given:
        if not isinstance(call.typed(name).type, TensorType):
            call.refuse("an array is needed", call.nodes[name])
        return call.array(name)

    return Argument(name, read)


def _indices(call: LibraryCall, name: str) -> Computation:
    """Return an argument that holds indices along one axis."""
    value = call.array(name)
    if reductions.dtype_of(value).kind not in "iu":
        call.refuse(f"indices must be ints, not {value.type}", call.nodes[name])
    return converted(reductions.flattened(call, value), DType.I64)


def _put(call: LibraryCall) -> Typed:
    return _put_at(call, "ind", "v")


def _put_by_method(call: LibraryCall) -> Typed:
    return _put_at(call, "indices", "values")


def _put_at(call: LibraryCall, indices: str, values: str) -> Typed:
    value = call.array("a")
    source = call.as_array(stored_in(call, values, reductions.dtype_of(value)))
    mode = array_parts.index_mode(call)
    return call.result(
        call.standard("placing", "put", value, _indices(call, indices), source, mode=mode)
    )


def _copyto(call: LibraryCall) -> Typed:
    target = call.array("dst")
    if not isinstance(call.typed("dst").type, TensorType):
        call.refuse("an array is needed", call.nodes["dst"])
    source = stored_in(call, "src", reductions.dtype_of(target))
    if "casting" in call.values:
        known = call.typed("casting").known
        if known is None or known.value != "same_kind":
            call.refuse("only the casting 'same_kind' is built", call.nodes["casting"])
        call.drop("casting")
    if call.is_given("where"):
        apply = call.context.apply
        source = apply(call.node, elementwise.WHERE, reductions.mask(call), source, target)
    call.context.check_op(call.node, arrays.ASSIGN, target, source)
    effect = Apply(arrays.ASSIGN, (target, source), {}, NONE)
    return call.result(After((effect,), Literal(None, NONE), NONE))


# ----------------------------------------------------------------------------- slices in and out


def _axis(call: LibraryCall) -> tuple[Computation, int | None]:
    """Return the array and the axis, None where its elements are one axis."""
    value = call.array("arr")
    axis = reductions.one_axis(call, reductions.rank_of(value))
    return (reductions.flattened(call, value), None) if axis is None else (value, axis)


def _delete(call: LibraryCall) -> Typed:
    value, axis = _axis(call)
    if is_index_part(call.typed("obj").type):
        part = call.operand("obj")
        return call.result(call.standard("placing", "delete_part", value, part, axis=axis))
    found = call.numeric("obj")
    if not isinstance(found.type, TensorType):
        place = int_size(call, found, call.nodes["obj"])
        return call.result(call.standard("placing", "delete_one", value, place, axis=axis))
    if reductions.dtype_of(found) is DType.B1:
        if reductions.rank_of(found) != 1:
            call.refuse("a mask with one axis is needed", call.nodes["obj"])
        return call.result(call.standard("placing", "delete_where", value, found, axis=axis))
    places = _indices(call, "obj")
    return call.result(call.standard("placing", "delete", value, places, axis=axis))


def _insert(call: LibraryCall) -> Typed:
    value, axis = _axis(call)
    values = call.as_array(stored_in(call, "values", reductions.dtype_of(value)))
    rank = reductions.rank_of(value)
    if reductions.rank_of(values) > rank:
        call.refuse(f"values with at most {rank} axes are built", call.nodes["values"])
    values = array_parts.view(call, values, "n" * (rank - reductions.rank_of(values)))
    found = call.numeric("obj")
    if not isinstance(found.type, TensorType):
        place = int_size(call, found, call.nodes["obj"])
        return call.result(call.standard("placing", "insert_at", value, place, values, axis=axis))
    if reductions.rank_of(found) != 1 or reductions.dtype_of(found).kind not in "iu":
        call.refuse("places are ints along one axis", call.nodes["obj"])
    values = reductions.moved(call, values, axis or 0, 0)
    places = converted(found, DType.I64)
    return call.result(call.standard("placing", "insert", value, places, values, axis=axis))


# ------------------------------------------------------------------------------------- one of many


def _choices(call: LibraryCall, name: str) -> list[Computation]:
    """Return arrays or numbers that are written in place."""
    if name not in call.displays:
        call.refuse(f"{name} must be written in place", call.nodes[name], "[a, b, c]")
    found = [item for item, _ in call.items(name)]
    if not found:
        call.refuse("at least one item is needed", call.nodes[name])
    return found


def _choose(call: LibraryCall) -> Typed:
    index = as_numpy(call.numeric("a"))
    if reductions.dtype_of(index).kind not in "iu":
        call.refuse("the array must hold ints", call.nodes["a"])
    choices = common(list(map(as_numpy, _choices(call, "choices"))), common_dtype)
    mode = array_parts.index_mode(call)
    apply, at = call.context.apply, call.node
    index = converted(index, DType.I64)
    count = array_parts.number(len(choices))
    if mode == "raise":
        check = call.standard("placing", "require_entries", call.as_array(index), count)
        index = After((check,), index, index.type)
    else:
        index = call.standard("placing", "inside", index, count, mode=mode)
    found = call.as_array(choices[-1])
    for k in reversed(range(len(choices) - 1)):
        chosen = apply(at, elementwise.EQ, index, Literal(k, DType.I64))
        found = apply(at, elementwise.WHERE, chosen, choices[k], found)
    if len(choices) == 1:
        never = apply(at, elementwise.NE, index, index)
        found = apply(at, elementwise.WHERE, never, found, found)
    return call.result(found)


def _select(call: LibraryCall) -> Typed:
    conditions, choices = _choices(call, "condlist"), _choices(call, "choicelist")
    if len(conditions) != len(choices):
        call.refuse("as many choices as conditions are needed", call.nodes["choicelist"])
    for condition in conditions:
        if (
            not isinstance(condition.type, TensorType)
            or reductions.dtype_of(condition) is not DType.B1
        ):
            call.refuse("the conditions must be arrays of truth values", call.nodes["condlist"])
    default = call.operand("default") if "default" in call.values else Literal(0, INT)
    *values, found = common([*choices, default], common_dtype)
    apply, at = call.context.apply, call.node
    for condition, value in reversed(list(zip(conditions, values, strict=True))):
        found = apply(at, elementwise.WHERE, condition, value, found)
    return call.result(found)


# --------------------------------------------------------------------------- places in several axes


def _ix(call: LibraryCall) -> Typed:
    """Check np.ix_, whose arrays pick the crossings of rows, columns and so on."""
    lines: list[Computation] = []
    for name in call.values:
        value = call.array(name)
        if reductions.rank_of(value) != 1:
            call.refuse("each argument must have one axis", call.nodes[name])
        lines.append(nonzero(call, value)[0] if reductions.dtype_of(value) is DType.B1 else value)
    count = len(lines)
    found = [
        array_parts.view(call, line, "n" * i + "s" + "n" * (count - 1 - i), *array_parts.WHOLE)
        for i, line in enumerate(lines)
    ]
    return call.apply(data.TUPLE, *found)


def _shape(call: LibraryCall, name: str) -> list[Computation]:
    at = call.nodes[name]
    return [int_size(call, size, at) for size, _ in call.items(name)]


def _unravel_index(call: LibraryCall) -> Typed:
    index = call.numeric("indices")
    if reductions.dtype_of(as_numpy(index)).kind not in "iu":
        call.refuse(f"indices must be ints, not {index.type}", call.nodes["indices"])
    index = converted(index, DType.I64)
    sizes = _shape(call, "shape")
    total: Computation = array_parts.number(1)
    for size in sizes:
        total = array_parts.times(call, total, size)
    check = call.standard("placing", "require_flat", call.as_array(index), total)
    rest: Computation = After((check,), index, index.type)
    apply, at = call.context.apply, call.node
    places: list[Computation] = []
    for size in reversed(sizes):
        divisor = converted(size, DType.I64)
        places.insert(0, apply(at, elementwise.MOD, rest, divisor))
        rest = apply(at, elementwise.FLOORDIV, rest, divisor)
    return call.apply(data.TUPLE, *places)


def _ravel_multi_index(call: LibraryCall) -> Typed:
    indices = [as_numpy(item) for item, _ in call.items("multi_index")]
    sizes = _shape(call, "dims")
    if len(indices) != len(sizes):
        call.refuse(f"{len(indices)} indices for {len(sizes)} sizes", call.nodes["multi_index"])
    mode = array_parts.index_mode(call)
    found: Computation = Literal(0, DType.I64)
    if not _make_a_space([known for _, known in call.items("dims")]):
        dims = call.context.apply(call.node, data.TUPLE, *sizes)
        check = call.standard("placing", "require_space", dims)
        found = After((check,), found, DType.I64)
    for index, size in zip(indices, sizes, strict=True):
        if reductions.dtype_of(index).kind not in "iu":
            call.refuse(f"indices must be ints, not {index.type}", call.nodes["multi_index"])
        place = converted(index, DType.I64)
        place = call.standard("placing", "coordinate", place, size, mode=mode)
        found = array_parts.times(call, found, converted(size, DType.I64))
        found = call.context.apply(call.node, elementwise.ADD, found, place)
    return call.result(found)


def _make_a_space(sizes: Sequence[int | None]) -> bool:
    """Whether sizes are known, and so is that an array may have them."""
    known = [size for size in sizes if size is not None and size > 0]
    return len(known) == len(sizes) and math.prod(known) <= INT_MAX


def _fill_diagonal(call: LibraryCall) -> Typed:
    value = call.array("a")
    if reductions.rank_of(value) < 2:
        call.refuse("array must be at least 2-d", call.nodes["a"])
    source = stored_in(call, "val", reductions.dtype_of(value))
    several = isinstance(source.type, TensorType)
    if several and reductions.rank_of(value) > 2:
        call.refuse("several values for more than two axes are not built", call.nodes["val"])
    name = "fill_diagonal_with" if several else "fill_diagonal"
    wrap = call.flag("wrap")
    return call.result(call.standard("placing", name, value, source, wrap=wrap))


def _diagonal_places(call: LibraryCall, size: Computation, count: int) -> Typed:
    line = creation.count_to(call, size)
    return call.apply(data.TUPLE, *[line] * count)


def _diag_indices(call: LibraryCall) -> Typed:
    size = int_size(call, call.operand("n"), call.nodes["n"])
    return _diagonal_places(call, size, call.constant_int("ndim", 2))


def _diag_indices_from(call: LibraryCall) -> Typed:
    value = call.array("arr")
    if reductions.rank_of(value) < 2:
        call.refuse("input array must be at least 2-d", call.nodes["arr"])
    sizes = array_parts.sizes_of(call, value)
    size = call.standard(
        "placing", "common_size", call.context.apply(call.node, data.TUPLE, *sizes)
    )
    return _diagonal_places(call, size, len(sizes))


def _offset(call: LibraryCall) -> Computation:
    return (
        int_size(call, call.operand("k"), call.nodes["k"])
        if "k" in call.values
        else array_parts.number(0)
    )


def _triangle(*, lower: bool) -> ufuncs.Checker:
    """Return the check of np.tril_indices or np.triu_indices."""

    def check(call: LibraryCall) -> Typed:
        rows = int_size(call, call.operand("n"), call.nodes["n"])
        columns = rows
        if call.is_given("m"):
            columns = int_size(call, call.operand("m"), call.nodes["m"])
        sizes = (rows, columns, _offset(call))
        return call.result(call.standard("placing", "triangle", *sizes, lower=lower))

    return check


def _triangle_from(*, lower: bool) -> ufuncs.Checker:
    def check(call: LibraryCall) -> Typed:
        value = call.array("arr")
        if reductions.rank_of(value) != 2:
            call.refuse("input array must be 2-d", call.nodes["arr"])
        sizes = (*array_parts.sizes_of(call, value), _offset(call))
        return call.result(call.standard("placing", "triangle", *sizes, lower=lower))

    return check


def _library(name: str, check: ufuncs.Checker, *names: str, required: int = 1) -> Library:
    return Library(f"np.{name}", names, required, check, displays=True)


_CHOOSE = ("a", "choices", "out", "mode")
_ALONG = ("arr", "indices", "axis")
TABLE: Mapping[object, Library] = {
    np.take_along_axis: _library("take_along_axis", _take_along_axis, *_ALONG, required=2),
    np.put_along_axis: _library(
        "put_along_axis", _put_along_axis, "arr", "indices", "values", "axis", required=4
    ),
    np.compress: table_row(
        "compress", "placing", "compress", _truths("condition"), array("a"), axis_of("a")
    ),
    np.extract: table_row("extract", "placing", "extract", _truths("condition"), array("arr")),
    np.place: table_row(
        "place", "placing", "place", _written("arr"), _truths("mask"), fitting("vals", "arr")
    ),
    np.putmask: table_row(
        "putmask", "placing", "putmask", _written("a"), _truths("mask"), fitting("values", "a")
    ),
    np.put: _library("put", _put, "a", "ind", "v", "mode", required=3),
    np.copyto: _library("copyto", _copyto, "dst", "src", "casting", "where", required=2),
    np.delete: _library("delete", _delete, "arr", "obj", "axis", required=2),
    np.insert: _library("insert", _insert, "arr", "obj", "values", "axis", required=3),
    np.choose: _library("choose", into_out(_choose), *_CHOOSE, required=2),
    np.select: _library("select", _select, "condlist", "choicelist", "default", required=2),
    np.ix_: Library("np.ix_", ("args",), 1, _ix, variadic=True, displays=True),
    np.unravel_index: _library("unravel_index", _unravel_index, "indices", "shape", required=2),
    np.ravel_multi_index: _library(
        "ravel_multi_index", _ravel_multi_index, "multi_index", "dims", "mode", required=2
    ),
    np.fill_diagonal: _library("fill_diagonal", _fill_diagonal, "a", "val", "wrap", required=2),
    np.diag_indices: _library("diag_indices", _diag_indices, "n", "ndim"),
    np.diag_indices_from: _library("diag_indices_from", _diag_indices_from, "arr"),
    np.tril_indices: _library("tril_indices", _triangle(lower=True), "n", "k", "m"),
    np.triu_indices: _library("triu_indices", _triangle(lower=False), "n", "k", "m"),
    np.tril_indices_from: _library("tril_indices_from", _triangle_from(lower=True), "arr", "k"),
    np.triu_indices_from: _library("triu_indices_from", _triangle_from(lower=False), "arr", "k"),
}
METHODS: Mapping[str, Library] = {
    "compress": Library("array.compress", ("a", "condition", "axis"), 2, TABLE[np.compress].check),
    "put": Library(
        "array.put", ("a", "indices", "values", "mode"), 3, _put_by_method, displays=True
    ),
    "choose": Library("array.choose", _CHOOSE, 2, into_out(_choose), displays=True),
}
