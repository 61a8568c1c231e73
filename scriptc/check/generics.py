"""Generic classes as templates: one class for each tuple of types that stands for its parameters.

`Stack[int]` is a class of its own, with the methods of `Stack`, in which T means int.  So is a
class that inherits from `Stack[int]`.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FunctionType
from typing import Generic, Optional, TypeVar, cast, get_args, get_origin
from weakref import WeakKeyDictionary

from scriptc.check.scopes import plain_function
from scriptc_runtime.any_size import bigint
from scriptc_runtime.collection_classes import annotation_of as collection_annotation
from scriptc_runtime.collection_classes import is_dict
from scriptc_runtime.types import (
    BIGINT,
    BOOL,
    BYTES,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    STR,
    ClassType,
    DequeType,
    DictType,
    DType,
    ListType,
    OptionalType,
    TupleType,
    Type,
)

# What a class was made of: the generic class. What T means in a function of such a class.
ORIGIN, _MEANINGS = "__scriptc_generic__", "__scriptc_meanings__"
# Reads an annotation; None for one that leaves the type open.
Read = Callable[[object], Type | None]
_Made = dict[tuple[Type, ...], type]
_MADE: WeakKeyDictionary[type, _Made] = WeakKeyDictionary()
_LEFT_OUT = ("__dict__", "__weakref__", "__orig_bases__", "__parameters__", "__slots__")
_PYTHON: Mapping[Type, object] = {
    INT: int,
    BIGINT: bigint,
    FLOAT: float,
    COMPLEX: complex,
    BOOL: bool,
    STR: str,
    BYTES: bytes,
    NONE: None,
}


def parameters_of(cls: type) -> Sequence[TypeVar]:
    """Return the parameters of a generic class; none of another."""
    found: object = getattr(cls, "__parameters__", ())
    return cast("tuple[TypeVar, ...]", found) if isinstance(found, tuple) else ()


def has_generic_base(cls: type) -> bool:
    """Whether a class inherits from a generic one with types for its parameters."""
    return any(_is_given(base) for base in _bases(cls))


def _bases(cls: type) -> Sequence[object]:
    return cast("tuple[object, ...]", vars(cls).get("__orig_bases__", cls.__bases__))


def _is_given(base: object) -> bool:
    origin = get_origin(base)
    return isinstance(origin, type) and origin is not Generic and bool(parameters_of(origin))


def origin_of(cls: type) -> type:
    """Return the generic class that a class was made of, else the class itself."""
    found: object = vars(cls).get(ORIGIN)
    return found if isinstance(found, type) else cls


def view_name(cls: type) -> str | None:
    """Return what Python calls the class of a view of a dict; None for other classes."""
    name = origin_of(cls).__name__
    return name if name in ("dict_keys", "dict_values", "dict_items") else None


def meaning_of(function: FunctionType, name: str) -> object:
    """Return what the name of a parameter means in a function of a generic class; None for none."""
    meanings = cast("Mapping[str, object]", function.__dict__.get(_MEANINGS, {}))
    return meanings.get(name)


def meaning_of_variable(function: FunctionType, variable: object) -> object:
    """Return what a type variable means in a function; the variable itself where it is open."""
    found = meaning_of(function, variable.__name__) if isinstance(variable, TypeVar) else None
    return variable if found is None else found


def instance_of(cls: type, values: Sequence[object], read: Read) -> type | None:
    """Return the class that a generic class is with `values` for its parameters.

    These are annotations, which `read` reads; None where one of them leaves its type open.
    """
    types = [read(value) for value in values]
    key = tuple(type_ for type_ in types if type_ is not None)
    variables = parameters_of(cls)
    if len(key) < len(types) or len(types) != len(variables):
        return None
    made = _MADE.setdefault(cls, {})
    if key not in made:
        meanings = {v.__name__: value for v, value in zip(variables, values, strict=True)}
        made.setdefault(key, _made(cls, key, meanings, read))
    return made[key]


def instance_for(cls: type, types: Sequence[Type]) -> type:
    """Return the class of the objects of a class that are made of arguments of these types."""
    made, key = _MADE.setdefault(cls, {}), tuple(types)
    if key not in made:
        made.setdefault(key, _made(cls, key, {}, lambda value: None))
    return made[key]


def annotation_of(type_: Type, class_named: Callable[[str], type] | None) -> object:
    """Return a type as an annotation says it."""

    def of(part: Type) -> object:
        return annotation_of(part, class_named)

    match type_:
        case ListType(item, True):
            return tuple[of(item), ...]  # pyright: ignore[reportInvalidTypeArguments] -- live types
        case ListType(item):
            return list[of(item)]  # pyright: ignore[reportInvalidTypeArguments] -- live types
        case DictType(key, value, kind):
            return collection_annotation(kind, of(key), of(value))
        case DequeType(item):
            return collection_annotation("deque", of(item))
        case TupleType(items):
            return tuple[tuple(map(of, items))]  # pyright: ignore[reportInvalidTypeArguments] -- live types
        case OptionalType(item):
            return Optional[of(item)]  # pyright: ignore # noqa: UP045 -- live types
        case ClassType(name) if class_named is not None:
            return class_named(name)
        case DType():
            return type_.numpy.type
        case _:
            return _PYTHON.get(type_, type_)


def _made(cls: type, types: tuple[Type, ...], meanings: Mapping[str, object], read: Read) -> type:
    bases = tuple(_bases_of_made(cls, meanings, read)) or (object,)
    members = {name: v for name, v in vars(cls).items() if name not in _LEFT_OUT}
    made: dict[str, object] = {name: _member(member, meanings) for name, member in members.items()}
    annotations = cast("Mapping[str, object]", members.get("__annotations__", {}))
    made["__annotations__"] = {n: substituted(a, meanings) for n, a in annotations.items()}
    made |= {ORIGIN: cls, "__qualname__": cls.__qualname__}
    said = "_".join("".join(c if c.isalnum() else "_" for c in str(t)) for t in types)
    return type(f"{cls.__name__}_of_{said}" if said else cls.__name__, bases, made)


def _bases_of_made(cls: type, meanings: Mapping[str, object], read: Read) -> Iterator[type]:
    for base in _bases(cls):
        origin = get_origin(base)
        if origin is Generic or base is Generic:
            continue
        if isinstance(origin, type) and _is_given(base):
            found = instance_of(origin, [substituted(a, meanings) for a in get_args(base)], read)
            yield found or origin
        elif isinstance(base, type):
            yield base


def _member(member: object, meanings: Mapping[str, object]) -> object:
    if isinstance(member, staticmethod | classmethod):
        wrap = type(cast("staticmethod[..., object]", member))
        function = plain_function(cast("staticmethod[..., object]", member).__func__)
        return wrap(_function(function, meanings)) if function else cast(object, member)
    if isinstance(member, property):
        getter, setter = (
            part and _function(part, meanings)
            for part in (plain_function(member.fget), plain_function(member.fset))
        )
        return property(getter, setter)
    function = plain_function(member)
    return _function(function, meanings) if function else member


def _function(function: FunctionType, meanings: Mapping[str, object]) -> FunctionType:
    code, name = function.__code__, function.__name__
    made = FunctionType(
        code, function.__globals__, name, function.__defaults__, function.__closure__
    )
    made.__kwdefaults__ = function.__kwdefaults__
    made.__qualname__ = function.__qualname__
    made.__module__ = function.__module__
    made.__annotations__ = {
        n: substituted(a, meanings) for n, a in function.__annotations__.items()
    }
    made.__dict__.update(function.__dict__)
    made.__dict__[_MEANINGS] = meanings
    return made


def substituted(annotation: object, meanings: Mapping[str, object]) -> object:
    """Return an annotation with what the parameters mean; text is left to those who read it."""
    if isinstance(annotation, TypeVar):
        return meanings.get(annotation.__name__, annotation)
    variables = cast("tuple[object, ...]", getattr(annotation, "__parameters__", ()))
    if isinstance(annotation, type) and get_origin(annotation) is None:
        return annotation
    if not variables:
        return annotation
    given = tuple(meanings.get(getattr(v, "__name__", ""), v) for v in variables)
    return cast("Mapping[object, object]", annotation)[given]


def inferred(
    cls: type, written: Mapping[str, object], given: Mapping[str, Type]
) -> Sequence[Type] | None:
    """Return the types of the parameters that the arguments of `__init__` tell; None if not all.

    `written` are its annotations.
    """
    found: dict[str, Type] = {}
    for name, type_ in given.items():
        _match(written.get(name), type_, found)
    names = [variable.__name__ for variable in parameters_of(cls)]
    return [found[name] for name in names] if all(name in found for name in names) else None


def _match(annotation: object, type_: Type, found: dict[str, Type]) -> None:
    if isinstance(annotation, TypeVar):
        found.setdefault(annotation.__name__, type_)
        return
    origin, arguments = get_origin(annotation), get_args(annotation)
    match type_:
        case ListType(item, frozen) if origin is (tuple if frozen else list):
            _match(arguments[0], item, found)
        case DequeType(item) if origin is deque:
            _match(arguments[0], item, found)
        case DictType(key, value) if is_dict(origin) and len(arguments) == 2:
            _match(arguments[0], key, found)
            _match(arguments[1], value, found)
        case TupleType(items) if origin is tuple and len(items) == len(arguments):
            for argument, item in zip(arguments, items, strict=True):
                _match(argument, item, found)
        case _:
            for argument in arguments if type(None) in arguments else ():
                _match(argument, type_.item if isinstance(type_, OptionalType) else type_, found)
