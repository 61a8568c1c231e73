"""The live objects whose calls make dicts, sets and deques."""

from collections import Counter, OrderedDict, defaultdict, deque
from types import BuiltinMethodType
from typing import is_typeddict

_OF_COLLECTIONS = (deque, defaultdict, Counter, OrderedDict)
_CLASSES = (set, frozenset, dict, *_OF_COLLECTIONS)


def is_maker(callee: object) -> bool:
    """Whether a call of a live object makes a container."""
    known = any(callee is cls for cls in _CLASSES)
    return known or is_from_keys(callee) or is_typeddict(callee)


def is_of_collections(callee: object) -> bool:
    """Whether a live object is a class of `collections` that has a type of its own."""
    return any(callee is cls for cls in _OF_COLLECTIONS)


def is_from_keys(callee: object) -> bool:
    """Whether a live object is `dict.fromkeys`."""
    if not isinstance(callee, BuiltinMethodType):
        return False
    return callee.__self__ is dict and callee.__name__ == "fromkeys"
