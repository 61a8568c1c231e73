"""What lists, dicts and sets of the caller's hold, where others in them count by their identity."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, cast

from scriptc.classes.held_containers import container_kind, same

KINDS = (list, dict, set)


def items_in(given: object) -> object:
    """Return a container of Python's own that holds the same."""
    return container_kind(given)(cast("Iterable[object]", given))


def same_items(one: object, other: object) -> bool:
    """Whether two containers hold the same: other containers by identity."""
    if isinstance(one, set):
        # One that Python has read and not changed yet is of a class of its own.
        return same(items_in(cast(object, one)), items_in(other))
    items, others = _in_order(one), _in_order(other)
    return len(items) == len(others) and all(map(_is_one, items, others))


def _in_order(container: object) -> Sequence[object]:
    if isinstance(container, dict):
        return list(cast("dict[object, object]", container).items())
    return cast("list[object]", container)


def _is_one(part: object, other: object) -> bool:
    if part is other:
        return True
    if type(part) is type(other) and isinstance(part, tuple):
        items, others = cast("tuple[object, ...]", part), cast("tuple[object, ...]", other)
        return len(items) == len(others) and all(map(_is_one, items, others))
    whole: object = part
    return container_kind(whole) not in KINDS and same(whole, other)


def put_back(given: Any, now: Any) -> None:
    """Have a container of Python's hold what another one does."""
    if isinstance(given, list):
        given[:] = now
    else:
        given.clear()
        given.update(now)


def count_parts(whole: object, counts: Counter[int], seen: set[int]) -> None:
    """Count the references that a container has to others, itself or by tuples."""
    if whole is None or id(whole) in seen:
        return
    seen.add(id(whole))
    parts = cast("dict[object, object]", whole).values() if isinstance(whole, dict) else whole
    for part in cast("Iterable[object]", parts):
        if isinstance(part, tuple):
            count_parts(cast(object, part), counts, seen)
        elif container_kind(part) in KINDS:
            counts[id(part)] += 1
