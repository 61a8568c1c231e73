"""Functions of numbers: all of `math` that there is, and Python's own."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import math

import numpy as np

from scriptc.types import N, f32, f64, i64
from tests.programs import Case

INF, NAN = math.inf, math.nan


def roots(x):
    return math.sqrt(x), math.fabs(x)


def cube_root(x):
    return abs(math.cbrt(-27.0) + 3.0) < 1e-15, math.cbrt(-0.0), math.cbrt(x) <= 0.0


def exponentials(x):
    return math.exp(x) - math.exp(x), math.expm1(0.0), math.exp2(3.0), math.exp2(x) > 0.0


def expm1_alone(x):
    return math.expm1(x) > -2.0


def exp2_alone(x):
    return math.exp2(x) >= 0.0


def logarithms(x):
    return math.log(1.0), math.log2(8.0), math.log10(1000.0), math.log(x) > 0.0


def log_alone(x):
    return math.log(x) < 1e3


def log2_alone(x):
    return math.log2(x) < 1e4


def log10_alone(x):
    return math.log10(x) < 1e3


def log_base(x, base):
    return math.log(x, base) < 1e3


def log1p_alone(x):
    return math.log1p(x) > -1e3


def angles(x):
    return math.sin(0.0), math.cos(0.0), math.tan(-0.0), math.atan(0.0), math.sin(x) <= 1.0


def cosine(x):
    return abs(math.cos(x)) <= 1.0


def tangent(x):
    return math.tan(x) == math.tan(x)


def inverse_sine(x):
    return math.asin(x) <= 2.0


def inverse_cosine(x):
    return math.acos(x) >= 0.0


def directions(y, x):
    return math.atan2(y, x) > -4.0, math.atan2(0.0, 1.0), math.atan2(-0.0, -0.0) < -3.0


def hyperbolic(x):
    return math.sinh(x) > 0.0, math.tanh(0.0), math.tanh(INF)


def hyperbolic_cosine(x):
    return math.cosh(x) >= 1.0


def inverse_hyperbolic(x):
    return math.asinh(0.0), math.asinh(x) > 0.0


def acosh_alone(x):
    return math.acosh(x) >= 0.0


def atanh_alone(x):
    return math.atanh(x) > 0.0


def errors(x):
    return math.erf(0.0), math.erf(INF), math.erfc(-INF), math.erf(x) + math.erfc(x) > 0.99


def gammas(x):
    return abs(math.gamma(x)) > 0.0


def log_gammas(x):
    return math.lgamma(x) > -1.0, math.lgamma(1.0), math.lgamma(2.0)


def powers(x, y):
    return math.pow(x, y)


def remainders(x, y):
    return math.fmod(x, y)


def signs(x, y):
    return math.copysign(x, y), math.copysign(1.0, x)


def lengths(x, y):
    return math.hypot(3.0, 4.0), math.hypot(x), math.hypot(), math.hypot(x, y) >= abs(y)


def three_lengths():
    return math.hypot(2.0, 3.0, 6.0)


def lengths_of_many(n):
    # A twentieth of the sums of three squares would be another float if they were added plainly.
    found = []
    x = 0.1
    for _ in range(n):
        x = x * 3.7 % 10.0
        y, z = x * 1.3 + 0.7, x * x * 1e-3
        found.append((math.hypot(x, y), math.hypot(x, y, z), math.dist((x, y), (z, 1.1))))
        found.append((math.dist([x, y, z], [y, z, x]), math.hypot(x, y, z, x), math.hypot(z)))
    return found


def lengths_at_the_ends(x, y):
    return math.hypot(x, y), math.hypot(x, y, 1.0), math.hypot(x), math.dist((x, y), (1.0, 0.0))


def kinds(x):
    return math.isnan(x), math.isinf(x), math.isfinite(x)


def turns(x):
    return math.degrees(x), math.radians(x)


def close(a, b):
    return math.isclose(a, b), math.isclose(a, b, rel_tol=0.1), math.isclose(a, b, abs_tol=0.5)


def close_enough(a, b, tolerance):
    return math.isclose(a, b, rel_tol=tolerance)


def wholes(x):
    return math.floor(x), math.ceil(x), math.trunc(x), round(x), int(x)


def rounded(x):
    return math.floor(x), math.ceil(x), round(x), int(x)


def divisors(a: int, b: int):
    return math.gcd(a, b), math.gcd(a), math.gcd(), math.gcd(a, b, 12)


def multiples(a: int, b: int):
    return math.lcm(a, b), math.lcm(a), math.lcm()


def multiples_of_zero(a: int, b: int, c: int):
    return math.lcm(a, b, c)


def integer_root(n: int):
    return math.isqrt(n)


def power_of_remainder(base: int, exponent: int, modulus: int):
    return pow(base, exponent, modulus)


def powers_of_two_kinds(x: int, y: float):
    return pow(x, 3), pow(y, 2), pow(x, -2), pow(2.0, x)


def quotient_and_rest(x, y):
    return divmod(x, y)


def constants():
    return math.pi, math.e, math.tau, math.inf, -math.inf, math.nan


def of_ints(n: int):
    return math.sqrt(n), math.isfinite(n), math.copysign(n, -1), math.pow(n, 2)


def of_numpy_numbers(x: f64[N], y: f32[N], k: i64[N]):
    return math.sqrt(x[0]), math.floor(y[0]), round(x[1]), math.gcd(int(k[0]), 4), math.sqrt(k[0])


def quotients(a: int, b: int):
    return a / b, a // b, a % b


def compared(a: int, x: float):
    return a < x, a <= x, a == x, a != x, a > x, a >= x


def as_floats(a: int):
    return float(a), int(float(a)) if a < 2**62 else 0


def extremes(xs):
    return min(xs), max(xs)


def total(xs):
    return sum(xs)


def total_from(xs, start):
    return sum(xs, start)


def extremes_of_a_list(n: int):
    xs = [3, 1, 2]
    for i in range(n):
        xs.append(i * 7 % 5)
    return min(xs), max(xs), sum(xs), len(xs), abs(-n)


def of_an_empty_list(first: bool):
    xs = [1.5]
    xs.pop()
    return min(xs) if first else max(xs)


FLOATS = [(x,) for x in (0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.5, -3.0, 710.0, 1e300, INF, -INF, NAN)]
HALVES = [(x,) for x in (0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.49999999999999994, 1e15 + 0.5, 1e18)]
PAIRS = [
    *((0.0, -1.0), (-8.0, 1.0 / 3.0), (2.0, 0.5), (1e200, 2.0), (-1e200, 3.0), (0.0, 0.0)),
    *((INF, 2.0), (2.0, INF), (NAN, 0.0), (1.0, NAN), (0.0, -INF), (-INF, -1.0), (7.5, -2.0)),
    *((5.0, 0.0), (INF, 1.0), (-7.5, 2.0), (-0.0, 3.0), (5.0, INF)),
]
INTS = [(12, 18), (0, 0), (-12, 18), (2**62, 2**40), (-(2**63), 3), (2**63 - 1, 2**62), (7, 0)]
WIDE = [(2**53 + 1, 2.0**53), (2**63 - 1, 2.0**63), (-(2**63), -(2.0**63)), (3, 3.5), (1, NAN)]


def counted(n, k):
    return math.comb(n, k), math.perm(n, k), math.perm(k), math.factorial(k)


def taken_apart(x):
    return math.frexp(x), math.modf(x), math.ulp(x), math.ldexp(x, -3), math.nextafter(x, 0.0)


def rests(x, y):
    return math.remainder(x, y)


def exact_sums(x):
    return math.fsum(x), math.prod(x), math.prod([2, 3], start=4)


def to_places(x, n):
    return round(x, n), round(x, ndigits=2), round(int(x), 1), round(1234, -2), round(x, None)


CASES: list[Case] = [
    *((f, FLOATS) for f in (roots, cube_root, exponentials, expm1_alone, exp2_alone, logarithms)),
    *((f, FLOATS) for f in (log_alone, log2_alone, log10_alone, log1p_alone, angles, cosine)),
    *((f, FLOATS) for f in (tangent, inverse_sine, inverse_cosine, hyperbolic, hyperbolic_cosine)),
    *((f, FLOATS) for f in (inverse_hyperbolic, acosh_alone, atanh_alone, errors, gammas)),
    *((f, FLOATS) for f in (log_gammas, kinds, turns)),
    (wholes, [x for x in FLOATS if x != (1e300,)]),
    *((f, PAIRS) for f in (log_base, directions, powers, remainders, signs, lengths, close)),
    (quotient_and_rest, [*PAIRS, *INTS, (7, 2.0), (np.float64(7.5), 2.0), (-7, 2)]),
    (close_enough, [(1.0, 1.1, 0.2), (1.0, 1.1, -0.1)]),
    (wholes, HALVES),
    (wholes, [(7,), (True,), (np.float64(2.5),)]),
    (rounded, [(np.float32(-1.5),), (np.int64(3),), (INF,), (NAN,)]),
    (three_lengths, [()]),
    (lengths_of_many, [(200,)]),
    (
        lengths_at_the_ends,
        [
            *((x, y) for x in (0.0, -1.5, 5e-324, 1e-310, 1.7e308, 1e200) for y in (0.0, 3e-320)),
            *((x, math.inf) for x in (math.nan, -math.inf, 2.0)),
            *((math.nan, y) for y in (0.0, 1e308)),
        ],
    ),
    (divisors, [ab for ab in INTS if min(ab) > -(2**63)]),
    (counted, [(5, 3), (5, 0), (3, 5), (0, 0), (-1, 2), (4, -2)]),
    (taken_apart, [(x,) for x in (1.5, -0.0, 5e-324, -1e300, 0.3)]),
    (rests, [(5.0, 3.0), (-4.5, 3.0), (1.0, 0.0), (INF, 1.0), (1.0, INF), (NAN, 1.0)]),
    (exact_sums, [(np.array([1e16, 1.0, -1e16]),), ([0.1] * 10,), (np.array([0.5]),)]),
    (to_places, [(2.675, 2), (-1234.5, -2), (0.5, 0), (2.5, 0), (1e-5, 3), (7.125, 300)]),
    (multiples, [ab for ab in INTS if max(map(abs, ab)) < 2**40]),
    (
        multiples_of_zero,
        [(-(2**63), 0, 1), (0, -(2**63), 1), (2**62, 3, 0), (-(2**63), -(2**63), 0), (4, -6, 10)],
    ),
    (integer_root, [(n,) for n in (0, 1, 3, 4, 2**62, 2**63 - 1, 3037000499**2, -1)]),
    (integer_root, [(3037000499**2 - 1,), (94906266**2 - 1,), (94906267**2,)]),
    (
        power_of_remainder,
        [
            *((3, 5, 7), (3, -1, 7), (2, -1, 4), (5, 3, -7), (5, 0, 1), (5, 0, -1), (5, 3, 0)),
            *((2**62, 2**61, 2**63 - 1), (-5, 3, 7), (10, 18, 2**63 - 25), (0, 0, 5), (0, -1, 5)),
            *(
                (3, -(2**63), 7),
                (3, -(2**63), -7),
                (-(2**63), 3, 10**18),
                (2**63 - 2, 2, -(10**18)),
            ),
        ],
    ),
    (powers_of_two_kinds, [(3, 1.5), (-2, -0.5)]),
    (constants, [()]),
    (of_ints, [(0,), (9,), (2**63 - 1,), (-4,)]),
    (of_numpy_numbers, [(np.array([2.0, 2.5]), np.array([2.5, 0], np.float32), np.array([6, 1]))]),
    (quotients, [*INTS, (2**63 - 1, 2**62 + 1), (-(2**63), 7), (10**18 + 1, 10**18 - 1)]),
    (compared, WIDE),
    (as_floats, [(2**53 + 1,), (2**63 - 1,), (-(2**63),), (0,)]),
    (extremes, [(np.array([2.0, -1.0, 5.0]),), (np.array([3, 1]),), (np.zeros(0),)]),
    (extremes, [(np.array([NAN, 1.0]),), (np.array([1.0, NAN, 0.5]),), ([3, 1, 2],), ([0.5],)]),
    (total, [(np.array([1e16, 1.0, -1e16]),), ([1, 2, 3],), ([0.1] * 10,)]),
    (total_from, [([1, 2], 10), ([0.5], 1.5), (np.array([1, 2]), np.int64(3))]),
    (extremes_of_a_list, [(0,), (6,)]),
    (of_an_empty_list, [(True,), (False,)]),
]
