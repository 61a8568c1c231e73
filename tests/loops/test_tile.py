"""Nests in strips: arrays large and small, with strips of few rows, give what NumPy gives."""

# Without annotations the types come from the call.
# pyright: basic

from collections.abc import Callable

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

from scriptc import script
from scriptc.kernels.loops import tile
from scriptc.types import K, M, N, f64
from tests.support.outcomes import freeze
from tests.support.support_code import pool


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have strips of two or three rows of the arrays below; no other test compiles these."""
    monkeypatch.setattr(tile, "_CACHE", 1200)
    monkeypatch.setattr(tile, "_LEAST_ROWS", 1)


def seven(a, b):
    b[1:-1, 1:-1, 1:-1] = (a[2:, 1:-1, 1:-1] - a[:-2, 1:-1, 1:-1] * 3 + a[1:-1, 2:, 1:-1] * 5) + (
        a[1:-1, :-2, 1:-1] - a[1:-1, 1:-1, 2:] * 7 + a[1:-1, 1:-1, :-2] - a[1:-1, 1:-1, 1:-1]
    )


def two_planes(a, b):
    b[1:] = a[1:] - a[:-1] * 3


def in_place(a, b):
    a[1:-1] = a[:-2] - a[2:] * 3 + b[1:-1]


def two_arrays(a, b):
    b[:-1, 1:] = a[1:, 1:] - a[:-1, :-1] * b[:-1, 1:]


def one_plane(a, b):
    b[:, 1:] = a[:, 1:] - a[:, :-1]


_Function = Callable[[np.ndarray, np.ndarray], None]
PLANES: dict[_Function, int] = {seven: 3, two_planes: 2, in_place: 2, two_arrays: 2, one_plane: 1}
SCRIPTS: dict[_Function, Callable[..., None]] = {function: script(function) for function in PLANES}


def check(function: _Function, a: np.ndarray, b: np.ndarray) -> None:
    """Compare what NumPy and a script make of two arrays."""
    expected, given = ([x.copy(order="K") for x in (a, b)] for _ in range(2))
    function(*expected)
    SCRIPTS[function](*given)
    assert list(map(freeze, given)) == list(map(freeze, expected))


def sample(shape: tuple[int, ...], dtype: type = np.float64) -> np.ndarray:
    return (np.arange(np.prod(shape)) * 37 % 64 - 32).astype(dtype).reshape(shape)


def test_planes_that_are_read_again_are_read_in_strips() -> None:
    for function, planes in PLANES.items():
        text = SCRIPTS[function].dump("llvm", f64[N, M, K], f64[N, M, K])
        # The elements of each plane that fit are divided by those of a row.
        assert (f" {1200 // 8 // planes}, " in text) == (planes > 1)


@pytest.mark.sampled(11)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int16])
@pytest.mark.parametrize(
    "shape", [(3, 9, 20), (5, 1, 20), (5, 2, 7), (4, 7, 130), (2, 40, 3), (6, 0, 4), (0, 3, 4)]
)
def test_every_element_is_computed_once(dtype: type, shape: tuple[int, ...]) -> None:
    a, b = sample(shape, dtype), sample(shape, dtype)[..., ::-1].copy()
    for function in PLANES:
        for layout in (lambda x: x, lambda x: x[::-1], lambda x: x[:, ::-1], lambda x: x[..., ::2]):
            check(function, layout(a), layout(b))
        check(function, np.asfortranarray(a), b)


def test_four_axes() -> None:
    for shape in ((3, 5, 4, 6), (2, 9, 3, 33)):
        check(two_planes, sample(shape), sample(shape) + 1)
        check(in_place, sample(shape), sample(shape) + 1)


def test_values_that_are_no_numbers_keep_their_bits() -> None:
    a = sample((5, 12, 20))
    a[::2, ::3, ::4] = np.nan
    a[1::2, ::3, ::5] = -0.0
    a[1::2, 1::3] = np.inf
    with np.errstate(invalid="ignore"):
        for function in PLANES:
            check(function, a, sample(a.shape))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("planes", [0, 1, 2, 5])
@pytest.mark.parametrize("rows", [0, 1, -1, 6])
def test_arrays_that_overlap(planes: int, rows: int) -> None:
    buffer = sample((12, 20, 20))

    def views(memory: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return memory[:6, 7:14], memory[planes : planes + 6, 7 + rows : 14 + rows]

    for function in PLANES:
        given, expected = buffer.copy(), buffer.copy()
        function(*views(expected))
        SCRIPTS[function](*views(given))
        assert freeze(given) == freeze(expected)


@pytest.mark.parametrize(
    "steps", [(0, 160, 8), (160, 160, 8), (3200, 8, 8), (3200, 0, 8), (160, 3200, 8)]
)
def test_the_last_element_stays_where_indices_share_memory(steps: tuple[int, ...]) -> None:
    a = sample((5, 9, 20)) ** 2
    for function in (seven, two_planes):
        memory, expected = np.zeros(9000), np.zeros(9000)
        SCRIPTS[function](a, as_strided(memory, a.shape, steps))
        function(a, as_strided(expected, a.shape, steps))
        assert freeze(memory) == freeze(expected)


def test_threads_share_planes_of_strips() -> None:
    a, b = sample((40, 12, 20)), sample((40, 12, 20)) + 1
    for threads in (1, 2, 5):
        with pool(threads, everything=True):
            for function in PLANES:
                check(function, a, b)
