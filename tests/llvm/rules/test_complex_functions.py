"""Powers and elementary functions of complex numbers are as close to NumPy's as they should be.

Bounds are in units in the last place of the larger part: of a result whose smaller part cancels,
no formula keeps that part to the bit.  `exp` is code of our own, so each of its parts is bounded.
"""

# The programs have no annotations: their types come from the call.
# pyright: basic

import cmath
import itertools
import math
from collections.abc import Callable
from functools import cache
from typing import Any

import mpmath
import numpy as np
import numpy.typing as npt
import pytest

from scriptc import script
from scriptc.backends.llvm.rules import complex_functions as rules
from tests.programs import complex_functions as programs

C128 = npt.NDArray[np.complex128]
PARTS = (0.0, -0.0, 1.0, -2.5, 1e30, math.inf, math.nan, 1e-3, 720.0, -800.0, 1e308, -math.inf)
EDGES = np.array([complex(x, y) for x in PARTS for y in PARTS])
NAMES = ["exp", "log", "log2", "log10", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh"]
MORE = ["exp2", "expm1", "log1p"]
INVERSE = ["arcsin", "arccos", "arctan", "arcsinh", "arccosh", "arctanh"]


@cache
def computed(dtype: str) -> dict[str, npt.NDArray[Any]]:
    z = numbers(dtype)
    found = [*script(programs.functions)(z), *script(programs.inverse_functions)(z)]
    found.append(script(programs.more_functions)(z))
    return dict(zip([*NAMES, *INVERSE, *MORE], [x for part in found for x in part], strict=True))


def numbers(dtype: str) -> npt.NDArray[Any]:
    return np.concatenate([EDGES, random_numbers()]).astype(dtype)


def random_numbers() -> C128:
    rng = np.random.default_rng(5)
    sizes = np.exp(rng.uniform(-8, 3, 2000)) * rng.choice([-1.0, 1.0], 2000)
    return sizes + 1j * rng.permutation(sizes)


@pytest.mark.parametrize("name", [*NAMES, *INVERSE, *MORE])
@pytest.mark.parametrize("dtype", ["complex128", "complex64"])
def test_a_function_is_close_to_numpy_s(name: str, dtype: str) -> None:
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(numbers(dtype))
    found: Any = computed(dtype)[name]
    assert found.dtype == expected.dtype
    for got, want in ((found.real, expected.real), (found.imag, expected.imag)):
        np.testing.assert_array_equal(np.isnan(got), np.isnan(want))
        number = ~np.isnan(want)
        special = number & (np.isinf(want) | (want == 0))
        np.testing.assert_array_equal(got[special], want[special])
        np.testing.assert_array_equal(np.signbit(got[special]), np.signbit(want[special]))
    finite = np.isfinite(expected) & (expected != 0)
    error = np.abs(found[finite] - expected[finite]) / np.abs(expected[finite])
    assert error.max() <= 4 * np.finfo(dtype).eps


def test_sizes_are_within_an_ulp_and_lose_none_to_overflow() -> None:
    rng = np.random.default_rng(1)
    exponents = rng.integers(-1074, 1024, 4000)
    near = np.clip(exponents + rng.integers(-60, 60, 4000), -1074, 1023)
    scaled = [np.ldexp(rng.uniform(0.5, 1.0, 4000), e) for e in (exponents, near)]
    z = np.concatenate([EDGES, random_numbers(), scaled[0] + 1j * scaled[1]])
    ends = [0.0, 5e-324, 1e-308, 1.7e308, 1e154, 1e-154, math.inf, math.nan]
    ends = np.array([*ends, 2.0**-400, 2.0**-401, 2.0**511, 2.0**512])
    whole = np.empty((len(ends), len(ends)), complex)
    whole.real, whole.imag = np.meshgrid(ends, -ends)
    z = np.concatenate([z, whole.ravel()])
    for dtype in (np.complex128, np.complex64):
        with np.errstate(all="ignore"):
            parts: Any = z.astype(dtype)
            expected = np.hypot(parts.real, parts.imag)
            found = script(programs.sizes)(parts)
        np.testing.assert_array_equal(np.isnan(found), np.isnan(expected))
        number = ~np.isnan(expected)
        np.testing.assert_array_max_ulp(found[number], expected[number], 1)


def test_both_parts_of_exp_are_within_the_stated_error() -> None:
    z = random_numbers()
    z = np.concatenate([z, z.real * 230 + 1j * z.imag, [709.5 + 1.57j, 709.9 + 1.5707j]])
    found = script(programs.functions)(z)[0][0]
    worst = 0.0
    with mpmath.workprec(200):
        for value, got in zip(z.tolist(), found.tolist(), strict=True):
            exact = mpmath.exp(mpmath.mpc(value.real, value.imag))
            for part, true in ((got.real, exact.real), (got.imag, exact.imag)):
                if 1e-300 < abs(true) < 1e308:
                    unit = math.ulp(float(true))
                    worst = max(worst, float(abs(mpmath.mpf(part) - true)) / unit)
    assert worst <= rules.ULP_OF_EXP


def test_powers_are_close_to_numpy_s() -> None:
    z, w = EDGES[:, None], np.concatenate([EDGES, random_numbers()[:40]])
    power = script(programs.ufunc_power)
    with np.errstate(all="ignore"):
        expected: Any = np.power(z, w)
        found: Any = power(z, w)
    for got, want in ((found.real, expected.real), (found.imag, expected.imag)):
        np.testing.assert_array_equal(np.isnan(got), np.isnan(want))
        np.testing.assert_allclose(got, want, rtol=1e-14)


def test_powers_in_single_precision_are_rounded_from_double_precision() -> None:
    z = (random_numbers()[:60] * 3).astype(np.complex64)
    power = script(programs.ufunc_power)
    found = power(z[:, None], z)
    wide = z.astype(np.complex128)
    with np.errstate(all="ignore"):
        expected = np.power(wide[:, None], wide).astype(np.complex64)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    "function",
    [getattr(programs, f"cmath_{n}") for n in ("exp", *NAMES[4:])],
    ids=lambda f: f.__name__,
)
def test_functions_of_cmath_are_close_to_cpython_s(function: Callable[[complex], complex]) -> None:
    compiled = script(function)
    for z in random_numbers()[:200].tolist():
        want = function(z)
        assert abs(compiled(z) - want) <= 8e-16 * abs(want)


def test_the_polar_form_goes_back_and_forth() -> None:
    for z in random_numbers()[:50].tolist():
        r, phi = cmath.polar(z)
        assert script(programs.polar)(z)[0] == pytest.approx((r, phi), rel=1e-15)
        assert script(programs.rect)(r, phi) == pytest.approx(z, rel=1e-15)


def test_inverse_functions_of_cmath_are_close_to_cpython_s() -> None:
    parts = (0.0, -0.0, 1.0, -1.0, 2.5, -0.3, 1e-300, 5e-324, 1e300, -1.7e308, 1e-8)
    numbers = [complex(x, y) for x in parts for y in parts] + random_numbers()[:300].tolist()
    names = ("acos", "asin", "atan", "acosh", "asinh", "atanh")
    found: Any = script(programs.cmath_inverses)
    poles = [z for z in numbers if abs(z.real) + abs(z.imag) == 1 and 0 in (z.real, z.imag)]
    for z in numbers:
        if z in poles:
            continue
        for name, got in zip(names, [*itertools.chain(*found(z))], strict=True):
            want = getattr(cmath, name)(z)
            for one, other in ((got.real, want.real), (got.imag, want.imag)):
                assert math.copysign(1, one) == math.copysign(1, other), (name, z)
                assert abs(one - other) <= 3 * math.ulp(abs(want)), (name, z)
