"""Values that are constants of a script: live ones, and what is known of comparisons."""

from collections.abc import Sequence
from enum import Enum
from typing import TypeGuard, cast

import numpy as np

from scriptc.check.bindings import Known, Typed
from scriptc.check.checked import Computation, Convert, Literal, Scalar
from scriptc.check.context import Context
from scriptc.check.live_values import type_of
from scriptc.check.named_types import number_of
from scriptc.syntax.nodes import Compare, Node
from scriptc_runtime.named_classes import number
from scriptc_runtime.ops import data
from scriptc_runtime.ops.byte_strings import TEXT_BYTES
from scriptc_runtime.types import (
    BYTES,
    INT,
    NONE,
    STR,
    DType,
    NamedType,
    OptionalType,
    PyType,
    TupleType,
    Type,
)
from scriptc_runtime.values import INT_MAX, INT_MIN


def plain(value: object) -> object:
    """Return a NumPy scalar as Python's number, as constants in IR are; others as they are."""
    return cast(object, value.item()) if isinstance(value, np.generic) else value


def is_scalar(value: object) -> bool:
    """Whether a constant can hold `value`."""
    return value is None or type(value) in (bool, int, float, complex, str)


def constant_of(
    context: Context, node: Node, value: object, type_: Type, code: str, what: str
) -> Computation:
    """Return a scalar, a member of an enumeration or a tuple of them; refuse others with `code`."""
    if isinstance(type_, NamedType):
        context.declare_named(type(value))
        if isinstance(value, Enum):
            return Literal(number_of(value), type_)
        items = number(type(value))(value)
        return Convert(constant_of(context, node, items, type_.base, code, what), type_)
    if isinstance(type_, OptionalType):
        held = NONE if value is None else type_.item
        return Convert(constant_of(context, node, value, held, code, what), type_)
    if isinstance(type_, TupleType) and isinstance(value, tuple):
        pairs = zip(cast("tuple[object, ...]", value), type_.items, strict=True)
        items = [constant_of(context, node, item, t, code, what) for item, t in pairs]
        return context.apply(node, data.TUPLE, *items)
    if type_ is BYTES and isinstance(value, bytes):
        return of_bytes(context, node, value)
    scalar = plain(value)
    if isinstance(type_, PyType | DType) and is_scalar(scalar):
        return Literal(cast(Scalar, scalar), type_)
    context.fail(
        code,
        f"{what} holds {type_}, which a script cannot keep as a constant",
        node,
        instead="pass it as an argument",
    )


def is_classes(value: object, base: type = object) -> TypeGuard[tuple[type, ...]]:
    """Whether a value is a tuple of classes below a base, which stands for them in tests."""
    if not isinstance(value, tuple):
        return False
    items = cast("tuple[object, ...]", value)
    return bool(items) and all(isinstance(item, type) and issubclass(item, base) for item in items)


def default_of(context: Context, node: Node, name: str, value: object) -> Computation:
    """Return the default of a parameter that a call leaves out; refuse what is no constant."""
    what = f"the default of {name!r}"
    type_ = type_of(value, what, context.span(node), context.whole)
    return constant_of(context, node, value, type_, "default", what)


def of_bytes(context: Context, node: Node, value: bytes) -> Computation:
    """Return bytes that are known: as the text that they are kept as."""
    return context.apply(node, TEXT_BYTES, Literal(value.decode("latin-1"), STR))


def folded(node: Compare, values: list[Typed]) -> Known | None:
    """Return the result of comparing two known ints or strings."""
    if len(values) != 2 or not all(v.known for v in values):
        return None
    left, right = (v.known.value for v in values if v.known)
    if type(left) is not type(right) or type(left) not in (int, str, bool):
        return None
    match node.ops[0]:
        case "==":
            return Known(left == right)
        case "!=":
            return Known(left != right)
        case _:
            return _ordered(node.ops[0], left, right)


def known_ints(values: Sequence[Typed]) -> Known | None:
    """Return ints that are known as what is known of a tuple of them: it may say axes."""
    known = tuple(v.known.value for v in values if v.known and type(v.known.value) is int)
    is_computed = any(v.known.is_computed for v in values if v.known)
    return Known(known, is_computed) if len(known) == len(values) and known else None


def computed(symbol: str, left: Typed, right: Typed, type_: Type) -> Known | None:
    """Return what is known of an operator on known ints, or tuples of ints; it may say axes."""
    one = left.known.value if left.known else None
    other = right.known.value if right.known else None
    if type(one) is int and type(other) is int and type_ is INT and symbol in ("+", "-", "*", "//"):
        if symbol == "//" and other == 0:
            return None
        results = {"+": one + other, "-": one - other, "*": one * other}
        value = one // other if symbol == "//" else results[symbol]
        return Known(value, is_computed=True) if INT_MIN <= value <= INT_MAX else None
    if isinstance(one, tuple) and isinstance(other, tuple) and symbol == "+":
        both = (*one, *other)
        fits = isinstance(type_, TupleType) and len(type_.items) == len(both)
        return Known(both, is_computed=True) if fits else None
    return None


def _ordered(op: str, left: object, right: object) -> Known | None:
    if not (isinstance(left, int) and isinstance(right, int)):
        return None
    results = {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}
    return Known(results[op]) if op in results else None
