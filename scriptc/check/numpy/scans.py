"""NumPy's scans, sums and products so far, and differences of neighbours."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation
from scriptc.check.library.call import Library, LibraryCall, common, into_out
from scriptc.check.numpy import reductions, ufuncs
from scriptc.check.operators import common_dtype
from scriptc_runtime.ops.scans import SCAN
from scriptc_runtime.types import DType


def scanned(call: LibraryCall, name: str, value: Computation) -> Typed:
    """Return the result of a scan: rows along the axis are combined in turn."""
    return _along(call, name, *reductions.along_axis(call, value))


def _along(call: LibraryCall, name: str, value: Computation, axis: int) -> Typed:
    kind = name.removeprefix("cum")
    if 0 < axis == reductions.rank_of(value) - 1:
        return call.apply(SCAN, value, kind=kind, last=True)
    found = call.context.apply(
        call.node, SCAN, reductions.moved(call, value, axis, 0), kind=kind, last=False
    )
    return call.result(reductions.moved_back(call, found, 0, axis))


def _cumulative(name: str) -> ufuncs.Checker:
    """Return the check of np.cumulative_sum or np.cumulative_prod."""

    def check(call: LibraryCall) -> Typed:
        value = reductions.in_wide_dtype(call, call.array("x"))
        axis = reductions.one_axis(call, reductions.rank_of(value))
        if axis is None and reductions.rank_of(value) != 1:
            call.refuse("which axis is meant must be said", instead="axis=0")
        axis = axis or 0
        if call.flag("include_initial"):
            first = reductions.constant_of(int(name == "cumprod"), reductions.dtype_of(value))
            rows = reductions.moved(call, value, axis, 0)
            found = call.standard("scans", f"{name}_from", rows, first)
            return call.result(reductions.moved_back(call, found, 0, axis))
        return _along(call, name, value, axis)

    return check


def _scan(name: str) -> ufuncs.Checker:
    """Return the check of np.cumsum or np.cumprod."""

    def check(call: LibraryCall) -> Typed:
        value = call.array("a")
        value = (
            reductions.in_wide_dtype(call, value)
            if name in ("cumsum", "cumprod")
            else reductions.in_dtype(call, value)
        )
        return scanned(call, name, value)

    return check


def _difference(call: LibraryCall) -> Typed:
    value = call.array("a")
    times = call.constant_int("n", 1)
    if times < 0:
        call.refuse(f"the order must be at least 0, not {times}", call.nodes["n"])
    axis = reductions.one_axis(call, reductions.rank_of(value), -1)
    if axis is None or reductions.rank_of(value) == 0:
        call.refuse("an array with an axis is needed", call.nodes["a"])
    axis %= reductions.rank_of(value)
    if times == 0:
        return call.result(value)
    rows = reductions.moved(call, value, axis, -1)
    step = _extended(call, rows, axis)
    first = axis == 0 and step is rows  # nothing need be turned back
    constants = {"times": times, "unequal": reductions.dtype_of(step) is DType.B1, "first": first}
    found = call.standard("scans", "diff", value if first else step, **constants)
    return call.result(found if first else reductions.moved_back(call, found, -1, axis))


def _extended(call: LibraryCall, value: Computation, axis: int) -> Computation:
    """Return an array with what `prepend` and `append` add at the ends of the last axis."""
    names = [name for name in ("prepend", "append") if call.is_given(name)]
    if not names:
        return value
    value, *more = common([value, *(call.array(name) for name in names)], common_dtype)
    for name, part in zip(names, more, strict=True):
        if reductions.rank_of(part) not in (0, reductions.rank_of(value)):
            call.refuse("a number, or an array with as many axes, is needed", call.nodes[name])
        if reductions.rank_of(part):
            part = reductions.moved(call, part, axis, -1)
        sides = (part, value) if name == "prepend" else (value, part)
        value = call.standard("scans", "put_before" if name == "prepend" else "put_behind", *sides)
    return value


_SCAN = ("a", "axis", "dtype", "out")
_FROM_FIRST = ("x", "axis", "dtype", "out", "include_initial")
_DIFFERENCE = ("a", "n", "axis", "prepend", "append")


def _library(name: str, names: tuple[str, ...], check: ufuncs.Checker) -> Library:
    return Library(f"np.{name}", names, 1, into_out(check), displays=True)


# By name, for the methods of ufuncs that are these.
SCANS: Mapping[str, ufuncs.Checker] = {
    name: _scan(name) for name in ("cumsum", "cumprod", "cummax", "cummin")
}
TABLE: Mapping[object, Library] = {
    np.cumsum: _library("cumsum", _SCAN, SCANS["cumsum"]),
    np.cumprod: _library("cumprod", _SCAN, SCANS["cumprod"]),
    np.cumulative_sum: _library("cumulative_sum", _FROM_FIRST, _cumulative("cumsum")),
    np.cumulative_prod: _library("cumulative_prod", _FROM_FIRST, _cumulative("cumprod")),
    np.diff: _library("diff", _DIFFERENCE, _difference),
}
METHODS: Mapping[str, Library] = {
    name: Library(f"array.{name}", _SCAN, 1, into_out(SCANS[name]))
    for name in ("cumsum", "cumprod")
}
