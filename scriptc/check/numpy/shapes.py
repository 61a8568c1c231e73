"""NumPy's functions that see an array in another way: reshaped, axes moved, turned around."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from scriptc.check.bindings import Typed
from scriptc.check.checked import Check, Computation, Literal
from scriptc.check.library.call import Library, LibraryCall
from scriptc.check.numpy import array_parts, layouts, reductions, ufuncs
from scriptc_runtime.ops import arrays, data, elementwise
from scriptc_runtime.types import NONE, TensorType


def _spread_sizes(call: LibraryCall) -> list[Computation]:
    """Return the sizes of a method that takes them one by one, or as one tuple."""
    names = [name for name in call.values if name not in ("a", "order")]
    return [size for name in names for size in array_parts.asked_sizes(call, name)]


def _in_shape(call: LibraryCall, value: Computation, sizes: Sequence[Computation]) -> Computation:
    if not layouts.columns_first(call):
        return array_parts.reshaped(call, value, sizes)
    return layouts.transposed(
        call, array_parts.reshaped(call, layouts.transposed(call, value), sizes[::-1])
    )


def _reshape(call: LibraryCall) -> Typed:
    return call.result(_in_shape(call, call.array("a"), array_parts.asked_sizes(call, "shape")))


def _reshape_method(call: LibraryCall) -> Typed:
    return call.result(_in_shape(call, call.array("a"), _spread_sizes(call)))


def _ravel(call: LibraryCall) -> Typed:
    value = call.array("a")
    if layouts.columns_first(call):
        value = layouts.transposed(call, value)
    return call.result(array_parts.reshaped(call, value, [array_parts.number(-1)], dense=True))


def _flatten(call: LibraryCall) -> Typed:
    value = call.array("a")
    if layouts.columns_first(call):
        value = layouts.transposed(call, value)
    copy = call.context.apply(call.node, arrays.COPY, value)
    return call.result(array_parts.reshaped(call, copy, [array_parts.number(-1)], dense=True))


def _turned(call: LibraryCall, value: Computation, order: Sequence[int]) -> Typed:
    return call.apply(arrays.TRANSPOSE, value, order=tuple(order))


def _transpose(call: LibraryCall) -> Typed:
    value = call.array("a")
    rank = reductions.rank_of(value)
    if not call.is_given("axes"):
        return _turned(call, value, range(rank)[::-1])
    return _in_order(call, value, array_parts.constant_axes(call, "axes", rank))


def _transpose_method(call: LibraryCall) -> Typed:
    value = call.array("a")
    rank = reductions.rank_of(value)
    names = [name for name in list(call.values) if name != "a" and call.is_given(name)]
    if not names:
        return _turned(call, value, range(rank)[::-1])
    order = [axis for name in names for axis in array_parts.constant_axes(call, name, rank)]
    return _in_order(call, value, order)


def _in_order(call: LibraryCall, value: Computation, order: Sequence[int]) -> Typed:
    if sorted(order) != list(range(reductions.rank_of(value))):
        call.context.fail(
            "dims",
            f"{call.name}: the axes {tuple(order)} are no order of those of {value.type}",
            call.node,
            instead="name each axis once",
        )
    return _turned(call, value, order)


def _one_of(call: LibraryCall, name: str, rank: int) -> int:
    axes = array_parts.constant_axes(call, name, rank)
    if len(axes) != 1:
        call.refuse(f"{name} is one axis, not {len(axes)}", call.nodes[name], f"{name}=0")
    return axes[0]


def _swapaxes(call: LibraryCall) -> Typed:
    value = call.array("a")
    rank = reductions.rank_of(value)
    first, second = _one_of(call, "axis1", rank), _one_of(call, "axis2", rank)
    order = list(range(rank))
    order[first], order[second] = second, first
    return _turned(call, value, order)


def _moveaxis(call: LibraryCall) -> Typed:
    value = call.array("a")
    rank = reductions.rank_of(value)
    source = array_parts.constant_axes(call, "source", rank)
    target = array_parts.constant_axes(call, "destination", rank)
    if len(source) != len(target) or len(set(source)) != len(source):
        call.refuse("as many different axes must be named before and after")
    order = [axis for axis in range(rank) if axis not in source]
    for place, axis in sorted(zip(target, source, strict=True)):
        order.insert(place, axis)
    return _in_order(call, value, order)


def _squeeze(call: LibraryCall) -> Typed:
    value = call.array("a")
    assert isinstance(value.type, TensorType)
    dims = value.type.dims
    if not call.is_given("axis"):
        axes = [i for i, dim in enumerate(dims) if dim.is_constant and dim.constant == 1]
        if any(not dim.is_constant for dim in dims):
            call.refuse(
                "which axes have size 1 is not known when the program is compiled",
                instead="name them: axis=0",
            )
    else:
        axes = array_parts.constant_axes(call, "axis", len(dims))
    for axis in axes:
        single = call.context.apply(
            call.node, elementwise.EQ, array_parts.size_of(call, value, axis), array_parts.number(1)
        )
        message = "cannot select an axis to squeeze out which has size not equal to one"
        value = Check(single, "ValueError", message, value, value.type)
    letters = "".join("i" if axis in axes else "s" for axis in range(len(dims)))
    indices = [
        i
        for letter in letters
        for i in ([array_parts.number(0)] if letter == "i" else array_parts.WHOLE)
    ]
    return call.result(array_parts.view(call, value, letters, *indices))


def _expand_dims(call: LibraryCall) -> Typed:
    value = call.array("a")
    added = len(call.items("axis"))
    axes = array_parts.constant_axes(call, "axis", reductions.rank_of(value) + added)
    letters = "".join("n" if i in axes else "s" for i in range(reductions.rank_of(value) + added))
    return call.result(
        array_parts.view(call, value, letters, *array_parts.WHOLE * reductions.rank_of(value))
    )


def _flipped(call: LibraryCall, value: Computation, axes: Sequence[int]) -> Computation:
    none = Literal(None, NONE)
    indices = [
        i
        for axis in range(reductions.rank_of(value))
        for i in ((none, none, array_parts.number(-1)) if axis in axes else array_parts.WHOLE)
    ]
    return array_parts.view(call, value, "s" * reductions.rank_of(value), *indices)


def _flip(call: LibraryCall) -> Typed:
    value = call.array("m")
    rank = reductions.rank_of(value)
    axes = array_parts.constant_axes(call, "axis", rank) if call.is_given("axis") else range(rank)
    return call.result(_flipped(call, value, list(axes)))


def _flip_one(axis: int) -> ufuncs.Checker:
    def check(call: LibraryCall) -> Typed:
        value = call.array("m")
        if reductions.rank_of(value) <= axis:
            call.refuse(f"an array with {axis + 1} axes is needed", call.nodes["m"])
        return call.result(_flipped(call, value, [axis]))

    return check


def _rot90(call: LibraryCall) -> Typed:
    value = call.array("m")
    rank = reductions.rank_of(value)
    axes = array_parts.constant_axes(call, "axes", rank) if "axes" in call.values else [0, 1]
    if len(axes) != 2 or axes[0] == axes[1] or rank < 2:
        call.refuse("two different axes are needed", call.nodes["m"])
    first, second = axes
    order = list(range(rank))
    order[first], order[second] = second, first
    turned = call.context.apply(call.node, arrays.TRANSPOSE, value, order=tuple(order))
    match call.constant_int("k", 1) % 4:
        case 1:
            value = _flipped(call, turned, [first])
        case 2:
            value = _flipped(call, value, [first, second])
        case 3:
            value = _flipped(call, turned, [second])
        case _:
            value = _flipped(call, value, [])
    return call.result(value)


def _rollaxis(call: LibraryCall) -> Typed:
    value = call.array("a")
    rank = reductions.rank_of(value)
    axis = _one_of(call, "axis", rank)
    start = call.constant_int("start", 0)
    if not -rank <= start <= rank:
        call.refuse(f"start is between {-rank} and {rank}", call.nodes["start"])
    start = start + rank if start < 0 else start
    order = [other for other in range(rank) if other != axis]
    order.insert(start - 1 if axis < start else start, axis)
    return _turned(call, value, order)


def _matrix_transpose(call: LibraryCall) -> Typed:
    value = call.array("x")
    rank = reductions.rank_of(value)
    if rank < 2:
        call.refuse("an array with two axes or more is needed", call.nodes["x"])
    return _turned(call, value, [*range(rank - 2), rank - 1, rank - 2])


def deep(call: LibraryCall, value: Computation) -> Computation:
    """Return an array with at least three axes, as np.atleast_3d adds them."""
    letters = {0: "nnn", 1: "nsn", 2: "ssn"}.get(reductions.rank_of(value))
    return (
        array_parts.view(call, value, letters, *array_parts.WHOLE * reductions.rank_of(value))
        if letters
        else value
    )


def _at_least(rank: int) -> ufuncs.Checker:
    """Return the check of np.atleast_1d and its like, of one array or of several."""

    def check(call: LibraryCall) -> Typed:
        values = [call.array(name) for name in call.values]
        found = [
            deep(call, v) if rank == 3 else array_parts.at_least(call, v, rank) for v in values
        ]
        return call.result(found[0]) if len(found) == 1 else call.apply(data.TUPLE, *found)

    return check


def _spread_library(name: str, check: ufuncs.Checker) -> Library:
    return Library(f"np.{name}", ("arys",), 1, check, variadic=True, displays=True)


def _library(name: str, check: ufuncs.Checker, *names: str, required: int = 1) -> Library:
    return Library(f"np.{name}", names, required, check, displays=True)


def _method(
    name: str,
    check: ufuncs.Checker,
    *names: str,
    variadic: bool = False,
    options: tuple[str, ...] = (),
) -> Library:
    names = ("a", *names)
    return Library(f"array.{name}", names, 1, check, variadic, options, displays=True)


TABLE: Mapping[object, Library] = {
    np.reshape: _library("reshape", _reshape, "a", "shape", "order", required=2),
    np.ravel: _library("ravel", _ravel, "a", "order"),
    np.transpose: _library("transpose", _transpose, "a", "axes"),
    np.swapaxes: _library("swapaxes", _swapaxes, "a", "axis1", "axis2", required=3),
    np.moveaxis: _library("moveaxis", _moveaxis, "a", "source", "destination", required=3),
    np.squeeze: _library("squeeze", _squeeze, "a", "axis"),
    np.expand_dims: _library("expand_dims", _expand_dims, "a", "axis", required=2),
    np.flip: _library("flip", _flip, "m", "axis"),
    np.flipud: _library("flipud", _flip_one(0), "m"),
    np.fliplr: _library("fliplr", _flip_one(1), "m"),
    np.rot90: _library("rot90", _rot90, "m", "k", "axes"),
    np.rollaxis: _library("rollaxis", _rollaxis, "a", "axis", "start", required=2),
    np.matrix_transpose: _library("matrix_transpose", _matrix_transpose, "x"),
    np.atleast_1d: _spread_library("atleast_1d", _at_least(1)),
    np.atleast_2d: _spread_library("atleast_2d", _at_least(2)),
    np.atleast_3d: _spread_library("atleast_3d", _at_least(3)),
}
METHODS: Mapping[str, Library] = {
    "reshape": _method("reshape", _reshape_method, "shape", variadic=True, options=("order",)),
    "ravel": _method("ravel", _ravel, "order"),
    "flatten": _method("flatten", _flatten, "order"),
    "transpose": _method("transpose", _transpose_method, "axes", variadic=True),
    "swapaxes": Library("array.swapaxes", ("a", "axis1", "axis2"), 3, _swapaxes),
    "squeeze": _method("squeeze", _squeeze, "axis"),
}
