"""NumPy's functions that find, pick and update elements, and the methods of ufuncs."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from scriptc.check.array_parts import WHOLE, index_mode, number, size_of, view, written
from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation
from scriptc.check.indices import Pick, Picking
from scriptc.check.library import Library, LibraryCall, array_of, into_out
from scriptc.check.numpy import functions as numpy_functions
from scriptc.check.numpy.reductions import (
    REDUCTIONS,
    SCANS,
    along_axis,
    dtype_of,
    flattened,
    in_wide_dtype,
    moved,
    moved_back,
    one_axis,
    rank_of,
)
from scriptc.check.numpy.ufuncs import MEANINGS, Checker, truth
from scriptc.check.operators import converted
from scriptc.check.picking import nonzero, picked, put
from scriptc_runtime.ops import arrays, data, elementwise
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import (
    INT,
    DType,
    TensorType,
    TupleType,
    element_of,
    is_number,
)


def _places(call: LibraryCall, name: str) -> list[Computation]:
    value = call.array(name)
    if rank_of(value) == 0:
        call.refuse("an array with axes is needed", call.nodes[name])
    return nonzero(call, truth(call, value))


def _nonzero(call: LibraryCall) -> Typed:
    return call.apply(data.TUPLE, *_places(call, "a"))


def _where(call: LibraryCall) -> Typed:
    """Check np.where: with one argument it is np.nonzero."""
    if "x" in call.values or "y" in call.values:
        return numpy_functions.where(call)
    return call.apply(data.TUPLE, *_places(call, "condition"))


def _flatnonzero(call: LibraryCall) -> Typed:
    value = truth(call, call.array("a"))
    flat = flattened(call, call.as_array(value))
    return call.result(nonzero(call, flat)[0])


def _argwhere(call: LibraryCall) -> Typed:
    places = _places(call, "a")
    columns = [view(call, place, "sn", *WHOLE) for place in places]
    count = size_of(call, places[0], 0)
    sizes = (count, number(len(columns)))
    whole = call.context.apply(
        call.node, arrays.EMPTY, *sizes, dtype=DType.I64, dims=(None, len(columns))
    )
    for k, column in enumerate(columns):
        part = view(call, whole, "ss", *WHOLE, number(k), number(k + 1), WHOLE[0])
        whole = written(call, whole, part, column)
    return call.result(whole)


def _take(call: LibraryCall) -> Typed:
    value = call.array("a")
    value, axis = along_axis(call, value)
    index = call.operand("indices") if "indices" not in call.displays else call.array("indices")
    kind = element_of(index.type)
    if kind is None or (isinstance(kind, DType) and kind.kind not in "iu"):
        call.refuse(f"an index must be int, not {index.type}", call.nodes["indices"])
    mode = index_mode(call)
    if mode != "raise":
        index = converted(index, DType.I64)
        index = call.standard("placing", "inside", index, size_of(call, value, axis), mode=mode)
    if is_number(index.type):
        place = converted(index, INT)
        rows = moved(call, value, axis, 0)
        if rank_of(value) == 1:
            return call.apply(arrays.INDEX, rows, place)
        return call.apply(arrays.COPY, view(call, rows, "i", place))
    found = picked(call, Picking(value, (Pick(index, axis, axis),), False))
    # Of a subscript the axis would be turned back alone; the result of take is in C order.
    return call.apply(arrays.COPY, found) if axis else call.result(found)


# ------------------------------------------------------------------------------ methods of ufuncs


def _updating(name: str) -> Checker:
    """Return the check of np.add.at and its like: repeated indices are all counted."""

    def check(call: LibraryCall) -> Typed:
        array = call.array("a")
        value = call.numeric("b")
        if not np.can_cast(_own(call, value).numpy, dtype_of(array).numpy, "same_kind"):
            call.refuse(f"{value.type} does not fit into {array.type}", call.nodes["b"])
        indices = _indices(call)
        if len(indices) > rank_of(array):
            call.refuse(f"{len(indices)} indices for an array with {rank_of(array)} axes")
        picks = tuple(Pick(index, k, k) for k, index in enumerate(indices))
        source = converted(value, dtype_of(array))
        picking = Picking(array, picks, False)
        return call.result(put(call, picking, source, "update", kind=name))

    return check


def _own(call: LibraryCall, value: Computation) -> DType:
    # A Python number is as weak here as in the ufunc itself.
    element = element_of(value.type)
    weak = {"int": DType.I8, "float": DType.F32, "bool": DType.B1}
    return element if isinstance(element, DType) else weak.get(str(element), DType.C64)


def _indices(call: LibraryCall) -> list[Computation]:
    at = call.nodes["indices"]
    known = call.typed("indices")
    if isinstance(known.type, TupleType):
        found = [item for item, _ in call.items("indices")]
    elif "indices" in call.displays:
        found = [array_of(call, call.displays["indices"], at)]
    else:
        found = [call.operand("indices")]
    for index in found:
        if not isinstance(index.type, TensorType) or index.type.dtype.kind not in "biu":
            call.refuse(f"an index must be an array of ints, not {index.type}", at)
        if index.type.rank == 0:
            call.refuse("an array with axes is needed", at)
    return found


def _outer(ufunc: np.ufunc) -> Checker:
    """Return the check of `ufunc.outer`: every element with every other one."""

    def check(call: LibraryCall) -> Typed:
        first, second = call.array("A"), call.array("B")
        return call.result(crossed(call, ufunc, first, second))

    return check


def crossed(
    call: LibraryCall, ufunc: np.ufunc, first: Computation, second: Computation
) -> Computation:
    """Return what a ufunc gives for each pair of elements."""
    rank = rank_of(first)
    left = view(call, first, "s" * rank + "n" * rank_of(second), *WHOLE * rank)
    return ALL_MEANINGS[ufunc](call, [left, second])


def _np_outer(call: LibraryCall) -> Typed:
    flat = [flattened(call, call.array(name)) for name in ("a", "b")]
    return call.result(crossed(call, np.multiply, *flat))


def _extreme(op: OpDef) -> Callable[[LibraryCall, Sequence[Computation]], Computation]:
    def compute(call: LibraryCall, values: Sequence[Computation]) -> Computation:
        pair = numpy_functions.common_pair(values)
        return call.context.apply(call.node, op, *pair, code="dims")

    return compute


def _reduce(name: str) -> Checker:
    """Return the check of `ufunc.reduce`, which folds the first axis unless told otherwise."""

    def check(call: LibraryCall) -> Typed:
        call.default_axis = 0
        return REDUCTIONS[name](call)

    return check


def _accumulate(name: str) -> Checker:
    def check(call: LibraryCall) -> Typed:
        call.default_axis = 0
        return SCANS[name](call)

    return check


def _reduceat(ufunc: str, name: str) -> Checker:
    """Return the check of `ufunc.reduceat`: slices that begin at indices are folded."""

    def check(call: LibraryCall) -> Typed:
        value = in_wide_dtype(call, call.array("a")) if name in ("sum", "prod") else call.array("a")
        axis = one_axis(call, rank_of(value), 0)
        places = call.array("indices")
        if axis is None or rank_of(places) != 1 or dtype_of(places).kind not in "iu":
            call.refuse("ints along one axis, and one axis, are needed")
        rows = moved(call, value, axis, 0)
        starts = converted(places, DType.I64)
        found = call.standard("scans", "folded_at", rows, starts, kind=name, ufunc=ufunc)
        return call.result(moved_back(call, found, 0, axis))

    return check


_REDUCED: Mapping[np.ufunc, str] = {
    np.add: "sum",
    np.multiply: "prod",
    np.maximum: "max",
    np.minimum: "min",
    np.logical_and: "all",
    np.logical_or: "any",
}
_ACCUMULATED: Mapping[np.ufunc, str] = {
    np.add: "cumsum",
    np.multiply: "cumprod",
    np.maximum: "cummax",
    np.minimum: "cummin",
}
_REDUCE = ("a", "axis", "dtype", "out", "keepdims", "initial", "where")
_UPDATED = (np.add, np.subtract, np.multiply, np.maximum, np.minimum)
ALL_MEANINGS = {
    **{ufunc: meaning for ufunc, meaning in MEANINGS.items() if ufunc.nin == 2},
    np.maximum: _extreme(elementwise.MAXIMUM),
    np.minimum: _extreme(elementwise.MINIMUM),
}


def _library(name: str, check: Checker, *names: str, required: int = 1) -> Library:
    return Library(f"np.{name}", names, required, check, displays=True)


def _of(ufunc: np.ufunc, method: str, check: Checker, *names: str, required: int = 1) -> Library:
    return _library(f"{ufunc.__name__}.{method}", check, *names, required=required)


TABLE: Mapping[object, Library] = {
    np.nonzero: _library("nonzero", _nonzero, "a"),
    np.where: _library("where", _where, "condition", "x", "y"),
    np.flatnonzero: _library("flatnonzero", _flatnonzero, "a"),
    np.argwhere: _library("argwhere", _argwhere, "a"),
    np.take: _library("take", _take, "a", "indices", "axis", "mode", required=2),
    np.outer: _library("outer", into_out(_np_outer), "a", "b", "out", required=2),
    **{
        ufunc.at: _of(ufunc, "at", _updating(ufunc.__name__), "a", "indices", "b", required=3)
        for ufunc in _UPDATED
    },
    **{
        ufunc.outer: _of(ufunc, "outer", _outer(ufunc), "A", "B", required=2)
        for ufunc in ALL_MEANINGS
    },
    **{
        ufunc.reduce: _of(ufunc, "reduce", into_out(_reduce(name)), *_REDUCE)
        for ufunc, name in _REDUCED.items()
    },
    **{
        ufunc.reduceat: _of(
            ufunc,
            "reduceat",
            _reduceat(ufunc.__name__, _REDUCED[ufunc]),
            "a",
            "indices",
            "axis",
            required=2,
        )
        for ufunc in (np.add, np.multiply, np.maximum, np.minimum)
    },
    **{
        ufunc.accumulate: _of(
            ufunc, "accumulate", into_out(_accumulate(name)), "a", "axis", "dtype", "out"
        )
        for ufunc, name in _ACCUMULATED.items()
    },
}
METHODS: Mapping[str, Library] = {
    "nonzero": Library("array.nonzero", ("a",), 1, _nonzero),
    "take": Library("array.take", ("a", "indices", "axis", "mode"), 2, _take, displays=True),
}
