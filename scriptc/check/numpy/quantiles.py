"""NumPy's quantiles, bins and covariances."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation
from scriptc.check.conversion import converted
from scriptc.check.library.call import Library, LibraryCall, common
from scriptc.check.numpy import array_parts, reductions, ufuncs
from scriptc.check.numpy.products import turned
from scriptc.check.operators import common_dtype
from scriptc_runtime.ops import arrays
from scriptc_runtime.types import FLOAT, DType, PyType, TensorType, element_of

_SHARES, _HUNDREDTHS = False, True


# The methods that find elements, and those that compute something between two of them.
_ROWS = ("closest_observation", "higher", "inverted_cdf", "lower", "nearest")
_BETWEEN = (
    "linear",
    "averaged_inverted_cdf",
    "hazen",
    "interpolated_inverted_cdf",
    "median_unbiased",
    "midpoint",
    "normal_unbiased",
    "weibull",
)


def _constants(hundredths: bool, method: str = "linear") -> Mapping[str, bool | str]:
    """Return what the functions of `stdlib/quantiles.py` are bound to."""
    return {"hundredths": hundredths, "method": method, "takes_rows": method in _ROWS}


def _quantile(hundredths: bool) -> ufuncs.Checker:
    """Return the check of np.quantile, or of np.percentile."""

    def check(call: LibraryCall) -> Typed:
        value = call.array("a")
        if reductions.dtype_of(value).kind not in "iuf" or reductions.dtype_of(value) is DType.F16:
            call.refuse(f"quantiles of {value.type} are not built", call.nodes["a"])
        method = call.word("method", *_BETWEEN, *_ROWS)
        rows, sizes = array_parts.rows_along(call, value)
        asked = call.numeric("q")
        constants = _constants(hundredths, method)
        if isinstance(asked.type, TensorType) and asked.type.rank:
            if asked.type.rank > 1:
                call.refuse("one axis of quantiles is built", call.nodes["q"])
            line = converted(asked, DType.F64)
            several = call.standard("quantiles", "quantiles", rows, line, **constants)
            if sizes is not None:
                several = array_parts.reshaped(
                    call, several, [array_parts.size_of(call, line, 0), *sizes]
                )
            return call.result(several)
        # Python's floats leave the dtype of the array alone.
        weak = isinstance(element_of(asked.type), PyType)
        if isinstance(asked.type, TensorType):
            asked = call.context.apply(call.node, arrays.INDEX, asked)
        point = converted(asked, FLOAT if weak else DType.F64)
        found = call.standard("quantiles", "quantile", rows, point, **constants)
        if sizes is not None:
            found = array_parts.reshaped(call, call.as_array(found), sizes)
        return call.result(found)

    return check


def _nan_median(call: LibraryCall) -> Typed:
    value = call.array("a")
    if reductions.dtype_of(value).kind != "f":
        call.refuse(f"{value.type} holds no NaN", call.nodes["a"], "use np.median")
    if reductions.dtype_of(value) is DType.F16:
        call.refuse(f"{value.type} is not built here", call.nodes["a"], "convert it to float32")
    rows, sizes = array_parts.rows_along(call, value)
    return call.result(_shaped(call, call.standard("quantiles", "nanmedian", rows), sizes))


def _nan_quantile(hundredths: bool) -> ufuncs.Checker:
    """Return the check of np.nanquantile, or of np.nanpercentile, with linear interpolation."""

    def check(call: LibraryCall) -> Typed:
        value = call.array("a")
        if reductions.dtype_of(value).kind != "f" or reductions.dtype_of(value) is DType.F16:
            call.refuse(f"{value.type} is not built", call.nodes["a"], "use np.quantile")
        _refuse_methods(call)
        rows, sizes = array_parts.rows_along(call, value)
        asked = call.numeric("q")
        constants = _constants(hundredths)
        if isinstance(asked.type, TensorType) and asked.type.rank:
            if asked.type.rank > 1 or sizes or reductions.dtype_of(value) is not DType.F64:
                call.refuse("one axis of quantiles of float64 is built, without keepdims")
            line = converted(asked, DType.F64)
            return call.result(call.standard("quantiles", "nanquantiles", rows, line, **constants))
        if isinstance(asked.type, TensorType):
            asked = call.context.apply(call.node, arrays.INDEX, asked)
        weak = isinstance(element_of(asked.type), PyType)
        if not weak and reductions.dtype_of(value) is not DType.F64:
            call.refuse("a share of NumPy's beside single precision", call.nodes["q"], "float(q)")
        point = converted(asked, FLOAT)
        found = call.standard("quantiles", "nanquantile", rows, point, **constants)
        return call.result(_shaped(call, found, sizes))

    return check


def _shaped(call: LibraryCall, found: Computation, sizes: list[Computation] | None) -> Computation:
    if sizes is not None:
        return array_parts.reshaped(call, found, sizes)
    return (
        found if reductions.rank_of(found) else call.context.apply(call.node, arrays.INDEX, found)
    )


def _refuse_methods(call: LibraryCall) -> None:
    if "method" not in call.values:
        return
    known = call.typed("method").known
    if known is None or known.value != "linear":
        call.refuse("only the method 'linear' is built", call.nodes["method"])
    call.drop("method")


def _digitize(call: LibraryCall) -> Typed:
    edges, values = common([call.array("bins"), call.numeric("x")], common_dtype)
    if reductions.rank_of(edges) != 1:
        call.refuse("the bins must have one axis", call.nodes["bins"])
    right = call.flag("right")
    apply, at = call.context.apply, call.node
    if not isinstance(values.type, TensorType):
        line = array_parts.reshaped(call, call.as_array(values), [array_parts.number(1)])
        found = call.standard("quantiles", "digitize", line, edges, right=right)
        return call.result(apply(at, arrays.INDEX, found, array_parts.number(0)))
    line = reductions.flattened(call, values)
    found = call.standard("quantiles", "digitize", line, edges, right=right)
    if reductions.rank_of(values) == 1:
        return call.result(found)
    return call.result(
        array_parts.reshaped(call, found, array_parts.sizes_of(call, values), dense=True)
    )


def _variables(call: LibraryCall, name: str, other: str) -> Computation:
    """Return the variables of one or two arguments as rows of floats."""
    rows = call.flag("rowvar", default=True)
    found: list[Computation] = []
    for argument in (name, other):
        if argument == other and not call.is_given(other):
            continue
        value = converted(call.array(argument), DType.F64)
        if reductions.rank_of(value) not in (1, 2):
            call.refuse("arrays with one axis or two are built", call.nodes[argument])
        if reductions.rank_of(value) == 1:
            value = array_parts.reshaped(
                call, value, [array_parts.number(1), *array_parts.sizes_of(call, value)]
            )
        elif not rows:
            value = turned(call, value, (1, 0))
        found.append(value)
    if len(found) == 1:
        return found[0]
    return call.standard("statistics", "joined", *found)


def _cov(call: LibraryCall) -> Typed:
    """Check np.cov of variables, which are the rows of a matrix or its columns."""
    single = reductions.rank_of(call.array("m")) == 1 and not call.is_given("y")
    value = _variables(call, "m", "y")
    ddof = call.constant_int("ddof", 0 if call.flag("bias") else 1)
    found = call.standard("statistics", "cov", value, ddof=ddof, single=single)
    return call.result(array_parts.reshaped(call, found, []) if single else found)


def _corrcoef(call: LibraryCall) -> Typed:
    if reductions.rank_of(call.array("x")) == 1 and not call.is_given("y"):
        call.refuse("one variable is correlated with nothing", call.nodes["x"], "give y")
    value = _variables(call, "x", "y")
    return call.result(call.standard("statistics", "corrcoef", value, ddof=1, single=False))


def _library(name: str, check: ufuncs.Checker, *names: str, required: int = 1) -> Library:
    return Library(f"np.{name}", names, required, check, displays=True)


_QUANTILE = ("a", "q", "axis", "method", "keepdims")
TABLE: Mapping[object, Library] = {
    np.quantile: _library("quantile", _quantile(_SHARES), *_QUANTILE, required=2),
    np.percentile: _library("percentile", _quantile(_HUNDREDTHS), *_QUANTILE, required=2),
    np.nanmedian: _library("nanmedian", _nan_median, "a", "axis", "keepdims"),
    np.nanquantile: _library("nanquantile", _nan_quantile(_SHARES), *_QUANTILE, required=2),
    np.nanpercentile: _library("nanpercentile", _nan_quantile(_HUNDREDTHS), *_QUANTILE, required=2),
    np.digitize: _library("digitize", _digitize, "x", "bins", "right", required=2),
    np.cov: _library("cov", _cov, "m", "y", "rowvar", "bias", "ddof"),
    np.corrcoef: _library("corrcoef", _corrcoef, "x", "y", "rowvar"),
}
