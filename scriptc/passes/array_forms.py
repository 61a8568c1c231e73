"""What rules on whole arrays look at: shapes, axes, and what views show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from scriptc.passes import array_sites
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import (
    arrays,
    data,
    elementary,
    joining,
)
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import Attr, Trait
from scriptc_runtime.record import record
from scriptc_runtime.types import NONE, TensorType

ELEMENTWISE = frozenset(op for op in (*e.OPS, *elementary.OPS) if Trait.ELEMENTWISE in op.traits)


@record
class Part:
    """The array that a view of joined ones lies inside of; bounds that are None are its own."""

    array: Value
    start: int | None = None
    stop: int | None = None


def composed(site: array_sites.Site) -> tuple[int, ...]:
    """Return the order of axes that two transposes give together."""
    first = cast("tuple[int, ...]", site.inner.attrs["order"])
    return tuple(first[axis] for axis in cast("tuple[int, ...]", site.outer.attrs["order"]))


def type_of(array: Value) -> TensorType:
    """Return the type of an array."""
    return cast("TensorType", array.type)


def rank_of(instr: Instr) -> int:
    """Return how many axes the result of an instruction has."""
    return type_of(instr.result).rank


def tensors_of(instr: Instr) -> Sequence[TensorType]:
    """Return the types of the arrays that an instruction takes."""
    return [v.type for v in instr.operands if isinstance(v.type, TensorType)]


def keeps_shape(instr: Instr) -> bool:
    """Whether each array that an op reads has the shape of its result."""
    tensors, shape = tensors_of(instr), type_of(instr.result).dims
    return len(tensors) == 1 or all(
        len(t.dims) == len(shape) and all(d.same(s) for d, s in zip(t.dims, shape, strict=True))
        for t in tensors
    )


def measured(facts: array_sites.ArrayFacts, array: Value, axis: int) -> tuple[Value, int]:
    """Return an array that was there before, and an axis of it, of the size of an axis."""
    while (made := facts.definition(array)) is not None:
        if made.op is arrays.TRANSPOSE:
            axis = cast("tuple[int, ...]", made.attrs["order"])[axis]
        elif made.op is not arrays.COPY and not (made.op in ELEMENTWISE and keeps_shape(made)):
            break
        array = next(v for v in made.operands if isinstance(v.type, TensorType))
    return array, axis


def constant_of(site: array_sites.Site, value: Value) -> Attr:
    """Return the number that a value is; None where that is not known."""
    made = site.facts.definition(value)
    return made.attrs["value"] if made is not None and made.op is data.CONST else None


def is_dim_of(site: array_sites.Site, size: Value, array: Value, axis: int) -> bool:
    """Whether a size is that of an axis: read of it or, where there is one axis, what is left."""
    if constant_of(site, size) == -1:
        return type_of(array).rank == 1
    made = site.facts.definition(size)
    if made is None or made.op is not arrays.DIM:
        return False
    own = measured(site.facts, made.operands[0], cast("int", made.attrs["axis"]))
    return own == measured(site.facts, array, axis)


def letters_of(view: Instr) -> str:
    """Return what a view does with each axis it speaks of."""
    return cast("str", view.attrs["axes"])


def never_fails(facts: array_sites.ArrayFacts, view: Instr) -> bool:
    """Whether a view has no index that may be out of bounds, and no step that may be zero."""

    def number(value: Value) -> Attr:
        made = facts.definition(value)
        return made.attrs["value"] if made is not None and made.op is data.CONST else None

    rest, dims = view.operands[1:], iter(type_of(view.operands[0]).dims)
    for letter in letters_of(view).replace("n", ""):
        dim = next(dims)
        if letter == "i":
            index, rest = number(rest[0]), rest[1:]
            places = range(-dim.constant, dim.constant) if dim.is_constant else ()
            if index not in places:
                return False
        else:
            step, rest = rest[2], rest[3:]
            if step.type is not NONE and number(step) in (None, 0):
                return False
    return True


def signs_of(site: array_sites.Site, view: Instr) -> Sequence[int] | None:
    """Return 1 or -1 for each axis that a view leaves whole or turns round; None for others."""
    axes = letters_of(view)
    if set(axes) - {"s"}:
        return None
    signs: list[int] = []
    items = view.operands[1:]
    for start, stop, step in zip(items[::3], items[1::3], items[2::3], strict=True):
        is_turned = step.type is not NONE
        if start.type is not NONE or stop.type is not NONE:
            return None
        if is_turned and constant_of(site, step) != -1:
            return None
        signs.append(-1 if is_turned else 1)
    return signs + [1] * (rank_of(view) - len(signs))


def part_of(site: array_sites.Site, view: Instr) -> Part | None:
    """Return what a view of joined arrays shows, if that is one of them or lies inside of one."""
    axis = cast("int", site.inner.attrs["axis"])
    items = _items(view)
    if items is None or len(items) <= axis:
        return None
    own = items.pop(axis)
    if any(len(item) == 1 or any(v.type is not NONE for v in item) for item in items):
        return None
    if joining.is_new(site.inner.attrs):
        return _part_at(site, own)
    return _part_between(site, own, axis) if len(own) == 3 else None


def _items(view: Instr) -> list[Sequence[Value]] | None:
    """Return the index, or the bounds and the step, for each axis that a view speaks of."""
    found: list[Sequence[Value]] = []
    rest = view.operands[1:]
    for letter in letters_of(view):
        if letter == "n":
            return None
        count = 1 if letter == "i" else 3
        found.append(rest[:count])
        rest = rest[count:]
    return found


def _part_at(site: array_sites.Site, item: Sequence[Value]) -> Part | None:
    parts = site.inner.operands
    index = constant_of(site, item[0]) if len(item) == 1 else None
    if not isinstance(index, int) or not -len(parts) <= index < len(parts):
        return None
    return Part(parts[index])


def _part_between(site: array_sites.Site, item: Sequence[Value], axis: int) -> Part | None:
    start, stop = (constant_of(site, v) if v.type is not NONE else None for v in item[:2])
    is_known = all(v.type is NONE or isinstance(constant_of(site, v), int) for v in item[:2])
    first = start if isinstance(start, int) else 0
    if not is_known or item[2].type is not NONE or first < 0:
        return None
    place = 0  # where a part begins
    for number, part in enumerate(site.inner.operands, start=1):
        dim = type_of(part).dims[axis]
        end = place + dim.constant if dim.is_constant else None
        if first < place:
            return None
        if stop is None and number == len(site.inner.operands):
            return Part(part, first - place or None)
        if isinstance(stop, int) and end is not None and place <= stop <= end:
            return Part(part, first - place or None, stop - place if stop < end else None)
        if end is None:
            return None
        place = end
    return None
