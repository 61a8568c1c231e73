"""Types of live Python values: arguments, defaults, captured constants."""

from collections import deque
from collections.abc import Mapping, Sequence, Set
from typing import cast

import numpy as np

from scriptc.check import annotations
from scriptc.check.bindings import merge_types, united_types
from scriptc.check.members import class_type, is_users
from scriptc.check.named_types import named_tuple
from scriptc.check.refusals import is_scripted, refuse
from scriptc.check.scopes import plain_function
from scriptc_runtime import type_graphs, typed_lists
from scriptc_runtime.array_classes import is_plain_array
from scriptc_runtime.collection_classes import fits, plain_of
from scriptc_runtime.conversions import conversion_of
from scriptc_runtime.dims import UNKNOWN
from scriptc_runtime.errors import ScriptError, Span
from scriptc_runtime.named_classes import kind_of, number
from scriptc_runtime.random_generators import source_type
from scriptc_runtime.record import replace
from scriptc_runtime.types import (
    BIGINT,
    BOOL,
    BYTES,
    COMPLEX,
    FLOAT,
    FROM_NUMPY,
    INT,
    NONE,
    STR,
    DequeType,
    DictType,
    DType,
    ListType,
    OptionalType,
    PyType,
    SetType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    is_hashable,
)
from scriptc_runtime.unions import members_of
from scriptc_runtime.values import INT_MAX, INT_MIN


def type_of(
    value: object, name: str = "the value", span: Span | None = None, whole: PyType = INT
) -> Type:
    """Return the type of a live value; sizes of arrays are left unknown, and ints are `whole`.

    Raises TypeCheckError, calling the value `name`, where the language has no such values.
    """
    match value:
        case int() if type(value) is int:
            return whole if whole is BIGINT else _int_type(value, name, span)
        case None | bool() | float() | complex() | str() | bytes() if type(value) in _PLAIN:
            return _PLAIN[type(value)]
        case np.ndarray() if is_plain_array(type(cast(object, value))):
            dtype = _built(cast("np.ndarray", value).dtype, name, span)
            return TensorType(dtype, (UNKNOWN,) * value.ndim)
        case np.generic():
            return _built(cast("np.generic", value).dtype, name, span)
        case tuple() if type(cast(object, value)) is tuple:
            items = cast("tuple[object, ...]", value)
            return TupleType(
                tuple(type_of(v, f"item {i} of {name}", span, whole) for i, v in enumerate(items))
            )
        case list() if type(cast(object, value)) is list:
            return _list_type(cast("list[object]", value), name, span, whole)
        case dict() if type(cast(object, value)) is dict:
            return _dict_type(cast("dict[object, object]", value), name, span, whole)
        case set() | frozenset() if type(cast(object, value)) in (set, frozenset):
            items = cast("Set[object]", value)
            return _set_type(items, name, span, whole, frozen=isinstance(value, frozenset))
        case dict() | deque() if type(cast(object, value)).__module__ == "collections":
            return _collection_type(cast(object, value), name, span, whole)
        case _:
            return _class_type(value, name, span)


_PLAIN: Mapping[type, Type] = {
    type(None): NONE,
    bool: BOOL,
    float: FLOAT,
    complex: COMPLEX,
    str: STR,
    bytes: BYTES,
}


def _int_type(value: int, name: str, span: Span | None) -> Type:
    if INT_MIN <= value <= INT_MAX:
        return INT
    raise refuse(
        "int-size",
        f"{name} is {value}, which 64 bits do not hold",
        "a parameter that is annotated with scriptc.types.bigint takes it, or use a float",
        span,
    )


def _built(dtype: np.dtype[np.generic], name: str, span: Span | None) -> DType:
    found = FROM_NUMPY.get(dtype)
    if found is not None:
        return found
    message = f"{name} has dtype {dtype}, which the language does not have"
    raise refuse("dtype", message, _conversion(dtype), span)


def _conversion(dtype: np.dtype[np.generic]) -> str:
    """Return what makes an array of the language of one of a dtype that is not."""
    native = FROM_NUMPY.get(dtype.newbyteorder("="))
    if native is not None:
        return f"its bytes are in the order of another machine: pass x.astype(np.{native.numpy})"
    if dtype.names:
        return f'pass each of its fields as an array of its own: x["{dtype.names[0]}"].copy()'
    match dtype.kind:
        case "O":
            return (
                "its elements are objects of Python: pass x.astype(np.float64) if all are numbers"
            )
        case "M" | "m":
            return f"pass the counts of its unit, {dtype.name}, as ints: x.astype(np.int64)"
        case "U" | "S" | "T":
            return "pass a list of its texts, x.tolist(), or numbers that stand for them"
        case "f" | "c":
            wide = "complex128" if dtype.kind == "c" else "float64"
            return f"pass x.astype(np.{wide}), which has fewer digits"
        case _:
            return f"convert it to one of {', '.join(str(d.numpy) for d in DType)}"


def _list_type(items: Sequence[object], name: str, span: Span | None, whole: PyType = INT) -> Type:
    if not items:
        raise refuse(
            "empty-list",
            f"{name} is an empty list, which does not say what it holds",
            "annotate the parameter, as list[float], or a global list where it is made",
            span,
        )
    # What is empty inside says nothing where another item does.
    silent: list[tuple[int, ScriptError]] = []
    found: Type | None = None
    first = 0
    members = set[Type]()
    for index, item in enumerate(items):
        if _is_of(members, item, whole):
            continue
        try:
            other = type_of(item, f"item {index} of {name}", span, whole)
        except ScriptError as error:
            if error.diagnostics[0].code != "empty-list":
                raise
            silent.append((index, error))
            continue
        if found is None:
            found, first = other, index
        elif other not in members:
            found = _merged(
                found, other, f"{name} holds {found} at {first} and {other}", index, span
            )
        # Of an array the sizes may differ.
        members |= {other} if not isinstance(other, TensorType) else set()
    for index, error in silent:
        if found is None or not _holds(found, items[index]):
            raise error
    assert found is not None
    return ListType(found)


def _is_of(members: Set[Type], item: object, whole: PyType) -> bool:
    """Whether an item is plain and of a type that is known: no text is made to name it."""
    if type(item) is int:
        return whole in members and (whole is BIGINT or INT_MIN <= item <= INT_MAX)
    return _PLAIN.get(type(item)) in members


def _merged(found: Type, other: Type, what: str, index: int, span: Span | None) -> Type:
    """Return the type of the items of a list that holds these two."""
    # A number of Python's beside those of NumPy stays one, whichever is the first.
    is_pythons = isinstance(found, DType) and isinstance(other, PyType)
    merged = None if is_pythons else merge_types(found, other)
    if merged is None or (merged != found and not isinstance(found, TensorType)):
        merged = united_types(found, other) or type_graphs.joined((found, other))
    if merged is None:
        instead = "a list holds one type: convert its items"
        raise refuse("type-merge", f"{what} at {index}", instead, span)
    return merged


def _holds(type_: Type, value: object) -> bool:
    """Whether a value, in which something is empty, may be of a type."""
    kind = type(value)
    match type_:
        case UnionType() | OptionalType():
            return value is None or any(_holds(member, value) for member in members_of(type_))
        case ListType(item) if kind is list:
            return all(_holds(item, one) for one in cast("list[object]", value))
        case SetType(_, frozen) if kind is (frozenset if frozen else set):
            return not value
        case DictType(key, held, "dict") if kind is dict:
            pairs = cast("dict[object, object]", value).items()
            return all(_holds(key, one) and _holds(held, other) for one, other in pairs)
        case TupleType(types) if kind is tuple:
            given = cast("tuple[object, ...]", value)
            return len(given) == len(types) and all(map(_holds, types, given))
        case PyType.BIGINT:
            return kind is int
        case DequeType() | DictType() if kind.__module__ == "collections" and not value:
            return kind.__name__ == type_.name
        case _:
            return not (value == [] or value == {} or value == set()) and type_of(value) == type_


def _dict_type(items: Mapping[object, object], name: str, span: Span | None, whole: PyType) -> Type:
    if not items:
        raise refuse(
            "empty-list",
            f"{name} is an empty dict, which does not say what it holds",
            "annotate the parameter, as dict[str, float], or a global dict where it is made",
            span,
        )
    key, value = (
        cast(ListType, _list_type(list(held), f"the {what} of {name}", span, whole)).item
        for what, held in (("keys", items.keys()), ("values", items.values()))
    )
    if not is_hashable(key):
        instead = "numbers, strings and tuples of them can be keys"
        raise refuse("dict", f"{name} has keys of {key}", instead, span)
    return DictType(key, value)


def _set_type(
    items: Set[object], name: str, span: Span | None, whole: PyType, *, frozen: bool
) -> Type:
    kind = "frozenset" if frozen else "set"
    if not items:
        raise refuse(
            "empty-list",
            f"{name} is an empty {kind}, which does not say what it holds",
            f"annotate the parameter, as {kind}[str], or a global one where it is made",
            span,
        )
    item = cast(ListType, _list_type(list(items), name, span, whole)).item
    if not is_hashable(item):
        instead = "numbers, strings and tuples of them can be items"
        raise refuse("dict", f"{name} has items of {item}", instead, span)
    return SetType(item, frozen)


def _collection_type(value: object, name: str, span: Span | None, whole: PyType) -> Type:
    """Return the type of an object of a class of `collections`."""
    kind = type(value).__name__
    plain = plain_of(value)
    if not plain:
        raise refuse(
            "empty-list",
            f"{name} is an empty {kind}, which does not say what it holds",
            f"annotate the parameter, as {kind}[str{', int' * (kind[0] in 'dO')}]",
            span,
        )
    if isinstance(plain, list):
        return DequeType(cast(ListType, _list_type(plain, name, span, whole)).item)
    held = cast(DictType, _dict_type(plain, name, span, whole))
    found = replace(held, kind=kind)
    if not fits(found, value):
        raise refuse(
            "dict",
            f"what {name} makes for a key that is missing is not the class of its values",
            "a defaultdict of int, float, str, list, dict or the like, or a dict: dict(x)",
            span,
        )
    return found


def _class_type(value: object, name: str, span: Span | None) -> Type:
    cls = type(value)
    if typed_lists.is_typed_list(cls):
        return _list_type(list(cast("Sequence[object]", value)), name, span)
    source = source_type(cls)
    if source is not None:
        return source
    if kind_of(cls) is not None and (declared := annotations.declared_named(cls, span)) is not None:
        return declared
    if kind_of(cls) is not None:
        items = enumerate(cast("tuple[object, ...]", number(cls)(value)))
        return named_tuple(cls, [type_of(v, f"item {i} of {name}", span) for i, v in items])
    conversion = "" if is_scripted(cls) else conversion_of(value)
    if is_users(cls) and not conversion and plain_function(value) is None:
        return class_type(cls)
    if callable(value):
        raise refuse(
            "function-value",
            f"{name} is a function or class, which cannot be passed in from Python",
            "call it from a script that names both functions, or let a function around it take "
            "this one: def make(f): return script(lambda x: f(x))",
            span,
            "a function is compiled into what calls it",
        )
    raise refuse(
        "value",
        f"{name} is of class {cls.__name__}, which the language does not have",
        f"pass {conversion}" if conversion else _way_out(cls),
        span,
    )


def _way_out(cls: type) -> str:
    """Return what to pass instead of an instance of a class."""
    for plain in (dict, set, frozenset):
        if issubclass(cls, plain):
            return f"pass a plain {plain.__name__}: {plain.__name__}(x)"
    if cls.__module__.partition(".")[0] in ("builtins", "numpy"):
        return "pass numbers, strings, tuples, lists, arrays or instances of a @script class"
    if issubclass(cls, int):
        return "pass the int that it is: int(x)"
    if issubclass(cls, tuple):
        return "pass a plain tuple, tuple(x), whose items are told by their places"
    return f"give class {cls.__name__} an __init__ that sets its fields, and put @script on it"
