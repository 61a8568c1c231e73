"""Copies between arrays that lie crosswise give what NumPy gives, for blocks and what is left."""

# Without annotations the types come from the call.
# pyright: basic

from collections.abc import Callable

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

from scriptc import script
from scriptc.types import K, M, N, f64
from tests.support.outcomes import freeze
from tests.support.support_code import pool


def put(out, x):
    out[...] = x


def put_transposed(out, x):
    out[...] = x.T


def put_inside(out, x):
    out[1:-1, 2:] = x[1:-1, 2:]


def put_behind(out, x):
    out[1:] = x[:-1]


def exchange(out, x):
    out[...] = x.swapaxes(1, 2)


def roll(out, x):
    out[...] = x.transpose(2, 0, 1)


def copied(x):
    return x.copy(), x.T.copy(), np.ascontiguousarray(x)


SCRIPTS: dict[Callable[..., object], Callable[..., object]] = {
    f: script(f) for f in (put, put_transposed, put_inside, put_behind, exchange, roll, copied)
}
DTYPES = ("f8", "f4", "i8", "u4", "i2", "u1", "?", "c16", "c8")


def check(function: Callable[..., object], out: np.ndarray, x: np.ndarray) -> None:
    """Compare what is written to arrays that lie in memory as these do."""
    expected, given = out.copy(order="K"), out.copy(order="K")
    function(expected, x)
    SCRIPTS[function](given, x)
    assert freeze(given) == freeze(expected)


def sample(shape: tuple[int, ...], dtype: str = "f8") -> np.ndarray:
    return (np.arange(np.prod(shape)) * 37 % 120).astype(dtype).reshape(shape)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("dtype", DTYPES)
def test_matrices_of_all_shapes(dtype: str) -> None:
    for rows in (0, 1, 7, 8, 17, 64, 71):
        for columns in (0, 1, 3, 8, 20):
            x = np.asfortranarray(sample((rows, columns), dtype))
            out = np.zeros((rows, columns), dtype)
            check(put, out, x)
            check(put, out.copy(order="F"), x)
            check(put, out.copy(order="F"), np.ascontiguousarray(x))
            check(put_transposed, out, np.ascontiguousarray(x.T))
            assert freeze(SCRIPTS[copied](x)) == freeze(copied(x))


@pytest.mark.sampled(5)
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8"])
def test_sizes_around_those_of_blocks(dtype: str, threads: int) -> None:
    with pool(threads, everything=True):
        for rows in (*range(1, 10), 15, 16, 17, 31, 32, 33, 65):
            for columns in range(1, 34):
                x = np.asfortranarray(sample((rows, columns), dtype))
                check(put, np.zeros((rows, columns), dtype), x)
                check(put, np.zeros((rows, columns), dtype, order="F"), x)
                check(put_transposed, np.zeros((columns, rows), dtype), np.ascontiguousarray(x))


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("shape", [(12, 13), (9, 24), (33, 10)])
def test_the_last_block_of_a_part_writes_nothing_beside_it(
    shape: tuple[int, int], threads: int
) -> None:
    rows, columns = shape
    x = np.asfortranarray(sample((rows + 9, columns + 9)))
    around, expected = np.full((2, rows + 6, columns + 6), -1.0)
    part = slice(3, 3 + rows), slice(3, 3 + columns)
    expected[part] = x[5 : 5 + rows, 4 : 4 + columns]
    with pool(threads, everything=True):
        SCRIPTS[put](around[part], x[5 : 5 + rows, 4 : 4 + columns])
    assert freeze(around) == freeze(expected)


@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_parts_and_steps(dtype: str) -> None:
    x = np.asfortranarray(sample((40, 34), dtype))
    out = np.zeros((40, 34), dtype)
    for layout in (
        lambda a: a,
        lambda a: a[::-1],
        lambda a: a[:, ::-1],
        lambda a: a[:, ::2],
        lambda a: a[::2],
        lambda a: a[3:, 5:],
    ):
        for function in (put, put_inside, put_behind):
            check(function, layout(out), layout(x))
            check(function, np.ascontiguousarray(layout(out)), layout(x))


def test_one_row_or_column_for_all() -> None:
    out = np.zeros((24, 33))
    for x in (sample((24, 1)), sample((1, 33)), sample((33,)), sample((1, 1))):
        check(put, out, x)
        check(put, np.asfortranarray(out), np.asfortranarray(x))
    check(put, out, as_strided(sample((40,)), (24, 33), (8, 0)))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("shape", [(9, 10, 11), (1, 16, 8), (16, 1, 9), (8, 8, 0), (17, 3, 24)])
def test_three_axes(shape: tuple[int, ...]) -> None:
    x = sample(shape)
    check(put, np.zeros(shape), np.asfortranarray(x))
    check(put, np.zeros(shape), x.transpose(0, 2, 1).copy().transpose(0, 2, 1))
    check(put, np.zeros(shape), x.transpose(1, 0, 2).copy().transpose(1, 0, 2))
    check(put_transposed, np.zeros(shape[::-1]), x)
    check(exchange, np.zeros((shape[0], shape[2], shape[1])), x)
    check(roll, np.zeros((shape[2], shape[0], shape[1])), x)
    assert freeze(SCRIPTS[copied](x)) == freeze(copied(x))


def test_values_keep_their_bits() -> None:
    x = np.asfortranarray(sample((20, 20)))
    x[::3], x[::5], x[::7, ::2] = -0.0, np.inf, np.nan
    check(put, np.zeros((20, 20)), x)


@pytest.mark.parametrize("ahead", [-9, 0, 1, 24, 30])
def test_arrays_that_share_memory(ahead: int) -> None:
    buffer = sample((2000,))

    def views(memory: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        x = memory[200 + ahead : 200 + ahead + 600].reshape(25, 24).T
        return memory[200:800].reshape(24, 25), x

    given, expected = buffer.copy(), buffer.copy()
    put(*views(expected))
    SCRIPTS[put](*views(given))
    assert freeze(given) == freeze(expected)
    square, turned = sample((24, 24)), sample((24, 24))
    put_transposed(square, square)
    SCRIPTS[put_transposed](turned, turned)
    assert freeze(turned) == freeze(square)


@pytest.mark.parametrize("steps", [(0, 8), (8, 8), (64, 8)])
def test_the_last_element_stays_where_indices_share_memory(steps: tuple[int, int]) -> None:
    x = np.asfortranarray(sample((20, 20)))
    memory, expected = np.zeros(4000), np.zeros(4000)
    SCRIPTS[put](as_strided(memory[2000:], x.shape, steps), x)
    put(as_strided(expected[2000:], x.shape, steps), x)
    assert freeze(memory) == freeze(expected)


def test_threads_share_rows() -> None:
    for threads in (1, 2, 5):
        with pool(threads, everything=True):
            check(put, np.zeros((60, 50)), np.asfortranarray(sample((60, 50))))
            check(put, np.zeros((20, 9, 30)), np.asfortranarray(sample((20, 9, 30))))


def test_blocks_are_turned_where_arrays_may_lie_crosswise() -> None:
    for types in ((f64[N, M], f64[N, M]), (f64[N, M, K], f64[N, M, K])):
        assert "@sc.part.turn_columns_64(" in SCRIPTS[put].dump("llvm", *types)  # pyright: ignore
    assert "@sc.part.turn_columns_64(" not in SCRIPTS[put].dump("llvm", f64[N], f64[N])  # pyright: ignore
