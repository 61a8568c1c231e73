"""NumPy's functions of complex elements that are made of functions of their parts.

Each is put together as NumPy's code does it; those that have an op of their own are not here.
"""

import math
from collections.abc import Callable, Mapping

import numpy as np

from scriptc.check.checked import Computation, Literal, Select
from scriptc.check.conversion import converted
from scriptc.check.library.call import LibraryCall
from scriptc.check.python import complex_operators
from scriptc_runtime.ops import elementary, elementwise
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import BOOL, DType, TensorType, element_of


def complex_meaning(call: LibraryCall, ufunc: np.ufunc, value: Computation) -> Computation | None:
    """Return what a ufunc computes of complex elements, None where an op does that."""
    compute = _MEANINGS.get(ufunc)
    return compute(_Parts(call, value)) if compute else None


def complex_truth(call: LibraryCall, value: Computation) -> Computation:
    """Return whether each element is not zero."""
    dtype = element_of(value.type)
    assert isinstance(dtype, DType)
    return call.context.apply(call.node, elementwise.NE, value, Literal(0j, dtype))


class _Parts:
    """A complex operand, its parts, and what is computed of them."""

    def __init__(self, call: LibraryCall, value: Computation) -> None:
        self.call, self.whole = call, value
        self.dtype = complex_operators.part_of_complex(value)
        self.real, self.imag = (
            self.op(part, value) for part in (elementwise.REAL, elementwise.IMAG)
        )

    def op(self, op: OpDef, *operands: Computation) -> Computation:
        return self.call.context.apply(self.call.node, op, *operands)

    def number(self, value: float) -> Computation:
        return Literal(value, self.dtype)

    def complex_of(self, real: Computation, imag: Computation) -> Computation:
        return self.op(elementwise.COMPLEX_OF, real, imag)

    def is_endless(self, part: Computation) -> Computation:
        return self.op(elementwise.EQ, self.op(elementwise.ABS, part), self.number(math.inf))

    def chosen(self, condition: Computation, yes: Computation, no: Computation) -> Computation:
        if any(isinstance(v.type, TensorType) for v in (condition, yes, no)):
            return self.op(elementwise.WHERE, condition, yes, no)
        return Select(converted(condition, BOOL), yes, no, yes.type)


def _rint(z: _Parts) -> Computation:
    return z.complex_of(z.op(elementary.RINT, z.real), z.op(elementary.RINT, z.imag))


def _exp2(z: _Parts) -> Computation:
    by = z.number(math.log(2))
    scaled = z.complex_of(z.op(elementwise.MUL, z.real, by), z.op(elementwise.MUL, z.imag, by))
    return z.op(elementwise.EXP, scaled)


def _log1p(z: _Parts) -> Computation:
    more = z.op(elementwise.ADD, z.real, z.number(1.0))
    size = z.op(elementary.HYPOT, more, z.imag)
    return z.complex_of(z.op(elementwise.LOG, size), z.op(elementary.ARCTAN2, z.imag, more))


def _expm1(z: _Parts) -> Computation:
    half = z.op(elementary.SIN, z.op(elementwise.DIV, z.imag, z.number(2.0)))
    less = z.op(elementwise.MUL, z.number(2.0), z.op(elementwise.MUL, half, half))
    turned = z.op(elementwise.MUL, z.op(elementary.EXPM1, z.real), z.op(elementary.COS, z.imag))
    imag = z.op(elementwise.MUL, z.op(elementwise.EXP, z.real), z.op(elementary.SIN, z.imag))
    return z.complex_of(z.op(elementwise.SUB, turned, less), imag)


def _sign(z: _Parts) -> Computation:
    """Return the number over its size; where that has no end, the parts without end alone count."""
    zero, one = z.number(0.0), z.number(1.0)
    size = z.op(elementwise.ABS, z.whole)
    parts = z.real, z.imag
    quotients = [z.op(elementwise.DIV, part, size) for part in parts]
    endless = [z.is_endless(part) for part in parts]
    both = z.op(elementwise.AND, *endless)
    found: list[Computation] = []
    for part, quotient, own in zip(parts, quotients, endless, strict=True):
        end = z.chosen(own, z.op(elementary.COPYSIGN, one, part), zero)
        end = z.chosen(both, z.number(math.nan), end)
        plain = z.chosen(z.op(elementwise.EQ, size, zero), zero, quotient)
        found.append(z.chosen(z.is_endless(size), end, plain))
    return z.complex_of(*found)


_MEANINGS: Mapping[np.ufunc, Callable[[_Parts], Computation]] = {
    np.rint: _rint,
    np.exp2: _exp2,
    np.log1p: _log1p,
    np.expm1: _expm1,
    np.sign: _sign,
}
