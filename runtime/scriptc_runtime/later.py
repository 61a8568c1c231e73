"""Modules that are loaded when something of them is first used.

`from package import module` gives a stand-in of a module that is not loaded yet, if the package has
called `load_later`; `from package.module import name` loads the module as ever.
"""

import sys
from functools import partial
from importlib import import_module
from types import ModuleType


class Later(ModuleType):
    """Stands for a module: what is asked of it, or set in it, is asked of the module."""

    def __getattr__(self, name: str) -> object:
        module = import_module(self.__name__)
        # Python asks this from now on, in a third of the time.
        vars(self)["__getattr__"] = partial(getattr, module)
        return getattr(module, name)

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
