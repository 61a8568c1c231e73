"""The elementary functions in LLVM IR: right in every corner, and within their stated error."""

from collections.abc import Iterator
from functools import cache

import numpy as np
import numpy.typing as npt
import pytest

from scriptc.backends.llvm import host
from scriptc.backends.llvm.elementary import functions as llvm_math
from scriptc.backends.llvm.elementary import make_tables
from tests.support.math_accuracy import (
    NAMES,
    float32_arguments,
    worst_error_f32,
    worst_error_f64,
)
from tests.support.math_jit import DTYPES, ArrayMap, compile_map

QUICK_STRIDE = 1021  # a prime, so that all low bits occur; four million of the 2**32 arguments
PAIRS = sorted(llvm_math.ULP)
F64 = npt.NDArray[np.float64]

# Where a function starts to differ in kind: it overflows, vanishes, turns to NaN, changes method.
EDGES_F64 = {
    "exp": [709.782712893384, -708.3964185322641, -745.1332191019411, -745.2, 710.0, -746.0],
    "exp2": [1024.0, 1023.9999999999999, -1022.0, -1074.0, -1075.0, -1076.0, 0.5, -0.5],
    "expm1": [709.782712893384, 710.0, -37.42994775023705, -40.0, -0.34657359027997264],
    "log": [1.0, 0.7071067811865476, 1.4142135623730951, 2.2250738585072014e-308, 5e-324],
    "log1p": [-1.0, 1.0, -0.2928932188134524, 0.41421356237309515, 2.0**53, 2.0**54, 2.0**1023],
    "log2": [1.0, 0.7071067811865476, 1.4142135623730951, 2.2250738585072014e-308, 5e-324, 8.0],
    "log10": [1.0, 0.7071067811865476, 1.4142135623730951, 2.2250738585072014e-308, 5e-324, 1e22],
    "sin": [2.0**45, -(2.0**45), 2.0**1023, np.pi, np.pi / 2, np.pi / 4, 2.0**-27],
    "cos": [2.0**45, -(2.0**45), 2.0**1023, np.pi, np.pi / 2, np.pi / 4, 2.0**-27],
    "tan": [2.0**45, -(2.0**45), 2.0**1023, np.pi, np.pi / 2, np.pi / 4, 2.0**-27, 2.0**-1030],
    "arcsin": [1.0, -1.0, 0.5, -0.5, 2.0**-27, 2.0**-1030],
    "arccos": [1.0, -1.0, 0.5, -0.5, 2.0**-27, 2.0**-54],
    "arctan": [1.0, -1.0, 0.41421356237309503, 2.414213562373095, 2.0**54, 2.0**-27, 2.0**1023],
    "sinh": [710.4758600739439, 711.0, 0.34657359027997264, 40.0, 2.0**-28, 2.0**-1030, 1.0397],
    "cosh": [710.4758600739439, 711.0, 0.34657359027997264, 40.0, 2.0**-28, 1.0397],
    "arcsinh": [2.0**30, 1.0, 1.3169578969248166, 2.0**-27, 2.0**-1030, 2.0**1023, 1.7e308],
    "arccosh": [1.0, 2.0**30, 1.25, 2.0**53, 2.0**1023, 1.7e308],
    "arctanh": [1.0, -1.0, 0.17157287525380988, 0.5, 2.0**-27, 2.0**-1030],
    "cbrt": [1.0, 8.0, 27.0, 1.4142135623730951, 2.0**-1074, 2.0**-1022, 2.0**1023],
    "tanh": [20.0, -20.0, 19.06154746539849, 0.17328679513998632, 2.0**-28],
}
RANGES_F64 = {
    "exp": (-746.0, 710.0),
    "exp2": (-1076.0, 1024.0),
    "expm1": (-41.0, 710.0),
    "log": (0.0, 4.0),
    "log1p": (-1.0, 3.0),
    "log2": (0.0, 4.0),
    "log10": (0.0, 12.0),
    "sin": (-100.0, 100.0),
    "cos": (-100.0, 100.0),
    "tan": (-100.0, 100.0),
    "arcsin": (-1.0, 1.0),
    "arccos": (-1.0, 1.0),
    "arctan": (-12.0, 12.0),
    "sinh": (-711.0, 711.0),
    "cosh": (-711.0, 711.0),
    "arcsinh": (-12.0, 12.0),
    "arccosh": (1.0, 12.0),
    "arctanh": (-1.0, 1.0),
    "cbrt": (-30.0, 30.0),
    "tanh": (-21.0, 21.0),
}
SPECIAL = [np.inf, np.nan, 0.0, 1.0, 2.0, 710.0, 89.0, 745.13, 103.9, 1e-40, 1e-310]


@cache
def compiled(name: str, type_: str) -> ArrayMap:
    return compile_map(name, type_)


def neighbours(x: float, count: int) -> Iterator[float]:
    """The floats around x, and x."""
    yield x
    for direction in (-np.inf, np.inf):
        y = x
        for _ in range(count):
            y = float(np.nextafter(y, direction))
            yield y


def arguments_f64(name: str) -> F64:
    rng = np.random.default_rng(7)
    low, high = RANGES_F64[name]
    edges = [y for x in EDGES_F64[name] for y in neighbours(x, 40)]
    sizes = np.ldexp(rng.uniform(0.5, 1.0, 2000), rng.integers(-1073, 1024, 2000))
    small = np.ldexp(rng.uniform(0.5, 1.0, 1000), rng.integers(-60, 2, 1000))
    quarters = np.round(np.exp(rng.uniform(0.0, 31.0, 500))) * (np.pi / 2)  # bits cancel there
    near_one = rng.uniform(-1.5, 1.5, 2000)  # most errors of expm1, log1p and tanh
    parts = [edges, rng.uniform(low, high, 2000), near_one, sizes, -sizes, small, -small, quarters]
    return np.concatenate(parts)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", NAMES)
def test_f64_results_are_within_the_stated_error(name: str) -> None:
    x = arguments_f64(name)
    with np.errstate(all="ignore"):
        x = x[np.isfinite(getattr(np, name)(x))]
    error, where = worst_error_f64(name, x, compiled(name, "f64")(x))
    assert error <= llvm_math.ULP[name, "f64"], f"{error} ulp at {where!r}"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", NAMES)
def test_f32_results_are_within_the_stated_error(name: str) -> None:
    function = compiled(name, "f32")
    worst = max(worst_error_f32(name, x, function(x)) for x in float32_arguments(QUICK_STRIDE))
    assert worst[0] <= llvm_math.ULP[name, "f32"], f"{worst[0]} ulp at {worst[1]!r}"


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("name", "type_"), PAIRS)
def test_special_arguments_give_what_numpy_gives(name: str, type_: str) -> None:
    dtype = DTYPES[type_]
    info = np.finfo(dtype)
    with np.errstate(all="ignore"):
        positive = np.array([*SPECIAL, info.max, info.tiny, info.smallest_subnormal], dtype)
        x = np.concatenate([positive, -positive])
        expected = getattr(np, name)(x)
    got = compiled(name, type_)(x)
    special = ~np.isfinite(expected) | (expected == 0)
    np.testing.assert_array_equal(got[special], expected[special])
    number = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(got[number]), np.signbit(expected[number]))
    np.testing.assert_allclose(got[~special], expected[~special], rtol=8 * float(info.eps), atol=0)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", NAMES)
def test_f64_infinities_nans_and_signs_are_those_of_numpy(name: str) -> None:
    x = np.concatenate([arguments_f64(name), -arguments_f64(name)])
    got = compiled(name, "f64")(x)
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(x)
    np.testing.assert_array_equal(np.isnan(got), np.isnan(expected))
    np.testing.assert_array_equal(np.isinf(got), np.isinf(expected))
    number = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(got[number]), np.signbit(expected[number]))


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("name", "type_"), PAIRS)
def test_a_result_does_not_depend_on_its_neighbours(name: str, type_: str) -> None:
    with np.errstate(over="ignore"):
        x = arguments_f64(name)[:300].astype(DTYPES[type_])
    function = compiled(name, type_)
    alone = np.concatenate([function(x[i : i + 1]) for i in range(x.size)])
    np.testing.assert_array_equal(function(x), alone)


def test_the_table_is_what_its_maker_computes() -> None:
    made = make_tables.write_text(make_tables.make_tables())
    assert make_tables.PATH.read_text("utf-8") == made


def test_a_text_holds_each_asked_function_once() -> None:
    text = llvm_math.functions([("exp", "f64"), ("sin", "f32"), ("exp", "f64")])
    assert text.definitions.count("define internal double @sc_exp_f64(") == 1
    assert text.definitions.count("define internal float @sc_sin_f32(") == 1
    assert "declare double @llvm.fma.f64(double, double, double)" in text.declarations
    assert not any("@sinf" in line for line in text.declarations)


def test_an_unknown_function_is_refused() -> None:
    with pytest.raises(ValueError, match="no f16 function exp"):
        llvm_math.symbol("exp", "f16")


@pytest.mark.parametrize(
    ("features", "expected"),
    [
        ("+sse2,+fma,+avx2", True),
        ("+avx,-fma", False),
        ("+fma,-fma", False),
        ("+fma4", False),
        ("", False),
        ("+neon", True),
    ],
)
def test_the_functions_ask_for_fused_multiply_add(features: str, expected: bool) -> None:
    assert host.has_fused_multiply_add(features) is expected
