"""Ops on parts of lists: what slices and products of lists are made of."""

from collections.abc import Sequence

from scriptc_runtime.ops.data import extends, infer_append, infer_extend, infer_get, infer_room
from scriptc_runtime.ops.opdef import Attrs, Effects, Level, OpDef
from scriptc_runtime.types import Type


def _list_add(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    infer_extend(types[:2], attrs)
    infer_get([types[0], types[2]], attrs)
    return infer_room([types[0], types[3]], attrs)


def _list_replace(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    return _list_add([types[0], types[3], types[1], types[2]], attrs)


def _list_fill(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    infer_append(types[:2], attrs)
    return infer_room([types[0], types[2]], attrs)


def _writes(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(writes=frozenset({0}), raises=True)


def _replaces(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({3}), writes=frozenset({0}))


def _part(size: int, first: int, count: int) -> slice:
    """Return the places from `first` on, as many as there are, `count` at most."""
    start = min(max(first, 0), size)
    return slice(start, start + min(max(count, 0), size - start))


def _evaluate_add(base: list[object], more: list[object], first: int, count: int) -> None:
    base.extend(more[_part(len(more), first, count)])


def _evaluate_replace(base: list[object], first: int, count: int, more: list[object]) -> None:
    base[_part(len(base), first, count)] = more


def _evaluate_fill(base: list[object], value: object, count: int) -> None:
    base.extend([value] * count)


LIST_ADD = OpDef(
    name="list_add",
    doc="Add items of `more` at the end: those from `first` on, `count` at most.",
    operands=("list", "more", "first", "count"),
    infer=_list_add,
    evaluate=_evaluate_add,
    effects=extends,
    level=Level.LIBRARY,
)
LIST_REPLACE = OpDef(
    name="list_replace",
    doc="Put the items of another list in place of those from `first` on, `count` at most.",
    operands=("list", "first", "count", "more"),
    infer=_list_replace,
    evaluate=_evaluate_replace,
    effects=_replaces,
    level=Level.LIBRARY,
)
LIST_FILL = OpDef(
    name="list_fill",
    doc="Add `value` at the end, `count` times.",
    operands=("list", "value", "count"),
    infer=_list_fill,
    evaluate=_evaluate_fill,
    effects=_writes,
    level=Level.LIBRARY,
)

OPS = (LIST_ADD, LIST_REPLACE, LIST_FILL)
