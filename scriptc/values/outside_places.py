"""What stands outside of a script and changes there: the value that it has, and gets.

A call is handed a list that holds the value; when the call ends, what is in the list then is its
new value.
"""

import re
import sys
from abc import ABC, ABCMeta
from collections import deque
from collections.abc import Iterable, Iterator, Sized
from itertools import count
from types import BuiltinMethodType, ModuleType
from typing import Generic, Protocol, cast

import numpy as np

_COUNT = re.compile(r"count\((-?\d+)(?:, (-?\d+))?\)")
_LIBRARIES = ("builtins", "numpy", "scriptc", "scriptc_runtime")
_DECIDING = ("__new__", "__getattr__", "__getattribute__", "__setattr__", "__delattr__")
_HEAP_TYPE = 1 << 9  # of classes that a `class` statement makes


class OutsidePlace:
    """Something that has a name and a value, and belongs to an object."""

    __slots__ = ("live", "name")

    def __init__(self, live: object, name: str) -> None:
        self.live = live
        self.name = name

    def __eq__(self, other: object) -> bool:
        """Whether both are the same place of the same object."""
        return isinstance(other, OutsidePlace) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[int, str]:
        return id(self.live), self.name

    @property
    def current(self) -> object:
        """The value that it has now.  Raises KeyError where there is none."""
        raise NotImplementedError

    def set(self, value: object) -> None:
        """Let it have another value."""
        raise NotImplementedError


class OutsideCount(OutsidePlace):
    """The next number of an `itertools.count` of ints."""

    __slots__ = ()

    def __init__(self, live: object) -> None:
        super().__init__(live, "count")

    @property
    def current(self) -> int:
        """The number that comes next."""
        return _numbers(self.live)[0]

    @property
    def step(self) -> int:
        """What one number is more than the one before."""
        return _numbers(self.live)[1]

    def set(self, value: object) -> None:
        """Take as many numbers as were taken in the call."""
        first, step = _numbers(self.live)
        for _ in range((cast(int, value) - first) // step if step else 0):
            next(cast("count[int]", self.live))


def _numbers(counter: object) -> tuple[int, int]:
    """Return the next number, and the step."""
    # Its text says them without taking a number; Python 3.14 copies and pickles none.
    found = _COUNT.fullmatch(repr(counter))
    assert found is not None
    return int(found[1]), int(found[2] or 1)


def step_of(counter: object) -> int:
    """Return what one number of an `itertools.count` of ints is more than the one before."""
    return _numbers(counter)[1]


def counter_of(value: object) -> object:
    """Return the counter that something is, or whose `__next__` it is; None for anything else."""
    is_method = type(value).__name__ == "method-wrapper"
    if is_method and getattr(value, "__name__", "") == "__next__":
        value = cast(object, getattr(value, "__self__", None))
    return value if is_count(value) else None


def is_count(value: object) -> bool:
    """Whether something is an `itertools.count` of ints."""
    kind = type(value)
    return kind is count and _COUNT.fullmatch(repr(value)) is not None


class ObjectField:
    """A field of an object outside: what it holds a script may be handed at each call."""

    __slots__ = ("live", "name")

    def __init__(self, live: object, name: str) -> None:
        self.live = live
        self.name = name

    def __eq__(self, other: object) -> bool:
        """Whether both are the same field of the same object."""
        is_field = isinstance(other, ObjectField)
        return is_field and self.live is other.live and self.name == other.name

    def __hash__(self) -> int:
        return hash((id(self.live), self.name))

    @property
    def current(self) -> object:
        """What the object has there now."""
        return held_in(self.live, self.name)


def is_method_of_constant(value: object) -> bool:
    """Whether something is a method of a text or a number, as `", ".join` is."""
    owner = value.__self__ if isinstance(value, BuiltinMethodType) else None
    return type(owner) in (str, bytes, int, float)


def is_object(value: object) -> bool:
    """Whether something is an object of a class that scripts may make objects of themselves.

    Those of scripted classes are others, and so are enumerations, exceptions and what inherits from
    a built-in class: they are known in other ways.
    """
    kind = type(value)
    root = kind.__module__.partition(".")[0]
    if root in _LIBRARIES or (root in sys.stdlib_module_names and root != "__main__"):
        return False
    if isinstance(value, type) or isinstance(getattr(kind, "python", None), type):
        return False
    if not all(map(_is_plain, kind.__mro__)):
        return False
    # Inside a function: few programs have objects outside.
    from scriptc_runtime.conversions import conversion_of

    return not conversion_of(value)


def _is_plain(cls: type) -> bool:
    """Whether a class is written in Python, and leaves it to Python what its objects have."""
    if cls in (object, Generic, Protocol, ABC):
        return True
    own = vars(cls)
    if type(cls) not in (type, ABCMeta, type(Protocol)) or not cls.__flags__ & _HEAP_TYPE:
        return False
    return "__dataclass_params__" in own or own.keys().isdisjoint(_DECIDING)


def held_in(value: object, name: str, absent: object = None) -> object:
    """Return what an object holds itself under a name."""
    own = cast("dict[str, object]", getattr(value, "__dict__", {}))
    return own[name] if name in own else getattr(value, name, absent)


def fields_held(value: object) -> Iterator[tuple[str, object]]:
    """Yield the fields that an object has, and what they hold."""
    yield from cast("dict[str, object]", getattr(value, "__dict__", {})).items()
    for cls in reversed(type(value).__mro__):
        slots = cast("str | Iterable[str]", vars(cls).get("__slots__", ()))
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__") and hasattr(value, name):
                yield name, cast(object, getattr(value, name))


def items_held(value: object) -> tuple[object, ...]:
    """Return what a list, tuple or dict holds: the items, or keys and values in turn."""
    if type(value) is dict:
        pairs = cast("dict[object, object]", value).items()
        return tuple(part for pair in pairs for part in pair)
    return tuple(cast("Iterable[object]", value)) if type(value) in (list, tuple) else ()


def is_compiled_in(value: object) -> bool:
    """Whether something that an object or a list holds is a part of the code, and not handed over.

    Those are objects, what holds some, and what is called or counts.
    """
    if callable(value) or isinstance(value, ModuleType) or is_count(value):
        return True
    waiting, seen = [value], {id(value)}
    for whole in waiting:
        held = items_held(whole)
        # Most lists hold many items of few classes.
        kinds = {type(part): part for part in (whole, *held)}
        if any(map(_is_of_program, kinds.values())):
            return True
        inner = [p for p in held if type(p) in (list, tuple, dict) and id(p) not in seen]
        seen.update(map(id, inner))
        waiting += inner
    return False


def _is_of_program(value: object) -> bool:
    return is_object(value) or (callable(value) and not is_scripted(value))


def is_scripted(value: object) -> bool:
    """Whether something is an object of a scripted class."""
    kind = type(value)
    return not isinstance(value, type) and isinstance(getattr(kind, "python", None), type)


def is_container(value: object) -> bool:
    """Whether something that an object outside holds is handed over as it is, and given back."""
    return isinstance(value, list | dict | set | frozenset | deque | np.ndarray)


def is_empty(value: object) -> bool:
    """Whether something is a list or the like that holds nothing."""
    is_array = isinstance(value, np.ndarray)
    return is_container(value) and not is_array and len(cast(Sized, value)) == 0


def is_outside(value: object) -> bool:
    """Whether something outside is an object, or a list or the like that holds some."""
    if type(value) in (list, tuple, dict):
        return bool(items_held(value)) and is_compiled_in(value)
    return is_object(value) or is_scripted(value)


def is_called(value: object) -> bool:
    """Whether something outside is an object of a class with a `__call__`."""
    return callable(value) and (is_object(value) or is_scripted(value))
