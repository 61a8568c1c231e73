"""Functions behind `functools.cache` and `lru_cache`: what scripts call instead keeps the results.

Each such function and types of its parameters has a dict of results, which is made anew for each
call from Python and handed on from function to function as what is captured is.
"""

from types import FunctionType

from scriptc.check.checked import Capture

# Names in what keeps results: of what they are kept under, and the function.
ARGUMENTS, CALLED = "arguments@", "called@"


class KeptResults:
    """Stands for the results of a function, where others have the value that they capture."""


class KeepingFunctions:
    """What keeps the results of functions, for each of these."""

    def __init__(self) -> None:
        self._made: dict[FunctionType, FunctionType] = {}

    def of(self, function: FunctionType) -> FunctionType:
        """Return what is called instead of a function that a cache stands before."""
        if function not in self._made:
            code, values = function.__code__, function.__closure__
            parts = function.__globals__, function.__name__, function.__defaults__, values
            made = FunctionType(code, *parts)
            made.__kwdefaults__ = function.__kwdefaults__
            made.__annotations__ = function.__annotations__
            made.__qualname__, made.__module__ = function.__qualname__, function.__module__
            setattr(made, CALLED, function)
            self._made[function] = made
        return self._made[function]


def is_of_results(capture: Capture) -> bool:
    """Whether what is captured is a dict of results."""
    return isinstance(capture.value, KeptResults)


def function_called(function: FunctionType) -> FunctionType | None:
    """Return the function whose results another one keeps; None for any other function."""
    found: object = vars(function).get(CALLED)
    return found if isinstance(found, FunctionType) else None
