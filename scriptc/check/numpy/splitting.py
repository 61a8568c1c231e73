"""NumPy's functions that take arrays apart, spread them, or tell their sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from scriptc.check.bindings import Known, Typed
from scriptc.check.checked import Check, Computation, Literal, Select
from scriptc.check.library.call import Library, LibraryCall, int_size
from scriptc.check.numpy import array_parts, reductions, ufuncs
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import data, elementwise
from scriptc_runtime.types import BOOL, INT, NONE, TupleType

_DOES_NOT_FIT = "operands could not be broadcast together with remapped shapes"
_SECTIONS = "indices_or_sections"
_MOST_PARTS = 1024  # each is an item of a tuple, with code of its own


def _split(*, equal: bool, axis: int | None = None) -> ufuncs.Checker:
    """Return the check of np.split and its like: a tuple of views along an axis."""

    def check(call: LibraryCall) -> Typed:
        value = call.array("ary")
        rank = reductions.rank_of(value)
        along = reductions.one_axis(call, rank, 0) if axis is None else axis
        if along == 1 and axis == 1 and rank == 1:
            along = 0  # np.hsplit of a vector
        if along is None or along >= rank:
            call.refuse("the array has too few axes", call.nodes["ary"])
        given = call.typed(_SECTIONS) if _SECTIONS not in call.displays else None
        if given is not None and given.type is INT and given.known is None:
            name = "split_evenly" if equal else "split_nearly_evenly"
            count = call.operand(_SECTIONS)
            return call.result(call.standard("shapes", name, value, count, AXIS=along))
        return call.result(_parts(call, value, along, equal=equal))

    return check


def _parts(call: LibraryCall, value: Computation, axis: int, *, equal: bool) -> Computation:
    whole = array_parts.size_of(call, value, axis)
    given = call.typed(_SECTIONS)
    if _SECTIONS in call.displays or isinstance(given.type, TupleType):
        at = call.nodes[_SECTIONS]
        ends = [int_size(call, item, at) for item, _ in call.items(_SECTIONS)]
        bounds = list(zip([array_parts.number(0), *ends], [*ends, whole], strict=True))
    else:
        count = call.constant_int(_SECTIONS, 1)
        if count < 1:
            call.refuse("the number of parts must be larger than 0", call.nodes[_SECTIONS])
        if count > _MOST_PARTS:
            message = f"there are at most {_MOST_PARTS} parts"
            call.refuse(message, call.nodes[_SECTIONS], "take slices of the array in a loop")
        bounds, value = _even(call, value, whole, count, equal=equal)
    none = Literal(None, NONE)
    parts = [
        array_parts.view(call, value, "s" * (axis + 1), *array_parts.WHOLE * axis, start, end, none)
        for start, end in bounds
    ]
    return call.context.apply(call.node, data.TUPLE, *parts)


def _even(
    call: LibraryCall, value: Computation, whole: Computation, count: int, *, equal: bool
) -> tuple[list[tuple[Computation, Computation]], Computation]:
    """Return the bounds of `count` parts, and the array once it is known to have them."""
    apply, at = call.context.apply, call.node
    size = apply(at, elementwise.FLOORDIV, whole, array_parts.number(count))
    more = apply(at, elementwise.MOD, whole, array_parts.number(count))
    starts: list[Computation] = []
    for k in range(count + 1):
        start = array_parts.times(call, size, array_parts.number(k))
        if not equal:
            # The first parts have one element more.
            fewer = apply(at, elementwise.LT, more, array_parts.number(k))
            start = array_parts.plus(call, start, Select(fewer, more, array_parts.number(k), INT))
        starts.append(start)
    if equal:
        even = apply(at, elementwise.EQ, more, array_parts.number(0))
        message = "array split does not result in an equal division"
        value = Check(even, "ValueError", message, value, value.type)
    return list(pairwise(starts)), value


def _broadcast_to(call: LibraryCall) -> Typed:
    """Check np.broadcast_to: a new array, which may be written."""
    value = call.array("array")
    sizes = array_parts.asked_sizes(call, "shape")
    if len(sizes) < reductions.rank_of(value):
        call.refuse(f"{value.type} does not fit into {len(sizes)} axes", call.nodes["shape"])
    apply, at = call.context.apply, call.node
    own = array_parts.sizes_of(call, value)
    for size, wanted in zip(own, sizes[len(sizes) - len(own) :], strict=True):
        single = apply(at, elementwise.EQ, size, array_parts.number(1))
        same = apply(at, elementwise.EQ, size, wanted)
        fits = Select(single, Literal(True, BOOL), same, BOOL)
        value = Check(fits, "ValueError", _DOES_NOT_FIT, value, value.type)
    whole = array_parts.empty(call, reductions.dtype_of(value), sizes)
    return call.result(array_parts.written(call, whole, whole, value))


def _shape(call: LibraryCall) -> Typed:
    return call.apply(data.TUPLE, *array_parts.sizes_of(call, call.array("a")))


def _size(call: LibraryCall) -> Typed:
    value = call.array("a")
    axis = reductions.one_axis(call, reductions.rank_of(value))
    sizes: Sequence[Computation] = array_parts.sizes_of(call, value)
    if axis is not None:
        return call.result(sizes[axis])
    total: Computation = array_parts.number(1)
    for place, size in enumerate(sizes):
        total = array_parts.times(call, total, size) if place else size
    return call.result(total)


def _ndim(call: LibraryCall) -> Typed:
    rank = reductions.rank_of(call.array("a"))
    if not isinstance(call.nodes["a"], n.Name):
        return call.result(array_parts.number(rank))
    span = call.context.span(call.node)
    return call.context.constant(call.node, Literal(rank, INT), Typed(INT, span, known=Known(rank)))


def _library(name: str, check: ufuncs.Checker, *names: str, required: int = 1) -> Library:
    return Library(f"np.{name}", names, required, check, displays=True)


_ALONG = ("ary", _SECTIONS, "axis")
_FIXED = ("ary", _SECTIONS)
TABLE: Mapping[object, Library] = {
    np.split: _library("split", _split(equal=True), *_ALONG, required=2),
    np.array_split: _library("array_split", _split(equal=False), *_ALONG, required=2),
    np.vsplit: _library("vsplit", _split(equal=True, axis=0), *_FIXED, required=2),
    np.hsplit: _library("hsplit", _split(equal=True, axis=1), *_FIXED, required=2),
    np.dsplit: _library("dsplit", _split(equal=True, axis=2), *_FIXED, required=2),
    np.broadcast_to: _library("broadcast_to", _broadcast_to, "array", "shape", required=2),
    np.shape: _library("shape", _shape, "a"),
    np.size: _library("size", _size, "a", "axis"),
    np.ndim: _library("ndim", _ndim, "a"),
}
