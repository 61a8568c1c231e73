"""arctan2 as vector code: every quadrant, every sign of zero, and within its stated error."""

# The script has no annotations: its types come from the calls.
# pyright: basic

import numpy as np
import pytest

from scriptc import script
from scriptc.backends.llvm.elementary import functions as llvm_math


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
