"""exp, exp2, expm1, sinh, cosh and tanh, as LLVM IR text.

- exp, expm1, exp2: x = n ln2 + r with |r| <= ln2/2, a polynomial in r, and 2^n applied as two
  factors, so that subnormal results and the top binade come out right.
- sinh, cosh: with a = 2^(n-1), b = 2^(-n-1), C = cosh(r) - 1 and S = sinh(r), both of polynomials,
  they are (a - b) (1 + C) + (a + b) S and (a + b) (1 + C) + (a - b) S. Nothing is divided, and for
  small x, where n = 0, nothing cancels.
- tanh: expm1(2|x|) / (expm1(2|x|) + 2), with the sign of x.
"""

from scriptc.backends.llvm.elementary.emitter import Emitter


def exp(e: Emitter, x: str) -> str:
    """Return e to the power x."""
    vanishes, x = _clamp_exp(e, x, e.format.exp_low, e.format.exp_high)
    remainder, magic = reduce_exp(e, x)
    low, high = e.halved_powers_of_two(magic)
    power = e.mul(e.fma(low, exp_minus_one(e, remainder), low), high)
    return e.select(vanishes, 0.0, power)


def exp2(e: Emitter, x: str) -> str:
    """Return 2 to the power x."""
    vanishes, x = _clamp_exp(e, x, e.format.exp2_low, e.format.exp2_high)
    magic = e.add(x, e.format.round_magic)
    fraction = e.sub(x, e.sub(magic, e.format.round_magic))  # exact
    low, high = e.halved_powers_of_two(magic)
    head, tail = e.table("ln2")
    remainder = e.fma(fraction, head, e.mul(fraction, tail))
    power = e.mul(e.fma(low, exp_minus_one(e, remainder), low), high)
    return e.select(vanishes, 0.0, power)


def _clamp_exp(e: Emitter, x: str, low: float, high: float) -> tuple[str, str]:
    """Return whether a power of x is 0, and x where it is not, with limits.

    A product that is too small for a float takes a processor a hundred cycles, and the powers of
    what a softmax masks are such products.
    """
    vanishes = e.compare("olt", x, low)
    x = e.select(vanishes, 0.0, x)
    return vanishes, e.select(e.compare("ogt", x, high), high, x)


def expm1(e: Emitter, x: str) -> str:
    """Return e to the power x, less 1."""
    clamped = e.clamp(x, e.format.expm1_low, e.format.exp_high)
    return e.copysign(_expm1_clamped(e, clamped), x)  # keeps -0.0


def _expm1_clamped(e: Emitter, x: str) -> str:
    """2^n (p + 1) - 1, with n split as in exp: 2^high (2^low p + (2^low - 2^-high))."""
    remainder, magic = reduce_exp(e, x)
    low, high = e.halved_powers_of_two(magic)
    inverse_bits = e.integer("sub", 2 * e.format.bias << e.format.mantissa, e.to_bits(high))
    rest = e.sub(low, e.from_bits(inverse_bits))
    return e.mul(e.fma(low, exp_minus_one(e, remainder), rest), high)


def reduce_exp(e: Emitter, x: str) -> tuple[str, str]:
    """Return r = x - n ln2, and a number whose low bits hold n = round(x / ln2)."""
    magic = e.fma(x, e.table("log2_e")[0], e.format.round_magic)
    n = e.sub(magic, e.format.round_magic)
    head, tail = e.table("ln2")
    return e.fma(n, -tail, e.fma(n, -head, x)), magic


def exp_minus_one(e: Emitter, r: str) -> str:
    """Return exp(r) - 1 of a reduced argument."""
    return e.fma(e.mul(r, r), e.polynomial("exp", r), r)


def tanh(e: Emitter, x: str) -> str:
    """Return the hyperbolic tangent."""
    magnitude = e.fabs(x)
    limit = e.format.tanh_high
    magnitude = e.select(e.compare("ogt", magnitude, limit), limit, magnitude)
    grown = _expm1_clamped(e, e.add(magnitude, magnitude))
    return e.copysign(e.div(grown, e.add(grown, 2.0)), x)


def sinh(e: Emitter, x: str) -> str:
    """Return the hyperbolic sine."""
    total, difference, shift, sine = _hyperbolic_parts(e, e.fabs(x))
    scaled = e.add(difference, e.fma(difference, shift, e.mul(total, sine)))
    result = e.select(e.compare("olt", e.fabs(x), _LINEAR), e.fabs(x), e.mul(scaled, _QUARTERED))
    return e.copysign(result, x)


def cosh(e: Emitter, x: str) -> str:
    """Return the hyperbolic cosine."""
    total, difference, shift, sine = _hyperbolic_parts(e, e.fabs(x))
    scaled = e.add(total, e.fma(total, shift, e.mul(difference, sine)))
    return e.mul(scaled, _QUARTERED)


_LINEAR = 2.0**-28  # below, sinh(x) is x; a quarter of a subnormal number may be none
_QUARTERED = 4.0  # 2^(n-1) itself may be infinite where the result is not
_NO_INVERSE = 40.0  # from here on, exp(-x) is nothing beside exp(x)


def _hyperbolic_parts(e: Emitter, x: str) -> tuple[str, str, str, str]:
    """Return a quarter of a + b and of a - b, and C and S, for x that is not negative."""
    x = e.select(e.compare("ogt", x, e.format.sinh_high), e.format.sinh_high, x)
    r, magic = reduce_exp(e, x)
    grown, shrunk = e.power_of_rounded(magic, -3), e.power_of_rounded(magic, -3, inverse=True)
    shrunk = e.select(e.compare("olt", x, _NO_INVERSE), shrunk, 0.0)
    square = e.mul(r, r)
    sine = e.fma(e.mul(r, square), e.polynomial("sinh", square), r)
    shifted = e.mul(square, e.polynomial("cosh", square))
    return e.add(grown, shrunk), e.sub(grown, shrunk), shifted, sine
