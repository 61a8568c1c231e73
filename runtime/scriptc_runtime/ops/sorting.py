"""Ops that order rows along the last axis, NaN last.

`kind` says which of NumPy's algorithms does it: only a stable one keeps equal elements in order.
"""

from collections.abc import Sequence
from typing import Literal, cast

import numpy as np

from scriptc_runtime.ops.arrays import Array, tensor
from scriptc_runtime.ops.opdef import Attrs, Effects, Level, OpDef, OpTypeError
from scriptc_runtime.types import DType, TensorType, Type

KINDS = ("quicksort", "stable")


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


def _row_effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    written = frozenset({len(types) - 1})
    # For memory to work in.
    return Effects(reads=frozenset({0}), writes=written, raises=True)


def _places(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    (base,) = _ordered(types, attrs)
    return (TensorType(DType.I64, cast(TensorType, base).dims),)


def _effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({0}), allocates=True)


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
SORT_ROW = OpDef(
    name="sort_row",
    doc="Put the elements of a row, which lie side by side, in order.",
    operands=("row",),
    attrs=("kind",),
    infer=_sorts_row,
    evaluate=_sort_row,
    effects=_row_effects,
    level=Level.LOW,
)
ORDER_ROW = OpDef(
    name="order_row",
    doc="Write the indices to `row` that put `keys` in order; both lie side by side.",
    operands=("keys", "row"),
    attrs=("kind",),
    infer=_sorts_row,
    evaluate=_order_row,
    effects=_row_effects,
    level=Level.LOW,
)

LIBRARY_OPS = (SORT, ARGSORT)
LOW_OPS = (SORT_ROW, ORDER_ROW)
OPS = (*LIBRARY_OPS, *LOW_OPS)
