"""NumPy's functions that find, pick and update elements, and the methods of ufuncs."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation
from scriptc.check.conversion import converted
from scriptc.check.indices import Pick, Picking
from scriptc.check.library.call import Library, LibraryCall
from scriptc.check.numpy import array_parts, reductions, ufuncs
from scriptc.check.numpy import functions as numpy_functions
from scriptc.check.numpy.advanced_indexing import nonzero, picked
from scriptc_runtime.ops import arrays, data
from scriptc_runtime.types import INT, DType, element_of, is_number


def _places(call: LibraryCall, name: str) -> list[Computation]:
    value = call.array(name)
    if reductions.rank_of(value) == 0:
        call.refuse("an array with axes is needed", call.nodes[name])
    return nonzero(call, ufuncs.truth(call, value))


def _nonzero(call: LibraryCall) -> Typed:
    return call.apply(data.TUPLE, *_places(call, "a"))


def _where(call: LibraryCall) -> Typed:
    """Check np.where: with one argument it is np.nonzero."""
    if "x" in call.values and "y" in call.values:
        return numpy_functions.where(call)
    if "x" in call.values or "y" in call.values:
        call.refuse(
            "it takes both x and y, or neither",
            instead="np.where(c, x, y), or x[c] to pick elements",
        )
    return call.apply(data.TUPLE, *_places(call, "condition"))


def _flatnonzero(call: LibraryCall) -> Typed:
    value = ufuncs.truth(call, call.array("a"))
    flat = reductions.flattened(call, call.as_array(value))
    return call.result(nonzero(call, flat)[0])


def _argwhere(call: LibraryCall) -> Typed:
    places = _places(call, "a")
    columns = [array_parts.view(call, place, "sn", *array_parts.WHOLE) for place in places]
    count = array_parts.size_of(call, places[0], 0)
    sizes = (count, array_parts.number(len(columns)))
    whole = call.context.apply(
        call.node, arrays.EMPTY, *sizes, dtype=DType.I64, dims=(None, len(columns))
    )
    for k, column in enumerate(columns):
        part = array_parts.view(
            call,
            whole,
            "ss",
            *array_parts.WHOLE,
            array_parts.number(k),
            array_parts.number(k + 1),
            array_parts.WHOLE[0],
        )
        whole = array_parts.written(call, whole, part, column)
    return call.result(whole)


def _take(call: LibraryCall) -> Typed:
    value = call.array("a")
    value, axis = reductions.along_axis(call, value)
    index = call.numeric("indices")
    kind = element_of(index.type)
    if kind is None or (isinstance(kind, DType) and kind.kind not in "iu"):
        call.refuse(f"an index must be int, not {index.type}", call.nodes["indices"])
    mode = array_parts.index_mode(call)
    if mode != "raise":
        index = converted(index, DType.I64)
        index = call.standard(
            "placing", "inside", index, array_parts.size_of(call, value, axis), mode=mode
        )
    if is_number(index.type):
        place = converted(index, INT)
        rows = reductions.moved(call, value, axis, 0)
        if reductions.rank_of(value) == 1:
            return call.apply(arrays.INDEX, rows, place)
        return call.apply(arrays.COPY, array_parts.view(call, rows, "i", place))
    found = picked(call, Picking(value, (Pick(index, axis, axis),), False))
    # Of a subscript the axis would be turned back alone; the result of take is in C order.
    return call.apply(arrays.COPY, found) if axis else call.result(found)


def _library(name: str, check: ufuncs.Checker, *names: str, required: int = 1) -> Library:
    return Library(f"np.{name}", names, required, check, displays=True)


TABLE: Mapping[object, Library] = {
    np.nonzero: _library("nonzero", _nonzero, "a"),
    np.where: _library("where", _where, "condition", "x", "y"),
    np.flatnonzero: _library("flatnonzero", _flatnonzero, "a"),
    np.argwhere: _library("argwhere", _argwhere, "a"),
    np.take: _library("take", _take, "a", "indices", "axis", "mode", required=2),
}
METHODS: Mapping[str, Library] = {
    "nonzero": Library("array.nonzero", ("a",), 1, _nonzero),
    "take": Library("array.take", ("a", "indices", "axis", "mode"), 2, _take, displays=True),
}
