"""Unions that hold themselves: rec = float | str | list[rec] | dict[str, rec].

Such a type is one object for its text, which says the same of each of them whichever way it was
found (`type_graphs`): they are compared by identity. As a union it has its members, in which it
stands itself; a walk of all that types are made of (`parts_of`) meets them without it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from scriptc_runtime.record import replace
from scriptc_runtime.types import (
    NONE,
    ClassType,
    Container,
    DequeType,
    DictType,
    ListType,
    NamedType,
    OptionalType,
    SetType,
    TupleType,
    Type,
    UnionType,
    is_tuple_of,
    parts_of,
)


class RecursiveUnion(UnionType):
    """A union that is an item, key or value of what one of its members holds.

    It has one member alone where lists or dicts hold nothing but their like, as those of a trie.
    """

    __slots__ = ("_parts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.members: tuple[Type, ...] = ()
        self._parts: tuple[Type, ...] = ()

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__

    def __str__(self) -> str:
        return written(self, {})

    __repr__ = __str__

    @property
    def parts(self) -> tuple[Type, ...]:
        """The members, and those of such types in them, with None where one of these is held."""
        if not self._parts:
            rings = dict.fromkeys([self])
            waiting = [self]
            for ring in waiting:
                new = [r for m in ring.members for r in _rings_in(m) if r not in rings]
                rings |= dict.fromkeys(new)
                waiting += new
            members = (_without_rings(m) for ring in rings for m in ring.members)
            self._parts = tuple(dict.fromkeys(members))
        return self._parts


_KNOWN: dict[str, RecursiveUnion] = {}
_BY_MEMBERS: dict[frozenset[Type], RecursiveUnion] = {}


def tie(text: str, members_of: Callable[[RecursiveUnion], Sequence[Type]]) -> RecursiveUnion:
    """Return the type of a text, whose members are told where it is new."""
    known = _KNOWN.get(text)
    if known is not None:
        return known
    made = RecursiveUnion(text)
    made.members = tuple(members_of(made))
    if len(made.members) > 1:
        _BY_MEMBERS.setdefault(frozenset(made.members), made)
    return _KNOWN.setdefault(text, made)


def whole_of(members: Iterable[Type]) -> RecursiveUnion | None:
    """Return the type that has exactly these members, and is held by one of them."""
    return _BY_MEMBERS.get(frozenset(members)) if _BY_MEMBERS else None


def item_alone(type_: Type) -> Type:
    """Return a type as that of an item, where values that hold nothing but their like have one."""
    for part in _rings_in(type_):
        if part.members == (type_,):
            return part
    return type_


def out_of(type_: Type) -> Type:
    """Return what an item is: where values hold nothing but their like, one of these."""
    if isinstance(type_, RecursiveUnion) and len(type_.members) == 1:
        return type_.members[0]
    return type_


def written(type_: RecursiveUnion, numbers: dict[Type, int]) -> str:
    """Return a type as users read it: `rec` stands for the whole, `rec1` for the next such type."""
    if type_ in numbers:
        return f"rec{numbers[type_] or ''}"
    numbers[type_] = len(numbers)
    names: dict[Type, Type] = {}
    for ring in (ring for member in type_.members for ring in _rings_in(member)):
        names[ring] = ClassType(written(ring, numbers))
    members = (str(_mapped(member, lambda ring: names[ring])) for member in type_.members)
    return f"rec{numbers[type_] or ''}({' | '.join(members)})"


def _rings_in(type_: Type) -> Iterator[RecursiveUnion]:
    """Yield the outermost types in a type that hold themselves."""
    if isinstance(type_, RecursiveUnion):
        yield type_
        return
    for part in parts_of(type_):
        yield from _rings_in(part)


def _without_rings(type_: Type) -> Type:
    return _mapped(type_, lambda _: NONE)


def _mapped(type_: Type, change: Callable[[RecursiveUnion], Type]) -> Type:
    """Return a type with others for those in it that hold themselves."""
    match type_:
        case RecursiveUnion():
            return change(type_)
        case TupleType(items):
            return TupleType(tuple(_mapped(item, change) for item in items))
        case UnionType(members):
            return UnionType(tuple(_mapped(member, change) for member in members))
        case ListType(item) | SetType(item) | DequeType(item) | OptionalType(item):
            return replace(type_, item=_mapped(item, change))
        case DictType(key, value):
            return replace(type_, key=_mapped(key, change), value=_mapped(value, change))
        case NamedType(base=base):
            return replace(type_, base=_mapped(base, change))
        case _:
            return type_


def has_one_list(type_: Type) -> bool:
    """Whether values may be one list or container alone that can change."""
    if isinstance(type_, RecursiveUnion):
        return False  # which of its like it is
    members = parts_of(type_) if isinstance(type_, UnionType | OptionalType) else (type_,)
    blocks = [member for member in members if isinstance(member, ListType | Container)]
    return len(blocks) == 1 and not is_tuple_of(blocks[0])
