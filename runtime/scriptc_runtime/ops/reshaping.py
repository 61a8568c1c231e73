"""Ops that see the elements of an array, in C order, in another shape.

Like NumPy's, `reshape` gives a view wherever strides can describe one, and a copy elsewhere.  With
`dense` the result is C-contiguous, as that of `ravel`: a view only of what is.
"""

from collections.abc import Sequence

import numpy as np

from scriptc_runtime.dims import UNKNOWN, Dim
from scriptc_runtime.ops.arrays import Array, check_declared, tensor
from scriptc_runtime.ops.opdef import Attrs, Effects, Level, OpDef, OpTypeError
from scriptc_runtime.types import BOOL, INT, DType, TensorType, Type


def _reshape(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    base, dims = tensor(types[0]), attrs["dims"]
    assert isinstance(dims, tuple)
    if len(dims) != len(types) - 1 or any(t is not INT for t in types[1:]):
        raise OpTypeError("one int for each axis is needed")
    known = tuple(Dim(d) if isinstance(d, int) else UNKNOWN for d in dims)
    return (TensorType(base.dtype, known),)


def _can_reshape(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    tensor(types[0])
    _require_sizes(types[1:])
    return (BOOL,)


def _reshaped(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    base, type_ = tensor(types[0]), attrs["type"]
    _require_sizes(types[1:])
    if not isinstance(type_, TensorType) or type_.dtype is not base.dtype:
        raise OpTypeError(f"{base} cannot be seen as {type_}")
    if type_.rank != len(types) - 1:
        raise OpTypeError("one size for each axis is needed")
    return (type_,)


def _require_sizes(types: Sequence[Type]) -> None:
    if any(t is not DType.I64 for t in types):
        raise OpTypeError("sizes must be i64")


def _effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({0}), aliases=frozenset({0}), allocates=True, raises=True)


def _sees(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(aliases=frozenset({0}), raises=True)


def _looks(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects()


def _aliases(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(aliases=frozenset({0}))


def _evaluate_reshape(base: Array, *sizes: int, dims: tuple[int | None, ...], dense: bool) -> Array:
    check_declared(sizes, dims)
    return (np.ascontiguousarray(base) if dense else base).reshape(sizes)


def _evaluate_set_shape(base: Array, *sizes: int, dims: tuple[int | None, ...]) -> Array:
    check_declared(sizes, dims)
    view = base.reshape(sizes)
    if base.size and not np.may_share_memory(view, base):
        raise AttributeError(
            "Incompatible shape for in-place modification. Use `.reshape()` to make a copy with "
            "the desired shape."
        )
    return view


def _evaluate_can_reshape(base: Array, *sizes: np.int64, dense: bool) -> bool:
    if dense:
        return base.flags.c_contiguous
    return base.size == 0 or bool(np.may_share_memory(base.reshape(sizes), base))


def _evaluate_reshaped(base: Array, *sizes: np.int64, type: TensorType, dense: bool) -> Array:
    return base.reshape(sizes)


RESHAPE = OpDef(
    name="reshape",
    doc="The elements of `x`, in C order, in another shape, sharing its memory where strides can "
    "say so; one size may be -1. `dims` holds the sizes that are constant.",
    operands=("x", "*sizes"),
    attrs=("dims", "dense"),
    infer=_reshape,
    evaluate=_evaluate_reshape,
    effects=_effects,
)
SET_SHAPE = OpDef(
    name="set_shape",
    doc="`x` in another shape of as many elements, sharing its memory; AttributeError where no "
    "strides can say so. `dims` holds the sizes that are constant.",
    operands=("x", "*sizes"),
    attrs=("dims",),
    infer=_reshape,
    evaluate=_evaluate_set_shape,
    effects=_sees,
)
CAN_RESHAPE = OpDef(
    name="can_reshape",
    doc="Whether strides can describe `x` in another shape of as many elements.",
    operands=("x", "*sizes"),
    attrs=("dense",),
    infer=_can_reshape,
    evaluate=_evaluate_can_reshape,
    effects=_looks,
    level=Level.LOW,
)
RESHAPED = OpDef(
    name="reshaped",
    doc="`x` in another shape, sharing its memory, where `can_reshape` said so; a `dense` one is "
    "known to be C-contiguous.",
    operands=("x", "*sizes"),
    attrs=("type", "dense"),
    infer=_reshaped,
    evaluate=_evaluate_reshaped,
    effects=_aliases,
    level=Level.LOW,
)

CORE_OPS = (RESHAPE, SET_SHAPE)
LOW_OPS = (CAN_RESHAPE, RESHAPED)
OPS = (*CORE_OPS, *LOW_OPS)
