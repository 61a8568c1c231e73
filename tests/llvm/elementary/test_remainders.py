"""Remainders and whole quotients of float arrays have NumPy's bits: they are exact."""

# The script has no annotations: its types come from the calls.
# pyright: basic

import re
from typing import Any

import numpy as np
import pytest

from scriptc import script
from scriptc.backends.llvm import machine
from scriptc.types import N, f64
from tests.support.math_jit import X86, host_features

Floats = np.ndarray[Any, np.dtype[Any]]
COUNT = 20_003  # no multiple of the lanes of a vector
EDGES = [0.0, -0.0, 1.0, -1.0, 0.1, 0.7, 3.0, np.inf, -np.inf, np.nan, 5e-324, 1e-300, 1e300]
EDGES += [2.0**23, 2.0**24 - 1, 2.0**24, 2.0**52, 2.0**53 - 1, 2.0**53, 1 - 2.0**-53, 1 + 2.0**-52]


@script
def remainders(x, y):
    return np.fmod(x, y), x % y, x // y


@script
def rest(x: f64[N], y: f64[N]):
    return x % y


def pairs(dtype: type, bits: type) -> list[tuple[Floats, Floats]]:
    """Return dividends and divisors: any bits, near multiples, subnormal numbers, and edges."""
    draws = np.random.default_rng(11)

    def any_bits(below: int) -> Floats:
        return draws.integers(0, below, COUNT, bits, endpoint=True).view(dtype)

    every, few = int(np.iinfo(bits).max), 1000
    divisors = draws.standard_normal(COUNT).astype(dtype)
    multiples = divisors * draws.integers(-(10**6), 10**6, COUNT).astype(dtype)
    first, second = np.meshgrid(np.array(EDGES).astype(dtype), np.array(EDGES).astype(dtype))
    return [
        (any_bits(every), any_bits(every)),
        (np.nextafter(multiples, draws.standard_normal(COUNT).astype(dtype) * 9e9), divisors),
        (multiples, divisors[::-1]),
        (-any_bits(few), any_bits(few)),
        (first.ravel(), second.ravel()),
        (first[::-1, ::-2], -second[:, ::2]),
    ]


@pytest.mark.parametrize(("dtype", "bits"), [(np.float64, np.uint64), (np.float32, np.uint32)])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_remainders_have_numpys_bits(dtype: type, bits: type) -> None:
    for x, y in pairs(dtype, bits):
        for found, wanted in zip(remainders(x, y), remainders.python(x, y), strict=True):
            np.testing.assert_array_equal(found, wanted)
            numbers = wanted == wanted
            np.testing.assert_array_equal(np.signbit(found[numbers]), np.signbit(wanted[numbers]))


@pytest.mark.skipif(not X86 or "+fma" not in host_features(), reason="libm's where none is fused")
def test_a_loop_over_remainders_is_vector_code() -> None:
    optimised = machine.optimised_text(rest.dump("llvm"))
    assert re.search(r"call <\d+ x double> @sc_fmod_far_f64_each", optimised)
