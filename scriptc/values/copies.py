"""Lists, dicts and sets of the caller's of which a script gets converted copies.

An int among floats makes a copy of the whole list. What is one list stays one, and when the call
ends the caller's gets what was written to the copy.
"""

from collections import deque
from collections.abc import Callable
from operator import is_not
from typing import cast

from scriptc_runtime.record import record
from scriptc_runtime.types import Type


@record(eq=False)
class Copy:
    """What the caller gave, what stands for it, with its items by then, and the type of it."""

    given: object
    adapted: object
    type: Type
    before: list[object]


class Copies:
    """What was met among the arguments of one call."""

    __slots__ = ("_adapted", "_given")

    def __init__(self) -> None:
        self._given: dict[int, Copy] = {}
        self._adapted: dict[int, Copy] = {}  # those that are not the caller's own

    def known(self, given: object) -> Copy | None:
        """Return what is known of an object of the caller's."""
        return self._given.get(id(given))

    def keep(self, type_: Type, given: object, adapted: object) -> object:
        """Note what stands for an object of the caller's, and return it."""
        found = self._given[id(given)] = Copy(given, adapted, type_, _items(adapted))
        if adapted is not given:
            self._adapted[id(adapted)] = found
        return adapted

    def give_back(self, convert: Callable[[object], object]) -> None:
        """Give the caller's objects what was written to their copies, which `convert` converts."""
        for copy in self._adapted.values():
            now = _items(copy.adapted)
            if len(now) != len(copy.before) or any(map(is_not, now, copy.before)):
                # Inside a function: most programs change no list of the caller's.
                from scriptc_runtime.written_containers import put_back

                put_back(copy.given, convert(self._renamed(copy.adapted)))

    def own(self, value: object) -> object:
        """Return a value with the caller's objects in place of their copies, inside of it too."""
        copy = self._adapted.get(id(value))
        return self._renamed(value) if copy is None else copy.given

    def _renamed(self, value: object) -> object:
        if not self._adapted:
            return value
        kind = type(value)
        if kind is tuple:
            return tuple(map(self.own, cast("tuple[object, ...]", value)))
        if kind is list:
            items = cast("list[object]", value)
            items[:] = map(self.own, items)
        elif issubclass(kind, dict):
            # One by one: Counter.update adds.
            held = cast("dict[object, object]", value)
            for key, part in list(held.items()):
                held[key] = self.own(part)
        elif kind is deque:
            row = cast("deque[object]", value)
            own = list(map(self.own, row))
            row.clear()
            row.extend(own)
        return value


def _items(held: object) -> list[object]:
    if isinstance(held, dict):
        items = cast("dict[object, object]", held).items()
        return [part for item in items for part in item]
    return list(cast("set[object]", held))
