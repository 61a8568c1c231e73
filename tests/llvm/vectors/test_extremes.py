"""Extremes of several rows at once, with NaN in any of them, are those of NumPy."""

# Without annotations the types come from the call.
# pyright: basic

import numpy as np
import pytest

from scriptc import script
from scriptc.types import M, N, f64
from tests.support.support_code import pool


@script
def largest(a):
    return np.max(a, axis=0)


@script
def smallest(a):
    return np.min(a, axis=0)


@script
def added(a):
    return np.sum(a, axis=0)


@script
def of_four(a, b, c, d):
    return np.maximum(np.maximum(np.maximum(np.maximum(a, b), c), 0.5), d)


@script
def in_between(a, b, c, d):
    low = np.minimum(np.minimum(np.minimum(a, b), c), d)
    high = np.maximum(np.maximum(np.maximum(np.maximum(a, b), c), d), low)
    return high - low + np.maximum(np.minimum(np.minimum(np.minimum(a, 0.25), c), d), b)


@script
def used_in_a_fold(a, b):
    for j in range(a.shape[1]):
        so_far = max(max(a[0, j], a[1, j]), a[2, j])
        total = 0.0
        for i in range(a.shape[0]):
            total += a[i, j] * so_far
        b[j] = max(max(so_far, a[3, j]), total)


@script
def of_magnitudes(a):
    return np.max(np.abs(a), axis=0)


def sample(shape, dtype):
    return ((np.arange(np.prod(shape)) * 37 % 64 - 32) / 8).astype(dtype).reshape(shape)


def same(function, *arguments):
    with np.errstate(invalid="ignore"):
        return np.array_equal(function(*arguments), function.python(*arguments), equal_nan=True)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("special", [np.nan, -np.nan, np.inf, -np.inf, -0.0])
def test_every_row_may_have_what_is_special(dtype, special) -> None:
    a = sample((21, 70), dtype)
    for row in range(21):
        for column in (0, 7, 63, 69):
            b = a.copy()
            b[row, column] = special
            b[(row + 5) % 21, column] = np.inf
            for function in (largest, smallest, of_magnitudes):
                assert same(function, b)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int32])
def test_any_number_of_rows_and_columns(dtype) -> None:
    for rows in (1, 2, 3, 4, 5, 8, 9, 17, 65, 130):
        for columns in (0, 1, 5, 8, 33, 300):
            a = sample((rows, columns), dtype)
            for b in (a, a[::-1], a[:, ::-1], np.asfortranarray(a)):
                assert same(largest, b)
                assert same(smallest, b)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_chains_in_expressions(dtype) -> None:
    values = np.array([np.nan, 1.5, -0.0, 0.0, np.inf, -np.inf, -2.0], dtype)
    grid = np.meshgrid(*[values] * 4)
    for function in (of_four, in_between):
        assert same(function, *(g.ravel() for g in grid))
        assert same(function, *(g[0] for g in grid))


def test_what_an_inner_loop_reads_of_a_chain_is_there() -> None:
    a = sample((6, 50), np.float64)
    first, second = np.zeros(50), np.zeros(50)
    used_in_a_fold(a, first)
    used_in_a_fold.python(a, second)
    assert np.array_equal(first, second)


def test_quiet_and_signalling_nan_of_any_payload_are_nan() -> None:
    a = sample((12, 40), np.float64)
    bits = a.view(np.uint64)
    for row, pattern in (
        (0, 0x7FF0000000000001),
        (5, 0xFFF8000000000123),
        (11, 0xFFFFFFFFFFFFFFFF),
    ):
        bits[row, row] = pattern
    assert same(largest, a)
    assert same(smallest, a)
    assert np.isnan(largest(a)).sum() == 3


def test_arrays_that_no_cache_holds() -> None:
    a = sample((1601, 4003), np.float64)
    a[17, 5] = a[1600, 4002] = a[800, 2000] = np.nan
    assert same(largest, a)
    assert same(smallest, a)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("shape", [(2000, 4003), (70, 20000), (66, 33000), (65, 70001)])
@pytest.mark.parametrize("threads", [1, 2, 7])
def test_blocks_as_wide_as_the_threads_leave_them(shape: tuple[int, int], threads: int) -> None:
    a = sample(shape, np.float64)
    a[17, 5] = a[-1, -1] = a[shape[0] // 2, shape[1] // 2] = np.nan
    counts = sample(shape, np.int64)
    with pool(threads, everything=True):
        assert same(largest, a)
        assert np.array_equal(added(counts), counts.sum(axis=0))


def test_two_elements_at_a_time_are_looked_at_for_nan() -> None:
    text = largest.dump("llvm", f64[N, M])
    assert text.count("fcmp ogt <8 x double>") == 2 * text.count("fcmp ord <8 x double>") > 0
