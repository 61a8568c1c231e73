"""Classes of Python's library that are compiled: one of `scriptc/stand_ins` stands for each.

Nothing is imported for them but where a program has the module already and mentions the class.
"""

import sys
from collections.abc import Mapping
from importlib import import_module

_CLASSES: Mapping[str, frozenset[str]] = {
    "datetime": frozenset({"date", "datetime", "timedelta"}),
    "fractions": frozenset({"Fraction"}),
}


def class_meant(value: object) -> object:
    """Return the class that stands for one of Python's library, or the value itself."""
    if not isinstance(value, type):
        return value
    module, name = value.__module__, value.__name__
    is_known = name in _CLASSES.get(module, ())
    if not is_known or getattr(sys.modules[module], name, None) is not value:
        return value
    return getattr(import_module(f"scriptc.stand_ins.{module}"), name)
