"""Operators on complex numbers: parts, powers, equality."""

import math
from collections.abc import Mapping

from scriptc.check.bindings import Typed
from scriptc.check.checked import Check, Computation, Convert, Literal, Select
from scriptc.check.context import Context
from scriptc.syntax.nodes import Node
from scriptc_runtime.ops import arrays, elementwise
from scriptc_runtime.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    DType,
    Element,
    TensorType,
    element_of,
    is_complex,
)

PARTS: Mapping[str, int] = {"real": 0, "imag": 1}


def part(context: Context, at: Node, value: Computation, name: str) -> Computation:
    """Return the real or the imaginary part."""
    element = element_of(value.type)
    assert element is not None
    if is_complex(element):
        if isinstance(value.type, TensorType):
            return context.apply(at, arrays.PART, value, index=PARTS[name])
        op = elementwise.IMAG if PARTS[name] else elementwise.REAL
        return context.apply(at, op, value)
    if isinstance(value.type, TensorType):
        if PARTS[name]:
            context.fail(
                "dtype",
                f"the imaginary part of {value.type} is not built",
                at,
                why="it is an array of zeros that cannot be written",
                instead="write np.zeros_like(x)",
            )
        return value
    if element is BOOL:
        value, element = Convert(value, INT), INT
    return Literal(_zero(element), element) if PARTS[name] else value


def _zero(element: Element) -> bool | int | float:
    if element is DType.B1:
        return False
    return 0.0 if element is FLOAT or (isinstance(element, DType) and element.kind == "f") else 0


def power(context: Context, at: Node, base: Computation, exponent: Typed) -> Computation:
    """Return a power whose exponent is a literal: NumPy and Python multiply where it is small."""
    known = exponent.known.value if exponent.known else None
    if known not in (2, 3):
        context.fail(
            "complex-power",
            "powers of complex numbers are built for the exponents 2 and 3 alone",
            at,
            instead="multiply, or write the power with functions of real numbers",
        )
    square = context.apply(at, elementwise.MUL, base, base)
    if isinstance(base.type, TensorType) and known == 2:
        return square
    if base.type is not COMPLEX:
        result = square if known == 2 else context.apply(at, elementwise.MUL, base, square)
        return _zero_stays(context, at, base, result)
    # As CPython does it: from 1 on, by squaring. A factor of 1 can change the sign of a zero.
    one = Literal(1 + 0j, COMPLEX)
    if known == 3:
        one = context.apply(at, elementwise.MUL, one, base)
    result = context.apply(at, elementwise.MUL, one, square)
    finite = [
        context.apply(
            at,
            elementwise.NE,
            context.apply(at, elementwise.ABS, context.apply(at, op, result)),
            Literal(math.inf, FLOAT),
        )
        for op in (elementwise.REAL, elementwise.IMAG)
    ]
    valid = context.apply(at, elementwise.AND, *finite)
    return Check(valid, "OverflowError", "complex exponentiation", result, COMPLEX)


def _zero_stays(context: Context, at: Node, base: Computation, result: Computation) -> Computation:
    """Return a power as NumPy's: that of a zero, whatever its signs, is 0.0 in both parts."""
    dtype = element_of(base.type)
    assert isinstance(dtype, DType)
    zero = Literal(0j, dtype)
    is_zero = context.apply(at, elementwise.EQ, base, zero)
    if isinstance(base.type, TensorType):
        return context.apply(at, elementwise.WHERE, is_zero, zero, result)
    return Select(Convert(is_zero, BOOL), zero, result, dtype)


def equality(
    context: Context, at: Node, symbol: str, lhs: Computation, rhs: Computation
) -> Computation:
    """Return `lhs == rhs` or `!=` of Python numbers of which one is complex."""
    if lhs.type is COMPLEX and rhs.type is COMPLEX:
        op = elementwise.EQ if symbol == "==" else elementwise.NE
        return context.apply(at, op, lhs, rhs)
    # An int is compared as it is, without rounding.
    whole, real = (lhs, rhs) if lhs.type is COMPLEX else (rhs, lhs)
    if real.type is BOOL:
        real = Convert(real, INT)
    parts = [context.apply(at, op, whole) for op in (elementwise.REAL, elementwise.IMAG)]
    same = context.apply(at, elementwise.EQ, parts[0], real)
    flat = context.apply(at, elementwise.EQ, parts[1], Literal(0.0, FLOAT))
    equal = context.apply(at, elementwise.AND, same, flat)
    return equal if symbol == "==" else context.apply(at, elementwise.NOT, equal)
