"""The modules outside that functions look into."""

import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from types import CodeType, FunctionType, ModuleType

from scriptc.cache.code_names import given_names, imported_names
from scriptc.cache.guards import cell_value


def is_foreign(module: str | None) -> bool:
    """Whether a module's code comes with Python or NumPy, whose versions are part of every key."""
    root = (module or "").partition(".")[0]
    known = root in sys.stdlib_module_names and root != "__main__"
    return known or root in ("builtins", "numpy", "scriptc", "scriptc_runtime")


def is_looked_into(live: FunctionType | type) -> bool:
    """Whether it counts what an argument's class does: arrays and frames of others are refused."""
    if not isinstance(live, type) or hasattr(live, "python"):
        return True
    # Inside a function: a warm start with arrays asks of no class.
    from scriptc_runtime.conversions import class_conversion

    return not class_conversion(live)


def modules_given(function: FunctionType) -> Iterator[ModuleType]:
    """Yield the modules outside that a function does more with than to read their attributes."""
    variables = (function.__globals__.get(name) for name in given_names(function.__code__))
    for value in (*variables, *map(cell_value, function.__closure__ or ())):
        if isinstance(value, ModuleType):
            yield value


def modules_imported(code: CodeType) -> Iterator[ModuleType]:
    """Yield the modules that a function imports itself, but for those of Python and NumPy.

    They are loaded, as what they hold decides which code in the cache is of this program.
    """
    for name in imported_names(code):
        if name and not is_foreign(name):
            with suppress(Exception):  # whatever its own code raises: the check refuses it
                yield import_module(name)
                yield sys.modules[name.partition(".")[0]]
