"""Powers and elementary functions of complex numbers, where every library gives the same bits.

The others are within bounds, which `test_complex_functions.py` tests.
"""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import cmath
import math

import numpy as np

from tests.programs import Case


def power(z, w):
    return z**w


def ufunc_power(z, w):
    return np.power(z, w)


def literal_powers(z):
    return z**0, z**1, z**3, z**-1, z**-2, z**5, z**2.0, z**-1.0


def literal_roots(z):
    return z**0.5, z**2.5, z**1j


def reciprocals(z):
    return np.reciprocal(z), z**-1


def in_place(z, n):
    z **= n
    return z


def real_to_complex(x, w):
    return x**w


def of_elements(a, n):
    total = 0j
    for z in a:
        total += np.power(z, n / 2 - 1)
    return total


def cmath_exp(z):
    return cmath.exp(z)


def cmath_log(z):
    return cmath.log(z), cmath.log10(z)


def cmath_log_to_base(z, b):
    return cmath.log(z, b)


def cmath_sqrt(z):
    return cmath.sqrt(z)


def cmath_sin(z):
    return cmath.sin(z)


def cmath_cos(z):
    return cmath.cos(z)


def cmath_tan(z):
    return cmath.tan(z)


def cmath_sinh(z):
    return cmath.sinh(z)


def cmath_cosh(z):
    return cmath.cosh(z)


def cmath_tanh(z):
    return cmath.tanh(z)


def polar(z):
    return cmath.polar(z), cmath.phase(z)


def rect(r, phi):
    return cmath.rect(r, phi)


def tests(z):
    return cmath.isnan(z), cmath.isinf(z), cmath.isfinite(z)


def constants():
    return cmath.pi, cmath.infj, cmath.tau


def sizes(z):
    return abs(z)


def functions(z):
    first = np.exp(z), np.log(z), np.log2(z), np.log10(z), np.sqrt(z), np.sin(z)
    return first, (np.cos(z), np.tan(z), np.sinh(z), np.cosh(z), np.tanh(z))


def inverse_functions(z):
    hyperbolic = np.arcsinh(z), np.arccosh(z), np.arctanh(z)
    return (np.arcsin(z), np.arccos(z), np.arctan(z)), hyperbolic


def cmath_inverses(z):
    circular = cmath.acos(z), cmath.asin(z), cmath.atan(z)
    return circular, (cmath.acosh(z), cmath.asinh(z), cmath.atanh(z))


def cmath_atanh(z):
    return cmath.atanh(z)


def cmath_atan(z):
    return cmath.atan(z)


def cmath_isclose(a, b):
    near = cmath.isclose(a, b, rel_tol=0.5), cmath.isclose(a, b, abs_tol=2), cmath.isclose(a, a)
    return near, cmath.isclose(a, b)


def cmath_isclose_within(a, b, tolerance):
    return cmath.isclose(a, b, rel_tol=tolerance)


def near_in_numpy(a, b):
    return np.isclose(a, b), np.isclose(a, b, equal_nan=True), np.array_equal(a, b)


def all_near(a, b):
    return np.allclose(a, b), np.allclose(a, b, 0.0, 0.5, True), np.array_equal(a, a, True)


def more_functions(z):
    return np.exp2(z), np.expm1(z), np.log1p(z)


INF, NAN = math.inf, math.nan
WHOLE = [(2 + 1j, n) for n in (0, 1, 2, 3, -1, -2, 7, 60, 100, -100)]
POLES = [(0j, n) for n in (0, 2, -1, 1j, 0.5, -0.5)]
POLES += [(1e-200 + 0j, -2), (1e200 + 1j, 3), (1e200 + 1e200j, -3), (1j, 2), (complex(INF, 1), 2)]
POLES += [(1e200 + 1j, 2.5), (-1 + 0j, 0.5), (complex(NAN, 0), 0), (2 + 0j, 0j), (0j, 1 + 0j)]
Z = np.array([1 + 2j, -0.5 + 0.25j, 3 - 4j, 0j, complex(-0.0, -0.0), 2, 1j])
GRID = Z[:6].reshape(2, 3)[:, ::-1]
EXPONENTS = (0, 1, 3, -2, 2.0, 5, np.int64(-1), np.float64(1.0), 2 + 0j)
# Where functions of infinities are what C's tables say, or CPython raises.
EDGES = [complex(x, y) for x in (0.0, 1.0, INF, -INF, NAN) for y in (0.0, -0.0, INF, NAN)]
ENDS = [(z,) for z in (*EDGES, 1000 + 1j, 1 + 1000j, -1000 + 0j)]
# Where libraries agree on every bit.
EXACT = [(z,) for z in EDGES if z.real not in (1.0, -INF) and not math.isnan(z.real)]
EXACT = [e for e in EXACT if not math.isnan(e[0].imag)]

NEAR = np.array([1 + 1j, -2j, complex(INF, 1), complex(1, NAN), 1e308 + 1e308j])


def extremes(x):
    return np.min(x), np.max(x), x.max(), np.amin(x, keepdims=True)


def extremes_along(x):
    return x.min(axis=0), np.max(x, axis=-1), np.max(x, axis=1, keepdims=True)


_UNEVEN = np.array([[1 + 2j, 1 - 2j, -3j], [0.5j, -1 + 1j, 1 + 2j]])
_NANS = np.array([[1j, complex(math.nan, 1), 2], [complex(1, math.nan), math.inf, -math.inf]])


CASES: list[Case] = [
    (
        extremes,
        [
            (_UNEVEN,),
            (_UNEVEN.T,),
            (_UNEVEN[0].astype(np.complex64),),
            (_NANS,),
            (_UNEVEN[:0],),
        ],
    ),
    (extremes_along, [(_UNEVEN,), (_UNEVEN.T,), (_NANS,), (_UNEVEN[:, :0],), (_UNEVEN[:0],)]),
    (power, [*WHOLE, *POLES, *[(Z, e) for e in EXPONENTS], (GRID, 3), (np.complex64(2j), 3)]),
    (power, [(Z, np.array([0, 1, 2, 3, -1, 2, 1])), (np.complex128(0j), -1), (2, 2j)]),
    (ufunc_power, [*[(Z, e) for e in (2, 0.0, -3, 1 + 0j)], (Z.astype("F"), 3)]),
    (ufunc_power, [(1 + 2j, 2), (np.complex128(1j), 3.0), (Z[:0], 2)]),
    (literal_powers, [(2 - 1j,), (np.complex128(-1j),), (GRID,), (Z.astype("F"),), (Z[:0],)]),
    (literal_powers, [(0j,), (np.complex128(0),)]),
    (literal_roots, [(0j,), (np.zeros(2, complex),)]),
    (reciprocals, [(Z,), (Z.astype("F"),), (np.complex128(3 - 4j),)]),
    (in_place, [(Z.copy(), 3), (Z.copy(), -1), (Z.copy(), 0)]),
    (real_to_complex, [(np.array([0.0, 0.0]), 2 + 0j), (0.0, 1j)]),
    (of_elements, [(Z[:3], 8), (Z, 2)]),
    (cmath_exp, EXACT),
    (cmath_exp, [(1000 + 1j,), (complex(0, INF),), (complex(INF, INF),), (complex(-INF, INF),)]),
    (cmath_log, [(0j,), (complex(-0.0, 0.0),), (complex(INF, NAN),), (complex(NAN, 0),), (1,)]),
    (cmath_log_to_base, [(0j, 2), (1 + 0j, 0.0), (1 + 0j, 3), (2j, 1)]),
    (cmath_inverses, [(z,) for z in EDGES if not cmath.isfinite(z)]),
    (
        cmath_inverses,
        [(0j,), (complex(-0.0, -0.0),), (complex(0.0, -0.0),), (0,), (1e308 + 1e308j,)],
    ),
    (cmath_atanh, [(1 + 0j,), (complex(-1, -0.0),), (1,), (complex(1, 1e-300),)]),
    (cmath_atan, [(1j,), (complex(-0.0, -1),), (complex(1e-300, 1),)]),
    (cmath_isclose, [(1 + 2j, 1 + 2.0000000001j), (0j, 1 + 1j), (3, complex(INF, 0)), (INF, INF)]),
    (
        cmath_isclose,
        [(complex(NAN, 1), 1j), (1e308 + 1e308j, -1e308j), (complex(1, -INF), INF * 1j)],
    ),
    (
        near_in_numpy,
        [(NEAR, NEAR + 1e-9), (NEAR, 1.0), (1j, 1j + 1e-13), (NEAR[:2], NEAR[0])],
    ),
    (near_in_numpy, [(NEAR[:4].astype("F"), NEAR[:4]), (np.arange(2), NEAR[:2]), (NEAR[:0], 2j)]),
    (all_near, [(NEAR[:2], NEAR[:2] + 0.25j), (NEAR, NEAR), (NEAR[0], 1 + 1j), (NEAR[3], 1)]),
    (cmath_isclose_within, [(1j, 2j, 0.5), (1j, 1j, -1.0), (1j, 2j, NAN), (1j, 2j, INF)]),
    (cmath_sqrt, [*[(z,) for z in EDGES], (4 + 0j,), (-4 + 0j,), (9,), (-2.25,), (3 + 4j,)]),
    *[(f, ENDS[:1] + EXACT) for f in (cmath_sin, cmath_cos, cmath_tan)],
    *[(f, ENDS[:1] + EXACT) for f in (cmath_sinh, cmath_cosh, cmath_tanh)],
    (cmath_sinh, [(1000 + 1j,)]),
    (cmath_sin, [(1j * 1000 + 1,)]),
    (polar, [(0j,), (complex(-0.0, 0.0),), (3 + 4j,), (1e308 + 1e308j,), (complex(INF, NAN),)]),
    (rect, [(2.0, 0.0), (2, -0.0), (INF, 0.0), (-INF, 0.0), (NAN, 0.0), (1.0, INF), (0.0, INF)]),
    (rect, [(0.0, NAN), (INF, 1.0), (-INF, 2.0), (NAN, INF), (INF, NAN), (-1.0, 0.0)]),
    (tests, [(z,) for z in EDGES[::3]]),
    (constants, [()]),
]
