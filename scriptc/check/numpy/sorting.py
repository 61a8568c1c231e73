"""NumPy's functions that order, search and count elements."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from scriptc.check.bindings import Typed
from scriptc.check.checked import After, Apply, Computation, Literal
from scriptc.check.conversion import converted
from scriptc.check.library.call import Library, LibraryCall, common, int_size
from scriptc.check.numpy import array_parts, reductions, ufuncs
from scriptc.check.operators import common_dtype
from scriptc_runtime.ops import arrays, data, sorting
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import NONE, DType, TensorType


def _in_order(op: OpDef) -> ufuncs.Checker:
    """Return the check of np.sort or np.argsort."""

    def check(call: LibraryCall) -> Typed:
        value = call.array("a")
        kind = _kind(call)
        value, axis = reductions.along_axis(call, value, -1)
        axis %= max(reductions.rank_of(value), 1)
        ordered = call.context.apply(
            call.node, op, reductions.moved(call, value, axis, -1), kind=kind
        )
        return call.result(reductions.moved_back(call, ordered, -1, axis))

    return check


def _sort_method(call: LibraryCall) -> Typed:
    """Check `a.sort()`, which writes the elements back in order."""
    value = call.array("a")
    kind = _kind(call)
    axis = reductions.one_axis(call, reductions.rank_of(value), -1)
    if axis is None:
        call.refuse("axis None is not taken", call.nodes["axis"])
    rows = reductions.moved(call, value, axis % max(reductions.rank_of(value), 1), -1)
    ordered = call.context.apply(call.node, sorting.SORT, rows, kind=kind)
    effect = Apply(arrays.ASSIGN, (rows, ordered), {}, NONE)
    return call.result(After((effect,), Literal(None, NONE), NONE))


_KINDS: Mapping[object, str] = {
    None: "quicksort",
    "quicksort": "quicksort",
    "heapsort": "quicksort",  # which promises as little of equal elements
    "mergesort": "stable",
    "stable": "stable",
}


def _kind(call: LibraryCall) -> str:
    """Return which of NumPy's algorithms sorts: it decides on the order of equal elements."""
    if not call.is_given("kind"):
        return "quicksort"
    known = call.typed("kind").known
    if known is None or known.value not in _KINDS:
        call.refuse(
            "kind must be 'quicksort', 'heapsort', 'mergesort' or 'stable'", call.nodes["kind"]
        )
    call.drop("kind")
    return _KINDS[known.value]


def _searchsorted(call: LibraryCall) -> Typed:
    places, values = call.array("a"), call.numeric("v")
    if reductions.rank_of(places) != 1:
        call.refuse("the sorted array must have one axis", call.nodes["a"])
    if call.is_given("sorter"):
        order = call.array("sorter")
        if reductions.rank_of(order) != 1 or reductions.dtype_of(order).kind not in "iu":
            call.refuse("the order is ints along one axis", call.nodes["sorter"])
        places = call.standard("sorting", "in_order", places, order)
    return call.result(
        _searched(call, places, values, right=call.word("side", "left", "right") == "right")
    )


def _searched(
    call: LibraryCall, places: Computation, values: Computation, *, right: bool
) -> Computation:
    first, second = common([places, values], common_dtype)
    if not isinstance(second.type, TensorType):
        line = array_parts.reshaped(call, call.as_array(second), [array_parts.number(1)])
        found = call.standard("sorting", "searchsorted", first, line, right=right)
        return call.context.apply(call.node, arrays.INDEX, found, array_parts.number(0))
    found = call.standard(
        "sorting", "searchsorted", first, reductions.flattened(call, second), right=right
    )
    if reductions.rank_of(second) == 1:
        return found
    return array_parts.reshaped(call, found, array_parts.sizes_of(call, second), dense=True)


def _unique_slices(call: LibraryCall, value: Computation, axis: int) -> Typed:
    """Return each slice along an axis once, in the order of their elements."""
    if reductions.dtype_of(value).kind not in "biuf":
        call.refuse(f"slices of {value.type} are not built", call.nodes["ar"])
    rows = reductions.moved(call, value, axis, 0)
    found = call.standard("sorting", "unique_rows", rows)
    apply, at = call.context.apply, call.node
    parts = [apply(at, data.ITEM, found, index=i) for i in range(4)]
    flags = [call.flag(f"return_{name}") for name in ("index", "inverse", "counts")]
    results = [reductions.moved(call, parts[0], 0, axis)]
    results += [part for part, flag in zip(parts[1:], flags, strict=True) if flag]
    return call.apply(data.TUPLE, *results) if len(results) > 1 else call.result(results[0])


def _unique(call: LibraryCall) -> Typed:
    whole = call.array("ar")
    axis = reductions.one_axis(call, reductions.rank_of(whole))
    if axis is not None and reductions.rank_of(whole) > 1:
        return _unique_slices(call, whole, axis)
    value = reductions.flattened(call, call.array("ar"))
    others = [call.flag(f"return_{name}") for name in ("index", "inverse", "counts")]
    if (
        not any(others)
        and reductions.dtype_of(value).kind in "iu"
        and reductions.dtype_of(value) is not DType.U64
    ):
        return call.result(call.standard("sorting", "unique_ints", value))
    index, inverse, counts = others
    apply, at = call.context.apply, call.node
    ordered = apply(at, sorting.SORT, value, kind="quicksort")
    if not (index or inverse):
        found = call.standard("sorting", "unique", ordered)
        results = [found]
    else:
        order = apply(at, sorting.ARGSORT, value, kind="stable")
        pair = call.standard("sorting", "unique_places", value, order)
        places, which = (apply(at, data.ITEM, pair, index=i) for i in (0, 1))
        # Of 0.0 and -0.0 the one that is first where it is told.
        found = call.standard("sorting", "elements_at", value, places)
        results = [found, places] if index else [found]
        sizes = array_parts.sizes_of(call, call.array("ar"))
        results += [array_parts.reshaped(call, which, sizes, dense=True)] if inverse else []
    if counts:
        results.append(call.standard("sorting", "unique_counts", ordered, found))
    return call.apply(data.TUPLE, *results) if len(results) > 1 else call.result(found)


def _bincount(call: LibraryCall) -> Typed:
    value = call.array("x")
    if reductions.rank_of(value) != 1 or reductions.dtype_of(value).kind not in "biu":
        call.refuse("an array of ints with one axis is needed", call.nodes["x"])
    is_bytes = reductions.dtype_of(value) in (DType.U8, DType.B1)
    value = converted(value, DType.U8 if is_bytes else DType.I64)
    least = array_parts.number(0)
    if "minlength" in call.values:
        least = int_size(call, call.operand("minlength"), call.nodes["minlength"])
    if not call.is_given("weights"):
        body = "bincount_of_bytes" if is_bytes else "bincount"
        return call.result(call.standard("sorting", body, value, least))
    weights = converted(call.array("weights"), DType.F64)
    return call.result(call.standard("sorting", "weighted_bincount", value, weights, least))


def _median(call: LibraryCall) -> Typed:
    value = call.array("a")
    if call.is_given("out"):
        call.refuse("out is not built", call.nodes["out"])
    if call.flag("overwrite_input"):
        call.refuse("overwrite_input is not built", call.nodes["overwrite_input"], "leave it out")
    rows, sizes = array_parts.rows_along(call, value)
    middle = call.standard("sorting", "median", rows)
    if sizes is not None:
        middle = array_parts.reshaped(call, call.as_array(middle), sizes)
    return call.result(middle)


def _library(name: str, check: ufuncs.Checker, *names: str, required: int = 1) -> Library:
    return Library(f"np.{name}", names, required, check, displays=True)


_SEARCH = ("a", "v", "side", "sorter")
_UNIQUE = ("ar", "return_index", "return_inverse", "return_counts", "axis")
_ORDER = ("a", "axis", "kind")
TABLE: Mapping[object, Library] = {
    np.sort: _library("sort", _in_order(sorting.SORT), *_ORDER),
    np.argsort: _library("argsort", _in_order(sorting.ARGSORT), *_ORDER),
    np.searchsorted: _library("searchsorted", _searchsorted, *_SEARCH, required=2),
    np.unique: _library("unique", _unique, *_UNIQUE),
    np.bincount: _library("bincount", _bincount, "x", "weights", "minlength"),
    np.median: _library("median", _median, "a", "axis", "out", "overwrite_input", "keepdims"),
}
METHODS: Mapping[str, Library] = {
    "sort": Library("array.sort", _ORDER, 1, _sort_method),
    "argsort": Library("array.argsort", _ORDER, 1, _in_order(sorting.ARGSORT)),
    "searchsorted": Library("array.searchsorted", _SEARCH, 2, _searchsorted),
}
