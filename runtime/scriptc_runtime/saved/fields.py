"""Fields of the interpreter's instances, read and set by users."""

from collections.abc import Mapping, Sequence
from typing import cast
from weakref import WeakValueDictionary

from scriptc_runtime.array_classes import PlainArrays
from scriptc_runtime.containers import container_of, fits, python_of
from scriptc_runtime.interp.boundary import (
    ArgumentError,
    convert_argument,
    convert_arguments,
    plain_value,
)
from scriptc_runtime.ir import Module
from scriptc_runtime.named_classes import class_for, maker
from scriptc_runtime.saved.loaded import LoadedObject
from scriptc_runtime.types import (
    ClassType,
    Container,
    DequeType,
    DictType,
    ListType,
    NamedType,
    OptionalType,
    SetType,
    TupleType,
    Type,
    UnionType,
    parts_of,
    substitute_dims,
)
from scriptc_runtime.unions import member_of
from scriptc_runtime.values import Instance


class InstanceFields:
    """The fields of one instance."""

    def __init__(self, instance: Instance, objects: "Objects") -> None:
        self.instance = instance
        self._objects = objects
        self._types = objects.types_of(instance)
        self.names: Sequence[str] = tuple(self._types)

    def read(self, name: str) -> object:
        """Return the value of a field: arrays as they are, lists as new ones."""
        return self._objects.to_user(self._types[name], self.instance.fields[name])

    def write(self, name: str, value: object) -> None:
        """Set a field.  Raises TypeError or OverflowError where a value does not fit."""
        value = PlainArrays().taken(value)
        values = {**self.instance.fields, name: value}
        plain = [n for n, t in self._types.items() if not _converts(t)]
        # All of them, because sizes of the same name must stay the same.
        converted = convert_arguments(
            plain, [self._types[n] for n in plain], [values[n] for n in plain], (), "field"
        )
        if name in plain:
            self.instance.fields[name] = converted[plain.index(name)]
            return
        try:
            self.instance.fields[name] = self._objects.from_user(self._types[name], value)
        except (ArgumentError, OverflowError) as error:
            raise type(error)(f"field {name!r}: {error}") from None


class Objects:
    """The objects of one module, each of which users see as one."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._seen: WeakValueDictionary[int, LoadedObject] = WeakValueDictionary()
        self._instances: WeakValueDictionary[int, InstanceFields] = WeakValueDictionary()

    def types_of(self, instance: Instance) -> Mapping[str, Type]:
        """Return the types of the fields of an instance."""
        return dict(self._module.classes[instance.class_name].fields)

    def to_user(self, type_: Type, value: object) -> object:
        """Return what a user sees of a value of a field."""
        match type_:
            case ClassType() if isinstance(value, BaseException):
                return value  # of a class of exceptions, and Python's already
            case ClassType():
                return self._seen_object(cast(Instance, value))
            case NamedType(base=base):
                return maker(class_for(type_))(self.to_user(base, value))
            case OptionalType(item):
                return None if value is None else self.to_user(item, value)
            case UnionType() if (member := member_of(value, type_)) is not None:
                return self.to_user(member, value)
            case TupleType(items):
                parts = zip(items, cast("tuple[object, ...]", value), strict=True)
                return tuple(self.to_user(item, part) for item, part in parts)
            case ListType(item, frozen):
                seen = [self.to_user(item, part) for part in cast("list[object]", value)]
                return tuple(seen) if frozen else seen
            case DictType() | SetType() | DequeType():
                return python_of(type_, cast(Instance, value), self.to_user)
            case _:
                return value

    def _seen_object(self, instance: Instance) -> LoadedObject:
        seen = self._seen.get(id(instance))
        if seen is None:
            fields = InstanceFields(instance, self)
            seen = self._seen[id(instance)] = LoadedObject(fields)
            self._instances[id(seen)] = fields
        return seen

    def from_user(self, type_: Type, value: object) -> object:
        """Return what a user gives as a value of a field.  Raises TypeError, OverflowError."""
        match type_:
            case ClassType(name):
                fields = self._instances.get(id(value))
                if fields is None or fields.instance.class_name != name:
                    raise ArgumentError(f"expected {name}, got {type(value).__name__}")
                return fields.instance
            case NamedType(base=base):
                return self.from_user(base, plain_value(value, type_))
            case OptionalType(item):
                return None if value is None else self.from_user(item, value)
            case UnionType() if (member := self._member_given(type_, value)) is not None:
                return self.from_user(member, value)
            case ListType(item, frozen) if type(value) is (tuple if frozen else list):
                given = [self.from_user(item, part) for part in cast("list[object]", value)]
                return tuple(given) if frozen else given
            case DictType() | SetType() | DequeType() if fits(type_, value):
                return container_of(type_, value, self.from_user)
            case TupleType(items) if type(value) is tuple:
                parts = cast("tuple[object, ...]", value)
                if len(parts) != len(items):
                    raise ArgumentError(f"expected {len(items)} items, got {len(parts)}")
                return tuple(map(self.from_user, items, parts))
            case _:
                return convert_argument(value, substitute_dims(type_, {}))

    def _member_given(self, type_: UnionType, value: object) -> Type | None:
        """Return the member of a union that a value from a user is of."""
        fields = self._instances.get(id(value))
        return member_of(value if fields is None else fields.instance, type_)


def _converts(type_: Type) -> bool:
    return isinstance(type_, ClassType | NamedType | ListType | Container) or any(
        map(_converts, parts_of(type_))
    )
