"""`@script` on a class: Python objects that each hold one handle of an instance in compiled code.

The decorated class becomes another one of the same name. Its methods are scripted functions, its
fields are descriptors that convert what Python puts in and takes out, and making an instance runs
the scripted `__init__`. `cls.python` is the class as it was written.
"""

import dis
import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import FunctionType
from typing import NamedTuple, NoReturn, TypeVar, cast
from weakref import WeakValueDictionary

from scriptc.classes.instances import get_handle, make_instance_type
from scriptc.options import Options
from scriptc.values.kinds import Parameter
from scriptc_runtime.errors import Diagnostic, TypeCheckError, UnsupportedError
from scriptc_runtime.tracebacks import ForUsers
from scriptc_runtime.types import (
    ClassType,
    DequeType,
    DictType,
    ListType,
    NamedType,
    SetType,
    TensorType,
    Type,
    all_parts,
    parts_of,
)

T = TypeVar("T")
# What makes a scripted function of a method; True for the `__init__` of the class.
# None is the class of what has no `self`.
MakeFunction = Callable[[FunctionType, type | None, bool], Callable[..., object]]
STATE = "__scriptc__"
LAYOUT = "__scriptc_layout__"  # how often the fields of a class got wider types
_PLAIN = (int, float, complex, bool, str)
_LEFT_OUT = ("__dict__", "__weakref__", "__init__", "__slots__")


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
        self.fields: Sequence[Parameter] = ()
        # What is known of fields into which nothing was put yet, beside the type they were given.
        self.opened: Mapping[str, Type] = {}
        self.named: Sequence[type] = ()  # enumerations and named tuples that fields may be of
        self.others: Sequence[ClassState] = ()  # the classes that fields may be of, this one too
        self.access: Access | None = None
        # What holds the deleters of objects of this class, and of the lists in their fields.
        self.code: list[object] = []
        # By handle, where the interpreter keeps the instances: compiled code finds its own.
        self.objects: WeakValueDictionary[int, object] = WeakValueDictionary()

    def declare(
        self,
        fields: Sequence[Parameter],
        access: Access,
        others: "Sequence[ClassState]",
        opened: Mapping[str, Type] | None = None,
    ) -> None:
        """Give the class its fields; the first backend that comes keeps the instances.

        `opened` is what is known of those into which nothing was put. Raises TypeError for a second
        backend, TypeCheckError for types that cannot hold what the fields of objects hold: every
        instance is read by the same code.
        """
        opened = opened or {}
        if self.access is None:
            access.adopt(self.live)
            self.access, self.others = access, tuple(others)
            self.show(tuple(fields), opened)
        elif type(self.access) is not type(access):
            raise TypeError(f"objects of {self.live.__qualname__} are those of another backend")
        else:
            self._refuse_other_classes(others)
            if [f.type for f in fields] != [f.type for f in self.fields]:
                self._widen(tuple(fields), opened, others)
            self.opened = {name: t for name, t in self.opened.items() if name in opened}

    def show(self, fields: Sequence[Parameter], opened: Mapping[str, Type]) -> None:
        """Let Python see fields of some types."""
        self.fields, self.opened = fields, opened
        for field in fields:
            setattr(self.live, field.name, Field(field, self))

    @property
    def known(self) -> Mapping[str, Type]:
        """What is known of the fields."""
        return {field.name: self.opened.get(field.name, field.type) for field in self.fields}

    def _widen(
        self,
        fields: Sequence[Parameter],
        opened: Mapping[str, Type],
        others: "Sequence[ClassState]",
    ) -> None:
        """Move all objects into blocks that hold other types of fields."""
        # Inside a function: of most classes the first object says all.
        from scriptc.classes.layouts import is_wider, move_objects

        known, access = self.known, self.access
        assert access is not None  # there may be objects
        for new in fields:
            if not (self.may_change and is_wider(new.type, known[new.name])):
                self._refuse_other_fields(new, known[new.name])

        def change() -> None:
            named = {other.live.__name__: other for other in (*self.others, *others)}
            self.others = tuple(named.values())
            self.show(fields, opened)
            access.renew(self)

        move_objects(self, change, access)

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

    def _refuse_other_fields(self, new: Parameter, known: Type) -> NoReturn:
        raise TypeCheckError(
            Diagnostic(
                "class-field",
                f"the field {new.name!r} of class {self.live.__qualname__} is {new.type} "
                f"here, and {known} in other instances",
                why="all instances of a class have fields of the same types",
                instead="annotate it in the class body",
            )
        )


def _holds_container(type_: Type) -> bool:
    """Whether values of a type are such that Python may change, or hold such."""
    is_list = isinstance(type_, ListType) and not type_.frozen
    is_other = isinstance(type_, DictType | DequeType) or (
        isinstance(type_, SetType) and not type_.frozen
    )
    return is_list or is_other or any(map(_holds_container, parts_of(type_)))


class Field:
    """A field of a scripted class, seen from Python."""

    def __init__(self, field: Parameter, state: ClassState) -> None:
        self._field = field
        self._state = state
        self._holds_container = _holds_container(field.type)

    def _read(self, instance: object) -> object:
        return self._access.read(self._field, instance)

    def __get__(self, instance: object, owner: type) -> object:
        if instance is None:
            return self
        try:
            if self._holds_container:
                # Inside a function: many classes have no such fields.
                from scriptc.classes.held_containers import held

                return held(instance, self._field.name, partial(self._read, instance))
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
        if self._holds_container:
            # Inside a function: see above.
            from scriptc.classes.held_containers import plain

            value = plain(value)
        name, access = self._field.name, self._access
        if name in self._state.opened and self._takes(value):
            setattr(instance, name, value)  # the class has another descriptor of the field by now
            return
        try:
            adapted = self._adapted(instance, value)
        except TypeError:
            if not self._takes(value):
                raise
            setattr(instance, name, value)
        else:
            access.write(self._field, instance, adapted)

    def _adapted(self, instance: object, value: object) -> object:
        name, fields = self._field.name, self._state.fields
        values = [value if f.name == name else self._access.read(f, instance) for f in fields]
        # Inside a function: most programs set no field from outside.
        from scriptc.values.adapt import adapt

        # All of them, because sizes of the same name must stay the same.
        adapted = adapt(type(instance).__qualname__, fields, values, "field")
        return adapted[next(i for i, f in enumerate(fields) if f.name == name)]

    def _takes(self, value: object) -> bool:
        """Whether the field, which nothing declares, has a type by now that holds a value, too."""
        declared = cast("Mapping[str, object]", getattr(self._state.live, "__annotations__", {}))
        if not self._state.may_change or self._field.name in declared:
            return False
        # Inside a function: few fields are given what they do not hold.
        from scriptc.specialise.field_values import take_value

        return take_value(self._state, self._field.name, value)

    @property
    def _access(self) -> Access:
        assert self._state.access is not None  # which declared this field
        return self._state.access


class _Initialiser:
    """Stands for `__init__`: an object is initialised when it is made."""

    def __init__(self, python: FunctionType) -> None:
        self.python = python
        # One item for each object made and not yet initialised; a list's ends are thread-safe.
        self.made: list[None] = []

    def __get__(self, instance: object, owner: type) -> "_Initialiser":
        return self

    def __call__(self, *args: object, **kwargs: object) -> None:
        """Do nothing after `__new__`, which ran `__init__`.  Raises TypeError at other times."""
        try:
            self.made.pop()
        except IndexError:
            with ForUsers():
                raise TypeError(
                    "__init__ of a scripted class runs once, when the object is made: "
                    "make a new one"
                ) from None


def make_class(
    cls: type[T], make_function: MakeFunction, pickling: Pickling, options: Options
) -> type[T]:
    """Return the class whose methods are scripted.  Raises ScriptError."""
    _require_plain(cls)
    initialise = _initialise(cls)
    made = make_instance_type(cls.__module__, cls.__name__)
    own = list(inspect.signature(initialise).parameters.values())[1:]
    state = ClassState(made, _may_change(cls, initialise, own), cls, options)
    constructor = make_function(initialise, made, True)

    initialiser = _Initialiser(initialise)

    def new(owner: type, /, *args: object, **kwargs: object) -> object:
        with ForUsers():
            instance = constructor(*args, **kwargs)
        initialiser.made.append(None)
        return instance

    def reduce(instance: object) -> tuple[object, ...]:
        with ForUsers():
            if is_blank(instance):
                raise TypeError(blank(instance))
            return pickling.reduce(instance)

    def complete(instance: object, values: Mapping[str, object]) -> None:
        with ForUsers():
            pickling.complete(instance, values)

    members: dict[str, object] = {"__reduce__": reduce, "__setstate__": complete}
    members |= {
        name: _member(cls, name, made, make_function) for name in vars(cls) if name not in _LEFT_OUT
    }
    members |= {
        "__qualname__": cls.__qualname__,
        "__new__": staticmethod(new),
        "__init__": initialiser,
        "__signature__": inspect.Signature(own),
        "python": cls,
        STATE: state,
        LAYOUT: 0,
    }
    for name, member in members.items():
        setattr(made, name, member)
        tell_name = getattr(member, "__set_name__", None) if isinstance(member, property) else None
        if tell_name is not None:
            tell_name(made, name)  # for its messages
    return cast("type[T]", made)


def _initialise(cls: type) -> FunctionType:
    init = cast("FunctionType | None", cls.__dict__.get("__init__"))
    if init is None:
        nothing = _init_of_nothing
        init = FunctionType(nothing.__code__, nothing.__globals__, "__init__")
        init.__qualname__, init.__module__ = f"{cls.__qualname__}.__init__", nothing.__module__
    if "__dataclass_fields__" not in vars(cls):
        return init
    # Inside a function: most programs have no dataclasses.
    from scriptc.values.dataclass_members import with_none

    return with_none(init)


def _init_of_nothing(self: object) -> None:
    """Make an object without fields."""


def _require_plain(cls: type) -> None:
    """Refuse a class with a base, without a constructor, or that makes or ends its objects."""
    if cls.__bases__ != (object,):
        message = f"{cls.__name__} inherits from {cls.__bases__[0].__qualname__}"
        why = "a scripted class has no base: one class has all fields and methods"
        instead = "write its methods in this class, or keep one of its objects in a field"
        raise _class_refused(cls, message, why, instead)
    if not isinstance(cls.__dict__.get("__init__"), FunctionType | None):
        message = f"the __init__ of {cls.__name__} is no function"
        why = "the fields of a scripted class are those that its __init__ assigns"
        instead = "def __init__(self, ...), or @dataclass below @script, which makes one"
        raise _class_refused(cls, message, why, instead)
    for name in ("__new__", "__del__"):
        member: object = cls.__dict__.get(name)
        if member is not None:
            function: object = getattr(member, "__func__", member)
            raise _foreign(function, name, "__init__ for what is to be done when an object is made")


def _class_refused(cls: type, message: str, why: str, instead: str) -> UnsupportedError:
    # Inside a function: only those who are refused need the place.
    from scriptc.syntax.functions import class_span

    return UnsupportedError(Diagnostic("class", message, class_span(cls), why, instead))


def _may_change(cls: type, initialise: FunctionType, own: Sequence[inspect.Parameter]) -> bool:
    """Whether the types of fields may come from calls: not from annotations alone."""
    declared = cast("Mapping[str, object]", vars(cls).get("__annotations__", {}))
    if "__dataclass_fields__" in vars(cls):
        return any(map(_may_be_open, own))
    steps = dis.get_instructions(initialise)
    return any(s.opname == "STORE_ATTR" and s.argval not in declared for s in steps)


def _may_be_open(parameter: inspect.Parameter) -> bool:
    """Whether the type of a parameter may come from calls: neither declared nor by a default.

    The meaning of an annotation is not found out here, as that would load the compiler: those that
    are no plain class may be hints.
    """
    if not (parameter.default is parameter.empty or parameter.default is None):
        return False
    annotation: object = parameter.annotation
    if isinstance(annotation, type):
        return annotation not in _PLAIN and state_of(annotation) is None
    return not isinstance(annotation, TensorType)


def _member(cls: type, name: str, made: type, make_function: MakeFunction) -> object:
    """Return a member of the class as it was written with its function scripted, if it has one."""
    member: object = vars(cls)[name]
    if isinstance(member, FunctionType):
        # Inside a function: most programs have no scripted classes.
        from scriptc.values.dataclass_members import is_made_by_dataclasses

        # What `dataclasses` makes has no text: comparisons and the like stay Python's.
        is_made = is_made_by_dataclasses(cls, name, inspect.unwrap(member))
        return member if is_made else make_function(member, made, False)
    if isinstance(member, staticmethod):
        function = cast("staticmethod[..., object]", member).__func__
        return staticmethod(make_function(cast(FunctionType, function), None, False))
    if isinstance(member, property):
        if member.fdel is not None:
            raise _foreign(member.fdel, "the deleter of a property", "a method that does it")
        given = cast("tuple[FunctionType | None, ...]", (member.fget, member.fset))
        getter, setter = (f and make_function(f, made, False) for f in given)
        return property(getter, cast("Callable[..., None] | None", setter), doc=member.__doc__)
    if isinstance(member, classmethod):
        function = cast("classmethod[object, ..., object]", member).__func__
        return classmethod(make_function(cast(FunctionType, function), None, False))
    return member


def _foreign(function: object, what: str, instead: str) -> UnsupportedError:
    """Return the refusal of a member, at the place of its first decorator."""
    # Inside a function: only those who are refused need the place.
    from scriptc.syntax.functions import decorated_span

    span = decorated_span(function) if isinstance(function, FunctionType) else None
    return UnsupportedError(
        Diagnostic(
            "class-member",
            f"{what} is not in the language of scripts",
            span,
            why="every method is compiled for the objects of its class",
            instead=instead,
        )
    )


def make_loaded_class(name: str) -> ClassState:
    """Make the class of objects that come from a saved module."""
    made = make_instance_type("scriptc", name)
    state = ClassState(made)
    setattr(made, STATE, state)
    return state


def state_of(cls: type) -> ClassState | None:
    """Return the state of a scripted class, None for another class."""
    state: object = cls.__dict__.get(STATE)
    return state if isinstance(state, ClassState) else None


def layout_of(cls: type) -> int:
    """Return how often the fields of a class got wider types."""
    return cast(int, vars(cls).get(LAYOUT, 0))


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
