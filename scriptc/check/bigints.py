"""Ints of any size: operators, comparisons, and what becomes one."""

from collections.abc import Mapping

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Convert, Literal
from scriptc.check.context import Context
from scriptc.check.conversion import converted
from scriptc.check.library.standard import standard_function
from scriptc.syntax.nodes import Node
from scriptc_runtime.ops import bigints, elementwise
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.record import replace
from scriptc_runtime.types import BIGINT, BOOL, COMPLEX, FLOAT, INT, STR, DType, Type, element_of

Side = tuple[Typed, Computation]

_ARITHMETIC: Mapping[str, OpDef] = {
    "+": bigints.BIGINT_ADD,
    "-": bigints.BIGINT_SUB,
    "*": bigints.BIGINT_MUL,
    "/": bigints.BIGINT_DIV,
    "//": bigints.BIGINT_FLOORDIV,
    "%": bigints.BIGINT_MOD,
    "**": bigints.BIGINT_POW,
    "&": bigints.BIGINT_AND,
    "|": bigints.BIGINT_OR,
    "^": bigints.BIGINT_XOR,
}
_SHIFTS: Mapping[str, OpDef] = {"<<": bigints.BIGINT_SHL, ">>": bigints.BIGINT_SHR}
_BY_ORDER: Mapping[str, OpDef] = {
    "<": elementwise.LT,
    "<=": elementwise.LE,
    ">": elementwise.GT,
    ">=": elementwise.GE,
}
# What are ints in Python.
WHOLE = (BIGINT, INT, BOOL)


def of_any_size(value: Computation) -> Computation:
    """Return an int, or a truth value, as an int of any size."""
    return Convert(converted(value, INT), BIGINT) if value.type is not BIGINT else value


def literal(context: Context, at: Node, number: int) -> Computation:
    """Return an int that is written down, and that 64 bits do not hold."""
    text = Literal(hex(number), STR)
    return context.apply(at, bigints.BIGINT_OF_TEXT, text, Literal(16, INT))


def binary(context: Context, at: Node, symbol: str, left: Side, right: Side) -> Computation | None:
    """Return `left symbol right`, of which one is an int of any size; None if it is not defined."""
    (_, lhs), (exponent, rhs) = left, right
    if lhs.type not in WHOLE or rhs.type not in WHOLE:
        return None
    if symbol in _SHIFTS:
        count = Convert(rhs, INT) if rhs.type is not INT else rhs
        return context.apply(at, _SHIFTS[symbol], of_any_size(lhs), count)
    if symbol not in _ARITHMETIC:
        return None
    known = exponent.known.value if exponent.known else None
    if symbol == "**" and isinstance(known, int) and known < 0:
        return context.apply(at, elementwise.POW, Convert(lhs, FLOAT), Convert(rhs, FLOAT))
    return context.apply(at, _ARITHMETIC[symbol], of_any_size(lhs), of_any_size(rhs))


def as_float(side: Side) -> Side:
    """Return a side of an operator beside a float, as that float."""
    known, value = side
    return side if value.type is FLOAT else (Typed(FLOAT, known.span), Convert(value, FLOAT))


def as_machine_number(value: Computation, beside: Type) -> Computation:
    """Return an int of any size as NumPy takes it beside a number; others as they are."""
    if value.type is not BIGINT:
        return value
    element = element_of(beside)
    is_whole = isinstance(element, DType) and element.kind in "biu"
    return Convert(value, INT if is_whole else FLOAT)


def beside_numbers(left: Side, right: Side) -> tuple[Side, Side] | None:
    """Return both sides of an operator without ints of any size, as NumPy and complex take them.

    None where the other side is neither NumPy's nor complex.
    """
    (one, lhs), (two, rhs) = left, right
    other = rhs.type if lhs.type is BIGINT else lhs.type
    if other is not COMPLEX and not isinstance(element_of(other), DType):
        return None
    first, second = as_machine_number(lhs, rhs.type), as_machine_number(rhs, lhs.type)
    return (replace(one, type=first.type), first), (replace(two, type=second.type), second)


def comparison(
    context: Context, at: Node, symbol: str, left: Side, right: Side
) -> Computation | None:
    """Return a comparison with an int of any size; None if it is not defined."""
    lhs, rhs = left[1], right[1]
    if FLOAT in (lhs.type, rhs.type):
        return _beside_float(context, at, symbol, lhs, rhs)
    if lhs.type not in WHOLE or rhs.type not in WHOLE:
        return None
    pair = of_any_size(lhs), of_any_size(rhs)
    if symbol in _BY_ORDER:
        order = context.apply(at, bigints.BIGINT_ORDER, *pair)
        return context.apply(at, _BY_ORDER[symbol], order, Literal(0, INT))
    found = context.apply(at, bigints.BIGINT_EQUAL, *pair)
    return found if symbol == "==" else context.apply(at, elementwise.NOT, found)


def _beside_float(
    context: Context, at: Node, symbol: str, lhs: Computation, rhs: Computation
) -> Computation:
    """Return a comparison with a float, which is exact."""
    if lhs.type is FLOAT:
        turned = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
        return _beside_float(context, at, turned.get(symbol, symbol), rhs, lhs)
    of_nan = Literal(-2 if symbol in (">", ">=") else 2, INT)
    function = standard_function("bigint_floats", "order_beside")
    order = context.call(at, function, (lhs, rhs, of_nan))
    ops = {**_BY_ORDER, "==": elementwise.EQ, "!=": elementwise.NE}
    return context.apply(at, ops[symbol], order, Literal(0, INT))


def unary(context: Context, at: Node, symbol: str, value: Computation) -> Computation:
    """Return `-x`, `+x` or `~x` of an int of any size."""
    if symbol == "+":
        return value
    if symbol == "-":
        return context.apply(at, bigints.BIGINT_NEG, value)
    return context.apply(at, bigints.BIGINT_SUB, of_any_size(Literal(-1, INT)), value)
