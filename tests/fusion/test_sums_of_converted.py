"""Sums and means of elements that are converted first are those of NumPy, where these are exact."""

# The scripts have no annotations: their types come from the calls.
# pyright: basic

import numpy as np
import pytest

from scriptc import script
from tests.support.outcomes import freeze

INTEGERS = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")


@script
def sums(a):
    wide = a.astype(np.float64)
    return np.sum(wide), np.sum(wide, axis=-1), np.sum(a * 2.5, axis=-1), np.mean(a, axis=-1)


@script
def sums_of_products(a, b):
    return np.sum(a * b), np.sum((a * b) * 0.5, axis=-1), np.sum(a + b * 1.5, axis=1)


# Rows that fit into a vector, that fill some, and that are several blocks.
@pytest.mark.sampled(29)
@pytest.mark.parametrize("columns", [1, 3, 8, 31, 64, 1025, 5000])
@pytest.mark.parametrize("dtype", [*INTEGERS, "float32", "float64", "bool"])
def test_sums_of_whole_numbers_are_exact(dtype: str, columns: int) -> None:
    table = (np.arange(6 * columns) * 7 % 5).reshape(6, columns).astype(dtype)
    for a in (table, table[::2, ::-1], table[:0], np.asfortranarray(table)):
        assert freeze(sums(a)) == freeze(sums.python(a))
        if dtype != "bool":
            assert freeze(sums_of_products(a, a)) == freeze(sums_of_products.python(a, a))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("dtype", INTEGERS)
def test_the_ends_of_integers_are_converted_as_numpy_does(dtype: str) -> None:
    ends = np.iinfo(dtype)
    table = np.zeros((4, 9), dtype)
    table[0, 0], table[1, 8], table[2, 4] = ends.max, ends.min, ends.max - 1
    for a in (table, table[:, :3], table[:, 3:]):
        assert freeze(sums(a)) == freeze(sums.python(a))
