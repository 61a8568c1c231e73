"""Types, dims and attributes of IR text."""

import math
from collections.abc import Callable
from functools import partial
from typing import cast

from scriptc_runtime.dims import UNKNOWN, Dim, symbol
from scriptc_runtime.ops.opdef import Attr
from scriptc_runtime.recursive_types import RecursiveUnion, item_alone
from scriptc_runtime.text.tokens import Cursor
from scriptc_runtime.type_graphs import Graph, type_at
from scriptc_runtime.type_limits import MAX_TYPE_DEPTH
from scriptc_runtime.types import (
    DICT_KINDS,
    CellType,
    ClassType,
    DequeType,
    DictType,
    DType,
    Label,
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

MAX_TERMS = 16
_LABELS = (str, int, float, bool, type(None))
_PLAIN: dict[str, Type] = {t.value: t for t in (*PyType, *DType)}
_WRAPPERS: dict[str, Callable[[Type], Type]] = {
    "list": ListType,
    "tuple_of": partial(ListType, frozen=True),
    "optional": OptionalType,
    "cell": CellType,
    "deque": DequeType,
    "set": SetType,
    "frozenset": partial(SetType, frozen=True),
}
_COMPOUND = ("tensor", "tuple", "class", *DICT_KINDS, "named", "union", "rec", *_WRAPPERS)


def read_type(cursor: Cursor, depth: int = 0) -> Type:
    """Take a type."""
    _check_depth(cursor, depth)
    name = cursor.text
    if name in cursor.rings:
        return cursor.rings[cursor.take("name")]
    if name not in _PLAIN and name not in _COMPOUND:
        cursor.syntax_error("a type")
    cursor.take("name")
    if name in _PLAIN:
        return _PLAIN[name]
    cursor.expect("<")
    type_ = _compound(cursor, name, depth)
    cursor.expect(">")
    return type_


def _compound(cursor: Cursor, name: str, depth: int) -> Type:
    match name:
        case "tensor":
            return _tensor(cursor)
        case "tuple":
            if cursor.at(">"):
                return TupleType(())
            return TupleType(_several(cursor, depth))
        case "union":
            if cursor.is_trusted and cursor.at(">"):
                return UnionType(())  # the type of no value
            return UnionType(_several(cursor, depth))
        case "rec":
            return _ring(cursor, depth)
        case kind if kind in DICT_KINDS:
            key = read_type(cursor, depth + 1)
            cursor.expect(",")
            value = read_type(cursor, depth + 1)
            has_factory = kind == "defaultdict" and cursor.accept(",")
            factory = read_type(cursor, depth + 1) if has_factory else None
            return DictType(key, value, kind, factory)
        case "named":
            return _named(cursor, depth)
        case "class":
            return ClassType(cursor.dotted())
        case _:
            return _WRAPPERS[name](read_type(cursor, depth + 1))


def _ring(cursor: Cursor, depth: int) -> Type:
    """Take the members of a type that holds itself: in them it is `rec0`, the next one `rec1`."""
    start, is_whole = cursor.place, not cursor.rings
    ring = RecursiveUnion("")
    cursor.rings[f"rec{len(cursor.rings)}"] = ring
    ring.members = _several(cursor, depth)
    if any(isinstance(member, UnionType | OptionalType) for member in ring.members):
        cursor.meaning_error("a union has no unions as members", start)
    if not is_whole:
        return ring
    cursor.rings.clear()
    found = type_at(Graph().node(ring))
    whole = None if found is None else item_alone(found)
    if not isinstance(whole, RecursiveUnion) or len(whole.members) != len(ring.members):
        cursor.meaning_error("it is no type that holds itself", start)
    return whole


def _several(cursor: Cursor, depth: int) -> tuple[Type, ...]:
    items = [read_type(cursor, depth + 1)]
    while cursor.accept(","):
        items.append(read_type(cursor, depth + 1))
    return tuple(items)


def _named(cursor: Cursor, depth: int) -> NamedType:
    name = cursor.dotted()
    cursor.expect(",")
    base = read_type(cursor, depth + 1)
    cursor.expect(",")
    kind = cursor.string()
    cursor.expect(",")
    start = cursor.place
    labels = read_attr(cursor, depth + 1)
    if not isinstance(labels, tuple) or not _are_labels(labels):
        cursor.meaning_error("labels are texts, numbers and tuples of them", start)
    return NamedType(name, base, kind, cast("tuple[Label, ...]", labels))


def _are_labels(labels: tuple[Attr, ...]) -> bool:
    return all(
        _are_labels(label) if isinstance(label, tuple) else type(label) in _LABELS
        for label in labels
    )


def _tensor(cursor: Cursor) -> TensorType:
    dtype = _PLAIN.get(cursor.text)
    if not isinstance(dtype, DType):
        cursor.syntax_error("an element type")
    cursor.take("name")
    cursor.expect(",")
    cursor.expect("[")
    dims: list[Dim] = []
    if not cursor.at("]"):
        dims.append(read_dim(cursor))
        while cursor.accept(","):
            dims.append(read_dim(cursor))
    cursor.expect("]")
    return TensorType(dtype, tuple(dims))


def read_dim(cursor: Cursor) -> Dim:
    """Take a dim in normal form."""
    if cursor.accept("?"):
        return UNKNOWN
    start = cursor.place
    total, terms = _term(cursor), 1
    while cursor.accept("+"):
        terms += 1
        if terms > MAX_TERMS:
            cursor.meaning_error(f"a size of more than {MAX_TERMS} terms", start)
        total = total.plus(_term(cursor))
    return total


def _term(cursor: Cursor) -> Dim:
    if cursor.kind == "name":
        return symbol(cursor.take("name"))
    number = cursor.integer()
    if cursor.accept("*"):
        return symbol(cursor.take("name")).times(number)
    return Dim(number)


def read_attr(cursor: Cursor, depth: int = 0) -> Attr:
    """Take an attribute's value."""
    _check_depth(cursor, depth)
    match cursor.kind:
        case "string":
            return cursor.string()
        case "number":
            return read_number(cursor)
        case "mark" if cursor.accept("("):
            return _tuple(cursor, depth)
        case "name" if cursor.text in _WORDS:
            return _WORDS[cursor.take("name")]
        case "name" if cursor.accept("complex"):
            # Also the name of a type; the parenthesis tells.
            return _complex(cursor) if cursor.accept("(") else PyType.COMPLEX
        case _:
            return read_type(cursor, depth)


_WORDS: dict[str, bool | float | None] = {
    "true": True,
    "false": False,
    "none": None,
    "nan": math.nan,
    "inf": math.inf,
}


def read_number(cursor: Cursor) -> int | float:
    """Take a number: an int where it has neither point nor exponent."""
    place, text = cursor.place, cursor.text
    if text.lstrip("-").isdecimal():
        return cursor.integer(2**64 - 1)  # the largest of u64
    cursor.take("number")
    cursor.check_digits(place)
    return float(text)


def _real(cursor: Cursor) -> float:
    if cursor.text in ("nan", "inf"):
        return float(cursor.take("name"))
    return float(read_number(cursor))


def _complex(cursor: Cursor) -> complex:
    real = _real(cursor)
    cursor.expect(",")
    imag = _real(cursor)
    cursor.expect(")")
    return complex(real, imag)


def _tuple(cursor: Cursor, depth: int) -> tuple[Attr, ...]:
    items: list[Attr] = []
    while not cursor.accept(")"):
        items.append(read_attr(cursor, depth + 1))
        if not cursor.accept(","):
            cursor.expect(")")
            # A comma makes the tuple, as in Python.
            if len(items) == 1:
                cursor.meaning_error("a tuple of one item ends in a comma")
            break
    return tuple(items)


def _check_depth(cursor: Cursor, depth: int) -> None:
    if depth > MAX_TYPE_DEPTH:
        cursor.meaning_error(f"more than {MAX_TYPE_DEPTH} levels inside one another", cursor.place)
