"""The order of a sum along rows follows from their length: not from layouts or what is around it.

Elements are no dyadic fractions: each order of their sum has last bits of its own.
"""

# Without annotations the types come from the call, which is what these functions are about.
# pyright: basic

from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from scriptc import script
from scriptc.types import N, f64
from tests.support.outcomes import freeze

SIZES = (*range(21), 33, 64, 127, 128, 129, 130, 1000, 1027)


def _numbers(shape: tuple[int, ...], dtype: str) -> Any:
    rng = np.random.default_rng(len(shape))
    numbers = rng.standard_normal(shape) * np.exp(rng.standard_normal(shape))
    if dtype[0] == "c":
        numbers = numbers + 1j * rng.standard_normal(shape)
    return numbers.astype(dtype)


def _layouts(a: Any) -> Iterator[Any]:
    """Yield the same array in other layouts."""
    for order in permutations(range(a.ndim)):
        yield np.ascontiguousarray(a.transpose(order)).transpose(np.argsort(order))
    for axis in range(a.ndim):
        whole = (slice(None),) * axis
        yield np.repeat(a, 2, axis)[(*whole, slice(None, None, 2))]
        back = (*whole, slice(None, None, -1))
        yield np.ascontiguousarray(a[back])[back]
    wide = np.zeros([n + 3 for n in a.shape], a.dtype)
    wide[tuple(slice(1, n + 1) for n in a.shape)] = a
    yield wide[tuple(slice(1, n + 1) for n in a.shape)]
    fields = np.zeros(a.shape, [("before", a.dtype), ("x", a.dtype), ("after", a.dtype)])
    fields["x"] = a
    yield fields["x"]


def of_vectors(a):
    return np.sum(a), np.mean(a * a), np.sum(a * 0.7 - 0.1)


def of_rows(a):
    return (
        np.sum(a, axis=-1),
        np.mean(a * a, axis=-1, keepdims=True),
        np.sum(a * 0.7 - 0.1, axis=-1),
    )


def of_powers(a):
    e = np.exp(-a * a)
    return np.prod(a, axis=-1), np.var(a, axis=-1), e / np.sum(e, axis=-1)[..., None]


def in_rounds(a):
    totals = np.zeros(len(a), a.dtype)
    for i in range(len(a)):
        totals[i] = np.sum(a[i]) + np.sum(a[i] * a[0])
    return totals


def of_pairs(a):
    products = np.zeros((len(a), len(a)), a.dtype)
    for i in range(len(a)):
        for j in range(len(a)):
            products[i, j] = np.dot(a[i, :4], a[j, :4])
    return products


OF_FLOATS = (of_powers, in_rounds, of_pairs)
CALLS = [
    *((of_vectors, 1, dtype) for dtype in ("f8", "f4", "c16")),
    *((of_rows, 2, dtype) for dtype in ("f8", "f4", "f2", "c16")),
    *(
        (function, 2, dtype)
        for function in (of_powers, in_rounds, of_pairs)
        for dtype in ("f8", "f4")
    ),
    (of_rows, 3, "f8"),
]


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("function", "rank", "dtype"), CALLS)
def test_sums_along_rows_have_the_same_bits_in_every_layout(
    function: Callable[..., object], rank: int, dtype: str
) -> None:
    scripted = script(function)
    for size in SIZES:
        for rows in (1, 2, 9) if size < 21 else (9,):
            a = _numbers((3, rows, size)[3 - rank :], dtype)
            expected = freeze(scripted(a))
            for other in _layouts(a):
                assert freeze(scripted(other)) == expected, (a.shape, other.strides)


@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_rows_of_up_to_four_elements_are_summed_up_in_their_order_as_numpy_does(dtype: str) -> None:
    def rows(a):
        return np.sum(a, axis=1), np.prod(a, axis=1)

    scripted, vector = script(rows), script(lambda a: np.sum(a))
    for size in range(5):
        a = _numbers((100, size), dtype)
        assert freeze(scripted(a)) == freeze(rows(a))
        for row in a:
            assert freeze(vector(row)) == freeze(np.sum(row))


def test_sizes_that_are_known_change_no_bits() -> None:
    def three(a: f64[N, 3]):  # pyright: ignore
        return np.sum(a, axis=1), np.prod(a * 1.1, axis=1)

    def four(a: f64[N, 4]):  # pyright: ignore
        return np.sum(a, axis=1), np.prod(a * 1.1, axis=1)

    def five(a: f64[N, 5]):  # pyright: ignore
        return np.sum(a, axis=1), np.prod(a * 1.1, axis=1)

    def eight(a: f64[N, 8]):  # pyright: ignore
        return np.sum(a, axis=1), np.prod(a * 1.1, axis=1)

    def nine(a: f64[N, 9]):  # pyright: ignore
        return np.sum(a, axis=1), np.prod(a * 1.1, axis=1)

    def unknown(a):
        return np.sum(a, axis=1), np.prod(a * 1.1, axis=1)

    scripted = script(unknown)
    for function, size in ((three, 3), (four, 4), (five, 5), (eight, 8), (nine, 9)):
        a = _numbers((50, size), "f8")
        assert freeze(script(function)(a)) == freeze(scripted(a))


def of_each_row(a):
    totals = np.zeros((3, len(a)))
    for i in range(len(a)):
        totals[:, i] = np.sum(a[i]), np.sum(a[i] * 1.1 - 0.2), np.prod(a[i])
    return totals


def all_rows(a):
    return np.sum(a, axis=1), np.sum(a * 1.1 - 0.2, axis=1), np.prod(a, axis=1)


def one_row(a):
    return np.sum(a), np.sum(a * 1.1 - 0.2), np.prod(a)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("parallel", [1, 2])
def test_rows_and_vectors_of_any_length_have_the_same_sums(parallel: int) -> None:
    scripted = [script(f, parallel=parallel) for f in (of_each_row, all_rows, one_row)]
    for size in (1000, 1024, 1025, 5000, 65536, 65537, 200_000, 1_000_001):
        a = np.exp(_numbers((3, size), "f8") / 1e3)
        alone = np.transpose([scripted[2](row) for row in a])
        assert np.array_equal(scripted[0](a), alone), size
        assert np.array_equal(scripted[1](a), alone), size


def test_chunks_of_many_elements_change_no_sum() -> None:
    x = _numbers((17_000_000,), "f4")
    assert freeze(script(all_rows)(x[None])[0][0]) == freeze(script(one_row)(x)[0])


@script
def above(x, least, result):
    for i in range(len(least)):
        result[i] = x[x > least[i]].sum() + np.sum(x) - np.prod(x * 0.01 + 1.0)


@script
def means_between(x, least):
    result = np.zeros(len(least))
    for i in range(len(least)):
        result[i] = x[(x > least[i]) & (x < least[i] + 0.5)].mean()
    return result


def test_rounds_that_fold_one_array_have_the_bits_of_each_alone() -> None:
    for size in (8191, 8192, 8193, 10_000, 30_000, 70_001):
        x = _numbers((size,), "f8")
        least = np.linspace(-1.0, 1.0, 20)
        alone = np.zeros(20)
        for i in range(20):
            above(x, least[i : i + 1], alone[i : i + 1])
        means = np.array([means_between(x, least[i : i + 1])[0] for i in range(20)])
        for other in (x, *_layouts(x)):
            result, both = np.zeros(20), least.copy()
            above(other, least, result)
            above(other, both, both)  # each round reads its own before it writes
            assert np.array_equal(result, alone)
            assert np.array_equal(both, alone)
            assert np.array_equal(means_between(other, least), means, equal_nan=True)
