"""What `load` gives: a saved module whose entry points are its attributes.

Little is imported here, since every import of the compiler passes through.
"""

import os
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from inspect import Signature
from typing import Any, Protocol

from scriptc_runtime.tracebacks import ForUsers

_CALL = "__call__"


class Overload(Protocol):
    """One signature of an entry point, and the function behind it."""

    text: str
    signature: Signature

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
        self._module: LoadedModule | None = None

    def of(self, module: "LoadedModule") -> "LoadedEntry":
        """Return the entry, which knows from now on what it is an entry of."""
        self._module = module
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return _entry, (self._module, self.__name__)

    def __repr__(self) -> str:
        return "\n".join(f"{self.__name__}{o.text}" for o in self._overloads)

    @property
    def __signature__(self) -> Signature:
        if len(self._overloads) > 1:
            raise AttributeError("there are several signatures")  # then Python shows `__call__`
        return self._overloads[0].signature

    def __call__(self, *args: object, **kwargs: object) -> object:
        """Run the script.  Raises TypeError where no signature fits, and what the script raises."""
        with ForUsers():
            return self._call(args, kwargs)

    def _call(self, args: tuple[object, ...], kwargs: Mapping[str, object]) -> object:
        # Inside a function: a warm start of compiled code calls no saved file.
        from scriptc_runtime.array_classes import PlainArrays

        refusals: list[str] = []
        plain = PlainArrays()
        args = tuple(map(plain.taken, args))
        kwargs = {name: plain.taken(value) for name, value in kwargs.items()}
        for overload in self._overloads:
            try:
                values = overload.convert(args, kwargs)
            except (TypeError, OverflowError, ValueError) as error:
                if len(self._overloads) == 1:
                    raise type(error)(f"{self.__name__}(): {error}") from None
                refusals.append(f"{overload.text}: {error}")
                continue
            return plain.given_back(overload.run(values))
        raise TypeError("\n  ".join([f"no signature of {self.__name__} fits", *refusals]))


class Fields(Protocol):
    """The fields of an object that came with a module, as users see them."""

    @property
    def names(self) -> Sequence[str]:
        """The names of the fields, in order."""
        ...

    def read(self, name: str) -> object:
        """Return the value of a field; an array is the one that scripts see."""
        ...

    def write(self, name: str, value: object) -> None:
        """Set a field.  Raises TypeError, ValueError or OverflowError for what does not fit."""
        ...


class LoadedObject:
    """An object that a loaded module holds: its fields are attributes."""

    __slots__ = ("__fields", "__weakref__")
    __fields: Fields

    def __init__(self, fields: Fields) -> None:
        object.__setattr__(self, "_LoadedObject__fields", fields)

    def __dir__(self) -> list[str]:
        return sorted(self.__fields.names)

    def __reduce__(self) -> str:
        raise TypeError("an object of a loaded module is not pickled or copied: save the module")

    def __getattr__(self, name: str) -> Any:
        if name in self.__fields.names:
            return self.__fields.read(name)
        raise AttributeError(f"the object has no field {name!r}")

    def __setattr__(self, name: str, value: object) -> None:
        if name not in self.__fields.names:
            raise AttributeError(f"the object has no field {name!r}")
        with ForUsers():
            self.__fields.write(name, value)


class Origin(Protocol):
    """What a loaded module was made of."""

    load: Callable[[str], "LoadedModule"]  # what reads a file of it
    is_fixed: bool  # whether nothing in it can change

    def fields(self) -> Fields | None:
        """Return the fields of the object that it was, None where it was none."""
        ...

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the module as it is now."""
        ...


class LoadedModule:
    """A saved module: its entry points are attributes, and the fields of the object it was.

    It is pickled and copied as the bytes of the file that `save` writes.
    """

    __slots__ = ("__dict__", "__fields", "__origin", "__weakref__")
    __fields: Fields | None
    __origin: Origin

    def __init__(self, entries: Sequence[LoadedEntry], origin: Origin) -> None:
        # Nothing else is an attribute, so no entry's name can hide anything.
        vars(self).update({entry.__name__: entry.of(self) for entry in entries})
        object.__setattr__(self, "_LoadedModule__fields", origin.fields())
        object.__setattr__(self, "_LoadedModule__origin", origin)

    def __dir__(self) -> list[str]:
        return sorted({*vars(self), *self.__names()})

    def __repr__(self) -> str:
        lines = ["<saved module>", *map(repr, vars(self).values())]
        names = ", ".join(self.__names())
        return "\n".join([*lines, f"fields: {names}"] if names else lines)

    def __names(self) -> Sequence[str]:
        return self.__fields.names if self.__fields else ()

    def __getattr__(self, name: str) -> Any:
        # Reached where there is no entry.  It also tells type checkers that any name may be one.
        if self.__fields and name in self.__fields.names:
            return self.__fields.read(name)
        raise AttributeError(
            f"the saved module has no entry point {name!r} and no such field; "
            f"it has {', '.join(dir(self)) or 'none'}"
        )

    def __setattr__(self, name: str, value: object) -> None:
        if self.__fields is None or name not in self.__fields.names:
            fields = ", ".join(self.__names()) or "none"
            raise AttributeError(f"the saved module has no field {name!r}; it has {fields}")
        with ForUsers():
            self.__fields.write(name, value)

    def __save__(self, path: str | os.PathLike[str]) -> None:
        """Do what `save` does; no entry is called so."""
        self.__origin.save(path)

    def __reduce__(self) -> tuple[object, ...]:
        origin = self.__origin
        with ForUsers(), _a_file() as path:
            origin.save(path)
            with open(path, "rb") as stream:
                return _module, (origin.load, stream.read(), origin.is_fixed)

    def __call__(self, *args: object, **kwargs: object) -> object:
        """Call the entry point `__call__`, where the module has one."""
        if _CALL not in vars(self):
            raise TypeError(f"the module is no function; it has {', '.join(dir(self))}")
        return vars(self)[_CALL](*args, **kwargs)


@contextmanager
def _a_file() -> Generator[str]:
    """Give the path of a file of one's own, which is removed afterwards."""
    # Inside a function: few programs pickle saved modules.
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="scriptc-") as folder:
        yield os.path.join(folder, "pickled.scriptc")


def _module(load: Callable[[str], LoadedModule], data: bytes, is_fixed: bool) -> LoadedModule:
    """Return a module that was pickled.  Raises LoadError."""
    known = _FIXED.get((load, data)) if is_fixed else None
    if known is not None:
        return known
    with _a_file() as path:
        with open(path, "wb") as stream:
            stream.write(data)
        module = load(path)
    if is_fixed:
        # One that cannot change is one module, however often it comes to a worker.
        _FIXED.clear()
        _FIXED[load, data] = module
    return module


_FIXED: dict[tuple[object, bytes], LoadedModule] = {}  # the last one


def _entry(module: LoadedModule, name: str) -> object:
    """Return an entry point that was pickled."""
    return vars(module)[name]
