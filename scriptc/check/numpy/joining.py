"""NumPy's functions that put arrays together from parts: joined, repeated, padded.

Each is a new array whose parts are assigned in turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Literal
from scriptc.check.context import Context
from scriptc.check.conversion import converted
from scriptc.check.library.call import Library, LibraryCall, common, int_size, into_out
from scriptc.check.library.call_site import Display
from scriptc.check.numpy import array_parts, reductions, sequences, structured, ufuncs
from scriptc.check.numpy.grids import line_of_slice
from scriptc.check.numpy.shapes import deep
from scriptc.check.operators import common_dtype
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import arrays, data, elementwise, joining
from scriptc_runtime.types import INT, DType, ListType, TensorType, TupleType

_SOME = 1 << 20  # copies of nothing, which take no memory


def _arrays(call: LibraryCall, name: str) -> list[Computation]:
    """Return the arrays of a tuple or list written in place, or of a tuple."""
    value = call.values[name]
    if isinstance(value, Typed) and isinstance(value.type, ListType | TensorType):
        call.refuse(
            f"{name} must be a tuple of arrays, not {value.type}",
            call.nodes[name],
            "write the arrays in place: (a, b)",
        )
    found = [call.as_array(_part(call, row, name)) for row in call.rows(name)]
    if not found:
        call.refuse("at least one array is needed", call.nodes[name])
    return found


def _part(call: LibraryCall, row: Display | n.Expression | Computation, name: str) -> Computation:
    """Return one of several arrays; numbers in a list are one, too."""
    at = call.nodes[name]
    if isinstance(row, Display):
        return sequences.array_of(call, row, at)
    return sequences.array_with_dtype(
        call, call.leaf(row) if isinstance(row, n.Expression) else row, at
    )


def _listed(call: LibraryCall, name: str) -> TensorType | None:
    """Return the type of the arrays in a list whose length is known when it runs, if it is one."""
    value = call.values[name]
    if name in call.displays or not isinstance(value, Typed):
        return None
    type_ = value.type
    if isinstance(type_, ListType) and isinstance(type_.item, TensorType):
        return type_.item
    return None


def _list_joined(call: LibraryCall, name: str, axis: int) -> Typed:
    """Return the arrays of a list behind each other."""
    return call.result(call.standard("making", "concatenated", call.operand(name), axis=axis))


def _list_stacked(call: LibraryCall, name: str, axis: int) -> Typed:
    """Return the arrays of a list along a new axis."""
    return call.result(call.standard("making", "stacked", call.operand(name), axis=axis))


def _joined(
    call: LibraryCall, parts: Sequence[Computation], axis: int, kind: str = joining.CONCATENATE
) -> Computation:
    """Return a new array with `parts` behind each other along an axis."""
    ranks = {reductions.rank_of(part) for part in parts}
    if len(ranks) != 1:
        call.context.fail(
            "dims",
            f"{call.name}: the arrays have {' and '.join(map(str, sorted(ranks)))} axes",
            call.node,
            instead="give all of them as many axes: x[None]",
        )
    if ranks == {0} and kind == joining.CONCATENATE:
        call.refuse("arrays without axes cannot be concatenated")
    parts = common(parts, common_dtype)
    return call.context.apply(call.node, joining.JOIN, *parts, axis=axis, kind=kind)


def _concatenate(call: LibraryCall) -> Typed:
    if (made := structured.joined(call, "arrays")) is not None:
        return call.result(made)
    if listed := _listed(call, "arrays"):
        axis = reductions.one_axis(call, listed.rank, 0)
        if axis is None:
            call.refuse("axis None of a list is not built", call.nodes["axis"])
        if call.is_given("dtype"):
            call.refuse("dtype is not built for a list", call.nodes["dtype"], "x.astype(...)")
        return _list_joined(call, "arrays", axis)
    return call.result(_joined_along(call, _in_dtype(call, _arrays(call, "arrays")), 0))


def _in_dtype(call: LibraryCall, parts: list[Computation]) -> list[Computation]:
    """Return arrays with elements of the argument `dtype`, where that is given."""
    if not call.is_given("dtype"):
        return parts
    if len(call.node.args) > 3:
        call.refuse("dtype is given by name", call.nodes["dtype"], "dtype=...")
    wanted = call.dtype("dtype", reductions.dtype_of(parts[0]))
    for part in parts:
        if not np.can_cast(reductions.dtype_of(part).numpy, wanted.numpy, "same_kind"):
            what = f"{part.type} is not converted to {wanted} here"
            call.refuse(what, call.nodes["dtype"], "convert it before: x.astype(...)")
    return [converted(part, wanted) for part in parts]


def _append(call: LibraryCall) -> Typed:
    return call.result(_joined_along(call, [call.array("arr"), call.array("values")], None))


def _joined_along(call: LibraryCall, parts: list[Computation], default: int | None) -> Computation:
    """Return arrays joined along the constant `axis`; where that is None, all their elements."""
    axis = reductions.one_axis(call, reductions.rank_of(parts[0]), default)
    if axis is None:
        parts, axis = [reductions.flattened(call, part) for part in parts], 0
    return _joined(call, parts, axis)


def _new_axis(call: LibraryCall, rank: int) -> int:
    axis = reductions.one_axis(call, rank, 0)
    if axis is None:
        call.refuse("axis is a number", call.nodes["axis"], "axis=0")
    return axis


def _stack(call: LibraryCall) -> Typed:
    if listed := _listed(call, "arrays"):
        return _list_stacked(call, "arrays", _new_axis(call, listed.rank + 1))
    parts = _arrays(call, "arrays")
    axis = _new_axis(call, reductions.rank_of(parts[0]) + 1)
    return call.result(_joined(call, parts, axis, joining.STACK))


def _hstack(call: LibraryCall) -> Typed:
    if listed := _listed(call, "tup"):
        return _list_joined(call, "tup", 0 if listed.rank == 1 else 1)
    parts = [array_parts.at_least(call, part, 1) for part in _arrays(call, "tup")]
    return call.result(_joined(call, parts, 0 if reductions.rank_of(parts[0]) == 1 else 1))


def _vstack(call: LibraryCall) -> Typed:
    if listed := _listed(call, "tup"):
        join = _list_stacked if listed.rank == 1 else _list_joined
        return join(call, "tup", 0)
    parts = _arrays(call, "tup")
    if all(reductions.rank_of(part) == 1 for part in parts):
        return call.result(_joined(call, parts, 0, joining.EXPAND))
    return call.result(_joined(call, [array_parts.at_least(call, part, 2) for part in parts], 0))


def _column_stack(call: LibraryCall) -> Typed:
    if listed := _listed(call, "tup"):
        join = _list_stacked if listed.rank == 1 else _list_joined
        return join(call, "tup", 1)
    parts = [array_parts.at_least(call, part, 1) for part in _arrays(call, "tup")]
    if all(reductions.rank_of(part) == 1 for part in parts):
        return call.result(_joined(call, parts, 1, joining.EXPAND))
    columns = [
        array_parts.with_axis(call, p, 1) if reductions.rank_of(p) == 1 else p for p in parts
    ]
    return call.result(_joined(call, columns, 1))


def _dstack(call: LibraryCall) -> Typed:
    parts = [deep(call, part) for part in _arrays(call, "tup")]
    return call.result(_joined(call, parts, 2))


def _block(call: LibraryCall) -> Typed:
    """Check np.block: lists written in place are joined, the inner ones along the last axis."""
    if "arrays" not in call.displays:
        if not isinstance(call.typed("arrays").type, TensorType):
            at = call.nodes["arrays"]
            call.refuse("the blocks must be written in place", at, "[[a, b], [c, d]]")
        return call.apply(arrays.COPY, call.array("arrays"))
    display = call.displays["arrays"]
    depth = _depth(call, display)
    ranks = [reductions.rank_of(call.as_array(call.leaf(leaf))) for leaf in display.leaves()]
    return call.result(_blocks(call, display, depth, max([depth, *ranks])))


def _depth(call: LibraryCall, item: Display | n.Expression) -> int:
    if not isinstance(item, Display):
        return 0
    depths = {_depth(call, inner) for inner in item.items}
    if len(depths) != 1:
        call.refuse("lists of blocks have one depth, and none is empty", call.nodes["arrays"])
    return 1 + depths.pop()


def _blocks(call: LibraryCall, item: Display | n.Expression, depth: int, rank: int) -> Computation:
    if not isinstance(item, Display):
        return array_parts.at_least(call, call.as_array(call.leaf(item)), rank)
    parts = [_blocks(call, inner, depth - 1, rank) for inner in item.items]
    return _joined(call, parts, rank - depth)


# -------------------------------------------------------------------------------------- repeated


def _repeat(call: LibraryCall) -> Typed:
    value = call.array("a")
    value, axis = reductions.along_axis(call, value)
    repeats = call.operand("repeats")
    if isinstance(repeats.type, TensorType | ListType) or "repeats" in call.displays:
        return call.result(_repeated(call, value, axis))
    sizes = array_parts.sizes_of(call, value)
    known = call.known_int("repeats")
    asked = (
        int_size(call, repeats, call.nodes["repeats"])
        if known is None
        else array_parts.number(known)
    )
    count = _copies(call, asked, sizes[axis])
    spread = array_parts.empty(
        call, reductions.dtype_of(value), [*sizes[: axis + 1], count, *sizes[axis + 1 :]]
    )
    filled = array_parts.written(call, spread, spread, array_parts.with_axis(call, value, axis + 1))
    sizes[axis] = array_parts.times(call, sizes[axis], count)
    return call.result(array_parts.reshaped(call, filled, sizes))


def _repeated(call: LibraryCall, value: Computation, axis: int) -> Computation:
    """Return the rows along an axis, each as often as its own count says."""
    counts = call.array("repeats")
    if reductions.rank_of(counts) != 1 or reductions.dtype_of(counts).kind not in "iu":
        call.refuse("the counts must be ints along one axis", call.nodes["repeats"])
    rows = reductions.moved(call, value, axis, 0)
    found = call.standard("curves", "repeated", rows, converted(counts, DType.I64))
    return reductions.moved_back(call, found, 0, axis)


def _copies(call: LibraryCall, count: Computation, size: Computation) -> Computation:
    """Return how often elements are repeated: where there is none, NumPy takes any number."""
    if isinstance(count, Literal) and type(count.value) is int and 0 <= count.value < _SOME:
        return count
    some = call.context.apply(call.node, elementwise.GT, size, array_parts.number(0))
    return array_parts.times(call, count, converted(some, INT))


def _tile(call: LibraryCall) -> Typed:
    value = call.array("A")
    counts = array_parts.asked_sizes(call, "reps")
    rank = max(reductions.rank_of(value), len(counts))
    counts = [array_parts.number(1)] * (rank - len(counts)) + counts
    value = array_parts.at_least(call, value, rank)
    sizes = array_parts.sizes_of(call, value)
    counts = [_copies(call, c, s) for c, s in zip(counts, sizes, strict=True)]
    pairs = [size for pair in zip(counts, sizes, strict=True) for size in pair]
    spread = array_parts.empty(call, reductions.dtype_of(value), pairs)
    filled = array_parts.written(
        call, spread, spread, array_parts.view(call, value, "ns" * rank, *array_parts.WHOLE * rank)
    )
    whole = [array_parts.times(call, c, s) for c, s in zip(counts, sizes, strict=True)]
    return call.result(array_parts.reshaped(call, filled, whole))


def _roll(call: LibraryCall) -> Typed:
    value = call.array("a")
    if call.is_given("axis") and isinstance(call.typed("axis").type, TupleType):
        return call.result(_rolled_along(call, value))
    shift = int_size(call, call.operand("shift"), call.nodes["shift"])
    axis = reductions.one_axis(
        call, reductions.rank_of(value), 0 if reductions.rank_of(value) == 1 else None
    )
    if axis is not None:
        return call.result(rolled(call, value, axis, shift))
    line = rolled(call, reductions.flattened(call, value), 0, shift)
    return call.result(array_parts.reshaped(call, line, array_parts.sizes_of(call, value)))


def _rolled_along(call: LibraryCall, value: Computation) -> Computation:
    """Return elements that move along several axes in turn."""
    axes = array_parts.constant_axes(call, "axis", reductions.rank_of(value))
    at = call.nodes["shift"]
    shifts = [int_size(call, shift, at) for shift, _ in call.items("shift")]
    shifts = shifts * len(axes) if len(shifts) == 1 else shifts
    if len(shifts) != len(axes):
        call.refuse(f"{len(shifts)} shifts for {len(axes)} axes", at)
    for axis, shift in zip(axes, shifts, strict=True):
        value = rolled(call, value, axis, shift)
    return value


def _resize(call: LibraryCall) -> Typed:
    value = reductions.flattened(call, call.array("a"))
    sizes = array_parts.asked_sizes(call, "new_shape")
    if sizes:
        sizes = array_parts.no_negative(
            call, sizes, "all elements of `new_shape` must be non-negative"
        )
    total: Computation = array_parts.number(1)
    for size in sizes:
        total = array_parts.times(call, total, size)
    return call.result(
        array_parts.reshaped(call, call.standard("shapes", "again", value, total), sizes)
    )


def _broadcast_arrays(call: LibraryCall) -> Typed:
    """Check np.broadcast_arrays: new arrays, which may be written."""
    parts = [call.array(name) for name in call.values]
    if not parts:
        call.refuse("it needs an array", instead="np.broadcast_arrays(x, y)")
    apply, at = call.context.apply, call.node
    same = [call.as_array(apply(at, elementwise.EQ, part, part)) for part in parts]
    shape = same[0]
    for other in same[1:]:
        shape = call.as_array(apply(at, elementwise.OR, shape, other))
    found = [
        array_parts.written(call, whole, whole, part)
        for part in parts
        for whole in [
            array_parts.empty(call, reductions.dtype_of(part), array_parts.sizes_of(call, shape))
        ]
    ]
    return call.apply(data.TUPLE, *found)


def _windows(call: LibraryCall) -> Typed:
    """Check sliding_window_view: a new array, where NumPy's must not be written."""
    value = call.array("x")
    axis = call.axis(reductions.rank_of(value))
    axes = tuple(range(reductions.rank_of(value))) if axis is None else axis
    sizes = array_parts.asked_sizes(call, "window_shape")
    axes = (axes,) if isinstance(axes, int) else axes
    if len(sizes) != len(axes):
        message = f"{len(sizes)} sizes of windows are given for {len(axes)} axes"
        call.refuse(message, call.nodes["window_shape"], "axis=0" if axis is None else "")
    for place, size in zip(axes, sizes, strict=True):
        rows = reductions.moved(call, value, place, -1)
        found = call.standard("shapes", "windows", rows, size)
        value = reductions.moved(call, found, reductions.rank_of(value) - 1, place)
    return call.result(value)


def rolled(call: LibraryCall, value: Computation, axis: int, shift: Computation) -> Computation:
    """Return elements `shift` places further on along an axis, the last ones in front."""
    return call.context.apply(call.node, joining.ROLL, value, shift, axis=axis)


def check_row(context: Context, node: n.Subscript, *, columns: bool) -> Typed:
    """Check `np.r_[a, 0, 1:5]`, or `np.c_[a, b]`, which joins lines as columns."""
    items = node.slice.elts if isinstance(node.slice, n.Tuple) else (node.slice,)
    name = "np.c_" if columns else "np.r_"
    call = LibraryCall(context, n.Call(node.lo, node.hi, node.value, (), ()), name)
    values: list[Computation] = []
    for place, item in enumerate(items):
        argument = f"x{place}"
        if isinstance(item, n.Slice):
            values.append(line_of_slice(call, item))
        elif isinstance(item, n.List):
            call.evaluate_display(argument, item)
            values.append(call.array(argument))
        else:
            call.evaluate(argument, item)
            values.append(call.numeric(argument))
    parts = [call.as_array(value) for value in common(values, common_dtype)]
    if columns and all(reductions.rank_of(part) == 1 for part in parts):
        return context.record(node, call.parts, _joined(call, parts, 1, joining.EXPAND))
    if columns:
        parts = [
            array_parts.with_axis(call, array_parts.at_least(call, p, 1), 1)
            if reductions.rank_of(p) < 2
            else p
            for p in parts
        ]
    else:
        parts = [array_parts.at_least(call, part, 1) for part in parts]
    joined = _joined(call, parts, reductions.rank_of(parts[0]) - 1 if columns else 0)
    return context.record(node, call.parts, joined)


def _library(name: str, check: ufuncs.Checker, *names: str, required: int = 1) -> Library:
    return Library(f"np.{name}", names, required, check, displays=True)


TABLE: Mapping[object, Library] = {
    np.concatenate: _library(
        "concatenate", into_out(_concatenate), "arrays", "axis", "out", "dtype"
    ),
    np.append: _library("append", _append, "arr", "values", "axis", required=2),
    np.stack: _library("stack", _stack, "arrays", "axis"),
    np.hstack: _library("hstack", _hstack, "tup"),
    np.vstack: _library("vstack", _vstack, "tup"),
    np.dstack: _library("dstack", _dstack, "tup"),
    np.block: _library("block", _block, "arrays"),
    np.resize: _library("resize", _resize, "a", "new_shape", required=2),
    np.lib.stride_tricks.sliding_window_view: Library(
        "sliding_window_view", ("x", "window_shape", "axis"), 2, _windows, displays=True
    ),
    np.broadcast_arrays: Library(
        "np.broadcast_arrays", ("args",), 1, _broadcast_arrays, variadic=True, displays=True
    ),
    np.column_stack: _library("column_stack", _column_stack, "tup"),
    np.repeat: _library("repeat", _repeat, "a", "repeats", "axis", required=2),
    np.tile: _library("tile", _tile, "A", "reps", required=2),
    np.roll: _library("roll", _roll, "a", "shift", "axis", required=2),
}
METHODS: Mapping[str, Library] = {
    "repeat": Library("array.repeat", ("a", "repeats", "axis"), 2, _repeat),
}
