"""The remainder of a division, `fmod`, as LLVM IR text: exact, as C's is.

Let q be the quotient of the sizes, rounded, and n what it is without its fraction. As rounding
keeps an order, n is the whole quotient or one more than it. x - n y is a multiple of the last place
of y and no larger than y, so a fused multiply-add gives it exactly; where n is one too large it is
negative, and with y added it is the remainder, which is exact for the same reason. Where q has no
fraction any more, multiples of 2^k y are taken off first, with k as small as allows for a quotient
that has one; the remainder of that takes the place of x.
"""

import math

from scriptc.backends.llvm.elementary.emitter import Emitter


def fmod(e: Emitter, x: str, y: str) -> str:
    """Return what is left of x, with its sign, after y is taken off as often as it goes."""
    dividend, divisor = e.fabs(x), e.fabs(y)
    quotient = e.div(dividend, divisor)
    rest = e.fma(e.neg(e.trunc(quotient)), divisor, dividend)
    rest = e.select(e.compare("olt", rest, 0.0), e.add(rest, divisor), rest)
    # No times infinity is no number.
    rest = e.select(e.compare("olt", dividend, divisor), dividend, rest)
    near = e.copysign(rest, x)
    return e.beyond("fmod", (x, y), near, quotient, 2.0**e.format.mantissa)


def far_fmod(e: Emitter, x: str, y: str) -> str:
    """Return the remainder where the quotient has no fraction; in f32 it is exact in f64, too."""
    if e.type_ == "f32":
        return e.narrow(far_fmod(e.widened(), e.widen(x), e.widen(y)))
    dividend, divisor = e.fabs(x), e.fabs(y)
    defined = e.both(e.compare("olt", dividend, math.inf), e.compare("ogt", divisor, 0.0))
    dividend, divisor = e.select(defined, dividend, 0.0), e.select(defined, divisor, 1.0)
    # What is left by a multiple of a tiny divisor is so small that both can be multiplied.
    tiny = e.compare("olt", divisor, _TINY)
    divisor = e.select(tiny, e.mul(divisor, _LIFT), divisor)
    rest = _reduced(e, dividend, divisor)
    rest = _reduced(e, e.select(tiny, e.mul(rest, _LIFT), rest), divisor)
    rest = e.select(tiny, e.mul(rest, 1.0 / _LIFT), rest)
    return e.copysign(e.select(defined, rest, math.nan), x)


_TINY, _LIFT = 2.0**-900, 2.0**64  # a subnormal number times the second is normal
_DIGITS = 50  # of a quotient that is taken off at once: one less than have a fraction, for safety


def _reduced(e: Emitter, dividend: str, divisor: str) -> str:
    """Return the remainder of two numbers, the divisor normal, some digits at a time."""
    bits, mantissa = e.to_bits(divisor), e.format.mantissa

    def step(x: str) -> str:
        apart = e.integer("lshr", e.integer("sub", e.to_bits(x), bits), mantissa)
        many = e.compare_integers("ugt", apart, _DIGITS)
        k = e.select_integer(many, e.integer("sub", apart, _DIGITS), 0)
        scaled = e.from_bits(e.integer("add", bits, e.integer("shl", k, mantissa)))
        quotient = e.trunc(e.div(x, scaled))
        rest = e.fma(e.neg(quotient), scaled, x)
        return e.select(e.compare("olt", rest, 0.0), e.add(rest, scaled), rest)

    return e.repeat_while(dividend, lambda x: e.compare("oge", x, divisor), step)
