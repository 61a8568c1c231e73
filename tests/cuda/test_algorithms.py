"""Scans, sorts and searches on a device: bits of the processor, and work that threads share."""

# Results have no annotations.
# pyright: basic

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from scriptc import script
from tests.support.device_calls import after_a_call, live_allocations
from tests.support.kernel_steps import counted_steps
from tests.support.outcomes import freeze

DTYPES = ("f8", "i8", "f4", "u1", "?", "f2", "i4", "u8", "c16")
SIZES = (0, 1, 2, 63, 64, 65, 1024, 1025, 4097)


def argmax(x):
    return np.argmax(x)


def argmin(x):
    return np.argmin(x)


def cumsum(x):
    return np.cumsum(x)


def cumprod(x):
    return np.cumprod(x)


def running_max(x):
    return np.maximum.accumulate(x)


def running_min(x):
    return np.minimum.accumulate(x, axis=-1)


def columns(x):
    return np.cumsum(x, axis=0), np.maximum.accumulate(x, axis=0)


def rows(x):
    return np.cumsum(x, axis=-1), np.minimum.accumulate(x, axis=-1)


def nonzero(x):
    return np.nonzero(x)


def compress(x):
    return x[x != x[:1]], x[x == x]


def picked(x):
    return x[x != x[:1]]


def in_order(x):
    return np.sort(x)


def stable(x):
    return np.sort(x, kind="stable"), np.argsort(x, kind="stable")


def order(x):
    return np.argsort(x)


OPERATIONS: tuple[Callable[..., Any], ...] = (
    *(argmax, argmin, cumsum, cumprod, running_max, running_min, nonzero, compress),
    *(in_order, stable, order),
)
UNORDERED = (argmax, argmin, running_max, running_min, in_order, stable, order)  # of complex


def arrays(dtype: str) -> Iterator[np.ndarray[Any, Any]]:
    """Yield arrays with ties, and of floats with all that is no number, in several layouts."""
    random = np.random.default_rng(7)
    for size in SIZES:
        x = random.integers(0, 2 if dtype == "?" else 100, size).astype(dtype)
        if np.dtype(dtype).kind in "iu":
            x[: size // 3] += random.integers(0, 1 << 7, size // 3).astype(dtype) << 1
        yield x
        if np.dtype(dtype).kind in "fc" and size:
            with np.errstate(all="ignore"):
                x = (random.standard_normal(size) * 1000).astype(dtype)
            yield x
            x = x.copy()
            x[random.integers(0, size, size // 8 + 1)] = np.nan
            x[random.integers(0, size, size // 8 + 1)] = -0.0
            x[random.integers(0, size, size // 8 + 1)] = 0.0
            x[random.integers(0, size, size // 50)] = -np.inf
            yield x
        yield np.repeat(x, 2)[::-2]


def outcome(run: Callable[..., Any], x: np.ndarray[Any, Any]) -> object:
    given = x.copy() if x.flags.c_contiguous else x[:]
    with np.errstate(all="ignore"):
        try:
            if run.__name__ in ("running_max", "running_min"):
                return freeze(run(given) + 0)  # which of two zeros is the larger one is open
            return freeze(run(given))
        except ValueError as error:
            return str(error)


@pytest.mark.sampled(16)
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("dtype", DTYPES)
def test_a_device_has_the_bits_of_cpython(
    operation: Callable[..., Any], dtype: str, thorough: bool
) -> None:
    if dtype == "c16" and operation in UNORDERED:
        pytest.skip("complex numbers have no order here")
    ways = [script(operation, backend="cuda"), script(operation)]
    if thorough:
        ways.append(script(operation, backend="interp"))
    held = after_a_call()
    for x in arrays(dtype):
        expected = outcome(operation, x)
        for way in ways:
            assert outcome(way, x) == expected, (way.__name__, len(x))
    assert live_allocations() == held


@pytest.mark.sampled(6)
@pytest.mark.parametrize("operation", [columns, rows, nonzero, stable, argmax])
@pytest.mark.parametrize("dtype", ["f8", "i8", "u1"])
def test_arrays_of_rows_have_the_bits_of_cpython(operation: Callable[..., Any], dtype: str) -> None:
    on_device = script(operation, backend="cuda")
    random = np.random.default_rng(11)
    for shape in ((5, 7), (3, 300), (300, 3), (0, 3), (3, 0), (1, 1)):
        x = random.integers(0, 9, shape).astype(dtype)
        for given in (x, x.T, x[::-1, ::2]):
            assert outcome(on_device, given) == outcome(operation, given), given.shape


def mask_of_rows(x, mask):
    return x[mask]


def test_a_mask_of_another_size_is_refused() -> None:
    with pytest.raises(IndexError, match="size of axis is 4 but size of corresponding boolean"):
        script(mask_of_rows, backend="cuda")(np.zeros(4), np.zeros(3, np.bool_))


def test_a_sum_of_what_a_mask_picks_makes_no_array_of_it() -> None:
    def picked(x):
        return np.sum(x[x > 0.5])

    x = np.linspace(0.0, 1.0, 1001)
    on = script(picked, backend="cuda")
    assert on(x) == pytest.approx(picked(x), rel=1e-14)


def put(x, places, values):
    x[places] = values


def add_at(x, places, values):
    np.add.at(x, places, values)


def subtract_at(x, places, values):
    np.subtract.at(x, places, values)


def multiply_at(x, places, values):
    np.multiply.at(x, places, values)


def largest_at(x, places, values):
    np.maximum.at(x, places, values)


def bincount(x, places, values):
    return np.bincount(np.abs(places)), np.bincount(np.abs(places), minlength=40)


def weighted(x, places, values):
    return np.bincount(np.append(np.abs(places), 0), np.append(np.abs(values), 1))


PLACED = (put, add_at, subtract_at, multiply_at, largest_at, bincount, weighted)


def written(
    run: Callable[..., Any], x: np.ndarray[Any, Any], *more: np.ndarray[Any, Any]
) -> object:
    """Return what a function gives or raises, and what it leaves in its first argument."""
    x = x.copy()
    with np.errstate(all="ignore"):
        try:
            return freeze(run(x, *more)), freeze(x)
        except (IndexError, ValueError) as error:
            return type(error), str(error), freeze(x)


@pytest.mark.sampled(12)
@pytest.mark.parametrize("operation", PLACED, ids=lambda f: f.__name__)
@pytest.mark.parametrize("dtype", [d for d in DTYPES if d not in ("?", "c16")])
def test_what_is_written_to_places_has_the_bits_of_cpython(
    operation: Callable[..., Any], dtype: str
) -> None:
    random = np.random.default_rng(13)
    way = script(operation, backend="cuda")
    for count, size in ((0, 5), (1, 1), (100, 7), (1000, 300), (10, 1000), (700, 5)):
        x, values = ((random.standard_normal(n) * 99).astype(dtype) for n in (size, count))
        places = random.integers(-size, size, count)
        for given in (values, values[:1] if count else values):
            expected = written(operation, x, places, given)
            assert written(way, x, places, given) == expected, (count, size)
        found = written(way, x[::-1], places[::-1], values[::-1])
        assert found == written(operation, x[::-1], places[::-1], values[::-1])


@pytest.mark.parametrize("operation", [put, add_at])
@pytest.mark.parametrize("places", [[1, 9], [-5, 9, 0], [1, 3], [3, 3]])
def test_a_place_out_of_bounds_and_too_many_values_are_refused(
    operation: Callable[..., Any], places: list[int]
) -> None:
    x, index = np.arange(4.0), np.array(places)
    expected = written(operation, x, index, np.ones(2))
    assert written(script(operation, backend="cuda"), x, index, np.ones(2)) == expected


def gathered(x, places, values):
    return x[places]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("operation", "dtype"),
    [
        *((add_at, "f8"), (add_at, "i8"), (put, "f4"), (bincount, "f8"), (gathered, "f4")),
        *((add_at, "u1"), (weighted, "f8")),
    ],
)
def test_threads_share_many_places(operation: Callable[..., Any], dtype: str) -> None:
    random = np.random.default_rng(17)
    x = np.zeros(MANY >> 3, dtype)
    places, values = random.integers(0, len(x), MANY), np.ones(MANY, dtype)
    with counted_steps() as counted:
        found = written(script(operation, backend="cuda"), x, places, values)
    assert found == written(operation, x, places, values)
    # All chunks of a fold are the work of one thread, at the end.
    assert 0 < counted.steps().most <= 4 * A_THREAD + 1


MANY = 1 << 20
A_THREAD = 64  # elements


def _numbers(dtype: str) -> np.ndarray[Any, Any]:
    x = np.random.default_rng(3).permutation(MANY)
    return (x % 251 if dtype == "u1" else x).astype(dtype)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("operation", "dtype"),
    [
        *((argmax, "f8"), (argmin, "u1"), (cumsum, "i8"), (nonzero, "f8"), (picked, "f4")),
        *((running_max, "f4"), (cumprod, "u8")),
    ],
)
def test_threads_share_a_long_array(operation: Callable[..., Any], dtype: str) -> None:
    x = _numbers(dtype)
    with counted_steps() as counted:
        found = script(operation, backend="cuda")(x)
    with np.errstate(all="ignore"):
        assert freeze(found) == freeze(operation(x))
    # A thread does 64 elements; what is picked is compared before.
    rounds = 5 if operation is picked else 4
    assert 0 < counted.steps().sum <= rounds * A_THREAD


def total(x):
    return np.sum(x)


def totals(x):
    return np.sum(x, axis=(1, 2))


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("operation", "shape"),
    [
        *(
            (total, (1024, 1024)),
            (total, (64, 128, 128)),
            (total, (16, 65536)),
            (total, (2, MANY // 2)),
        ),
        *((total, (MANY // 4, 4)), (totals, (64, 128, 128)), (totals, (16, 4, 16384))),
        (totals, (16, 16384, 4)),
    ],
)
def test_threads_share_sums_of_several_axes(
    operation: Callable[..., Any], shape: tuple[int, ...]
) -> None:
    x = np.random.default_rng(5).standard_normal(shape)
    with counted_steps() as counted:
        found = script(operation, backend="cuda")(x)
    assert freeze(found) == freeze(script(operation)(x))
    # A block of 256 threads has a row, of which there are two at least.
    assert 0 < counted.steps().most <= 4 * MANY // (256 * min(shape[0], 16))


def test_threads_share_each_round_of_a_sort() -> None:
    x = _numbers("i4")
    with counted_steps() as counted:
        found = script(in_order, backend="cuda")(x)
    np.testing.assert_array_equal(found, np.sort(x))
    assert 0 < counted.steps().most <= 4 * A_THREAD


def test_a_sum_of_floats_in_rows_is_one_thread_a_row() -> None:
    x = np.random.default_rng(5).standard_normal((1 << 10, 1 << 10))
    with counted_steps() as counted:
        found = script(partial_sums, backend="cuda")(x)
    np.testing.assert_array_equal(found, np.cumsum(x, axis=1))
    assert 0 < counted.steps().sum <= 4 * (1 << 10)


def partial_sums(x):
    return np.cumsum(x, axis=1)
