"""Products of two matrices in machine code: sizes around those of tiles, every layout, threads."""

# The scripts have no annotations: their types come from the calls.
# pyright: basic

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from scriptc import script
from scriptc.backends.llvm.host import host
from scriptc.backends.llvm.support.products import tiles
from tests.support.support_code import pool

Array = npt.NDArray[Any]
TYPES = (np.float64, np.float32)


@script(backend="llvm")
def product(a, b):
    return a @ b


@script(backend="llvm")
def with_itself(a):
    return a @ a.T, a.T @ a


# Rows, common elements, columns: with one more, or one less, than tiles and blocks have.
SIZES = [
    *((m, 11, n) for m in (1, 2, 4, 5, 7, 8, 9, 16, 17) for n in (1, 7, 8, 9, 16, 17, 24, 25)),
    *((m, k, n) for m in (3, 9, 33) for k in (1, 255, 256, 257, 513) for n in (5, 48, 49)),
    *((40, 300, n) for n in (239, 240, 241, 480, 481)),
]


def _layouts(shape: tuple[int, int], dtype: type) -> Iterator[Array]:
    rows, columns = shape
    rng = np.random.default_rng(rows * 1000 + columns)
    # Sums of small multiples of 1/8 are exact in any order, in f32 too.
    whole = (rng.integers(-8, 9, (2 * rows, 2 * columns)) / 8.0).astype(dtype)
    yield whole[:rows, :columns].copy()
    yield np.asfortranarray(whole[:rows, :columns])
    yield whole[rows:, columns:]
    yield whole[::2, ::2]
    yield whole[:rows, :columns].copy()[::-1, ::-1]
    yield np.broadcast_to(whole[:1, :columns], (rows if rows < 30 else 0, columns))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_products_are_those_of_numpy_in_every_layout(size: tuple[int, int, int]) -> None:
    m, k, n = size
    for dtype in TYPES:
        for a in _layouts((m, k), dtype):
            for b in _layouts((a.shape[1], n), dtype):
                if a.shape[1] == b.shape[0]:
                    found = product(a, b)
                    assert found.dtype == dtype
                    np.testing.assert_array_equal(found, a @ b)


@pytest.mark.parametrize("size", [(0, 3, 4), (9, 0, 30), (3, 4, 0), (0, 0, 0)], ids=str)
def test_products_of_nothing_are_zero(size: tuple[int, int, int]) -> None:
    m, k, n = size
    for dtype in TYPES:
        found = product(np.ones((m, k), dtype), np.ones((k, n), dtype))
        np.testing.assert_array_equal(found, np.zeros((m, n), dtype))


@pytest.mark.parametrize("size", [1, 7, 8, 9, 23, 24, 25, 49, 250])
def test_a_product_with_the_own_transpose_is_symmetric(size: int) -> None:
    rng = np.random.default_rng(size)
    for dtype in TYPES:
        for columns in (1, 30, 300):
            a = rng.standard_normal((size, columns)).astype(dtype)
            for each in (a, np.asfortranarray(a), a[::-1]):
                both = zip(with_itself(each), (each @ each.T, each.T @ each), strict=True)
                for found, wanted in both:
                    np.testing.assert_array_equal(found, found.T)
                    bound = float(4 * columns * size * np.finfo(dtype).eps)
                    np.testing.assert_allclose(found, wanted, rtol=bound, atol=bound)


@pytest.mark.parametrize("dtype", TYPES)
def test_what_lies_beside_matrices_takes_no_part(dtype: type) -> None:
    for m, k, n in ((3, 5, 7), (9, 17, 25), (40, 300, 250)):
        padded = np.full((2, max(m, k) + 2, max(k, n) + 20), np.nan, dtype)
        a, b = padded[0, 1 : m + 1, 3 : k + 3], padded[1, 1 : k + 1, 3 : n + 3]
        a[:], b[:] = 1.0, 2.0
        np.testing.assert_array_equal(product(a, b), np.full((m, n), 2.0 * k, dtype))


def test_special_values_reach_the_sums_they_belong_to() -> None:
    a, b = np.ones((20, 19)), np.ones((19, 30))
    a[3, 4], a[5, 6], b[7, 8], b[9, 10] = np.nan, np.inf, np.nan, -np.inf
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(product(a, b), a @ b)
    zeros = product(np.full((20, 19), -0.0), np.ones((19, 30)))
    assert not np.signbit(zeros).any()


@pytest.mark.skipif(not tiles.available(host().features), reason="BLAS has threads of its own")
@pytest.mark.parametrize("size", [(9, 5, 3), (40, 300, 250), (200, 600, 1), (8, 30, 900)], ids=str)
def test_any_number_of_threads_gives_the_same_bits(size: tuple[int, int, int]) -> None:
    m, k, n = size
    rng = np.random.default_rng(7)
    for dtype in TYPES:
        a, whole = (rng.standard_normal(s).astype(dtype) for s in ((m, k), (k, n)))
        for b in (whole, np.asfortranarray(whole)):
            results: set[bytes] = set()
            for everything in (False, True):
                for threads in (1, 2, 7):
                    with pool(threads, everything=everything):
                        results.add(product(a, b).tobytes())
            assert len(results) == 1


@pytest.mark.parametrize("dtype", TYPES)
def test_a_product_is_as_precise_as_promised(dtype: type) -> None:
    rng = np.random.default_rng(11)
    for m, k, n in ((9, 40, 30), (30, 1000, 20)):
        a, b = (rng.standard_normal(s).astype(dtype) for s in ((m, k), (k, n)))
        exact = a.astype(np.longdouble) @ b.astype(np.longdouble)
        bound = k * np.finfo(dtype).eps * (np.abs(a) @ np.abs(b))
        assert (np.abs(product(a, b) - exact) <= bound).all()


# What reads or writes outside of arrays, or of its room, dies under the guard.
GUARDED = """
import numpy as np
from scriptc import script

@script
def product(a, b):
    return a @ b

for m, k, n in ((3, 5, 7), (9, 17, 25), (33, 300, 49), (40, 257, 241)):
    for dtype in (np.float64, np.float32):
        a, b = np.ones((m, k), dtype), np.ones((k, n), dtype)
        for left in (a, np.asfortranarray(a)):
            for right in (b, np.asfortranarray(b)):
                # Copies that compiled code makes lie beside an unreadable page.
                assert (product(left + 0, right + 0) == k).all()
                assert (product(left, right) == k).all()
print("done")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the guard is for Linux")
@pytest.mark.parametrize("guard", ["1", "end"])
def test_nothing_outside_is_read_or_written(guard: str, tmp_path: Path) -> None:
    environment = {**os.environ, "SCRIPTC_GUARD": guard, "SCRIPTC_CACHE_DIR": str(tmp_path)}
    program = tmp_path / "program.py"
    program.write_text(GUARDED)
    done = subprocess.run(
        [sys.executable, str(program)], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr
