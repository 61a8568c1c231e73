"""NumPy's functions of elements that choose between results, give two, or loop for each."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

LINE = np.array([1.0, -2.5, 0.0, np.nan, -0.0, np.inf, -np.inf, 7.25])
OTHER = np.array([2.0, np.nan, 0.5, np.nan, -1.0, np.inf, np.inf, 7.25])
WHOLE = np.array([[12, -18, 0], [7, 100, -1]])


def ends(a, b):
    return np.fmax(a, b), np.fmin(a, b), np.fmax(a, 1), np.fmin(a[0], b[0])


def steps(a, b):
    return np.heaviside(a, b), np.heaviside(a, 0.5), np.heaviside(a[0], 1), np.fix(a)


def tests(a):
    return np.isneginf(a), np.isposinf(a), np.isreal(a), np.iscomplex(a), np.isposinf(a.ravel()[0])


def kinds(a):
    b = a * 1j
    return np.isrealobj(a), np.iscomplexobj(a), np.iscomplexobj(b), np.isreal(b), np.iscomplex(b)


def pairs(a, b):
    q, r = np.divmod(a, b)
    return q, r, np.divmod(a, 3), np.modf(a), np.modf(a.ravel()[0])


def divisors(a, b):
    c = np.zeros(a.shape, a.dtype)
    np.gcd(a, b, out=c)
    return c, np.gcd(a, 12), np.lcm(a, b), np.gcd(4, 6)


def powers(a):
    return np.float_power(a, 2), np.float_power(2, a)


CASES: list[Case] = [
    (ends, [(LINE, OTHER), (WHOLE, WHOLE[::-1]), (LINE.astype(np.float32), OTHER[:1])]),
    (steps, [(LINE, OTHER), (LINE[:0], OTHER[:1]), (WHOLE * 0.5, OTHER[:3])]),
    (tests, [(LINE,), (WHOLE,), (LINE.astype(np.float32),)]),
    (kinds, [(LINE,)]),
    (pairs, [(LINE, OTHER), (WHOLE * 0.25, OTHER[:3])]),
    (
        divisors,
        [(WHOLE, WHOLE[::-1]), (WHOLE, WHOLE[0]), (abs(WHOLE).astype(np.uint8), np.uint8(6))],
    ),
    (powers, [(WHOLE,)]),
]
