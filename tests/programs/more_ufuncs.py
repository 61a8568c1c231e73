"""NumPy's functions of elements that choose between results, give two, or loop for each."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

LINE = np.array([1.0, -2.5, 0.0, np.nan, -0.0, np.inf, -np.inf, 7.25])
OTHER = np.array([2.0, np.nan, 0.5, np.nan, -1.0, np.inf, np.inf, 7.25])
WHOLE = np.array([[12, -18, 0], [7, 100, -1]])


HALVES = np.array([0.0, -0.0, 1.5, -2.25, np.nan, np.inf, -np.inf, 6e-8], np.float16)
EDGES = np.array([0.0, -0.0, 1.0, -1.0, 0.1, -3e-320, 5e-324, np.nan, np.inf, -np.inf])
FAR = np.array([1.7976931348623157e308, -1.7976931348623157e308, 2.2250738585072014e-308])
NARROW = np.array([3.4028235e38, -3.4028235e38, 1e-45, -1.1754944e-38, 0.75], np.float32)
PAIRS = np.array([0, 1 + 1j, -2.5 - 3.5j, complex(-0.0, 2), complex(np.inf, 1), np.nan])


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


def halves(a, b):
    steep = np.logaddexp(a, b), np.logaddexp2(a, b), np.radians(a), np.degrees(a)
    return np.fmax(a, b), np.heaviside(a, b), np.sign(a), np.signbit(a), np.fmod(a, b), steep


def half_parts(a):
    return np.modf(a), np.frexp(a), np.spacing(a), np.modf(a[0])


def float_parts(a):
    return np.frexp(a), np.spacing(a), np.frexp(a[::-2]), np.frexp(a[0]), np.spacing(a[0])


def neighbours(a, b):
    return np.nextafter(a, b), np.nextafter(a, 0), np.nextafter(a[:, None], a), np.nextafter(1.0, 2)


def scaled(a, i):
    out = np.empty_like(a)
    np.ldexp(a, 3, out=out)
    return out, np.ldexp(a[:, None], i), np.ldexp(a[0], i[0])


def bit_counts(a):
    return np.bitwise_count(a), np.bitwise_count(a[0]), np.bitwise_count(-7)


def of_parts(z):
    return np.rint(z), np.sign(z), np.sign(z[0])


def truths(z):
    return np.logical_and(z, 1), np.logical_not(z), np.nonzero(z), np.any(z), np.all(z)


def zero_axes(a, b):
    return np.broadcast_arrays(a, b)


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
    (
        halves,
        [(HALVES, HALVES[::-1]), (np.array([1, -2, 3], np.int8), np.array([True, False, True]))],
    ),
    (half_parts, [(HALVES,), (np.arange(0, 2**16, 17, dtype=np.uint16).view(np.float16),)]),
    (float_parts, [(EDGES,), (FAR,), (NARROW,), (np.array([3, -4]),), (EDGES[::-1],)]),
    (
        neighbours,
        [(EDGES, EDGES[::-1]), (FAR, FAR[:1]), (NARROW, NARROW[::-1]), (HALVES, HALVES[:1])],
    ),
    (scaled, [(a, np.array([-2200, -1073, -149, -1, 0, 127, 1024, 2200])) for a in (EDGES, FAR)]),
    (scaled, [(NARROW, np.array([-150, -126, 1, 128], np.int32)), (HALVES, np.array([3, -24]))]),
    (
        bit_counts,
        [
            (np.array([0, 1, -1, 255, 2**63 - 1, -(2**63)]),),
            (np.array([-128, 127, 85], np.int8),),
            (np.array([0, 2**64 - 1], np.uint64),),
            (np.array([True, False]),),
        ],
    ),
    (of_parts, [(PAIRS,), (PAIRS[:0:-1].astype(np.complex64),)]),
    (truths, [(PAIRS,), (PAIRS[::2],)]),
    (zero_axes, [(1.5, 2), (np.float32(1.5), np.array(2))]),
]
