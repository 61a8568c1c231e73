"""Classes whose values scripts make of others: enumerations, named tuples, records, indices."""

import collections
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum, Flag, IntEnum, IntFlag, StrEnum
from functools import cache, partial
from operator import attrgetter
from types import EllipsisType
from typing import Any, cast

from scriptc_runtime.records import (
    RECORDS,
    Field,
    Records,
    closed,
    dtype_of,
    is_records_class,
    records_class,
)
from scriptc_runtime.records import labels_of as labels_of_records
from scriptc_runtime.types import INT, STR, Label, NamedType, TensorType, TupleType, Type, parts_of

NAMED_TUPLE = "NamedTuple"
BOUNDS = ("start", "stop", "step")
# Classes of Python that stand in an index: kinds of their own, each with its labels.
OF_INDICES: Mapping[str, tuple[type, tuple[str, ...]]] = {
    "slice": (slice, BOUNDS),
    "ellipsis": (EllipsisType, ()),
}
PLAIN_ENUM = "Enum"  # whose members are made of their places, all others of their values
_ENUMS: Mapping[str, type[Enum]] = {
    **{"IntFlag": IntFlag, "Flag": Flag, "IntEnum": IntEnum, "StrEnum": StrEnum, "Enum": Enum}
}


def kind_of(cls: type[object]) -> str | None:
    """Return the kind that the values of a class have in scripts; None for any other class."""
    if cls in (slice, EllipsisType):
        return cls.__name__
    if is_records_class(cls):
        return RECORDS
    if tuple in cls.__mro__:
        return NAMED_TUPLE if isinstance(getattr(cls, "_fields", None), tuple) else None
    if not issubclass(cls, Enum) or not cls.__members__:
        return None
    return next(kind for kind, base in _ENUMS.items() if base in cls.__mro__)


def members_of(cls: type) -> Sequence[Enum]:
    """Return the members of an enumeration, in order, without second names."""
    members = cast("type[Enum]", cls).__members__
    return [member for name, member in members.items() if member.name == name]


def labels_of(cls: type) -> tuple[Label, ...]:
    """Return the labels of the type of a class."""
    if cls in (slice, EllipsisType):
        return OF_INDICES[cls.__name__][1]
    if kind_of(cls) == NAMED_TUPLE:
        return cast("tuple[str, ...]", getattr(cls, "_fields"))  # noqa: B009 -- no known attribute
    if is_records_class(cls):
        return labels_of_records(cast("type[Records]", cls).dtype)
    pairs = ((member.name, _label(cast(object, member.value))) for member in members_of(cls))
    return tuple(label for pair in pairs for label in pair)


def _label(value: object) -> Label:
    """Return a value of a member; None where the text of a type has none for it."""
    if type(value) in (str, int, float, bool):
        return cast(Label, value)
    if type(value) is tuple:
        return tuple(map(_label, cast("tuple[object, ...]", value)))
    return None


def objects_of(cls: type) -> dict[str, object]:
    """Return what machine code needs of a class, by name."""
    name = cls.__name__
    return {f"class {name}": cls, f"make {name}": maker(cls), f"number {name}": number(cls)}


def objects_of_loaded(type_: NamedType) -> dict[str, object]:
    """Return the same for a type of a saved module: its functions are given what it is made of."""
    cls, name = class_for(type_), type_.name
    is_tuple = isinstance(type_.base, TupleType)
    plain = tuple if is_tuple else {"StrEnum": str}.get(type_.kind, int)
    return {f"class {name}": plain, f"make {name}": maker(cls), f"number {name}": plain}


@cache
def maker(cls: type) -> Callable[[object], object]:
    """Return what makes an object of a class of the value that it is in scripts."""
    if kind_of(cls) == NAMED_TUPLE:
        # Not its own `__new__`, which takes the fields one by one.
        return partial(cast(Any, tuple).__new__, cls)
    if is_records_class(cls):
        return partial(cast(Any, closed), cls)
    if cls is slice:
        return lambda bounds: slice(*cast("tuple[object, object, object]", bounds))
    if cls is EllipsisType:
        return lambda _: ...
    if kind_of(cls) != PLAIN_ENUM:
        return cast("Callable[[object], object]", cls)
    return cast("Callable[[object], object]", tuple(members_of(cls)).__getitem__)


@cache
def number(cls: type) -> Callable[[Any], object]:
    """Return what gives the value that an object of a class is in scripts."""
    if kind_of(cls) in (NAMED_TUPLE, RECORDS):
        return cast("Callable[[object], object]", tuple)
    if cls is slice:
        return attrgetter(*BOUNDS)
    if cls is EllipsisType:
        return lambda _: ()
    if kind_of(cls) != PLAIN_ENUM:
        return attrgetter("_value_")
    places = {member.name: place for place, member in enumerate(members_of(cls))}
    return lambda member: places[member._name_]


@cache
def class_for(type_: NamedType) -> type:
    """Return a class for the values of a type whose own class is not there: an equal one.

    Raises ValueError for labels of which none can be made.
    """
    labels = type_.labels
    if type_.kind in OF_INDICES:
        return OF_INDICES[type_.kind][0]
    if type_.kind == NAMED_TUPLE:
        return cast(Any, collections).namedtuple(type_.name, labels)
    if type_.kind == RECORDS:
        return records_class(dtype_of(labels))
    pairs = list(zip(labels[::2], labels[1::2], strict=True))
    made = cast("Callable[..., type]", _ENUMS[type_.kind])
    return made(type_.name, pairs, module="scriptc")


def named_types(type_: Type) -> Iterator[NamedType]:
    """Yield the types of named classes that values of a type are, or hold."""
    if isinstance(type_, NamedType):
        yield type_
    for part in parts_of(type_):
        yield from named_types(part)


def _is_field(label: Label, type_: Type) -> bool:
    """Whether a label tells of a field what its array is."""
    if not isinstance(label, tuple) or len(label) != len(Field._fields):
        return False
    dtype, shape = label[1], label[3]
    return (
        isinstance(type_, TensorType)
        and type_.dtype.numpy.str == dtype
        and isinstance(shape, tuple)
        and type_.rank >= len(shape)
    )


def problem_of(type_: NamedType) -> str:
    """Return what is wrong with a type that a file names; nothing where all is well."""
    labels = type_.labels
    if type_.kind == NAMED_TUPLE:
        fits = isinstance(type_.base, TupleType) and len(type_.base.items) == len(labels)
        good = fits and all(isinstance(label, str) for label in labels)
    elif type_.kind in OF_INDICES:
        fits = isinstance(type_.base, TupleType) and len(type_.base.items) == len(labels)
        good = fits and type_.name == type_.kind and labels == OF_INDICES[type_.kind][1]
    elif type_.kind == RECORDS:
        fits = isinstance(type_.base, TupleType) and len(type_.base.items) == len(labels) - 1
        good = fits and all(map(_is_field, labels[:-1], cast(TupleType, type_.base).items))
    else:
        names = labels[::2]
        good = (
            type_.kind in _ENUMS
            and type_.base is (STR if type_.kind == "StrEnum" else INT)
            and bool(labels)
            and len(labels) % 2 == 0
            and all(isinstance(name, str) and name.isidentifier() for name in names)
        )
    if not good:
        return f"{type_.name} is no {type_.kind}"
    try:
        class_for(type_)
    except (TypeError, ValueError) as error:
        return f"{type_.name}: {error}"
    return ""
