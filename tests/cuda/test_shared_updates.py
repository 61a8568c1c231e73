"""Loops that write to elements which other iterations write, too, shared by threads of a device."""

# Results have no annotations.
# pyright: basic

import numpy as np
import pytest

from scriptc import prange, script
from scriptc.backends.cuda.emulator import Schedule
from tests.support.device_calls import after_a_call, driver, live_allocations
from tests.support.kernel_steps import counted_steps
from tests.support.outcomes import freeze

RNG = np.random.default_rng(5)
PLACES = RNG.integers(-40, 40, 1000)
WEIGHTS = RNG.normal(size=1000) * 1e3
WEIGHTS[::17] = -0.0
WEIGHTS[5::100] = np.nan


def counts(h, k, w):
    for i in range(len(k)):
        h[k[i]] += 1


def each(h, k, w):
    for place in k:
        h[place] -= 3


def weighted(h, k, w):
    for i in range(len(k)):
        h[k[i]] += w[i]


def side_by_side(h, k, w):
    for i in prange(len(k)):
        h[k[i]] += w[i]


def taken(h, k, w):
    for i in range(len(k) - 1, -1, -2):
        if w[i] > 0:
            h[k[i]] -= w[i]


def products(h, k, w):
    for i in range(len(k)):
        h[k[i]] *= w[i]


def largest(h, k, w):
    for i in range(len(k)):
        h[k[i]] = np.maximum(h[k[i]], w[i])


def twice(h, k, w):
    for i in range(1, len(k)):
        if k[i] < 0:
            continue
        h[k[i]] += w[i]
        h[k[i - 1]] += w[i - 1]


def put(h, k, w):
    for i in range(len(k)):
        h[k[i]] = w[i]


def put_some(h, k, w):
    for i in range(len(k)):
        if k[i] % 3 == 0:
            h[k[i]] = w[i]
        else:
            h[k[i] // 2] = -w[i]


def left_early(h, k, w):
    for i in range(len(k)):
        if k[i] == 7:
            break
        h[k[i]] += w[i]
    else:
        return -1
    return i


def returned(h, k, w):
    for i in range(len(k)):
        if k[i] == 7:
            return i
        h[k[i]] = w[i]
    return -1


def of_floats(h, k, w):
    for i in range(len(w)):
        place = int(w[i] * 0.01)
        if -40 <= place < 40:
            h[place] += 1


def several(h, k, w):
    seen = np.zeros(80, np.bool_)
    count = np.zeros((2, 80), np.uint8)
    for i in range(len(k)):
        seen[k[i]] = True
        h[k[i]] += w[i]
        count[i % 2, k[i]] += 1
    return seen, count


def inner(h, k, w):
    for i in range(len(k) // 4):
        for j in range(4):
            h[k[4 * i + j]] += 1
        for _ in range(i % 3):
            h[i % 50] += 2


def not_known(h, k, w):
    low = h[0]
    for i in range(len(k)):  # reads what it writes
        h[k[i]] = h[k[i] // 2] + 1
    for i in range(len(k)):
        h[k[i]] += h[k[i] // 2]
    return low


SHARED = (
    *(counts, each, weighted, side_by_side, taken, products, largest, twice, put, put_some),
    *(left_early, returned, of_floats, several, inner),
)


def outcome(run, h, *given):
    """Return what a function gives or raises, and what it leaves."""
    with np.errstate(all="ignore"):
        try:
            found = freeze(run(h, *given))
        except (IndexError, ValueError, OverflowError) as error:
            found = type(error), str(error)
    return found, freeze(h)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("function", [*SHARED, not_known], ids=lambda f: f.__name__)
@pytest.mark.parametrize("dtype", ["f8", "i8", "u1", "f4", "i2"])
def test_elements_are_those_of_cpython(function, dtype, thorough: bool) -> None:
    ways = [script(function, backend="cuda"), script(function)]
    if thorough:
        ways.append(script(function, backend="interp"))
    if function is side_by_side:
        del ways[1:]  # whose threads meet
    weights = WEIGHTS if dtype[0] == "f" else np.nan_to_num(WEIGHTS)
    weights = weights.astype("i8").astype(dtype) if dtype[0] != "f" else weights.astype(dtype)
    if function is of_floats:
        weights = WEIGHTS if dtype[0] == "f" else np.nan_to_num(WEIGHTS)
    held = after_a_call()
    # Enough elements, and too few: of `prange` nobody knows which iterations have run then.
    for size in (80,) if function is side_by_side else (80, 30):
        for reverse in (False, True):
            given = (PLACES[::-1], weights[::-1]) if reverse else (PLACES, weights)
            start = (np.arange(size) % 7).astype(dtype)
            expected = outcome(function, start.copy()[:: -1 if reverse else 1], *given)
            for way in ways:
                found = outcome(way, start.copy()[:: -1 if reverse else 1], *given)
                assert found == expected, (size, reverse)
    assert live_allocations() == held


def test_places_that_lie_in_what_is_written_are_read_in_order() -> None:
    def chased(h):
        for i in range(len(h)):
            h[h[i]] = h[i] // 2

    def added(h, k):
        for i in range(len(k)):
            h[k[i]] += 1

    h = RNG.integers(0, 500, 500)
    assert outcome(script(chased, backend="cuda"), h.copy()) == outcome(chased, h.copy())
    both, same = h.copy(), h.copy()
    expected = outcome(added, same, same[::-1])
    assert outcome(script(added, backend="cuda"), both, both[::-1]) == expected


def test_loops_without_iterations_and_arrays_without_elements_are_left_alone() -> None:
    for function in (counts, weighted, put, put_some, of_floats):
        way = script(function, backend="cuda")
        for size, count in ((5, 0), (0, 0), (0, 3)):
            given = PLACES[:count], WEIGHTS[:count]
            expected = outcome(function, np.zeros(size), *given)
            assert outcome(way, np.zeros(size), *given) == expected, (size, count)


@pytest.mark.parametrize("schedule", Schedule)
def test_no_schedule_changes_bits(schedule: Schedule) -> None:
    try:
        driver().play(schedule)
        for function in (weighted, counts, put_some, twice):
            h = np.zeros(80)
            found = outcome(script(function, backend="cuda"), h.copy(), PLACES, WEIGHTS)
            assert found == outcome(function, h.copy(), PLACES, WEIGHTS)
    finally:
        driver().play(Schedule.FORWARD)


def of_any_dtype(h, k, w):
    for i in range(len(k)):
        h[k[i]] = np.maximum(h[k[i]], w[i])


@pytest.mark.sampled(3)
@pytest.mark.parametrize("dtype", ["?", "c16", "c8", "f2", "u8", "u4"])
def test_elements_of_other_dtypes_are_those_of_cpython(dtype) -> None:
    w = (RNG.random(1000) * 3).astype(dtype)
    for function in (counts, weighted, products, of_any_dtype, put):
        if dtype[0] == "c" and function is of_any_dtype:
            continue  # which have no order
        h = np.ones(80, dtype)
        with np.errstate(all="ignore"):
            expected = outcome(function, h.copy(), PLACES, w)
        assert outcome(script(function, backend="cuda"), h.copy(), PLACES, w) == expected


def of_axes(h, i, j, w):
    for k in range(len(i)):
        h[i[k], j[k]] += w[k]


def put_axes(h, i, j, w):
    h[i, j] = w


def add_axes(h, i, j, w):
    np.add.at(h, (i, j), w)


def put_rows(h, i, j, w):
    h[i] = w.reshape(-1, 1)


def put_in_planes(h, i, j, w):
    cube = np.zeros((h.shape[1], h.shape[0], 3))
    cube[j, i] = np.stack((w, -w, w * 2.0), axis=1)
    cube[j] = 1.0 if w[0] > 1e9 else 2.0
    np.maximum.at(cube, (j, i), w[:, None])
    return cube


@pytest.mark.sampled(2)
@pytest.mark.parametrize("function", [of_axes, put_axes, add_axes, put_rows, put_in_planes])
@pytest.mark.parametrize("dtype", ["f8", "i8", "f4"])
def test_elements_of_several_axes_are_those_of_cpython(function, dtype) -> None:
    way = script(function, backend="cuda")
    i, j = RNG.integers(-20, 20, 500), RNG.integers(0, 30, 500)
    weights = np.nan_to_num(WEIGHTS[:500]).astype(dtype)
    for shape in ((20, 30), (19, 30), (20, 29)):
        for turn in (lambda h: h, np.asfortranarray, lambda h: np.repeat(h, 2, axis=1)[:, ::2]):
            h = np.ones(shape, dtype)
            expected = outcome(function, turn(h.copy()), i, j, weights)
            assert outcome(way, turn(h.copy()), i, j, weights) == expected, shape


MANY = 1 << 20


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("function", "dtype"),
    [
        (counts, "i8"),
        (weighted, "f8"),
        (put, "f4"),
        (taken, "f8"),
        (of_axes, "f8"),
        (put_axes, "i8"),
    ],
)
def test_threads_share_many_iterations(function, dtype) -> None:
    """A thread does 64 iterations, and all values for one place."""
    i, j = RNG.integers(0, 1 << 8, MANY), RNG.integers(0, 1 << 7, MANY)
    w = RNG.normal(size=MANY).astype(dtype)
    plain = function not in (of_axes, put_axes)
    h = np.zeros(1 << 15 if plain else (1 << 8, 1 << 7), dtype)
    given = (i * 128 + j, w) if plain else (i, j, w)
    expected = outcome(function, h.copy(), *given)
    with counted_steps() as counted:
        found = outcome(script(function, backend="cuda"), h.copy(), *given)
    assert found == expected
    assert 0 < counted.steps().most <= 4 * 64 + 1
