"""Powers of arrays whose exponent is an argument: common ones have code of their own.

Of -0.0 and -inf the power 0.5 is what C's function gives, whichever code runs.
"""

# The programs have no annotations: their types come from the call.
# pyright: basic

from typing import Any

import numpy as np
import pytest

from scriptc import script
from tests.support.support_code import pool

NUMBERS = np.array(
    [0.0, -0.0, 1.0, -1.0, 2.5, -3.0, 1e-300, 1e200, 5e-324, np.inf, -np.inf, np.nan, 7.0, 0.1] * 3
)
EXPONENTS = [2.0, 0.5, 3.0, 2.5, -1.0, 0.0, 1.0, 4.0, np.inf, np.nan, 2, 3, -2, np.float64(3.0)]


def elements(x, g, out):
    for i in range(len(x)):
        out[i] = x[i] ** g
    return out


def of_rows(x, g, out):
    h, w = x.shape
    for i in range(h):
        for k in range(w):
            out[i, k] = 2.0 * x[i, k] ** g + g
    return out


def whole(x, g):
    return x**g


def two(x, g, k):
    return x**g + x**k


def summed(x, g):
    return np.sum(np.abs(x) ** g), np.sum(x**g, axis=0)


def _expected(x: Any, g: float) -> Any:
    with np.errstate(all="ignore"):
        return np.power(x, np.full_like(x, g))


@pytest.mark.parametrize("g", EXPONENTS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_any_exponent_gives_what_cs_function_gives(dtype: type[Any], g: float) -> None:
    with np.errstate(over="ignore"):
        x = NUMBERS.astype(dtype)
    expected = _expected(x, g)
    if isinstance(g, np.float64) and dtype is np.float32:
        x, expected = x[:1], expected[:1]  # the type of what comes out is another one
    results = [script(whole)(x, g), script(elements)(x, g, np.zeros_like(x))]
    for found in results:
        np.testing.assert_allclose(found, expected, rtol=2 * float(np.finfo(dtype).eps), atol=0)
        number = ~np.isnan(expected)
        np.testing.assert_array_equal(np.signbit(found[number]), np.signbit(expected[number]))


@pytest.mark.parametrize("g", EXPONENTS)
def test_powers_in_formulas_and_sums(g: float) -> None:
    x = np.abs(NUMBERS).reshape(6, 7) % 9 + 0.5
    x[np.isnan(x)] = 3.0
    powers = _expected(x, g)
    np.testing.assert_allclose(script(of_rows)(x, g, np.zeros((6, 7))), 2.0 * powers + g)
    np.testing.assert_allclose(script(two)(x, g, 0.5), powers + np.sqrt(x))
    np.testing.assert_allclose(script(two)(x, g, g), 2.0 * powers)
    total, columns = script(summed)(x, g)
    np.testing.assert_allclose(total, powers.sum())
    np.testing.assert_allclose(columns, powers.sum(axis=0))
    assert script(whole)(x[:0], g).shape == (0, 7)


@pytest.mark.parametrize("g", [2.0, 0.5, 3.0, 2.5])
def test_the_bits_are_the_same_for_any_number_of_threads(g: float) -> None:
    x = np.linspace(0.0, 9.0, 100_000)
    found: set[bytes] = set()
    for threads in (1, 2, 7):
        with pool(threads, everything=True):
            total, columns = script(summed)(x, g)
            found.add(script(whole)(x, g).tobytes() + total.tobytes() + columns.tobytes())
    assert len(found) == 1


def test_squares_are_exact() -> None:
    x = np.random.default_rng(3).normal(size=1000)
    np.testing.assert_array_equal(script(whole)(x, 2.0), x * x)
    np.testing.assert_array_equal(script(elements)(x, 2, np.zeros(1000)), x * x)
    np.testing.assert_array_equal(script(whole)(np.abs(x), 0.5), np.sqrt(np.abs(x)))
