"""`round` to places, and what `math` counts or takes apart: to the last bit what CPython gives."""

import math
import random
import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from scriptc import script

ROUNDS = 150
Compiled = Any  # a scripted function


@script(backend="llvm")
def round_float(x: float, n: int) -> float:
    return round(x, n)


@script(backend="llvm")
def round_int(x: int, n: int) -> int:
    return round(x, n)


@script(backend="llvm")
def ldexp(x: float, i: int) -> float:
    return math.ldexp(x, i)


@script(backend="llvm")
def apart(x: float) -> tuple[tuple[float, int], tuple[float, float], float]:
    return math.frexp(x), math.modf(x), math.ulp(x)


@script(backend="llvm")
def following(x: float, y: float) -> tuple[float, float, float]:
    return math.nextafter(x, y), math.nextafter(x, math.inf), math.nextafter(x, -math.inf)


@script(backend="llvm")
def remainder(x: float, y: float) -> float:
    return math.remainder(x, y)


@script(backend="llvm")
def comb(n: int, k: int) -> int:
    return math.comb(n, k)


@script(backend="llvm")
def perm(n: int, k: int) -> int:
    return math.perm(n, k)


@script(backend="llvm")
def factorial(n: int) -> int:
    return math.factorial(n) + math.perm(n) - math.perm(n, None)


# The types of items come from the call.
@script(backend="llvm")
def fsum(x):  # pyright: ignore
    return math.fsum(x)  # pyright: ignore


@script(backend="llvm")
def prod(x):  # pyright: ignore
    return math.prod(x), math.prod([2, 3], start=7)  # pyright: ignore


@script(backend="llvm")
def numpy_rounded(x):  # pyright: ignore
    return round(x, 1), round(x, -1)  # pyright: ignore


SPECIAL = (
    *(0.0, -0.0, math.inf, -math.inf, math.nan, 5e-324, -5e-324, 2.2250738585072014e-308),
    *(1.7976931348623157e308, 1.0, -1.0, 0.5, 2.0**52, 2.0**53, 2.675, 0.125, 2.5, 1e22, 1e23),
)
PLACES = (0, 1, 2, 3, 5, 10, 15, 17, 20, 22, 330, -1, -2, -3, -5, -10, -20, -22, -310)


def _float(rng: random.Random) -> float:
    match rng.randrange(10):
        case 0:
            return rng.choice(SPECIAL)
        case 1 | 2 | 3:
            return struct.unpack("d", struct.pack("Q", rng.getrandbits(64)))[0]
        case 4 | 5 | 6:
            return rng.uniform(-1000, 1000)
        case _:
            return rng.randint(-(10**6), 10**6) / rng.choice([2, 4, 8, 16, 100, 1000])


def _int(rng: random.Random) -> int:
    large = rng.randint(-(2**62), 2**62)
    return rng.choice([large, rng.randint(-(10**6), 10**6), 5 * 10**18, -5 * 10**18, -(2**63)])


def _power(rng: random.Random) -> int:
    return rng.choice([0, 1, -1, 100, -100, -1060, -1074, 10**6, rng.randint(-2200, 2200)])


def _some(rng: random.Random) -> list[float]:
    return [_float(rng) for _ in range(rng.randint(1, 12))]


_WAYS: list[tuple[Compiled, Callable[[random.Random], tuple[Any, ...]]]] = [
    (round_float, lambda r: (_float(r), r.choice(PLACES))),
    (round_int, lambda r: (_int(r), r.choice([0, 1, -1, -2, -3, -10, -18, -20]))),
    (ldexp, lambda r: (_float(r), _power(r))),
    (apart, lambda r: (_float(r),)),
    (following, lambda r: (_float(r), _float(r))),
    (remainder, lambda r: (_float(r), _float(r))),
    (comb, lambda r: (r.randint(-1, 60), r.randint(-1, 60))),
    (perm, lambda r: (r.randint(-1, 20), r.randint(-1, 25))),
    (factorial, lambda r: (r.randint(-2, 20),)),
    (fsum, lambda r: (np.array(_some(r)),)),
    (prod, lambda r: (np.array(_some(r)),)),
    (numpy_rounded, lambda r: (np.float64(r.uniform(-1000, 1000)),)),
]


def _outcome(function: Callable[..., object], arguments: tuple[Any, ...]) -> str:
    try:
        with np.errstate(all="ignore"):
            return repr(function(*arguments))
    except (ValueError, OverflowError) as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize(("function", "make"), _WAYS, ids=[f.python.__name__ for f, _ in _WAYS])
def test_it_is_what_cpython_gives(
    function: Compiled, make: Callable[[random.Random], tuple[Any, ...]]
) -> None:
    rng = random.Random(function.python.__name__)
    for _ in range(ROUNDS):
        arguments = make(rng)
        wanted = _outcome(function.python, arguments)
        if function is not round_int or len(wanted) < 19:  # else it may not fit into 64 bits
            assert _outcome(function, arguments) == wanted, arguments


def test_what_does_not_fit_raises() -> None:
    with pytest.raises(OverflowError):
        factorial(21)
    with pytest.raises(OverflowError):
        comb(70, 35)
    with pytest.raises(OverflowError):
        round_int(2**63 - 1, -1)
    with pytest.raises(OverflowError):
        round_int(6 * 10**18, -19)


def test_places_beyond_the_exact_powers_of_ten_are_refused() -> None:
    with pytest.raises(ValueError, match="not built"):
        round_float(1.5e-30, 32)
    assert round_float(1.5, 32) == 1.5
