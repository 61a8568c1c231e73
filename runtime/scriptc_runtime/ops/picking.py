"""Ops that read and write the elements of an array that masks and lists of places pick."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from scriptc_runtime.dims import UNKNOWN
from scriptc_runtime.ops.arrays import Array, tensor
from scriptc_runtime.ops.elementwise import broadcast_dims
from scriptc_runtime.ops.opdef import Attrs, Effects, Level, OpDef, OpSizeError, OpTypeError
from scriptc_runtime.types import DType, TensorType, Type, element_of


def _compress(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    base, mask = tensor(types[0]), tensor(types[1])
    if base.rank != 1 or mask.rank != 1 or mask.dtype is not DType.B1:
        raise OpTypeError(f"a mask with one axis does not pick from {base} by {mask}")
    return (TensorType(base.dtype, (UNKNOWN,)),)


def _compress_effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    fits = tensor(types[0]).dims[0].same(tensor(types[1]).dims[0])
    return Effects(reads=frozenset({0, 1}), allocates=True, raises=not fits)


SHAPES_DIFFER = (
    "shape mismatch: indexing arrays could not be broadcast together with shapes that differ"
)
_PLACES = tuple(t for t in DType if t.kind in "iu" and t is not DType.U64)


def _picked(base: TensorType, types: Sequence[Type], attrs: Attrs) -> TensorType:
    """Return the type of what stands at the places that lists give for the first axes of `base`."""
    places = [tensor(t) for t in types]
    axes = attrs["axis"]
    if not isinstance(axes, tuple):
        raise OpTypeError(f"an axis for each list of places is needed, not {axes}")
    if not 1 <= len(places) == len(axes) <= base.rank:
        raise OpSizeError(f"{len(places)} lists of places for {len(axes)} axes of {base}")
    for index in places:
        if index.rank != 1 or index.dtype not in _PLACES:
            raise OpTypeError(f"{index} lists no places in {base}")
    count = places[0].dims[0]
    for index in places[1:]:
        if count.is_constant and index.dims[0].is_constant and count != index.dims[0]:
            raise OpSizeError(f"lists of {count} and {index.dims[0]} places")
        count = index.dims[0] if index.dims[0].is_constant else count
    return TensorType(base.dtype, (count, *base.dims[len(places) :]))


def _places(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    mask = tensor(types[0])
    if mask.rank != 1 or mask.dtype is not DType.B1:
        raise OpTypeError(f"{mask} is no mask with one axis")
    return (TensorType(DType.I64, (UNKNOWN,)),)


def _places_effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({0}), allocates=True)


def _take(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    return (_picked(tensor(types[0]), types[1:], attrs),)


def _outer_take(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    base, places = tensor(types[0]), [tensor(t) for t in types[1:]]
    for number, index in enumerate(places):
        _picked(TensorType(base.dtype, base.dims[number:]), [index], {"axis": (number,)})
    if not places or not isinstance(attrs["axis"], tuple) or len(attrs["axis"]) != len(places):
        raise OpTypeError(f"an axis for each list of places is needed, not {attrs['axis']}")
    counts = (index.dims[0] for index in places)
    return (TensorType(base.dtype, (*counts, *base.dims[len(places) :])),)


COMBINED: Mapping[str, np.ufunc] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "maximum": np.maximum,
    "minimum": np.minimum,
}


def _put_at(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    base, value = tensor(types[0]), types[1]
    picked = _picked(base, types[2:], attrs)
    kind = attrs["kind"]
    if kind != "put" and (kind not in COMBINED or base.dtype is DType.B1):
        raise OpTypeError(f"{base} has no {kind} of elements")
    dtype = value.dtype if isinstance(value, TensorType) else value
    if dtype is not base.dtype:
        raise OpTypeError(f"an element of {base} is {base.dtype}, not {dtype}")
    if isinstance(value, TensorType) and value.rank > picked.rank:
        raise OpSizeError(f"{value} does not fit into {picked}")
    broadcast_dims([picked, value])
    return ()


def _take_effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset(range(len(types))), allocates=True, raises=True)


def _put_at_effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    read = frozenset(i for i, t in enumerate(types) if i and isinstance(t, TensorType))
    return Effects(reads=read | {0}, writes=frozenset({0}), raises=True)


def _tally(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    target, places = tensor(types[0]), tensor(types[1])
    if target.rank != 1 or places.rank != 1 or places.dtype.kind not in "iu":
        raise OpTypeError(f"{places} lists no places of {target}")
    if element_of(types[2]) is not target.dtype or target.dtype is DType.B1:
        raise OpTypeError(f"an element of {target} is not {types[2]}")
    return ()


def _tally_effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    read = frozenset(i for i, t in enumerate(types) if isinstance(t, TensorType))
    return Effects(reads=read, writes=frozenset({0}))


def _evaluate_tally(target: Array, places: Array, values: Any) -> None:
    np.add.at(target, places, values)


def _combine(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    target, places, values = (tensor(t) for t in types)
    if places.rank != 1 or values.rank != 1 or places.dtype is not DType.I64:
        raise OpTypeError(f"{places} lists no places of {target}")
    if values.dtype is not target.dtype or target.dtype is DType.B1:
        raise OpTypeError(f"an element of {target} is not {values.dtype}")
    if attrs["kind"] not in COMBINED:
        raise OpTypeError(f"{target} has no {attrs['kind']} of elements")
    return ()


def _combine_effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({0, 1, 2}), writes=frozenset({0}))


def _evaluate_combine(target: Array, places: Array, values: Array, *, kind: str) -> None:
    somewhere = places >= 0
    index = np.unravel_index(places[somewhere], target.shape)
    with np.errstate(all="ignore"):
        COMBINED[kind].at(target, index, values[somewhere])


def _put_masked(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    base, mask, values = (tensor(t) for t in types)
    if base.rank != mask.rank or mask.rank == 0 or mask.dtype is not DType.B1:
        raise OpTypeError(f"{mask} says nothing of the elements of {base}")
    if values.rank != 1 or values.dtype is not base.dtype:
        raise OpTypeError(f"{values} are no elements of {base}")
    return ()


def _put_masked_effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({1, 2}), writes=frozenset({0}), raises=True)


def _evaluate_compress(base: Array, mask: Array) -> Array:
    _require_mask(base, mask)
    return base[mask]


def _evaluate_take(base: Array, *places: Array, axis: tuple[int, ...]) -> Array:
    _check_counts(places)
    _check_places(base, places, axis)
    return base[places]


def _evaluate_put_at(
    base: Array, values: Any, *places: Array, axis: tuple[int, ...], kind: str
) -> None:
    shape = (places[0].size, *base.shape[len(places) :])
    # In NumPy's order: a ufunc looks at the places first.
    _check_counts(places)
    if kind != "put":
        _check_places(base, places, axis)
    apart = _put_values(values, shape, kind)
    _check_places(base, places, axis)
    places = tuple(index.copy() for index in places)
    if kind == "put":
        base[places] = apart
    else:
        COMBINED[kind].at(base, places, apart)


def _evaluate_outer_take(base: Array, *places: Array, axis: tuple[int, ...], full: bool) -> Array:
    if full or all(index.size for index in places):
        _check_places(base, places, axis)
    else:
        places = tuple(np.zeros_like(index) if index.size else index for index in places)
    return base[np.ix_(*places)]


def _put_values(values: Any, shape: tuple[int, ...], kind: str) -> Array:
    try:
        return np.broadcast_to(np.array(values), shape)
    except ValueError:
        if kind != "put":
            raise ValueError("array is not broadcastable to correct shape") from None
        own, result = (str(s).replace(" ", "") for s in (np.shape(values), shape))
        raise ValueError(
            f"shape mismatch: value array of shape {own} could not be broadcast to indexing result "
            f"of shape {result}"
        ) from None


def _check_places(base: Array, places: Sequence[Array], axis: tuple[int, ...]) -> None:
    for size, index, number in zip(base.shape, places, axis, strict=False):
        # NumPy itself lets places pass that nothing is read at, and names the axis of `base`.
        outside = index[(index < -size) | (index >= size)]
        if outside.size:
            message = f"index {outside[0]} is out of bounds for axis {number} with size {size}"
            raise IndexError(message)


def _check_counts(places: Sequence[Array]) -> None:
    if len({index.size for index in places}) != 1:
        raise IndexError(SHAPES_DIFFER)


def _evaluate_put_masked(base: Array, mask: Array, values: Array) -> None:
    _require_mask(base, mask)
    base[mask] = values


def _require_mask(base: Array, mask: Array) -> None:
    # NumPy itself lets one pass that has no elements.
    for axis, (own, other) in enumerate(zip(base.shape, mask.shape, strict=True)):
        if own != other:
            raise IndexError(
                f"boolean index did not match indexed array along axis {axis}; size of axis is "
                f"{own} but size of corresponding boolean axis is {other}"
            )


COMPRESS = OpDef(
    name="compress",
    doc="The elements of `x` for which `mask` is true, in order.",
    operands=("x", "mask"),
    infer=_compress,
    evaluate=_evaluate_compress,
    effects=_compress_effects,
)
PLACES = OpDef(
    name="places",
    doc="The indices at which `mask` is true, in order.",
    operands=("mask",),
    infer=_places,
    evaluate=np.flatnonzero,
    effects=_places_effects,
    level=Level.LIBRARY,
)
TAKE = OpDef(
    name="take",
    doc="What stands in `x` at the places that the lists `places` give for its first axes, from "
    "the end where they are below zero: for each place an element, or all of the axes behind. "
    "IndexError, which names one of those of `axis`, before a place out of bounds is read.",
    operands=("x", "*places"),
    attrs=("axis",),
    infer=_take,
    evaluate=_evaluate_take,
    effects=_take_effects,
)
OUTER_TAKE = OpDef(
    name="outer_take",
    doc="What stands in `x` where the lists `places` cross, one for each of its first axes. "
    "IndexError as of `take`; unless `full`, of no list where another one is empty.",
    operands=("x", "*places"),
    attrs=("axis", "full"),
    infer=_outer_take,
    evaluate=_evaluate_outer_take,
    effects=_take_effects,
)
PUT_AT = OpDef(
    name="put_at",
    doc="Write `values`, broadcast and as if they were copied first, in order to what `take` reads "
    "of `target`, so that of two for one place the last stays. With another `kind` than put, one "
    "of add, sub, mul, maximum and minimum, what is there is combined with each of them.",
    operands=("target", "values", "*places"),
    attrs=("axis", "kind"),
    infer=_put_at,
    evaluate=_evaluate_put_at,
    effects=_put_at_effects,
)
PUT_MASKED = OpDef(
    name="put_masked",
    doc="Write `values` in order, or one value each time, to the elements of `target` for which "
    "`mask` is true, as if they were copied first.",
    operands=("target", "mask", "values"),
    infer=_put_masked,
    evaluate=_evaluate_put_masked,
    effects=_put_masked_effects,
)

TALLY = OpDef(
    name="tally",
    doc="Add `values` in order, or one value each time, to the elements of `target` at `places`: "
    "a place out of bounds is the caller's mistake.",
    operands=("target", "places", "values"),
    infer=_tally,
    evaluate=_evaluate_tally,
    effects=_tally_effects,
    level=Level.LIBRARY,
)
COMBINE = OpDef(
    name="combine",
    doc="Combine `values` in order with the elements of `target` at `places`, which count them in "
    "C order; what has a place below zero goes nowhere. `kind` is as for `put_at`.",
    operands=("target", "places", "values"),
    attrs=("kind",),
    infer=_combine,
    evaluate=_evaluate_combine,
    effects=_combine_effects,
    level=Level.LOW,
)

OPS = (COMPRESS, PLACES, TAKE, OUTER_TAKE, PUT_AT, PUT_MASKED, TALLY, COMBINE)
