"""Methods and properties of enumerations, named tuples and slices: those with a text."""

import sys
from collections.abc import Mapping
from types import EllipsisType, FunctionType

from scriptc.check.checked import Computation
from scriptc.check.context import Context
from scriptc.check.library.standard import standard_function
from scriptc.check.scopes import plain_function
from scriptc.syntax.nodes import Node

_OF_INDICES: Mapping[tuple[type, str], str] = {
    (slice, "__eq__"): "same",
    (slice, "__repr__"): "text",
    (slice, "indices"): "indices",
    (EllipsisType, "__repr__"): "ellipsis_text",
}


def function_of(cls: type, name: str) -> FunctionType | None:
    """Return the function of a method or property that a class of the user's has in its text."""
    if (known := _OF_INDICES.get((cls, name))) is not None:
        return standard_function("slices", known)
    for base in cls.__mro__:
        if _is_pythons(base.__module__):
            return None
        if name in vars(base):
            member: object = vars(base)[name]
            getter = member.fget if isinstance(member, property) else member
            function = plain_function(getattr(getter, "__func__", getter))
            # Python copies operators into classes of flags.
            return None if function is None or _is_pythons(function.__module__) else function
    return None


def call(context: Context, at: Node, cls: type, name: str, *given: Computation) -> Computation:
    """Return a call of a method or property with its object first."""
    function = function_of(cls, name)
    if function is None:
        context.fail(
            "class-member",
            f"{name!r} of {cls.__name__} is not written in it",
            at,
            instead="write a method, or a function that stands beside the class",
        )
    context.depend("function", f"{function.__module__}.{function.__qualname__}", function)
    context.signature(function, cls)
    return context.call(at, function, given)


def _is_pythons(module: str) -> bool:
    """Whether something is Python's own, or was written by collections.namedtuple."""
    root = module.partition(".")[0]
    known = root in sys.stdlib_module_names and root != "__main__"
    return known or root.startswith("namedtuple_")
