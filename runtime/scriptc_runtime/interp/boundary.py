"""Python values to values of IR types, where a user calls an entry point."""

import operator
from collections.abc import Sequence
from typing import cast

import numpy as np

from scriptc_runtime.containers import container_of, fits
from scriptc_runtime.conversions import conversion_of
from scriptc_runtime.dims import Dim
from scriptc_runtime.interp.dim_binding import DimMismatchError, bind_dims
from scriptc_runtime.named_classes import kind_of, labels_of, named_types, number
from scriptc_runtime.ops.arrays import Array
from scriptc_runtime.random_generators import source_type
from scriptc_runtime.record import record
from scriptc_runtime.records import RECORDS, is_structured, opened
from scriptc_runtime.types import (
    GIVEN_SOURCES,
    Container,
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
    holds_class,
    holds_container,
    parts_of,
)
from scriptc_runtime.unions import member_of
from scriptc_runtime.values import checked_int
from scriptc_runtime.wording import describe, expected, other_axes


class ArgumentError(TypeError):
    """An argument that is not of its parameter's type."""


class SizeError(ValueError):
    """An argument whose sizes do not fit those of others."""


@record(eq=False)
class Capture:
    """An argument that the module itself gives: a captured array."""

    name: str
    type: Type
    value: object


def convert_arguments(
    names: Sequence[str],
    types: Sequence[Type],
    arguments: Sequence[object],
    captures: Sequence[Capture],
    kind: str = "parameter",
) -> list[object]:
    """Return the arguments as values of `types`; sizes must fit those of `captures` too.

    Raises ArgumentError or SizeError, which name the parameter, and OverflowError for an int that
    no value of its parameter's type equals.
    """
    values: list[object] = []
    for name, type_, argument in zip(names, types, arguments, strict=True):
        try:
            values.append(convert_argument(argument, type_))
        except ArgumentError as error:
            raise ArgumentError(f"{kind} {name!r}: {error}") from None
        except OverflowError as error:
            raise OverflowError(f"{kind} {name!r}: {error}") from None
    _check_dims(
        [*(c.name for c in captures), *names],
        [*(c.type for c in captures), *types],
        [*(c.value for c in captures), *values],
        kind,
    )
    return values


def _check_dims(
    names: Sequence[str], types: Sequence[Type], values: Sequence[object], kind: str
) -> None:
    """Check sizes that are numbers or stand on several axes.  Raises SizeError."""
    held = list(map(_held_type, values, types))
    try:
        bind_dims(held, list(map(_sized_type, values, held)))
    except DimMismatchError as error:
        raise SizeError(f"{kind} {names[error.index]!r}: {error}") from None


def _held_type(value: object, type_: Type) -> Type:
    """Return `type_` without what `value` has None for: that has no sizes."""
    match type_:
        case OptionalType(item):
            return PyType.NONE if value is None else OptionalType(_held_type(value, item))
        case TupleType(items):
            return TupleType(tuple(map(_held_type, cast("tuple[object, ...]", value), items)))
        case _:
            return type_


def _sized_type(value: object, type_: Type) -> Type:
    """Return `type_`, which `value` has, with the sizes that it really has."""
    match type_:
        case TensorType(dtype):
            return TensorType(dtype, tuple(map(Dim, cast(Array, value).shape)))
        case TupleType(items):
            values = cast("tuple[object, ...]", value)
            return TupleType(tuple(map(_sized_type, values, items)))
        case OptionalType(item):
            return OptionalType(_sized_type(value, item))
        case _:
            return type_


def convert_argument(argument: object, type_: Type) -> object:
    """Return `argument` as a value of `type_`.  Raises ArgumentError or OverflowError."""
    match type_:
        case PyType():
            return _python_value(argument, type_)
        case DType():
            return _numpy_scalar(argument, type_)
        case TensorType():
            return _array(argument, type_)
        case OptionalType() | UnionType():
            return _one_of_several(argument, type_)
        case TupleType(items):
            return _tuple(argument, items)
        case NamedType(base=base):
            return convert_argument(plain_value(argument, type_), base)
        # What the script puts into a list of objects would be of no use to the caller.
        case ListType(item) if not (holds_class(item) or any(named_types(item))):
            return _items(argument, item) if type_.frozen else _list(argument, item)
        # What the script puts into a dict inside of it would not be seen by the caller.
        case DictType() | SetType() | DequeType() if not any(map(_is_kept_out, parts_of(type_))):
            return _container(argument, type_)
        case _:
            raise ArgumentError(f"a {type_} cannot be given from outside")


def _is_kept_out(held: Type) -> bool:
    frozen = isinstance(held, SetType | ListType) and held.frozen
    return holds_class(held) or (holds_container(held) and not frozen)


def _one_of_several(argument: object, type_: OptionalType | UnionType) -> object:
    if isinstance(type_, OptionalType):
        return None if argument is None else convert_argument(argument, type_.item)
    member = member_of(argument, type_)
    if member is None:
        raise _mismatch(argument, type_)
    return convert_argument(argument, member)


def plain_value(argument: object, type_: NamedType) -> object:
    """Return what an object of a class that is called as a type is made of.  Raises ArgumentError.

    The class may be one of another process: name, kind and labels must be those of the type.
    """
    if type_.kind == RECORDS and is_structured(argument):
        argument = opened(argument)
    cls = type(argument)
    fits = cls.__name__ == type_.name and kind_of(cls) == type_.kind
    if not fits or labels_of(cls) != type_.labels:
        raise _mismatch(argument, type_)
    return number(cls)(argument)


def _mismatch(argument: object, type_: Type, instead: str = "") -> ArgumentError:
    way = f"; {instead}" if instead else ""
    return ArgumentError(f"expected {expected(type_)}, got {describe(argument)}{way}")


def _python_value(argument: object, type_: PyType) -> object:
    match type_:
        case PyType.INT | PyType.BIGINT if _is_integer(argument):
            number = int(cast(int, argument))
            return checked_int(number) if type_ is PyType.INT else number
        case PyType.FLOAT if isinstance(argument, float):
            return float(argument)
        case PyType.FLOAT if type(argument) is int:
            return _exact_float(argument)
        case PyType.COMPLEX if isinstance(argument, complex):
            return complex(argument)
        case PyType.BOOL if type(argument) in (bool, np.bool_):
            return bool(argument)
        case PyType.STR if type(argument) is str:
            return argument
        case PyType.BYTES if type(argument) is bytes:
            return argument
        case PyType.NONE if argument is None:
            return None
        case _ if type_ in GIVEN_SOURCES and source_type(type(argument)) is type_:
            return argument
        case _:
            raise _mismatch(argument, type_)


def _is_integer(argument: object) -> bool:
    return type(argument) is int or isinstance(argument, np.integer)


def _exact_float(value: int) -> float:
    result = float(value)
    if int(result) != value:
        raise OverflowError("no float is exactly this int")
    return result


def _numpy_scalar(argument: object, type_: DType) -> object:
    if type(argument) is type_.numpy.type:
        return argument
    match type_.kind:
        case "b" if isinstance(argument, bool):
            return np.bool_(argument)
        case "i" | "u" if type(argument) is int:
            return type_.numpy.type(argument)  # raises OverflowError where it does not fit
        case "f" if type_ is DType.F64 and isinstance(argument, float):
            return np.float64(argument)
        case "c" if type_ is DType.C128 and isinstance(argument, complex):
            return np.complex128(argument)
        case "f" if type_ is DType.F64 and type(argument) is int:
            return np.float64(_exact_float(argument))
        case _:
            raise _mismatch(argument, type_)


def _array(argument: object, type_: TensorType) -> object:
    array = cast(Array, argument)
    # Subclasses give operators another meaning.
    if (
        type(argument) is not np.ndarray
        or array.dtype != type_.dtype.numpy
        or array.ndim != type_.rank
    ):
        if type(argument) is np.ndarray:
            raise _mismatch(argument, type_, other_axes(type_, array.ndim))
        conversion = conversion_of(argument)
        raise _mismatch(argument, type_, conversion and f"pass {conversion}")
    return array


def _tuple(argument: object, items: tuple[Type, ...]) -> object:
    values = cast("tuple[object, ...]", argument)
    if not issubclass(type(argument), tuple) or len(values) != len(items):
        raise _mismatch(argument, TupleType(items))
    converted = tuple(map(convert_argument, values, items))
    same = type(argument) is tuple and all(map(operator.is_, converted, values))
    return values if same else converted


def _items(argument: object, item: Type) -> object:
    if type(argument) is not tuple:
        raise _mismatch(argument, ListType(item, True))
    return tuple(convert_argument(v, item) for v in cast("tuple[object, ...]", argument))


def _container(argument: object, type_: Container) -> object:
    if not fits(type_, argument):
        raise _mismatch(argument, type_)
    return container_of(type_, argument, lambda item, part: convert_argument(part, item))


def _list(argument: object, item: Type) -> object:
    if type(argument) is not list:
        raise _mismatch(argument, ListType(item))
    values = cast("list[object]", argument)
    for value in values:
        # The script may write to the list, so it gets this one and not a converted copy.
        if convert_argument(value, item) is not value:
            raise _mismatch(value, item)
    return values
