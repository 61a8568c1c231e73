"""arctan2, and angles of large numbers: every quadrant and sign, and within the stated errors."""

# The script has no annotations: its types come from the calls.
# pyright: basic

from typing import Any

import mpmath as untyped_mpmath
import numpy as np
import pytest

from scriptc import script
from scriptc.backends.llvm.elementary import functions as llvm_math

mpmath: Any = untyped_mpmath


@script
def _angles(y, x):
    return np.arctan2(y, x)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_the_angle_of_a_point_is_within_the_stated_error(dtype: type[np.floating]) -> None:
    rng = np.random.default_rng(8)
    small = np.array([0.0, 5e-324, 1e-310, 1e-45, 1e-38, 1.0, 2.0, 1e30, 1e308, np.inf, np.nan])
    near_one = 1.0 + rng.normal(size=200) * 1e-3
    sizes = np.concatenate([small, near_one, np.exp(rng.normal(size=200) * 3)])
    with np.errstate(all="ignore"):
        some = np.concatenate([sizes, -sizes]).astype(dtype)
    y, x = (side.ravel() for side in np.meshgrid(some, some[::3]))
    got = _angles(y, x)
    with np.errstate(all="ignore"):
        want = np.arctan2(y.astype(np.longdouble), x.astype(np.longdouble))
        nearest = want.astype(dtype)
    assert got.dtype == dtype
    np.testing.assert_array_equal(np.isnan(got), np.isnan(nearest))
    number = ~np.isnan(nearest)
    np.testing.assert_array_equal(np.signbit(got[number]), np.signbit(nearest[number]))
    error = np.abs(got[number] - want[number]) / np.spacing(np.abs(nearest[number]))
    assert np.max(error) <= llvm_math.ULP_OF_TWO["arctan2", "f64" if dtype is np.float64 else "f32"]


@script
def _functions_of_angles(x):
    return np.sin(x), np.cos(x), np.tan(x)


def _far_angles(dtype: type[np.floating]) -> np.ndarray:
    """Return numbers of every size from the limit on, and the nearest ones to multiples of pi/2."""
    rng = np.random.default_rng(18)
    low, high = (45, 1024) if dtype is np.float64 else (15, 128)
    sizes = np.ldexp(rng.uniform(0.5, 1.0, 1500), rng.integers(low, high + 1, 1500))
    with mpmath.workprec(1400):
        wholes = np.ldexp(rng.uniform(0.5, 1.0, 300), rng.integers(low + 2, high - 1, 300))
        multiples = [float(int(whole) * mpmath.pi / 2) for whole in wholes.tolist()]
    # The f64 and the f32 that are nearest to a multiple of pi/2, and the ends.
    hard = [6381956970095103 * 2.0**797] if dtype is np.float64 else [16367173 * 2.0**72]
    info = np.finfo(dtype)
    ends = [2.0**low, 2.0 ** (low - 1), float(info.max), float(np.nextafter(info.max, dtype(0)))]
    x = np.concatenate([sizes, multiples, hard, ends]).astype(dtype)
    return rng.permutation(np.concatenate([x, -x]))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_functions_of_large_angles_are_within_the_stated_error(dtype: type[np.floating]) -> None:
    x, type_ = _far_angles(dtype), "f64" if dtype is np.float64 else "f32"
    with mpmath.workprec(1400):
        for name, got in zip(("sin", "cos", "tan"), _functions_of_angles(x), strict=True):
            exact = [getattr(mpmath, name)(mpmath.mpf(v)) for v in x.tolist()]
            units = np.spacing(np.abs(np.array(exact, float)).astype(dtype)).tolist()
            errors = [abs(g - e) / u for g, e, u in zip(got.tolist(), exact, units, strict=True)]
            assert max(errors) <= llvm_math.ULP[name, type_]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_large_angle_does_not_depend_on_its_neighbours(dtype: type[np.floating]) -> None:
    x = np.array([1.0, 1e30, np.inf, np.nan, -1e30, 0.5, -np.inf] * 5, dtype)
    alone = [_functions_of_angles(x[i : i + 1]) for i in range(x.size)]
    for k, together in enumerate(_functions_of_angles(x)):
        np.testing.assert_array_equal(together, np.concatenate([each[k] for each in alone]))
