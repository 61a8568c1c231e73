"""Ops that order rows along the last axis, NaN last, or find what stands at places of the order.

`kind` says which of NumPy's algorithms sorts: only a stable one keeps equal elements in order.
"""

import math
from collections.abc import Sequence
from typing import Literal, cast

import numpy as np

from scriptc_runtime.dims import UNKNOWN
from scriptc_runtime.ops.arrays import Array, tensor
from scriptc_runtime.ops.opdef import Attrs, Effects, Level, OpDef, OpTypeError
from scriptc_runtime.types import DType, TensorType, Type

KINDS = ("quicksort", "stable")
EXTREMES = ("max", "min")


def _ordered(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    base = tensor(types[0])
    if base.rank == 0 or base.dtype.kind == "c":
        raise OpTypeError(f"{base} cannot be sorted")
    if attrs["kind"] not in KINDS:
        raise OpTypeError(f"kind is one of {', '.join(KINDS)}")
    return (base,)


def _sorts_row(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    (base,) = _ordered(types[:1], attrs)
    rows = [base, *types[1:]]
    if any(tensor(row).rank != 1 for row in rows) or tensor(rows[-1]).dtype is not _last(types):
        raise OpTypeError("rows have one axis, and indices are i64")
    return ()


def _last(types: Sequence[Type]) -> DType:
    return DType.I64 if len(types) == 2 else tensor(types[0]).dtype


def _selects_row(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    row, found = tensor(types[0]), tensor(types[2])
    _at_places(types[:2], attrs)
    if row.rank != 1 or found.rank != 1 or found.dtype is not row.dtype:
        raise OpTypeError("rows have one axis, and elements the type of the row's")
    return ()


def _parts_row(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    row, *order, places = types
    _at_places((row, places), attrs)
    if any(tensor(t).rank != 1 for t in types) or any(
        tensor(t).dtype is not DType.I64 for t in order
    ):
        raise OpTypeError("rows have one axis, and indices are i64")
    return ()


def _extreme_place(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    row = tensor(types[0])
    if row.rank != 1 or row.dtype.kind == "c" or row.dtype is DType.F16:
        raise OpTypeError(f"{row} is no row whose elements are compared as they are")
    if attrs["kind"] not in EXTREMES:
        raise OpTypeError(f"kind is one of {', '.join(EXTREMES)}")
    return (DType.I64,)


def _looks(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({0}))


def _selects_effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({0, 1}), writes=frozenset({2}), raises=True)


def _parts_effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    last = len(types) - 1
    return Effects(reads=frozenset({0, last}), writes=frozenset(range(last)), raises=True)


def _row_effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    written = frozenset({len(types) - 1})
    # For memory to work in.
    return Effects(reads=frozenset({0}), writes=written, raises=True)


def _places(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    (base,) = _ordered(types, attrs)
    return (TensorType(DType.I64, cast(TensorType, base).dims),)


def _effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({0}), allocates=True)


def _at_places(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    base, places = tensor(types[0]), tensor(types[1])
    if base.rank == 0 or base.dtype.kind == "c":
        raise OpTypeError(f"{base} has no order")
    if places.rank != 1 or places.dtype is not DType.I64:
        raise OpTypeError(f"places are i64 along one axis, not {places}")
    return (base,)


def _statistics(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    base = tensor(_at_places(types, attrs)[0])
    # The sizes are known, and not to the body, which makes an array of such a shape.
    return (TensorType(base.dtype, (UNKNOWN,) * base.rank),)


def _parted_places(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    (base,) = _at_places(types, attrs)
    return (TensorType(DType.I64, cast(TensorType, base).dims),)


def _place_effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({0, 1}), allocates=True, raises=True)


def _kind(name: str) -> Literal["quicksort", "stable"]:
    return cast('Literal["quicksort", "stable"]', name)


def _sorted(x: Array, *, kind: str) -> Array:
    return np.sort(x, axis=-1, kind=_kind(kind))


def _order(x: Array, *, kind: str) -> Array:
    return np.argsort(x, axis=-1, kind=_kind(kind))


def _sort_row(row: Array, *, kind: str) -> None:
    row.sort(kind=_kind(kind))


def _order_row(keys: Array, row: Array, *, kind: str) -> None:
    row[...] = np.argsort(keys, kind=_kind(kind))


def _require_places(x: Array, places: Array) -> None:
    """Refuse places that no element of a row has."""
    size = x.shape[-1]
    if any(not 0 <= place < size for place in places.tolist()):
        raise IndexError(f"a place is out of bounds for rows of {size} elements")


def order_statistics(x: Array, places: Array) -> Array:
    """Return what sorting each row puts at some places; NaN in each where the row has one."""
    if x.ndim == 1 or math.prod(x.shape[:-1]):
        _require_places(x, places)
    keys = _keys(x)
    found = np.take(np.partition(keys, places, axis=-1) if len(places) else keys, places, axis=-1)
    if x.dtype.kind != "f":
        return found
    # Keys of floats are bits: those below zero have all but the sign inverted.
    most = np.iinfo(keys.dtype).max
    values = (found ^ (found >> 8 * x.itemsize - 1 & most)).view(x.dtype)
    missing = np.asarray(np.isnan(x).any(axis=-1, keepdims=True))
    return np.where(missing, np.array(np.nan, x.dtype), values)


def _keys(x: Array) -> Array:
    """Return integers in the order of floats: -0.0 is before 0.0, and NaN is last."""
    if x.dtype.kind != "f":
        return x
    bits = np.ascontiguousarray(x).view(f"i{x.itemsize}")
    most = np.iinfo(bits.dtype).max
    return np.where(np.isnan(x), most, bits ^ (bits >> 8 * x.itemsize - 1 & most))


def argpartition(x: Array, places: Array) -> Array:
    """Return the indices that part each row at some places."""
    if x.size == 0:
        return np.zeros(x.shape, np.int64)
    _require_places(x, places)
    keys = _keys(x)
    pivots = np.sort(keys, axis=-1)[..., places]
    # Twice the number of pivots that are less, and one more for one that is equal.
    parts = np.zeros(x.shape, np.int64)
    for k in range(len(places)):
        pivot = pivots[..., k : k + 1]
        parts += keys >= pivot
        parts += keys > pivot
    return np.argsort(parts, axis=-1, kind="stable")


def partition(x: Array, places: Array) -> Array:
    """Return each row parted at some places, each part in the order of the row."""
    return np.take_along_axis(x, argpartition(x, places), axis=-1)


def _place_of_extreme(row: Array, *, kind: str) -> np.int64:
    return np.argmax(row) if kind == "max" else np.argmin(row)


def _select_row(row: Array, places: Array, found: Array) -> None:
    found[...] = order_statistics(row, places)


def _part_row(row: Array, places: Array) -> None:
    row[...] = partition(row, places)


def _order_parts(keys: Array, row: Array, places: Array) -> None:
    row[...] = argpartition(keys, places)


SORT = OpDef(
    name="sort",
    doc="The elements of each row, along the last axis, from the least to the largest.",
    operands=("x",),
    attrs=("kind",),
    infer=_ordered,
    evaluate=_sorted,
    effects=_effects,
    level=Level.LIBRARY,
)
ARGSORT = OpDef(
    name="argsort",
    doc="The indices, along the last axis, that put the elements of each row in order.",
    operands=("x",),
    attrs=("kind",),
    infer=_places,
    evaluate=_order,
    effects=_effects,
    level=Level.LIBRARY,
)
ORDER_STATISTICS = OpDef(
    name="order_statistics",
    doc=(
        "For each row, along the last axis, the elements that would be at `places` after sorting;"
        " all NaN if the row has a NaN."
    ),
    operands=("x", "places"),
    infer=_statistics,
    evaluate=order_statistics,
    effects=_place_effects,
    level=Level.LIBRARY,
)
PARTITION = OpDef(
    name="partition",
    doc=(
        "Each row, along the last axis, partitioned: at `places` are the elements of the sorted"
        " row, lesser ones before, larger ones after; each part keeps the order of the row."
    ),
    operands=("x", "places"),
    infer=_at_places,
    evaluate=partition,
    effects=_place_effects,
    level=Level.LIBRARY,
)
ARGPARTITION = OpDef(
    name="argpartition",
    doc="The indices, along the last axis, that partition each row as `partition` does.",
    operands=("x", "places"),
    infer=_parted_places,
    evaluate=argpartition,
    effects=_place_effects,
    level=Level.LIBRARY,
)
SORT_ROW = OpDef(
    name="sort_row",
    doc="Sort a contiguous row.",
    operands=("row",),
    attrs=("kind",),
    infer=_sorts_row,
    evaluate=_sort_row,
    effects=_row_effects,
    level=Level.LOW,
)
ORDER_ROW = OpDef(
    name="order_row",
    doc="Write the indices that sort `keys` to `row`; both are contiguous.",
    operands=("keys", "row"),
    attrs=("kind",),
    infer=_sorts_row,
    evaluate=_order_row,
    effects=_row_effects,
    level=Level.LOW,
)

SORTS = (SORT, ARGSORT)
SELECTIONS = (ORDER_STATISTICS, PARTITION, ARGPARTITION)
LIBRARY_OPS = (*SORTS, *SELECTIONS)
SELECT_ROW = OpDef(
    name="select_row",
    doc="Write the elements that would be at `places` of a sorted row to the contiguous `found`.",
    operands=("row", "places", "found"),
    infer=_selects_row,
    evaluate=_select_row,
    effects=_selects_effects,
    level=Level.LOW,
)
PART_ROW = OpDef(
    name="part_row",
    doc="Partition a contiguous row at `places`, as `partition` does.",
    operands=("row", "places"),
    infer=_parts_row,
    evaluate=_part_row,
    effects=_parts_effects,
    level=Level.LOW,
)
ORDER_PARTS = OpDef(
    name="order_parts",
    doc="Write the indices that partition `keys` to `row`; may partition `keys` itself.",
    operands=("keys", "row", "places"),
    infer=_parts_row,
    evaluate=_order_parts,
    effects=_parts_effects,
    level=Level.LOW,
)
EXTREME_PLACE = OpDef(
    name="extreme_place",
    doc="Index of the first largest element of a row, or the first least one; NaN is either.",
    operands=("row",),
    attrs=("kind",),
    infer=_extreme_place,
    evaluate=_place_of_extreme,
    effects=_looks,
    level=Level.LOW,
)
LOW_OPS = (SORT_ROW, ORDER_ROW, SELECT_ROW, PART_ROW, ORDER_PARTS, EXTREME_PLACE)
OPS = (*LIBRARY_OPS, *LOW_OPS)
