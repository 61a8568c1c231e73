"""The Python function behind what wraps one: scripts, methods, properties and caches."""

from functools import cached_property
from types import FunctionType
from typing import cast


def plain_function(value: object) -> FunctionType | None:
    """Return the Python function that `value` is, or that it wraps.

    Scripted functions, static and class methods and properties do: of these it is the getter. So do
    the caches of functools.
    """
    if isinstance(value, staticmethod | classmethod):
        value = cast("staticmethod[..., object]", value).__func__
    elif isinstance(value, property):
        value = value.fget
    elif isinstance(value, cached_property):
        value = cast("cached_property[object]", value).func
    if isinstance(value, FunctionType):
        return value
    if _own(value, "cache_info") is not None:
        return plain_function(_own(value, "__wrapped__"))
    wrapped = _own(value, "python")
    return wrapped if isinstance(wrapped, FunctionType) else None


def _own(value: object, name: str) -> object:
    """Return an attribute; a `__getattr__` outside may do anything where it is asked for one."""
    try:
        return object.__getattribute__(value, name)
    except AttributeError:
        return None
