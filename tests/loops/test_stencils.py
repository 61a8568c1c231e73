"""Chains of stencils: how many sweeps they take, and what happens where arguments share memory."""

# Without annotations the types come from the call.
# pyright: basic

import ctypes
import mmap
import os
import re

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

from scriptc import script
from scriptc.types import K, M, N, f64
from tests.programs import stencils
from tests.support.outcomes import freeze


@script
def chained(a: f64[N, M]):
    lap = 4.0 * a[1:-1, 1:-1] - (a[2:, 1:-1] + a[:-2, 1:-1] + a[1:-1, 2:] + a[1:-1, :-2])
    across = lap[1:, 1:] - lap[:-1, 1:]
    return across[:, 1:] - across[:, :-1]


@script
def written(a: f64[N, M]):
    lap = a[2:, 1:-1] + a[:-2, 1:-1]
    lap[0] = 1.0
    return lap[1:] - lap[:-1]


def nests(function) -> list[str]:
    return function.dump("low").split("\nfunc ")


def test_a_chain_of_slices_is_one_sweep_without_arrays_between() -> None:
    host, *kernels = nests(chained)
    fast = kernels[0]
    assert len(re.findall(r"^ +loop", fast, re.M)) == 2
    # Of each row four places of the first step, each at five of `a`: 12 loads, 24 for four rows.
    assert len(re.findall(r"= load", fast)) == 24
    first_version = host[: host.index("kernel.chained.0")]
    assert first_version.count("new_array") == 1  # the result


def test_what_is_written_is_in_memory() -> None:
    host, *_ = nests(written)
    assert host.count("new_array") == 2


def shifted(a, k):
    """Return parts of one buffer that share all of their memory but `k` rows."""
    buffer = np.concatenate([a, a[::-1]])
    return buffer[: len(a)], buffer[k : k + len(a)]


@pytest.mark.sampled(7)
@pytest.mark.parametrize("rows", [0, 1, 2, 5, 9])
@pytest.mark.parametrize("columns", [1, 6, 37])
@pytest.mark.parametrize("step", [1, -1])
def test_arguments_that_overlap(rows: int, columns: int, step: int) -> None:
    rng = np.random.default_rng(rows)
    a = rng.integers(-8, 9, (9, columns)) / 8.0

    def arguments():
        x, y = shifted(a.copy(), rows)
        return x[:, ::step], y[:, ::step], a.copy()

    for function in (stencils.staggered, stencils.in_place):
        for order in ((0, 1, 2), (1, 0, 2), (2, 0, 1)):
            expected, given = arguments(), arguments()
            count = function.__code__.co_argcount
            function(*[expected[i] for i in order][:count])
            script(function)(*[given[i] for i in order][:count])
            assert list(map(freeze, given)) == list(map(freeze, expected))


def smooth(a, b):
    sides = a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1]
    b[1:-1, 1:-1] = 0.2 * (a[1:-1, 1:-1] + sides)
    return a[1:] - a[:-1]


def smooth_solid(a, b):
    b[1:-1, 1:-1, 1:-1] = (
        0.125 * (a[2:, 1:-1, 1:-1] - 2.0 * a[1:-1, 1:-1, 1:-1] + a[:-2, 1:-1, 1:-1])
        + 0.125 * (a[1:-1, 2:, 1:-1] - 2.0 * a[1:-1, 1:-1, 1:-1] + a[1:-1, :-2, 1:-1])
        + 0.125 * (a[1:-1, 1:-1, 2:] - 2.0 * a[1:-1, 1:-1, 1:-1] + a[1:-1, 1:-1, 0:-2])
    )


def test_rows_side_by_side_load_what_they_have_in_common_once() -> None:
    kernels = script(smooth).dump("low", f64[N, M], f64[N, M]).split("\nfunc ")
    # Six rows: eight elements of one column, and of each row its two neighbours; differences of
    # neighbouring rows take seven.
    loads = sorted(k.count("= load") for k in kernels if k.count("store") == 6)
    assert loads == [7, 8 + 6 * 2]


def test_planes_side_by_side_read_each_plane_once() -> None:
    kernels = script(smooth_solid).dump("low", f64[N, M, K], f64[N, M, K]).split("\nfunc ")
    # Three planes: one element of each of five, and in three of them its four neighbours.
    (loads,) = (k.count("= load") for k in kernels if k.count("store") == 3)
    assert loads == 5 + 3 * 4


@pytest.mark.sampled(7)
@pytest.mark.parametrize("rows", [0, 1, 2, 3, 5, 6, 7, 10, 13])
@pytest.mark.parametrize("columns", [0, 1, 3, 9, 20])
def test_any_number_of_rows(rows: int, columns: int) -> None:
    rng = np.random.default_rng(rows)
    shapes = (rows, columns), (4, rows, columns), (rows, 5, columns)
    for function, shape in zip((smooth, smooth_solid, smooth_solid), shapes, strict=True):
        a = rng.integers(-8, 9, shape) / 8.0
        for x in (a, a[..., ::-1, :], a.swapaxes(-1, -2)):
            expected, given = np.zeros(x.shape), np.zeros(x.shape)
            wanted, found = function(x, expected), script(function)(x, given)
            assert freeze(found) == freeze(wanted)
            assert freeze(given) == freeze(expected)


@pytest.mark.parametrize("steps", [(8, 8), (16, 8), (0, 8), (80, 8)])
def test_the_last_row_stays_where_rows_share_memory(steps: tuple[int, int]) -> None:
    a = np.arange(90.0).reshape(9, 10) % 7.0
    memory, expected = np.zeros(90), np.zeros(90)
    script(smooth)(a, as_strided(memory, (9, 10), steps))
    smooth(a, as_strided(expected, (9, 10), steps))
    assert freeze(memory) == freeze(expected)


@pytest.mark.parametrize("steps", [(160, 32, 8), (0, 32, 8), (40, 8, 8), (8, 8, 8)])
def test_the_last_plane_stays_where_planes_share_memory(steps: tuple[int, int, int]) -> None:
    a = np.arange(180.0).reshape(9, 5, 4) ** 2 % 7.0
    memory, expected = np.zeros(250), np.zeros(250)
    script(smooth_solid)(a, as_strided(memory, a.shape, steps))
    smooth_solid(a, as_strided(expected, a.shape, steps))
    assert freeze(memory) == freeze(expected)


@pytest.mark.parametrize("planes", [0, 1, 2, 4, 7, 11])
def test_planes_of_arrays_that_overlap(planes: int) -> None:
    rng = np.random.default_rng(planes)
    a = rng.integers(-8, 9, (11, 5, 12)) / 8.0
    for step in (1, -1):
        given, expected = shifted(a, planes), shifted(a, planes)
        script(smooth_solid)(*[x[::step] for x in given])
        smooth_solid(*[x[::step] for x in expected])
        assert list(map(freeze, given)) == list(map(freeze, expected))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("shape", [(11003, 100), (20003, 8, 8), (4, 9001, 33)])
def test_short_rows_of_arrays_that_no_cache_holds(shape: tuple[int, ...]) -> None:
    a = (np.arange(np.prod(shape), dtype=float) % 37.0).reshape(shape)
    function = smooth if len(shape) == 2 else smooth_solid
    expected, given = np.zeros(shape), np.zeros(shape)
    assert freeze(script(function)(a, given)) == freeze(function(a, expected))
    assert np.array_equal(given, expected)


def back_and_forth(a, b):
    b[1:-1] = 0.5 * (a[:-2] + a[2:])
    a[1:-1] = 0.5 * (b[:-2] + b[2:])


def test_statements_that_do_the_same_share_kernels() -> None:
    host, *kernels = script(back_and_forth).dump("low", f64[N], f64[M]).split("\nfunc ")
    # For contiguous arrays, for any (a new array that is copied from among them), and that copy.
    assert len(kernels) == 3
    assert len(re.findall("launch", host)) == 2 * 4


@script
def beside(a, b):
    b[2:-2] = a[:-4] - a[1:-3] * 3 + a[2:-2] * 5 - a[3:-1] * 7 + a[4:] * 9
    a[1:] = b[1:] - b[:-1] * 2  # of an array that is written elsewhere, two


@script
def beside_themselves(a):
    a[1:-1] = a[:-2] + a[1:-1] * 3 + a[2:] * 5  # the array that is written


@script
def beside_in_rows(a, b):
    b[1:-1, 1:-1] = a[1:-1, :-2] - a[1:-1, 2:] * 3 + a[1:-1, 1:-1] * 5 + a[2:, 1:-1] - a[2:, 2:] * 7


@pytest.mark.sampled(3)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int32, np.int16])
@pytest.mark.parametrize("start", [0, 3])
def test_elements_side_by_side_are_loaded_once(dtype: type, start: int) -> None:
    for size in (4, 5, 8, 11, 12, 13, 20, 37, 100, 101, 129, 260):
        a = (np.arange(size + start) * 37 % 64 - 32).astype(dtype)[start:]
        for function in (beside, beside_themselves):
            expected, given = [a.copy(), a.copy()], [a.copy(), a.copy()]
            count = function.python.__code__.co_argcount
            function.python(*expected[:count])
            function(*given[:count])
            assert list(map(freeze, given)) == list(map(freeze, expected))
    for columns in (3, 9, 10, 11, 18, 35, 130):
        a = (
            (np.arange(5 * (columns + start)) * 29 % 64 - 32)
            .astype(dtype)
            .reshape(5, -1)[:, start:]
        )
        for layout in (np.ascontiguousarray, np.asfortranarray):
            first, second = (np.zeros_like(a) for _ in range(2))
            beside_in_rows.python(layout(a), first)
            beside_in_rows(layout(a), second)
            assert freeze(first) == freeze(second)


@script
def line(out: f64[N], a: f64[N]) -> None:
    out[1:-1] = a[:-2] + a[1:-1] + a[2:]


def test_of_elements_side_by_side_one_vector_is_loaded() -> None:
    text = line.dump("llvm")
    loads = len(re.findall(r"= load <8 x double>", text))
    shifted = len(re.findall(r"shufflevector <8 x double> .*, <8 x i32> <i32 [17],", text))
    assert shifted == 2 * loads > 0


@script
def over_rows(a, b):
    b[1:-1, 1:-1] = a[1:-1, :-2] - a[1:-1, 2:] * 3 + a[2:, 1:-1]


@script
def doubled(a):
    return a * 2 + 1


@pytest.mark.sampled(4)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
@pytest.mark.parametrize("columns", [101, 200, 10007])
def test_arrays_that_no_cache_holds_are_stored_whole(dtype: type, columns: int) -> None:
    # Lines are stored past the caches, and what is left of rows is not; neither may undo the other.
    rows = (50 << 20) // (columns * np.dtype(dtype).itemsize)
    a = (np.arange(rows * columns) % 1013).astype(dtype).reshape(rows, columns)
    for start in (0, 1, 5):
        first, second = (np.full_like(a, 7) for _ in range(2))
        over_rows.python(a[:, start:], first[:, start:])
        over_rows(a[:, start:], second[:, start:])
        assert np.array_equal(first, second)
    assert np.array_equal(doubled(a), doubled.python(a))
    assert np.array_equal(doubled(a[:, 1:]), doubled.python(a[:, 1:]))


@script
def solid(a, b):
    b[1:-1, 1:-1, 1:-1] = a[2:, 1:-1, 1:-1] - a[:-2, 1:-1, 1:-1] * 3 + a[1:-1, 1:-1, 2:]


@script
def added_product(a, b, u, v):
    b[:, 1:] = a[:, 1:] + np.outer(u, v)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("shape", [(30, 220, 1003), (33, 2200, 90), (700, 10007)])
def test_rows_that_are_stored_past_the_caches_stand_alone(shape: tuple[int, ...]) -> None:
    a = (np.arange(np.prod(shape)) % 1013).astype(float).reshape(shape)
    u, v = np.arange(shape[0]) % 7 - 3.0, np.arange(shape[1] - 1) % 5 - 2.0
    more = (u, v) if len(shape) == 2 else ()
    function = added_product if more else solid
    first, second = (np.full_like(a, 7) for _ in range(2))
    function.python(a, first, *more)
    function(a, second, *more)
    assert np.array_equal(first, second)


@script
def moved(a, b):
    b[:] = a * 2


@pytest.mark.skipif(os.name != "posix", reason="pages are closed by mprotect")
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32])
def test_nothing_before_or_behind_an_array_is_touched(dtype: type) -> None:
    size, elements = mmap.PAGESIZE, mmap.PAGESIZE // np.dtype(dtype).itemsize
    pages = mmap.mmap(-1, 3 * size)
    whole = np.frombuffer(pages, dtype)
    close = ctypes.CDLL(None).mprotect
    close.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    for page in (0, 2):
        assert close(whole.ctypes.data + page * size, size, 0) == 0
    inside = whole[elements : 2 * elements]
    other = np.zeros(elements + 16, dtype)
    inside[:] = np.arange(elements) % 64
    for start in range(9):
        for count in (elements, 130, 97):
            there = other[start : start + count]
            for part in (inside[:count], inside[elements - count :]):
                moved(part, there)
                assert np.array_equal(there, part * 2)
                moved(there, part)
                assert np.array_equal(part, there * 2)
                part //= 4
