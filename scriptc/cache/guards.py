"""What stands outside of a script is looked at before each call: whether it is what it was."""

from collections.abc import Callable, Sequence
from functools import partial
from types import CellType
from typing import cast

from scriptc.values.class_attributes import ClassAttribute
from scriptc.values.kinds import key_of
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

    def __init__(self, place: dict[str, object] | CellType, name: str, value: object) -> None:
        self.place = place
        self.name = name
        self.value = value

    @property
    def row(self) -> tuple[object, str | None, object]:
        """The guard for a table of machine code."""
        return self.place, None if isinstance(self.place, CellType) else self.name, self.value

    @property
    def current(self) -> object:
        """What the name stands for now."""
        if isinstance(self.place, CellType):
            return cell_value(self.place)
        return self.place.get(self.name, ABSENT)

    @property
    def holds(self) -> bool:
        """Whether that is still the same object."""
        return self.current is self.value


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


class AttributeGuard(Guard):
    """An attribute of a class that the program changes: its kind alone is compiled in."""

    __slots__ = ("attribute", "kind")

    def __init__(self, place: dict[str, object], attribute: ClassAttribute) -> None:
        super().__init__(place, attribute.name, attribute)
        self.attribute = attribute
        self.kind = key_of(attribute.current)

    @property
    def current(self) -> object:
        """What a call is handed: a list that holds the value, and into which the new one is put."""
        return [self.attribute.current]

    @property
    def holds(self) -> bool:
        """Whether there is still a value of this kind."""
        value = self.place.get(self.name, ABSENT) if isinstance(self.place, dict) else ABSENT
        return value is not ABSENT and key_of(value) == self.kind


# Of which a call may give back an object of its own that is the same value.
_CONSTANTS = frozenset({int, bool, float, complex, str, bytes, tuple})


def giving_back(run: _Run, captures: Sequence[Guard]) -> _Run:
    """Return what runs a call, and lets classes have the values that it gives their attributes."""
    if any(isinstance(guard, AttributeGuard) for guard in captures):
        return partial(_run_and_give_back, run, captures)
    return run


def _run_and_give_back(run: _Run, captures: Sequence[Guard], given: Sequence[object]) -> object:
    pairs = zip(captures, given[len(given) - len(captures) :], strict=True)
    places = [
        (guard.attribute, cast("list[object]", held))
        for guard, held in pairs
        if isinstance(guard, AttributeGuard)
    ]
    before = [held[0] for _, held in places]
    try:
        return run(given)
    finally:
        for (attribute, held), value in zip(places, before, strict=True):
            # What the call left alone another thread may have stored meanwhile.
            if held[0] is not value and not (
                type(value) in _CONSTANTS and same_bits(value, held[0])
            ):
                attribute.set(held[0])


def cell_value(cell: CellType) -> object:
    """Return what a variable of an outer function holds now."""
    try:
        return cell.cell_contents
    except ValueError:
        return ABSENT  # the outer function has not bound it yet
