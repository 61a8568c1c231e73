"""power, cbrt and hypot, as LLVM IR text.

- power: 2^(y log2|x|). In f64 the logarithm and the product have two parts: an exponent of up to
  1024 leaves 42 bits of one part for its fraction. In f32 all is computed in f64.
- power with one of the literal exponents of `literal_powers`: products in two parts, a root, a
  quotient. In f32 the products of more than three are computed in f64.
- cbrt: x = 8^n m, a polynomial for the root of m, and one step of Halley, which triples its bits.
- hypot: the root of both squares, scaled by a power of two, is corrected by the rounding errors
  of the squares and of the root (Borges, 2019). In f32 all is computed in f64.
"""

import math
from collections.abc import Callable, Mapping
from functools import partial

from scriptc.backends.llvm.elementary.emitter import Emitter, Parts
from scriptc.backends.llvm.elementary.literal_powers import NAMES
from scriptc.backends.llvm.elementary.logarithms import split_any, split_exponent

_LARGE_POWER = 2.0**64  # from here on, a power of what is not 1 is 0 or infinite


def power(e: Emitter, x: str, y: str) -> str:
    """Return x to the power y."""
    size, exponent = e.fabs(x), e.clamp(y, -_LARGE_POWER, _LARGE_POWER)
    match e.type_:
        case "f64":
            product, rest = e.mul_parts(_log2_in_parts(e, size), (exponent, 0.0))
            result = _exp2_of_parts(e, product, rest)
        case "f32":
            wide = e.widened()
            product = wide.mul(_log2_short(wide, e.widen(size)), e.widen(exponent))
            result = e.narrow(_exp2_short(wide, product))
        case _:
            raise ValueError(f"no such type: {e.type_}")
    return _fix_power(e, x, y, result)


def _whole_power(e: Emitter, x: str, exponent: int) -> str:
    """Return x^exponent for a small exponent, at least 2.

    What is lost in products that are too small for their rest is zero in the result, up to the
    exponent 10.
    """
    if exponent == 2:
        return e.mul(x, x)
    if e.type_ == "f32" and exponent > 3:
        wide, long = e.widened(), e.widen(x)
        result = long
        for _ in range(exponent - 1):
            result = wide.mul(result, long)
        return e.narrow(result)
    head, rest = e.mul_exact(x, x)
    for _ in range(exponent - 3):
        product = e.mul(head, x)
        rest = e.fma(rest, x, e.fma(head, x, e.neg(product)))
        head = product
    size = e.fabs(head)
    usual = e.compare("olt", size, math.inf)
    if exponent > 3:  # the rest of a square that is zero has its sign
        usual = e.both(usual, e.compare("ogt", size, 0.0))
    return e.fma(head, x, e.select(usual, e.mul(rest, x), -0.0))


def _root(e: Emitter, x: str) -> str:
    """Return x^0.5, which differs from the root of -0.0 and of minus infinity."""
    return e.select(e.compare("oeq", x, -math.inf), math.inf, e.sqrt(e.add(x, 0.0)))


def _inverse(e: Emitter, x: str) -> str:
    return e.div(1.0, x)


def _halves(e: Emitter, x: str, exponent: float) -> str:
    """Return x^1.5 or x^2.5: whole powers, exact in two parts, times the root."""
    if e.type_ == "f32":
        wide, long = e.widened(), e.widen(x)
        square = long if exponent == 1.5 else wide.mul(long, long)
        result = e.narrow(wide.mul(square, wide.sqrt(long)))
    else:
        whole = (x, 0.0) if exponent == 1.5 else e.mul_exact(x, x)
        root, inverse = e.sqrt(x), e.div(0.5, e.sqrt(x))
        rest = e.mul(_missing(e, root, x), inverse)
        head, error = e.mul_exact(root, whole[0])
        error = e.fma(root, whole[1], e.fma(rest, whole[0], error))
        result = _with_rest(e, head, error)
    result = e.select(e.compare("oeq", x, 0.0), 0.0, result)
    return e.select(e.compare("oeq", x, -math.inf), math.inf, result)


def _minus_halves(e: Emitter, x: str, exponent: float) -> str:
    """Return x^-0.5 or x^-1.5: the inverse of the root in two parts, and that over x."""
    if e.type_ == "f32":
        wide, long = e.widened(), e.widen(x)
        inverse = wide.div(1.0, wide.sqrt(long))
        result = e.narrow(inverse if exponent == -0.5 else wide.div(inverse, long))
    else:
        root = e.sqrt(x)
        inverse = e.div(1.0, root)
        # 1 / (root + rest) = inverse * (1 + 1 - inverse * root - inverse * rest)
        rest = e.mul(_missing(e, root, x), e.mul(inverse, 0.5))
        left = e.fma(e.neg(inverse), rest, e.fma(e.neg(inverse), root, 1.0))
        if exponent == -0.5:
            result = _with_rest(e, inverse, e.mul(inverse, left))
        else:
            quotient = e.div(inverse, x)
            left = e.fma(inverse, left, e.fma(e.neg(quotient), x, inverse))
            result = _with_rest(e, quotient, e.div(left, x))
    is_endless = e.compare("oeq", e.fabs(x), math.inf)
    result = e.select(is_endless, 0.0, result)
    return e.select(e.compare("oeq", x, 0.0), math.inf, result)


def _minus_whole(e: Emitter, x: str, exponent: int) -> str:
    """Return x^-2 or x^-3: a power of the inverse in two parts."""
    if e.type_ == "f32":
        wide = e.widened()
        inverse = wide.div(1.0, e.widen(x))
        square = wide.mul(inverse, inverse)
        return e.narrow(square if exponent == -2 else wide.mul(square, inverse))
    inverse = e.div(1.0, x)
    rest = e.mul(inverse, e.fma(e.neg(inverse), x, 1.0))
    head, error = e.mul_exact(inverse, inverse)
    error = e.fma(e.mul(inverse, 2.0), rest, error)
    if exponent == -3:
        square, square_error = head, error
        head, error = e.mul_exact(square, inverse)
        error = e.fma(square, rest, e.fma(square_error, inverse, error))
    return _with_rest(e, head, error)


def _missing(e: Emitter, root: str, x: str) -> str:
    """Return x - root^2, which is exact."""
    return e.fma(e.neg(root), root, x)


def _with_rest(e: Emitter, head: str, rest: str) -> str:
    """Return the sum of both, or the head where that is no number, infinite or zero."""
    size = e.fabs(head)
    usual = e.both(e.compare("olt", size, math.inf), e.compare("ogt", size, 0.0))
    usual = e.both(usual, e.compare("olt", e.fabs(rest), math.inf))
    return e.add(head, e.select(usual, rest, -0.0))


LITERAL_POWERS: Mapping[str, Callable[[Emitter, str], str]] = {
    NAMES[-1.0]: _inverse,
    **{NAMES[n]: partial(_halves, exponent=n) for n in (1.5, 2.5)},
    **{NAMES[n]: partial(_minus_halves, exponent=n) for n in (-0.5, -1.5)},
    **{NAMES[n]: partial(_minus_whole, exponent=n) for n in (-2, -3)},
    NAMES[0.5]: _root,
    **{NAMES[n]: partial(_whole_power, exponent=n) for n in range(2, 9)},
}


def _fix_power(e: Emitter, x: str, y: str, result: str) -> str:
    """Give a power of |x| its sign, and the values of C's pow where there is no logarithm."""
    size, bits = e.fabs(x), e.format.bits
    half = e.mul(y, 0.5)
    whole = e.compare("oeq", e.trunc(y), y)
    odd = e.both(whole, e.compare("une", e.trunc(half), half))
    undefined = e.both(e.compare("olt", x, 0.0), e.opposite(whole))
    result = e.select(undefined, math.nan, result)
    is_zero, endless = e.compare("oeq", size, 0.0), e.compare("oeq", size, math.inf)
    vanishes = e.different(is_zero, e.compare("olt", y, 0.0))
    result = e.select(e.either(is_zero, endless), e.select(vanishes, 0.0, math.inf), result)
    sign = e.integer("and", e.to_bits(x), -(1 << (bits - 1)))
    sign = e.select_integer(odd, sign, 0)
    result = e.from_bits(e.integer("xor", e.to_bits(result), sign))
    result = e.select(e.compare("uno", x, y), math.nan, result)
    one = e.either(e.compare("oeq", x, 1.0), e.compare("oeq", y, 0.0))
    return e.select(one, 1.0, result)


def _log2_in_parts(e: Emitter, x: str) -> Parts:
    """Return log2(x) = k + 2/ln2 (s + s t), s = (m - 1) / (m + 1), t = s^2/3 + s^4/5 + ..."""
    k, m = split_any(e, x)
    f = e.sub(m, 1.0)
    below, below_error = e.add_exact(2.0, f)
    inverse = e.div(1.0, below)
    s = e.mul(f, inverse)
    opposite = e.neg(s)
    left = e.fma(opposite, below_error, e.fma(opposite, below, f))
    sine = s, e.mul(left, inverse)
    square = e.mul_parts(sine, sine)
    third, third_rest = e.table("third")
    factor, error = e.add_exact(third, e.mul(square[0], e.polynomial("log_power", square[0])))
    t = e.mul_parts(square, (factor, e.add(error, third_rest)))
    product = e.mul_parts(sine, t)
    head, error = e.add_exact(s, product[0])
    rest = e.add(error, e.add(sine[1], product[1]))
    two_over_ln2 = e.table("two_log2_e")
    fraction, low_part = e.mul_parts((head, rest), (two_over_ln2[0], two_over_ln2[1]))
    total, error = e.add_exact(k, fraction)
    return total, e.add(error, low_part)


def _exp2_of_parts(e: Emitter, x: str, rest: str) -> str:
    """Return 2^(x + rest), where rest is less than an ulp of x."""
    rest = e.select(e.compare("olt", e.fabs(x), e.format.exp2_high + 64.0), rest, 0.0)
    x = e.clamp(x, e.format.exp2_low, e.format.exp2_high + 1.0)  # from above, a rest is too small
    magic = e.add(x, e.format.round_magic)
    fraction = e.sub(x, e.sub(magic, e.format.round_magic))  # exact
    head, tail = e.table("ln2")
    r, r_rest = e.add_exact(*e.mul_parts((fraction, rest), (head, tail)))
    grown = e.add(r, e.fma(e.mul(r, r), e.polynomial("exp", r), r_rest))
    low, high = e.halved_powers_of_two(magic)
    return e.mul(e.fma(low, grown, low), high)


def _log2_short(e: Emitter, x: str) -> str:
    """Return log2(x) for x that is a normal number, as precise as a power in f32 asks."""
    k, m, _ = split_exponent(e, x)
    f = e.sub(m, 1.0)
    s = e.div(f, e.add(f, 2.0))
    square = e.mul(s, s)
    half_log = e.fma(e.mul(s, square), e.polynomial("log_short", square), s)
    return e.fma(half_log, e.table("two_log2_e")[0], k)


_SHORT_LIMIT = 200.0  # 2^200 and 2^-200 are infinite and zero in f32


def _exp2_short(e: Emitter, x: str) -> str:
    x = e.clamp(x, -_SHORT_LIMIT, _SHORT_LIMIT)
    magic = e.add(x, e.format.round_magic)
    fraction = e.sub(x, e.sub(magic, e.format.round_magic))
    r = e.mul(fraction, e.table("ln2")[0])
    grown = e.fma(e.mul(r, r), e.polynomial("exp_short", r), r)
    scale = e.power_of_rounded(magic)
    return e.fma(scale, grown, scale)


def cbrt(e: Emitter, x: str) -> str:
    """Return the cube root."""
    size = e.fabs(x)
    k, m = split_any(e, size)
    magic = e.fma(k, e.table("third")[0], e.format.round_magic)
    left = e.fma(e.sub(magic, e.format.round_magic), -3.0, k)  # k - 3n: -1, 0 or 1
    up, down = e.compare("ogt", left, 0.5), e.compare("olt", left, -0.5)
    root, inverse_root = e.table("cbrt_of_two")
    cube = e.mul(m, e.select(up, 2.0, e.select(down, 0.5, 1.0)))
    factor = e.select(up, root, e.select(down, inverse_root, 1.0))
    guess = e.mul(e.polynomial("cbrt", e.sub(m, 1.0)), factor)
    # With half of the bits its square is exact, and so the step is made of exact numbers.
    guess = e.from_bits(e.integer("and", e.to_bits(guess), -(1 << (e.format.mantissa // 2 + 1))))
    square = e.mul(guess, guess)
    missing = e.fma(square, guess, e.neg(cube))
    step = e.div(missing, e.fma(square, e.add(guess, guess), cube))
    result = e.mul(e.fma(e.neg(guess), step, guess), e.power_of_rounded(magic))
    is_same = e.either(e.compare("oeq", size, 0.0), e.compare("uge", size, math.inf))
    return e.select(is_same, x, e.copysign(result, x))


def hypot(e: Emitter, x: str, y: str) -> str:
    """Return the root of the sum of both squares."""
    a, b = e.fabs(x), e.fabs(y)
    match e.type_:
        case "f64":
            size = _size(e, a, b)
        case "f32":
            wide = e.widened()
            first, second = e.widen(a), e.widen(b)
            size = e.narrow(wide.sqrt(wide.fma(first, first, wide.mul(second, second))))
        case _:
            raise ValueError(f"no such type: {e.type_}")
    endless = e.either(e.compare("oeq", a, math.inf), e.compare("oeq", b, math.inf))
    return e.select(endless, math.inf, size)


_LEAST, _MOST = 2.0**-1021, 2.0**1021  # between them a power of two and its inverse are normal


def _size(e: Emitter, a: str, b: str) -> str:
    swapped = e.compare("olt", a, b)
    greater, lesser = e.select(swapped, b, a), e.select(swapped, a, b)
    exponent = e.integer("and", e.to_bits(e.clamp(greater, _LEAST, _MOST)), 0x7FF << 52)
    scale = e.from_bits(e.integer("sub", (2 * e.format.bias) << e.format.mantissa, exponent))
    x, y = e.mul(greater, scale), e.mul(lesser, scale)
    x_square, x_error = e.mul_exact(x, x)
    h = e.sqrt(e.fma(x, x, e.mul(y, y)))
    h_square, h_error = e.mul_exact(h, h)
    error = e.fma(e.neg(y), y, e.sub(h_square, x_square))
    error = e.add(error, e.sub(h_error, x_error))
    corrected = e.sub(h, e.div(error, e.add(h, h)))
    size = e.mul(corrected, e.from_bits(exponent))
    return e.select(e.compare("oeq", e.add(greater, lesser), 0.0), 0.0, size)
