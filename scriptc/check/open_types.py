"""Types of lists and containers that do not say yet what they hold: what is put in tells it."""

from types import UnionType as UnionOfTypes

from scriptc.check.bindings import ListKey
from scriptc_runtime.types import (
    DICT_KINDS,
    DequeType,
    DictType,
    ListType,
    OptionalType,
    SetType,
    Type,
    UnionType,
)
from scriptc_runtime.unions import members_of

# The type of the items of what does not say yet what it holds: that of no value at all.
UNTOLD = UnionType(())

# The type of `[]` until something is put into it.
EMPTY_LIST = ListType(UNTOLD)
# That of `{}`.
EMPTY_DICT = DictType(UNTOLD, UNTOLD)
# Those of `set()` and `frozenset()`.
_EMPTY_SETS = {frozen: SetType(UNTOLD, frozen) for frozen in (False, True)}
_EMPTY = (
    *(EMPTY_LIST, DequeType(UNTOLD), *_EMPTY_SETS.values()),
    *(DictType(UNTOLD, UNTOLD, kind) for kind in DICT_KINDS),
)


def empty_set(*, frozen: bool = False) -> SetType:
    """Return the type of a set until something is put into it."""
    return _EMPTY_SETS[frozen]


def untold(type_: Type) -> Type:
    """Return the type of a list, dict, set or deque before it said what it holds."""
    match type_:
        case ListType():
            return EMPTY_LIST
        case DictType(kind="dict"):
            return EMPTY_DICT
        case SetType(frozen=frozen):
            return empty_set(frozen=frozen)
        case DequeType():
            return DequeType(UNTOLD)
        case _:
            return type_


def is_empty(type_: Type) -> bool:
    """Whether a list or container of this type does not say yet what it holds.

    What a defaultdict makes tells its values, but nothing of its keys.
    """
    if isinstance(type_, DictType) and type_.kind == "defaultdict":
        return type_.key == UNTOLD
    return type_ in _EMPTY


def is_open(type_: Type) -> bool:
    """Whether a list or container of this type does not say yet what it, or one in it, holds."""
    match type_:
        case DictType(_, held) | ListType(held) | SetType(held) | DequeType(held):
            return is_empty(type_) or is_open(held)
        case OptionalType(held):
            return is_open(held)
        case _:
            return False


def key_of(key: ListKey) -> ListKey:
    """Return where it is kept what the keys of a dict are, whose values are kept under `key`."""
    node, path = key
    return node, (*path, -1)


def block_in(type_: Type | None, kinds: type[Type] | UnionOfTypes) -> Type | None:
    """Return the one list or container of some kinds that a value may be, or its one type."""
    if not isinstance(type_, UnionType | OptionalType):
        return type_
    found = [member for member in members_of(type_) if isinstance(member, kinds)]
    return found[0] if len(found) == 1 else None
