"""Classes of Python's library that are compiled: one of `scriptc/stand_ins` stands for each.

Nothing is imported for them but where a program has the module already and mentions the class.
"""

import sys
import typing
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, cast

from scriptc.check.generics import origin_of

# By module, the file with the classes that stand for some of its own.
_CLASSES: Mapping[str, tuple[str, frozenset[str]]] = {
    "queue": ("queues", frozenset({"Queue", "LifoQueue", "PriorityQueue"})),
    "_io": ("text_streams", frozenset({"StringIO"})),
    "datetime": ("times", frozenset({"date", "datetime", "timedelta"})),
    "fractions": ("rational_numbers", frozenset({"Fraction"})),
}

_PACKAGE = "scriptc.stand_ins"
_OF_C = ("_io", "datetime")  # modules of which the classes are written in C

# Names that `typing` has for classes, and that make objects of them, as those do.
_ALIASES: Sequence[tuple[object, type]] = tuple(
    (getattr(typing, name), cls)
    for name, cls in (
        ("Counter", Counter),
        ("DefaultDict", defaultdict),
        ("Deque", deque),
        ("OrderedDict", OrderedDict),
    )
)


def class_meant(value: object) -> object:
    """Return the class that stands for one of Python's library, or the value itself."""
    if not isinstance(value, type):
        return next((cls for alias, cls in _ALIASES if alias is value), value)
    module, name = value.__module__, value.__name__
    file, names = _CLASSES.get(module, ("", frozenset[str]()))
    is_known = name in names
    if not is_known or getattr(sys.modules[module], name, None) is not value:
        return value
    return stand_in(file, name)


def name_in_messages(live: type) -> str:
    """Return what Python calls a class in a message: those of C have their module before it."""
    origin = origin_of(live)
    package, _, file = origin.__module__.rpartition(".")
    if package != _PACKAGE:
        return origin.__name__
    modules = (m for m in _OF_C if _CLASSES[m][0] == file and origin.__name__ in _CLASSES[m][1])
    return ".".join((*modules, origin.__name__))


def stand_in(file: str, name: str) -> type:
    """Return a class of `scriptc/stand_ins`."""
    return cast(type, getattr(import_module(f"{_PACKAGE}.{file}"), name))


def parts_of_object(value: object) -> tuple[type, tuple[int, ...]] | None:
    """Return the class and the arguments that make such an object anew; None for any other.

    Objects that change, as streams and queues, are made by no arguments.
    """
    cls = type(value)
    meant = class_meant(cls)
    names = _PARTS.get(cls.__name__)
    if meant is cls or names is None or getattr(value, "tzinfo", None) is not None:
        return None
    held = cast(Any, value)
    return cast(type, meant), tuple(getattr(held, name) for name in names)


_DATE = ("year", "month", "day")
_PARTS: Mapping[str, tuple[str, ...]] = {
    "date": _DATE,
    "datetime": (*_DATE, "hour", "minute", "second", "microsecond"),
    "timedelta": ("days", "seconds", "microseconds"),
    "Fraction": ("numerator", "denominator"),
}
