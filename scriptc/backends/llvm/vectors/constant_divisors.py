"""Quotients and remainders of vectors of 64-bit ints by a positive constant, without a division.

    u = x if x >= 0 else -1 - x             0 <= u < 2**63
    q = (u * m >> 64) >> p - 1              m = 2**(63 + p) // d + 1, where 2**p is d or more
    x // d  =  q if x >= 0 else -1 - q      rounded down, as -1 - u // d is (-1 - u) // d

(T. Granlund, P. L. Montgomery, Division by invariant integers using multiplication, 1994: it holds
as m * d exceeds 2**(63 + p) by no more than 2**p.)  LLVM does the same with single elements alone,
since no processor has the upper half of such a product for vectors. It is made of four products of
halves here, which every processor has.
"""

from scriptc.backends.llvm.emitter.function import Emitter, literal
from scriptc_runtime.ir import Instr
from scriptc_runtime.ops import elementwise as ops
from scriptc_runtime.types import DType

_LOW = (1 << 32) - 1


def constant_divisor(e: Emitter, instr: Instr) -> int | None:
    """Return the positive constant that an instruction divides 64-bit ints by, None if none."""
    if instr.op not in (ops.FLOORDIV, ops.MOD) or instr.result.type is not DType.I64:
        return None
    dividend, divisor = instr.operands
    if dividend.type is not DType.I64 or divisor not in e.values:
        return None
    number = literal(e.one(divisor))
    return number if number is not None and number > 0 else None


def write_division(e: Emitter, lanes: int, instr: Instr, x: str, divisor: int) -> str:
    """Write the quotients of a vector, or the remainders, and return their name."""
    v = f"<{lanes} x i64>"
    if divisor & (divisor - 1) == 0:
        if instr.op is ops.MOD:
            return e.let(f"and {v} {x}, splat (i64 {divisor - 1})")
        return e.let(f"ashr {v} {x}, splat (i64 {divisor.bit_length() - 1})")
    quotient = _quotient(e, v, x, divisor)
    if instr.op is ops.FLOORDIV:
        return quotient
    multiple = e.let(f"mul {v} {quotient}, splat (i64 {divisor})")
    return e.let(f"sub {v} {x}, {multiple}")


def _quotient(e: Emitter, v: str, x: str, divisor: int) -> str:
    bits = (divisor - 1).bit_length()
    factor = (1 << (63 + bits)) // divisor + 1
    sign = e.let(f"ashr {v} {x}, splat (i64 63)")
    magnitude = e.let(f"xor {v} {x}, {sign}")
    upper = _upper_half(e, v, magnitude, factor)
    shifted = e.let(f"lshr {v} {upper}, splat (i64 {bits - 1})")
    return e.let(f"xor {v} {shifted}, {sign}")


def _upper_half(e: Emitter, v: str, x: str, factor: int) -> str:
    """Write the upper 64 bits of the products of a vector, below 2**63 each, and a constant."""

    def times(half: str, other: int) -> str:
        return e.let(f"mul {v} {half}, splat (i64 {other})")

    def upper(value: str) -> str:
        return e.let(f"lshr {v} {value}, splat (i64 32)")

    def plus(one: str, other: str) -> str:
        return e.let(f"add {v} {one}, {other}")

    low, high = e.let(f"and {v} {x}, splat (i64 {_LOW})"), upper(x)
    low_factor, high_factor = factor & _LOW, factor >> 32
    # None of the sums exceeds 64 bits: a product of halves is at most (2**32 - 1)**2.
    middle = plus(times(low, high_factor), upper(times(low, low_factor)))
    rest = plus(times(high, low_factor), e.let(f"and {v} {middle}, splat (i64 {_LOW})"))
    return plus(plus(times(high, high_factor), upper(middle)), upper(rest))
