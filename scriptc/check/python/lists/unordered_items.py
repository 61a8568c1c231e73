"""Items of tuples of which `<` orders some and raises for others: objects, functions, None.

    heapq.heappush(queue, (when, count, job))       where job may be None

They are compared only where all that stands before them is equal.
"""

from collections.abc import Callable
from functools import partial

from scriptc.check import operators
from scriptc.check.bindings import Typed
from scriptc.check.checked import Check, Computation, Literal, Select
from scriptc.check.context import Context
from scriptc.check.member_choices import by_member
from scriptc.check.operators import Side
from scriptc.check.orders import order_raises
from scriptc.check.python import type_errors
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import unions
from scriptc_runtime.types import BOOL, NONE, ClassType, Type
from scriptc_runtime.unions import members_of


def has_unordered(context: Context, *types: Type) -> bool:
    """Whether values of some types may be objects that nothing orders."""
    return any(_is_unordered(context, member) for type_ in types for member in members_of(type_))


def has_functions(context: Context, *types: Type) -> bool:
    """Whether values of some types may be functions: which of them are one is not known."""
    return any(_is_function(context, member) for type_ in types for member in members_of(type_))


def both_none(context: Context, at: n.Node, left: Side, right: Side) -> Computation:
    """Return whether two items are None, which is all that functions may be told to equal."""
    result: Computation = Literal(True, BOOL)
    for _, whole in (left, right):
        if NONE not in members_of(whole.type):
            return Literal(False, BOOL)
        is_none = context.apply(at, unions.HOLDS, whole, type=NONE)
        result = Select(is_none, result, Literal(False, BOOL), BOOL)
    return result


def ordered(
    context: Context, at: n.Node, symbol: str, left: Side, right: Side, written: str
) -> Computation:
    """Return which of two items is less, by what they are; the run raises where none is."""

    def beside(one: Computation) -> Computation:
        compared = partial(_of_two, context, at, symbol, written, one)
        return _each(context, at, right[1], compared)

    return _each(context, at, left[1], beside)


def _each(
    context: Context, at: n.Node, whole: Computation, compute: Callable[[Computation], Computation]
) -> Computation:
    if len(members_of(whole.type)) == 1:
        return compute(whole)
    found = by_member(context, at, whole, compute)
    assert found is not None  # all of them are truth values
    return found


def _of_two(
    context: Context, at: n.Node, symbol: str, written: str, one: Computation, two: Computation
) -> Computation:
    first, second = (one, two) if written == symbol else (two, one)
    error = type_errors.of_operator(written, first.type, second.type)
    names = _name(context, first.type), _name(context, second.type)
    if error is None and None not in names and has_unordered(context, one.type, two.type):
        message = f"{written!r} not supported between instances of {names[0]!r} and {names[1]!r}"
        error = "TypeError", message
    if error is not None:
        return Check(Literal(False, BOOL), *error, Literal(False, BOOL), BOOL)
    span = context.span(at)
    sides = (Typed(one.type, span), one), (Typed(two.type, span), two)
    return operators.truth(context, at, context.compared(at, symbol, *sides))


def _name(context: Context, type_: Type) -> str | None:
    """Return what CPython calls the class of values that have no operators of the program's."""
    if isinstance(type_, ClassType):
        known = "function" if _is_function(context, type_) else type_.name
        return known if _is_unordered(context, type_) else None
    values = type_errors.values_of(type_)
    return type(values[0]).__name__ if values and type(values[0]).__module__ == "builtins" else None


def _is_unordered(context: Context, type_: Type) -> bool:
    return isinstance(type_, ClassType) and order_raises(context, type_)


def _is_function(context: Context, type_: Type) -> bool:
    return isinstance(type_, ClassType) and context.function_called(type_.name) is not None
