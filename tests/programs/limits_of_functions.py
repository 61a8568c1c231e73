"""Functions of `math` at the limits of what they take: which of them raise, and what is caught."""

# Results have no annotations.
# pyright: basic

import math

from tests.programs import Case


def circles(x: float):
    return math.isnan(math.sin(x)), math.isnan(math.cos(x)), math.isnan(math.tan(x))


def inverse(x: float):
    signs = 0
    for side in (x, -x):
        try:
            signs += 1 if math.asin(side) > 0 else 2
            signs += 10 if math.acos(side) > 1 else 20
        except ValueError:
            signs += 100
    return signs


def hyperbolic(x: float):
    found = 0
    for number in (x, -x, 1 / x if x else x):
        try:
            found += 1 if math.atanh(number) > 0 else 2
        except ValueError:
            found += 100
        try:
            found += 10 if math.acosh(number) > 0 else 20
        except ValueError:
            found += 1000
    return found


def logarithm(x: float):
    return math.log1p(x) > 0, math.log1p(x / 2) > 0


def powers(x: float):
    found = 0
    for number in (x, -x):
        try:
            found += math.isinf(math.exp(number)) + 2 * math.isinf(math.expm1(number))
            found += 4 * math.isinf(math.exp2(number))
        except OverflowError:
            found += 100
        try:
            found += 10 * math.isinf(math.cosh(number)) + 20 * math.isinf(math.sinh(number))
        except OverflowError:
            found += 1000
    return found


NUMBERS = [
    *(0.0, -0.0, 0.5, 1.0, -1.0, math.nextafter(1.0, 2.0), math.nextafter(1.0, 0.0), 2.0, -2.0),
    *(math.nextafter(-1.0, 0.0), 709.5, 711.0, 1023.5, 1024.0, 1e308, 5e-324),
    *(math.inf, -math.inf, math.nan),
]
CALLS = [(number,) for number in NUMBERS]
CASES: list[Case] = [(f, CALLS) for f in (circles, inverse, hyperbolic, logarithm, powers)]
