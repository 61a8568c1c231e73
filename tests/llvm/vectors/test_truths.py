"""Truths of wide elements: loops that store less than they load."""

# pyright: basic

import numpy as np
import pytest

from scriptc import script
from scriptc.types import f64

N, SIZES = "N", (0, 1, 2, 7, 15, 16, 17, 31, 32, 33, 64, 65, 100, 1000)
RANDOM = np.random.default_rng(5)


def of_numbers(x, y):
    return x > y, x == y, (x > 0) & (y <= 3), x.astype(np.uint8)


def of_floats(x, y):
    return np.isnan(x), np.isfinite(y), x >= y, ~(x != y), np.signbit(x)


def of_rows(x, y):
    return x[:, 1:-1] > y[:, 1:-1], np.isnan(x[:, ::2])


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i4", "u4"])
def test_truths_are_numpys_for_every_size_and_layout(dtype: str) -> None:
    function = of_floats if dtype[0] == "f" else of_numbers
    compiled = script(function)
    for size in SIZES:
        x, y = (RANDOM.integers(0, 9, 3 * size).astype(dtype) for _ in range(2))
        if dtype[0] == "f":
            x[::4], y[::6] = np.nan, -0.0
            x[::9] = np.inf
        for at in (np.s_[:size], np.s_[::3], np.s_[::-3], np.s_[size : 2 * size]):
            for found, expected in zip(compiled(x[at], y[at]), function(x[at], y[at]), strict=True):
                np.testing.assert_array_equal(found, expected)


def test_truths_of_rows_that_do_not_adjoin() -> None:
    compiled = script(of_rows)
    for columns in range(2, 40):
        x, y = RANDOM.standard_normal((2, 5, columns))
        x[:, ::3] = np.nan
        for found, expected in zip(compiled(x, y), of_rows(x, y), strict=True):
            np.testing.assert_array_equal(found, expected)


def test_llvm_is_asked_for_vectors_of_truths() -> None:
    text = script(lambda x: np.isnan(x)).dump("llvm", f64[N])  # pyright: ignore
    assert '"llvm.loop.vectorize.width", i32 16' in text
    text = script(lambda x: x + 1.0).dump("llvm", f64[N])  # pyright: ignore
    assert "vectorize.width" not in text
