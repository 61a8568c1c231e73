"""The size of a complex number: the GNU C library's `hypot` without branches.

The root of the sum of both squares loses up to an ulp; Borges (2019) corrects it by the rounding
errors of the root, which plain arithmetic gives exactly.  Where squares would overflow or vanish
both parts are scaled by a power of two first; a lesser part whose square vanishes beside that of
the greater one does not count.  In single precision squares are exact in double precision.
"""

import math

from scriptc.backends.llvm.elementary.emitter import Emitter

_HUGE, _TINY, _SCALE = 2.0**511, 2.0**-400, 2.0**600
_LEAST = 2.0**-1000  # less than twice the size of what is not 0


def modulus(e: Emitter, x: str, y: str) -> str:
    """Return the size of a number with these parts."""
    a, b = e.fabs(x), e.fabs(y)
    endless = e.either(e.compare("oeq", a, math.inf), e.compare("oeq", b, math.inf))
    match e.type_:
        case "f64":
            size = _scaled(e, a, b)
        case "f32":
            wide, first, second = e.widened(), e.widen(a), e.widen(b)
            squares = wide.add(wide.mul(first, first), wide.mul(second, second))
            size = e.narrow(wide.sqrt(squares))
        case _:
            raise ValueError(f"no such type: {e.type_}")
    return e.select(endless, math.inf, size)


def _scaled(e: Emitter, x: str, y: str) -> str:
    swapped = e.compare("olt", x, y)
    greater, lesser = e.select(swapped, y, x), e.select(swapped, x, y)
    huge, tiny = e.compare("ogt", greater, _HUGE), e.compare("olt", greater, _TINY)
    scale = e.select(huge, 1.0 / _SCALE, e.select(tiny, _SCALE, 1.0))
    back = e.select(huge, _SCALE, e.select(tiny, 1.0 / _SCALE, 1.0))
    return e.mul(_corrected(e, e.mul(greater, scale), e.mul(lesser, scale)), back)


def _corrected(e: Emitter, x: str, y: str) -> str:
    h = e.sqrt(e.add(e.mul(x, x), e.mul(y, y)))
    twice = e.add(y, y)
    near = e.compare("ole", h, twice)
    delta = e.sub(h, e.select(near, y, x))
    double, between = e.add(delta, delta), e.sub(x, y)
    near_first = e.mul(x, e.sub(double, x))
    near_second = e.mul(e.sub(delta, e.add(between, between)), delta)
    far_first = e.mul(double, e.sub(x, twice))
    far_second = e.add(e.mul(e.sub(e.mul(delta, 4.0), y), y), e.mul(delta, delta))
    first, second = e.select(near, near_first, far_first), e.select(near, near_second, far_second)
    both = e.add(h, h)
    divisor = e.select(e.compare("olt", both, _LEAST), _LEAST, both)  # 0 / 0 is no error
    return e.sub(h, e.div(e.add(first, second), divisor))
