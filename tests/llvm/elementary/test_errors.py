"""erf and erfc as vector code: within their stated errors, and exact where C's are."""

import re
from typing import Any

import mpmath as untyped_mpmath
import numpy as np
import pytest

from scriptc.backends.llvm.elementary import functions as llvm_math
from tests.support.math_jit import X86, Array, compile_map, host_features

mpmath: Any = untyped_mpmath
NAMES = ("erf", "erfc")


def arguments() -> Array:
    rng = np.random.default_rng(18)
    edges = np.array([0.5, 1.0, 6.0, 26.5, 2.0**-27, 2.0**-1030, 0.0])
    around = [np.nextafter(edges, end) for end in (-np.inf, np.inf)]
    sizes = np.ldexp(rng.uniform(0.5, 1.0, 1000), rng.integers(-1073, 5, 1000))
    near_one = rng.uniform(0.4, 1.1, 2000)  # most errors of erf
    parts = [edges, *around, sizes, near_one, rng.uniform(0.0, 26.5, 3000)]
    x = np.concatenate(parts)
    return np.concatenate([x, -x])


@pytest.mark.parametrize("name", NAMES)
def test_f64_results_are_within_the_stated_error(name: str) -> None:
    x = arguments()
    got = compile_map(name, "f64")(x)
    worst = 0.0
    with mpmath.workprec(200):
        for argument, value in zip(x.tolist(), got.tolist(), strict=True):
            exact = getattr(mpmath, name)(mpmath.mpf(argument))
            unit = float(np.spacing(abs(float(exact))))
            worst = max(worst, float(abs(value - exact) / unit))
    assert worst <= llvm_math.ULP_OF_SPECIAL[name, "f64"]


@pytest.mark.parametrize("name", NAMES)
def test_f32_results_are_within_the_stated_error(name: str) -> None:
    x = arguments().astype(np.float32)
    got = compile_map(name, "f32")(x)
    exact = compile_map(name, "f64")(x.astype(np.float64))
    with np.errstate(under="ignore"):
        error = np.abs(got - exact) / np.spacing(np.abs(exact.astype(np.float32)))
    assert np.max(error) <= llvm_math.ULP_OF_SPECIAL[name, "f32"]


@pytest.mark.parametrize("type_", ["f64", "f32"])
def test_what_is_known_exactly_is_exact(type_: str) -> None:
    dtype = np.float64 if type_ == "f64" else np.float32
    x = np.array(
        [0.0, -0.0, np.inf, -np.inf, 30.0, -30.0, 1e300 if type_ == "f64" else 1e30], dtype
    )
    erf, erfc = (compile_map(name, type_)(x) for name in NAMES)
    np.testing.assert_array_equal(erf, [0.0, 0.0, 1.0, -1.0, 1.0, -1.0, 1.0])
    np.testing.assert_array_equal(np.signbit(erf), [False, True, False, True, False, True, False])
    np.testing.assert_array_equal(erfc, [1.0, 1.0, 0.0, 2.0, 0.0, 2.0, 0.0])
    assert all(np.isnan(compile_map(name, type_)(np.array([np.nan], dtype)))[0] for name in NAMES)


@pytest.mark.skipif(not (X86 and "+fma" in host_features()), reason="x86's vector shapes")
@pytest.mark.parametrize("name", NAMES)
def test_a_loop_over_a_contiguous_array_is_vector_code(name: str) -> None:
    loop = compile_map(name, "f64").compiled.optimised
    assert re.search(r"call <(4|8|16) x double> @llvm\.fma\.v", loop)
    assert f"@{name}(" not in loop
