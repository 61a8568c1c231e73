"""Ops of code for a device: host code cannot read its memory, and threads share it."""

from collections.abc import Mapping, Sequence

import numpy as np

from scriptc_runtime.ops.arrays import Array, tensor
from scriptc_runtime.ops.low import LOAD, STORE, low_op, reads
from scriptc_runtime.ops.opdef import Attrs, Effects, OpDef, OpTypeError
from scriptc_runtime.types import BOOL, DType, Type


def _a_bool(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    return (BOOL,)


def _evaluate_on_device() -> bool:
    """Return what is known where no compiler is: it is none."""
    return False


def _evaluate_fetch(base: Array, *index: np.int64, once: bool) -> object:
    return base[index]


def _copied(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    return (tensor(types[0]),)


def _copies(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({0}), allocates=True)


def _nothing(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    return ()


def _raises(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(raises=True)


def _evaluate_nothing() -> None:
    """Do nothing: kernels that are run one after another raise at once."""


def _evaluate_copy(base: Array) -> Array:
    return base.copy()


def _combined(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    STORE.infer(types, {})
    if types[1] is not DType.I64 or attrs["kind"] not in _COMBINED:
        raise OpTypeError(f"threads have no {attrs['kind']} of {types[1]}")
    return ()


def _combines(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({0}), writes=frozenset({0}))


_COMBINED: Mapping[str, np.ufunc] = {"sum": np.add, "max": np.maximum}


def _evaluate_atomic(base: Array, value: np.int64, *index: np.int64, kind: str) -> None:
    with np.errstate(over="ignore"):
        base[index] = _COMBINED[kind](base[index], value)


ON_DEVICE = OpDef(
    name="on_device",
    doc="Whether a device runs it, whose many threads may be worth another way; `decompose` knows.",
    operands=(),
    infer=_a_bool,
    evaluate=_evaluate_on_device,
)
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
ATOMIC = low_op(
    "atomic",
    "Combine `value` with the element at `index`, i64, in one step that no other thread divides: "
    "`kind` is sum, which wraps, or max.",
    ("x", "value", "*index"),
    _combined,
    _evaluate_atomic,
    _combines,
    ("kind",),
)
RAISE_FAILED = low_op(
    "raise_failed",
    "Raise what a kernel before has failed with, when all of them are done.",
    (),
    _nothing,
    _evaluate_nothing,
    _raises,
)
LOW_OPS = (FETCH, TO_HOST, TO_DEVICE, ATOMIC, RAISE_FAILED)
OPS = (ON_DEVICE, *LOW_OPS)
