"""The arrays and objects that a saved module comes with, brought to life for the interpreter."""

from collections import deque
from collections.abc import Mapping
from typing import cast

from numpy.lib.stride_tricks import as_strided

from scriptc_runtime.containers import container_of
from scriptc_runtime.ir import FieldValue, ListValue, Module, ObjectRef, Weight, WeightRef
from scriptc_runtime.ops.arrays import Array
from scriptc_runtime.record import record
from scriptc_runtime.types import (
    Container,
    DequeType,
    DictType,
    DType,
    ListType,
    OptionalType,
    SetType,
    TensorType,
    TupleType,
    Type,
)
from scriptc_runtime.values import Instance


@record(eq=False)
class State:
    """By name: every weight as an array, every object as an instance of the interpreter's."""

    weights: Mapping[str, Array]
    objects: Mapping[str, Instance]


def make_state(module: Module, stored: Mapping[str, Array]) -> State:
    """Return the state of a verified module; arrays that are views share the memory of theirs."""
    weights = {name: _array(weight, stored) for name, weight in module.weights.items()}
    objects: dict[str, Instance] = {}
    for name, declared in module.objects.items():
        types = dict(module.classes[declared.class_name].fields)
        state = State(weights, objects)
        fields = {n: _value(value, types[n], state) for n, value in declared.fields}
        objects[name] = Instance(declared.class_name, fields)
    return State(weights, objects)


def _array(weight: Weight, stored: Mapping[str, Array]) -> Array:
    view, type_ = weight.view, weight.type
    if view is None:
        return stored[weight.name]
    assert isinstance(type_, TensorType)  # the verifier saw that, and that it is in bounds
    flat = stored[view.weight].reshape(-1)
    strides = tuple(stride * flat.itemsize for stride in view.strides)
    return as_strided(flat[view.offset :], tuple(d.constant for d in type_.dims), strides)


def _value(value: FieldValue, type_: Type, state: State) -> object:
    """Return what a file declares, which fits `type_`, as a value of it."""
    match value, type_:
        case WeightRef(name), _:
            return state.weights[name]
        case ObjectRef(name), _:
            return state.objects[name]
        case None, _:
            return None
        case _, OptionalType(item):
            return _value(value, item, state)
        case tuple(), ListType(item):
            return tuple(_value(value, item, state) for value in value)
        case ListValue(items), ListType(item):
            return [_value(value, item, state) for value in items]
        case _, DictType() | SetType() | DequeType():
            return container_of(type_, _python_container(value, type_, state), lambda _, part: part)
        case tuple(), TupleType(items):
            return tuple(_value(v, t, state) for v, t in zip(value, items, strict=True))
        case _, DType():
            return type_.numpy.type(value)  # pyright: ignore[reportArgumentType] -- a number
        case _:
            return value


def _python_container(value: FieldValue, type_: Container, state: State) -> object:
    """Return the container that pairs or items are of, of values as the interpreter has them."""
    match value, type_:
        case ListValue(items), DictType(key, held):
            pairs = TupleType((key, held))
            return dict(cast("tuple[object, object]", _value(v, pairs, state)) for v in items)
        case ListValue(items), SetType(item, frozen):
            parts = [_value(v, item, state) for v in items]
            return frozenset(parts) if frozen else set(parts)
        case (ListValue(items), int() as limit), DequeType(item):
            parts = [_value(v, item, state) for v in items]
            return deque(parts, None if limit < 0 else limit)
        case _:
            raise AssertionError(type_)  # the verifier saw what it is
