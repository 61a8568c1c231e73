"""sin, cos, tan and the functions that give an angle, as LLVM IR text.

- sin, cos, tan: x = n pi/2 + r with pi/2 in three parts and r in two (Cody and Waite). Where n
  would not fit any more, `far_angles` finds r. tan is the quotient of both in two parts, corrected
  by what it leaves.
- arctan, arctan2: the quotient of the lesser by the greater, brought to at most tan(pi/8), then a
  polynomial, and a multiple of pi/4 in two parts.
- arcsin, arccos: up to 1/2 a polynomial, beyond it that of sqrt((1 - |x|) / 2), which is the sine
  of half the angle that is missing.
"""

import math
from collections.abc import Callable, Sequence
from functools import partial

from scriptc.backends.llvm.elementary import far_angles
from scriptc.backends.llvm.elementary.emitter import Emitter, Parts


def sin(e: Emitter, x: str) -> str:
    """Return the sine."""
    sine = _sine_of_quadrant(e, *_reduce_trig(e, x), 0)
    sine = e.select(e.compare("oeq", x, 0.0), x, sine)  # keeps -0.0
    return _or_far(e, "sin", x, sine)


def cos(e: Emitter, x: str) -> str:
    """Return the cosine."""
    return _or_far(e, "cos", x, _sine_of_quadrant(e, *_reduce_trig(e, x), 1))


def tan(e: Emitter, x: str) -> str:
    """Return the tangent."""
    tangent = _tangent(e, *_reduce_trig(e, x))
    tangent = e.select(e.compare("oeq", x, 0.0), x, tangent)  # keeps -0.0
    return _or_far(e, "tan", x, tangent)


def far_sin(e: Emitter, x: str) -> str:
    """Return the sine of a number from the limit of the format on."""
    return _far(e, x, odd=True, long=partial(_sine_of_quadrant, quadrants=0), short=_short_sine)


def far_cos(e: Emitter, x: str) -> str:
    """Return the cosine of a number from the limit of the format on."""
    short = partial(_short_sine, quadrants=1)
    return _far(e, x, odd=False, long=partial(_sine_of_quadrant, quadrants=1), short=short)


def far_tan(e: Emitter, x: str) -> str:
    """Return the tangent of a number from the limit of the format on."""
    return _far(e, x, odd=True, long=_tangent, short=_short_tangent)


_Reduced = tuple[str, str, str]  # an angle in two parts, and in the low bits n, the quadrant
_OfAngle = Callable[..., str]  # of an emitter and an angle as it was reduced


def _far(e: Emitter, x: str, *, odd: bool, long: _OfAngle, short: _OfAngle) -> str:
    """Return a function of a large number, in f32 computed in f64 and rounded once more."""
    match e.type_:
        case "f64":
            size, limit = e.fabs(x), e.format.trig_high
            limited = e.select(e.compare("olt", size, limit), limit, size)
            result = long(e, *far_angles.reduce_far(e, limited))
        case "f32":
            size, limit = e.fabs(x), e.format.trig_high
            limited = e.select(e.compare("olt", size, limit), limit, size)
            wide = e.widened()
            result = e.narrow(short(wide, *far_angles.reduce_far_short(wide, e.widen(limited))))
        case _:
            raise ValueError(f"no such type: {e.type_}")
    result = e.select(e.compare("olt", size, math.inf), result, math.nan)
    if odd:
        sign = e.integer("and", e.to_bits(x), -(1 << (e.format.bits - 1)))
        result = e.from_bits(e.integer("xor", e.to_bits(result), sign))
    return result


def _short_sine(e: Emitter, x: str, n: str, quadrants: int = 0) -> str:
    sine, cosine, odd, n = *_short_parts(e, x), *_oddness(e, n, quadrants)
    sign = e.integer("shl", e.integer("and", n, 2), e.format.bits - 2)
    return e.from_bits(e.integer("xor", e.to_bits(e.select(odd, cosine, sine)), sign))


def _short_tangent(e: Emitter, x: str, n: str) -> str:
    sine, cosine, odd, _ = *_short_parts(e, x), *_oddness(e, n, 0)
    return e.div(e.select(odd, e.neg(cosine), sine), e.select(odd, sine, cosine))


def _short_parts(e: Emitter, x: str) -> Parts:
    """Return sine and cosine, precise enough to be rounded to f32."""
    square = e.mul(x, x)
    sine = e.fma(e.mul(x, square), e.polynomial("sin", square), x)
    cosine = e.fma(square, -0.5, 1.0)
    return sine, e.fma(e.mul(square, square), e.polynomial("cos", square), cosine)


def _oddness(e: Emitter, n: str, quadrants: int) -> tuple[str, str]:
    """Return whether n + quadrants is odd, and it."""
    n = e.integer("add", n, quadrants)
    return e.compare_integers("ne", e.integer("and", n, 1), 0), n


def _tangent(e: Emitter, head: str, tail: str, n: str) -> str:
    square = e.mul(head, head)
    sine = e.add_exact(*_sine(e, head, tail, square))
    cosine = e.add_exact(*_cosine(e, head, tail, square))
    odd = e.compare_integers("ne", e.integer("and", n, 1), 0)
    above, above_rest = (e.select(odd, c, s) for s, c in zip(sine, cosine, strict=True))
    below, below_rest = (e.select(odd, s, c) for s, c in zip(sine, cosine, strict=True))
    inverse = e.div(1.0, below)
    quotient = e.mul(above, inverse)
    opposite = e.neg(quotient)
    rest = e.add(e.fma(opposite, below, above), e.fma(opposite, below_rest, above_rest))
    quotient = e.fma(rest, inverse, quotient)
    sign = e.integer("shl", n, e.format.bits - 1)
    return e.from_bits(e.integer("xor", e.to_bits(quotient), sign))


def _sine_of_quadrant(e: Emitter, head: str, tail: str, n: str, quadrants: int) -> str:
    """Return sin(head + tail + (n + quadrants) pi/2)."""
    square = e.mul(head, head)
    sine = e.add(*_sine(e, head, tail, square))
    cosine = e.add(*_cosine(e, head, tail, square))
    odd, n = _oddness(e, n, quadrants)
    sign = e.integer("shl", e.integer("and", n, 2), e.format.bits - 2)
    return e.from_bits(e.integer("xor", e.to_bits(e.select(odd, cosine, sine)), sign))


def _reduce_trig(e: Emitter, x: str) -> _Reduced:
    """Return x - n pi/2 as head + tail, and an integer whose low bits are those of n.

    Near multiples of pi/2 almost all bits cancel, so the second part of pi/2 is subtracted with
    its rounding errors kept: those of the product (fma) and of the difference (Knuth's TwoSum).
    """
    first, second, third = e.table("half_pi")
    magic = e.fma(x, e.table("two_over_pi")[0], e.format.round_magic)
    n = e.sub(magic, e.format.round_magic)
    r = e.fma(n, -first, x)  # exact
    product = e.mul(n, second)
    product_error = e.fma(n, -second, product)
    head = e.sub(r, product)
    part = e.sub(head, r)
    head_error = e.sub(e.sub(r, e.sub(head, part)), e.add(product, part))
    return head, e.fma(n, -third, e.add(head_error, product_error)), e.to_bits(magic)


def _sine(e: Emitter, head: str, tail: str, square: str) -> Parts:
    """sin(head + tail) = head + (head^3 q + tail (1 - head^2/2))."""
    tail_part = e.fma(e.mul(square, -0.5), tail, tail)
    return head, e.fma(e.mul(head, square), e.polynomial("sin", square), tail_part)


def _cosine(e: Emitter, head: str, tail: str, square: str) -> Parts:
    """cos(head + tail) = w + ((1 - w - head^2/2) + head^4 q - head tail), w = 1 - head^2/2."""
    w = e.fma(square, -0.5, 1.0)
    w_error = e.fma(square, -0.5, e.sub(1.0, w))
    rest = e.sub(w_error, e.mul(head, tail))
    return w, e.fma(e.mul(square, square), e.polynomial("cos", square), rest)


def _or_far(e: Emitter, name: str, x: str, near: str) -> str:
    """Replace the result where the reduction does not reach."""
    return e.beyond(name, (x,), near, x, e.format.trig_high)


def arctan(e: Emitter, x: str) -> str:
    """Return the angle of a tangent."""
    magnitude = e.fabs(x)
    steep = e.compare("ogt", magnitude, 1.0)
    lesser, greater = e.select(steep, 1.0, magnitude), e.select(steep, magnitude, 1.0)
    return e.copysign(_angle(e, e.div(lesser, greater), [(steep, 2.0)]), x)


def arctan2(e: Emitter, y: str, x: str) -> str:
    """Return the angle of the point (x, y)."""
    rise, run = e.fabs(y), e.fabs(x)
    steep = e.compare("ogt", rise, run)
    lesser, greater = e.select(steep, run, rise), e.select(steep, rise, run)
    quotient = e.div(lesser, greater)
    # Where inf/inf and 0/0 are no numbers the angle still is one.
    quotient = e.select(e.compare("oeq", lesser, greater), 1.0, quotient)
    quotient = e.select(e.compare("oeq", e.add(rise, run), 0.0), 0.0, quotient)
    backward = e.compare_integers("slt", e.to_bits(x), 0)  # -0.0 too
    return e.copysign(_angle(e, quotient, [(steep, 2.0), (backward, 4.0)]), y)


def _angle(e: Emitter, tangent: str, mirrors: Sequence[tuple[str, float]]) -> str:
    """Return the angle of a tangent from 0 to 1, then m pi/4 less it where each mirror holds.

    The angle is k pi/4 + sign * p; the small parts are added first, so that one rounding counts.
    """
    high = e.compare("ogt", tangent, e.table("tan_eighth_pi")[0])
    turned = e.div(e.sub(tangent, 1.0), e.add(tangent, 1.0))
    u = e.select(high, turned, tangent)
    square = e.mul(u, u)
    part = e.fma(e.mul(u, square), e.polynomial("arctan", square), u)
    k: str = e.select(high, 1.0, 0.0)
    sign: str | float = 1.0
    for holds, m in mirrors:
        k = e.select(holds, e.sub(m, k), k)
        sign = e.select(holds, e.sub(0.0, sign), sign)
    head, tail = e.table("quarter_pi")
    base = e.mul(k, head)
    rest = e.fma(k, tail, e.fma(k, head, e.sub(0.0, base)))
    return e.add(base, e.fma(part, sign, rest))


def arcsin(e: Emitter, x: str) -> str:
    """Return the angle of a sine."""
    size = e.fabs(x)
    steep = e.compare("ogt", size, 0.5)
    head, tail = e.table("half_pi")[:2]
    base = e.select(steep, head, 0.0), e.select(steep, tail, 0.0)
    return e.copysign(_arc(e, size, steep, base, e.select(steep, -2.0, 1.0)), x)


def arccos(e: Emitter, x: str) -> str:
    """Return the angle of a cosine."""
    steep = e.compare("ogt", e.fabs(x), 0.5)
    backward = e.compare("olt", x, 0.0)
    base = tuple(
        e.select(steep, e.select(backward, 2.0 * part, 0.0), part)
        for part in e.table("half_pi")[:2]
    )
    factor = e.select(steep, e.select(backward, -2.0, 2.0), -1.0)
    return _arc(e, x, steep, (base[0], base[1]), factor)


def _arc(e: Emitter, x: str, steep: str, base: Parts, factor: str) -> str:
    """Return base + factor arcsin(x), or that of the half angle where x is steep."""
    square = e.select(steep, e.fma(e.fabs(x), -0.5, 0.5), e.mul(x, x))
    sine = e.select(steep, e.sqrt(square), x)
    tail = e.mul(e.mul(sine, square), e.polynomial("arcsin", square))
    total, error = e.add_exact(base[0], e.mul(factor, sine))
    return e.add(total, e.add(error, e.fma(factor, tail, base[1])))
