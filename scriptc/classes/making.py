"""`@script` on a class: what becomes of its functions, and what makes its objects.

A class that inherits from a scripted one is scripted, too, with `@script` or without.  Python has
made the type: its objects have the handle where those of the base have it.  Its methods become
scripted functions in place, as other classes, tables and `super()` may hold the class by then.
What it inherits is compiled for its objects when it is called for one.
"""

import inspect
from abc import ABC
from collections.abc import Callable, Mapping, Sequence
from types import CellType, FunctionType, MemberDescriptorType
from typing import cast

from scriptc.classes.instances import make_instance_type
from scriptc.classes.scripted_class import (
    LAYOUT,
    STATE,
    ClassState,
    MakeFunction,
    Pickling,
    blank,
    is_blank,
    line_of_states,
    state_of,
)
from scriptc.options import Options
from scriptc.values.class_attributes import functions_in, stores
from scriptc_runtime.errors import Diagnostic, UnsupportedError
from scriptc_runtime.tracebacks import ForUsers
from scriptc_runtime.types import TensorType

_PLAIN = (int, float, complex, bool, str)
_LEFT_OUT = ("__dict__", "__weakref__", "__init__", "__slots__", "_abc_impl")
# What Python calls when a class is made, or named with brackets: it runs as the body of one does.
_OF_CLASSES = ("__init_subclass__", "__class_getitem__")


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
    cls: type,
    make_function: MakeFunction,
    pickling: Pickling,
    options: Options,
) -> type:
    """Return the class whose methods are scripted.  Raises ScriptError."""
    if hasattr(cls, STATE):
        derive(cls, make_function, options)
        return cls
    _require_plain(cls)
    initialise = _initialiser_of(cls)
    made = make_instance_type(cls.__module__, cls.__name__)
    own = list(inspect.signature(initialise).parameters.values())[1:]
    state = ClassState(made, _may_change(cls, initialise, own), cls, options)
    constructor = state.construct = make_function(initialise, made, True)
    state.initialise, state.make_function, state.derive = initialise, make_function, derive
    state.take_value = pickling.take_value

    def new(owner: type, /, *args: object, **kwargs: object) -> object:
        with ForUsers():
            make = constructor if owner is made else _constructor_of(owner)
            if inspect.isabstract(owner):
                object.__new__(cls if owner is made else owner)  # raises
            instance = make(*args, **kwargs)
        cast("_Initialiser", getattr(owner, "__init__")).made.append(None)  # noqa: B009
        return instance

    members = _members_for_pickles(cls, pickling)
    members |= _members_of(cls, made, make_function)
    members |= {
        "__qualname__": cls.__qualname__,
        "__new__": staticmethod(new),
        "__init__": _Initialiser(initialise),
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
    return made


def _members_for_pickles(cls: type, pickling: Pickling) -> dict[str, object]:
    """Return what pickle and copy ask of objects, unless their class says so itself."""

    def reduce(instance: object) -> tuple[object, ...]:
        with ForUsers():
            _require_fields_alone(instance)
            return pickling.reduce(instance)

    def complete(instance: object, values: Mapping[str, object]) -> None:
        with ForUsers():
            pickling.complete(instance, values)

    def copied(instance: object) -> object:
        with ForUsers():
            _require_fields_alone(instance)
            return pickling.copy(instance)

    own = {"__reduce__": reduce, "__setstate__": complete}
    return {**own, "__copy__": None if _pickles_itself(cls) else copied}


def _require_fields_alone(instance: object) -> None:
    """Raise TypeError for an object without fields, or with anything beside them."""
    if is_blank(instance):
        raise TypeError(blank(instance))
    if more := getattr(instance, "__dict__", None):
        name = type(instance).__qualname__
        raise TypeError(f"{next(iter(more))!r} of this {name} object is no field")


def _pickles_itself(cls: type) -> bool:
    """Whether a class says what its copies are by other means than `__copy__`."""
    return any(name in vars(cls) for name in ("__reduce__", "__reduce_ex__", "__setstate__"))


def _constructor_of(owner: type) -> Callable[..., object]:
    """Return what makes objects of a class that inherits from a scripted one."""
    state = state_of(owner)
    assert state is not None  # it has the `__new__` of one
    return state.construct


def _initialiser_of(cls: type) -> FunctionType:
    """Return the `__init__` of a class, or what makes objects without fields where it has none."""
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
    """Refuse a class with a base that is not scripted, and what `_require_made_by_init` does."""
    base = next((base for base in cls.__bases__ if base not in (object, ABC)), None)
    if base is not None:
        message = f"{cls.__name__} inherits from {base.__qualname__}, which is no @script class"
        why = "Python holds its objects, whose fields compiled code shares, those of the base too"
        instead = f"put @script on class {base.__name__}, too"
        if base.__module__ == "builtins":
            instead = "leave @script out: scripts take such classes as they are"
        raise _class_refused(cls, message, why, instead)
    _require_made_by_init(cls)


def _require_made_by_init(cls: type) -> None:
    """Refuse a class without a constructor, or that makes or ends its objects."""
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
    """Return the refusal of a class, at its place."""
    # Inside a function: only those who are refused need the place.
    from scriptc.syntax.functions import class_span

    return UnsupportedError(Diagnostic("class", message, class_span(cls), why, instead))


def _may_change(cls: type, initialise: FunctionType, own: Sequence[inspect.Parameter]) -> bool:
    """Whether the types of fields may come from calls: not from annotations alone."""
    if any(state.may_change for state in line_of_states(cls)):
        return True
    is_dataclass = "__dataclass_fields__" in vars(cls)
    if is_dataclass and any(map(_may_be_open, own)):
        return True
    declared = {
        name
        for base in cls.__mro__
        for name, annotation in _annotations_of(base).items()
        if not _is_of_any_length(annotation)
    }
    # Methods set fields as well, in a dataclass those that it does not declare.
    setting = [(initialise, False)] if not is_dataclass else []
    for function, of_class in (*setting, *functions_in(cls)):
        for name, owner in stores(function, of_class):
            if owner is None and name not in declared:
                return True
    return False


def _annotations_of(cls: type) -> Mapping[str, object]:
    return cast("Mapping[str, object]", vars(cls).get("__annotations__", {}))


def _is_of_any_length(annotation: object) -> bool:
    """Whether an annotation is one of tuples of which the values say how long they are."""
    text = annotation if isinstance(annotation, str) else str(annotation)
    return "uple[" in text and "..." in text


def _may_be_open(parameter: inspect.Parameter) -> bool:
    """Whether the type of a parameter may come from calls: neither declared nor by a default.

    The meaning of an annotation is not found out here, as that would load the compiler: those that
    are no plain class may be hints.
    """
    annotation: object = parameter.annotation
    if _is_of_any_length(annotation):
        return True
    if not (parameter.default is parameter.empty or parameter.default is None):
        return False
    if isinstance(annotation, type):
        return annotation not in _PLAIN and state_of(annotation) is None
    return not isinstance(annotation, TensorType)


def _members_of(cls: type, made: type, make_function: MakeFunction) -> dict[str, object]:
    """Return what a class has in its text, with its functions scripted for the class `made`."""
    return {
        name: _member(cls, name, made, make_function) for name in vars(cls) if name not in _LEFT_OUT
    }


def _member(cls: type, name: str, made: type, make_function: MakeFunction) -> object:
    """Return a member of the class as it was written with its function scripted, if it has one."""
    member: object = vars(cls)[name]
    if isinstance(member, FunctionType):
        # Inside a function: most programs have no scripted classes.
        from scriptc.values.dataclass_members import is_made_by_dataclasses

        # What `dataclasses` makes has no text: comparisons and the like stay Python's. So do those
        # of `functools.total_ordering`, which call what the class has.
        is_made = is_made_by_dataclasses(cls, name, inspect.unwrap(member))
        is_made = is_made or member.__module__ == "functools"
        return member if is_made else make_function(member, made, False)
    if isinstance(member, staticmethod):
        function = cast("staticmethod[..., object]", member).__func__
        return staticmethod(make_function(cast(FunctionType, function), None, False))
    if isinstance(member, property):
        given = cast("tuple[FunctionType | None, ...]", (member.fget, member.fset, member.fdel))
        getter, *others = (f and make_function(f, made, False) for f in given)
        setter, deleter = cast("list[Callable[..., None] | None]", others)
        return property(getter, setter, deleter, member.__doc__)
    if isinstance(member, classmethod):
        function = cast("classmethod[object, ..., object]", member).__func__
        if name in _OF_CLASSES and isinstance(function, FunctionType):
            return classmethod(_of_class(function, made))
        return classmethod(make_function(cast(FunctionType, function), None, False))
    return member


def _of_class(function: FunctionType, made: type) -> FunctionType:
    """Return a function of a class as Python runs it, which may call `super()`."""
    names = function.__code__.co_freevars
    if "__class__" not in names:
        return function
    cells = list(function.__closure__ or ())
    cells[names.index("__class__")] = CellType(made)
    own = FunctionType(
        *(function.__code__, function.__globals__, function.__name__, function.__defaults__),
        tuple(cells),
    )
    own.__kwdefaults__ = function.__kwdefaults__
    return own


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


# ------------------------------------------------------------------- classes that inherit


def derive(cls: type, make: MakeFunction | None, options: Options) -> ClassState:
    """Make a class scripted that inherits from one.  Raises ScriptError where it cannot be."""
    known = cast(object, vars(cls).get(STATE))
    if isinstance(known, ClassState):
        return known
    base = _base_of(cls)
    _require_made_by_init(cls)
    if make is None or base.initialise is None:
        raise TypeError(f"{base.live.__name__} is a class of a saved module, which is no base")
    own = "__init__" in vars(cls)
    initialise = _initialiser_of(cls) if own else base.initialise
    parameters = list(inspect.signature(initialise).parameters.values())[1:]
    written = _as_written(cls)
    state = ClassState(cls, _may_change(cls, initialise, parameters), written, options)
    state.initialise, state.make_function, state.derive = initialise, make, base.derive
    state.take_value = base.take_value
    abstract = _abstract_methods(cls, base.live)
    members: dict[str, object] = {
        STATE: state,
        LAYOUT: 0,
        "python": written,
        **_members_of(cls, cls, make),
    }
    members |= {"__signature__": inspect.Signature(parameters), "__abstractmethods__": abstract}
    if _pickles_itself(cls) and "__copy__" not in vars(cls):
        members["__copy__"] = None  # that of the base does not ask
    if own:
        members["__init__"] = _Initialiser(initialise)
    if "__setattr__" not in vars(cls):
        members["__setattr__"] = _set_attribute
    for name, member in members.items():
        if vars(cls).get(name) is not member:
            setattr(cls, name, member)
    state.construct = make(initialise, cls, True)
    return state


def _set_attribute(instance: object, name: str, value: object) -> None:
    """Give an object an attribute, or a field a value.

    Objects of classes that inherit have a dict. What would stand there over something that the
    class has, scripts would not see.
    """
    line = type(instance).__mro__
    found: object = next((vars(cls)[name] for cls in line if name in vars(cls)), None)
    if found is not None and not hasattr(type(found), "__set__"):
        kind = type(instance).__qualname__
        with ForUsers():
            raise AttributeError(
                f"{kind!r} object attribute {name!r} is read-only: scripts read that of the class; "
                "set it in __init__ to have a field of each object"
            )
    object.__setattr__(instance, name, value)


def _as_written(cls: type) -> type:
    """Return a class that has what is in the text of `cls`: descriptors will stand for fields.

    It has no base, whose `__init_subclass__` Python would call once more.
    """
    left_out = ("__dict__", "__weakref__", "__slots__")
    own = {name: member for name, member in vars(cls).items() if name not in left_out}
    slots = [name for name, member in own.items() if isinstance(member, MemberDescriptorType)]
    return type(cls.__name__, (), {name: own[name] for name in own if name not in slots})


def _base_of(cls: type) -> ClassState:
    """Return the state of the one base that a class has.  Raises ScriptError for several."""
    base, *others = (base for base in cls.__bases__ if base not in (object, ABC))
    state = state_of(base)
    if state is None or others:
        names = " and ".join(other.__name__ for other in (base, *others))
        message = f"{cls.__name__} inherits from {names}, of which one is a @script class"
        why = "Python holds its objects, so where their fields are must not depend on several bases"
        instead = "inherit from the one, and keep an object of the other in a field"
        raise _class_refused(cls, message, why, instead)
    return state


def _abstract_methods(cls: type, base: type) -> frozenset[str]:
    """Return the methods that a class leaves to those that inherit from it."""
    inherited: frozenset[str] = getattr(base, "__abstractmethods__", frozenset())
    own = vars(cls)
    marked = {name for name in own if getattr(own[name], "__isabstractmethod__", False)}
    return frozenset(marked | {name for name in inherited if name not in own})
