"""Which types the arguments of exceptions have: where they are made says so.

A program is checked anew where more of it is known than where it was asked for.
"""

from collections.abc import Iterable, Sequence

from scriptc.check.members import is_users
from scriptc_runtime.ops.exceptions import is_held
from scriptc_runtime.types import Type
from scriptc_runtime.unions import members_of, without_dims


class ToldArguments:
    """The types of arguments, by the class of the exception and their places."""

    def __init__(self) -> None:
        self._types: dict[type, dict[int, dict[Type, None]]] = {}
        self._are_asked_for = False
        self._are_held = self._holding_is_asked_for = False
        self.has_grown = False

    def note(self, live: type, place: int, type_: Type) -> None:
        """Note that an exception is made of such an argument."""
        known = self._types.setdefault(live, {}).setdefault(place, {})
        # What it holds is read as what it is.
        members = (type_,) if is_held(type_) else map(without_dims, members_of(type_))
        for member in members:
            if member not in known:
                known[member] = None
                self.has_grown = self.has_grown or self._are_asked_for
        if is_held(type_) and not self._are_held:
            self._are_held = True
            self.has_grown = self.has_grown or self._holding_is_asked_for

    def of(self, classes: Sequence[type], place: int | None) -> Iterable[Type]:
        """Return the types of an argument of exceptions of `classes`, at any place for None."""
        self._are_asked_for = True
        found: dict[Type, None] = {}
        for live, places in self._types.items():
            if any(_may_be(live, cls) for cls in classes):
                for at, types in places.items():
                    found |= types if place in (None, at) else {}
        return tuple(found)

    def are_held(self) -> bool:
        """Whether any exception holds a value that Python does not look into."""
        self._holding_is_asked_for = True
        return self._are_held

    def begin(self) -> None:
        """Let another check begin, which knows it all."""
        self._are_asked_for = self._holding_is_asked_for = self.has_grown = False


def _may_be(live: type, cls: type) -> bool:
    """Whether what `live` gets is what an exception of a class has: its base may give it, too."""
    return issubclass(live, cls) or (is_users(live) and issubclass(cls, live))
