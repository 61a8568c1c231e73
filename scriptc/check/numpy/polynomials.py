"""NumPy's functions of polynomials, which are arrays of coefficients."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Literal
from scriptc.check.conversion import converted
from scriptc.check.library.call import Library, LibraryCall, common, int_size
from scriptc.check.numpy import reductions, ufuncs
from scriptc.check.numpy.standard_calls import floats, optional, real, table_row, whole
from scriptc.check.operators import common_dtype
from scriptc_runtime.types import FROM_NUMPY, INT, DType


def _coefficients(call: LibraryCall, name: str, kinds: str = "iufc") -> Computation:
    value = call.array(name)
    if reductions.rank_of(value) > 1 or reductions.dtype_of(value).kind not in kinds:
        call.refuse("numbers along one axis are needed", call.nodes[name])
    return reductions.flattened(call, value)


def _counted(call: LibraryCall, value: Computation) -> Computation:
    """Return an array in the dtype in which NumPy multiplies it with counts."""
    dtype = FROM_NUMPY.get(np.promote_types(reductions.dtype_of(value).numpy, np.int64))
    if dtype is None:
        call.refuse(f"{value.type} is not built", instead="convert it to float64")
    return converted(value, dtype)


def _vander(call: LibraryCall) -> Typed:
    value = _counted(call, call.array("x"))
    if reductions.rank_of(value) != 1:
        call.refuse("x must be a one-dimensional array or sequence", call.nodes["x"])
    increasing = call.flag("increasing")
    if not call.is_given("N"):
        found = call.standard("polynomials", "square_vander", value, increasing=increasing)
        return call.result(found)
    count = int_size(call, call.operand("N"), call.nodes["N"])
    return call.result(call.standard("polynomials", "vander", value, count, increasing=increasing))


def _pair(name: str) -> ufuncs.Checker:
    """Return the check of a function of two polynomials."""

    def check(call: LibraryCall) -> Typed:
        pair = common([_coefficients(call, "a1"), _coefficients(call, "a2")], common_dtype)
        return call.result(call.standard("polynomials", name, *pair))

    return check


def _derivative(call: LibraryCall) -> Typed:
    value = _coefficients(call, "p")
    order = call.constant_int("m", 1)
    if order < 0:
        call.refuse("the order of a derivative is at least 0", call.nodes["m"])
    if order == 0:
        return call.result(value)
    times = Literal(order, INT)
    return call.result(call.standard("polynomials", "polyder", _counted(call, value), times))


def _integral(call: LibraryCall) -> Typed:
    value = converted(_coefficients(call, "p", "iuf"), DType.F64)
    order = call.constant_int("m", 1)
    if order < 1:
        call.refuse("the order of an integral is at least 1", call.nodes["m"])
    constants: Computation = call.as_array(Literal(0.0, DType.F64))
    if call.is_given("k"):
        constants = converted(_coefficients(call, "k", "iuf"), DType.F64)
    line = reductions.flattened(call, constants)
    times = Literal(order, INT)
    return call.result(call.standard("polynomials", "polyint", value, times, line))


def _divided(call: LibraryCall) -> Typed:
    pair = [converted(_coefficients(call, name, "iuf"), DType.F64) for name in ("u", "v")]
    return call.result(call.standard("polynomials", "polydiv", *pair))


def _roots(call: LibraryCall) -> Typed:
    """Check np.roots: of real coefficients they are real here, or an exception says otherwise."""
    value = _coefficients(call, "p")
    if reductions.dtype_of(value).kind in "biu":
        value = converted(value, DType.F64)
    real = reductions.dtype_of(value).kind == "f"
    if not real:
        value = converted(value, DType.C128)
    return call.result(call.standard("polynomials", "roots", value, real=real))


def _poly(call: LibraryCall) -> Typed:
    value = _coefficients(call, "seq_of_zeros", "iuf")
    kind = reductions.dtype_of(value).kind
    return call.result(
        call.standard("polynomials", "poly", converted(value, DType.F64) if kind != "f" else value)
    )


def _library(name: str, check: ufuncs.Checker, *names: str, required: int = 1) -> Library:
    return Library(f"np.{name}", names, required, check, displays=True)


_FIT = (floats("x", 1), floats("y", 1, 2), whole("deg"))
TABLE: Mapping[object, Library] = {
    np.vander: _library("vander", _vander, "x", "N", "increasing"),
    np.polyadd: _library("polyadd", _pair("polyadd"), "a1", "a2", required=2),
    np.polysub: _library("polysub", _pair("polysub"), "a1", "a2", required=2),
    np.polymul: _library("polymul", _pair("polymul"), "a1", "a2", required=2),
    np.polydiv: _library("polydiv", _divided, "u", "v", required=2),
    np.polyder: _library("polyder", _derivative, "p", "m"),
    np.polyint: _library("polyint", _integral, "p", "m", "k"),
    np.polyfit: table_row(
        "polyfit",
        "polynomials",
        "polyfit",
        *_FIT,
        optional(real("rcond")),
        optional(floats("w", 1)),
    ),
    np.poly: _library("poly", _poly, "seq_of_zeros"),
    np.roots: _library("roots", _roots, "p"),
}
