"""NumPy's functions of points on lines: slopes, areas, polynomials, geometric sequences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Literal
from scriptc.check.conversion import converted
from scriptc.check.library.call import Library, LibraryCall, as_numpy, common, int_size
from scriptc.check.numpy import array_parts, reductions, ufuncs
from scriptc.check.operators import common_dtype
from scriptc_runtime.ops import arrays, data, elementwise
from scriptc_runtime.types import BOOL, FLOAT, DType, PyType, TensorType, element_of, is_complex


def _cross(call: LibraryCall) -> Typed:
    first, second = call.array("a"), call.array("b")
    axes: list[int] = []
    for value in (first, second):
        axis = reductions.one_axis(call, reductions.rank_of(value), -1)
        if axis is None or reductions.rank_of(value) == 0:
            call.refuse("arrays with an axis are needed")
        axes.append(axis % reductions.rank_of(value))
    if axes[0] - reductions.rank_of(first) != axes[1] - reductions.rank_of(second):
        call.refuse("an axis of arrays with as many axes is built", call.nodes["axis"])
    pair = common([first, second], common_dtype)
    if reductions.dtype_of(pair[0]) is DType.B1:
        call.refuse("NumPy does not subtract bools")
    turned = [
        reductions.moved(call, value, axis, -1) for value, axis in zip(pair, axes, strict=True)
    ]
    found = call.standard("curves", "cross", *turned)
    rank = reductions.rank_of(found)
    return call.result(
        reductions.moved(call, found, rank - 1, rank + axes[0] - reductions.rank_of(first))
    )


def _numbers(call: LibraryCall, name: str) -> Computation:
    value = call.array(name)
    if reductions.dtype_of(value) is DType.F16:
        call.refuse("half precision is not built", call.nodes[name], "convert it to float32")
    return value


def _no_bools(call: LibraryCall, name: str) -> Computation:
    """Return what is subtracted from one another."""
    value = _numbers(call, name)
    if reductions.dtype_of(value) is DType.B1:
        way_out = "convert it before: x.astype(np.float64)"
        call.refuse("differences of bools are not built", call.nodes[name], way_out)
    return value


_SPACINGS = ("d1", "d2", "d3")


def _gradient(call: LibraryCall) -> Typed:
    value = _no_bools(call, "f")
    value = converted(value, DType.F64) if reductions.dtype_of(value).kind in "iu" else value
    edge = call.constant_int("edge_order", 1)
    if edge not in (1, 2):
        call.refuse("edge_order is 1 or 2", call.nodes["edge_order"])
    axis = call.axis(reductions.rank_of(value))
    axes = tuple(range(reductions.rank_of(value))) if axis is None else axis
    axes = axes if isinstance(axes, tuple) else (axes,)
    given = [name for name in _SPACINGS if name in call.values]
    if len(given) not in (0, 1, len(axes)) or not axes:
        call.refuse("one spacing, or one for each axis, is needed")
    spacings = [_spacing(call, name, value) for name in given] or [Literal(1.0, FLOAT)]
    if len(spacings) < len(axes) and isinstance(spacings[0].type, TensorType):
        call.refuse("the places of the points of each axis are needed", call.nodes[given[0]])
    spacings = spacings * len(axes) if len(spacings) == 1 else spacings
    found = [
        _slope(call, value, along, spacing, edge)
        for along, spacing in zip(axes, spacings, strict=True)
    ]
    if len(found) == 1:
        return call.result(found[0])
    return call.apply(data.TUPLE, *found)


def _spacing(call: LibraryCall, name: str, value: Computation) -> Computation:
    spacing = call.numeric(name)
    element = element_of(spacing.type)
    rank = spacing.type.rank if isinstance(spacing.type, TensorType) else 0
    if rank > 1 or element is BOOL or is_complex(element):
        message = "a spacing is a real number, or real numbers along one axis"
        call.refuse(message, call.nodes[name], "give the distances as floats: h.real")
    if rank == 0 and isinstance(element, PyType):
        return converted(spacing, FLOAT)
    if reductions.dtype_of(value) not in (DType.F64, DType.C128):
        call.refuse("a spacing of NumPy's beside single precision", call.nodes[name], "float(h)")
    return converted(spacing, DType.F64)


def _slope(
    call: LibraryCall, value: Computation, axis: int, spacing: Computation, edge: int
) -> Computation:
    placed = isinstance(spacing.type, TensorType) and spacing.type.rank == 1
    if not placed and 0 < axis == reductions.rank_of(value) - 1:
        return call.standard("curves", "gradient_of_rows", value, spacing, edge=edge)
    rows = reductions.moved(call, value, axis, 0)
    name = "gradient_at" if placed else "gradient"
    found = call.standard("curves", name, rows, spacing, edge=edge)
    return reductions.moved_back(call, found, 0, axis)


def _trapezoid(call: LibraryCall) -> Typed:
    value = _numbers(call, "y")
    axis = reductions.one_axis(call, reductions.rank_of(value), -1)
    if axis is None or reductions.rank_of(value) == 0:
        call.refuse("an array with an axis is needed", call.nodes["y"])
    axis %= reductions.rank_of(value)
    rows = reductions.moved(call, value, axis, -1)
    if not call.is_given("x"):
        step = call.operand("dx") if "dx" in call.values else Literal(1.0, FLOAT)
        if isinstance(step.type, TensorType) or element_of(step.type) is None:
            call.refuse("dx must be a number", call.nodes["dx"])
        return call.result(call.standard("curves", "area", rows, step))
    places = _no_bools(call, "x")
    if reductions.rank_of(places) not in (1, reductions.rank_of(value)):
        call.refuse("x has one axis, or those of y", call.nodes["x"])
    if reductions.rank_of(places) > 1:
        places = reductions.moved(call, places, axis, -1)
    return call.result(call.standard("curves", "area_at", rows, places))


def _polyval(call: LibraryCall) -> Typed:
    factors, x = call.array("p"), as_numpy(call.numeric("x"))
    if reductions.rank_of(factors) != 1:
        call.refuse("the coefficients must have one axis", call.nodes["p"])
    factors, x = common([factors, x], common_dtype)
    if reductions.dtype_of(factors) is DType.B1:
        call.refuse("bools are not built")
    name = "polyval" if isinstance(x.type, TensorType) and reductions.rank_of(x) else "polyval_at"
    if isinstance(x.type, TensorType) and not reductions.rank_of(x):
        x = call.context.apply(call.node, arrays.INDEX, x)
    return call.result(call.standard("curves", name, factors, x))


def _logspace(call: LibraryCall) -> Typed:
    base = call.operand("base") if "base" in call.values else Literal(10.0, FLOAT)
    if isinstance(base.type, TensorType) or element_of(base.type) is None:
        call.refuse("the base must be a number", call.nodes["base"])
    points = _points(call, [_end(call, name) for name in ("start", "stop")])
    factor = converted(converted(base, FLOAT), DType.F64)
    return call.apply(elementwise.POW, factor, points)


def _geomspace(call: LibraryCall) -> Typed:
    start, stop = (_end(call, name) for name in ("start", "stop"))
    powers = [call.standard("curves", "exponent_of", end, start) for end in (start, stop)]
    ten = Literal(10.0, DType.F64)
    points = call.context.apply(call.node, elementwise.POW, ten, _points(call, powers))
    last = Literal(call.flag("endpoint", default=True), BOOL)
    return call.result(call.standard("curves", "geomspace", points, start, stop, last))


def _points(call: LibraryCall, ends: Sequence[Computation]) -> Computation:
    given = "num" in call.values
    count = (
        int_size(call, call.operand("num"), call.nodes["num"]) if given else array_parts.number(50)
    )
    endpoint = call.flag("endpoint", default=True)
    return call.standard("making", "linspace", *ends, count, endpoint=endpoint)


def _end(call: LibraryCall, name: str) -> Computation:
    value = call.operand(name)
    if value.type not in (PyType.INT, FLOAT, DType.F64, DType.I64):
        call.refuse(f"{name} must be an int or a float, not {value.type}", call.nodes[name])
    return converted(value, FLOAT)


def _isin(call: LibraryCall) -> Typed:
    one, other = common([call.numeric("element"), call.array("test_elements")], common_dtype)
    if reductions.dtype_of(other) in (DType.B1, DType.F16):
        call.refuse(f"{other.type} is not built", instead="convert both")
    inverted = call.flag("invert")
    line = reductions.flattened(call, call.as_array(one))
    dtype = reductions.dtype_of(other)
    in_a_table = dtype.kind in "iu" and dtype is not DType.U64
    name = "isin_of_integers" if in_a_table else "isin"
    found = call.standard("sorting", name, line, reductions.flattened(call, other), invert=inverted)
    if isinstance(one.type, TensorType) and reductions.rank_of(one) == 1:
        return call.result(found)
    return call.result(
        array_parts.reshaped(
            call, found, array_parts.sizes_of(call, call.as_array(one)), dense=True
        )
    )


def _library(name: str, check: ufuncs.Checker, *names: str, required: int = 1) -> Library:
    return Library(f"np.{name}", names, required, check, displays=True)


_ENDS = ("start", "stop", "num", "endpoint")
TABLE: Mapping[object, Library] = {
    np.cross: _library("cross", _cross, "a", "b", "axis", required=2),
    np.gradient: _library("gradient", _gradient, "f", *_SPACINGS, "axis", "edge_order"),
    np.trapezoid: _library("trapezoid", _trapezoid, "y", "x", "dx", "axis"),
    np.polyval: _library("polyval", _polyval, "p", "x", required=2),
    np.logspace: _library("logspace", _logspace, *_ENDS, "base", required=2),
    np.geomspace: _library("geomspace", _geomspace, *_ENDS, required=2),
    np.isin: _library("isin", _isin, "element", "test_elements", "invert", required=2),
}
