"""Objects of scripted classes as pickles and copies.

An object is its class and the values of its fields, so that pickle and copy see the arrays and the
objects in it, and keep one what is one.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, cast
from weakref import WeakValueDictionary

from scriptc.cache.manifest import FieldText, read_types
from scriptc.cache.store import NativeAccess
from scriptc.classes.completion import complete
from scriptc.classes.declaring import Declared, declare_all
from scriptc.classes.layouts import is_wider
from scriptc.classes.scripted_class import (
    Access,
    ClassState,
    is_blank,
    kept_containers,
    note,
    state_of,
)
from scriptc.saved.pickles.definitions import ClassPickle, class_for_pickle, class_state
from scriptc.saved.pickles.names import Reduced
from scriptc.scripted_function import store_of
from scriptc.specialise.interpreted import InterpretedAccess
from scriptc.values.kinds import Array, Parameter
from scriptc_runtime.text.type_text import ir_text
from scriptc_runtime.types import (
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
    values = _values_of(state, instance)
    classes = [(class_for_pickle(s.live), _field_texts(s)) for s in state.others]
    named = zip(state.fields, values, strict=True)
    return (
        _blank_object,
        (class_for_pickle(state.live), classes),
        {f.name: _as_one(f.type, value) for f, value in named},
    )


def _values_of(state: ClassState, instance: object, *, is_shared: bool = False) -> list[object]:
    """Return what the fields hold, with Python's own containers where it has some.

    What other objects have, too, or may get by this, is noted.
    """
    kept, access = kept_containers(), state.access
    known: dict[int, object] = kept.Known() if kept else {}
    values = state.read_all(instance, known)
    assert access is not None  # it has fields
    if is_shared or any(map(access.is_shared, known)):
        for field, value in zip(state.fields, values, strict=True):
            note(state, instance, field, value, is_read=True)
    return values


def copy_object(instance: object) -> object:
    """Return another object whose fields hold the same, for `copy.copy`."""
    state = class_state(type(instance))
    values = _values_of(state, instance, is_shared=True)
    made = object.__new__(type(instance))
    names = (field.name for field in state.fields)
    complete_object(made, dict(zip(names, values, strict=True)))
    return made


def _field_texts(state: ClassState) -> list[FieldText]:
    """Return the fields as a manifest has them."""
    opened = {name: ir_text(type_) for name, type_ in state.opened.items()}
    return [
        (f.name, ir_text(f.type), opened.get(f.name, ""), f.name in state.late)
        for f in state.fields
    ]


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


def _declare(classes: Sequence[tuple[type, Sequence[FieldText]]]) -> None:
    states = [class_state(live) for live, _ in classes]
    declared: list[Declared] = []
    for state, (_, fields) in zip(states, classes, strict=True):
        types = read_types([text for _, text, _, _ in fields])
        live = {f.name: f.type for f in state.fields}
        # Objects of this process may hold more by now.
        named = [
            Parameter(n, live[n] if n in live and is_wider(live[n], t, states) else t)
            for (n, _, _, _), t in zip(fields, types, strict=True)
        ]
        opened = {n: read_types([known])[0] for n, _, known, _ in fields if known}
        late = frozenset(n for n, _, _, is_late in fields if is_late)
        declared.append(Declared(state, tuple(named), opened, late))
    declare_all(declared, access_of(states), states)


def access_of(states: Sequence[ClassState]) -> Access:
    """Return how the backend of classes keeps their objects."""
    options = states[0].options
    if options.backend == "llvm":
        return NativeAccess(store_of(options.cache_dir))
    return InterpretedAccess(
        {state.live.__name__: state for state in states},
        {live.__name__: live for state in states for live in state.named},
    )


def complete_object(instance: object, values: Mapping[str, object]) -> None:
    """Give an object without fields its fields, for `__setstate__`."""
    if not is_blank(instance):
        raise TypeError(f"this {type(instance).__qualname__} object has its fields already")
    state = class_state(type(instance))
    complete(state, instance, values)
    if not is_blank(instance):
        for field in state.fields:
            note(state, instance, field, values[field.name], is_read=False)
