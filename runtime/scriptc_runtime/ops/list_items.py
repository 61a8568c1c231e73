"""Low ops on lists: their memory, and items that are neither checked nor counted."""

from collections.abc import Sequence
from typing import cast

import numpy as np

from scriptc_runtime.ops.low import I64, all_i64, allocates, low_op, reads, writes
from scriptc_runtime.ops.opdef import Attrs, Effects, OpTypeError
from scriptc_runtime.types import ListType, Type, assignable


def _list(types: Sequence[Type]) -> ListType:
    if not isinstance(types[0], ListType):
        raise OpTypeError(f"expected a list, got {types[0]}")
    return types[0]


def _written(types: Sequence[Type]) -> ListType:
    if _list(types).frozen:
        raise OpTypeError(f"{types[0]} cannot be written to")
    return _list(types)


def _list_alloc(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    all_i64(types)
    return (ListType(cast(Type, attrs["item"])),)


def _list_size(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    _list(types)
    return (I64,)


def _list_with_size(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    _written(types)
    all_i64(types[1:])
    return ()


def _list_copy(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    if not assignable(_list([types[2]]).item, _list(types).item):
        raise OpTypeError(f"{types[0]} takes no items of {types[2]}")
    return _list_with_size([*types[:2], *types[3:]], attrs)


def _list_load(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    all_i64(types[1:])
    return (_list(types).item,)


def _list_store(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    all_i64(types[1:2])
    if not assignable(types[2], _written(types).item):
        raise OpTypeError(f"an item of {types[0]} cannot be {types[2]}")
    return ()


def _list_pad(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    _list_store([types[0], types[1], types[3]], attrs)
    return _list_with_size(types[:3], attrs)


def _copies_items(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({2}), writes=frozenset({0}))


def _reads_item(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({0}), aliases=frozenset({0}))


def _evaluate_list_alloc(capacity: np.int64, *, item: Type) -> list[object]:
    return []


def _evaluate_list_size(base: list[object]) -> np.int64:
    return np.int64(len(base))


def _evaluate_list_reserve(base: list[object], capacity: np.int64) -> None:
    """Do nothing: a Python list grows by itself."""


def _evaluate_list_set_size(base: list[object], size: np.int64) -> None:
    del base[int(size) :]
    base.extend([None] * (int(size) - len(base)))


def _evaluate_list_move(base: list[object], to: np.int64, first: np.int64, count: np.int64) -> None:
    base[int(to) : int(to + count)] = base[int(first) : int(first + count)]


def _evaluate_list_copy(
    base: list[object], to: np.int64, source: list[object], first: np.int64, count: np.int64
) -> None:
    base[int(to) : int(to + count)] = source[int(first) : int(first + count)]


def _evaluate_list_drop(base: list[object], first: np.int64, count: np.int64) -> None:
    """Do nothing: Python counts."""


def _evaluate_list_pad(base: list[object], to: np.int64, count: np.int64, value: object) -> None:
    base[int(to) : int(to + count)] = [value] * int(count)


def _evaluate_list_load(base: list[object], index: np.int64) -> object:
    return base[int(index)]


def _evaluate_list_store(base: list[object], index: np.int64, value: object) -> None:
    base[int(index)] = value


LIST_ALLOC = low_op(
    "list_alloc",
    "An empty list with room for `capacity` items.",
    ("capacity",),
    _list_alloc,
    _evaluate_list_alloc,
    allocates,
    ("item",),
)
LIST_SIZE = low_op(
    "list_size", "Number of items.", ("list",), _list_size, _evaluate_list_size, reads
)
LIST_CAPACITY = low_op(
    "list_capacity",
    "Number of items there is room for.",
    ("list",),
    _list_size,
    _evaluate_list_size,
    reads,
)
LIST_RESERVE = low_op(
    "list_reserve",
    "Make room for `capacity` items; keeps the items.",
    ("list", "capacity"),
    _list_with_size,
    _evaluate_list_reserve,
    writes,
)
LIST_SET_SIZE = low_op(
    "list_set_size",
    "Say how many items there are; new ones are unset until stored.",
    ("list", "size"),
    _list_with_size,
    _evaluate_list_set_size,
    writes,
)
LIST_LOAD = low_op(
    "list_load",
    "The item at `index`, borrowed from the list.",
    ("list", "index"),
    _list_load,
    _evaluate_list_load,
    _reads_item,
)
LIST_STORE = low_op(
    "list_store",
    "Put `value` at `index` without releasing what is there; the list takes over its count.",
    ("list", "index", "value"),
    _list_store,
    _evaluate_list_store,
    writes,
)
LIST_MOVE = low_op(
    "list_move",
    "Move `count` items from `first` on to `to`, without releasing what is there; their counts go "
    "with them.",
    ("list", "to", "first", "count"),
    _list_with_size,
    _evaluate_list_move,
    writes,
)
LIST_COPY = low_op(
    "list_copy",
    "Put `count` items of `source` from `first` on at `to`, without releasing what is there; each "
    "is counted once more.",
    ("list", "to", "source", "first", "count"),
    _list_copy,
    _evaluate_list_copy,
    _copies_items,
)
LIST_DROP = low_op(
    "list_drop",
    "Release `count` items from `first` on, which are unset then.",
    ("list", "first", "count"),
    _list_with_size,
    _evaluate_list_drop,
    writes,
)
LIST_PAD = low_op(
    "list_pad",
    "Put `value` at `count` places from `to` on, without releasing what is there; it is counted as "
    "often.",
    ("list", "to", "count", "value"),
    _list_pad,
    _evaluate_list_pad,
    writes,
)

OPS = (
    LIST_ALLOC,
    LIST_SIZE,
    LIST_CAPACITY,
    LIST_RESERVE,
    LIST_SET_SIZE,
    LIST_LOAD,
    LIST_STORE,
    LIST_MOVE,
    LIST_COPY,
    LIST_DROP,
    LIST_PAD,
)
