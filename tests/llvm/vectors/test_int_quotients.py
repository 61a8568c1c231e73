"""Quotients of ints that vectors compute have NumPy's bits, wherever the numbers lie."""

# What the calls give is compared as it is.
# pyright: basic

import numpy as np
import pytest

from scriptc import script
from scriptc.types import N, i64


@script
def divided(k: i64[N], m: i64[N]):
    return k // m, k % m


@script
def by_constants(k: i64[N]):
    return k // 3, k % 10, k // 1000003, k // 6442450941, k % 5764607523034234879


def test_both_are_written_in_vectors() -> None:
    assert "@llvm.floor.v8f64" in divided.dump("llvm")
    assert "mul <8 x i64>" in by_constants.dump("llvm")


@pytest.mark.parametrize("bits", [3, 31, 50, 51, 52, 62, 63])
def test_numbers_of_some_bits(bits) -> None:
    rng = np.random.default_rng(bits)

    def numbers(most):
        return rng.integers(-(2**most), 2**most - 1, 4003, endpoint=True)

    k = numbers(bits)
    for got, want in zip(by_constants(k), by_constants.python(k), strict=True):
        assert np.array_equal(got, want)
    for m in (numbers(bits), numbers(bits // 2), numbers(3)):
        # Multiples, and what lies beside them, are the hardest to round.
        with np.errstate(all="ignore"):
            near = k // m * m + rng.integers(-1, 2, k.size)
            for dividends in (k, near):
                for got, want in zip(
                    divided(dividends, m), divided.python(dividends, m), strict=True
                ):
                    assert np.array_equal(got, want)
