"""Scripted classes: Python objects that each hold one handle of an instance in compiled code.

The decorated class becomes another one of the same name. Its methods are scripted functions, its
fields are descriptors that convert what Python puts in and takes out, and making an instance runs
the scripted `__init__`. `cls.python` is the class as it was written.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FunctionType
from typing import NamedTuple, cast
from weakref import WeakValueDictionary

from scriptc.classes.instances import get_handle, make_instance_type
from scriptc.options import Options
from scriptc.values.kinds import Parameter
from scriptc_runtime.errors import Diagnostic, TypeCheckError
from scriptc_runtime.tracebacks import ForUsers
from scriptc_runtime.types import ClassType, Type, parts_of

# What makes a scripted function of a method; True for the `__init__` of the class.
# None is the class of what has no `self`.
MakeFunction = Callable[[FunctionType, type | None, bool], Callable[..., object]]
# Makes a class scripted that inherits from a scripted one, with what makes functions and settings.
Derive = Callable[[type, "MakeFunction | None", Options], "ClassState"]
STATE = "__scriptc__"
HEIRS = "heirs"


class Pickling(NamedTuple):
    """What pickle and copy make of an object, and how they give one they have made its fields."""

    reduce: Callable[[object], tuple[object, ...]]
    complete: Callable[[object, Mapping[str, object]], None]


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
    def adopt(self, live: type) -> None:
        """See to it that the objects of a class give up their handles at their end."""


class ClassState:
    """What is known of a scripted class once something that uses it was compiled."""

    def __init__(
        self,
        live: type,
        fields_from_calls: bool = False,
        written: type = object,
        options: Options | None = None,
    ) -> None:
        self.live = live
        self.fields_from_calls = fields_from_calls  # not from annotations alone
        self.written = written  # the class without @script
        self.options = Options() if options is None else options
        # What makes an object, the function that does so in Python, and what scripts functions.
        # Classes of saved modules have none.
        self.construct: Callable[..., object] = object
        self.initialise: FunctionType | None = None
        self.make_function: MakeFunction | None = None
        self.derive: Derive | None = None  # see `making`
        # For guards: see `known_heirs`.
        self.heirs: dict[str, object] = {HEIRS: ()}
        self.fields: Sequence[Parameter] = ()
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

    @property
    def reached(self) -> "Sequence[ClassState]":
        """The classes that objects of this one may hold, it and its bases among them.

        Of each those that inherit from it, as far as there are objects of them by now.
        """
        found = dict.fromkeys((*line_of_states(self.live), *self.others))
        waiting = list(found)
        for state in waiting:
            heirs = (state_of(live) for live in state.known_heirs)
            for more in (other for heir in heirs if heir for other in (heir, *heir.others)):
                if more not in found:
                    found[more] = None
                    waiting.append(more)
        return sorted(found, key=lambda state: len(line_of_states(state.live)))  # bases first

    def of_object(self, name: str) -> "ClassState":
        """Return the state of the class of this name: this one, or one that inherits from it."""
        heirs = (state_of(live) for live in self.known_heirs if live.__name__ == name)
        return next((heir for heir in heirs if heir is not None), self)

    def declare(
        self, fields: Sequence[Parameter], access: Access, others: "Sequence[ClassState]"
    ) -> None:
        """Give the class its fields; the first backend that comes keeps the instances.

        Raises TypeError for a second one, TypeCheckError for fields of other types: every instance
        is read by the same code.
        """
        if self.access is None:
            access.adopt(line_of_states(self.live)[-1].live)  # which frees the handle
            for base in line_of_states(self.live)[1:]:
                base.heirs[HEIRS] = (*base.known_heirs, self.live)
            self.access, self.fields, self.others = access, tuple(fields), tuple(others)
            for field in fields:
                setattr(self.live, field.name, Field(field, self))
        elif type(self.access) is not type(access):
            raise TypeError(f"objects of {self.live.__qualname__} are those of another backend")
        else:
            self._refuse_other_fields(fields)
            self._refuse_other_classes(others)

    def _refuse_other_classes(self, others: "Sequence[ClassState]") -> None:
        known = {other.live.__name__: other.live for other in self.others}
        now = {other.live.__name__: other.live for other in others}
        for field in self.fields:
            for name in class_names(field.type):
                # Neither has a class without @script: its objects never leave a call.
                if known.get(name) is not now.get(name):
                    raise TypeCheckError(
                        Diagnostic(
                            "class-field",
                            f"the field {field.name!r} of class {self.live.__qualname__} is of "
                            f"another class {name} in other instances",
                            why=f"there were objects before {name} was defined anew",
                            instead=f"define {self.live.__name__} anew, too",
                        )
                    )

    def read_all(self, instance: object, known: dict[int, object]) -> list[object]:
        """Return the values of all fields of an instance, one list for each that there is.

        `known` has the lists that were read from other objects, by identity. Raises TypeError for
        an object that was never initialised.
        """
        if self.access is None or is_blank(instance):
            raise TypeError(blank(instance))
        return self.access.read_all(self.fields, instance, known)

    def _refuse_other_fields(self, fields: Sequence[Parameter]) -> None:
        for known, new in zip(self.fields, fields, strict=True):
            if known.type != new.type:
                raise TypeCheckError(
                    Diagnostic(
                        "class-field",
                        f"the field {new.name!r} of class {self.live.__qualname__} is {new.type} "
                        f"here, and {known.type} in other instances",
                        why="all instances of a class have fields of the same types",
                        instead="annotate it in the class body",
                    )
                )


class Field:
    """A field of a scripted class, seen from Python."""

    def __init__(self, field: Parameter, state: ClassState) -> None:
        self._field = field
        self._state = state

    def __get__(self, instance: object, owner: type) -> object:
        if instance is None:
            return self
        try:
            return self._access.read(self._field, instance)
        except TypeError:
            if not is_blank(instance):
                raise
        with ForUsers():
            raise AttributeError(f"{blank(instance)}, so no {self._field.name!r}")

    def __set__(self, instance: object, value: object) -> None:
        with ForUsers():
            self._store(instance, value)

    def _store(self, instance: object, value: object) -> None:
        name, fields = self._field.name, self._state.fields
        values = [value if f.name == name else self._access.read(f, instance) for f in fields]
        # Inside a function: most programs set no field from outside.
        from scriptc.values.adapt import adapt

        # All of them, because sizes of the same name must stay the same.
        adapted = adapt(type(instance).__qualname__, fields, values, "field")
        index = next(i for i, f in enumerate(fields) if f.name == name)
        self._access.write(self._field, instance, adapted[index])

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


def state_of(cls: type) -> ClassState | None:
    """Return the state of a scripted class, None for another class.

    One that inherits from a scripted class is scripted, too; ScriptError where it cannot be.
    """
    state = cast(object, getattr(cls, STATE, None))
    if isinstance(state, ClassState) and STATE not in vars(cls) and state.derive is not None:
        state = state.derive(cls, state.make_function, state.options)
    return state if isinstance(state, ClassState) else None


def line_of_states(cls: type) -> Sequence[ClassState]:
    """Return the states of a scripted class and of its bases, the nearest first."""
    found = (vars(base).get(STATE) for base in cls.__mro__)
    return [state for state in found if isinstance(state, ClassState)]


def classes_of_fields(cls: type) -> Sequence[type]:
    """Return the classes that the fields of a class are of, where only its objects say so."""
    state = state_of(cls)
    if state is None or not state.fields_from_calls:
        return ()
    named = {name for field in state.fields for name in class_names(field.type)}
    return [other.live for other in state.others if other.live.__name__ in named]


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
