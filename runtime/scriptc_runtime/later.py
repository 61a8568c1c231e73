"""What is loaded when something of it is first used: modules, and tables in parts.

`from package import module` gives a stand-in of a module that is not loaded yet, if the package has
called `load_later`; `from package.module import name` loads the module as ever.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")
Part = Callable[[], Mapping[K, V]]  # loads a module, and returns its entries


class Later(ModuleType):
    """Stands for a module: what is asked of it, or set in it, is asked of the module."""

    def __getattr__(self, name: str) -> object:
        module = import_module(self.__name__)
        # Whoever asks has the module itself from now on: asking this takes ten times as long.
        asks = sys._getframe(1).f_globals  # pyright: ignore[reportPrivateUsage]
        # Of a list: another thread may add a name meanwhile.
        asks.update({key: module for key, value in list(asks.items()) if value is self})
        return getattr(module, name)

    @property
    def __dict__(self) -> dict[str, object]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """What the module has, for whoever looks into it, as tests do that set names."""
        return vars(import_module(self.__name__))

    def __setattr__(self, name: str, value: object) -> None:
        setattr(import_module(self.__name__), name, value)

    def __delattr__(self, name: str) -> None:
        delattr(import_module(self.__name__), name)


def load_later(package: str) -> None:
    """Let the modules of a package, which is being loaded, be loaded at their first use."""
    names = vars(sys.modules[package])

    def __getattr__(name: str) -> ModuleType:
        if name.startswith("_"):
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        # Python puts the module in its place when it is loaded.
        return names.setdefault(name, Later(f"{package}.{name}"))

    names["__getattr__"] = __getattr__


class TableOfFamilies(Mapping[K, V]):
    """A table in parts: where the entries of a family may stand is looked at in order.

    `usual` are the entries that most programs need.
    """

    def __init__(
        self,
        usual: Mapping[K, V],
        family_of: Callable[[K], str],
        parts: Mapping[str, Sequence[Part[K, V]]],
    ) -> None:
        self._usual = usual
        self._found = dict(usual)
        self._family_of = family_of
        self._parts = parts

    def __getitem__(self, key: K) -> V:
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._look_up(key)
        return found

    def _look_up(self, key: K) -> V:
        for part in self._parts.get(self._family_of(key), ()):
            entries = part()
            if key in entries:
                return entries[key]
        raise KeyError(key)

    def __iter__(self) -> Iterator[K]:
        parts = (part() for parts in self._parts.values() for part in parts)
        return iter({**self._usual, **{key: None for entries in parts for key in entries}})

    def __len__(self) -> int:
        return sum(1 for _ in self)
