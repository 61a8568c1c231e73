"""The types of enumerations, named tuples and parts of indices, and what is no class's of them."""

from collections.abc import Sequence
from enum import Enum
from typing import cast

from scriptc.check.bindings import Typed
from scriptc.check.checked import Scalar
from scriptc_runtime.errors import Diagnostic, Span, TypeCheckError
from scriptc_runtime.named_classes import (
    NAMED_TUPLE,
    OF_INDICES,
    PLAIN_ENUM,
    kind_of,
    labels_of,
    members_of,
)
from scriptc_runtime.record import replace
from scriptc_runtime.records import RECORDS
from scriptc_runtime.types import INT, NONE, STR, NamedType, OptionalType, TupleType, Type
from scriptc_runtime.values import INT_MAX, INT_MIN


def enumeration(cls: type, span: Span | None = None) -> NamedType | None:
    """Return the type of the members of an enumeration; None for any other class.

    Raises TypeCheckError for members that compute otherwise than those of its kind.
    """
    kind = kind_of(cls)
    if kind is None or kind in (NAMED_TUPLE, RECORDS, *OF_INDICES):
        return None
    held = {PLAIN_ENUM: object, "Flag": object, "StrEnum": str}.get(kind, int)
    if cast(object, getattr(cls, "_member_type_", None)) is not held:
        message = f"members of {cls.__name__} are of a class of values, too"
        raise _refused(cls, message, "enum.IntEnum, enum.StrEnum or a plain enum.Enum", span)
    values = [cast(object, member.value) for member in members_of(cls)]
    if kind not in (PLAIN_ENUM, "StrEnum"):
        large = [v for v in values if not (isinstance(v, int) and INT_MIN <= v <= INT_MAX)]
        if large:
            message = f"a member of {cls.__name__} is {large[0]!r}, which 64 bits do not hold"
            raise _refused(cls, message, "smaller values", span)
    return NamedType(cls.__name__, STR if kind == "StrEnum" else INT, kind, labels_of(cls))


def number_of(member: Enum) -> Scalar:
    """Return what stands for a member: its place, or its value where it computes as that does."""
    if kind_of(type(member)) == PLAIN_ENUM:
        return next(i for i, m in enumerate(members_of(type(member))) if m is member)
    return cast(Scalar, getattr(member, "_value_"))  # noqa: B009 -- no attribute of Enum


def _refused(cls: type, message: str, instead: str, span: Span | None) -> TypeCheckError:
    return TypeCheckError(Diagnostic("class-base", message, span, instead=instead))


def named_tuple(cls: type, items: Sequence[Type]) -> NamedType:
    """Return the type of named tuples with such items, or of slices with such bounds.

    All slices are of one type: each bound may be None.
    """
    kind = kind_of(cls)
    assert kind is not None
    if cls is slice:
        items = [OptionalType(INT) if item in (INT, NONE) else item for item in items]
    return NamedType(cls.__name__, TupleType(tuple(items)), kind, labels_of(cls))


def is_named_tuple(type_: Type) -> bool:
    """Whether values of a type are named tuples."""
    return isinstance(type_, NamedType) and type_.kind == NAMED_TUPLE


def is_member(type_: Type) -> bool:
    """Whether values of a type are members of an enumeration."""
    return isinstance(type_, NamedType) and not isinstance(type_.base, TupleType)


def is_index_part(type_: Type) -> bool:
    """Whether values of a type are slices, or `...`."""
    return isinstance(type_, NamedType) and type_.kind in OF_INDICES


_NOTHING_ELSE = frozenset({PLAIN_ENUM, "Flag", RECORDS, *OF_INDICES})


def is_records(type_: Type) -> bool:
    """Whether values of a type are structured arrays, or records."""
    return isinstance(type_, NamedType) and type_.kind == RECORDS


def plain_type(type_: Type) -> Type:
    """Return what values of a type count as where their class does not matter.

    A named tuple is a tuple there, and a member of IntEnum an int. One of Enum, a slice or a record
    is nothing else.
    """
    if isinstance(type_, NamedType) and type_.kind not in _NOTHING_ELSE:
        return type_.base
    return type_


def plain(value: Typed) -> Typed:
    """Return a value as what it counts as without its class; lowering converts it."""
    type_ = plain_type(value.type)
    return value if type_ is value.type else replace(value, type=type_)
