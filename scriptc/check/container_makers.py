"""The live objects whose calls make dicts and sets."""

from types import BuiltinMethodType


def is_maker(callee: object) -> bool:
    """Whether a call of a live object makes a dict or a set."""
    return callee is set or callee is frozenset or callee is dict or is_from_keys(callee)


def is_from_keys(callee: object) -> bool:
    """Whether a live object is `dict.fromkeys`."""
    if not isinstance(callee, BuiltinMethodType):
        return False
    return callee.__self__ is dict and callee.__name__ == "fromkeys"
