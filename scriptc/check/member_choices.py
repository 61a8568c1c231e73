"""Computations on unions that have one type whatever the member: truth, comparisons, texts."""

from collections.abc import Callable

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Convert, Literal, Select
from scriptc.check.context import Context
from scriptc.check.python.type_errors import never_equal
from scriptc.syntax.nodes import Node
from scriptc_runtime.ops import unions
from scriptc_runtime.types import (
    BOOL,
    BYTES,
    NONE,
    STR,
    DType,
    ListType,
    OptionalType,
    TupleType,
    Type,
    UnionType,
)
from scriptc_runtime.unions import members_of

Side = tuple[Typed, Computation]


def by_member(
    context: Context, at: Node, whole: Computation, compute: Callable[[Computation], Computation]
) -> Computation | None:
    """Return what is computed of the member that a value is of; None where types differ."""
    result: Computation | None = None
    for member in reversed(members_of(whole.type)):
        found = compute(Convert(whole, member))
        if result is None:
            result = found
        elif found.type == result.type:
            holds = context.apply(at, unions.HOLDS, whole, type=member)
            result = Select(holds, found, result, found.type)
        else:
            return None
    return result


def are_compared(symbol: str, first: Type, second: Type) -> bool:
    """Whether a comparison is made of those of members: also where one may be None, by `==`."""
    types = (first, second)
    if any(isinstance(type_, UnionType) for type_ in types):
        return True
    if symbol not in ("==", "!="):
        return False
    if any(isinstance(type_, OptionalType) for type_ in types):
        return True
    return NONE in types and (first == second or never_equal(first, second))


def compared(
    context: Context, at: Node, symbol: str, left: Side, right: Side
) -> Computation | None:
    """Return a comparison of what may be of several types; None where its types differ."""
    (first, lhs), (second, rhs) = left, right

    def with_left(value: Computation) -> Computation:
        return _of_two(context, at, symbol, (Typed(value.type, first.span), value), right)

    def with_right(value: Computation) -> Computation:
        return _of_two(context, at, symbol, left, (Typed(value.type, second.span), value))

    if isinstance(lhs.type, UnionType | OptionalType):
        return by_member(context, at, lhs, with_left)
    return by_member(context, at, rhs, with_right)


def by_types(symbol: str, first: Type, second: Type) -> Computation | None:
    """Return what `==` and `!=` say of two values, if their types tell."""
    if symbol not in ("==", "!="):
        return None
    types = (first, second)
    of_numpy = any(isinstance(type_, DType) for type_ in types)
    if of_numpy and any(isinstance(type_, ListType | TupleType) for type_ in types):
        return None  # NumPy makes arrays of them
    both_none = first == second == NONE
    if not (both_none or never_equal(first, second)):
        return None
    is_numpys = of_numpy and any(type_ in (STR, BYTES) for type_ in types)
    return Literal(both_none is (symbol == "=="), DType.B1 if is_numpys else BOOL)


def _of_two(context: Context, at: Node, symbol: str, left: Side, right: Side) -> Computation:
    return context.compared(at, symbol, left, right)
