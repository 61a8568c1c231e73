"""Rows of arrays as machine code: every length, nothing beside them touched, one order of sums.

The inner loops are vector code with a mask for what a whole vector does not fill, and sums of
simple elements are kept in registers where rows are contiguous and in a buffer where they are not.
"""

# The scripts have no annotations: their types come from the calls.
# pyright: basic

import numpy as np
import pytest

from scriptc import script
from scriptc.types import B, M, N, f32, f64

LENGTHS = (*range(20), 31, 32, 33, 63, 64, 65, 100, 127, 1023, 1024, 1025, 1500, 2049, 5000)


def axpy(y, x, a):
    y[:] = a * x + y


def dot(x, y):
    return np.sum(x * y), x @ y, np.sum(x - 0.5), np.sum(x / (y + 4.0))


def rows(a, x):
    return a @ x, np.sum(a, axis=1), x @ a.T, np.sum(a, axis=0), a.T @ x[: a.shape[0]]


AXPY, DOT, ROWS = script(axpy), script(dot), script(rows)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
def test_a_row_of_any_length_is_written_and_nothing_beside_it(dtype: type) -> None:
    rng = np.random.default_rng(1)
    for length in LENGTHS[:-3]:
        around = rng.integers(-9, 9, length + 24).astype(dtype)
        x = rng.integers(-9, 9, length).astype(dtype)
        want = around.copy()
        axpy(want[5 : 5 + length], x, dtype(3))
        AXPY(around[5 : 5 + length], x, dtype(3))
        assert np.array_equal(around, want), length


def around_the_middle(b, a):
    b[1:-1] = 0.5 * (a[:-2] + a[1:-1] + a[2:])


MIDDLE = script(around_the_middle)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_row_may_start_anywhere_in_a_line_of_the_cache(dtype: type) -> None:
    rng = np.random.default_rng(3)
    memory, source = rng.integers(-9, 9, (2, 800)).astype(dtype)
    for start in range(17):
        for length in (3, 257, 258, 259, 265, 274, 300, 529, 700):
            part = slice(start, start + length)
            want, got = memory.copy(), memory.copy()
            around_the_middle(want[part], source[:length])
            MIDDLE(got[part], source[:length])
            assert np.array_equal(got, want), (start, length)
            AXPY(got[part], got[part], dtype(2))
            assert np.array_equal(got[part], want[part] * 3), (start, length)


def much_at_once(y, x, single, flags, count):
    """A body of many instructions, over elements of several widths."""
    d = x[1:] - x[:-1]
    y[:] = np.where(flags, x[1:] * d / 3.0 - x[:-1], np.sqrt(np.abs(d)) + 2.0 * y) + single * d
    single[:] = np.where(single > 1, single - 2, single * 3 + np.minimum(single, 0.5))
    count[:] = np.where((count > 3) & flags, count * 5 - 7, count + 1)


def test_rows_that_do_much_are_of_any_length() -> None:
    rng = np.random.default_rng(5)
    compiled = script(much_at_once)
    for length in (*range(1, 35), 255, 256, 257, 263, 300, 529):
        memory = rng.integers(-9, 9, (2, length + 12)) / 4.0
        given = [
            memory[0, 3 : 3 + length],
            memory[1, : length + 1],
            rng.integers(-9, 9, length).astype(np.float32),
            rng.integers(0, 2, length).astype(bool),
            rng.integers(-9, 9, length),
        ]
        around = memory.copy()
        want = [around[0, 3 : 3 + length], around[1, : length + 1], *(a.copy() for a in given[2:])]
        much_at_once(*want)
        compiled(*given)
        assert memory.tobytes() == around.tobytes(), length
        assert [a.tobytes() for a in given] == [a.tobytes() for a in want], length


def test_elements_may_be_their_own_index() -> None:
    @script
    def counted(n: int):
        rows, columns = np.mgrid[0:3, 0:n]
        return rows, columns, np.arange(n)

    for n in (0, 1, 7, 8, 9, 40):
        rows, columns, single = counted(n)
        assert np.array_equal((rows, columns), np.mgrid[0:3, 0:n])
        assert np.array_equal(single, np.arange(n))


def test_special_values_go_through_whole_vectors_and_masked_ones() -> None:
    special = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 5e-324, -1e308, 1.5, 2.0])
    x = np.resize(special, 24)
    flags = np.arange(23) % 3 == 0
    got = [np.resize(special[::-1], 23), x, np.ones(23, np.float32), flags, np.arange(23)]
    want = [a.copy() for a in got]
    with np.errstate(all="ignore"):
        much_at_once(*want)
    script(much_at_once)(*got)
    for mine, theirs in zip(got, want, strict=True):
        assert np.array_equal(mine, theirs, equal_nan=mine.dtype.kind == "f")
        assert np.array_equal(np.signbit(mine), np.signbit(theirs)) or np.isnan(theirs).any()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_sum_has_the_same_bits_for_any_layout(dtype: type) -> None:
    rng = np.random.default_rng(2)
    for length in LENGTHS:
        wide = rng.normal(size=(2, 2 * length)).astype(dtype)
        x, y = wide[0, ::2], wide[1, ::2]
        strided, contiguous = DOT(x, y), DOT(x.copy(), y.copy())
        assert [v.tobytes() for v in strided] == [v.tobytes() for v in contiguous], length
        exact = x.astype(np.longdouble) * y
        bound = 4 * (np.log2(length + 1) + 1) * np.finfo(dtype).eps * np.sum(np.abs(exact))
        assert abs(contiguous[0] - np.sum(exact)) <= bound, length


def test_special_values_stay_out_of_other_sums() -> None:
    """What a mask hides beyond the end of a row takes no part in it."""
    for length in LENGTHS[1:]:
        padded = np.full(length + 40, np.nan)
        x, y = padded[3 : 3 + length], np.zeros(length)
        x[:] = 1.0
        total, product, less, _ = DOT(x, y)
        assert (total, product, less) == (0.0, 0.0, 0.5 * length)
        x[-1] = np.inf
        assert np.isnan(DOT(x, y)[0])
        assert np.sum(x) == np.inf == script(sum_of)(x)


def sum_of(x):
    return np.sum(x)


@pytest.mark.parametrize("shape", [(0, 5), (5, 0), (1, 1), (7, 33), (8, 40), (9, 1030), (130, 9)])
def test_products_and_sums_over_either_axis(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(3)
    for dtype in (np.float64, np.float32):
        a = rng.integers(-8, 8, shape).astype(dtype) / dtype(4)
        x = rng.integers(-8, 8, max(shape)).astype(dtype)[: shape[1]]
        if shape[0] > shape[1]:
            continue
        for matrix in (a, np.asfortranarray(a), np.repeat(a, 2, axis=1)[:, ::2]):
            for mine, theirs in zip(ROWS(matrix, x), rows(matrix, x), strict=True):
                assert mine.dtype == theirs.dtype
                assert np.array_equal(mine, theirs)


def test_rows_of_one_call_may_be_of_any_number() -> None:
    """Rows are added several at a time, and then one at a time what is left."""

    @script
    def over_rows(a: f64[N, M], b: f32[N, B]):
        return np.sum(a, axis=0), np.max(b, axis=0)

    rng = np.random.default_rng(4)
    for count in (1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 63, 64, 65, 129):
        a = rng.integers(-99, 99, (count, 37)) / 8.0
        b = a.astype(np.float32)
        total, most = over_rows(a, b)
        assert np.array_equal(total, np.sum(a, axis=0))
        assert np.array_equal(most, np.max(b, axis=0))


def moved_along(a):
    a[2:-2] = a[1::2]
    return a


def test_overlapping_views_of_other_strides_are_read_whole() -> None:
    x = np.arange(8.0)
    expected = x.copy()
    expected[2:-2] = x[1::2]  # of NumPy's own `a[2:-2] = a[1::2]` an element is read too late
    for backend in ("llvm", "interp"):
        np.testing.assert_array_equal(script(moved_along, backend=backend)(x.copy()), expected)
