"""NumPy's comparisons of whole arrays, and reductions that leave out NaN."""

import math
from collections.abc import Mapping

import numpy as np

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Literal, Select
from scriptc.check.conversion import converted
from scriptc.check.library.call import Library, LibraryCall, common
from scriptc.check.numpy.array_parts import size_of
from scriptc.check.numpy.reductions import dtype_of, in_wide_dtype, one_axis, rank_of
from scriptc.check.numpy.scans import scanned
from scriptc.check.numpy.ufuncs import Checker
from scriptc.check.operators import common_dtype
from scriptc_runtime.ops import elementwise, reductions
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import BOOL, FLOAT, DType, TensorType, element_of


def _close(call: LibraryCall) -> Computation:
    """Return whether elements are within rtol * abs(b) + atol of each other."""
    first, second = common([call.numeric("a"), call.numeric("b")], common_dtype)
    dtype = dtype_of(first)
    if dtype.kind == "c":
        call.refuse("complex numbers are not built yet")
    if dtype.kind != "f":
        first, second = converted(first, DType.F64), converted(second, DType.F64)
        dtype = DType.F64
    apply, at = call.context.apply, call.node
    relative, absolute = (
        _tolerance(call, "rtol", 1e-5, dtype),
        _tolerance(call, "atol", 1e-8, dtype),
    )
    distance = apply(at, elementwise.ABS, apply(at, elementwise.SUB, first, second))
    size = apply(at, elementwise.ABS, second)
    allowed = apply(at, elementwise.MUL, relative, size)
    allowed = apply(at, elementwise.ADD, absolute, allowed)
    near = apply(at, elementwise.LE, distance, allowed)
    finite = apply(at, elementwise.LT, size, Literal(math.inf, dtype))
    near = apply(at, elementwise.AND, near, finite)
    found = apply(at, elementwise.OR, near, apply(at, elementwise.EQ, first, second))
    if call.flag("equal_nan"):
        one, other = (apply(at, elementwise.NE, x, x) for x in (first, second))
        found = apply(at, elementwise.OR, found, apply(at, elementwise.AND, one, other))
    return found


def _tolerance(call: LibraryCall, name: str, default: float, dtype: DType) -> Computation:
    if name not in call.values:
        return Literal(default, dtype)
    value = call.operand(name)
    if isinstance(value.type, TensorType) or element_of(value.type) is None:
        call.refuse(f"{name} must be a number, not {value.type}", call.nodes[name])
    return converted(converted(value, FLOAT), dtype)


def _isclose(call: LibraryCall) -> Typed:
    return call.result(_close(call))


def _all(call: LibraryCall, value: Computation) -> Computation:
    apply = call.context.apply
    whole = call.as_array(value)
    # NumPy gives Python's bool.
    return converted(apply(call.node, reductions.ALL, whole, axis=None, keepdims=False), BOOL)


def _allclose(call: LibraryCall) -> Typed:
    return call.result(_all(call, _close(call)))


def _array_equal(call: LibraryCall) -> Typed:
    first, second = call.array("a1"), call.array("a2")
    if rank_of(first) != rank_of(second):
        return call.result(Literal(False, BOOL))
    apply, at = call.context.apply, call.node
    pair = common([first, second], common_dtype)
    equal = apply(at, elementwise.EQ, *pair)
    if call.flag("equal_nan"):
        nan = apply(at, elementwise.AND, *(_nan_of(call, x) for x in pair))
        equal = apply(at, elementwise.OR, equal, nan)
    found = _all(call, equal)
    for axis in range(rank_of(first)):
        same = apply(at, elementwise.EQ, size_of(call, first, axis), size_of(call, second, axis))
        found = Select(same, found, Literal(False, BOOL), BOOL)
    return call.result(found)


def _nan_of(call: LibraryCall, value: Computation) -> Computation:
    return call.context.apply(call.node, elementwise.NE, value, value)


def _replaced(call: LibraryCall, value: Computation, filler: float) -> Computation:
    """Return an array with a number in the place of each NaN."""
    if dtype_of(value).kind != "f":
        return value
    number = Literal(filler, dtype_of(value))
    return call.as_array(
        call.context.apply(call.node, elementwise.WHERE, _nan_of(call, value), number, value)
    )


def _fold(call: LibraryCall, op: OpDef, value: Computation) -> Computation:
    axis, keepdims = call.axis(rank_of(value)), call.flag("keepdims")
    apply = call.context.apply
    return apply(call.node, op, value, axis=axis, keepdims=keepdims)


def _without_nan(op: OpDef, filler: float) -> Checker:
    """Return the check of np.nansum or np.nanprod."""

    def check(call: LibraryCall) -> Typed:
        value = in_wide_dtype(call, call.array("a"))
        return call.result(_fold(call, op, _replaced(call, value, filler)))

    return check


def _extreme(op: OpDef, filler: float) -> Checker:
    """Return the check of np.nanmax or np.nanmin; NaN where there is nothing else."""

    def check(call: LibraryCall) -> Typed:
        value = call.array("a")
        found = _fold(call, op, _replaced(call, value, filler))
        if dtype_of(value).kind != "f":
            return call.result(found)
        nothing = _fold(call, reductions.ALL, call.as_array(_nan_of(call, value)))
        nan = Literal(math.nan, dtype_of(value))
        apply, at = call.context.apply, call.node
        doubtful = apply(at, elementwise.EQ, found, Literal(filler, dtype_of(value)))
        if isinstance(found.type, TensorType):
            chosen = apply(at, elementwise.WHERE, nothing, nan, found)
            doubtful = apply(at, reductions.ANY, doubtful, axis=None, keepdims=False)
        else:
            chosen = Select(converted(nothing, BOOL), nan, found, found.type)
        # Only where the filler is found can there be nothing but NaN: few arrays are read twice.
        return call.result(Select(converted(doubtful, BOOL), chosen, found, found.type))

    return check


def _count(call: LibraryCall, value: Computation) -> Computation:
    """Return how many elements are numbers."""
    number = call.context.apply(call.node, elementwise.EQ, value, value)
    return _fold(call, reductions.SUM, call.as_array(number))


def _mean(call: LibraryCall) -> Typed:
    value = call.array("a")
    if dtype_of(value).kind != "f":
        return call.result(_fold(call, reductions.MEAN, value))
    return call.result(_average(call, value, _count(call, value)))


def _average(call: LibraryCall, value: Computation, count: Computation) -> Computation:
    return _shared(call, _replaced(call, value, 0.0), count)


def _shared(call: LibraryCall, value: Computation, count: Computation) -> Computation:
    total = _fold(call, reductions.SUM, value)
    return call.context.apply(call.node, elementwise.DIV, total, converted(count, dtype_of(value)))


def _spread(root: bool) -> Checker:
    """Return the check of np.nanvar or np.nanstd."""

    def check(call: LibraryCall) -> Typed:
        value = call.array("a")
        if dtype_of(value).kind != "f":
            found = _fold(call, reductions.VAR, value)
        else:
            axis = call.axis(rank_of(value))
            apply, at = call.context.apply, call.node
            number = call.as_array(apply(at, elementwise.EQ, value, value))
            count = apply(at, reductions.SUM, number, axis=axis, keepdims=True)
            known = _replaced(call, value, 0.0)
            total = apply(at, reductions.SUM, known, axis=axis, keepdims=True)
            mean = apply(at, elementwise.DIV, total, converted(count, dtype_of(value)))
            distance = apply(at, elementwise.SUB, value, mean)
            square = apply(at, elementwise.MUL, distance, distance)
            zero = Literal(0.0, dtype_of(value))
            square = apply(at, elementwise.WHERE, _nan_of(call, value), zero, square)
            found = _shared(call, call.as_array(square), _count(call, value))
        if root:
            found = call.context.apply(call.node, elementwise.SQRT, found)
        return call.result(found)

    return check


def _nan_place(name: str) -> Checker:
    """Return the check of np.nanargmax or np.nanargmin."""

    def check(call: LibraryCall) -> Typed:
        value = call.array("a")
        axis, keepdims = one_axis(call, rank_of(value)), call.flag("keepdims")
        if dtype_of(value).kind == "f":
            constants = {"axis": axis, "keepdims": keepdims}
            return call.result(call.standard("quantiles", name, value, **constants))
        op = reductions.ARGMAX if name == "nanargmax" else reductions.ARGMIN
        return call.result(_fold(call, op, value))

    return check


def _nan_scan(name: str, filler: float) -> Checker:
    """Return the check of np.nancumsum or np.nancumprod."""

    def check(call: LibraryCall) -> Typed:
        value = _replaced(call, in_wide_dtype(call, call.array("a")), filler)
        return scanned(call, name, value)

    return check


def _library(name: str, check: Checker, *names: str, required: int = 1) -> Library:
    return Library(f"np.{name}", names, required, check, displays=True)


_CLOSE = ("a", "b", "rtol", "atol", "equal_nan")
_FOLD = ("a", "axis", "keepdims")
TABLE: Mapping[object, Library] = {
    np.isclose: _library("isclose", _isclose, *_CLOSE, required=2),
    np.allclose: _library("allclose", _allclose, *_CLOSE, required=2),
    np.array_equal: _library("array_equal", _array_equal, "a1", "a2", "equal_nan", required=2),
    np.nansum: _library("nansum", _without_nan(reductions.SUM, 0.0), *_FOLD),
    np.nanprod: _library("nanprod", _without_nan(reductions.PROD, 1.0), *_FOLD),
    np.nanmax: _library("nanmax", _extreme(reductions.MAX, -math.inf), *_FOLD),
    np.nanmin: _library("nanmin", _extreme(reductions.MIN, math.inf), *_FOLD),
    np.nanmean: _library("nanmean", _mean, *_FOLD),
    np.nanargmax: _library("nanargmax", _nan_place("nanargmax"), *_FOLD),
    np.nanargmin: _library("nanargmin", _nan_place("nanargmin"), *_FOLD),
    np.nancumsum: _library("nancumsum", _nan_scan("cumsum", 0.0), "a", "axis", "dtype"),
    np.nancumprod: _library("nancumprod", _nan_scan("cumprod", 1.0), "a", "axis", "dtype"),
    np.nanvar: _library("nanvar", _spread(root=False), *_FOLD),
    np.nanstd: _library("nanstd", _spread(root=True), *_FOLD),
}
