"""Products of matrices and vectors in machine code: every layout, special values, any threads."""

# The scripts have no annotations: their types come from the calls.
# pyright: basic

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from scriptc import script
from tests.support.support_code import pool

Array = npt.NDArray[Any]


@script(backend="llvm")
def right(a, x):
    return a @ x


@script(backend="llvm")
def left(x, a):
    return x @ a


@script(backend="llvm")
def scaled(factor, a, x, y):
    return factor * a @ x, y @ (a * factor)


@script(backend="llvm")
def chained(a, x):
    return (a @ x) @ a


@script(backend="llvm")
def computed(a, x):
    return (a + a) @ x, x @ (a.T - 1.0)


SHAPES = [(0, 3), (3, 0), (1, 1), (9, 8), (17, 33), (5, 1030), (600, 40), (530, 1100)]
TALL = (1100, 300)
# BLAS has these, in several pieces.
NARROW = [(9_000, 2), (3_000, 8), (2_100, 12), (1_000, 60)]


def _layouts(shape: tuple[int, int], dtype: type) -> Iterator[Array]:
    rows, columns = shape
    rng = np.random.default_rng(rows + columns)
    # Sums of small multiples of 1/8 are exact in any order, in f32 too.
    whole = (rng.integers(-8, 9, (2 * rows, 2 * columns)) / 8.0).astype(dtype)
    yield whole[:rows, :columns].copy()
    yield whole[:rows, :columns]
    yield whole[::2, ::2]
    yield np.asfortranarray(whole[:rows, :columns])
    yield whole[rows:, columns:][::-1]
    yield whole[:rows, :columns].copy()[:, ::-1]
    yield np.broadcast_to(whole[:1, :columns], (rows if rows < 600 else 0, columns))


def _vectors(size: int, dtype: type) -> Iterator[Array]:
    whole = (np.random.default_rng(size).integers(-8, 9, 2 * size) / 4.0).astype(dtype)
    yield whole[:size]
    yield whole[::2]
    yield whole[:size][::-1]


def _equal(found: object, expected: object) -> None:
    for mine, theirs in zip(_parts(found), _parts(expected), strict=True):
        assert mine.dtype == theirs.dtype
        np.testing.assert_array_equal(mine, theirs)


def _parts(value: object) -> list[Array]:
    return list(value) if isinstance(value, tuple) else [np.asarray(value)]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("shape", [*SHAPES, *NARROW])
def test_products_are_those_of_numpy_in_every_layout(shape: tuple[int, int]) -> None:
    for dtype in (np.float64, np.float32):
        for a in _layouts(shape, dtype):
            pairs = zip(_vectors(a.shape[1], dtype), _vectors(a.shape[0], dtype), strict=True)
            for x, y in pairs:
                _equal(right(a, x), a @ x)
                _equal(left(y, a), y @ a)
                _equal(chained(a, x), (a @ x) @ a)
                _equal(scaled(dtype(0.5), a, x, y), (a * dtype(0.5) @ x, y @ (a * dtype(0.5))))
                _equal(computed(a, x), ((a + a) @ x, x @ (a.T - dtype(1.0))))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("width", [1, 7, 8, 15, 16, 17, 31])
def test_what_lies_beside_a_matrix_takes_no_part(dtype: type, width: int) -> None:
    for height in (1, 3, 4, 5, 8, 16, 19):
        padded = np.full((height + 2, width + 40), np.nan, dtype)
        a = padded[1 : height + 1, 3 : 3 + width]
        a[:] = 1.0
        x, y = np.full(width, 2.0, dtype), np.full(height, 3.0, dtype)
        _equal(right(a, x), np.full(height, 2.0 * width, dtype))
        _equal(left(y, a), np.full(width, 3.0 * height, dtype))
        _equal(scaled(dtype(np.inf), a, x, y)[0], np.full(height, np.inf, dtype))


def test_special_values_reach_the_sums_they_belong_to() -> None:
    a = np.ones((20, 19))
    a[3, 4], a[5, 6], a[7] = np.nan, np.inf, -0.0
    x, y = np.ones(19), np.ones(20)
    _equal(right(a, x), a @ x)
    _equal(left(y, a), y @ a)
    x[6], y[5] = 0.0, -np.inf
    with np.errstate(invalid="ignore"):
        _equal(right(a, x), a @ x)
        _equal(left(y, a), y @ a)
    zeros = np.full((20, 19), -0.0)
    assert not np.signbit(right(zeros, np.ones(19))).any()
    assert not np.signbit(left(np.ones(20), zeros)).any()


def test_operands_may_share_memory_with_what_is_written() -> None:
    def step(a, x, y):
        x += a @ x
        y[1:] -= a[1:] @ y
        y += y @ a
        a[0] = a @ a[0]
        a[:, 1] = a[:, 1] @ a
        return x

    mine = script(step)
    for seed in range(3):
        a = np.random.default_rng(seed).standard_normal((12, 12))
        b = a.copy()
        np.testing.assert_allclose(mine(a, a[2], a[3]), step(b, b[2], b[3]), rtol=1e-12)
        np.testing.assert_allclose(a, b, rtol=1e-12)
        x, y = np.ones(12), np.ones(12)
        np.testing.assert_allclose(mine(a, x, x), step(b, y, y), rtol=1e-12)
        np.testing.assert_allclose(a, b, rtol=1e-12)


def test_sizes_that_do_not_fit_raise_as_in_numpy() -> None:
    for call in (
        lambda: right(np.ones((3, 4)), np.ones(3)),
        lambda: left(np.ones(4), np.ones((3, 4))),
    ):
        with pytest.raises(ValueError, match="mismatch in its core dimension 0"):
            call()
    with pytest.raises(ValueError, match="mismatch in its core dimension 0"):
        chained(np.ones((3, 0)), np.ones(1))


def _same_bits(call: Callable[[], object]) -> None:
    results: list[list[bytes]] = []
    for everything in (False, True):
        for threads in (1, 2, 7):
            with pool(threads, everything=everything):
                results.append([part.tobytes() for part in _parts(call())])
    assert results == results[:1] * len(results)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("shape", [*SHAPES, TALL, *NARROW, (40, 9000), (20_000, 3), (200_000, 4)])
def test_any_number_of_threads_gives_the_same_bits(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(7)
    for dtype in (np.float64, np.float32):
        whole = rng.standard_normal(shape).astype(dtype)
        x, y = (rng.standard_normal(size).astype(dtype) for size in shape[::-1])
        for a in (whole, np.asfortranarray(whole)):
            _same_bits(lambda a=a, x=x: right(a, x))
            _same_bits(lambda a=a, y=y: left(y, a))
            _same_bits(lambda a=a, x=x: chained(a, x))


def test_a_product_is_as_precise_as_promised() -> None:
    rng = np.random.default_rng(11)
    a, x, y = rng.standard_normal(TALL), rng.standard_normal(300), rng.standard_normal(1100)
    exact = (a.astype(np.longdouble) @ x).astype(float)
    bound = 60 * np.finfo(float).eps * (np.abs(a) @ np.abs(x))
    assert (np.abs(right(a, x) - exact) <= bound).all()
    exact = (y @ a.astype(np.longdouble)).astype(float)
    bound = 60 * np.finfo(float).eps * (np.abs(y) @ np.abs(a))
    assert (np.abs(left(y, a) - exact) <= bound).all()


def two_sides(a, x, y):
    return y @ a, a @ x


def turned(a, x, y):
    return a.T @ y, x @ a.T


def in_place(a, x1, x2, y1, y2):
    x1 += a @ y1
    x2 += y2 @ a


def written_between(a, x, y):
    first = a @ x
    a[0] += 1.0
    y[0] = 2.0
    second = y @ a
    first[1:] -= 1.0
    return first, second, first @ a


def into_the_vector(a, x):
    first = a @ x
    first *= 2.0
    return first @ a, x


BOTH: dict[Any, Any] = {
    f: script(f) for f in (two_sides, turned, in_place, written_between, into_the_vector)
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("shape", SHAPES)
def test_two_products_over_one_matrix_are_those_of_numpy(shape: tuple[int, int]) -> None:
    for dtype in (np.float64, np.float32):
        for a in _layouts(shape, dtype):
            pairs = zip(_vectors(a.shape[1], dtype), _vectors(a.shape[0], dtype), strict=True)
            for x, y in pairs:
                _equal(BOTH[two_sides](a, x, y), (y @ a, a @ x))
                _equal(BOTH[turned](a, x, y), (y @ a, a @ x))
    for dtype in (np.float64, np.float32):
        a = next(_layouts(shape, dtype))
        for x, y in zip(_vectors(shape[1], dtype), _vectors(shape[0], dtype), strict=True):
            if shape[0] > 1:
                mine, theirs = (a.copy(), y.copy()), (a.copy(), y.copy())
                given = BOTH[written_between](mine[0], x, mine[1])
                _equal((*given, *mine), (*written_between(theirs[0], x, theirs[1]), *theirs))
            _equal(BOTH[into_the_vector](a, x), into_the_vector(a, x))


@script(backend="llvm")
def turned_twice(a, x, y):
    same = a.T.T
    first, second = same @ x, y @ same
    x += second
    return first, second


def test_a_matrix_that_is_turned_twice_is_not_turned() -> None:
    for shape in ((5, 5), (17, 33), (600, 40)):
        a = next(_layouts(shape, np.float64))
        x, y = next(_vectors(shape[1], np.float64)), next(_vectors(shape[0], np.float64))
        _equal(turned_twice(a, x.copy(), y), (a @ x, y @ a))


# What reads or writes outside of its room dies under the guard.
COLUMNS = """
import numpy as np
from scriptc import script

@script
def both(a, x, y):
    return a @ x, y @ a

for column in np.ones((5000, 1)), np.ones((5000, 1), order="F"), np.ones((5000, 2))[:, :1]:
    first, second = both(column, np.ones(1), np.ones(5000))
    assert first.tolist() == [1.0] * 5000 and second.tolist() == [5000.0]
windows = np.lib.stride_tricks.sliding_window_view(np.ones(5002), 3)
first, second = both(windows, np.ones(3), np.ones(5000))
assert first.tolist() == [3.0] * 5000 and second.tolist() == [5000.0] * 3
print("survived")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the guard is for Linux")
def test_two_products_over_a_column_stay_within_their_room(tmp_path: Path) -> None:
    file = tmp_path / "columns.py"
    file.write_text(COLUMNS)
    done = subprocess.run(
        [sys.executable, str(file)],
        env=os.environ | {"SCRIPTC_GUARD": "end"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "survived\n", done.stderr


def test_a_product_moves_over_no_write_to_what_it_reads() -> None:
    size = 12
    rng = np.random.default_rng(2)

    def fresh() -> Array:
        return (rng.integers(-3, 4, (size + 6, size)) / 2.0).copy()

    places = [(size, size + 1, size + 2, size + 3), (3, 4, 5, 6), (3, 7, 3, 3), (0, 0, 0, 0)]
    for rows in [*places, (size, size + 1, size + 2, size), (size, size, size, size + 2)]:
        mine = fresh()
        theirs = mine.copy()
        BOTH[in_place](mine[:size], *(mine[r] for r in rows))
        in_place(theirs[:size], *(theirs[r] for r in rows))
        _equal(mine, theirs)


def test_a_second_product_raises_where_it_stands() -> None:
    a, x1, x2 = np.ones((12, 12)), np.ones(12), np.ones(12)
    with pytest.raises(ValueError, match="mismatch in its core dimension 0"):
        BOTH[in_place](a, x1, x2, np.ones(12), np.ones(11))
    _equal((x1, x2), (np.full(12, 13.0), np.ones(12)))
    with pytest.raises(ValueError, match="mismatch in its core dimension 0"):
        BOTH[two_sides](a, np.ones(13), np.ones(12))


@script(backend="llvm")
def few_rows(a, b):
    return a @ b, a @ b.T.copy().T


@pytest.mark.sampled(4)
@pytest.mark.parametrize("rows", [1, 2, 7, 8, 16, 17])
def test_few_rows_times_a_large_matrix(rows: int) -> None:
    rng = np.random.default_rng(rows)
    for dtype, shape in (
        (np.float64, (300, 701)),
        (np.float32, (1500, 130)),
        (np.float64, (1, 131_072)),
    ):
        b = (rng.integers(-8, 9, shape) / 8.0).astype(dtype)
        a = (rng.integers(-8, 9, (rows, 2 * shape[0])) / 4.0).astype(dtype)
        for left in (a[:, : shape[0]], a[:, ::2], np.asfortranarray(a[:, : shape[0]])):
            for right in (b, b[::-1], b[:, ::-1]):
                _equal(few_rows(left, right), (left @ right,) * 2)
        whole = rng.standard_normal(shape).astype(dtype)
        _same_bits(lambda x=a[:, : shape[0]], y=whole: few_rows(x, y))


@script(backend="llvm")
def squares(a):
    return a @ a.T, a.T @ a, a[1:] @ a[1:].T, a @ a.T.copy()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("shape", [(30, 40), (200, 33), (40, 1), (1, 900)])
def test_a_matrix_times_its_transpose_is_symmetric(shape: tuple[int, int]) -> None:
    for dtype in (np.float64, np.float32):
        whole = np.random.default_rng(3).standard_normal(shape).astype(dtype)
        for a in (whole, whole.T.copy().T, np.repeat(whole, 2, axis=1)[:, ::2]):
            found, expected = squares(a), squares.python(a)
            for mine, theirs in zip(found, expected, strict=True):
                np.testing.assert_allclose(mine, theirs, rtol=1e-3, atol=1e-4 * shape[1])
            for square in found[:3] if min(a.strides) == a.itemsize else ():
                _equal(square, square.T)
    a = np.random.default_rng(4).standard_normal((60, 50))
    for mine, theirs in zip(squares(a), squares.python(a), strict=True):
        # BLAS adds in another order on some processors.
        np.testing.assert_allclose(mine, theirs, rtol=0, atol=50 * 50 * np.finfo(float).eps)
    a[3] = np.nan
    _equal(np.isnan(squares(a)[0]), np.isnan(a @ a.T))


def test_other_python_threads_run_beside_a_long_product() -> None:
    a = np.random.default_rng(5).standard_normal((1200, 1200))
    squares(a)
    rounds = 0
    done = threading.Event()

    def work() -> None:
        squares(a)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        rounds += 1
        time.sleep(0.001)
    thread.join()
    assert rounds > 5


@script(backend="llvm")
def matrices(a, b):
    return a @ b


@pytest.mark.parametrize(
    "size", [(0, 3, 4), (3, 0, 4), (3, 4, 0), (1, 1, 1), (3, 5, 7), (40, 30, 20)]
)
def test_products_of_matrices_of_every_layout(size: tuple[int, int, int]) -> None:
    rows, inner, columns = size
    for dtype in (np.float64, np.float32):
        for a in _layouts((rows, inner), dtype):
            for b in _layouts((inner, columns), dtype):
                _equal(matrices(a, b), a @ b)
    with pytest.raises(ValueError, match="mismatch in its core dimension 0"):
        matrices(np.ones((2, 3)), np.ones((2, 3)))
