"""Low ops of host code whose arrays lie in the memory of a device, which it cannot read."""

from collections.abc import Sequence

import numpy as np

from scriptc_runtime.ops.arrays import Array, tensor
from scriptc_runtime.ops.low import LOAD, low_op, reads
from scriptc_runtime.ops.opdef import Attrs, Effects
from scriptc_runtime.types import Type


def _evaluate_fetch(base: Array, *index: np.int64, once: bool) -> object:
    return base[index]


def _copied(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    return (tensor(types[0]),)


def _copies(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({0}), allocates=True)


def _evaluate_copy(base: Array) -> Array:
    return base.copy()


FETCH = low_op(
    "fetch",
    "The element at `index`, when the kernels before have written it. Nobody writes to an `x` that "
    "was written `once` before.",
    ("x", "*index"),
    LOAD.infer,
    _evaluate_fetch,
    reads,
    ("once",),
)
TO_HOST = low_op(
    "to_host",
    "A copy of a C-contiguous `x` in the host's memory, when the kernels before have written it.",
    ("x",),
    _copied,
    _evaluate_copy,
    _copies,
)
TO_DEVICE = low_op(
    "to_device",
    "A copy of `x`, a C-contiguous array in the host's memory, in that of the device.",
    ("x",),
    _copied,
    _evaluate_copy,
    _copies,
)
OPS = (FETCH, TO_HOST, TO_DEVICE)
