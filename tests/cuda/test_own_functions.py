"""What machine code no longer takes from the C library has its bits on a device, too."""

# Without annotations the types come from the call.
# pyright: basic

import math

import numpy as np
import pytest

from scriptc import script
from tests.cuda.test_bits import same_bits

_RNG = np.random.default_rng(37)


def of_errors(x):
    first, second = np.empty_like(x), np.empty_like(x)
    for i in range(x.size):
        first[i], second[i] = math.erf(x[i]), math.erfc(x[i])
    return first, second


def of_large_numbers(x, y):
    return np.sin(x), np.cos(x), np.tan(x), np.fmod(x, y), np.fmod(x, 1e-30 * y)


def test_erf_and_erfc_have_the_bits_of_machine_code() -> None:
    edges = [0.0, -0.0, 0.5, 1.0, -1.0, 6.0, 26.5, 5e-324, np.inf, -np.inf, np.nan]
    x = np.concatenate([_RNG.normal(size=200) * 4, edges])
    assert same_bits(script(of_errors, backend="cuda")(x), script(of_errors)(x))


@pytest.mark.parametrize(("dtype", "largest"), [(np.float64, 1023), (np.float32, 127)])
def test_functions_of_large_numbers_have_the_bits_of_machine_code(
    dtype: type[np.floating], largest: int
) -> None:
    sizes = np.ldexp(_RNG.uniform(0.5, 1.0, 300), _RNG.integers(14, largest + 1, 300))
    x = np.concatenate([sizes, -sizes, [np.inf, np.nan]]).astype(dtype)
    y = _RNG.standard_normal(x.size).astype(dtype)
    found = script(of_large_numbers, backend="cuda")(x, y)
    assert same_bits(found, script(of_large_numbers)(x, y))
