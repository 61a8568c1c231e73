"""Ops that make an array of parts of others along an axis."""

from collections.abc import Sequence

import numpy as np

from scriptc_runtime.dims import ONE, UNKNOWN, Dim
from scriptc_runtime.ops.arrays import Array, tensor
from scriptc_runtime.ops.opdef import Attrs, Effects, OpDef, OpSizeError, OpTypeError
from scriptc_runtime.types import INT, TensorType, Type


def _along(rank: int, attrs: Attrs) -> int:
    axis = attrs["axis"]
    if type(axis) is not int or not 0 <= axis < rank:
        raise OpTypeError(f"there is no axis {axis} of {rank}")
    return axis


# Parts are joined along an axis of theirs, or along a new one, by np.stack or after
# np.expand_dims. The last two differ in what they say of parts that do not fit.
CONCATENATE, STACK, EXPAND = KINDS = ("concatenate", "stack", "expand")


def is_new(attrs: Attrs) -> bool:
    """Whether parts are joined along an axis that they do not have themselves."""
    return attrs["kind"] != CONCATENATE


def _dims(type_: TensorType, axis: int, attrs: Attrs) -> tuple[Dim, ...]:
    """Return the dims of a part with the axis that it has in the result."""
    dims = type_.dims
    return (*dims[:axis], ONE, *dims[axis:]) if is_new(attrs) else dims


def joined_size(first: Dim, second: Dim) -> Dim:
    """Return the size of two parts together: a number, as types hold no sums of names."""
    return first.plus(second) if first.is_constant and second.is_constant else UNKNOWN


def _join(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    if not types:
        raise OpTypeError("at least one array is joined")
    if attrs["kind"] not in KINDS:
        raise OpTypeError(f"arrays are not joined by {attrs['kind']!r}")
    parts = [tensor(t) for t in types]
    first = parts[0]
    axis = _along(first.rank + is_new(attrs), attrs)
    if any(part.dtype is not first.dtype or part.rank != first.rank for part in parts):
        raise OpTypeError(f"{first} is joined with arrays of its dtype and number of axes alone")
    dims = list(_dims(first, axis, attrs))
    for part in parts[1:]:
        for other, dim in enumerate(_dims(part, axis, attrs)):
            if other == axis:
                dims[axis] = joined_size(dims[axis], dim)
            elif dims[other].is_constant and dim.is_constant and dims[other] != dim:
                raise OpSizeError(f"{first} and {part} are of different sizes along axis {other}")
            elif dim.is_constant:
                dims[other] = dim
    return (TensorType(first.dtype, tuple(dims)),)


def _join_effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    parts = [tensor(t) for t in types]
    axis = _along(parts[0].rank + is_new(attrs), attrs)
    rows = [_dims(part, axis, attrs) for part in parts]
    fits = all(
        own.same(dim)
        for row in rows[1:]
        for other, (own, dim) in enumerate(zip(rows[0], row, strict=True))
        if other != axis
    )
    return Effects(reads=frozenset(range(len(types))), allocates=True, raises=not fits)


def _roll(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    base = tensor(types[0])
    _along(base.rank, attrs)
    if types[1] is not INT:
        raise OpTypeError(f"an array is rolled by an int, not by {types[1]}")
    return (base,)


def _roll_effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({0}), allocates=True)


def _evaluate_join(*parts: Array, axis: int, kind: str) -> Array:
    if kind == STACK:
        return np.array(np.stack(parts, axis), order="C")
    if kind == EXPAND:
        parts = tuple(np.expand_dims(part, axis) for part in parts)
    return np.array(np.concatenate(parts, axis), order="C")


def _evaluate_roll(base: Array, shift: int, *, axis: int) -> Array:
    # NumPy's own adds the shift to others, which may not fit.
    size = base.shape[axis]
    return np.array(np.roll(base, shift % size if size else 0, axis), order="C")


JOIN = OpDef(
    name="join",
    doc="Arrays behind each other along an axis: one of theirs, or a new one, as `kind` says.",
    operands=("*parts",),
    attrs=("axis", "kind"),
    infer=_join,
    evaluate=_evaluate_join,
    effects=_join_effects,
)
ROLL = OpDef(
    name="roll",
    doc="The elements `shift` places further on along an axis, the last ones in front.",
    operands=("x", "shift"),
    attrs=("axis",),
    infer=_roll,
    evaluate=_evaluate_roll,
    effects=_roll_effects,
)

OPS: Sequence[OpDef] = (JOIN, ROLL)
