"""Scripted functions with the types of their parameters, and what `explain` says of them."""

import inspect
from collections.abc import Sequence
from typing import Any, Protocol, cast

import numpy as np

from scriptc.cache.request import Request


class Explanation(Protocol):
    """What `explain` returns: it prints as text, and notebooks show it as HTML."""

    @property
    def html(self) -> str:
        """A page of its own, which needs no network."""
        ...

    @property
    def with_library(self) -> str:
        """The text with what became of the standard library's functions, line by line."""
        ...

    def _repr_html_(self) -> str: ...


class Signature:
    """A scripted function with the types of its parameters, for `scriptc.save`."""

    __slots__ = ("function", "types")

    def __init__(self, function: Any, types: Sequence[object]) -> None:
        self.function = function
        self.types = tuple(types)

    def __repr__(self) -> str:
        types = ", ".join(map(_written, self.types))
        return f"{self.function.__qualname__}.sig({types})"


def _written(type_: object) -> str:
    """Return a type, or an example of its values, as a program writes it."""
    if isinstance(type_, np.ndarray):
        array = cast("np.ndarray[Any, np.dtype[Any]]", type_)
        return f"<array of {array.dtype}>"  # an example, of any length
    return inspect.formatannotation(type_)


def types_seen_by(function: Any) -> Sequence[Sequence[object]]:
    """Return what `function.seen` says, as the compiler has types."""
    return function._seen_types()


def request_of(function: Any, arguments: Sequence[object]) -> Request:
    """Return what the compiler is asked for arguments of a function, or explicit types of them."""
    return function._request(arguments)
