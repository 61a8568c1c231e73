"""Scripted classes: Python objects that each hold one handle of an instance in compiled code.

The decorated class becomes another one of the same name. Its methods are scripted functions, its
fields are descriptors that convert what Python puts in and takes out, and making an instance runs
the scripted `__init__`. `cls.python` is the class as it was written.
"""

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import FunctionType, ModuleType
from typing import Any, NamedTuple, cast
from weakref import WeakValueDictionary, ref

from scriptc.classes.instances import get_handle, make_instance_type
from scriptc.options import Options
from scriptc.values.kinds import Parameter
from scriptc_runtime.errors import Diagnostic, TypeCheckError
from scriptc_runtime.records import holds_packed_records
from scriptc_runtime.tracebacks import ForUsers
from scriptc_runtime.types import (
    ClassType,
    DequeType,
    DictType,
    ListType,
    NamedType,
    SetType,
    Type,
    all_parts,
    parts_of,
)

# What makes a scripted function of a method; True for the `__init__` of the class.
# None is the class of what has no `self`.
MakeFunction = Callable[[FunctionType, type | None, bool], Callable[..., object]]
# Makes a class scripted that inherits from a scripted one, with what makes functions and settings.
Derive = Callable[[type, "MakeFunction | None", Options], "ClassState"]
TakeValue = Callable[["ClassState", str, object], bool]
STATE = "__scriptc__"
LAYOUT = "__scriptc_layout__"  # how often the fields of a class got wider types
HEIRS = "heirs"


class Pickling(NamedTuple):
    """What pickle and copy make of an object, and how they give one they have made its fields.

    And what gives a field a type that holds a value that Python stores.
    """

    reduce: Callable[[object], tuple[object, ...]]
    complete: Callable[[object, Mapping[str, object]], None]
    copy: Callable[[object], object]
    take_value: "TakeValue"


class Access(ABC):
    """How one backend keeps instances."""

    @abstractmethod
    def read(self, field: Parameter, instance: object) -> object:
        """Return what Python sees of a field."""

    @abstractmethod
    def read_all(
        self, fields: Sequence[Parameter], instance: object, known: dict[int, object]
    ) -> list[object]:
        """Return the values of all fields, one list for each that there is.

        `known` has the lists that were read from other objects, by identity.
        """

    @abstractmethod
    def write(self, field: Parameter, instance: object, value: object) -> None:
        """Store a value that fits the field's type."""

    @abstractmethod
    def make(self, fields: Sequence[Parameter], instance: object, values: Sequence[object]) -> None:
        """Give an object that has no fields yet those of its class, with values that fit."""

    @abstractmethod
    def unite(
        self,
        fields: Sequence[Parameter],
        instance: object,
        values: Sequence[object],
        seen: "dict[int, Any]",
    ) -> None:
        """Have what is one list in the values of several objects be one in these.

        `values` are those that an object was made of; `seen` has what others have, by identity.
        """

    @abstractmethod
    def is_shared(self, place: int) -> bool:
        """Whether something else may have a container as well, by its place in `known`."""

    @abstractmethod
    def stand_in(self, instance: object) -> object:
        """Return an object for the place of one that has no fields yet: nobody may look at it."""

    @abstractmethod
    def part(self, instance: object) -> object:
        """Take the fields of an object, and return what holds them from now on."""

    @abstractmethod
    def join(self, holder: object, instance: object) -> None:
        """Give an object without fields those that were taken of it."""

    @abstractmethod
    def renew(self, state: "ClassState") -> None:
        """Read and write the fields of a class by the types that they have by now."""

    @abstractmethod
    def adopt(self, live: type) -> None:
        """See to it that the objects of a class give up their handles at their end."""


class Watched(tuple[type, ...]):
    """The classes that inherit, as another object that is equal: direct calls look which it is."""

    plain: tuple[type, ...]


class ClassState:
    """What is known of a scripted class once something that uses it was compiled."""

    def __init__(
        self,
        live: type,
        may_change: bool = False,
        written: type = object,
        options: Options | None = None,
    ) -> None:
        self.live = live
        self.may_change = may_change  # whether calls say of the fields what annotations do not
        self.is_generator = False  # of which Python sees nothing
        self.written = written  # the class without @script
        self.options = Options() if options is None else options
        # What makes an object, the function that does so in Python, and what scripts functions.
        # Classes of saved modules have none.
        self.construct: Callable[..., object] = object
        self.initialise: FunctionType | None = None
        self.make_function: MakeFunction | None = None
        self.derive: Derive | None = None  # see `making`
        # What gives a field a type that holds a value as well; see `specialise.field_values`.
        self.take_value: TakeValue | None = None
        # For guards: see `known_heirs`.
        self.heirs: dict[str, object] = {HEIRS: ()}
        self.fields: Sequence[Parameter] = ()
        # What is known of fields into which nothing was put yet, beside the type they were given.
        self.opened: Mapping[str, Type] = {}
        # Fields that `__init__` does not set: None stands for no value.
        self.late: frozenset[str] = frozenset()
        self.named: Sequence[type] = ()  # enumerations and named tuples that fields may be of
        self.others: Sequence[ClassState] = ()  # the classes that fields may be of, this one too
        self.access: Access | None = None
        # What holds the deleters of objects of this class, and of the lists in their fields.
        self.code: list[object] = []
        # By handle, where the interpreter keeps the instances: compiled code finds its own.
        self.objects: WeakValueDictionary[int, object] = WeakValueDictionary()

    @property
    def known_heirs(self) -> Sequence[type]:
        """The classes that inherit from this one, and of which there are objects by now."""
        return cast("Sequence[type]", self.heirs[HEIRS])

    def _set_heirs(self, heirs: tuple[type, ...]) -> None:
        is_watched = isinstance(self.heirs[HEIRS], Watched)
        self.heirs[HEIRS] = heirs
        if is_watched:
            self.watch()

    def watch(self) -> None:
        """Have all calls that may use objects of the class go through Python until `unwatch`."""
        if not isinstance(self.heirs[HEIRS], Watched):
            watched = Watched(self.known_heirs)
            watched.plain = cast("tuple[type, ...]", self.heirs[HEIRS])
            self.heirs[HEIRS] = watched

    def unwatch(self) -> None:
        """Let machine code be called directly again."""
        known = self.heirs[HEIRS]
        self.heirs[HEIRS] = known.plain if isinstance(known, Watched) else known

    @property
    def reached(self) -> "Sequence[ClassState]":
        """The classes that objects of this one may hold, it and its bases among them.

        Of each those that inherit from it, as far as there are objects of them by now.
        """
        found = dict.fromkeys((*line_of_states(self.live), *self.others))
        waiting = list(found)
        for state in waiting:
            heirs = [heir for heir in map(state_of, state.known_heirs) if heir is not None]
            held = (other for heir in heirs for other in (heir, *heir.others))
            for more in (*line_of_states(state.live), *state.others, *held):
                if more not in found:
                    found[more] = None
                    waiting.append(more)
        return sorted(found, key=lambda state: len(line_of_states(state.live)))  # bases first

    def of_object(self, name: str) -> "ClassState":
        """Return the state of the class of this name: this one, or one that inherits from it."""
        heirs = (state_of(live) for live in self.known_heirs if live.__name__ == name)
        return next((heir for heir in heirs if heir is not None), self)

    def begin(
        self,
        fields: Sequence[Parameter],
        opened: Mapping[str, Type],
        access: Access,
        others: "Sequence[ClassState]",
    ) -> None:
        """Give a class of which there are no objects yet its fields."""
        access.adopt(line_of_states(self.live)[-1].live)  # which frees the handle
        for base in line_of_states(self.live)[1:]:
            base._set_heirs((*base.known_heirs, self.live))
        self.access, self.others = access, tuple(others)
        self.show(fields, opened)

    def withdraw(self) -> None:
        """Be a class without objects, as it was before `begin`."""
        for base in line_of_states(self.live)[1:]:
            base._set_heirs(tuple(live for live in base.known_heirs if live is not self.live))
        self.access, self.others, self.fields, self.opened = None, (), (), {}

    def add_others(self, others: "Sequence[ClassState]") -> None:
        """Note the classes that fields may be of from now on."""
        named = {other.live.__name__: other for other in (*self.others, *others)}
        self.others = tuple(named.values())

    def show(self, fields: Sequence[Parameter], opened: Mapping[str, Type]) -> None:
        """Let Python see fields of some types."""
        self.fields, self.opened = fields, opened
        for field in fields:
            setattr(self.live, field.name, Field(field, self))

    @property
    def bases(self) -> "Sequence[ClassState]":
        """The classes that this one inherits from, and of which there are objects by now."""
        return [base for base in line_of_states(self.live)[1:] if base.access is not None]

    @property
    def known(self) -> Mapping[str, Type]:
        """What is known of the fields."""
        return {field.name: self.opened.get(field.name, field.type) for field in self.fields}

    def read_all(self, instance: object, known: dict[int, object]) -> list[object]:
        """Return the values of all fields of an instance, one list for each that there is.

        `known` has the lists that were read from other objects, by identity. Raises TypeError for
        an object that was never initialised.
        """
        if self.access is None or is_blank(instance):
            raise TypeError(blank(instance))
        if kept := kept_containers():
            kept.take_of(self, instance)
        return self.access.read_all(self.fields, instance, known)


class Stored:
    """A container that was stored in a field, or read from it, and which Python may have, too.

    What was read, and is of a class of `held_containers`, is not kept alive, nor is its object.
    """

    def __init__(
        self,
        state: ClassState,
        instance: object,
        name: str,
        value: object,
        is_read: bool = False,
        is_nested: bool = False,
    ) -> None:
        self.state = state
        self.name = name
        self.is_read = is_read
        self.is_nested = is_nested  # it may hold other containers
        self._is_weak = is_read and hasattr(value, "_place")
        self._value: Any = ref(value) if self._is_weak else value
        self._instance = None if self._is_weak else instance

    @property
    def value(self) -> Any:
        """The container; None where nobody has it."""
        return self._value() if self._is_weak else self._value

    @property
    def instance(self) -> object:
        """The object of the field."""
        return self.value._place.instance if self._is_weak else self._instance

    @property
    def is_alone(self) -> bool:
        """Whether nobody has the container, nor, where it is nested, one that it holds."""
        # Inside a function: many programs have no such fields.
        from scriptc.classes.held_containers import any_held

        value = self.value
        if value is None or (self._is_weak and value._place is None):
            return True  # or it is kept
        ours = _ALONE - self._is_weak + (self.is_nested and self._is_weak)  # by its parts
        return sys.getrefcount(value) <= ours and not (self.is_nested and any_held(value))


STORED: list[Stored] = []


def kept_containers() -> ModuleType | None:
    """Return what knows which containers of Python objects keep; None while they keep none."""
    kept = sys.modules.get("scriptc.kept_containers")
    if kept is not None and kept.KEPT:
        return kept
    if not are_stored():
        return None
    # Inside a function: few programs store containers that they go on to use.
    import scriptc.kept_containers as loaded

    return loaded


def calls_anew() -> ModuleType | None:
    """Return what makes calls anew for Python; None where nothing has needed it so far."""
    if kept_containers() is not None:
        # Inside a function: see above.
        import scriptc.calls_anew as loaded

        return loaded
    return sys.modules.get("scriptc.calls_anew")


def are_stored() -> bool:
    """Whether fields were given containers that Python has; those that it has not are forgotten."""
    if not STORED:
        return False
    alone = [place for place, stored in enumerate(STORED) if stored.is_alone]
    for place in reversed(alone):
        stored = STORED.pop(place)
        if all(stored.state is not other.state for other in STORED):
            stored.state.unwatch()
    return bool(STORED)


def _least_count() -> int:
    """Return the references to what `Stored` alone has."""
    value = Stored(ClassState(object), None, "", []).value
    return sys.getrefcount(value) + 1


_ALONE = _least_count()


def _holds_container(type_: Type) -> bool:
    """Whether values of a type are such that Python may change, or hold such."""
    is_list = isinstance(type_, ListType) and not type_.frozen
    is_other = isinstance(type_, DictType | DequeType) or (
        isinstance(type_, SetType) and not type_.frozen
    )
    return is_list or is_other or any(map(_holds_container, parts_of(type_)))


def _is_kept(type_: Type) -> bool:
    """Whether Python and an object share such a container: no deques and their like."""
    is_list = isinstance(type_, ListType) and not type_.frozen
    return is_list or (isinstance(type_, DictType | SetType) and type_.name in ("dict", "set"))


def note(
    state: ClassState, instance: object, field: Parameter, value: object, *, is_read: bool
) -> None:
    """Note what a field holds that Python may go on to change, if it holds such."""
    kind = type(value)
    kind = kind.__mro__[1] if hasattr(kind, "_place") else kind
    if not (kind in (list, dict, set) or issubclass(kind, tuple)):
        return
    if not any(map(_is_kept, all_parts(field.type))):
        return
    is_nested = not _is_kept(field.type) or any(map(_holds_container, parts_of(field.type)))
    STORED.append(Stored(state, instance, field.name, value, is_read, is_nested))
    state.watch()


def _records_refused(name: str) -> TypeCheckError:
    """Return the refusal to read a field whose structured array would leave as a new one."""
    message = f"the field {name!r} holds a structured array that Python does not read from it"
    why = "its numbers do not stand at multiples of their size, so a script has an array for each"
    way = f'a method that returns the array of a field of it, self.{name}["x"], which is a view'
    return TypeCheckError(Diagnostic("class-field", message, why=why, instead=way))


class Field:
    """A field of a scripted class, seen from Python."""

    def __init__(self, field: Parameter, state: ClassState) -> None:
        self._field = field
        self._state = state
        self._holds_container = _holds_container(field.type)
        self._leaves_anew = holds_packed_records(field.type)

    def _read(self, instance: object) -> object:
        return self._access.read(self._field, instance)

    def __get__(self, instance: object, owner: type) -> object:
        if instance is None:
            return self
        if self._leaves_anew:
            with ForUsers():
                raise _records_refused(self._field.name)
        try:
            if self._holds_container:
                found = self._read_container(instance)
            else:
                found = self._access.read(self._field, instance)
        except TypeError:
            if not is_blank(instance):
                raise
            message = f"{blank(instance)}, so no {self._field.name!r}"
        else:
            if found is not None or self._field.name not in self._state.late:
                return found
            message = f"{owner.__name__!r} object has no attribute {self._field.name!r}"
        with ForUsers():
            raise AttributeError(message)

    def _read_container(self, instance: object) -> object:
        # Inside a function: many classes have no such fields.
        from scriptc.classes.held_containers import held

        if kept := kept_containers():
            found = kept.own(self._state, instance, self._field.name)
            if found is not None:
                return found
        found = held(instance, self._field.name, partial(self._read, instance))
        note(self._state, instance, self._field, found, is_read=True)
        return found

    def __set__(self, instance: object, value: object) -> None:
        with ForUsers():
            self._store(instance, value)

    def _store(self, instance: object, given: object) -> None:
        if given is None and self._field.name in self._state.late:
            what = f"the field {self._field.name!r} of {type(instance).__qualname__}"
            raise TypeError(f"{what} cannot be None: set it in __init__, too")
        value = given
        if self._holds_container:
            # Inside a function: see above.
            from scriptc.classes.held_containers import plain

            if kept := kept_containers():
                kept.keep_stored()
                kept.require(self._field.type, given)
            value = plain(given)
        name, access = self._field.name, self._access
        # Inside a function: most programs set no field from outside.
        from scriptc.values.adapt import ints_give_way

        says_more = name in self._state.opened or ints_give_way(self._field.type, value)
        if says_more and self.takes(value):
            setattr(instance, name, given)  # the class has another descriptor of the field by now
            return
        try:
            adapted = self._adapted(instance, value)
        except TypeError:
            if not self.takes(value):
                raise
            setattr(instance, name, given)
        else:
            access.write(self._field, instance, adapted)
            note(self._state, instance, self._field, given, is_read=False)

    def _adapted(self, instance: object, value: object) -> object:
        name, fields = self._field.name, self._state.fields
        values = [value if f.name == name else self._access.read(f, instance) for f in fields]
        # Inside a function: most programs set no field from outside.
        from scriptc.values.adapt import adapt

        # All of them, because sizes of the same name must stay the same.
        adapted = adapt(type(instance).__qualname__, fields, values, "field")
        return adapted[next(i for i, f in enumerate(fields) if f.name == name)]

    @property
    def is_open(self) -> bool:
        """Whether nothing was put into what the field holds so far."""
        return self._field.name in self._state.opened

    def takes(self, value: object) -> bool:
        """Whether the field, which nothing declares, has a type by now that holds a value, too."""
        is_declared = any(
            self._field.name in vars(base).get("__annotations__", ())
            for base in self._state.live.__mro__
        )
        if not self._state.may_change or is_declared:
            return False
        take = self._state.take_value
        return take is not None and take(self._state, self._field.name, value)

    @property
    def _access(self) -> Access:
        assert self._state.access is not None  # which declared this field
        return self._state.access


def make_loaded_class(name: str) -> ClassState:
    """Make the class of objects that come from a saved module."""
    made = make_instance_type("scriptc", name)
    state = ClassState(made)
    setattr(made, STATE, state)
    return state


def heirs_of(state: ClassState) -> tuple[type, ...]:
    """Return the classes that inherit from a scripted one, as they are while nobody watches."""
    heirs = state.heirs[HEIRS]
    return heirs.plain if isinstance(heirs, Watched) else cast("tuple[type, ...]", heirs)


def state_of(cls: type) -> ClassState | None:
    """Return the state of a scripted class, None for another class.

    One that inherits from a scripted class is scripted, too; ScriptError where it cannot be.
    """
    state = cast(object, getattr(cls, STATE, None))
    if isinstance(state, ClassState) and STATE not in vars(cls) and state.derive is not None:
        state = state.derive(cls, state.make_function, state.options)
    return state if isinstance(state, ClassState) else None


def layout_of(cls: type) -> int:
    """Return how often the fields of a class got wider types."""
    return cast(int, vars(cls).get(LAYOUT, 0))


def line_of_states(cls: type) -> Sequence[ClassState]:
    """Return the states of a scripted class and of its bases, the nearest first."""
    found = (vars(base).get(STATE) for base in cls.__mro__)
    return [state for state in found if isinstance(state, ClassState)]


def classes_of_fields(cls: type) -> Sequence[type]:
    """Return the classes that the fields of a class are of, where only its objects say so."""
    state = state_of(cls)
    if state is None or not state.may_change:
        return ()
    parts = [part for field in state.fields for part in all_parts(field.type)]
    names = {part.name for part in parts if isinstance(part, ClassType | NamedType)}
    known = (*(other.live for other in state.others), *state.named)
    return [live for live in known if live.__name__ in names]


def class_names(type_: Type) -> Iterator[str]:
    """Yield the names of the classes that values of a type are, or hold."""
    if isinstance(type_, ClassType):
        yield type_.name
    for part in parts_of(type_):
        yield from class_names(part)


def is_blank(value: object) -> bool:
    """Whether `value` is an object of a scripted class that has not been initialised."""
    return state_of(type(value)) is not None and not get_handle(value)


def blank(value: object) -> str:
    """Say of such an object what is wrong with it."""
    return f"this {type(value).__qualname__} object was never initialised: it has no fields"
