"""Scans: what the elements of an array come to so far."""

from collections.abc import Mapping, Sequence

import numpy as np

from scriptc_runtime.dims import UNKNOWN
from scriptc_runtime.ops.arrays import Array, tensor
from scriptc_runtime.ops.opdef import Attrs, Effects, Level, OpDef, OpTypeError
from scriptc_runtime.types import TensorType, Type

COMBINED: Mapping[str, np.ufunc] = {
    "sum": np.add,
    "prod": np.multiply,
    "max": np.maximum,
    "min": np.minimum,
}


def _infer(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    x = tensor(types[0])
    if x.rank == 0 or attrs["kind"] not in COMBINED:
        raise OpTypeError(f"{x} has no scan of kind {attrs['kind']}")
    return (TensorType(x.dtype, (UNKNOWN,) * x.rank),)


def _effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({0}), allocates=True)


def _evaluate(x: Array, *, kind: str, last: bool) -> Array:
    return COMBINED[kind].accumulate(x, axis=-1 if last else 0, dtype=x.dtype)


SCAN = OpDef(
    name="scan",
    doc="The elements combined up to each one, in turn, along the `last` axis or the first one.",
    operands=("x",),
    attrs=("kind", "last"),
    infer=_infer,
    evaluate=_evaluate,
    effects=_effects,
    level=Level.LIBRARY,
)
OPS = (SCAN,)
