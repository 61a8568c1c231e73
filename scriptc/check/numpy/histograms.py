"""NumPy's histograms: of bins of one width, between given edges, and of pairs."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from scriptc.check.bindings import Typed
from scriptc.check.checked import Check, Computation
from scriptc.check.conversion import converted
from scriptc.check.library.call import Library, LibraryCall, common, int_size
from scriptc.check.numpy import array_parts, reductions, ufuncs
from scriptc.check.operators import common_dtype
from scriptc_runtime.ops import data, elementwise
from scriptc_runtime.types import (
    FLOAT,
    INT,
    DType,
    ListType,
    TensorType,
    TupleType,
    element_of,
    is_complex,
    is_number,
)


def _has_edges(call: LibraryCall) -> bool:
    """Return whether the bins are given by their edges."""
    if "bins" not in call.values:
        return False
    return isinstance(call.typed("bins").type, TensorType | ListType | TupleType)


def _edges(call: LibraryCall) -> Computation:
    edges = call.array("bins")
    if reductions.rank_of(edges) != 1 or reductions.dtype_of(edges).kind not in "iuf":
        call.refuse("the edges must be numbers along one axis", call.nodes["bins"])
    if call.is_given("range"):
        call.refuse("the edges say what the range is", call.nodes["range"], "leave it out")
    return edges


def _count(call: LibraryCall, value: Computation, name: str = "bins") -> Computation:
    """Return a number of bins, after testing that there are some."""
    bins = int_size(call, value, call.nodes.get("bins", call.node))
    some = call.context.apply(call.node, elementwise.GE, bins, array_parts.number(1))
    return Check(some, "ValueError", f"`{name}` must be positive, when an integer", bins, INT)


def _ends(call: LibraryCall, value: Computation) -> tuple[Computation, Computation]:
    """Return the ends of the range, which elements decide on unless it is given."""
    if call.is_given("range"):
        given = [item for item, _ in call.items("range")]
        real = [item for item in given if is_number(item.type) and not is_complex(item.type)]
        if len(given) != 2 or len(real) != 2:
            call.refuse("the range is a pair of numbers", call.nodes["range"], "range=(0.0, 1.0)")
        ends = [converted(item, FLOAT) for item in given]
        pair = call.standard("histograms", "given_edges", *ends)
    else:
        pair = call.standard("histograms", "outer_edges", value)
    return _pair(call, pair)


def _pair(call: LibraryCall, pair: Computation) -> tuple[Computation, Computation]:
    apply = call.context.apply
    return apply(call.node, data.ITEM, pair, index=0), apply(call.node, data.ITEM, pair, index=1)


def _between(call: LibraryCall, ends: tuple[Computation, ...], bins: Computation) -> Computation:
    """Return the edges of bins of one width."""
    return call.standard(
        "making",
        "linspace",
        *ends,
        array_parts.plus(call, bins, array_parts.number(1)),
        endpoint=True,
    )


def _values(call: LibraryCall, name: str) -> Computation:
    value = reductions.flattened(call, call.array(name))
    if reductions.dtype_of(value) is DType.B1:
        value = converted(value, DType.U8)  # as NumPy does, which warns
    if reductions.dtype_of(value).kind not in "iuf" or reductions.dtype_of(value) is DType.F16:
        call.refuse(f"the histogram of {value.type} is not built", instead="convert it to float64")
    return value


def _weights(call: LibraryCall) -> Computation | None:
    if not call.is_given("weights"):
        return None
    weights = reductions.flattened(call, call.array("weights"))
    exact = (DType.F64, DType.I64)
    known = (
        exact if _has_edges(call) or call.is_given("density") else (*exact, DType.F32, DType.I32)
    )
    if element_of(weights.type) not in known:
        call.refuse("weights must be float64 or int64", call.nodes["weights"])
    return weights


def _histogram(call: LibraryCall) -> Typed:
    value, weights = _values(call, "a"), _weights(call)
    wide = converted(value, DType.F64)
    more = [] if weights is None else [weights]
    if not more and reductions.dtype_of(value) in (DType.U8, DType.I8):
        # Each number there is, with as much weight as there are elements of it.
        counted = call.standard("sorting", "counts_of_bytes", converted(value, DType.U8))
        more, value = [counted], call.standard("sorting", "numbers_of_bytes", value)
    kind = "weighted_" if more else ""
    if _has_edges(call):
        edges = _edges(call)
        line, bounds = common([value, edges], common_dtype)
        counts = call.standard("histograms", f"{kind}counts", line, *more, bounds)
    else:
        edges, narrow = (
            _bins_of_one_width(call, value, wide),
            reductions.dtype_of(value) is DType.F32,
        )
        bounds = converted(edges, DType.F64)
        ends = _pair(call, call.standard("histograms", "ends_of", bounds))
        operands = (converted(value, DType.F64), *more, *ends, bounds)
        counts = call.standard("histograms", f"{kind}histogram", *operands, narrow=narrow)
    if call.is_given("density") and call.flag("density"):
        counts = call.standard("histograms", "density", counts, edges)
    return call.apply(data.TUPLE, counts, edges)


def _bins_of_one_width(call: LibraryCall, value: Computation, wide: Computation) -> Computation:
    """Return the edges of bins of one width: of f32 they are f32."""
    bins = _count(call, call.operand("bins") if "bins" in call.values else array_parts.number(10))
    ends = _ends(call, wide)
    if reductions.dtype_of(value) is not DType.F32:
        return _between(call, ends, bins)
    if call.is_given("range"):
        return converted(_between(call, ends, bins), DType.F32)
    narrow = [converted(end, DType.F32) for end in ends]
    return call.standard(
        "histograms",
        "narrow_edges",
        wide,
        *narrow,
        array_parts.plus(call, bins, array_parts.number(1)),
    )


def _bin_edges(call: LibraryCall) -> Typed:
    value = _values(call, "a")
    if _has_edges(call):
        return call.result(_edges(call))
    return call.result(_bins_of_one_width(call, value, converted(value, DType.F64)))


def _histogram2d(call: LibraryCall) -> Typed:
    """Check np.histogram2d, of which each side has a number of bins of one width or edges."""
    given = [_values(call, name) for name in ("x", "y")]
    if all(reductions.dtype_of(line) is DType.F32 for line in given):
        call.refuse("two arrays of f32 are not built", call.nodes["x"], "convert one to float64")
    lines = [converted(line, DType.F64) for line in given]
    if reductions.rank_of(call.array("x")) != 1 or reductions.rank_of(call.array("y")) != 1:
        call.refuse("arrays with one axis are needed")
    sides = [call.items("bins")[0][0]] if "bins" in call.values else [array_parts.number(10)]
    if "bins" in call.displays:
        sides = [item for item, _ in call.items("bins")]
    if len(sides) > 2:
        call.refuse("bins are a number, or one for each side", call.nodes["bins"])
    sides *= 3 - len(sides)
    edges: list[Computation] = []
    for side, (line, bins) in enumerate(zip(lines, sides, strict=True)):
        if isinstance(bins.type, TensorType):
            if reductions.rank_of(bins) != 1 or reductions.dtype_of(bins).kind not in "iuf":
                call.refuse("the edges must be numbers along one axis", call.nodes["bins"])
            edges.append(converted(bins, DType.F64))
            continue
        edges.append(
            _between(call, _side_ends(call, side, line), _count(call, bins, f"bins[{side}]"))
        )
    weights = _weights(call)
    more = [] if weights is None else [converted(weights, DType.F64)]
    name = "weighted_pairs" if more else "pairs"
    counts = call.standard("histograms", name, *lines, *more, *edges)
    if call.is_given("density") and call.flag("density"):
        counts = call.standard("histograms", "density_of_pairs", counts, *edges)
    return call.apply(data.TUPLE, counts, *edges)


def _side_ends(call: LibraryCall, side: int, line: Computation) -> tuple[Computation, ...]:
    if call.is_given("range"):
        rows = [call.leaves(row) for row in call.rows("range")]
        if len(rows) != 2 or any(len(row) != 2 for row in rows):
            call.refuse("the range is two pairs of numbers", call.nodes["range"])
        ends = [converted(item, FLOAT) for item in rows[side]]
        pair = call.standard("histograms", "given_edges", *ends)
    else:
        pair = call.standard("histograms", "outer_edges", line)
    return _pair(call, pair)


def _library(name: str, check: ufuncs.Checker, *names: str, required: int = 1) -> Library:
    return Library(f"np.{name}", names, required, check, displays=True)


_BINS = ("bins", "range", "density", "weights")
TABLE: Mapping[object, Library] = {
    np.histogram: _library("histogram", _histogram, "a", *_BINS),
    np.histogram_bin_edges: _library("histogram_bin_edges", _bin_edges, "a", "bins", "range"),
    np.histogram2d: _library("histogram2d", _histogram2d, "x", "y", *_BINS, required=2),
}
