"""Arguments from Python as the types of parameters hold them, or the reason why none does.

`adapt` compares values with the types that a specialisation has, converts the little that may be
converted, and refuses the rest by name.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

import numpy as np

from scriptc.values.copies import Copies
from scriptc.values.kinds import Array, Parameter
from scriptc_runtime import typed_lists
from scriptc_runtime.array_classes import PlainArrays, is_plain_array
from scriptc_runtime.conversions import conversion_of
from scriptc_runtime.dims import Dim
from scriptc_runtime.named_classes import maker, number
from scriptc_runtime.random_generators import source_type
from scriptc_runtime.records import is_structured, opened
from scriptc_runtime.types import (
    FLOAT,
    GIVEN_SOURCES,
    CellType,
    ClassType,
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
    all_parts,
)
from scriptc_runtime.unions import member_of
from scriptc_runtime.values import INT_MAX, INT_MIN
from scriptc_runtime.wording import describe, expected, other_axes


def adapt(
    function: str,
    parameters: Sequence[Parameter],
    values: Sequence[object],
    kind: str = "parameter",
    plain: PlainArrays | None = None,
    copies: Copies | None = None,
) -> list[object]:
    """Return the values as their parameters' types hold them.

    `plain` notes which arrays stand for objects of subclasses, `copies` which lists and containers
    for the caller's. Raises TypeError, OverflowError or
    ValueError, each naming the parameter, what it expects and what it was given.
    """
    copies = Copies() if copies is None else copies
    plain = PlainArrays() if plain is None else plain
    adapted = [
        _adapted(_Place(function, f"{kind} {p.name!r}", copies, plain), p.type, value)
        for p, value in zip(parameters, values, strict=True)
    ]
    _check_sizes(function, parameters, adapted, kind)
    return adapted


def ints_give_way(type_: Type, value: object) -> bool:
    """Whether `adapt` may make floats of ints that a value is, or holds."""
    return FLOAT in all_parts(type_) and _holds_ints(value)


def _holds_ints(value: object) -> bool:
    if isinstance(value, dict):
        return any(map(_holds_ints, cast("dict[object, object]", value).values()))
    if isinstance(value, list | tuple | set | frozenset | deque):
        return any(map(_holds_ints, cast("Iterable[object]", value)))
    return type(value) is int


class _Place:
    """Where a value stands, for messages, and what the lists met so far became."""

    __slots__ = ("copies", "function", "plain", "what")

    def __init__(
        self,
        function: str,
        what: str,
        copies: Copies,
        plain: PlainArrays,
    ) -> None:
        self.function = function
        self.what = what
        self.copies = copies
        self.plain = plain

    def item(self, index: int) -> "_Place":
        """Return the place of an item."""
        what = f"item {index} of {self.what}"
        return _Place(self.function, what, self.copies, self.plain)

    def expected(self, type_: object, value: object, hint: str = "") -> TypeError:
        """Return the error for a value of another type."""
        ending = f"; {self._named(hint)}" if hint else ""
        said = expected(type_) if isinstance(type_, PyType) else type_
        message = f"expected {said}, got {describe(value)}{ending}"
        return TypeError(f"{self.function}(): {self.what}: {message}")

    def _named(self, hint: str) -> str:
        """Return a hint of what to write for `x`, for the parameter, where the place is one."""
        first, _, rest = self.what.partition(" '")
        name = rest[:-1] if first == "parameter" else "x"
        # Inside a function: most calls are right.
        import re

        return re.sub(r"\bx\b", name, hint)


def _adapted(place: _Place, type_: Type, value: object) -> object:
    match type_:
        case PyType():
            return _python_value(place, type_, value)
        case DType():
            return _numpy_scalar(place, type_, value)
        case TensorType():
            return _array(place, type_, value)
        case OptionalType() | UnionType():
            return _one_of_several(place, type_, value)
        case TupleType(items):
            return _tuple(place, type_, items, value)
        case ListType(item, True):
            return _items(place, type_, item, value)
        case ListType():
            return _list(place, type_, value)
        case DictType() | SetType() | DequeType():
            return _container(place, type_, value)
        case ClassType() | CellType() | NamedType():
            return _object(place, type_, value)


def _one_of_several(place: _Place, type_: OptionalType | UnionType, value: object) -> object:
    if isinstance(type_, OptionalType):
        return None if value is None else _adapted(place, type_.item, value)
    member = member_of(value, type_)
    if member is None:
        raise place.expected(type_, value)
    return _adapted(place, member, value)


def _object(place: _Place, type_: ClassType | CellType | NamedType, value: object) -> object:
    if isinstance(type_, ClassType) and any(c.__name__ == type_.name for c in type(value).__mro__):
        return value
    if isinstance(type_, NamedType) and is_structured(value):
        value = opened(value)
    if isinstance(type_, NamedType) and type(value).__name__ == type_.name:
        if isinstance(type_.base, TupleType):
            return _named_tuple(place, type_, type_.base.items, value)
        return value
    raise place.expected(type_, value)


def _python_value(place: _Place, type_: PyType, value: object) -> object:
    kind = type(value)
    if type_ in GIVEN_SOURCES and source_type(kind) is type_:
        return value
    if type_ is PyType.FLOAT and kind is int:
        return _exact_float(place, cast(int, value))
    if kind is not _PYTHON_TYPES.get(type_):
        way = conversion_of(value)
        hint = f"pass {way}" if way.startswith(f"{type_}(") else ""
        raise place.expected(type_, value, _HINTS.get((type_, kind), hint))
    if type_ is PyType.INT and not INT_MIN <= cast(int, value) <= INT_MAX:
        raise OverflowError(
            f"{place.function}(): {place.what}: {value} does not fit in the 64 bits of an int"
        )
    return value


_PYTHON_TYPES: Mapping[PyType, type] = {
    PyType.INT: int,
    PyType.FLOAT: float,
    PyType.BOOL: bool,
    PyType.COMPLEX: complex,
    PyType.STR: str,
    PyType.BYTES: bytes,
    PyType.BIGINT: int,
    PyType.NONE: type(None),
}
_HINTS: Mapping[tuple[PyType, type], str] = {
    (PyType.INT, bool): "pass int(...)",
    (PyType.INT, np.int64): "pass int(...), or annotate the parameter with i64",
    (PyType.INT, float): "pass int(...)",
    (PyType.FLOAT, bool): "pass float(...)",
    (PyType.FLOAT, np.float64): "pass float(...)",
    (PyType.FLOAT, np.float32): "pass float(...), or annotate the parameter with f32",
    (PyType.BOOL, np.bool_): "pass bool(...), or annotate the parameter with b1",
}


def _numpy_scalar(place: _Place, type_: DType, value: object) -> object:
    if type(value) is type_.numpy.type:
        return value
    raise place.expected(type_, value, f"pass np.{type_.numpy.type.__name__}(...)")


def _exact_float(place: _Place, value: int) -> float:
    try:
        converted = float(value)
    except OverflowError:
        converted = np.inf
    if converted != value:
        raise OverflowError(
            f"{place.function}(): {place.what}: no float is exactly {value}; pass float(...)"
        )
    return converted


def _array(place: _Place, type_: TensorType, value: object) -> Array:
    kind = type(value)
    if not is_plain_array(kind):
        way = "np.asarray(x)" if kind in (list, tuple) else conversion_of(value)
        raise place.expected(expected(type_), value, way and f"pass {way}")
    array = cast(Array, value) if kind is np.ndarray else place.plain.plain(value)
    if array.dtype != type_.dtype.numpy or array.ndim != type_.rank:
        hint = other_axes(type_, array.ndim)
        if array.dtype.newbyteorder() == type_.dtype.numpy:
            hint = f"swap its bytes: pass x.astype(np.{type_.dtype.numpy})"
        elif array.ndim == type_.rank and array.dtype.kind in "biufc":
            hint = f"pass x.astype(np.{type_.dtype.numpy}), or drop the annotation"
        raise place.expected(expected(type_), value, hint)
    if not array.flags.aligned or any(s % array.itemsize for s in array.strides):
        raise TypeError(
            f"{place.function}(): {place.what}: the elements of the array do not stand at "
            "multiples of their size in memory; pass a copy of it"
        )
    return array


def _named_tuple(place: _Place, type_: Type, items: Sequence[Type], value: object) -> object:
    cls = type(value)
    given = cast("tuple[object, ...]", number(cls)(value))
    if len(given) != len(items):
        raise place.expected(type_, value)
    adapted = _tuple(place, type_, items, given)
    return value if adapted is given else maker(cls)(adapted)


def _tuple(place: _Place, type_: Type, items: Sequence[Type], value: object) -> object:
    given = cast("tuple[object, ...]", value)
    kind: type[object] = type(value)
    if kind is not tuple or len(given) != len(items):
        raise place.expected(type_, value)
    adapted = [
        _adapted(place.item(i), t, v) for i, (t, v) in enumerate(zip(items, given, strict=True))
    ]
    same = all(a is b for a, b in zip(adapted, given, strict=True))
    return given if same else tuple(adapted)


def _items(place: _Place, type_: ListType, item: Type, value: object) -> object:
    """Return a tuple of any length, all items of which are of one type."""
    if type(value) is not tuple:
        raise place.expected(type_, value)
    given = cast("tuple[object, ...]", value)
    return _tuple(place, type_, (item,) * len(given), given)


def _list(place: _Place, type_: ListType, value: object) -> object:
    given = cast("list[object]", value)
    kind = type(value)
    if kind is not list and not typed_lists.is_typed_list(kind):
        raise place.expected(type_, value)
    known = _known(place, type_, given)
    if known is not None:
        return known
    items = given if kind is list else list(given)
    adapted = [_adapted(place.item(i), type_.item, v) for i, v in enumerate(items)]
    same = all(a is b for a, b in zip(adapted, items, strict=True))
    return place.copies.keep(type_, given, items if same else adapted)


def _known(place: _Place, type_: Type, given: object) -> object:
    """Return what a list or container became that was met before: one stays one."""
    copy = place.copies.known(given)
    if copy is not None and copy.type != type_:
        raise place.expected(type_, given, f"it is given as {copy.type}, too")
    return copy and copy.adapted


def _container(place: _Place, type_: Container, value: object) -> object:
    if isinstance(type_, SetType):
        return _set(place, type_, value)
    if isinstance(type_, DictType) and type_.kind == "dict":
        return _dict(place, type_, value)
    return _collection(place, type_, value)


def _dict(place: _Place, type_: DictType, value: object) -> object:
    if type(value) is not dict:
        raise place.expected(type_, value)
    given = cast("dict[object, object]", value)
    known = _known(place, type_, given)
    if known is not None:
        return known
    items = enumerate(given.items())
    adapted = {
        _adapted(place.item(i), type_.key, k): _adapted(place.item(i), type_.value, v)
        for i, (k, v) in items
    }
    same = all(a is b and adapted[a] is given[b] for a, b in zip(adapted, given, strict=True))
    return place.copies.keep(type_, given, given if same else adapted)


def _collection(place: _Place, type_: DictType | DequeType, value: object) -> object:
    """Adapt an object of a class of `collections`, by its items."""
    # Inside a function: few programs have such objects.
    from scriptc_runtime.collection_classes import fits, plain_of
    from scriptc_runtime.containers import python_of_plain

    if not fits(type_, value):
        is_default = isinstance(type_, DictType) and type_.kind == "defaultdict"
        hint = "what it makes is to be the class of its values" if is_default else ""
        raise place.expected(type_, value, hint)
    known = _known(place, type_, value)
    if known is not None:
        return known
    given = plain_of(value)
    plain = (
        DictType(type_.key, type_.value) if isinstance(type_, DictType) else ListType(type_.item)
    )
    adapted = _adapted(place, plain, given)
    made = value if adapted is given else python_of_plain(type_, value, adapted)
    return place.copies.keep(type_, value, made)


def _set(place: _Place, type_: SetType, value: object) -> object:
    kind: type[set[object] | frozenset[object]] = frozenset if type_.frozen else set
    if type(value) is not kind:
        raise place.expected(type_, value)
    given = cast("set[object]", value)
    known = _known(place, type_, given)
    if known is not None:
        return known
    adapted = [_adapted(place.item(i), type_.item, v) for i, v in enumerate(given)]
    same = all(a is b for a, b in zip(adapted, given, strict=True))
    return place.copies.keep(type_, given, given if same else kind(adapted))


# Sizes: the same name must mean the same size.


def _check_sizes(
    function: str, parameters: Sequence[Parameter], values: Sequence[object], kind: str
) -> None:
    found: dict[str, tuple[int, str]] = {}
    later: list[tuple[Dim, int, str]] = []
    for parameter, value in zip(parameters, values, strict=True):
        for dim, size, where in _sizes(parameter.type, value, f"{kind} {parameter.name!r}"):
            name = _lone_symbol(dim)
            if name is None:
                later.append((dim, size, where))
                continue
            first, there = found.setdefault(name, (size, where))
            if first != size:
                raise ValueError(
                    f"{function}(): {name} is {first} in {there}, but {size} in {where}"
                )
    for dim, size, where in later:
        wanted = _value_of(dim, found)
        if wanted is not None and wanted != size:
            known = f"{wanted}" if dim.is_constant else f"{dim}, which is {wanted}"
            raise ValueError(f"{function}(): {where} has an axis of size {size}, not {known}")


def _sizes(type_: Type, value: object, where: str) -> Iterator[tuple[Dim, int, str]]:
    match type_:
        case TensorType(_, dims):
            shape = cast(Array, value).shape
            yield from ((d, size, where) for d, size in zip(dims, shape, strict=True) if d.known)
        case OptionalType(item):
            if value is not None:
                yield from _sizes(item, value, where)
        case UnionType():
            return  # which say nothing of sizes
        case _:
            for item, part in _parts(type_, value):
                yield from _sizes(item, part, where)


def _parts(type_: Type, value: object) -> Iterator[tuple[Type, object]]:
    """Yield what a value holds, each with its type."""
    match type_:
        case TupleType(items):
            yield from zip(items, cast("tuple[object, ...]", value), strict=True)
        case ListType(item):
            yield from ((item, part) for part in cast("list[object]", value))
        case DequeType(item):
            yield from ((item, part) for part in cast("Iterable[object]", value))
        case DictType(_, item):
            yield from ((item, part) for part in cast("dict[object, object]", value).values())
        case _:
            return


def _lone_symbol(dim: Dim) -> str | None:
    if dim.constant == 0 and len(dim.terms) == 1 and dim.terms[0][1] == 1:
        return dim.terms[0][0]
    return None


def _value_of(dim: Dim, found: Mapping[str, tuple[int, str]]) -> int | None:
    if any(name not in found for name, _ in dim.terms):
        return None
    return dim.constant + sum(factor * found[name][0] for name, factor in dim.terms)
