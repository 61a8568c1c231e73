"""The error function and its complement; in f32 they are computed in f64 and rounded once more.

Up to 1, erf is x and a polynomial of its series, less x: so the greatest part is exact. From 1/2
on, erfc(x) = exp(-x^2) q(t) / (1 + 2x) with t = (x - 4) / (x + 4): q hardly changes between 0 and
infinity, so that one polynomial serves (M. M. Shepherd and J. G. Laframboise, Chebyshev
approximation of (1 + 2x) exp(x^2) erfc x in 0 <= x < infinity, Mathematics of Computation 36,
1981). The rounding error of x^2 is given back to the reduced argument of exp.
"""

from scriptc.backends.llvm.elementary.emitter import Emitter
from scriptc.backends.llvm.elementary.exponentials import exp_minus_one, reduce_exp


def erf(e: Emitter, x: str) -> str:
    """Return the error function."""
    if e.type_ == "f32":
        return e.narrow(erf(e.widened(), e.widen(x)))
    size = e.fabs(x)
    far = e.sub(1.0, _complement(e, e.clamp(size, 1.0, _ALL)))
    return e.copysign(e.select(e.compare("ogt", size, 1.0), far, _near(e, size)), x)


def erfc(e: Emitter, x: str) -> str:
    """Return what erf lacks of 1."""
    if e.type_ == "f32":
        return e.narrow(erfc(e.widened(), e.widen(x)))
    size = e.fabs(x)
    far = _complement(e, e.clamp(size, 0.5, _NONE))
    far = e.select(e.compare("olt", x, 0.0), e.sub(2.0, far), far)
    is_near = e.both(e.compare("ogt", x, -1.0), e.compare("olt", x, 0.5))
    return e.select(is_near, e.sub(1.0, e.copysign(_near(e, size), x)), far)


_ALL = 6.0  # from here on, erf is 1
_NONE = 27.3  # from here on, erfc is 0


def _near(e: Emitter, size: str) -> str:
    """Return erf up to 1."""
    size = e.select(e.compare("ogt", size, 1.0), 1.0, size)
    square = e.mul(size, size)
    factor = e.fma(square, e.polynomial("erf", square), e.table("erf_slope")[0])
    return e.fma(size, factor, size)


def _complement(e: Emitter, x: str) -> str:
    """Return erfc from 1/2 on."""
    square = e.mul(x, x)
    error = e.fma(x, x, e.neg(square))
    remainder, magic = reduce_exp(e, e.neg(square))
    grown = exp_minus_one(e, e.sub(remainder, error))
    t = e.div(e.sub(x, 4.0), e.add(x, 4.0))
    factor = e.div(e.polynomial("erfc", t), e.fma(x, 2.0, 1.0))
    low, high = e.halved_powers_of_two(magic)
    return e.mul(e.mul(e.fma(factor, grown, factor), low), high)
