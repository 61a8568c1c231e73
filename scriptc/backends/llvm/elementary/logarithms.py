"""Logarithms, and the inverse hyperbolic functions made of them, as LLVM IR text.

- log, log1p: x = 2^k m with m in [sqrt(1/2), sqrt(2)), then a polynomial for log(m).
- log2, log10: the same times 1/log(base), with m - 1 times it in two parts, added to the multiple
  of k last: powers of the base have whole logarithms.
- arcsinh, arccosh: log(1 + w), with w and its rounding error of |x| + sqrt(x^2 + 1) - 1 and
  (x - 1) + sqrt(x^2 - 1); where x^2 + 1 is x^2, log(2|x|).
- arctanh: half of log(q), q = (1 + |x|) / (1 - |x|). With q = 2^k (1 + s) / (1 - s), s comes of x
  directly, so that it is exact where k = 0.
"""

import math

from scriptc.backends.llvm.elementary.emitter import Emitter, Parts


def log(e: Emitter, x: str) -> str:
    """Return the natural logarithm."""
    k, m = split_any(e, x)
    return _fix_log(e, x, x, _log_of_parts(e, e.sub(m, 1.0), k), pole=0.0)


def log2(e: Emitter, x: str) -> str:
    """Return the logarithm to base 2."""
    return _log_to_base(e, x, "log2_e", (1.0, 0.0))


def log10(e: Emitter, x: str) -> str:
    """Return the logarithm to base 10."""
    head, tail = e.table("log10_2_exact_head")
    return _log_to_base(e, x, "log10_e", (head, tail))


def _log_to_base(e: Emitter, x: str, factor: str, of_two: tuple[float, float]) -> str:
    """Return log(x) times a factor, of which log(2) times it is given in two parts.

    The great parts are added last: what is rounded before is small beside a whole result.
    """
    k, m = split_any(e, x)
    f = e.sub(m, 1.0)
    head, tail = e.table(factor)
    low_part = e.mul(f, tail)
    if of_two[1]:
        low_part = e.fma(k, of_two[1], low_part)
    fraction = e.fma(f, head, e.fma(_log_beside_linear(e, f), head, low_part))
    return _fix_log(e, x, x, e.fma(k, of_two[0], fraction), pole=0.0)


def log1p(e: Emitter, x: str) -> str:
    """Take log of u = 1 + x, and give the rounding error of u back to the reduced argument."""
    near = e.compare("olt", x, math.ldexp(1.0, e.format.mantissa + 2))
    u, error = _one_plus(e, x)
    result = _fix_log(e, u, x, _log_of_sum(e, u, error, near), pole=-1.0)
    return e.select(e.compare("oeq", x, 0.0), x, result)  # keeps -0.0


def _one_plus(e: Emitter, x: str) -> Parts:
    """Return 1 + x and its rounding error."""
    u = e.add(x, 1.0)
    error_large = e.sub(1.0, e.sub(u, x))
    error_small = e.sub(x, e.sub(u, 1.0))
    return u, e.select(e.compare("oge", x, 1.0), error_large, error_small)


def _log_of_sum(e: Emitter, u: str, error: str, near: str, more: str = "") -> str:
    """Return log(u + error) + more ln2; where u is not near, its error is nothing beside it."""
    k, m, biased = split_exponent(e, u)
    inverse = e.power_of_two(e.integer("sub", 2 * e.format.bias, biased))  # 2^-k, but for huge k
    f = e.fma(error, e.select(near, inverse, 0.0), e.sub(m, 1.0))
    return _log_of_parts(e, f, e.add(k, more) if more else k)


def arcsinh(e: Emitter, x: str) -> str:
    """Return the inverse hyperbolic sine."""
    size = e.fabs(x)
    square = e.mul(size, size)
    rest = e.div(square, e.add(e.sqrt(e.add(square, 1.0)), 1.0))  # sqrt(x^2 + 1) - 1
    return e.copysign(_log_of_growth(e, size, *e.add_exact(size, rest)), x)


def arccosh(e: Emitter, x: str) -> str:
    """Return the inverse hyperbolic cosine."""
    above = e.sub(x, 1.0)
    root = e.sqrt(e.fma(above, above, e.add(above, above)))  # sqrt(x^2 - 1)
    result = _log_of_growth(e, x, *e.add_exact(root, above))
    return e.select(e.compare("olt", x, 1.0), math.nan, result)


def _log_of_growth(e: Emitter, x: str, w: str, w_error: str) -> str:
    """Return log(1 + w), and log(2x) where x is large."""
    near = e.compare("olt", x, e.format.square_high)
    u, error = _one_plus(e, w)
    u, error = e.select(near, u, x), e.select(near, e.add(error, w_error), 0.0)
    result = _log_of_sum(e, u, error, near, e.select(near, 0.0, 1.0))
    return e.select(e.compare("uge", x, math.inf), x, result)


def arctanh(e: Emitter, x: str) -> str:
    """Return the inverse hyperbolic tangent."""
    size = e.fabs(x)
    above, below = e.add(size, 1.0), e.sub(1.0, size)
    above_error, below_error = e.sub(size, e.sub(above, 1.0)), e.sub(e.sub(1.0, below), size)
    k, _, biased = split_exponent(e, e.div(above, below))
    power = e.power_of_two(biased)
    opposite = e.neg(power)
    error = e.fma(opposite, below_error, above_error)
    s = e.div(e.add(e.fma(opposite, below, above), error), e.fma(power, below, above))
    square = e.mul(s, s)
    head, tail = e.table("ln2_exact_head")
    cubic = e.mul(e.mul(s, 0.5), square)
    low_part = e.fma(cubic, e.polynomial("log_ratio", square), e.mul(k, 0.5 * tail))
    result = e.fma(k, 0.5 * head, e.add(s, low_part))
    result = e.select(e.compare("oeq", size, 1.0), math.inf, result)
    result = e.select(e.compare("ugt", size, 1.0), math.nan, result)
    return e.copysign(result, x)


def split_any(e: Emitter, x: str) -> Parts:
    """Split a positive x = 2^k m, which may be subnormal: k as a float, and m."""
    lift = e.format.lift
    subnormal = e.compare("olt", x, e.format.tiny)
    k, m, _ = split_exponent(e, e.select(subnormal, e.mul(x, 2.0**lift), x))
    return e.sub(k, e.select(subnormal, float(lift), 0.0)), m


def split_exponent(e: Emitter, x: str) -> tuple[str, str, str]:
    """Split a positive normal x = 2^k m: k as a float, m, and k as a biased integer."""
    mantissa, bias = e.format.mantissa, e.format.bias
    bits = e.to_bits(x)
    offset = (bias << mantissa) - e.format.encode(e.table("sqrt_half")[0])
    biased = e.integer("lshr", e.integer("add", bits, offset), mantissa)
    # An integer becomes a float through the bits of 2^mantissa + k: AVX2 cannot convert i64.
    two = math.ldexp(1.0, mantissa)
    k = e.sub(e.from_bits(e.integer("or", biased, e.format.encode(two))), two + bias)
    m_bits = e.integer("sub", bits, e.integer("shl", biased, mantissa))
    return k, e.from_bits(e.integer("add", m_bits, bias << mantissa)), biased


def _log_beside_linear(e: Emitter, f: str) -> str:
    """Return log(1 + f) - f."""
    match e.type_:
        case "f64":
            s = e.div(f, e.add(f, 2.0))
            s2 = e.mul(s, s)
            half_square = e.mul(e.mul(f, 0.5), f)
            inner = e.fma(s2, e.polynomial("log_ratio", s2), half_square)
            return e.fma(s, inner, e.neg(half_square))
        case "f32":
            square = e.mul(f, f)
            return e.fma(square, -0.5, e.mul(e.mul(f, square), e.polynomial("log_direct", f)))
        case _:
            raise ValueError(f"no such type: {e.type_}")


def _log_of_parts(e: Emitter, f: str, k: str) -> str:
    """Return log(1 + f) + k ln2."""
    head, tail = e.table("ln2_exact_head")
    low_part = e.mul(k, tail)
    match e.type_:
        case "f64":  # s = f/(2+f); log(1+f) = f - f^2/2 + s (f^2/2 + s^2 q(s^2))
            s = e.div(f, e.add(f, 2.0))
            s2 = e.mul(s, s)
            half_square = e.mul(e.mul(f, 0.5), f)
            inner = e.fma(s2, e.polynomial("log_ratio", s2), half_square)
            small = e.sub(e.fma(s, inner, low_part), half_square)
        case "f32":
            square = e.mul(f, f)
            cubic = e.fma(e.mul(f, square), e.polynomial("log_direct", f), low_part)
            small = e.fma(square, -0.5, cubic)
        case _:
            raise ValueError(f"no such type: {e.type_}")
    return e.fma(k, head, e.add(small, f))


def _fix_log(e: Emitter, u: str, x: str, result: str, pole: float) -> str:
    """Give the logarithm of u, which is x - pole, its value where u is not positive and finite."""
    special = e.select(e.compare("olt", x, pole), math.nan, x)
    special = e.select(e.compare("oeq", x, pole), -math.inf, special)
    # As integers without sign, the bits of zero, less 1, and those of negative numbers are large.
    least = e.integer("sub", e.to_bits(u), 1)
    positive = e.compare_integers("ult", least, e.format.encode(math.inf) - 1)
    return e.select(positive, result, special)
