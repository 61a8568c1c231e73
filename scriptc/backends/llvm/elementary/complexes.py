"""Functions of complex numbers, made of the real ones: both parts of a result, of f64 alone.

What the parts are where one of a number is infinite, or none, is in C99's Annex G, and where that
leaves a sign open, the GNU C library decides. The error of a result is a few units in the last
place of its larger part.

- exp, sinh, cosh: products of real functions, as cosh(x) cos(y) + i sinh(x) sin(y); where a factor
  would overflow, it is taken in two.
- log: of the size, which is scaled where it may overflow or vanish; near 1, log1p of what the
  square of the size is above 1.
- sqrt: (|x| + |z|) / 2 is the square of its larger part.
- tanh: sinh(x) cosh(x) and sin(y) cos(y), over sinh(x)^2 + cos(y)^2.
- The inverse functions: Kahan's, *Branch cuts for complex elementary functions* (1987).
- sin, cos, tan, and arcsin, arctan: the hyperbolic ones of a number turned by a right angle.
"""

import math
from collections.abc import Callable, Mapping

from scriptc.backends.llvm.elementary import exponentials, logarithms, trigonometry
from scriptc.backends.llvm.elementary.emitter import Emitter
from scriptc.backends.llvm.elementary.modulus import modulus

Pair = tuple[str, str]
_Function = Callable[[Emitter, str, str], Pair]

_SCALED_FROM = 709.0  # exp overflows before its product with a cosine does
_HUGE, _TINY = 2.0**1000, 2.0**-1000


def exp(e: Emitter, x: str, y: str) -> Pair:
    """Return the exponential, whose angle is y."""
    size, scale = _scaled_exp(e, x)
    real = e.mul(size, e.mul(trigonometry.cos(e, y), scale))
    imag = e.mul(size, e.mul(trigonometry.sin(e, y), scale))
    imag = e.select(e.compare("oeq", y, 0.0), y, imag)
    open_end = e.both(e.compare("oeq", e.fabs(x), math.inf), e.compare("uge", e.fabs(y), math.inf))
    vanishes = e.both(open_end, e.compare("olt", x, 0.0))
    zero = e.copysign(0.0, y)
    return e.select(open_end, size, real), e.select(vanishes, zero, imag)


def _scaled_exp(e: Emitter, x: str) -> tuple[str, str]:
    """Return two factors of exp(x)."""
    large = e.compare("ogt", x, _SCALED_FROM)
    rest = e.select(large, e.sub(x, _SCALED_FROM), x)
    return exponentials.exp(e, rest), e.select(large, math.exp(_SCALED_FROM), 1.0)


def log(e: Emitter, x: str, y: str) -> Pair:
    """Return log |z| + i arg z."""
    a, b = e.fabs(x), e.fabs(y)
    swapped = e.compare("olt", a, b)
    greater, lesser = e.select(swapped, b, a), e.select(swapped, a, b)
    huge, tiny = e.compare("ogt", greater, _HUGE), e.compare("olt", greater, _TINY)
    scale = e.select(huge, 2.0**-100, e.select(tiny, 2.0**100, 1.0))
    back = e.select(huge, 100.0, e.select(tiny, -100.0, 0.0))
    size = modulus(e, e.mul(x, scale), e.mul(y, scale))
    far = e.fma(back, math.log(2.0), logarithms.log(e, size))
    # |z|^2 - 1 = (g - 1) (g + 1) + l^2, each product with its rounding error.
    above, error = e.mul_exact(e.sub(greater, 1.0), e.add(greater, 1.0))
    square, square_error = e.mul_exact(lesser, lesser)
    total = e.add(above, square)
    part = e.sub(total, above)
    lost = e.add(e.sub(above, e.sub(total, part)), e.sub(square, part))
    excess = e.add(total, e.add(lost, e.add(error, square_error)))
    close = e.mul(logarithms.log1p(e, excess), 0.5)
    near = e.both(e.compare("ogt", size, 0.7), e.compare("olt", size, 1.5))
    return e.select(near, close, far), trigonometry.arctan2(e, y, x)


def sqrt(e: Emitter, x: str, y: str) -> Pair:
    """Return the root whose real part is not negative."""
    a, b = e.fabs(x), e.fabs(y)
    greater = e.select(e.compare("olt", a, b), b, a)
    huge, tiny = e.compare("ogt", greater, _HUGE), e.compare("olt", greater, _TINY)
    scale = e.select(huge, 2.0**-100, e.select(tiny, 2.0**100, 1.0))
    back = e.select(huge, 2.0**50, e.select(tiny, 2.0**-50, 1.0))
    size = modulus(e, e.mul(x, scale), e.mul(y, scale))
    larger = e.sqrt(e.mul(e.add(e.mul(a, scale), size), 0.5))
    smaller = e.div(e.mul(e.mul(b, scale), 0.5), larger)
    larger, smaller = e.mul(larger, back), e.mul(smaller, back)
    backward = e.compare_integers("slt", e.to_bits(x), 0)
    real, imag = e.select(backward, smaller, larger), e.select(backward, larger, smaller)
    nothing = e.both(e.compare("oeq", a, 0.0), e.compare("oeq", b, 0.0))
    real, imag = e.select(nothing, 0.0, real), e.select(nothing, 0.0, imag)
    # Along the real axis without an end, the other part is 0, or as unknown as y is.
    endless = e.compare("oeq", a, math.inf)
    other = e.select(e.compare("uno", y, y), math.nan, 0.0)
    real = e.select(endless, e.select(backward, other, math.inf), real)
    imag = e.select(endless, e.select(backward, math.inf, other), imag)
    upward = e.compare("oeq", b, math.inf)
    real, imag = e.select(upward, math.inf, real), e.select(upward, math.inf, imag)
    return real, e.copysign(imag, y)


def sinh(e: Emitter, x: str, y: str) -> Pair:
    """Return the hyperbolic sine."""
    return _hyperbolic(e, x, y, exponentials.sinh, exponentials.cosh)


def cosh(e: Emitter, x: str, y: str) -> Pair:
    """Return the hyperbolic cosine."""
    return _hyperbolic(e, x, y, exponentials.cosh, exponentials.sinh)


_Real = Callable[[Emitter, str], str]


def _hyperbolic(e: Emitter, x: str, y: str, first: _Real, second: _Real) -> Pair:
    """Return first(x) cos(y) + i second(x) sin(y)."""
    cosine, sine = trigonometry.cos(e, y), trigonometry.sin(e, y)
    size, scale = _scaled_exp(e, e.fabs(x))
    large, half = e.compare("ogt", e.fabs(x), _SCALED_FROM), e.mul(scale, 0.5)
    sign = e.copysign(1.0, x)
    signs = [sign if f is exponentials.sinh else 1.0 for f in (first, second)]
    real = e.select(
        large,
        e.mul(size, e.mul(e.mul(cosine, half), signs[0])),
        e.mul(first(e, x), cosine),
    )
    imag = e.select(
        large, e.mul(size, e.mul(e.mul(sine, half), signs[1])), e.mul(second(e, x), sine)
    )
    # On the axes a part of the result is 0, also beside what is no number.
    flat, upright = e.compare("oeq", y, 0.0), e.compare("oeq", x, 0.0)
    unbounded = e.compare("uge", e.fabs(y), math.inf)
    is_sinh = first is exponentials.sinh
    level = y if is_sinh else e.select(e.compare("uno", x, x), y, e.mul(y, sign))
    imag = e.select(flat, level, imag)
    if is_sinh:
        real = e.select(e.both(upright, unbounded), x, real)
    else:
        imag = e.select(e.both(upright, unbounded), 0.0, imag)
    far = e.both(e.compare("oeq", e.fabs(x), math.inf), unbounded)
    return e.select(far, math.inf, real), imag


def tanh(e: Emitter, x: str, y: str) -> Pair:
    """Return (sinh(x) cosh(x) + i sin(y) cos(y)) / (sinh(x)^2 + cos(y)^2)."""
    cosine, sine = trigonometry.cos(e, y), trigonometry.sin(e, y)
    size = e.fabs(x)
    far = e.compare("ogt", size, 22.0)
    limited = e.select(far, 0.0, x)
    h, c = exponentials.sinh(e, limited), exponentials.cosh(e, limited)
    below = e.fma(h, h, e.mul(cosine, cosine))
    both = e.mul(sine, cosine)
    shrunk = exponentials.exp(e, e.neg(size))
    real = e.select(far, e.copysign(1.0, x), e.div(e.mul(h, c), below))
    imag = e.select(far, e.mul(e.mul(e.mul(both, 4.0), shrunk), shrunk), e.div(both, below))
    unbounded = e.compare("uge", e.fabs(y), math.inf)
    endless = e.compare("oeq", size, math.inf)
    imag = e.select(e.both(endless, unbounded), e.copysign(0.0, y), imag)
    unknown = e.both(unbounded, e.opposite(endless))
    upright = e.compare("oeq", x, 0.0)
    real = e.select(unknown, e.select(upright, x, math.nan), real)
    return real, e.select(e.compare("oeq", y, 0.0), y, imag)


def arcsinh(e: Emitter, x: str, y: str) -> Pair:
    """Return i times the inverse sine of -i z."""
    real, imag = _arcsin(e, y, e.neg(x))
    return e.neg(imag), real


def _arcsin(e: Emitter, x: str, y: str) -> Pair:
    """Return atan2(x, Re(r s)) + i asinh(Im(conj(r) s)), r = sqrt(1 - z), s = sqrt(1 + z)."""
    (a, b), (c, d) = _roots_around(e, x, y)
    real = trigonometry.arctan2(e, x, e.sub(e.mul(a, c), e.mul(b, d)))
    imag = logarithms.arcsinh(e, e.sub(e.mul(a, d), e.mul(b, c)))
    return _or_far(e, x, y, (real, imag), _far_arcsin)


def _roots_around(e: Emitter, x: str, y: str) -> tuple[Pair, Pair]:
    """Return the roots of 1 - z and of 1 + z."""
    return sqrt(e, e.sub(1.0, x), e.neg(y)), sqrt(e, e.add(1.0, x), y)


_FAR = 2.0**60  # from here on, the inverse functions are logarithms of 2 z


def _or_far(e: Emitter, x: str, y: str, near: Pair, far: _Function) -> Pair:
    size = e.select(e.compare("olt", e.fabs(x), e.fabs(y)), e.fabs(y), e.fabs(x))
    beyond = e.either(e.compare("ogt", size, _FAR), e.compare("uno", x, y))
    real, imag = far(e, x, y)
    return e.select(beyond, real, near[0]), e.select(beyond, imag, near[1])


def _log_of_twice(e: Emitter, x: str, y: str) -> str:
    return e.add(log(e, x, y)[0], math.log(2.0))


def _far_arcsin(e: Emitter, x: str, y: str) -> Pair:
    imag = e.copysign(_log_of_twice(e, x, y), y)
    real = trigonometry.arctan2(e, x, e.fabs(y))
    flat = e.compare("oeq", x, 0.0)
    return e.select(flat, x, real), imag


def arccos(e: Emitter, x: str, y: str) -> Pair:
    """Return 2 atan2(Re r, Re s) + i asinh(Im(conj(s) r)), r = sqrt(1 - z), s = sqrt(1 + z)."""
    (a, b), (c, d) = _roots_around(e, x, y)
    real = e.mul(trigonometry.arctan2(e, a, c), 2.0)
    imag = logarithms.arcsinh(e, e.sub(e.mul(c, b), e.mul(d, a)))
    real, imag = _or_far(e, x, y, (real, imag), _far_arccos)
    unknown = e.both(e.compare("oeq", x, 0.0), e.compare("uno", y, y))
    return e.select(unknown, math.pi / 2, real), imag


def _far_arccos(e: Emitter, x: str, y: str) -> Pair:
    imag = e.neg(e.copysign(_log_of_twice(e, x, y), y))
    return trigonometry.arctan2(e, e.fabs(y), x), imag


def arccosh(e: Emitter, x: str, y: str) -> Pair:
    """Return the inverse cosine turned by a right angle, so that its real part is not negative."""
    real, imag = arccos(e, x, y)
    return e.fabs(imag), e.copysign(real, y)


def arctanh(e: Emitter, x: str, y: str) -> Pair:
    """Return half of log((1 + z) / (1 - z))."""
    size, height = e.fabs(x), e.fabs(y)
    below = e.sub(1.0, size)
    square = e.mul(y, y)
    ratio = e.div(e.mul(size, 4.0), e.fma(below, below, square))
    real = e.mul(logarithms.log1p(e, ratio), 0.25)
    angle = trigonometry.arctan2(e, e.mul(y, 2.0), e.sub(e.mul(below, e.add(size, 1.0)), square))
    imag = e.mul(angle, 0.5)
    greater = e.select(e.compare("olt", size, height), height, size)
    far = e.compare("ogt", greater, _FAR)
    scaled = e.select(far, e.div(1.0, greater), 1.0)
    first, second = e.mul(size, scaled), e.mul(height, scaled)
    vanishing = e.div(e.mul(first, scaled), e.fma(first, first, e.mul(second, second)))
    real = e.select(far, vanishing, real)
    imag = e.select(far, e.copysign(math.pi / 2, y), imag)
    endless = e.either(e.compare("oeq", size, math.inf), e.compare("oeq", height, math.inf))
    real = e.select(endless, 0.0, real)
    unknown = e.compare("uno", y, y)
    imag = e.select(unknown, math.nan, imag)
    imag = e.select(e.compare("oeq", height, math.inf), math.pi / 2, imag)
    upright = e.compare("oeq", x, 0.0)
    real = e.select(e.both(unknown, upright), 0.0, real)
    return e.copysign(real, x), e.copysign(imag, y)


def _turned(function: _Function) -> _Function:
    """Return -i f(i z), of an odd function."""

    def turned(e: Emitter, x: str, y: str) -> Pair:
        real, imag = function(e, e.neg(y), x)
        return imag, e.neg(real)

    return turned


def sin(e: Emitter, x: str, y: str) -> Pair:
    """Return -i sinh(i z), but for the sign of an infinity beside what is no number."""
    real, imag = sinh(e, e.neg(y), x)
    far = e.both(e.compare("oeq", e.fabs(y), math.inf), e.compare("uge", e.fabs(x), math.inf))
    return imag, e.select(far, math.inf, e.neg(real))


def _cosine(e: Emitter, x: str, y: str) -> Pair:
    return cosh(e, e.neg(y), x)


def _to_base(base: float) -> _Function:
    """Return a logarithm to another base: NumPy scales both parts of the natural one."""

    def function(e: Emitter, x: str, y: str) -> Pair:
        real, imag = log(e, x, y)
        factor = 1.0 / math.log(base)
        return e.mul(real, factor), e.mul(imag, factor)

    return function


FUNCTIONS: Mapping[str, _Function] = {
    "exp": exp,
    "log": log,
    "log2": _to_base(2.0),
    "log10": _to_base(10.0),
    "sqrt": sqrt,
    "sinh": sinh,
    "cosh": cosh,
    "tanh": tanh,
    "sin": sin,
    "cos": _cosine,
    "tan": _turned(tanh),
    "arcsinh": arcsinh,
    "arccosh": arccosh,
    "arctanh": arctanh,
    "arcsin": _arcsin,
    "arccos": arccos,
    "arctan": _turned(arctanh),
}
