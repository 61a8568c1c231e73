"""Arguments of exceptions that Python has no key for: lists, objects, functions of a script.

Python's own exception keeps one as an object that nobody looks into: its label says of which type
it is.
"""

from collections.abc import Callable

from scriptc_runtime.record import record
from scriptc_runtime.types import Type, holds_class

# Gives Python's object for a value of a type.
Give = Callable[[Type, object], object]


class Held:
    """What an exception keeps in an argument's place."""

    label: str  # the type of the value

    def given(self, give: Give) -> object:
        """Return what Python sees in its place where the exception leaves."""
        raise NotImplementedError


class HeldValue(Held):
    """A value of the interpreter's."""

    def __init__(self, type_: Type, value: object) -> None:
        self.label, self.type, self.value = str(type_), type_, value

    def given(self, give: Give) -> object:
        """Return what `give` makes of the value."""
        return NotGiven(self.label) if holds_class(self.type) else give(self.type, self.value)


@record
class NotGiven:
    """What Python sees of a value that stays in the script: of which type it was."""

    label: str

    def __repr__(self) -> str:
        return f"<{self.label} of a script>"


def as_it_is(type_: Type, value: object) -> object:
    """Return what is Python's already."""
    return value


def holds_any(args: tuple[object, ...]) -> bool:
    """Whether there is a held value among the arguments of an exception."""
    return any(isinstance(argument, Held) for argument in args)


def held_at(args: tuple[object, ...], index: int, label: str) -> Held:
    """Return an argument that is held.  Raises TypeError for one that is none of this type."""
    found = args[index]
    if not isinstance(found, Held) or found.label != label:
        raise TypeError(f"scripts read an argument of an exception as {label}, which it is not")
    return found
