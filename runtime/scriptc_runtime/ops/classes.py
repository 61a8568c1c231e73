"""Ops on objects of which several classes are possible: a class, and those that inherit from it.

A value of `class<Shape>` is an object of the class Shape or of one that inherits from it, as the
declarations of classes say. Which one it is, the object knows.
"""

from collections.abc import Sequence
from typing import cast

from scriptc_runtime.ops.opdef import Attrs, Effects, OpDef, OpTypeError
from scriptc_runtime.types import BOOL, ClassType, OptionalType, TupleType, Type
from scriptc_runtime.values import Instance

OTHER_CLASS = "the object is of another class"


def classes_widened(source: Type, target: Type) -> list[tuple[str, str]] | None:
    """Return the classes that stand where others stood, in pairs; None where more has changed."""
    match source, target:
        case ClassType(name), ClassType(other):
            return [(name, other)]
        case OptionalType(item), OptionalType(other):
            return classes_widened(item, other)
        case TupleType(items), TupleType(others) if len(items) == len(others):
            found = [classes_widened(a, b) for a, b in zip(items, others, strict=True)]
            known = [pairs for pairs in found if pairs is not None]
            return [p for pairs in known for p in pairs] if len(known) == len(found) else None
        case _:
            return [] if source == target else None


def _upcast(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    type_ = cast(Type, attrs["type"])
    # Whether these classes inherit from one another, the verifier compares with the declarations.
    if classes_widened(types[0], type_) is None:
        raise OpTypeError(f"no {types[0]} is a {type_}")
    return (type_,)


def _downcast(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    _is_instance(types, attrs)
    return (ClassType(cast(str, attrs["cls"])),)


def _is_instance(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    if not isinstance(types[0], ClassType):
        raise OpTypeError(f"{types[0]} is no object")
    return (BOOL,)


def _shares(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(aliases=frozenset({0}))


def _tests(types: Sequence[Type], attrs: Attrs) -> Effects:
    # A saved file may hold one that no test stands before: no address may come of it.
    return Effects(aliases=frozenset({0}), raises=True)


def _evaluate_upcast(x: object, *, type: Type) -> object:
    return x


def _evaluate_downcast(x: object, *, cls: str, classes: tuple[str, ...]) -> object:
    if cast(Instance, x).class_name not in classes:
        raise TypeError(OTHER_CLASS)
    return x


def _evaluate_is_instance(x: object, *, classes: tuple[str, ...]) -> bool:
    return cast(Instance, x).class_name in classes


UPCAST = OpDef(
    name="upcast",
    doc="An object, or a tuple or an optional with some, as one of a class that it inherits from.",
    operands=("x",),
    attrs=("type",),
    infer=_upcast,
    evaluate=_evaluate_upcast,
    effects=_shares,
)
DOWNCAST = OpDef(
    name="downcast",
    doc="An object as one of the class `cls`, which all of `classes` are or inherit from. "
    "TypeError where its own class is none of these.",
    operands=("x",),
    attrs=("cls", "classes"),
    infer=_downcast,
    evaluate=_evaluate_downcast,
    effects=_tests,
)
IS_INSTANCE = OpDef(
    name="is_instance",
    doc="Whether the class of an object is one of `classes`.",
    operands=("x",),
    attrs=("classes",),
    infer=_is_instance,
    evaluate=_evaluate_is_instance,
)

OPS = (UPCAST, DOWNCAST, IS_INSTANCE)
