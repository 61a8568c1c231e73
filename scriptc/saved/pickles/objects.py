"""Objects of scripted classes as pickles and copies.

An object is its class and the values of its fields, so that pickle and copy see the arrays and the
objects in it, and keep one what is one.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, cast
from weakref import WeakValueDictionary

import numpy as np

from scriptc.cache.manifest import read_types
from scriptc.cache.store import NativeAccess
from scriptc.classes.scripted_class import Access, ClassState, is_blank, state_of
from scriptc.saved.pickles.definitions import ClassPickle, class_for_pickle, class_state
from scriptc.saved.pickles.names import Reduced
from scriptc.scripted_function import store_of
from scriptc.specialise.interpreted import InterpretedAccess
from scriptc.values.kinds import Array, Parameter
from scriptc_runtime.text.type_text import ir_text
from scriptc_runtime.types import (
    ClassType,
    ListType,
    OptionalType,
    TensorType,
    TupleType,
    Type,
    UnionType,
)
from scriptc_runtime.unions import member_of


def reduce_object(instance: object) -> Reduced:
    """Return what pickle and copy make of an object of a scripted class, for its `__reduce__`."""
    state = class_state(type(instance))
    values = state.read_all(instance, {})
    classes = [
        (class_for_pickle(s.live), [(f.name, ir_text(f.type)) for f in s.fields])
        for s in state.others
    ]
    named = zip(state.fields, values, strict=True)
    return (
        _blank_object,
        (class_for_pickle(state.live), classes),
        {f.name: _as_one(f.type, value) for f, value in named},
    )


_ARRAYS: WeakValueDictionary[Hashable, Array] = WeakValueDictionary()


def _as_one(type_: Type, value: object) -> object:
    """Return a field's value with the same object for the same array, whichever object holds it."""
    match type_:
        case TensorType():
            array = cast(Array, value)
            where = (array.ctypes.data if array.size else id(array), array.shape, array.strides)
            return _ARRAYS.setdefault((array.dtype.str, *where), array)
        case OptionalType(item):
            return None if value is None else _as_one(item, value)
        case UnionType() if (member := member_of(value, type_)) is not None:
            return _as_one(member, value)
        case TupleType(items):
            parts = zip(items, cast("tuple[object, ...]", value), strict=True)
            return tuple(_as_one(item, part) for item, part in parts)
        case ListType(item, True):
            return tuple(_as_one(item, part) for part in cast("tuple[object, ...]", value))
        case ListType(item):
            items = cast("list[object]", value)
            items[:] = (_as_one(item, part) for part in items)
            return items
        case _:
            return value


def _blank_object(cls: "type | ClassPickle", classes: Sequence[tuple[Any, Any]]) -> object:
    """Return an object without fields, of a class whose fields are known from now on."""
    live = cls.cls if isinstance(cls, ClassPickle) else cls
    if state_of(live) is not None:
        _declare([(c.cls if isinstance(c, ClassPickle) else c, fields) for c, fields in classes])
    return cast(object, object.__new__(live))


def _declare(classes: Sequence[tuple[type, Sequence[tuple[str, str]]]]) -> None:
    states = [class_state(live) for live, _ in classes]
    fresh = _access(states)
    for state, (_, fields) in zip(states, classes, strict=True):
        types = read_types([text for _, text in fields])
        named = [Parameter(n, t) for (n, _), t in zip(fields, types, strict=True)]
        state.declare(named, state.access or fresh, states)


def _access(states: Sequence[ClassState]) -> Access:
    options = states[0].options
    if options.backend == "llvm":
        return NativeAccess(store_of(options.cache_dir))
    return InterpretedAccess(
        {state.live.__name__: state for state in states},
        {live.__name__: live for state in states for live in state.named},
    )


def complete_object(instance: object, values: Mapping[str, object]) -> None:
    """Give an object without fields its fields, for `__setstate__`.

    Objects that hold each other come in such an order that one holds another that is not complete.
    Where that is not needed at once, it is put in as soon as it is.
    """
    if not is_blank(instance):
        raise TypeError(f"this {type(instance).__qualname__} object has its fields already")
    state = class_state(type(instance))
    fields = [(f, values[f.name]) for f in state.fields]
    needed = next((o for f, v in fields for o, now in _blanks(f.type, v) if now), None)
    if needed is not None:
        _when_complete(needed, lambda: complete_object(instance, values))
        return
    assert state.access is not None  # `_blank_object` declared the fields
    state.access.make(state.fields, instance, [_without_blanks(f.type, v) for f, v in fields])
    for f, value in fields:
        for other, _ in _blanks(f.type, value):
            _when_complete(other, partial(setattr, instance, f.name, value))
    _, waiting = _WAITING.pop(id(instance), (None, ()))
    for action in waiting:
        action()


# By identity: an object that is not complete, which lives as long as it is waited for.
_WAITING: dict[int, tuple[object, list[Callable[[], None]]]] = {}


def _when_complete(blank: object, action: Callable[[], None]) -> None:
    _WAITING.setdefault(id(blank), (blank, []))[1].append(action)


def _blanks(type_: Type, value: object, *, now: bool = True) -> Iterator[tuple[object, bool]]:
    """Yield the objects without fields in a value, and whether it cannot do without each now."""
    match type_:
        case ClassType() if is_blank(value):
            yield value, now
        case OptionalType(item) if value is not None:
            yield from _blanks(item, value, now=False)
        case UnionType() if (member := member_of(value, type_)) is not None:
            yield from _blanks(member, value, now=now)
        case TupleType(items):
            for item, part in zip(items, cast("tuple[object, ...]", value), strict=True):
                yield from _blanks(item, part, now=now)
        case ListType(item, frozen):
            for part in cast("list[object]", value):
                yield from _blanks(item, part, now=now and frozen)
        case _:
            return


def _without_blanks(type_: Type, value: object) -> object:
    """Return a value to begin with; arrays that are read-only, as joblib's are, are copied."""
    match type_:
        case TensorType():
            array = cast(Array, value)
            return array if array.flags.writeable else np.array(array)
        case OptionalType(item):
            return None if any(_blanks(type_, value)) else _without_blanks(item, value)
        case UnionType() if (member := member_of(value, type_)) is not None:
            return _without_blanks(member, value)
        case TupleType(items):
            parts = zip(items, cast("tuple[object, ...]", value), strict=True)
            return tuple(_without_blanks(item, part) for item, part in parts)
        case ListType(item, True):
            return tuple(_without_blanks(item, p) for p in cast("tuple[object, ...]", value))
        case ListType(item):
            parts = cast("list[object]", value)
            return [] if any(_blanks(type_, value)) else [_without_blanks(item, p) for p in parts]
        case _:
            return value
