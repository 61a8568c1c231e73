"""Large matrices that LAPACK factors where they stand: what NumPy gives but for last bits."""

# Without annotations the types come from the call.
# pyright: basic

from typing import Any

import numpy as np
import pytest

from scriptc import script

Matrix = Any  # a square matrix, or a stack of them


def _factors(x):
    return np.linalg.cholesky(x), np.linalg.cholesky(x, upper=True)


factors: Any = script(_factors, backend="llvm")


def _positive(size: int, dtype: str) -> Matrix:
    root = np.random.default_rng(size).random((size, size)) - 0.5
    return (root @ root.T + size * np.eye(size)).astype(dtype)


@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("size", [1, 127, 128, 131, 200])
def test_factors_are_what_numpy_gives(size: int, dtype: str) -> None:
    matrix = _positive(size, dtype)
    tolerance = {"f8": 1e-12, "f4": 1e-5}[dtype]
    for x in (matrix, matrix[::-1, ::-1], np.stack([matrix, 2 * matrix]), matrix.T):
        for found, wanted in zip(factors(x), factors.python(x), strict=True):
            assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype)
            np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance)
            # The other half is zero, not what was there.
            assert (np.equal(found, 0.0) >= np.equal(wanted, 0.0)).all()


def test_a_matrix_that_is_not_positive_definite_is_refused() -> None:
    for x in (-np.eye(200), np.stack([np.eye(150), -np.eye(150)])):
        for function in (factors, factors.python):
            with pytest.raises(np.linalg.LinAlgError, match="not positive definite"):
                function(x)
