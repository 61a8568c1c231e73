"""NumPy's comparisons of whole arrays, and reductions that leave out NaN."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Literal
from scriptc.check.library.call import Library, LibraryCall
from scriptc.check.library.definitions import Definition, Entry
from scriptc.check.numpy import reductions as numpy_reductions
from scriptc.check.numpy import ufuncs
from scriptc.check.numpy.scans import scanned
from scriptc_runtime.ops import elementwise, reductions
from scriptc_runtime.ops.opdef import OpDef


def _nan_of(call: LibraryCall, value: Computation) -> Computation:
    return call.context.apply(call.node, elementwise.NE, value, value)


def _replaced(call: LibraryCall, value: Computation, filler: float) -> Computation:
    """Return an array with a number in the place of each NaN."""
    if numpy_reductions.dtype_of(value).kind != "f":
        return value
    number = Literal(filler, numpy_reductions.dtype_of(value))
    return call.as_array(
        call.context.apply(call.node, elementwise.WHERE, _nan_of(call, value), number, value)
    )


def _fold(call: LibraryCall, op: OpDef, value: Computation) -> Computation:
    axis, keepdims = call.axis(numpy_reductions.rank_of(value)), call.flag("keepdims")
    apply = call.context.apply
    return apply(call.node, op, value, axis=axis, keepdims=keepdims)


def _nan_place(name: str) -> ufuncs.Checker:
    """Return the check of np.nanargmax or np.nanargmin."""

    def check(call: LibraryCall) -> Typed:
        value = call.array("a")
        axis, keepdims = (
            numpy_reductions.one_axis(call, numpy_reductions.rank_of(value)),
            call.flag("keepdims"),
        )
        if numpy_reductions.dtype_of(value).kind == "f":
            constants = {"axis": axis, "keepdims": keepdims}
            return call.result(call.standard("quantiles", name, value, **constants))
        op = reductions.ARGMAX if name == "nanargmax" else reductions.ARGMIN
        return call.result(_fold(call, op, value))

    return check


def _nan_scan(name: str, filler: float) -> ufuncs.Checker:
    """Return the check of np.nancumsum or np.nancumprod."""

    def check(call: LibraryCall) -> Typed:
        value = _replaced(call, numpy_reductions.in_wide_dtype(call, call.array("a")), filler)
        return scanned(call, name, value)

    return check


def _library(name: str, check: ufuncs.Checker, *names: str, required: int = 1) -> Library:
    return Library(f"np.{name}", names, required, check, displays=True)


_FOLD = ("a", "axis", "keepdims")
_COMPARED = ("allclose", "array_equal", "isclose")
_WITHOUT_NAN = ("nanmax", "nanmean", "nanmin", "nanprod", "nanstd", "nansum", "nanvar")
TABLE: Mapping[object, Entry] = {
    np.nanargmax: _library("nanargmax", _nan_place("nanargmax"), *_FOLD),
    np.nanargmin: _library("nanargmin", _nan_place("nanargmin"), *_FOLD),
    np.nancumsum: _library("nancumsum", _nan_scan("cumsum", 0.0), "a", "axis", "dtype"),
    np.nancumprod: _library("nancumprod", _nan_scan("cumprod", 1.0), "a", "axis", "dtype"),
    **{getattr(np, name): Definition(f"np.{name}", "logic") for name in _COMPARED},
    **{getattr(np, name): Definition(f"np.{name}", "reductions") for name in _WITHOUT_NAN},
}
REAL = [function for function in TABLE if function not in (np.allclose, np.array_equal, np.isclose)]
