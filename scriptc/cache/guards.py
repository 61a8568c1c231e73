"""What stands outside of a script is looked at before each call: whether it is what it was."""

from collections.abc import Callable, Sequence
from functools import partial
from types import CellType
from typing import cast

from scriptc.values.kinds import key_of
from scriptc.values.outside_places import (
    ObjectField,
    OutsideCount,
    OutsidePlace,
    fields_held,
    held_in,
    is_compiled_in,
    is_object,
    items_held,
)
from scriptc_runtime.bits import same_bits

_Run = Callable[[Sequence[object]], object]


class _Absent:
    """Stands for the value of a name that has none."""


ABSENT = _Absent()


SIZE = "\0size"  # no name, and no key of a table


# Plain classes: see `dependencies`.


class Guard:
    """A name outside, and the object that it stood for."""

    __slots__ = ("name", "place", "value")
    is_in_table = True  # of what machine code looks at itself
    is_watched = False  # looked at only where the code uses what it is of

    def __init__(self, place: dict[str, object] | CellType, name: str, value: object) -> None:
        self.place = place
        self.name = name
        self.value = value

    @property
    def row(self) -> tuple[object, str | None, object]:
        """The guard for a table of machine code."""
        return self.place, None if isinstance(self.place, CellType) else self.name, self.value

    @property
    def found(self) -> object:
        """What the name stands for now."""
        if isinstance(self.place, CellType):
            return cell_value(self.place)
        return self.place.get(self.name, ABSENT)

    @property
    def current(self) -> object:
        """What a call is handed, if it is handed something."""
        return self.found

    @property
    def holds(self) -> bool:
        """Whether the name still stands for the same object."""
        return self.found is self.value


class SizeGuard(Guard):
    """How many items a table of functions had."""

    __slots__ = ()

    @property
    def row(self) -> tuple[object, str | None, object]:
        """The guard for a table of machine code."""
        return self.place, None, self.value

    @property
    def holds(self) -> bool:
        """Whether it still has as many."""
        return len(cast("dict[str, object]", self.place)) == self.value


class LayoutGuard(Guard):
    """How often the fields of a class got wider types: its objects are as code takes them to be.

    Machine code need not look: it is withdrawn when they do.
    """

    __slots__ = ()
    is_in_table = False


class HeirsGuard(Guard):
    """The classes that inherit from a scripted one.

    While it is watched, direct calls find another object there, which is equal, and go through
    Python.
    """

    __slots__ = ()

    @property
    def holds(self) -> bool:
        """Whether there are no others."""
        return self.found == self.value


class PlaceGuard(Guard):
    """Something outside that the program changes: its kind alone is compiled in."""

    __slots__ = ("changed", "kind")
    is_in_table = False

    def __init__(
        self, place: dict[str, object] | CellType, name: str, changed: OutsidePlace
    ) -> None:
        super().__init__(place, name, changed)
        self.changed = changed
        self.kind = key_of(changed.current)

    @property
    def current(self) -> object:
        """What a call is handed: a list that holds the value, and into which the new one is put."""
        return [self.changed.current]

    @property
    def holds(self) -> bool:
        """Whether there is still a value of this kind."""
        value = self.found
        return value is not ABSENT and key_of(value) == self.kind


class CountGuard(PlaceGuard):
    """A name that stands for an `itertools.count`, or for the method that takes its numbers."""

    __slots__ = ("seen",)

    def __init__(
        self, place: dict[str, object] | CellType, name: str, seen: object, live: object
    ) -> None:
        super().__init__(place, name, OutsideCount(live))
        self.seen = seen

    @property
    def holds(self) -> bool:
        """Whether the name still stands for it."""
        return self.found is self.seen


class FieldGuard(Guard):
    """A number, text or the like in a field of an object outside: its kind is compiled in."""

    __slots__ = ("kind", "live")
    is_in_table = False
    is_watched = True

    def __init__(self, live: object, name: str) -> None:
        super().__init__({}, name, ObjectField(live, name))
        self.live = live
        self.kind = key_of(self.found)

    @property
    def found(self) -> object:
        """What the field holds now."""
        return held_in(self.live, self.name, ABSENT)

    @property
    def holds(self) -> bool:
        """Whether that is still of its kind."""
        return key_of(self.found) == self.kind


class ContainerGuard(Guard):
    """A list or the like that an object outside holds, which a call may be handed."""

    __slots__ = ("live",)
    is_in_table = False
    is_watched = True

    def __init__(self, live: object, name: str) -> None:
        super().__init__({}, name, held_in(live, name))
        self.live = live

    @property
    def found(self) -> object:
        """What the object holds now."""
        return held_in(self.live, self.name, ABSENT)


class HeldGuard(Guard):
    """A list outside, or the like, or an object, which holds objects: these are compiled in.

    So is which fields an object has.
    """

    __slots__ = ("live", "names")
    is_in_table = False
    is_watched = True

    def __init__(self, live: object) -> None:
        self.live = live
        fields = dict(fields_held(live)) if is_object(live) else None
        self.names = None if fields is None else tuple(fields)
        held = fields.values() if fields is not None else items_held(live)
        # What is handed over has a guard of its own, which sees that it has become an object.
        found = [part if fields is None or is_compiled_in(part) else ABSENT for part in held]
        super().__init__({}, SIZE, found)

    @property
    def found(self) -> object:
        """What it holds now."""
        return self._held()

    @property
    def holds(self) -> bool:
        """Whether these are the same objects."""
        then, now = cast("list[object]", self.value), self._held()
        return len(then) == len(now) and all(
            one is ABSENT or one is other for one, other in zip(then, now, strict=True)
        )

    def _held(self) -> Sequence[object]:
        """Return what it holds; of an object that has other fields now, too much."""
        if self.names is None:
            return items_held(self.live)
        fields = cast("dict[str, object] | None", getattr(self.live, "__dict__", None))
        if fields is None or len(fields) < len(self.names):
            fields = dict(fields_held(self.live))  # with slots
        others = (ABSENT,) * (len(self.names) + 1)
        return tuple(fields.values()) if tuple(fields) == self.names else others


# Of which a call may give back an object of its own that is the same value.
_CONSTANTS = frozenset({int, bool, float, complex, str, bytes, tuple})


def giving_back(run: _Run, captures: Sequence[Guard]) -> _Run:
    """Return what runs a call, and lets what it changes outside have its new values."""
    if any(isinstance(guard, PlaceGuard) for guard in captures):
        return partial(_run_and_give_back, run, captures)
    return run


def _run_and_give_back(run: _Run, captures: Sequence[Guard], given: Sequence[object]) -> object:
    pairs = zip(captures, given[len(given) - len(captures) :], strict=True)
    places = [
        (guard.changed, cast("list[object]", held))
        for guard, held in pairs
        if isinstance(guard, PlaceGuard)
    ]
    before = [held[0] for _, held in places]
    try:
        return run(given)
    finally:
        for (changed, held), value in zip(places, before, strict=True):
            # What the call left alone another thread may have stored meanwhile.
            if held[0] is not value and not (
                type(value) in _CONSTANTS and same_bits(value, held[0])
            ):
                changed.set(held[0])


def cell_value(cell: CellType) -> object:
    """Return what a variable of an outer function holds now."""
    try:
        return cell.cell_contents
    except ValueError:
        return ABSENT  # the outer function has not bound it yet
