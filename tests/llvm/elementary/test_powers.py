"""Powers, roots, logarithms to a base and sizes as vector code: exact where they can be."""

import re
from functools import cache
from typing import Any

import mpmath as untyped_mpmath
import numpy as np
import pytest

from scriptc.backends.llvm.elementary import functions as llvm_math
from scriptc.backends.llvm.elementary.literal_powers import NAMES
from tests.support.math_jit import (
    DTYPES,
    X86,
    Array,
    ArrayMap,
    ArrayMapOfTwo,
    compile_map,
    compile_map_of_two,
    host_features,
)

mpmath: Any = untyped_mpmath
PAIRS = [(name, type_) for name in ("hypot", "pow") for type_ in ("f64", "f32")]
UFUNCS = {"hypot": np.hypot, "pow": np.power}
EXACT = {"hypot": mpmath.hypot, "pow": mpmath.power}


@cache
def compiled(name: str, type_: str) -> ArrayMapOfTwo:
    return compile_map_of_two(name, type_)


def power(type_: str, x: Array, y: float) -> Array:
    return compiled("pow", type_)(x, np.full_like(x, y))


def every_kind(type_: str) -> tuple[Array, Array]:
    """All pairs of numbers of every kind that C's functions tell apart."""
    dtype = DTYPES[type_]
    info = np.finfo(dtype)
    ends = [info.max, info.tiny, info.tiny / 4, info.smallest_subnormal, 1 + info.eps]
    whole = [1, 2, 3, 4, 5, 33, 127, 149, 150, 1023, 1074, 1075, 2.0**23, 2.0**24 - 1]
    wide = [2.0**52, 2.0**53 - 1, 2.0**53, 1e30]
    fractions = [0.0, 0.5, 0.3, 1.5, 2.5, 1e-3, 1 - info.epsneg, np.inf, np.nan]
    positive = np.array([*ends, *whole, *wide, *fractions], dtype)
    some = np.concatenate([positive, -positive])
    x, y = np.meshgrid(some, some)
    return x.ravel(), y.ravel()


def random_pairs(name: str, count: int) -> tuple[Array, Array]:
    rng = np.random.default_rng(11)
    near_one = 1.0 + rng.normal(size=count) * 1e-3
    x = np.concatenate(
        [np.exp(rng.normal(size=count) * 3), near_one, np.exp(rng.normal(size=count) * 90)]
    )
    spread = np.repeat([20.0, 1e5, 5.0], count)
    if name == "pow":
        return x, rng.normal(size=3 * count) * spread
    return x, x * np.exp(rng.normal(size=3 * count) * 4)


@pytest.mark.parametrize(("name", "type_"), PAIRS)
def test_every_kind_of_number_gives_what_numpy_gives(name: str, type_: str) -> None:
    x, y = every_kind(type_)
    got = compiled(name, type_)(x, y)
    with np.errstate(all="ignore"):
        want = UFUNCS[name](x, y)
    np.testing.assert_array_equal(np.isnan(got), np.isnan(want))
    number = ~np.isnan(want)
    np.testing.assert_array_equal(np.signbit(got[number]), np.signbit(want[number]))
    special = np.isinf(want) | (want == 0)
    np.testing.assert_array_equal(got[special], want[special])
    np.testing.assert_allclose(got[number], want[number], rtol=8 * float(np.finfo(x.dtype).eps))


@pytest.mark.parametrize("name", ["hypot", "pow"])
def test_f64_results_are_within_the_stated_error(name: str) -> None:
    x, y = random_pairs(name, 3000)
    got = compiled(name, "f64")(x, y)
    with np.errstate(all="ignore"):
        units = np.spacing(np.abs(UFUNCS[name](x, y)))
    worst = 0.0
    with mpmath.workprec(200):
        for a, b, value, unit in zip(*(v.tolist() for v in (x, y, got, units)), strict=True):
            if unit == unit:  # a number
                exact = EXACT[name](mpmath.mpf(a), mpmath.mpf(b))
                worst = max(worst, float(abs(value - exact) / unit))
    assert worst <= llvm_math.ULP_OF_TWO[name, "f64"]


@pytest.mark.parametrize("name", ["hypot", "pow"])
def test_f32_results_are_within_the_stated_error(name: str) -> None:
    with np.errstate(all="ignore"):
        x, y = (side.astype(np.float32) for side in random_pairs(name, 200_000))
        exact = UFUNCS[name](x.astype(np.float64), y.astype(np.float64))
        nearest = exact.astype(np.float32)
        got = compiled(name, "f32")(x, y)
        error = np.abs(got - exact) / np.spacing(np.abs(nearest))
    np.testing.assert_array_equal(np.isinf(got), np.isinf(nearest))
    assert np.max(error[np.isfinite(nearest)]) <= llvm_math.ULP_OF_TWO[name, "f32"]


@cache
def compiled_literal(power: float, type_: str) -> ArrayMap:
    return compile_map(NAMES[power], type_)


@pytest.mark.parametrize("type_", ["f64", "f32"])
@pytest.mark.parametrize("power", NAMES)
def test_literal_powers_of_every_kind_of_number_are_numpys(power: float, type_: str) -> None:
    x = np.unique(every_kind(type_)[0].view(f"i{DTYPES[type_]().itemsize}")).view(DTYPES[type_])
    got = compiled_literal(power, type_)(x)
    with np.errstate(all="ignore"):
        want = np.power(x, np.full_like(x, power))
    np.testing.assert_array_equal(np.isnan(got), np.isnan(want))
    number = ~np.isnan(want)
    np.testing.assert_array_equal(np.signbit(got[number]), np.signbit(want[number]))
    np.testing.assert_array_max_ulp(got[number], want[number], 1, dtype=DTYPES[type_])


@pytest.mark.parametrize("power", NAMES)
def test_literal_powers_are_within_the_stated_error(power: float) -> None:
    x = random_pairs("hypot", 600)[0]
    if power == int(power):
        x = np.concatenate([x, -x])
    with np.errstate(over="ignore"):
        ends = np.abs(x) ** np.float64(power)
    x = x[(ends > np.finfo(float).tiny) & (ends < np.finfo(float).max / 2)]
    got = compiled_literal(power, "f64")(x)
    worst = 0.0
    with mpmath.workprec(200):
        for a, value, unit in zip(x.tolist(), got.tolist(), np.spacing(abs(got)), strict=True):
            worst = max(worst, float(abs(value - mpmath.mpf(a) ** mpmath.mpf(power)) / unit))
    assert worst <= llvm_math.ULP_OF_LITERAL_POWERS


@pytest.mark.parametrize("type_", ["f64", "f32"])
def test_powers_that_are_numbers_of_the_format_are_exact(type_: str) -> None:
    dtype = DTYPES[type_]
    info = np.finfo(dtype)
    twos = np.arange(int(np.log2(info.smallest_subnormal)), info.maxexp).astype(dtype)
    np.testing.assert_array_equal(
        compiled("pow", type_)(np.full_like(twos, 2), twos), np.ldexp(dtype(1), twos.astype(int))
    )
    tens = np.arange(23 if type_ == "f64" else 11).astype(dtype)
    exact_tens = np.array([10 ** int(k) for k in tens]).astype(dtype)
    np.testing.assert_array_equal(compiled("pow", type_)(np.full_like(tens, 10), tens), exact_tens)
    roots = np.arange(1, 1 << (info.nmant + 1) // 3).astype(dtype)
    for exponent in (2, 3):
        whole = roots if exponent == 3 else roots[: 1 << info.nmant // 2]
        np.testing.assert_array_equal(power(type_, whole, exponent), whole**exponent)
        np.testing.assert_array_equal(power(type_, -whole, exponent), (-whole) ** exponent)
    np.testing.assert_array_equal(power(type_, roots * roots, 0.5), roots)
    np.testing.assert_array_equal(compile_map("cbrt", type_)(roots**3), roots)
    np.testing.assert_array_equal(compile_map("log10", type_)(exact_tens), tens)
    np.testing.assert_array_equal(
        compile_map("log2", type_)(np.ldexp(dtype(1), twos.astype(int))), twos
    )


@pytest.mark.parametrize("type_", ["f64", "f32"])
def test_sizes_of_whole_triangles_are_exact(type_: str) -> None:
    a = np.array([3, 5, 8, 7, 20, 12, 9, 28, 3e9, -3], DTYPES[type_])
    b = np.array([4, 12, 15, 24, 21, 35, 40, 45, 4e9, -4], DTYPES[type_])
    c = np.array([5, 13, 17, 25, 29, 37, 41, 53, 5e9, 5], DTYPES[type_])
    np.testing.assert_array_equal(compiled("hypot", type_)(a, b), c)


@pytest.mark.skipif(not (X86 and "+fma" in host_features()), reason="x86's vector shapes")
@pytest.mark.parametrize(("name", "type_"), PAIRS)
def test_a_loop_over_contiguous_arrays_is_vector_code(name: str, type_: str) -> None:
    optimised = compiled(name, type_).compiled.optimised
    loop = optimised[optimised.index("@map(") :].split("\n}", 1)[0]
    assert re.search(r"call <(4|8|16) x double> @llvm\.fma\.v", loop)
    assert not re.search(rf"@{name}f?\(", loop), "libm is out of the loop"
