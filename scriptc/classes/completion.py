"""Objects that are given their fields after they were made: copies, and objects that move.

Objects that hold each other come in some order, in which one holds another without fields yet.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, cast

import numpy as np

from scriptc.classes.scripted_class import ClassState, is_blank, state_of
from scriptc.values.kinds import Parameter
from scriptc_runtime.types import (
    NONE,
    ClassType,
    DequeType,
    DictType,
    ListType,
    OptionalType,
    SetType,
    TensorType,
    TupleType,
    Type,
    UnionType,
)
from scriptc_runtime.unions import member_of

NOTHING: Mapping[int, object] = MappingProxyType({})


def complete(
    state: ClassState,
    instance: object,
    values: Mapping[str, object],
    before: Mapping[int, object] = NOTHING,
) -> None:
    """Give an object without fields its fields.

    Where an object without fields in them is not needed at once, it is put in as soon as it has its
    own. `before` has what may stand there meanwhile, by the identity of each.
    """
    fields = [(f, values[f.name]) for f in state.fields]
    blanks = [(f, v, list(_blanks(f.type, v))) for f, v in fields]
    needed = (o for _, _, found in blanks for o, now in found if now and id(o) not in before)
    assert state.access is not None  # which declared the fields
    if (first := next(needed, None)) is not None:
        if _waits_for(first, instance):  # a ring, none of which can be the first one
            before = {**before, id(first): state.access.stand_in(first)}
            complete(state, instance, values, before)
            return
        _AWAITED[id(instance)] = first
        _when_complete(first, partial(complete, state, instance, values, before))
        return
    _AWAITED.pop(id(instance), None)
    given = [_without_blanks(f.type, v, before) for f, v in fields]
    state.access.make(state.fields, instance, given)
    for f, value, found in blanks:
        for other, _ in found:
            _when_complete(other, partial(_put_in, instance, f, value))
    _, waiting = _WAITING.pop(id(instance), (None, ()))
    for action in waiting:
        action()


def _put_in(instance: object, field: Parameter, value: object) -> None:
    """Give an object a value for which it waited, unless another part of it is not complete."""
    if not any(_blanks(field.type, value)):
        state = state_of(type(instance))
        assert state is not None  # which has fields
        assert state.access is not None
        now = next(f for f in state.fields if f.name == field.name)  # its type may be a wider one
        # Not by the descriptor, which reads all fields: others may have what only stands there.
        state.access.write(now, instance, value)


# By identity: an object that is not complete, which lives as long as it is waited for.
_WAITING: dict[int, tuple[object, list[Callable[[], None]]]] = {}
# By the identity of an object without fields, the one that it waits for.
_AWAITED: dict[int, object] = {}


def _waits_for(blank: object, instance: object) -> bool:
    """Whether an object waits for another one, or for one that does."""
    while blank is not instance and id(blank) in _AWAITED:
        blank = _AWAITED[id(blank)]
    return blank is instance


def _when_complete(blank: object, action: Callable[[], None]) -> None:
    _WAITING.setdefault(id(blank), (blank, []))[1].append(action)


def give_up(instance: object) -> None:
    """Forget what waits for an object, which has its fields by other means."""
    _WAITING.pop(id(instance), None)
    _AWAITED.pop(id(instance), None)


def objects_in(type_: Type, value: object) -> Iterator[object]:
    """Yield the objects of scripted classes in a value."""
    return (found for found, _ in _objects(type_, value, now=True))


def _blanks(type_: Type, value: object) -> Iterator[tuple[object, bool]]:
    """Yield the objects without fields in a value, and whether it cannot do without each now."""
    return (found for found in _objects(type_, value, now=True) if is_blank(found[0]))


def _objects(type_: Type, value: object, *, now: bool) -> Iterator[tuple[object, bool]]:
    match type_:
        case ClassType():
            yield value, now
        case OptionalType(item) if value is not None:
            yield from _objects(item, value, now=False)
        case UnionType() if (member := member_of(value, type_)) is not None:
            yield from _objects(member, value, now=now and NONE not in type_.members)
        case TupleType(items):
            for item, part in zip(items, cast("tuple[object, ...]", value), strict=True):
                yield from _objects(item, part, now=now)
        case DictType(key, held):
            for pair in cast("dict[object, object]", value).items():
                yield from _objects(TupleType((key, held)), pair, now=False)
        case ListType(item) | SetType(item) | DequeType(item):
            is_frozen = not isinstance(type_, DequeType) and type_.frozen
            for part in cast("Iterable[object]", value):
                yield from _objects(item, part, now=now and is_frozen)
        case _:
            return


def _without_blanks(  # noqa: C901
    type_: Type, value: object, before: Mapping[int, object]
) -> object:
    """Return a value to begin with; arrays that are read-only, as joblib's are, are copied."""
    match type_:
        case ClassType() if is_blank(value):
            return before[id(value)]
        case TensorType():
            array = cast("np.ndarray[Any, np.dtype[Any]]", value)
            return array if array.flags.writeable else np.array(array)
        case OptionalType() | UnionType() if value is None:
            return None
        case OptionalType(item):
            return None if any(_blanks(type_, value)) else _without_blanks(item, value, before)
        case UnionType(members) if NONE in members and any(_blanks(type_, value)):
            return None
        case UnionType() if (member := member_of(value, type_)) is not None:
            return _without_blanks(member, value, before)
        case TupleType(items):
            parts = zip(items, cast("tuple[object, ...]", value), strict=True)
            return tuple(_without_blanks(item, part, before) for item, part in parts)
        case ListType(item, True):
            held = cast("tuple[object, ...]", value)
            return tuple(_without_blanks(item, p, before) for p in held)
        case ListType() | DictType() | SetType() | DequeType() if any(_blanks(type_, value)):
            emptied = cast(Any, value).copy()
            emptied.clear()
            return emptied
        case ListType(item):
            return [_without_blanks(item, p, before) for p in cast("list[object]", value)]
        case _:
            return value
