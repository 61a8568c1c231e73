"""The place of an extreme in a long row is the first one, or that of the first NaN, as NumPy's."""

# Without annotations the types come from the call, which is what these functions are about.
# pyright: basic

import numpy as np
import pytest

from scriptc import script
from tests.support.outcomes import freeze


@script
def places(a):
    return np.argmax(a), np.argmin(a), a.argmax(keepdims=True), np.argmin(a.T)


def _rows(size: int) -> list[np.ndarray]:
    random = np.random.default_rng(size)
    few, many = np.floor(random.random(size) * 50), random.random(size)
    with_nan, late = few.copy(), many.copy()
    with_nan[size // 3] = np.nan
    late[-3:] = [9.0, np.nan, 9.0]
    return [few, many, with_nan, late, few.astype(np.int64), few > 25, late.astype(np.float32)]


# One short of a long row; whole blocks; and a last block that shares elements with others.
@pytest.mark.sampled(2)
@pytest.mark.parametrize("size", [8191, 8192, 9000, 9216, 12345])
def test_places_of_extremes_are_numpys(size: int) -> None:
    for row in _rows(size):
        table = row[: size // 100 * 100].reshape(100, -1)
        for a in (row, row[::-1], row[::2], table, np.asfortranarray(table)):
            assert freeze(places(a)) == freeze(places.python(a))


@script
def places_in_rows(a):
    return np.argmax(a, axis=-1), np.argmin(a, axis=-1, keepdims=True), a.argmax(-1)


# Rows that are one short of long ones, whole blocks, and others.
@pytest.mark.sampled(2)
@pytest.mark.parametrize("size", [4095, 4096, 5121])
def test_places_in_rows_are_numpys(size: int) -> None:
    for row in _rows(3 * size):
        table = row.reshape(3, size)
        for a in (table, table[::-1, ::-1], np.asfortranarray(table), table.reshape(3, 1, size)):
            assert freeze(places_in_rows(a)) == freeze(places_in_rows.python(a))
