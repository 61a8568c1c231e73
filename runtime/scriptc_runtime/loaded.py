"""What `load` gives: a saved module whose entry points are its attributes.

Little is imported here, since every import of the compiler passes through; `load` imports the rest.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from scriptc_runtime.budget import Budget
from scriptc_runtime.tracebacks import ForUsers

_CALL = "__call__"


def load(path: str | os.PathLike[str], *, budget: Budget | None = None) -> "LoadedModule":
    """Return the module saved in the file `path`; nothing of it is run, nothing in it trusted.

    With a budget, all calls together take no more.  Raises LoadError, or OSError.
    """
    # A warm start of compiled code reads no saved file, so it does not pay for the reader.
    from scriptc_runtime.link import link
    from scriptc_runtime.saved import read_saved

    return link(read_saved(path), budget=budget)


class Overload(Protocol):
    """One signature of an entry point, and the function behind it."""

    text: str

    def convert(self, args: Sequence[object], kwargs: Mapping[str, object]) -> list[object]:
        """Return the arguments in order, checked.  Raises TypeError or OverflowError."""
        ...

    def run(self, values: Sequence[object]) -> object:
        """Return what the function gives for converted arguments."""
        ...


class LoadedEntry:
    """An entry point: calls the first signature that its arguments fit."""

    def __init__(self, name: str, doc: str, overloads: Sequence[Overload]) -> None:
        self.__name__ = name
        self.__doc__ = doc or None
        self._overloads = overloads

    def __repr__(self) -> str:
        return "\n".join(f"{self.__name__}{o.text}" for o in self._overloads)

    def __call__(self, *args: object, **kwargs: object) -> object:
        """Run the script.  Raises TypeError where no signature fits, and what the script raises."""
        with ForUsers():
            return self._call(args, kwargs)

    def _call(self, args: tuple[object, ...], kwargs: Mapping[str, object]) -> object:
        refusals: list[str] = []
        for overload in self._overloads:
            try:
                values = overload.convert(args, kwargs)
            except (TypeError, OverflowError) as error:
                if len(self._overloads) == 1:
                    raise type(error)(f"{self.__name__}: {error}") from None
                refusals.append(f"{overload.text}: {error}")
                continue
            return overload.run(values)
        raise TypeError("\n  ".join([f"no signature of {self.__name__} fits", *refusals]))


class LoadedModule:
    """A saved module whose entry points are its attributes."""

    def __init__(self, entries: Sequence[LoadedEntry]) -> None:
        # Nothing else is an attribute, so no entry's name can hide anything.
        vars(self).update({entry.__name__: entry for entry in entries})

    def __dir__(self) -> list[str]:
        return sorted(vars(self))

    def __getattr__(self, name: str) -> Callable[..., Any]:
        # Reached for missing names only.  It also tells type checkers that any name may be one.
        entries = ", ".join(sorted(vars(self))) or "none"
        raise AttributeError(f"the saved module has no entry point {name!r}; it has {entries}")

    def __call__(self, *args: object, **kwargs: object) -> object:
        """Call the entry point `__call__`, where the module has one."""
        if _CALL not in vars(self):
            raise TypeError(f"the module is no function; it has {', '.join(dir(self))}")
        return vars(self)[_CALL](*args, **kwargs)
