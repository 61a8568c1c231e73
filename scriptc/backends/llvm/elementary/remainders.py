"""The remainder of a division, `fmod`, as LLVM IR text: exact, as C's is.

Let q be the quotient of the sizes, rounded, and n what it is without its fraction. As rounding
keeps an order, n is the whole quotient or one more than it. x - n y is a multiple of the last place
of y and no larger than y, so a fused multiply-add gives it exactly; where n is one too large it is
negative, and with y added it is the remainder, which is exact for the same reason. Where q has no
fraction any more, libm is called.
"""

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
    return e.libm_beyond("fmod", (x, y), near, quotient, 2.0**e.format.mantissa)
