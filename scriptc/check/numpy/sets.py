"""NumPy's functions of sets, orders by several keys, and parts in order."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from scriptc.check.bindings import Typed
from scriptc.check.checked import After, Apply, Computation, Literal
from scriptc.check.library.call import Library, LibraryCall, int_size
from scriptc.check.numpy import array_parts, reductions, ufuncs
from scriptc.check.numpy.standard_calls import (
    array,
    choice,
    fitting,
    flag,
    line,
    optional,
    table_row,
)
from scriptc_runtime.ops import arrays, data, sorting
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import NONE, TensorType


def _lexsort(call: LibraryCall) -> Typed:
    """Check np.lexsort of keys that are written in place, or are the rows of an array."""
    if call.is_given("axis") and call.constant_int("axis", -1) not in (-1, 0):
        call.refuse("keys with one axis are built", call.nodes["axis"])
    if "keys" not in call.displays and isinstance(call.typed("keys").type, TensorType):
        keys = call.array("keys")
        if reductions.rank_of(keys) != 2:
            call.refuse("an array with two axes, or several arrays, are needed", call.nodes["keys"])
        return call.result(call.standard("sets", "order_of_rows", keys))
    items = [call.as_array(item) for item, _ in call.items("keys")]
    if not items or any(reductions.rank_of(item) != 1 for item in items):
        call.refuse("several keys with one axis are needed", call.nodes["keys"])
    order = call.context.apply(call.node, sorting.ARGSORT, items[0], kind="stable")
    for item in items[1:]:
        order = call.standard("sets", "next_order", order, item)
    return call.result(order)


def _partition(op: OpDef) -> ufuncs.Checker:
    """Return the check of np.partition or np.argpartition."""

    def check(call: LibraryCall) -> Typed:
        return call.result(_parted(call, op, -1))

    return check


def _parted(call: LibraryCall, op: OpDef, default: int) -> Computation:
    value = call.array("a")
    if call.is_given("kind"):
        call.drop("kind")
    value, axis = reductions.along_axis(call, value, default)
    axis %= max(reductions.rank_of(value), 1)
    rows = reductions.moved(call, value, axis, -1)
    parted = call.context.apply(call.node, op, rows, _places(call, rows))
    return reductions.moved_back(call, parted, -1, axis)


def _places(call: LibraryCall, rows: Computation) -> Computation:
    if reductions.rank_of(rows) == 0:
        call.refuse("an array with an axis is needed", call.nodes["a"])
    size = array_parts.size_of(call, rows, reductions.rank_of(rows) - 1)
    at = call.nodes["kth"]
    places = [
        call.standard("sets", "place_of", size, int_size(call, place, at))
        for place, _ in call.items("kth")
    ]
    return call.standard("sets", "places_of", call.context.apply(call.node, data.TUPLE, *places))


def _partition_method(call: LibraryCall) -> Typed:
    """Check `a.partition(k)`, which writes the elements back."""
    value = call.array("a")
    found = _parted(call, sorting.PARTITION, -1)
    effect = Apply(arrays.ASSIGN, (value, found), {}, NONE)
    return call.result(After((effect,), Literal(None, NONE), NONE))


def _library(name: str, check: ufuncs.Checker, *names: str, required: int = 1) -> Library:
    return Library(f"np.{name}", names, required, check, displays=True)


_PART = ("a", "kth", "axis", "kind")
_UNIQUE = flag("assume_unique")
_PAIR = (line("ar1", "iuf"), line("ar2", "iuf"))
TABLE: Mapping[object, Library] = {
    np.union1d: table_row("union1d", "sets", "union1d", *_PAIR),
    np.intersect1d: table_row(
        "intersect1d", "sets", "intersect1d", *_PAIR, _UNIQUE, flag("return_indices")
    ),
    np.setdiff1d: table_row("setdiff1d", "sets", "setdiff1d", *_PAIR, _UNIQUE),
    np.setxor1d: table_row("setxor1d", "sets", "setxor1d", *_PAIR, _UNIQUE),
    np.trim_zeros: table_row(
        "trim_zeros", "sets", "trim_zeros", array("filt", 1), choice("trim", "fb", "bf", "f", "b")
    ),
    np.ediff1d: table_row(
        "ediff1d",
        "sets",
        "ediff1d",
        line("ary", "iufc"),
        optional(fitting("to_end", "ary")),
        optional(fitting("to_begin", "ary")),
    ),
    np.lexsort: _library("lexsort", _lexsort, "keys", "axis"),
    np.partition: _library("partition", _partition(sorting.PARTITION), *_PART, required=2),
    np.argpartition: _library("argpartition", _partition(sorting.ARGPARTITION), *_PART, required=2),
}
METHODS: Mapping[str, Library] = {
    "partition": Library("array.partition", _PART, 2, _partition_method, displays=True),
    "argpartition": Library(
        "array.argpartition", _PART, 2, _partition(sorting.ARGPARTITION), displays=True
    ),
}
