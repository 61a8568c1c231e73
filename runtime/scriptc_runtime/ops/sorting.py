"""Ops that order rows along the last axis; NaN comes last, equal elements keep their order."""

from collections.abc import Sequence
from typing import cast

import numpy as np

from scriptc_runtime.ops.arrays import Array, tensor
from scriptc_runtime.ops.opdef import Attrs, Effects, Level, OpDef, OpTypeError
from scriptc_runtime.types import DType, TensorType, Type


def _ordered(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    base = tensor(types[0])
    if base.rank == 0 or base.dtype.kind == "c":
        raise OpTypeError(f"{base} cannot be sorted")
    return (base,)


def _places(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    (base,) = _ordered(types, attrs)
    return (TensorType(DType.I64, cast(TensorType, base).dims),)


def _effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({0}), allocates=True)


def _sorted(x: Array) -> Array:
    return np.sort(x, axis=-1, kind="stable")


def _order(x: Array) -> Array:
    return np.argsort(x, axis=-1, kind="stable")


SORT = OpDef(
    name="sort",
    doc="The elements of each row, along the last axis, from the least to the largest.",
    operands=("x",),
    infer=_ordered,
    evaluate=_sorted,
    effects=_effects,
    level=Level.LIBRARY,
)
ARGSORT = OpDef(
    name="argsort",
    doc="The indices, along the last axis, that put the elements of each row in order.",
    operands=("x",),
    infer=_places,
    evaluate=_order,
    effects=_effects,
    level=Level.LIBRARY,
)

OPS = (SORT, ARGSORT)
