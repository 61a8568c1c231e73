"""What CPython raises where an attribute is assigned or removed that cannot be.

CPython is asked what it says of values that are no objects of the program's classes.
"""

from typing import Any, cast

from scriptc.check.context import Context
from scriptc.check.desugar.inits import is_frozen
from scriptc.check.generics import origin_of
from scriptc.check.members import find_member
from scriptc.check.python import type_errors
from scriptc.syntax import nodes as n
from scriptc_runtime.named_classes import NAMED_TUPLE, kind_of
from scriptc_runtime.types import ClassType, NamedType, Type


def of_written(
    context: Context, target: n.Attribute, *types: Type, is_removed: bool
) -> type_errors.Error | None:
    """Return class and message for `x.name = value` or `del x.name`; the last type is that of x."""
    owner, name = types[-1], target.attr
    if isinstance(owner, ClassType):
        return _of_object(context, target, owner, is_removed=is_removed)
    values = type_errors.values_of(owner)
    if isinstance(owner, NamedType):
        live = context.named_class(owner)
        fields: tuple[str, ...] = getattr(live, "_fields", ())
        is_tuple = fields and kind_of(live) == NAMED_TUPLE
        values = (cast("Any", live)(*fields),) if is_tuple else ()
    asked = delattr if is_removed else _assign
    return type_errors.common(asked, [(value, name) for value in values], AttributeError)


def _assign(value: object, name: str) -> None:
    setattr(value, name, None)


def _of_object(
    context: Context, target: n.Attribute, type_: ClassType, *, is_removed: bool
) -> type_errors.Error | None:
    possible = context.possible_classes(target, type_.name)
    if len(possible) != 1 or context.function_called(type_.name):
        return None
    live, name = origin_of(possible[0]), target.attr
    if is_frozen(live):
        change = "delete" if is_removed else "assign to"
        return "FrozenInstanceError", f"cannot {change} field {name!r}"
    member = find_member(live, name)
    if member is not None and isinstance(member.value, property):
        written = member.value.fdel if is_removed else member.value.fset
        part = "deleter" if is_removed else "setter"
        message = f"property {name!r} of {live.__qualname__!r} object has no {part}"
        return None if written is not None else ("AttributeError", message)
    has_slots = all("__slots__" in vars(cls) for cls in live.__mro__[:-1])
    if member is not None or not has_slots or name in context.class_named(type_.name).names:
        return None
    return "AttributeError", f"{live.__name__!r} object has no attribute {name!r}"
