"""What is to be compiled, and what comes of it: between `api`, the cache and the driver."""

import inspect
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import NamedTuple, Protocol

from scriptc.backends.llvm.callable import CallableBody
from scriptc.options import Options
from scriptc_runtime.types import Type

# What takes the values of all parameters, in their order, checks them and gives the result.
Run = Callable[[Sequence[object]], object]


class Request:
    """A function and the arguments it was called with, or explicit types in their place.

    Not a NamedTuple, in which a field that is a function is taken for a method.
    """

    __slots__ = ("arguments", "constructs", "function", "options", "owner")

    def __init__(
        self,
        function: FunctionType,
        arguments: Sequence[object],
        options: Options,
        owner: type | None = None,
        constructs: bool = False,
    ) -> None:
        self.function = function
        self.arguments = tuple(arguments)
        self.options = options
        self.owner = owner  # the scripted class of a method
        self.constructs = constructs  # the function is the class's `__init__`

    @property
    def name(self) -> str:
        """The name that users know, for messages."""
        if self.constructs and self.owner is not None:
            return self.owner.__qualname__
        return self.function.__qualname__


class ExplicitType(NamedTuple):
    """Stands for an argument of which only the type is known."""

    type: Type


class Native(Protocol):
    """Machine code that CPython can call itself."""

    def put_before(
        self, function: CallableBody, index: int, parameters: Sequence[inspect.Parameter]
    ) -> None:
        """Let CPython call this code first, or after the `index` specialisations before it."""
        ...


class Specialisation(NamedTuple):
    """A function ready to run on arguments of some kinds, and then the arrays it captures.

    `captures` are the numbers of the guards that hold these: under equal digests the same.
    """

    types: tuple[str, ...]  # of the parameters, for messages
    captures: tuple[int, ...]
    run: Run
    native: Native | None = None
