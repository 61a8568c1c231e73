"""The types of fields that hold what is told of them beside what they were known to hold."""

from collections.abc import Sequence

from scriptc.check.bindings import LiteralValue, merge_types, united_types
from scriptc_runtime import type_graphs
from scriptc_runtime.record import replace
from scriptc_runtime.recursive_types import RecursiveUnion
from scriptc_runtime.types import (
    NONE,
    ClassType,
    DequeType,
    DictType,
    ListType,
    OptionalType,
    SetType,
    Type,
    all_parts,
)


def wider_type(
    known: Type,
    told: Type,
    literals: Sequence[LiteralValue],
    others: Sequence[LiteralValue],
    *,
    may_unite: bool,
    stays: bool = False,
) -> Type | None:
    """Return the type that holds what is of either, in lists and containers item by item.

    With `stays` no number of Python's gives way to those of NumPy, and no literal to a float.
    """

    def inside(one: Type, two: Type) -> Type | None:
        return wider_type(one, two, literals, others, may_unite=may_unite, stays=stays)

    pairs: Sequence[tuple[Type, Type]]
    if may_unite and (holds_itself(known) or holds_itself(told)):
        # What is put in at one place of a ring is in all of them, as the words of a trie are.
        return type_graphs.joined((known, told))
    match known, told:
        case DictType(), DictType() if known.kind == told.kind:
            pairs = (known.key, told.key), (known.value, told.value)
        case (ListType(), ListType()) | (SetType(), SetType()) if known.frozen == told.frozen:
            pairs = ((known.item, told.item),)
        case DequeType(), DequeType():
            pairs = ((known.item, told.item),)
        case OptionalType(), OptionalType():
            inner = inside(known.item, told.item)
            return inner and OptionalType(inner)
        case _:
            wider = None if stays else merge_types(known, told, literals, others)
            if wider is None and (may_unite or stays or NONE in (known, told)):
                wider = united_types(known, told)
            return wider
    held = [inside(one, two) for one, two in pairs]
    found = [type_ for type_ in held if type_ is not None]
    if len(found) < len(pairs):
        return None
    if isinstance(known, DictType):
        return replace(known, key=found[0], value=found[1])
    assert isinstance(known, ListType | SetType | DequeType)
    return replace(known, item=found[0])


def holds_itself(type_: Type) -> bool:
    """Whether lists or containers of a type hold their like."""
    return any(isinstance(part, RecursiveUnion) for part in all_parts(type_))


def type_of_both(
    known: Type, type_: Type, *, may_unite: bool, stays: bool, is_display: bool
) -> Type | None:
    """Return the type of a field that holds values of two: their common base, or a union.

    What objects of Python's hold stays what it is. A display is told to hold more.
    """
    if stays:
        # Lists of what either holds, where the value is such a list already, or is made as one.
        whole = wider_type(known, type_, (), (), may_unite=True, stays=True)
        return united_types(known, type_) or (whole if is_display or whole == type_ else None)
    merged = merge_types(known, type_)
    held = merged.item if isinstance(merged, OptionalType) else merged
    if isinstance(held, ClassType):
        return merged
    both = united_types(known, type_)
    if both is None and is_display and may_unite:
        return wider_type(known, type_, (), (), may_unite=True)
    if both is None and (holds_itself(known) or holds_itself(type_)):
        # What a function in a ring gives was told while less was known of it.
        both = type_graphs.joined((known, type_))
    # What is None in some objects needs no other union.
    perhaps = both in (known, type_) or NONE in (known, type_)
    return both if may_unite or perhaps else None


def part_of(type_: Type, part: str) -> Type | None:
    """Return what a list or container holds: its items, or the keys of a dict."""
    match type_:
        case DictType(key, value):
            return key if part == "key" else value
        case ListType(item) | SetType(item) | DequeType(item):
            return item
        case _:
            return None


def with_item(type_: Type, depth: int, part: str, item: Type) -> Type | None:
    """Return the type of what holds `item`, so deep inside."""
    if isinstance(type_, OptionalType):
        whole = with_item(type_.item, depth, part, item)
        return whole and OptionalType(whole)
    if depth:
        held = part_of(type_, "item")
        inner = None if held is None else with_item(held, depth - 1, part, item)
        return None if inner is None else _holding(type_, "item", inner)
    return _holding(type_, part, item)


def _holding(type_: Type, part: str, item: Type) -> Type | None:
    match type_:
        case DictType():
            return replace(type_, key=item) if part == "key" else replace(type_, value=item)
        case ListType() | SetType() | DequeType():
            return replace(type_, item=item)
        case _:
            return None
