"""Variables of a module that its functions declare `global` and assign: `global count; count += 1`.

Such a variable is read when a script is called, and has its new value when the call ends.  What is
assigned where says the bytecode: a warm start parses nothing.
"""

import sys
from collections.abc import Iterator, Mapping
from opcode import opmap, opname
from types import CellType, CodeType
from typing import cast

from scriptc.values.class_attributes import DATA, defined_in, functions_in, steps_of
from scriptc.values.outside_places import OutsidePlace, is_compiled_in

_LIBRARIES = ("builtins", "numpy", "scriptc", "scriptc_runtime")
_STORE = opmap["STORE_GLOBAL"]


class GlobalVariable(OutsidePlace):
    """A variable of a module that a program assigns."""

    __slots__ = ()

    live: dict[str, object]

    def __init__(self, live: dict[str, object], name: str) -> None:
        super().__init__(live, name)

    @property
    def current(self) -> object:
        """The value that the variable has now.  Raises KeyError if it was deleted."""
        return self.live[self.name]

    def set(self, value: object) -> None:
        """Let the variable have another value."""
        self.live[self.name] = value


def assigned_globals(variables: Mapping[str, object]) -> frozenset[str]:
    """Return the variables of a module that functions and classes in it assign.

    They hold numbers, texts, None, or lists and the like of such: what a script computes with.
    """
    found: set[str] = set()
    name = str(variables.get("__name__", "")).partition(".")[0]
    if name in _LIBRARIES or (name in sys.stdlib_module_names and name != "__main__"):
        return frozenset()
    for value in defined_in(variables):
        for function, _ in functions_in(value):
            found.update(assigned_in(function.__code__))
    return frozenset(name for name in found if is_data(variables.get(name, ...)))


def is_data(value: object) -> bool:
    """Whether a variable of a module may be assigned that holds this."""
    return isinstance(value, DATA) and not is_compiled_in(cast(object, value))


def assigned_in(code: CodeType) -> Iterator[str]:
    """Yield the global variables that code assigns, that of functions inside it, too."""
    if _STORE in code.co_code[::2]:
        for operation, number in steps_of(code):
            if operation == opname[_STORE]:
                yield code.co_names[number]
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from assigned_in(constant)


def variables_of(place: dict[str, object] | CellType) -> dict[str, object] | None:
    """Return the variables of a module; None where something else holds a name."""
    return place if isinstance(place, dict) and "__builtins__" in place else None
