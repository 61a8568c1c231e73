"""Operators on complex numbers: parts, powers, equality."""

import math
from collections.abc import Callable, Mapping

from scriptc.check.bindings import Typed
from scriptc.check.checked import Check, Computation, Convert, Literal, Select
from scriptc.check.context import Context
from scriptc.syntax.nodes import Node
from scriptc_runtime.ops import arrays, elementwise
from scriptc_runtime.ops.opdef import OpDef
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
    part_of,
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


def power(
    context: Context, at: Node, base: Computation, exponent: Typed, given: Computation
) -> Computation:
    """Return a power of NumPy's or Python's complex numbers, as their operator computes it.

    `base` has the element type of the result, `given` is the exponent as it was written.
    """
    element = element_of(base.type)
    assert element is not None
    known = exponent.known.value if exponent.known else None
    if isinstance(base.type, TensorType) and given.type in (INT, FLOAT):
        quick = _quick_power(context, at, base, known, given)
        if quick is not None:
            return quick
    if known in (2, 3):
        return _small_power(context, at, base, 2 if known == 2 else 3)
    return context.apply(at, elementwise.POW, base, _converted(given, element))


def _converted(value: Computation, element: Element) -> Computation:
    if element_of(value.type) is element:
        return value
    if isinstance(value.type, TensorType):
        assert isinstance(element, DType)
        return Convert(value, TensorType(element, value.type.dims))
    return Convert(value, element)


def _quick_power(
    context: Context,
    at: Node,
    base: Computation,
    known: object,
    given: Computation,
) -> Computation | None:
    """Return what NumPy computes for `array ** 2` and the like, which is not what power() gives.

    It looks at the value of a Python number: an int 2 or -1, or a float 0.5.
    """
    quick: Mapping[object, Callable[[], Computation]] = (
        {
            2: lambda: context.apply(at, elementwise.MUL, base, base),
            -1: lambda: reciprocal(context, at, base),
        }
        if given.type is INT
        else {0.5: lambda: context.apply(at, elementwise.SQRT, base)}
    )
    if known is not None:
        return quick[known]() if known in quick else None
    element = element_of(base.type)
    assert element is not None
    result: Computation = context.apply(at, elementwise.POW, base, _converted(given, element))
    for value, compute in quick.items():
        assert isinstance(value, int | float)
        same = context.apply(at, elementwise.EQ, given, Literal(value, given.type))
        result = Select(same, compute(), result, base.type)
    return result


def reciprocal(context: Context, at: Node, base: Computation) -> Computation:
    """Return 1 / z as np.reciprocal computes it: both parts are divided, by Smith's divisor."""
    apply = context.apply
    dtype = part_of_complex(base)
    real, imag = (apply(at, op, base) for op in (elementwise.REAL, elementwise.IMAG))
    sizes = (apply(at, elementwise.ABS, imag), apply(at, elementwise.ABS, real))
    by_real = apply(at, elementwise.LE, *sizes)

    def chosen(yes: Computation, no: Computation) -> Computation:
        if isinstance(by_real.type, TensorType):
            return apply(at, elementwise.WHERE, by_real, yes, no)
        return Select(Convert(by_real, BOOL), yes, no, dtype)

    large, small = chosen(real, imag), chosen(imag, real)
    ratio = apply(at, elementwise.DIV, small, large)
    divisor = apply(at, elementwise.ADD, large, apply(at, elementwise.MUL, small, ratio))
    one = Literal(1.0, dtype)
    minus = apply(at, elementwise.NEG, ratio)
    parts = chosen(one, ratio), chosen(minus, Literal(-1.0, dtype))
    quotients = [apply(at, elementwise.DIV, part, divisor) for part in parts]
    return apply(at, elementwise.COMPLEX_OF, *quotients)


def part_of_complex(value: Computation) -> DType:
    """Return the dtype of the parts of NumPy's complex numbers."""
    element = element_of(value.type)
    assert element is not None
    part = part_of(element)
    assert isinstance(part, DType)
    return part


def _small_power(context: Context, at: Node, base: Computation, known: int) -> Computation:
    square = context.apply(at, elementwise.MUL, base, base)
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


def ordered(
    context: Context, at: Node, symbol: str, lhs: Computation, rhs: Computation
) -> Computation:
    """Return `lhs < rhs` or the like of NumPy's complex numbers: real parts come first.

    A NaN as imaginary part makes it false among arrays; NumPy's scalars do not look at it where the
    real parts differ.
    """
    apply = context.apply
    reals, imags = ([apply(at, op, x) for x in (lhs, rhs)] for op in _PART_OPS)
    apart = apply(at, _ORDERS[symbol[0]], *reals)
    if isinstance(lhs.type, TensorType) or isinstance(rhs.type, TensorType):
        for imag in imags:
            number = apply(at, elementwise.EQ, imag, imag)
            apart = apply(at, elementwise.AND, apart, number)
    same = apply(at, elementwise.EQ, *reals)
    rest = apply(at, _ORDERS[symbol], *imags)
    tied = apply(at, elementwise.AND, same, rest)
    return apply(at, elementwise.OR, apart, tied)


_PART_OPS = (elementwise.REAL, elementwise.IMAG)
_ORDERS: Mapping[str, OpDef] = {
    "<": elementwise.LT,
    "<=": elementwise.LE,
    ">": elementwise.GT,
    ">=": elementwise.GE,
}
