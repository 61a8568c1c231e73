"""Which types have an order: `<` compares their values, or raises what CPython does."""

from scriptc.check import protocols
from scriptc.check.context import Context
from scriptc.check.named_types import plain_type
from scriptc.check.python import type_errors
from scriptc_runtime.types import (
    BIGINT,
    COMPLEX,
    INT,
    NONE,
    TEXTS,
    ClassType,
    DictType,
    ListType,
    OptionalType,
    SetType,
    TupleType,
    Type,
    UnionType,
    is_number,
)
from scriptc_runtime.unions import members_of


def has_order(context: Context, type_: Type, around: Type | None = None) -> bool:
    """Whether `<` compares values of a type: numbers, texts, tuples, objects with `__lt__`.

    Of what is of several types it compares some, and raises for all others. `around` is a type
    that is asked for already, which stands in itself.
    """
    type_ = plain_type(type_)
    match type_:
        case TupleType(items):
            # None raises where it is compared.
            first, *rest = (t.item if isinstance(t, OptionalType) else t for t in items or (INT,))
            return (first is NONE or has_order(context, first, around)) and all(
                has_order(context, t) or isinstance(t, SetType) or order_raises(context, t)
                for held in rest
                for t in members_of(held)
            )
        case ListType(item):
            return item is around or has_order(context, item, around)
        case UnionType(members):
            ordered = [has_order(context, m, type_) for m in members]
            others = [m for m, has in zip(members, ordered, strict=True) if not has]
            return any(ordered) and all(_never_ordered(m) for m in others)
        case ClassType():
            return protocols.has_order(context, type_)
        case _:
            return type_ in (*TEXTS, BIGINT) or (is_number(type_) and type_ is not COMPLEX)


def _never_ordered(type_: Type) -> bool:
    """Whether `<` raises TypeError for two values of a type, as CPython says."""
    return type_errors.of_operator("<", type_, type_) is not None


def order_raises(context: Context, type_: Type) -> bool:
    """Whether `<` of two values of a type raises TypeError: dicts, None, objects without `__lt__`.

    In tuples it is asked for only where all that stands before is equal.
    """
    if isinstance(type_, ClassType):
        return not has_order(context, type_)
    return isinstance(type_, DictType) or type_ in (NONE, COMPLEX)
