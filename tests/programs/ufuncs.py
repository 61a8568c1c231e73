"""NumPy's functions of elements, on arrays of every kind and on numbers.

Where the last bit is open a program gets NumPy's result as an argument and tells whether its own
is near, with the same infinities, NaNs and signs.
"""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

EDGES = np.array(
    [0.0, -0.0, 0.3, -0.7, 1.0, -1.0, 2.5, -40.25, 1e6, np.inf, -np.inf, np.nan, 5e-324]
)
UNIT = np.array([0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1e-9, 1.5, -np.inf, np.nan])
TABLE = np.array([[1.5, -2.5, 0.5], [-0.25, 3.5, 2.0]])
BYTES = np.array([7, -7, 0, 2**62, -(2**63), 3])
EMPTY = np.zeros((0, 3))
MASK = np.array([True, False, True, False])
OTHER = np.array([True, True, False, False])


def near(got, want, ulps):
    size = np.abs(want)
    unit = np.where(size < 1e30, size, 1.0) * ulps
    same = np.where(np.isfinite(want), np.abs(got - want) <= unit, got == want)
    return same | (np.isnan(got) & np.isnan(want)), np.isnan(got), np.signbit(got) & ~np.isnan(got)


def exponentials(x, a, b, ulps):
    return near(np.exp2(x), a, ulps), near(np.expm1(x), b, ulps)


def logarithms(x, a, b, c, ulps):
    return near(np.log2(x), a, ulps), near(np.log10(x), b, ulps), near(np.log1p(x), c, ulps)


def circular(x, a, b, c, ulps):
    return near(np.sin(x), a, ulps), near(np.cos(x), b, ulps), near(np.tan(x), c, ulps)


def inverse_circular(x, a, b, c, ulps):
    return near(np.arcsin(x), a, ulps), near(np.arccos(x), b, ulps), near(np.arctan(x), c, ulps)


def hyperbolic(x, a, b, c, ulps):
    return near(np.sinh(x), a, ulps), near(np.cosh(x), b, ulps), near(np.tanh(x), c, ulps)


def inverse_hyperbolic(x, a, b, c, ulps):
    return near(np.arcsinh(x), a, ulps), near(np.arccosh(x), b, ulps), near(np.arctanh(x), c, ulps)


def of_two(x, y, a, b, ulps):
    return near(np.arctan2(x, y), a, ulps), near(np.hypot(x, y), b, ulps)


def cube_root(x, a, ulps):
    return near(np.cbrt(x), a, ulps)


def rounded(x):
    return np.floor(x), np.ceil(x), np.trunc(x), np.rint(x), np.round(x), np.around(x, 1)


def rounded_to(x):
    return np.round(x, 3), np.round(x, -1), np.round(x, decimals=2)


def signs(x):
    return np.sign(x), np.signbit(x), np.copysign(3.0, x), np.absolute(x), np.fabs(x)


def sign_of_integers(x):
    return np.sign(x), np.signbit(x), np.isfinite(x), np.isinf(x), np.round(x, 2), np.positive(x)


def kinds(x):
    return np.isnan(x), np.isinf(x), np.isfinite(x)


def remainders(x, y):
    return np.fmod(x, y), np.mod(x, y), np.remainder(x, y), np.floor_divide(x, y)


def arithmetic(x, y):
    return np.add(x, y), np.subtract(x, y), np.multiply(x, y), np.divide(x, y), np.true_divide(x, y)


def one_operand(x):
    return np.negative(x), np.positive(x), np.square(x), np.reciprocal(x), np.sqrt(np.square(x))


def angles(x):
    return np.degrees(x), np.radians(x), np.rad2deg(x), np.deg2rad(x)


def compared(x, y):
    return np.equal(x, y), np.not_equal(x, y), np.less(x, y), np.less_equal(x, y)


def compared_on(x, y):
    return np.greater(x, y), np.greater_equal(x, y)


def logic(x, y):
    return np.logical_and(x, y), np.logical_or(x, y), np.logical_xor(x, y), np.logical_not(x)


def bits(x, y):
    return np.bitwise_and(x, y), np.bitwise_or(x, y), np.bitwise_xor(x, y), np.invert(x)


def shifts(x, y):
    return np.left_shift(x, y), np.right_shift(x, y)


def powers(x):
    return np.power(x, 2), np.power(x, 1), np.power(x, 0)


def no_nans(x):
    return np.nan_to_num(x), np.nan_to_num(x, nan=-1.0, posinf=7.0, neginf=8.0)


def on_numbers(x, y):
    return np.sign(x), np.floor(y), np.add(x, y), np.fmod(x, y), np.logical_and(x, y), np.square(x)


def into_views(a):
    np.square(a[::2])
    a[1:] = np.floor(a[:-1] * 0.5)
    return np.sign(a[::-1])


def fused(x, y):
    return np.floor(np.square(x) + np.copysign(y, x)).sum()


def _wanted(x, *functions):
    with np.errstate(all="ignore"):
        return tuple(f(x) for f in functions)


def _trials(values, *functions):
    """Arguments for the programs that tell whether results are near: strided, f32, numbers."""
    single = values.astype(np.float32)
    return [
        *((v, *_wanted(v, *functions), 2e-15) for v in (values, values[::-2], EMPTY)),
        (single, *_wanted(single, *functions), np.float32(1e-6)),
        (np.float64(0.75), *_wanted(np.float64(0.75), *functions), 2e-15),
        (BYTES[:1], *_wanted(BYTES[:1], *functions), 2e-15),
    ]


def _pairs(values, others):
    with np.errstate(all="ignore"):
        x, y = values[:, None], others
        return [(x, y, np.arctan2(x, y), np.hypot(x, y), 2e-15)]


_SAME = (EDGES[:, None], EDGES)
_SINGLE = (EDGES[:, None].astype(np.float32), EDGES.astype(np.float32))
_WHOLE = (BYTES[:, None], BYTES)

CASES: list[Case] = [
    (exponentials, _trials(EDGES, np.exp2, np.expm1)),
    (logarithms, _trials(EDGES, np.log2, np.log10, np.log1p)),
    (circular, _trials(EDGES, np.sin, np.cos, np.tan)),
    (inverse_circular, _trials(UNIT, np.arcsin, np.arccos, np.arctan)),
    (hyperbolic, _trials(EDGES, np.sinh, np.cosh, np.tanh)),
    (inverse_hyperbolic, _trials(UNIT, np.arcsinh, np.arccosh, np.arctanh)),
    (of_two, _pairs(EDGES, EDGES)),
    (cube_root, _trials(EDGES, np.cbrt)),
    (rounded, [(EDGES,), (TABLE.T,), (TABLE.astype(np.float32),), (np.float64(2.5),), (EMPTY,)]),
    (rounded_to, [(TABLE * 12.345,), (np.float64(2.675),), ((TABLE * 3.3).astype(np.float32),)]),
    (signs, [(EDGES,), (EDGES.astype(np.float32),), (np.float64(-0.0),), (TABLE[:, ::2],)]),
    (sign_of_integers, [(BYTES,), (np.int64(-3),), (BYTES[:0],)]),
    (kinds, [(EDGES,), (EDGES.astype(np.float32),), (np.float32(np.inf),), (BYTES,), (2.5,)]),
    (remainders, [_SAME, _SINGLE, _WHOLE, (TABLE, 0.75), (np.float64(-7.5), np.float64(2.0))]),
    (arithmetic, [_SAME, _SINGLE, _WHOLE, (TABLE, 2), (1.5, 2), (BYTES, 0.5)]),
    (one_operand, [(EDGES,), (EDGES.astype(np.float32),), (np.float64(4.0),), (EMPTY,)]),
    (angles, [(EDGES,), (EDGES.astype(np.float32),), (90,), (BYTES,)]),
    (compared, [_SAME, _WHOLE, (BYTES, 0.5), (1, 2.0), (np.float32(0.5), 0.5), (MASK, OTHER)]),
    (compared_on, [_SAME, _WHOLE, (BYTES, 0.5), (1, 2.0), (np.float32(0.5), 0.5), (MASK, OTHER)]),
    (logic, [_SAME, _WHOLE, (MASK, OTHER), (EDGES, 0), (True, 0.0), (MASK[:, None], OTHER)]),
    (bits, [_WHOLE, (MASK, OTHER), (BYTES, 12), (5, 3), (np.True_, np.False_)]),
    (shifts, [(BYTES, 2), (BYTES[:, None], np.array([0, 1, 63, 64, -1])), (5, 3)]),
    (powers, [(TABLE,), (BYTES,), (np.float64(-3.0),), (7,)]),
    (no_nans, [(EDGES,), (EDGES.astype(np.float32),), (EDGES[::-3],)]),
    (on_numbers, [(np.float64(-2.5), 3.0), (2, 3.5), (np.float32(1.5), 2), (0.0, np.float64(1.0))]),
    (into_views, [(np.arange(7.0),)]),
    (fused, [(TABLE, TABLE[0]), (TABLE.T, -1.5)]),
]
