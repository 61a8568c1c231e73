"""Which functions keep what they are passed: functions, or what a nested one reads.

    def add(handlers, f):          for i in range(3):
        handlers.append(f)             add(handlers, lambda: i)

A function that is passed on is a constant, and the variables that it reads are more parameters,
here `f@i`. One that is kept reads them later, when something else may have been assigned to them:
then they have to be cells, which the caller passes.
"""

from types import FunctionType

Place = tuple[str, int, str, str]


class KeptCaptures:
    """The parameters for variables of passed functions that are kept beyond the call.

    A program is checked anew where a caller has copied what turns out to be kept.
    """

    def __init__(self) -> None:
        self._noted: set[Place] = set()
        self._known: frozenset[Place] = frozenset()
        self.has_grown = False

    def begin(self) -> None:
        """Let the check of a program begin that knows what was noted by now."""
        self._known = frozenset(self._noted)
        self.has_grown = False

    def note(self, function: FunctionType, parameter: str) -> None:
        """Note that a function keeps the variable that a parameter stands for."""
        self._noted.add(place_of(function, parameter))

    def is_noted(self, function: FunctionType, parameter: str) -> bool:
        """Whether it is noted by now that a function keeps the variable of a parameter."""
        return place_of(function, parameter) in self._noted

    def is_known(self, function: FunctionType, parameter: str) -> bool:
        """Whether that was known from the beginning, so that no caller has copied it."""
        return place_of(function, parameter) in self._known


def place_of(function: FunctionType, name: str) -> Place:
    """Return a function and a variable of it, the same in all checks of a program."""
    # A nested function is another object each time that the program is checked.
    code = function.__code__
    return code.co_filename, code.co_firstlineno, code.co_qualname, name
