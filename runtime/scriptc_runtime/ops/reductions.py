"""Ops that fold axes of an array; without `axis` all of them, to a scalar."""

from collections.abc import Callable, Sequence
from typing import cast

import numpy as np

from scriptc_runtime.dims import ONE
from scriptc_runtime.ops.arrays import Array, tensor
from scriptc_runtime.ops.elementwise import broadcast_dims, shaped
from scriptc_runtime.ops.opdef import Attrs, Effects, Level, OpDef, OpTypeError
from scriptc_runtime.types import DType, TensorType, Type, element_of

_ATTRS = ("axis", "keepdims")


def reduced_axes(type_: TensorType, attrs: Attrs) -> tuple[int, ...]:
    """Return the axes that go, in order.  Raises OpTypeError."""
    axis = attrs["axis"]
    axes = (
        tuple(range(type_.rank)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    )
    for a in axes:
        if not isinstance(a, int) or not 0 <= a < type_.rank or axes.count(a) > 1:
            raise OpTypeError(f"{type_} cannot be reduced over {axis}")
    return tuple(sorted(cast("tuple[int, ...]", axes)))


def _reduce(
    result: Callable[[DType], DType], *, ordered: bool = True
) -> Callable[[Sequence[Type], Attrs], tuple[Type, ...]]:
    def infer(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
        base = tensor(types[0])
        if ordered and base.dtype.kind == "c":
            raise OpTypeError("not built for complex numbers, which have no order")
        axes = reduced_axes(base, attrs)
        if attrs["keepdims"]:
            dims = tuple(ONE if i in axes else d for i, d in enumerate(base.dims))
        else:
            dims = tuple(d for i, d in enumerate(base.dims) if i not in axes)
        return (shaped(result(base.dtype), dims),)

    return infer


def sum_dtype(dtype: DType) -> DType:
    """Return the dtype that NumPy sums up in."""
    match dtype.kind:
        case "b" | "i":
            return DType.I64
        case "u":
            return DType.U64
        case _:
            return dtype


def _number(dtype: DType) -> DType:
    if dtype is DType.F16:
        raise OpTypeError("NumPy rounds a product of f16 after each factor, which is not built")
    if dtype.kind == "b" or dtype.itemsize < 4 or (dtype.kind in "iu" and dtype.itemsize < 8):
        raise OpTypeError(f"a product of {dtype} is computed in a wider dtype")
    return dtype


def _truth(dtype: DType) -> DType:
    if dtype is not DType.B1:
        raise OpTypeError(f"the truth of {dtype} is known only after a comparison")
    return dtype


def _float_dtype(dtype: DType) -> DType:
    return dtype if dtype.kind in "fc" else DType.F64


def _argmax(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    if isinstance(attrs["axis"], tuple):
        raise OpTypeError("argmax takes one axis, or none for all")
    return _reduce(lambda dtype: DType.I64)(types, attrs)


def _clip(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    elements = {element_of(t) for t in types}
    if len(elements) != 1 or not isinstance(element := elements.pop(), DType):
        raise OpTypeError("clip needs one dtype for the values and both bounds")
    if element.kind == "c":
        raise OpTypeError("complex numbers have no order")
    return (shaped(element, broadcast_dims(types)[0]),)


def _fold_effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({0}), allocates=True)


def _extreme_effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    # An empty array has no largest element: NumPy raises ValueError.
    return Effects(reads=frozenset({0}), allocates=True, raises=True)


def _clip_effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    tensors = frozenset(i for i, t in enumerate(types) if isinstance(t, TensorType))
    return Effects(reads=tensors, allocates=bool(tensors), raises=broadcast_dims(types)[1])


def _mean(x: Array, *, axis: int | tuple[int, ...] | None, keepdims: bool) -> object:
    # np.mean would warn of an empty mean in its own way; the quotient gives NaN quietly.
    total = cast(Array, np.sum(x, axis=axis, keepdims=keepdims, dtype=_mean_dtype(x)))
    count = x.size // max(np.size(total), 1) if np.size(total) else 1
    quotient: object = total / total.dtype.type(count)
    return _narrowed(cast(Array, quotient), x)


def _variance(x: Array, *, axis: int | tuple[int, ...] | None, keepdims: bool) -> object:
    wide = x.astype(_mean_dtype(x))
    difference = wide - cast(Array, _mean(wide, axis=axis, keepdims=True))
    squares = cast(Array, _mean(difference * difference, axis=axis, keepdims=keepdims))
    return _narrowed(squares, x)


def _mean_dtype(x: Array) -> np.dtype[np.generic]:
    """Return the dtype in which NumPy computes a mean: that of half precision is single."""
    if x.dtype.kind in "biu":
        return np.dtype(np.float64)
    return np.dtype(np.float32) if x.dtype == np.float16 else x.dtype


def _narrowed(result: Array, x: Array) -> object:
    return result.astype(np.float16) if x.dtype == np.float16 else result


SUM = OpDef(
    name="sum",
    doc="Sum over `axis`; bools are counted.",
    operands=("x",),
    attrs=_ATTRS,
    infer=_reduce(sum_dtype, ordered=False),
    evaluate=np.sum,
    effects=_fold_effects,
)
PROD = OpDef(
    name="prod",
    doc="Product over `axis`; 1 where there is no element.",
    operands=("x",),
    attrs=_ATTRS,
    infer=_reduce(_number),
    evaluate=np.prod,
    effects=_fold_effects,
)
ANY = OpDef(
    name="any",
    doc="Whether any element over `axis` is true.",
    operands=("x",),
    attrs=_ATTRS,
    infer=_reduce(_truth),
    evaluate=np.any,
    effects=_fold_effects,
)
ALL = OpDef(
    name="all",
    doc="Whether all elements over `axis` are true.",
    operands=("x",),
    attrs=_ATTRS,
    infer=_reduce(_truth),
    evaluate=np.all,
    effects=_fold_effects,
)
MAX = OpDef(
    name="max",
    doc="Largest element over `axis`; NaN if any is; ValueError where there is none.",
    operands=("x",),
    attrs=_ATTRS,
    infer=_reduce(lambda dtype: dtype),
    evaluate=np.max,
    effects=_extreme_effects,
)
MIN = OpDef(
    name="min",
    doc="Smallest element over `axis`; NaN if any is; ValueError where there is none.",
    operands=("x",),
    attrs=_ATTRS,
    infer=_reduce(lambda dtype: dtype),
    evaluate=np.min,
    effects=_extreme_effects,
)
MEAN = OpDef(
    name="mean",
    doc="Arithmetic mean over `axis`; NaN where there is no element.",
    operands=("x",),
    attrs=_ATTRS,
    infer=_reduce(_float_dtype, ordered=False),
    evaluate=_mean,
    effects=_fold_effects,
    level=Level.LIBRARY,
)
VAR = OpDef(
    name="var",
    doc="Mean of the squared distance from the mean over `axis`.",
    operands=("x",),
    attrs=_ATTRS,
    infer=_reduce(_float_dtype),
    evaluate=_variance,
    effects=_fold_effects,
    level=Level.LIBRARY,
)
ARGMAX = OpDef(
    name="argmax",
    doc="Index of the first largest element over one `axis`; a NaN is larger than any number.",
    operands=("x",),
    attrs=_ATTRS,
    infer=_argmax,
    evaluate=np.argmax,
    effects=_extreme_effects,
    level=Level.LIBRARY,
)
ARGMIN = OpDef(
    name="argmin",
    doc="Index of the first smallest element over one `axis`; a NaN is smaller than any number.",
    operands=("x",),
    attrs=_ATTRS,
    infer=_argmax,
    evaluate=np.argmin,
    effects=_extreme_effects,
    level=Level.LIBRARY,
)
CLIP = OpDef(
    name="clip",
    doc="`x` held between `low` and `high`.",
    operands=("x", "low", "high"),
    infer=_clip,
    evaluate=np.clip,
    effects=_clip_effects,
    level=Level.LIBRARY,
)

OPS = (SUM, PROD, ANY, ALL, MAX, MIN, MEAN, VAR, ARGMAX, ARGMIN, CLIP)
