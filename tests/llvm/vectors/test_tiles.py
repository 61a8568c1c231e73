"""Nests over arrays in columns, tile by tile: of every size, layout and type."""

# pyright: basic

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from scriptc import script
from scriptc.types import f64
from scriptc_runtime.text.reader import read_module
from tests.support.llvm_calls import natives

RANDOM = np.random.default_rng(9)
SIZES = (1, 8, 17, 63, 64, 65, 71, 72, 79, 127, 128, 130, 193, 257)


def sums(a, b):
    return a + b, a * 2 + 1, a + a


def with_lines(a, b):
    return a - b[:1], b[:, :1] * a, a * b[0, 0] - b[:1]


def choices(a, b):
    return np.where(a > b, a, b), np.minimum(a, 3), -a


def into_parts(a, b):
    out = np.zeros((a.shape[0] + 2, 2 * a.shape[1] + 3), a.dtype)
    out[1:-1, : a.shape[1]] = a + b
    out[:-2, 1 : 2 * a.shape[1] : 2] = a * b
    out[1:-1, a.shape[1] : 2 * a.shape[1]] -= a
    return out


def in_place(a, b):
    a += b
    b[...] = a - b
    return a.T + b.T


def crosswise(a, b):
    n = min(a.shape)
    a[:n, :n] = a[:n, :n].T * 2 + b[:n, :n]
    return a + 0, b[::-1] * 2, b[:, ::-1] + 1


FUNCTIONS = (sums, with_lines, choices, into_parts, in_place, crosswise)
LAYOUTS: dict[str, Callable] = {
    "columns": np.asfortranarray,
    "rows": np.ascontiguousarray,
    "part of columns": lambda a: np.asfortranarray(np.pad(a, 3))[3:-3, 3:-3],
    "every second column": lambda a: np.asfortranarray(np.repeat(a, 2, axis=1))[:, ::2],
    "every second row": lambda a: np.asfortranarray(np.repeat(a, 2, axis=0))[::2],
    "backwards": lambda a: np.asfortranarray(a[::-1])[::-1],
    "columns backwards": lambda a: np.asfortranarray(a[:, ::-1])[:, ::-1],
}


def pairs(dtype: str, rows: int, columns: int) -> Iterator[Callable]:
    """What makes a pair of arrays anew, in each layout."""
    a, b = RANDOM.integers(-9, 9, (2, rows, columns)).astype(dtype)
    if dtype[0] == "f":
        a.flat[::5], b.flat[::7] = np.nan, -0.0
    for one in LAYOUTS.values():
        yield lambda one=one: (one(a.copy()), np.asfortranarray(b.copy()))
    yield lambda: (np.asfortranarray(a.copy()), b.copy())


@pytest.mark.sampled(2)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i4", "i2"])
def test_tiles_of_every_size_give_the_bits_of_numpy(dtype: str, function: Callable) -> None:
    compiled = script(function)
    for rows in SIZES:
        for columns in (1, 7, 8, 9, 16, 19, 40):
            for made in pairs(dtype, rows, columns):
                ours, theirs = made(), made()
                found, expected = compiled(*ours), function(*theirs)
                _same((found, ours), (expected, theirs))


def _same(found, expected) -> None:
    if isinstance(found, tuple):
        for one, other in zip(found, expected, strict=True):
            _same(one, other)
        return
    np.testing.assert_array_equal(found, expected)
    assert found.dtype == expected.dtype
    if found.dtype.kind == "f":
        numbers = ~np.isnan(expected)
        assert np.array_equal(np.signbit(found[numbers]), np.signbit(expected[numbers]))


def of_cubes(c, q):
    moved = c.transpose(2, 0, 1) * q[:, None, None], c.transpose(0, 2, 1) + q[:, None]
    cut = c.transpose(2, 0, 1) * q[: c.shape[2] // 2 * 2 + 1, None, None]
    return moved, cut, c.transpose(2, 1, 0) - q[:, None, None], c.T * 2


def test_tiles_of_cubes() -> None:
    compiled = script(of_cubes)
    for sizes in (
        (9, 10, 11),
        (8, 8, 8),
        (3, 130, 17),
        (9, 70, 67),
        (20, 3, 80),
        (2, 2, 2),
        (16, 16, 0),
        (16, 16, 1),
        (5, 200, 301),  # so large that memory is asked for ahead of time
        (65, 71, 99),
    ):
        c, q = RANDOM.standard_normal(sizes), RANDOM.standard_normal(sizes[2])
        for cube in (c, np.asfortranarray(c), c[::-1, :, ::-1]):
            _same(compiled(cube, q), of_cubes(cube, q))


def test_large_matrices() -> None:
    compiled = script(sums)
    for sizes in ((300, 700), (1000, 129), (72, 3001)):
        a, b = (np.asfortranarray(RANDOM.standard_normal(sizes)) for _ in range(2))
        _same(compiled(a, b), sums(a, b))


def test_what_is_stored_in_rows_is_computed_in_tiles() -> None:
    f = np.asfortranarray(RANDOM.standard_normal((300, 200)))
    compiled = script(lambda a: a + a)
    _same(compiled(f), f + f)
    assert "@sc.part.turn_columns_64(" in compiled.dump("llvm", f64["N", "M"])  # pyright: ignore
    assert "turn_columns" not in compiled.dump("llvm", f64["N"])  # pyright: ignore


_PICKED = """
func kernel @kernel.g.0(%c: tensor<f64, [N, M]>, %f: tensor<f64, [N, M]>, %t: tensor<f64, [K]>, \
%p: tensor<i64, [N]>, %begin: i64, %end: i64) -> None {
  %0 = sub %end, %begin : i64
  %1 = size %c [axis=1] : i64
  loop @L0 %0 [parallel=true] {(%2: i64)
    %3 = add %begin, %2 : i64
    %4 = load %p, %3 : i64
    loop @L1 %1 [parallel=true] {(%5: i64)
      %6 = load %f, %3, %5 : f64
      %7 = load %t, %4 : f64
      %8 = mul %6, %7 : f64
      store %c, %8, %3, %5
      exit @L1.next
    }
    exit @L0.next
  }
  %9 = const [value=none] : None
  exit @return %9
}
func @g(%c: tensor<f64, [N, M]>, %f: tensor<f64, [N, M]>, %t: tensor<f64, [K]>, \
%p: tensor<i64, [N]>) -> None {
  %0 = size %c [axis=0] : i64
  launch %0, %c, %f, %t, %p [callee="kernel.g.0"]
  %1 = const [value=none] : None
  exit @return %1
}
"""


def test_an_element_may_be_an_index() -> None:
    functions = read_module(_PICKED).functions
    f, t = np.asfortranarray(RANDOM.standard_normal((100, 24))), RANDOM.standard_normal(300)
    p, c = RANDOM.integers(0, 300, 100), np.zeros((100, 24))
    natives(list(functions.values()))["g"](c, f, t, p)
    assert np.array_equal(c, f * t[p][:, None])
