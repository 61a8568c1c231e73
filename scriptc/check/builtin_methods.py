"""Which methods lists, containers and texts have that a call can stand for."""

from collections import deque

from scriptc.check.bindings import Typed
from scriptc_runtime.types import STR, DequeType, DictType, ListType, SetType

_OF_LOOPS = frozenset({"items", "keys", "values"})


def has_method(base: Typed, name: str) -> bool:
    """Whether a value is a list, a container or a text with a method that a call can stand for."""
    cls = _class_of(base)
    return cls is not None and name not in _OF_LOOPS and callable(getattr(cls, name, None))


def _class_of(base: Typed) -> type | None:
    match base.type:
        case ListType(frozen=frozen):
            return tuple if frozen else list
        case DictType():
            return dict
        case SetType(_, frozen):
            return frozenset if frozen else set
        case DequeType():
            return deque
        case type_:
            return str if type_ is STR else None
