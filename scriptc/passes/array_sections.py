"""What is picked of an array: along which axes, and whether two picks have nothing in common.

w[..., 0], w[..., 1]     nothing in common: what w is computed of may be picked of instead
w[1:], w[:-1]            most elements twice
view(x * y[:, None])     the axis that is broadcast has nothing to be picked of
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import inf

from scriptc.passes import array_sites
from scriptc.passes.array_forms import ELEMENTWISE, constant_of, letters_of, type_of
from scriptc_runtime.dims import ONE, Dim
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import arrays, data
from scriptc_runtime.record import record
from scriptc_runtime.types import NONE, TensorType

PICKS = (arrays.VIEW, arrays.INDEX)


@record(eq=False)
class Item:
    """What is picked along one axis: the element at an index, or a slice with bounds and a step."""

    values: Sequence[Value]

    @property
    def is_index(self) -> bool:
        """Whether one element is picked, and the axis is gone."""
        return len(self.values) == 1

    @property
    def is_whole(self) -> bool:
        """Whether all of the axis is there, as it is."""
        return not self.is_index and all(v.type is NONE for v in self.values)


def items_of(pick: Instr) -> Sequence[Item]:
    """Return what is picked along each axis that a pick speaks of: the first ones of its array."""
    rest = pick.operands[1:]
    if pick.op is arrays.INDEX:
        return [Item((index,)) for index in rest]
    items: list[Item] = []
    for letter in letters_of(pick).replace("n", ""):
        count = 1 if letter == "i" else 3
        items.append(Item(rest[:count]))
        rest = rest[count:]
    return items


def goes_through(site: array_sites.Site) -> bool:
    """Whether a pick of what an op computes is what the op computes of picks of its operands.

    An operand that is broadcast along an axis that is cut must be there already: it would be
    computed for each of several picks.
    """
    shape = type_of(site.inner.result).dims
    cut = _cut_axes(site.outer)
    for operand in site.inner.operands:
        if not isinstance(operand.type, TensorType):
            continue
        own = _aligned(operand.type, shape)
        if not all(own[a] == ONE or own[a].same(shape[a]) for a in cut):
            return False
        if not _is_like(operand.type, shape, cut) and (
            _adds_axes(site.outer) or _is_made(site, operand)
        ):
            return False
    return True


def _cut_axes(pick: Instr) -> Sequence[int]:
    return [axis for axis, item in enumerate(items_of(pick)) if not item.is_whole]


def _adds_axes(pick: Instr) -> bool:
    return pick.op is arrays.VIEW and "n" in letters_of(pick)


def _is_made(site: array_sites.Site, operand: Value) -> bool:
    made = site.facts.definition(operand)
    return made is not None and made.op in ELEMENTWISE


def _aligned(type_: TensorType, shape: Sequence[Dim]) -> Sequence[Dim]:
    """Return the dim that an operand has on each axis of a result: 1 where it has no axis."""
    return (*[ONE] * (len(shape) - len(type_.dims)), *type_.dims)


def _is_like(type_: TensorType, shape: Sequence[Dim], cut: Sequence[int]) -> bool:
    """Whether an operand has all axes of a result, and its size along those that are cut."""
    return len(type_.dims) == len(shape) and all(type_.dims[a] == shape[a] for a in cut)


def of_operand(site: array_sites.Site, operand: Value) -> Value:
    """Return the pick of an operand of the inner op that the outer one takes of its result."""
    shape, pick = type_of(site.inner.result).dims, site.outer
    own = _aligned(type_of(operand), shape)
    if _is_like(type_of(operand), shape, _cut_axes(pick)):
        return site.emit(pick.op, (operand, *pick.operands[1:]), pick.attrs)
    lead = len(shape) - len(type_of(operand).dims)
    items = [
        item if own[axis] == shape[axis] else _of_one(site, item)
        for axis, item in enumerate(items_of(pick))
        if axis >= lead
    ]
    values = [v for item in items for v in item.values]
    letters = "".join("i" if item.is_index else "s" for item in items)
    if all(item.is_whole for item in items):
        return operand
    if letters == "i" * len(type_of(operand).dims):
        return site.emit(arrays.INDEX, (operand, *values), {})
    return site.emit(arrays.VIEW, (operand, *values), {"axes": letters})


def _of_one(site: array_sites.Site, item: Item) -> Item:
    """Return what is picked of an axis of one element, which is that of all."""
    if item.is_index:
        return Item((site.emit(data.CONST, (), {"value": 0}),))
    return Item((site.emit(data.CONST, (), {"value": None}),) * 3)


def are_apart(site: array_sites.Site, picks: Sequence[Instr]) -> bool:
    """Whether no element of the inner array is picked by two of some picks, as numbers say."""
    dims = type_of(site.inner.result).dims
    found = [[_bounds(site, i, d) for i, d in zip(items_of(p), dims, strict=False)] for p in picks]
    pairs = combinations(found, 2)
    return all(any(map(_have_nothing_in_common, *pair)) for pair in pairs)


# The first place that is picked along an axis, and the one behind the last.
_Bounds = tuple[float, float]


def _have_nothing_in_common(first: _Bounds | None, second: _Bounds | None) -> bool:
    return (
        first is not None
        and second is not None
        and (first[1] <= second[0] or second[1] <= first[0])
    )


def _bounds(site: array_sites.Site, item: Item, dim: Dim) -> _Bounds | None:
    """Return the bounds of what is picked along an axis; None where they are not known.

    Of an axis of any length those are known that are told from its beginning.
    """
    numbers = [None if v.type is NONE else constant_of(site, v) for v in item.values]
    known = [n for n in numbers if isinstance(n, int)]
    if len(known) != sum(v.type is not NONE for v in item.values) or numbers[2:] not in (
        [],
        [None],
    ):
        return None
    if dim.is_constant:
        known = [n + dim.constant if n < 0 else n for n in known]
    if any(n < 0 for n in known):
        return None
    if item.is_index:
        return known[0], known[0] + 1
    start, stop = (n is not None for n in numbers[:2])
    return known[0] if start else 0, known[-1] if stop else inf
