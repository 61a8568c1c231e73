"""Computes tables.json, the constants of the elementary functions in `functions.py`.

Run by hand after a change here: `python -m scriptc.backends.llvm.elementary.make_tables`. The table
is committed, and a test compares it with what this module computes.

Each polynomial interpolates the power series of a smooth remainder at the Chebyshev nodes of the
reduced interval: within a small factor of the best polynomial of its degree. All arithmetic is in
exact fractions, rounded once at the very end, so every machine writes the same table. Numbers are
hexadecimal floats: exact and readable.
"""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np

from scriptc_runtime.record import record

PATH = Path(__file__).with_name("tables.json")
SERIES_TERMS = 250  # enough for log, the slowest: 0.42**250 is below 2**-300
NODE_GRID = 2**20  # nodes are rounded to this grid, so that the machine's cosine cannot matter

Table = Mapping[str, Mapping[str, Sequence[str]]]


@record
class Remainder:
    """What a polynomial stands for: a power series on an interval, with a degree per type."""

    series: Callable[[int], Fraction]  # coefficient of the k-th power
    low: Fraction
    high: Fraction
    degrees: Mapping[str, int]
    value: Callable[[Fraction], Fraction] | None = None  # where no series converges

    def at(self, x: Fraction) -> Fraction:
        """Return the value at a number."""
        return _sum_series(self.series, x) if self.value is None else self.value(x)


_HALF_LN2 = Fraction("0.3466")  # reduced arguments of exp
_QUARTER_PI_SQUARED = Fraction("0.61686")  # squares of the reduced arguments of sin and cos
# m - 1 for the reduced arguments m of logarithms, and the greatest square of (m - 1) / (m + 1).
_LEAST_F, _GREATEST_F = Fraction("-0.2930"), Fraction("0.4143")
_RATIO_SQUARED = Fraction("0.02944")


def _binomial(exponent: Fraction, k: int) -> Fraction:
    """Return the coefficient of the k-th power of f in (1 + f)^exponent."""
    result = Fraction(1)
    for i in range(k):
        result *= (exponent - i) / (i + 1)
    return result


REMAINDERS: Mapping[str, Remainder] = {
    # exp(r) = 1 + r + r^2 q(r)
    "exp": Remainder(
        lambda k: Fraction(1, math.factorial(k + 2)),
        -_HALF_LN2,
        _HALF_LN2,
        {"f64": 9, "f32": 4},
    ),
    # sin(r) = r + r^3 q(r^2)
    "sin": Remainder(
        lambda k: Fraction((-1) ** (k + 1), math.factorial(2 * k + 3)),
        Fraction(0),
        _QUARTER_PI_SQUARED,
        {"f64": 5, "f32": 3},
    ),
    # cos(r) = 1 - r^2/2 + r^4 q(r^2)
    "cos": Remainder(
        lambda k: Fraction((-1) ** k, math.factorial(2 * k + 4)),
        Fraction(0),
        _QUARTER_PI_SQUARED,
        {"f64": 5, "f32": 2},
    ),
    # arctan(u) = u + u^3 q(u^2)
    "arctan": Remainder(
        lambda k: Fraction((-1) ** (k + 1), 2 * k + 3),
        Fraction(0),
        Fraction("0.1717"),
        {"f64": 12, "f32": 5},
    ),
    # arcsin(u) = u + u^3 q(u^2)
    "arcsin": Remainder(
        lambda k: Fraction(math.comb(2 * k + 2, k + 1), 4 ** (k + 1) * (2 * k + 3)),
        Fraction(0),
        Fraction("0.25"),
        {"f64": 12, "f32": 5},
    ),
    # sinh(r) = r + r^3 q(r^2)
    "sinh": Remainder(
        lambda k: Fraction(1, math.factorial(2 * k + 3)),
        Fraction(0),
        _HALF_LN2**2,
        {"f64": 4, "f32": 2},
    ),
    # cosh(r) = 1 + r^2 q(r^2)
    "cosh": Remainder(
        lambda k: Fraction(1, math.factorial(2 * k + 2)),
        Fraction(0),
        _HALF_LN2**2,
        {"f64": 5, "f32": 2},
    ),
    # log((1+s)/(1-s)) = 2s + s^3 q(s^2)
    "log_ratio": Remainder(
        lambda k: Fraction(2, 2 * k + 3), Fraction(0), _RATIO_SQUARED, {"f64": 7, "f32": 3}
    ),
    # log((1+s)/(1-s)) = 2s + 2s^3 (1/3 + s^2 q(s^2)), for powers
    "log_power": Remainder(
        lambda k: Fraction(1, 2 * k + 5), Fraction(0), _RATIO_SQUARED, {"f64": 7}
    ),
    # log((1+s)/(1-s)) = 2s + 2s^3 q(s^2), for powers in f32, which are computed in f64
    "log_short": Remainder(
        lambda k: Fraction(1, 2 * k + 3), Fraction(0), _RATIO_SQUARED, {"f64": 4}
    ),
    # exp(r) = 1 + r + r^2 q(r), likewise
    "exp_short": Remainder(
        lambda k: Fraction(1, math.factorial(k + 2)), -_HALF_LN2, _HALF_LN2, {"f64": 5}
    ),
    # (1+f)^(1/3) = q(f), the first guess
    "cbrt": Remainder(
        lambda k: _binomial(Fraction(1, 3), k), _LEAST_F, _GREATEST_F, {"f64": 7, "f32": 3}
    ),
    # log(1+f) = f - f^2/2 + f^3 q(f), for f32
    "log_direct": Remainder(
        lambda k: Fraction((-1) ** k, k + 3), _LEAST_F, _GREATEST_F, {"f32": 8}
    ),
}

_PRECISION = 400  # bits after the binary point of what is neither whole nor a fraction


def two_over_sqrt_pi() -> Fraction:
    """Return 2 / sqrt(pi), the slope of erf at 0."""
    pi = 16 * _arctan(Fraction(1, 5)) - 4 * _arctan(Fraction(1, 239))
    return Fraction(math.isqrt(int(4 / pi * 4**_PRECISION)), 2**_PRECISION)


@cache
def _erf_term(k: int) -> Fraction:
    return Fraction((-1) ** k, math.factorial(k) * (2 * k + 1)) * two_over_sqrt_pi()


def _scaled_complement(t: Fraction) -> Fraction:
    """Return (1 + 2x) exp(x^2) erfc(x) of x = 4 (1 + t) / (1 - t)."""
    x = 4 * (1 + t) / (1 - t)
    one = 1 << _PRECISION
    if x < 6:  # exp(x^2) less a series without alternating signs (Abramowitz and Stegun, 7.1.6)
        square = int(x * x * one)
        term, power, total, k = one, one, 0, 0
        grown = 0
        while term or power:
            total, grown, k = total + term, grown + power, k + 1
            term, power = 2 * term * square // ((2 * k + 1) * one), power * square // (k * one)
        result = Fraction(grown, one) - x * two_over_sqrt_pi() * Fraction(total, one)
    else:  # a continued fraction (7.1.14)
        below, whole = 0, int(x * one)
        for k in range(400, 0, -1):
            below = k * one * one // (2 * (whole + below))
        result = two_over_sqrt_pi() / 2 * Fraction(one, whole + below)
    return (1 + 2 * x) * result


OF_ERRORS: Mapping[str, Remainder] = {
    # erf(x) = 2x / sqrt(pi) + x^3 q(x^2), up to 1
    "erf": Remainder(lambda k: _erf_term(k + 1), Fraction(0), Fraction(1), {"f64": 13}),
    # exp(x^2) erfc(x) = q(t) / (1 + 2x), t = (x - 4) / (x + 4), from 1/2 to 28
    "erfc": Remainder(
        _erf_term, Fraction("-0.78"), Fraction("0.751"), {"f64": 20}, _scaled_complement
    ),
}

_TO_NEAREST: Mapping[str, Callable[[Fraction], float]] = {
    "f64": float,
    "f32": lambda value: float(np.float32(float(value))),
}
_LN2_HIGH_BITS = {"f64": 42, "f32": 15}  # so few that a multiple by any exponent is exact


def make_tables() -> Table:
    """Compute all constants: type -> name -> hexadecimal floats, lowest power first."""
    return {type_: _table(type_) for type_ in ("f64", "f32")}


def write_text(tables: Table) -> str:
    """Write the tables as the text of the file."""
    return json.dumps(tables, indent=1) + "\n"


def _table(type_: str) -> dict[str, list[str]]:
    rounded = _TO_NEAREST[type_]
    ln2 = 2 * _arctanh(Fraction(1, 3))
    half_pi = 8 * _arctan(Fraction(1, 5)) - 2 * _arctan(Fraction(1, 239))  # Machin
    grid = 1 << _LN2_HIGH_BITS[type_]
    ln2_head = Fraction(math.floor(ln2 * grid), grid)
    log10_e = 1 / (3 * ln2 + 2 * _arctanh(Fraction(1, 9)))  # 10 = 8 * 5/4
    log10_2 = ln2 * log10_e
    log10_2_head = Fraction(math.floor(log10_2 * grid), grid)
    cbrt_of_two = Fraction(_integer_cbrt(2 << 600), 1 << 200)
    constants = {
        "log2_e": _split(1 / ln2, 2, rounded),
        "two_log2_e": _split(2 / ln2, 2, rounded),
        "log10_e": _split(log10_e, 2, rounded),
        "log10_2_exact_head": [rounded(log10_2_head), rounded(log10_2 - log10_2_head)],
        "third": _split(Fraction(1, 3), 2, rounded),
        "cbrt_of_two": [rounded(cbrt_of_two), rounded(1 / cbrt_of_two)],
        "ln2": _split(ln2, 2, rounded),
        "ln2_exact_head": [rounded(ln2_head), rounded(ln2 - ln2_head)],
        "two_over_pi": [rounded(1 / half_pi)],
        "half_pi": _split(half_pi, 3, rounded),
        "quarter_pi": _split(half_pi / 2, 2, rounded),
        "tan_eighth_pi": [rounded(Fraction(math.isqrt(2**401), 2**200) - 1)],
        "sqrt_half": [rounded(Fraction(math.isqrt(2**399), 2**200))],
    }
    if type_ == "f64":  # which the functions of f32 are computed in
        constants["erf_slope"] = [rounded(two_over_sqrt_pi() - 1)]
    for name, remainder in {**REMAINDERS, **OF_ERRORS}.items():
        if type_ in remainder.degrees:
            polynomial = _interpolate(remainder, remainder.degrees[type_])
            constants[name] = [rounded(coefficient) for coefficient in polynomial]
    return {name: [value.hex() for value in values] for name, values in constants.items()}


def _split(value: Fraction, parts: int, rounded: Callable[[Fraction], float]) -> list[float]:
    """Write a number as a sum of floats, each the nearest to what is left."""
    result: list[float] = []
    for _ in range(parts):
        result.append(rounded(value))
        value -= Fraction(result[-1])
    return result


def _interpolate(remainder: Remainder, degree: int) -> list[Fraction]:
    """Return the power-basis coefficients of the interpolant (Newton's divided differences)."""
    nodes = _chebyshev_nodes(remainder.low, remainder.high, degree + 1)
    differences = [remainder.at(node) for node in nodes]
    for order in range(1, degree + 1):
        for i in range(degree, order - 1, -1):
            rise = differences[i] - differences[i - 1]
            differences[i] = rise / (nodes[i] - nodes[i - order])
    coefficients = [Fraction(0)] * (degree + 1)
    for node, difference in zip(reversed(nodes), reversed(differences), strict=True):
        shifted = [Fraction(0), *coefficients[:-1]]  # coefficients * (x - node) + difference
        coefficients = [s - node * c for s, c in zip(shifted, coefficients, strict=True)]
        coefficients[0] += difference
    return coefficients


def _chebyshev_nodes(low: Fraction, high: Fraction, count: int) -> list[Fraction]:
    angles = (math.pi * (2 * k + 1) / (2 * count) for k in range(count))
    centre, radius = (low + high) / 2, (high - low) / 2
    return [centre + radius * Fraction(round(math.cos(a) * NODE_GRID), NODE_GRID) for a in angles]


def _sum_series(series: Callable[[int], Fraction], x: Fraction) -> Fraction:
    total = Fraction(0)
    for k in reversed(range(SERIES_TERMS)):
        total = total * x + series(k)
    return total


def _integer_cbrt(n: int) -> int:
    """Return the floor of a cube root (Newton's method from above)."""
    root = 1 << (n.bit_length() // 3 + 1)
    while (better := (2 * root + n // root**2) // 3) < root:
        root = better
    return root


def _arctanh(x: Fraction) -> Fraction:
    return x * _sum_series(lambda k: Fraction(1, 2 * k + 1), x * x)


def _arctan(x: Fraction) -> Fraction:
    return x * _sum_series(lambda k: Fraction((-1) ** k, 2 * k + 1), x * x)


if __name__ == "__main__":
    PATH.write_text(write_text(make_tables()), encoding="utf-8")
