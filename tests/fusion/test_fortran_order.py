"""Arguments in Fortran's order: results have the bits that they have of the same array in rows."""

# Without annotations the types come from the call.
# pyright: basic

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from scriptc import script
from scriptc.types import M, N, f64
from tests.support.outcomes import freeze
from tests.support.support_code import pool


def rows(a):
    return a.sum(axis=1), a.mean(axis=1), a.max(axis=1)


def sums(a):
    return np.sum(a, axis=1), a.mean(axis=1, keepdims=True) * 2.0


def sums_of_two(a, b):
    return np.sum(a, axis=1) * np.sum(b, axis=1) + 1.0


def whole(a):
    return a.sum(), (a * a).sum(), a.min(), np.abs(a).max(), (a * 2.0 + 1.0).mean()


def normal(a):
    shifted = np.exp(a - np.max(a, axis=1)[:, None])
    return shifted / np.sum(shifted, axis=1)[:, None]


def both(a, b):
    return np.sqrt(((a - b) ** 2).sum(axis=1)), (a * b).sum(), np.exp(a * 0.125) + b


def beside(a, b):
    return (a * b).sum(axis=1), np.exp(a * 0.125 - b)


def columns(a):
    return a.sum(axis=0), a.max(axis=0), a - a.mean(axis=0)


def after_writing(a):
    before = np.exp(a * 0.125)
    a[0, 0] = 100.0
    a[:, 1] += 1.0
    total = a.sum(axis=1)
    a *= 2.0
    return before, total, a.sum(), np.exp(a[:, :2] * 0.125)


def with_transposed(a):
    a += a.T
    return (a * a.T).sum(axis=1)


def in_a_loop(a, n):
    total = np.zeros(a.shape[0])
    for k in range(n):
        total += (a * k).sum(axis=1)
    return total


def in_place(a, b):
    a *= 2
    a[:] = np.where(a > b, b - a, a + 1)
    np.add(a, b, out=a)


def exchanged(a, b):
    kept = a.copy()
    a[:] = b
    b[:] = kept


def extremes(a, b):
    return np.max(a), np.min(a * b), np.any(a > b), np.all(a == a), np.sum(a > b)


def along_axes(a, b):
    return (
        *((a * b).sum(axis=0), np.sum(a > b, axis=1), np.max(np.abs(a - b), axis=1)),
        *(np.min(a, axis=0), np.any(a > b, axis=0), np.sum(a, axis=(0, 1))),
    )


def along_axes_of_views(a, b):
    c = a.T
    return c.sum(axis=0), c.sum(axis=1), (c + b.T).min(axis=1), np.max(a + b[::-1], axis=1)


_Function = Callable[..., Any]
SCRIPTS: dict[_Function, _Function] = {
    f: script(f)
    for f in (
        *(rows, whole, normal, both, beside, columns, after_writing, with_transposed, in_a_loop),
        *(in_place, exchanged, extremes, along_axes, along_axes_of_views, sums, sums_of_two),
    )
}
SHAPES = ((40, 30), (1000, 3), (3, 1000), (16, 16), (15, 16), (257, 1), (1, 300), (70, 65))


def sample(shape: tuple[int, ...], dtype: str = "f8") -> np.ndarray:
    return ((np.arange(np.prod(shape)) * 37 % 120) / 8).astype(dtype).reshape(shape)


def outcome(function: _Function, *given: object) -> object:
    """Return the results and what is left of the arrays."""
    copies = [g.copy(order="K") if isinstance(g, np.ndarray) else g for g in given]
    return freeze(function(*copies)), [freeze(c) for c in copies]


def check(function: _Function, *given: object) -> None:
    """Compare with the same arrays in rows, and with NumPy up to the order of sums."""
    flat = [np.ascontiguousarray(g) if isinstance(g, np.ndarray) else g for g in given]
    assert outcome(SCRIPTS[function], *given) == outcome(SCRIPTS[function], *flat)
    found = SCRIPTS[function](*(g.copy() if isinstance(g, np.ndarray) else g for g in given))
    expected = function(*(g.copy() if isinstance(g, np.ndarray) else g for g in given))
    mine = found if isinstance(found, tuple) else (found,)
    numpys = expected if isinstance(expected, tuple) else (expected,)
    for own, other in zip(mine, numpys, strict=True):
        np.testing.assert_allclose(own, other, rtol=1e-5)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i4"])
@pytest.mark.parametrize("function", [rows, whole, normal, columns])
def test_results_have_the_bits_of_arrays_in_rows(function: _Function, dtype: str) -> None:
    for shape in SHAPES:
        x = sample(shape, dtype)
        for layout in (np.asfortranarray(x), x[::-1, ::-1], np.asfortranarray(x)[::-1]):
            check(function, layout)
        check(function, np.asfortranarray(sample((shape[0] * 2, shape[1]), dtype))[: shape[0]])
        check(function, x.T.copy().T)


@pytest.mark.parametrize("function", [after_writing, with_transposed])
def test_arrays_that_are_written_meanwhile(function: _Function) -> None:
    for size in (2, 16, 40):
        check(function, np.asfortranarray(sample((size, size))))
        check(function, np.asfortranarray(sample((size + 3, size + 3)))[:size, :size])


def test_several_orders_in_one_nest() -> None:
    for shape in SHAPES:
        x, y = sample(shape), sample(shape)[::-1].copy()
        for a in (x, np.asfortranarray(x)):
            for b in (y, np.asfortranarray(y)):
                check(both, a, b)
        check(both, np.asfortranarray(x), np.broadcast_to(y[:1], shape))


def test_an_argument_is_not_copied_beside_one_that_is_neither_in_rows_nor_in_columns() -> None:
    for shape in SHAPES:
        x, y = np.asfortranarray(sample(shape)), np.repeat(sample(shape), 2, axis=1)[:, ::2]
        for a, b in ((x, y), (y, x), (x, x[::-1]), (x, x[:1]), (x, y[:1]), (x[:1], y)):
            check(beside, a, b)


def layouts(x: np.ndarray) -> list[np.ndarray]:
    """Return the same matrix in rows and in columns, with and without elements between."""
    made = [x, np.asfortranarray(x)]
    for step, wide in ((2, (x.shape[0] * 2, x.shape[1])), (1, (x.shape[0] + 3, x.shape[1]))):
        base = np.zeros(wide, x.dtype, order="F")
        base[::step][: x.shape[0]] = x
        made.append(base[::step][: x.shape[0]])
    return [*made, np.asfortranarray(x[::-1])[::-1], np.asfortranarray(x[:, ::-1])[:, ::-1]]


@pytest.mark.sampled(7)
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("function", [in_place, exchanged, extremes])
def test_elements_are_met_alone(function: _Function, threads: int) -> None:
    with pool(threads, everything=True):
        for shape in ((0, 3), (3, 0), (1, 1), (1, 5), (5, 1), (7, 7), (33, 20)):
            if function is extremes and 0 in shape:
                continue
            for dtype in ("f8", "f4", "i8", "i2"):
                x, y = sample(shape, dtype), sample(shape, dtype)[::-1, ::-1]
                for a in layouts(x):
                    for b in layouts(y):
                        assert outcome(SCRIPTS[function], a, b) == outcome(function, a, b)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("function", [along_axes, along_axes_of_views])
def test_folds_along_either_axis(function: _Function, threads: int) -> None:
    with pool(threads, everything=True):
        for shape in ((1, 5), (5, 1), (33, 20), (3, 700), (700, 3)):
            x = sample(shape, "f8" if function is along_axes else "i2")
            y = x[::-1, ::-1]
            for a in layouts(x):
                for b in (y.copy(), np.asfortranarray(y), y):
                    assert freeze(SCRIPTS[function](a, b)) == freeze(function(a, b))


def test_folds_along_either_axis_of_nan_zeros_and_nothing() -> None:
    x = sample((20, 30))
    x[3, 4], x[5, :], x[:, 7], x[9, 9] = np.nan, -0.0, -np.inf, np.inf
    for a in layouts(x):
        for b in layouts(x[::-1]):
            with np.errstate(invalid="ignore"):
                expected = along_axes(a, b)
            for own, other in zip(SCRIPTS[along_axes](a, b), expected, strict=True):
                np.testing.assert_array_equal(own, other)
    sums = script(lambda a: (a.sum(axis=0), a.sum(axis=1), np.any(a, axis=0), np.all(a, axis=1)))
    for shape in ((0, 5), (5, 0), (0, 0)):
        for a in (np.zeros(shape), np.zeros(shape, order="F"), np.zeros(shape).T):
            expected = a.sum(axis=0), a.sum(axis=1), np.any(a, axis=0), np.all(a, axis=1)
            assert freeze(sums(a)) == freeze(expected)


def test_extremes_of_arrays_of_several_sizes() -> None:
    apart = script(lambda a, b: (np.max(a), np.min(b), np.max(b * 2.0), np.min(a + 1.0)))
    for one, other in (((4, 4), (3, 4)), ((3, 4), (4, 4)), ((40, 2), (3, 50)), ((2, 1), (1, 2))):
        for a in layouts(sample(one)):
            for b in layouts(sample(other)):
                expected = np.max(a), np.min(b), np.max(b * 2.0), np.min(a + 1.0)
                assert freeze(apart(a, b)) == freeze(expected)


def test_what_is_folded_on_the_way_is_folded_in_its_order() -> None:
    def shifted(a, b):
        a -= a.sum(axis=1)[:, None]
        b -= b.max(axis=0)
        a[:] = a - np.max(a)
        b -= np.sum(b)
        a *= np.sum(b * 0.125, axis=1, keepdims=True)
        # Of zeros with different signs either may be the largest.
        return np.max(a - np.min(b)) + 0.0, np.max(np.sum(a, axis=1)) + 0.0

    ours = script(shifted)
    for shape in ((20, 33), (7, 7), (1, 4)):
        x, y = sample(shape), sample(shape)[::-1, ::-1]  # whose sums are exact
        expected = outcome(shifted, x, y)
        for a in layouts(x):
            for b in layouts(y):
                assert outcome(ours, a, b) == expected


def test_elements_of_arrays_that_share_memory() -> None:
    base = np.asfortranarray(sample((41, 40)))
    for first, second in ((0, 1), (1, 0), (0, 0)):
        kept, expected = base.copy(order="F"), base.copy(order="F")
        SCRIPTS[in_place](kept[first:][:40], kept[second:][:40])
        in_place(expected[first:][:40], expected[second:][:40])
        assert freeze(kept) == freeze(expected)
    square, expected = base[:40].copy(order="F"), base[:40].copy(order="F")
    SCRIPTS[in_place](square, square.T)
    in_place(expected, expected.T)
    assert freeze(square) == freeze(expected)


def test_rows_that_are_met_again_and_again() -> None:
    for row in (sample((1, 30)), np.asfortranarray(sample((40, 1))), sample((1, 1))):
        x = np.asfortranarray(sample((40, 30)))
        assert outcome(SCRIPTS[in_place], x, row) == outcome(in_place, x, row)


def test_empty_and_read_only_arrays() -> None:
    for shape in ((0, 7), (7, 0), (0, 0), (300, 0)):
        given = np.zeros(shape, order="F")
        assert freeze(SCRIPTS[normal](given[:, :0].sum(axis=1)[:, None])) is not None
        total = script(lambda a: (a.sum(axis=1), a.sum()))
        assert freeze(total(given)) == freeze((given.sum(axis=1), given.sum()))
    x = np.asfortranarray(sample((40, 30)))
    x.flags.writeable = False
    check(rows, x)


def test_values_that_are_no_numbers() -> None:
    x = np.asfortranarray(sample((40, 40)))
    x[3], x[5, ::2], x[:, 7] = np.nan, -np.inf, -0.0
    for function in (rows, columns):
        assert outcome(SCRIPTS[function], x) == outcome(SCRIPTS[function], np.ascontiguousarray(x))


@pytest.mark.sampled(5)
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8"])
def test_sizes_around_those_of_blocks(dtype: str, threads: int) -> None:
    with pool(threads, everything=True):
        for height in (7, 8, 9, 15, 17, 31, 32, 33, 47, 100):
            for width in (7, 8, 9, 29, 33, 64):
                for function in (rows, whole):
                    check(function, np.asfortranarray(sample((height, width), dtype)))


def test_loops_and_threads() -> None:
    x = np.asfortranarray(sample((90, 70)))
    check(in_a_loop, x, 5)
    for threads in (1, 2, 5):
        with pool(threads, everything=True):
            for function in (rows, whole, normal):
                check(function, x)


@pytest.mark.sampled(9)
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("width", [2, 3, 5, 31, 64, 200, 1023, 1028, 3077])
def test_sums_of_rows_are_added_in_the_order_of_rows(width: int, dtype: str, threads: int) -> None:
    random = np.random.default_rng(width)
    with pool(threads, everything=True):
        for height in (1, 7, 8, 16, 17, 130, 255, 263, 521):
            x = random.random((height, width)).astype(dtype)
            x[height // 2, width // 3] = np.nan
            x[height // 3] = -0.0
            x[0] += 1e3
            spaced = np.zeros((height + 3, width), dtype, order="F")[:height]
            spaced[:] = x
            for a in (np.asfortranarray(x), spaced):
                check(sums, a)
                check(sums_of_two, a, x + 2)
                check(sums_of_two, x + 2, a)


def test_sums_of_rows_are_read_and_not_the_rows() -> None:
    text = SCRIPTS[sums].dump("llvm", f64[N, M])  # pyright: ignore
    assert "@sc.part.rows_row_sums_f64(" in text
    assert "@sc.part.rows_columns_64(" not in text


def test_sums_read_a_copy_and_simple_elements_do_not() -> None:
    assert "@sc.part.rows_columns_64(" in SCRIPTS[rows].dump("llvm", f64[N, M])  # pyright: ignore
    for simple in (script(lambda a: a * 2.0), script(lambda a: a - a.mean(axis=0))):
        assert "@sc.part.rows_columns_64(" not in simple.dump("llvm", f64[N, M])
