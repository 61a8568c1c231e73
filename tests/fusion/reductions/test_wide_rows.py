"""Folds over leading axes: rows of any length and number, side by side or not, and what they read.

The numbers are small integers, so every order of additions gives the same sum.
"""

# The scripts have no annotations: their types come from the calls.
# pyright: basic

import math

import numpy as np
import pytest

from scriptc import script
from tests.support.outcomes import freeze
from tests.support.support_code import pool

# Rows stand side by side from 256 rows on; a block has 16384 columns.
SHAPES = (
    *((rows, columns) for rows in (0, 1, 65, 255, 256, 257, 1000) for columns in (1, 3, 8)),
    *((5000, 2), (2049, 33), (300, 1000), (70, 16385), (129, 40000), (0, 0), (400, 0), (9999, 1)),
)


def folds(x, row, line):
    return (
        np.sum(x, axis=0),
        np.sum((x - row) * line, axis=0),
        np.sum(x * x, axis=0, keepdims=True),
    )


def ends(x, row):
    return np.max(x, axis=0), np.min(x + row, axis=0), np.prod(x % 2 + 1, axis=0)


def leading(x, row, plane):
    return (
        np.sum(x * row + plane, axis=0),
        np.max(x + plane, axis=(0, 1), keepdims=True),
        np.sum(x, axis=(0, 2)),
    )


def into_columns(x, target):
    target[:, 1] = np.sum(x, axis=0)
    x[0] = np.sum(x, axis=0)


FOLDS, ENDS, LEADING, INTO = script(folds), script(ends), script(leading), script(into_columns)


def numbers(*shape: int, dtype: type = np.float64):
    return np.random.default_rng(sum(shape)).integers(-4, 5, shape).astype(dtype)


def same(got, want) -> None:
    for one, other in zip(got, want, strict=True):
        np.testing.assert_array_equal(one, other)
        assert (one.shape, one.dtype) == (other.shape, other.dtype)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("dtype", [np.float64, np.int32])
def test_sums_of_rows_are_numpys(dtype: type) -> None:
    for rows, columns in SHAPES:
        x, row = numbers(rows, columns, dtype=dtype), numbers(columns, dtype=dtype)
        line = numbers(1, columns, dtype=dtype)
        same(FOLDS(x, row, line), folds(x, row, line))
        same(FOLDS(x[::-1], row, line[:, ::-1]), folds(x[::-1], row, line[:, ::-1]))
        wide = numbers(rows, columns + 2, dtype=dtype)[:, 1:-1]
        same(FOLDS(wide, row, line), folds(wide, row, line))


def test_ends_of_rows_are_numpys() -> None:
    for rows, columns in SHAPES:
        if rows:
            x, row = numbers(rows, columns), numbers(columns)
            x[60:] = np.minimum(x[60:], 0) * 2
            same(ENDS(x, row), ends(x, row))


def test_a_nan_stays_in_its_column() -> None:
    x = numbers(1500, 3)
    x[1499, 1] = x[3, 2] = math.nan
    same(FOLDS(x, x[0], x[:1]), folds(x, x[0], x[:1]))
    same(ENDS(x, x[0]), ends(x, x[0]))


def test_several_leading_axes_are_one() -> None:
    for shape in ((40, 50, 3), (300, 2, 2), (1, 700, 3), (1000, 1, 1), (20, 30, 40), (0, 4, 3)):
        x, row, plane = numbers(*shape), numbers(shape[-1]), numbers(*shape[1:])
        if x.size:
            same(LEADING(x, row, plane), leading(x, row, plane))
            swapped = x.swapaxes(0, 1)
            plane = numbers(*swapped.shape[1:])
            same(LEADING(swapped, row, plane), leading(swapped, row, plane))


def test_results_go_where_they_belong() -> None:
    x, target = numbers(1000, 3), numbers(3, 4)
    want, into = x.copy(), target.copy()
    into_columns(want, into)
    INTO(x, target)
    same((x, target), (want, into))


def test_sums_of_many_short_rows_are_precise() -> None:
    x = np.random.default_rng(7).normal(size=(30000, 3))
    got = FOLDS(x, x[0], x[:1])[0]
    for column in range(3):
        exact = math.fsum(x[:, column])
        bound = (64 + math.log2(30000)) * np.finfo(np.float64).eps * np.sum(np.abs(x[:, column]))
        assert abs(got[column] - exact) <= bound


def extremes(x):
    return np.max(x, axis=0), np.min(x, axis=0), np.sum(x, axis=0)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("columns", "dtype"), [(4003, np.float64), (20000, np.float32)])
def test_rows_of_arrays_that_no_cache_holds(columns: int, dtype: type) -> None:
    # Loads are aligned, wherever rows start, and asked for ahead of time, past the last row too.
    rows = (50 << 20) // (columns * np.dtype(dtype).itemsize)
    x = numbers(rows, columns, dtype=dtype)
    x[0, 1] = x[-1, 2] = x[rows // 2, -1] = math.nan
    x[:, 3], x[7, 3], x[:, 4] = -math.inf, -0.0, math.inf
    function = script(extremes)
    for part in (x, x[3:, 1:-1]):
        same(function(part), extremes(part))
    found: list[object] = []
    for threads in (1, 2, 7):
        with pool(threads, everything=True):
            found.append(freeze(function(x)))
    assert found[0] == found[1] == found[2]


def along(x):
    return np.sum(x, axis=1), np.max(np.abs(x), axis=1), np.mean(x * x, axis=1)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("columns", "dtype"), [(4003, np.float64), (20000, np.float32), (70, float)]
)
def test_rows_that_are_asked_for_ahead_have_the_bits_of_others(columns: int, dtype: type) -> None:
    rows = (50 << 20) // (columns * np.dtype(dtype).itemsize)
    x = np.random.default_rng(columns).normal(size=(rows, columns)).astype(dtype)
    x[0, 1] = x[-1, -1] = math.nan
    x[1, :5] = -math.inf
    function = script(along)
    small = [function(x[first : first + 8]) for first in (0, rows - 8)]
    for threads in (1, 2, 7):
        with pool(threads, everything=True):
            found = function(x)
        for place, part in zip((slice(8), slice(rows - 8, rows)), small, strict=True):
            assert freeze([one[place].copy() for one in found]) == freeze(list(part))


def planes(x):
    return np.sum(x, axis=(0, 2))


def test_elements_that_are_folds_are_taken_one_at_a_time() -> None:
    function = script(planes)
    for shape in ((0, 3, 4), (1, 2, 3), (67, 5, 9), (130, 3, 1100)):
        same(function(numbers(*shape)), planes(numbers(*shape)))
    # The loop over the elements of a plane stands there once, not once for each of several rows.
    assert function.dump("low").count("= reduce") < 8
