"""Which types the arguments of built-in exceptions have: where they are made says so.

A program is checked anew where more of it is known than where it was asked for.
"""

from collections.abc import Iterable, Sequence

from scriptc_runtime.types import Type
from scriptc_runtime.unions import members_of, without_dims
from scriptc_runtime.values import EXCEPTIONS


class ToldArguments:
    """The types of arguments, by the built-in class of the exception and their places."""

    def __init__(self) -> None:
        self._types: dict[str, dict[int, dict[Type, None]]] = {}
        self._are_asked_for = False
        self.has_grown = False

    def note(self, kind: str, place: int, type_: Type) -> None:
        """Note that an exception is made of such an argument."""
        known = self._types.setdefault(kind, {}).setdefault(place, {})
        for member in map(without_dims, members_of(type_)):
            if member not in known:
                known[member] = None
                self.has_grown = self.has_grown or self._are_asked_for

    def of(self, classes: Sequence[type], place: int | None) -> Iterable[Type]:
        """Return the types of an argument of exceptions of `classes`, at any place for None."""
        self._are_asked_for = True
        found: dict[Type, None] = {}
        for kind, places in self._types.items():
            if issubclass(EXCEPTIONS[kind], tuple(classes)):
                for at, types in places.items():
                    found |= types if place in (None, at) else {}
        return tuple(found)

    def begin(self) -> None:
        """Let another check begin, which knows it all."""
        self._are_asked_for = self.has_grown = False
