"""What an array program is: a function of arrays, written once, and how its arguments are made."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

SIZES = ("small", "large")
Arguments = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Program:
    """A function that changes none of its arguments, and the sizes that it is called with.

    `make` gives the arguments of a size. Those of `small` fit into a cache of 1 MiB; with those of
    `large`, arguments or what is computed of them are tens of megabytes. `tiny` is for tests.
    """

    function: Callable[..., Any]
    make: Callable[[int, np.random.Generator], Arguments]
    small: int
    large: int
    tiny: int = 12

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.function.__name__

    @property
    def field(self) -> str:
        """The module that the program is from."""
        return self.function.__module__.rpartition(".")[2]

    def inputs(self, size: str, rng: np.random.Generator) -> Arguments:
        """Return the arguments for `small`, `large` or `tiny`; each array has its own memory."""
        n = {"small": self.small, "large": self.large, "tiny": self.tiny}[size]
        return tuple(_owned(argument) for argument in self.make(n, rng))


def _owned(argument: Any) -> Any:
    return (
        np.array(cast("NDArray[Any]", argument)) if isinstance(argument, np.ndarray) else argument
    )
