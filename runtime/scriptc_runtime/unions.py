"""Which types a union is made of, and of which of them a value is.

The interpreter keeps no tags: what a value is tells its member.  So no two members of a union are
of one kind, as lists are whatever they hold; the first line in Python's own `isinstance`, too.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from types import TracebackType
from typing import cast

import numpy as np

from scriptc_runtime.collection_classes import class_of, label_of
from scriptc_runtime.dims import UNKNOWN
from scriptc_runtime.recursive_types import whole_of
from scriptc_runtime.types import (
    NONE,
    ClassType,
    DequeType,
    DictType,
    DType,
    ListType,
    NamedType,
    OptionalType,
    PyType,
    SetType,
    TensorType,
    TupleType,
    Type,
    UnionType,
)
from scriptc_runtime.values import Instance

MAX_MEMBERS = 12
MAX_CLASSES = 200  # where all members are classes: functions above all, of which tables are made
_PYTHON: dict[type, PyType] = {
    int: PyType.INT,
    float: PyType.FLOAT,
    bool: PyType.BOOL,
    complex: PyType.COMPLEX,
    str: PyType.STR,
    bytes: PyType.BYTES,
    type(None): PyType.NONE,
}
_PLACES = {type_: place for place, type_ in enumerate(PyType)}
# What is of a class that others derive from; the class of an exception is known by one of it.
_OF_EXCEPTIONS: dict[Type, type] = {
    PyType.EXCEPTION: BaseException,
    PyType.EXCEPTION_CLASS: BaseException,
    PyType.TRACEBACK: TracebackType,
}


def members_of(type_: Type) -> tuple[Type, ...]:
    """Return the types that a value of `type_` may have; None is one of its own."""
    match type_:
        case UnionType(members):
            return members
        case OptionalType(item):
            return (*members_of(item), NONE)
        case _:
            return (type_,)


def union_of(types: Iterable[Type]) -> Type | None:
    """Return the type of values of any of `types`, in normal form; None where there is none."""
    found: dict[Hashable, Type] = {}
    for type_ in types:
        for member in members_of(type_):
            plain = without_dims(member)
            if found.setdefault(kind_of(plain), plain) != plain:
                return None
    if len(found) > 1 and (whole := whole_of(found.values())) is not None:
        return whole
    has_none = found.pop(NONE, None) is not None
    members = sorted(found.values(), key=_order)
    if len(members) < 2:
        return _with_none(members, has_none)
    most = MAX_CLASSES if all(isinstance(m, ClassType) for m in members) else MAX_MEMBERS
    if len(members) > most or any(kind_of(member) is None for member in members):
        return None
    if _are_related(members):
        return None
    return UnionType((*members, NONE) if has_none else tuple(members))


def _are_related(members: Sequence[Type]) -> bool:
    """Whether objects of two members may be of one class: one has a base of the other's."""
    lines = [{m.name, *m.bases} for m in members if isinstance(m, ClassType)]
    return len(frozenset[str]().union(*lines)) < sum(map(len, lines))


def _with_none(members: Sequence[Type], has_none: bool) -> Type | None:
    if not members:
        return NONE if has_none else None
    return OptionalType(members[0]) if has_none else members[0]


def _order(type_: Type) -> tuple[int, str]:
    return (_PLACES[type_] if isinstance(type_, PyType) else len(_PLACES), str(type_))


def kind_of(type_: Type) -> Hashable:
    """Return what tells a value of `type_` from those of other members; None where nothing does."""
    match type_:
        case DType() | ClassType():
            return type_
        case PyType.BIGINT:
            return PyType.INT  # both are an int in Python
        case PyType():
            return type_ if type_ in _PYTHON.values() or type_ in _OF_EXCEPTIONS else None
        case TensorType(dtype, dims):
            return dtype, len(dims)
        case TupleType(items):
            return "tuple", len(items)
        case ListType(frozen=frozen):
            return ("tuple", -1) if frozen else "list"
        case DictType() | SetType() | DequeType():
            return type_.name
        case _:
            return None


def base_among(type_: Type, members: Iterable[Type]) -> ClassType | None:
    """Return the member that an object of a class is of as its class inherits from that of one."""
    if not isinstance(type_, ClassType):
        return None
    classes = (member for member in members if isinstance(member, ClassType))
    return next((member for member in classes if member.name in type_.bases), None)


def without_dims(type_: Type) -> Type:
    """Return a member as unions have it: they say nothing of sizes."""
    match type_:
        case TensorType(dtype, dims):
            return TensorType(dtype, (UNKNOWN,) * len(dims))
        case TupleType(items):
            return TupleType(tuple(map(without_dims, items)))
        case OptionalType(item):
            return OptionalType(without_dims(item))
        case _:
            return type_


def without_none(type_: Type) -> Type:
    """Return the type of what is not None among values of `type_`."""
    if isinstance(type_, OptionalType):
        return type_.item  # also what no union has, generators for example
    return union_of(member for member in members_of(type_) if member is not NONE) or type_


def member_of(value: object, type_: Type) -> Type | None:
    """Return the member of a type that a value is of, Python's or the interpreter's.

    Of an object whose class inherits from one of a member it is the type of the object.
    """
    for member in members_of(type_):
        if is_value_of(value, member):
            return member
    name = value.class_name if isinstance(value, Instance) else type(value).__name__
    bases = [cls.__name__ for cls in type(value).__mro__]
    for member in members_of(type_):
        if isinstance(member, ClassType) and (isinstance(value, Instance) or member.name in bases):
            return ClassType(name) if name != "dict" else None
    return None


def itself(name: str) -> Sequence[str]:
    """Return the names of a class of which no bases are known."""
    return (name,)


def is_value_of(
    value: object, type_: Type, line_of: Callable[[str], Sequence[str]] = itself
) -> bool:
    """Whether a value is of the kind of `type_`, which is no union.

    `line_of` gives the names of a class and of those that it inherits from.
    """
    kind = type(value)
    match type_:
        case PyType():
            known = _OF_EXCEPTIONS.get(type_)
            if known is not None:
                return isinstance(value, known)
            return _PYTHON.get(kind) is kind_of(type_)
        case DType():
            return kind is type_.numpy.type
        case TensorType(dtype, dims):
            array = cast("np.ndarray[tuple[int, ...], np.dtype[np.generic]]", value)
            is_array = issubclass(kind, np.ndarray)
            return is_array and array.dtype == dtype.numpy and array.ndim == len(dims)
        case TupleType(items):
            return kind is tuple and len(cast("tuple[object, ...]", value)) == len(items)
        case ListType(frozen=frozen):
            return kind is (tuple if frozen else list)
        case DictType() | SetType() | DequeType():
            made = isinstance(value, Instance) and value.class_name == label_of(type_)
            return made or kind is class_of(type_)
        case NamedType(base=base):
            return is_value_of(value, base, line_of)  # as the interpreter keeps them
        case ClassType(name):
            own = value.class_name if isinstance(value, Instance) else kind.__name__
            return name in line_of(own)
        case _:
            return False
