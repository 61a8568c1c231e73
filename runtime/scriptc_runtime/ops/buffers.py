"""Low ops on the buffers that a function keeps while it runs: memory for arrays of its loops."""

from collections.abc import Sequence
from typing import cast

import numpy as np

from scriptc_runtime.ops.arrays import Array
from scriptc_runtime.ops.low import NEW_ARRAY
from scriptc_runtime.ops.opdef import Attrs, Effects, Level, OpDef, OpTypeError
from scriptc_runtime.types import TensorType, Type

MAX_SLOTS = 64


def _check_slot(attrs: Attrs) -> None:
    if not 0 <= cast(int, attrs["slot"]) < MAX_SLOTS:
        raise OpTypeError(f"a function keeps no buffer {attrs['slot']!r}")


def _kept_array(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    _check_slot(attrs)
    return NEW_ARRAY.infer(types, attrs)


def _drop_kept(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    _check_slot(attrs)
    return ()


def _allocates(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(allocates=True)


def _evaluate_kept(*sizes: np.int64, type: TensorType, slot: int) -> Array:
    return np.empty([int(s) for s in sizes], type.dtype.numpy)


def _evaluate_drop(*, slot: int) -> None:
    """Do nothing: an array of the interpreter has its own memory."""


KEPT_ARRAY = OpDef(
    name="kept_array",
    doc="A C-contiguous array of `type` with unspecified elements in the function's buffer `slot`, "
    "where nothing is needed any more.",
    operands=("*sizes",),
    attrs=("type", "slot"),
    infer=_kept_array,
    evaluate=_evaluate_kept,
    effects=_allocates,
    level=Level.LOW,
)
DROP_KEPT = OpDef(
    name="drop_kept",
    doc="Give back the memory of the buffer `slot`.",
    operands=(),
    attrs=("slot",),
    infer=_drop_kept,
    evaluate=_evaluate_drop,
    effects=_allocates,
    level=Level.LOW,
)

OPS = (KEPT_ARRAY, DROP_KEPT)
