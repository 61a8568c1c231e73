"""The `__init__` of a class: its own, its base's, or what `dataclasses` made of its fields."""

from types import FunctionType
from typing import Protocol
from weakref import WeakKeyDictionary

from scriptc.check.desugar import dataclass_inits
from scriptc.check.members import exception_base, find_member, is_users
from scriptc.check.scopes import plain_function
from scriptc.values import dataclass_members
from scriptc_runtime.errors import Span

_PARAMETERS = "__dataclass_params__"
# By class and by what `dataclasses` made: functions are specialised by identity.
_WRITTEN: WeakKeyDictionary[type, dict[FunctionType, FunctionType]] = WeakKeyDictionary()
_AS_METHODS: WeakKeyDictionary[FunctionType, FunctionType] = WeakKeyDictionary()


def init_of(cls: type, span: Span | None) -> FunctionType | None:
    """Return the `__init__` that a class has, with a text, None where it has none of its own.

    Raises TypeCheckError for what dataclasses do besides.
    """
    member = find_member(cls, "__init__")
    if member is None:
        made = _init_of_exception if exception_base(cls) else _init_of_nothing
        return _copied(cls, made) if is_users(cls) else None
    init = plain_function(member.value)
    if init is not None and member.owner is not cls:
        inherited = init_of(member.owner, span)
        return inherited and _copied(cls, inherited)
    if init is None or not dataclass_members.is_made_by_dataclasses(cls, "__init__", init):
        return init
    known = _WRITTEN.setdefault(cls, {})
    if init not in known:
        known.setdefault(init, dataclass_inits.written_init(cls, init, is_frozen(cls), span))
    return known[init]


def _init_of_nothing(self: object) -> None:
    """Make an object without fields."""


class _Exception(Protocol):
    __exception__: BaseException


# In the constructor of a class of exceptions: the built-in class that it inherits from.
_exception_base_ = BaseException


def _init_of_exception(self: _Exception, *args: object) -> None:
    """Make an exception without other fields."""
    self.__exception__ = _exception_base_(*args)


def _copied(cls: type, init: FunctionType) -> FunctionType:
    """Return an `__init__` that a class inherits as one of its own: each makes its own objects."""
    known = _WRITTEN.setdefault(cls, {})
    if init not in known:
        known.setdefault(init, _another(init))
    return known[init]


def init_as_method(cls: type) -> FunctionType | None:
    """Return the `__init__` of a class as a method, which changes an object that there is."""
    init = init_of(cls, None)
    return None if init is None or exception_base(cls) else _as_method(init)


def called_function(value: object) -> FunctionType | None:
    """Return the function that a call names; an `__init__` that it names itself is a method."""
    function = plain_function(value)
    return _as_method(function) if function and function.__name__ == "__init__" else function


def _as_method(init: FunctionType) -> FunctionType:
    if init not in _AS_METHODS:
        _AS_METHODS.setdefault(init, _another(init))
    return _AS_METHODS[init]


def _another(init: FunctionType) -> FunctionType:
    """Return another function object that does what an `__init__` does."""
    made = FunctionType(
        init.__code__, init.__globals__, "__init__", init.__defaults__, init.__closure__
    )
    made.__kwdefaults__ = init.__kwdefaults__
    made.__annotations__ = init.__annotations__
    made.__qualname__ = init.__qualname__
    made.__module__ = init.__module__
    made.__dict__.update(init.__dict__)
    return made


def is_frozen(cls: type) -> bool:
    """Whether a class is a dataclass whose fields are not set after `__init__`."""
    member = find_member(cls, _PARAMETERS)
    return bool(member and getattr(member.value, "frozen", False))
