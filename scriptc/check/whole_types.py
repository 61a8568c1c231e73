"""Types in which ints have any size, as those of `script(bigint=True)` have."""

from scriptc_runtime.record import replace
from scriptc_runtime.types import (
    BIGINT,
    INT,
    DequeType,
    DictType,
    ListType,
    OptionalType,
    SetType,
    TupleType,
    Type,
)


def computed_with_bigints(type_: Type) -> Type:
    """Return the type that a number, or a tuple that holds some, is converted to.

    Lists and dicts stay what they are: a copy of one would be another one.
    """
    return _with_numbers(type_, INT, BIGINT)


def without_bigints(type_: Type) -> Type:
    """Return the type that a number, or a tuple of numbers, has where 64 bits have to hold them."""
    return _with_numbers(type_, BIGINT, INT)


def _with_numbers(type_: Type, given: Type, taken: Type) -> Type:
    if isinstance(type_, TupleType):
        return TupleType(tuple(_with_numbers(item, given, taken) for item in type_.items))
    return taken if type_ is given else type_


def with_bigints(type_: Type) -> Type:
    """Return a type with ints of any size for those of 64 bits; classes stay what they are."""
    match type_:
        case _ if type_ is INT:
            return BIGINT
        case TupleType(items):
            return TupleType(tuple(map(with_bigints, items)))
        case ListType(item) | OptionalType(item) | DequeType(item) | SetType(item):
            return replace(type_, item=with_bigints(item))
        case DictType(key, value):
            return replace(type_, key=with_bigints(key), value=with_bigints(value))
        case _:
            return type_
