"""Specialisations that the interpreter runs: values of Python's in and out.

The handle of a Python object is the address of the interpreter's own object, with a count.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from operator import is_not
from typing import Any, cast

from scriptc.backends.interp.backend import Run
from scriptc.check.checked import CheckedClass
from scriptc.classes.instances import (
    get_handle,
    handle_of_object,
    object_of_handle,
    release_object,
    set_handle,
)
from scriptc.classes.scripted_class import Access, ClassState, blank
from scriptc.values.adapt import adapt
from scriptc.values.kinds import Parameter
from scriptc_runtime.array_classes import PlainArrays
from scriptc_runtime.containers import (
    container_of,
    dict_of,
    items_of,
    items_of_set,
    python_of,
)
from scriptc_runtime.given_generators import given_generator
from scriptc_runtime.named_classes import maker, number
from scriptc_runtime.ops.exceptions import with_object
from scriptc_runtime.raised_objects import leaves, leaving
from scriptc_runtime.raised_objects import made as exception_made
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
    holds_list,
    parts_of,
)
from scriptc_runtime.unions import member_of
from scriptc_runtime.values import Instance
from scriptc_runtime.written_containers import put_back

States = Mapping[str, ClassState]
NamedClasses = Mapping[str, type]
_Rows = list[tuple[object, ...]]


def interpreted(
    name: str,
    run: Run,
    parameters: Sequence[Parameter],
    result: Type,
    states: States,
    named: NamedClasses,
) -> Run:
    """Return what calls `run` with the values that a caller gives, checked and converted."""
    if not any(map(_converts, (result, *(p.type for p in parameters)))):

        def call_plain(values: Sequence[object]) -> object:
            plain = PlainArrays()
            return plain.given_back(run(adapt(name, parameters, values, plain=plain)))

        return call_plain

    def call(values: Sequence[object]) -> object:
        lists, plain = _Lists(), PlainArrays()
        pairs = zip(parameters, values, adapt(name, parameters, values, plain=plain), strict=True)
        inside = [lists.argument(p.type, mine, value) for p, mine, value in pairs]
        to_python = _ToPython(states, named, lists.given)
        try:
            return plain.given_back(to_python.convert(result, run(inside)))
        finally:
            lists.write_back(lambda type_, value: plain.given_back(to_python.convert(type_, value)))

    return call


def with_own_exceptions(
    run: Run, classes: Mapping[str, CheckedClass], states: States, named: NamedClasses
) -> Run:
    """Return `run` with exceptions of classes of the program as Python's objects of these."""

    def make(owner: Instance, base: BaseException) -> BaseException:
        found = classes[owner.class_name]
        to_python = _ToPython(states, named)
        fields = {
            name: to_python.convert(type_, owner.fields[name])
            for name, type_ in found.fields.items()
            if leaves(name, type_)
        }
        cls = cast("type[BaseException]", found.live)
        return exception_made(cls, base, fields, to_python.convert)

    return leaving(run, make, lambda type_, value: _ToPython(states, named).convert(type_, value))


def giving_generators(run: Run, name: str, functions: Mapping[str, Run]) -> Run:
    """Return `run` with an iterator of Python's for the object of a generator that it returns."""

    def entered(function: Run, *values: object) -> object:
        return function(values)

    called = {use: partial(entered, function) for use, function in functions.items()}
    return lambda values: given_generator(name, called, run(values))


class _Lists:
    """Lists that a caller gives: each is copied once, and gets back what is written to its copy."""

    def __init__(self) -> None:
        # By identity: the caller's list, the script's, the type of their items, and these.
        self.copied: dict[int, tuple[list[object], list[object], Type, list[object]]] = {}
        # The caller's container, the script's, its type, and what it held.
        self.containers: dict[int, tuple[object, Instance, Container, _Rows]] = {}

    @property
    def given(self) -> dict[int, object]:
        """The caller's objects, by the identity of the copies."""
        lists = {id(copy): mine for mine, copy, *_ in self.copied.values()}
        return lists | {id(made): held for held, made, *_ in self.containers.values()}

    def argument(self, type_: Type, mine: object, value: object) -> object:
        """Return an argument, `mine`, that has been checked and converted to `value`."""
        match type_:
            case ListType(item, True):
                pairs = zip(cast("list[object]", mine), cast("list[object]", value), strict=True)
                return tuple(self.argument(item, given, found) for given, found in pairs)
            case ListType(item):
                given, found = cast("list[object]", mine), cast("list[object]", value)
                if id(given) not in self.copied:
                    copy: list[object] = []
                    before: list[object] = []
                    self.copied[id(given)] = given, copy, item, before
                    copy += map(partial(self.argument, item), given, found)
                    before += copy
                return self.copied[id(given)][1]
            case DictType() | SetType() | DequeType():
                return self._container(type_, mine, value)
            case OptionalType(item):
                return None if value is None else self.argument(item, mine, value)
            case UnionType() if (member := member_of(value, type_)) is not None:
                return self.argument(member, mine, value)
            case NamedType(base=TupleType() as base) if holds_list(base):
                parts = (tuple(cast("tuple[object, ...]", given)) for given in (mine, value))
                return self.argument(base, *parts)
            case TupleType(items) if any(map(holds_list, items)):
                given, found = cast("tuple[object, ...]", mine), cast("tuple[object, ...]", value)
                return tuple(map(self.argument, items, given, found))
            case _:
                return from_python(type_, value)

    def _container(self, type_: Container, mine: object, value: object) -> Instance:
        if id(mine) not in self.containers:
            if isinstance(type_, DictType):
                given, found = (cast("dict[object, object]", d) for d in (mine, value))
                values = map(partial(self.argument, type_.value), given.values(), found.values())
                keys = (from_python(type_.key, key) for key in found)
                made = dict_of(type_, zip(found, keys, values, strict=True))
            else:
                made = container_of(type_, value, from_python)
            self.containers[id(mine)] = mine, made, type_, _rows(made)
        return self.containers[id(mine)][1]

    def write_back(self, convert: Callable[[Type, object], object]) -> None:
        """Give the caller's lists and containers what was put into their copies."""
        for mine, copy, item, before in self.copied.values():
            if len(copy) != len(before) or any(map(is_not, copy, before)):
                mine[:] = [convert(item, value) for value in copy]
        for held, made, type_, before in self.containers.values():
            left = _rows(made)
            if len(left) != len(before) or any(map(_differ, left, before)):
                put_back(held, python_of(type_, made, convert))


def _rows(made: Instance) -> list[tuple[object, ...]]:
    if "finger" in made.fields:
        return [(item,) for item in items_of_set(made)]
    if "entries" in made.fields:
        return list(items_of(made))
    start = cast(int, made.fields["start"])
    return [(item,) for item in cast("list[object]", made.fields["items"])[start:]]


def _differ(first: tuple[object, ...], second: tuple[object, ...]) -> bool:
    return any(map(is_not, first, second))


class InterpretedAccess(Access):
    """How the interpreter keeps the instances of classes."""

    def __init__(self, states: States, named: NamedClasses) -> None:
        self._states = dict(states)
        self._named = named

    @property
    def _known_names(self) -> NamedClasses:
        """The enumerations and named tuples that fields may be of by now."""
        found = {live.__name__: live for s in self._states.values() for live in s.named}
        return {**found, **self._named}

    def read(self, field: Parameter, instance: object) -> object:
        """Return what Python sees of a field."""
        value = _instance(instance).fields[field.name]
        return _ToPython(self._states, self._known_names).convert(field.type, value)

    def read_all(
        self, fields: Sequence[Parameter], instance: object, known: dict[int, object]
    ) -> list[object]:
        """Return the values of all fields, one list for each that there is."""
        values = _instance(instance).fields
        reader = _ToPython(self._states, self._known_names, known)
        return [reader.convert(field.type, values[field.name]) for field in fields]

    def write(self, field: Parameter, instance: object, value: object) -> None:
        """Store a value that fits the field's type."""
        _instance(instance).fields[field.name] = from_python(field.type, value)

    def make(self, fields: Sequence[Parameter], instance: object, values: Sequence[object]) -> None:
        """Give an object that has no fields yet those of its class, with values that fit."""
        kept = {f.name: from_python(f.type, v) for f, v in zip(fields, values, strict=True)}
        name = type(instance).__name__
        made = Instance(name, kept)
        set_handle(instance, handle_of_object(made))
        self._states[name].objects[id(made)] = instance

    def unite(
        self,
        fields: Sequence[Parameter],
        instance: object,
        values: Sequence[object],
        seen: dict[int, Any],
    ) -> None:
        """Have what is one list in the values of several objects be one in these."""
        held = _instance(instance).fields
        for field, value in zip(fields, values, strict=True):
            held[field.name] = _united(value, held[field.name], seen)

    def is_shared(self, place: int) -> bool:
        """Whether something else may have a container as well: here that is not known."""
        return True

    def stand_in(self, instance: object) -> object:
        """Return an object for the place of one that has no fields yet: nobody may look at it."""
        holder: object = object.__new__(type(instance))
        set_handle(holder, handle_of_object(Instance(type(instance).__name__, {})))
        return holder

    def part(self, instance: object) -> object:
        """Take the fields of an object, and return what holds them from now on."""
        holder: object = object.__new__(type(instance))
        self.join(instance, holder)
        return holder

    def join(self, holder: object, instance: object) -> None:
        """Give an object without fields those that were taken of it."""
        handle = get_handle(holder)
        set_handle(instance, handle)
        set_handle(holder, 0)
        self._states[type(instance).__name__].objects[handle] = instance

    def renew(self, state: ClassState) -> None:
        """Read and write the fields of a class by the types that they have by now."""
        self._states |= {other.live.__name__: other for other in state.others}

    def adopt(self, live: type) -> None:
        """See to it that the objects of a class give up their handles at their end."""
        setattr(live, "__del__", _give_up)  # noqa: B010 -- no attribute that type checkers know


def _united(value: object, made: object, seen: dict[int, Any]) -> object:
    """Return what was made of a value, with one list for each of Python's lists in it."""
    if isinstance(value, tuple) and isinstance(made, tuple):
        parts = zip(
            cast("tuple[object, ...]", value), cast("tuple[object, ...]", made), strict=True
        )
        return tuple(_united(part, inside, seen) for part, inside in parts)
    if not isinstance(value, list | dict | set | deque):
        return made
    if isinstance(made, list) and id(cast(object, value)) not in seen:
        seen[id(cast(object, value))] = made
        parts = zip(cast("list[object]", value), cast("list[object]", made), strict=True)
        made[:] = [_united(part, inside, seen) for part, inside in parts]
    if isinstance(value, dict) and id(cast(object, value)) not in seen:
        held = cast("dict[object, object]", value)
        seen[id(held)] = made
        entries = cast("list[Any]", cast(Instance, made).fields["entries"])
        parts = iter(list(held.values()))
        for place, entry in enumerate(entries):
            if entry is not None:  # a removed one
                entries[place] = (*entry[:2], _united(next(parts), entry[2], seen))
    return seen.setdefault(id(cast(object, value)), made)


def from_python(type_: Type, value: object) -> object:
    """Return a value with the interpreter's instances in place of Python's, and lists copied."""
    match type_:
        case ClassType():
            return _instance(value)
        case NamedType(base=base):
            return from_python(base, number(type(value))(value))
        case OptionalType(item):
            return None if value is None else from_python(item, value)
        case UnionType() if (member := member_of(value, type_)) is not None:
            return from_python(member, value)
        case TupleType(items) if _converts(type_):
            parts = zip(items, cast("tuple[object, ...]", value), strict=True)
            return tuple(from_python(item, part) for item, part in parts)
        case ListType(item, frozen):
            parts = [from_python(item, part) for part in cast("list[object]", value)]
            return tuple(parts) if frozen else parts
        case DictType() | SetType() | DequeType():
            return container_of(type_, value, from_python)
        case _:
            return value


class _ToPython:
    """Puts Python's objects in place of the interpreter's instances, and copies lists."""

    def __init__(
        self, states: States, named: NamedClasses, known: dict[int, object] | None = None
    ) -> None:
        self._states = states
        self._named = named
        # Objects by the identity of what was copied, so that what is one list stays one.
        self._known: dict[int, object] = {} if known is None else known

    def convert(self, type_: Type, value: object) -> object:
        match type_:
            case ClassType(name) if name not in self._states:
                return with_object(cast(Instance, value))
            case ClassType(name):
                state = self._states[name].of_object(cast(Instance, value).class_name)
                return _object_of(value, state)
            case NamedType(name, base):
                return maker(self._named[name])(self.convert(base, value))
            case OptionalType(item):
                return None if value is None else self.convert(item, value)
            case UnionType() if (member := member_of(value, type_)) is not None:
                return self.convert(member, value)
            case TupleType(items) if _converts(type_):
                parts = zip(items, cast("tuple[object, ...]", value), strict=True)
                return tuple(self.convert(item, part) for item, part in parts)
            case ListType(item, True):
                return tuple(self.convert(item, v) for v in cast("tuple[object, ...]", value))
            case ListType(item):
                return self._list(item, cast("list[object]", value))
            case DictType() | SetType() | DequeType():
                return self._container(type_, cast(Instance, value))
            case _:
                return value

    def _list(self, item: Type, values: list[object]) -> object:
        if id(values) not in self._known:
            copied = list[object]()
            self._known[id(values)] = copied
            copied += (self.convert(item, value) for value in values)
        return self._known[id(values)]

    def _container(self, type_: Container, made: Instance) -> object:
        if id(made) not in self._known:
            self._known[id(made)] = python_of(type_, made, self.convert)
        return self._known[id(made)]


def _converts(type_: Type) -> bool:
    return isinstance(type_, ClassType | NamedType | ListType | Container) or any(
        map(_converts, parts_of(type_))
    )


def _object_of(value: object, state: ClassState) -> object:
    """Return the object of one of the interpreter's instances: the same as long as it lives."""
    known = state.objects.get(id(value))
    if known is not None and get_handle(known):
        return known
    made = cast(object, object.__new__(state.live))
    set_handle(made, handle_of_object(value))
    state.objects[id(value)] = made
    return made


def _give_up(instance: object) -> None:
    handle = get_handle(instance)
    if handle:
        # Another finaliser may keep the object: it is then one that is not initialised.
        set_handle(instance, 0)
        release_object(handle)


def _instance(value: object) -> Instance:
    handle = get_handle(value)
    if not handle:
        raise TypeError(blank(value))
    return cast(Instance, object_of_handle(handle))
