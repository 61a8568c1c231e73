"""Plain loops whose carried values are the same in any order, shared by threads of a device."""

# Results have no annotations.
# pyright: basic

import numpy as np
import pytest

from scriptc import script
from tests.support.device_calls import OnDevice
from tests.support.kernel_steps import counted_steps

RNG = np.random.default_rng(0)
INTS = RNG.integers(-100, 100, 1000)
FLOATS = RNG.normal(size=1000)
ZEROS = np.array([-1.0, -0.0, 0.0, -2.0, np.nan] * 100)


def of_ints(x):
    total, squares, evens, most, least = np.int64(0), np.int64(1), 3, x[0], x[0]
    for i in range(len(x) - 1, -1, -1):
        if x[i] == 7:
            continue
        total -= x[i]
        squares += x[i] * x[i]
        most = max(x[i], most)
        if x[i] < least:
            least = x[i]
        evens += 1 if x[i] % 2 == 0 and x[i] != 4 else 0
    return total, squares, evens, most, least


def of_bytes(x):
    total = np.int8(1)
    for v in x:
        total += v
    return total


def of_rows(x):
    total, inside = np.int64(0), 0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            total += x[i, j]
            if x[i, j] > 0:
                inside += 1
    return total, inside


def extremes(x, low, high):
    for v in x:
        high = max(high, v)
        if low > v:
            low = v
    return low, high


def places(x):
    most, at, low, high, low_at, high_at = x[0], 0, x[1], x[1], 1, 1
    for i in range(1, len(x)):
        if x[i] > most:
            most = x[i]
            at = i
    for i in range(len(x) - 1, -1, -1):
        if high < x[i]:
            high, high_at = x[i], i
        elif x[i] < low:
            low, low_at = x[i], i
    near, far = abs(x[0]), x[0]
    for v in x:
        if abs(v - x[1]) < near:
            near, far = abs(v - x[1]), -v
    return most, at, low, high, low_at, high_at, near, far


def places_in_rows(x):
    rows = x.reshape(-1, 5)
    most, row, column, count = x[0], 0, 0, 0
    for i in range(rows.shape[0]):
        if i % 3 == 1:
            continue
        for j in range(rows.shape[1]):
            if j != i % 7:
                count += 1
                if rows[i, j] > most:
                    most, row, column = rows[i, j], i, j
    return most, row, column, count


def in_order(x):
    last, at, most, odd, low, high = x[0], 0, x[0], 0, x[1] + 300, x[1] - 300
    for i in range(len(x)):
        if x[i] >= last:
            last, at = x[i], i
    for i in range(len(x)):
        if x[i] > most:
            most = x[i]
            if i % 2:
                odd = i
    for v in x:
        if v > high:
            high = v
        elif v < low:
            low = v
    return last, at, most, odd, low, high


def from_before(x):
    rows = x.reshape(-1, 5)
    most, at = x[0], 0
    for i in range(rows.shape[0]):
        before = most
        for j in range(rows.shape[1]):
            if rows[i, j] > before:
                most, at = rows[i, j], j
            else:
                most = before
    return most, at


def bits(values: object) -> list[tuple[type, bytes]]:
    return [(type(v), np.asarray(v).tobytes()) for v in np.atleast_1d(np.asarray(values, object))]


def left_inside(x):
    count, most, at = 0, np.float64(-1.0), -1
    for i in range(len(x)):
        for _ in range(3):
            if x[i] > 1:
                count = 7
                break
            count += 1
    for i in range(len(x)):
        for _ in range(3):
            if x[i] > 2:
                at = 5
                break
            if x[i] > most:
                most = x[i]
                at = i
    return count, most, at


@pytest.mark.parametrize("x", [FLOATS, FLOATS[:1], np.array([9.0]), np.zeros(3)])
def test_what_a_loop_inside_leaves_with_counts(x) -> None:
    assert bits(script(left_inside, backend="cuda")(x)) == bits(left_inside(x))


@pytest.mark.parametrize(
    ("function", "x"),
    [
        (of_ints, INTS),
        (of_ints, INTS[:1]),
        (of_bytes, INTS.astype(np.int8)),
        (of_rows, INTS.reshape(20, 50)),
        (of_rows, INTS.reshape(20, 50)[::-2, 3:]),
    ],
)
def test_ints_are_as_in_order(function, x) -> None:
    assert bits(script(function, backend="cuda")(x)) == bits(function(x))


@pytest.mark.parametrize("x", [FLOATS, ZEROS, np.full(300, np.nan)])
@pytest.mark.parametrize("start", [np.nan, np.inf, -np.inf, 0.0, -0.0])
def test_extremes_of_floats_are_those_that_come_first(x, start) -> None:
    starts = np.float64(start), np.float64(-start)
    assert bits(script(extremes)(OnDevice(x), *starts)) == bits(extremes(x, *starts))


@pytest.mark.parametrize("function", [places, places_in_rows, in_order, from_before])
def test_what_goes_with_an_extreme_is_of_the_first_one(function) -> None:
    with counted_steps() as counted:
        on = script(function, backend="cuda")
        for x in (FLOATS, ZEROS, INTS * 1.0, INTS, INTS.repeat(9)):
            assert bits(on(x)) == bits(function(x)), len(x)
    shared = function in (places, places_in_rows)
    assert (0 < counted.steps().most <= 8 * 64) == shared


def truths(x, start):
    some, none, odd, every, found = start, start, start, start, start
    for i in range(len(x)):
        some |= x[i] > 2.5
        none = none or x[i] != x[i]
        odd ^= x[i] > 0.0
        every = every and x[i] < 3.0
        if x[i] < -3.0:
            found = True
    for v in x:
        if v < -2.0:
            start = False
    return some, none, odd, every, found, start


def with_nan(x, start):
    low, high = start, start
    for i in range(len(x)):
        low = np.minimum(low, x[i])
        if i % 3:
            high = np.maximum(high, x[i])
    return low, high


def of_both(x, start):
    flag, count = start, 0
    for v in x:
        if v > 1.0:
            flag = True
        if v < -1.0:
            flag = False
        if flag:
            count += 1
    return flag, count


@pytest.mark.parametrize("x", [FLOATS, FLOATS[:1], ZEROS, np.full(300, np.nan)])
def test_truths_and_extremes_with_nan_are_as_in_order(x) -> None:
    for start in (True, False, np.bool_(True)):
        for function in (truths, of_both):
            found = script(function, backend="cuda")(x, start)
            assert [int(v) for v in found] == [int(v) for v in function(x, start)]
            assert bits(found) == bits(script(function)(x, start))
    for start in (0.0, -0.0, np.nan, 3.0):
        given = np.float64(start)
        assert bits(script(with_nan, backend="cuda")(x, given)) == bits(with_nan(x, given))


def counted_until(x, limit):
    count, total, most, at = 0, np.int64(0), x[0], -1
    for i in range(len(x)):
        if x[i] == limit:
            break
        if x[i] < 0:
            count += 1
            continue
        total += x[i]
        if x[i] > most:
            most, at = x[i], i
    else:
        at = -2
    return count, total, most, at


def gathered(x, places):
    total, count = np.int64(0), 0
    for i in range(len(places)):
        total += x[places[i]]
        if x[places[i]] > 9:
            count += 1
            if places[i] == 3:
                return total, -count
    return total, count


def until_enough(x, limit):
    total = np.int64(0)
    for i in range(len(x)):
        total += x[i]
        if total > limit:  # what leaves it is what it carries
            return i, total
    return -1, total


def test_what_grows_until_a_loop_is_left_is_as_in_order() -> None:
    for limit in (INTS[700], INTS[0], 1000):
        for function in (counted_until, until_enough):
            found = script(function, backend="cuda")(INTS, limit)
            assert bits(found) == bits(function(INTS, limit))
    places = RNG.integers(-50, 50, 1000)
    for x in (INTS[:50], INTS[-50:], INTS[:50] - 120):
        assert bits(script(gathered, backend="cuda")(x, places)) == bits(gathered(x, places))
    with pytest.raises(IndexError, match=r"index -?\d+ is out of bounds for axis 0 with size 30"):
        script(gathered, backend="cuda")(INTS[:30], places)


def test_threads_share_loops_that_end() -> None:
    x = RNG.integers(0, 100, 1 << 16)
    with counted_steps() as counted:
        found = script(counted_until, backend="cuda")(x, 100)
    assert bits(found) == bits(counted_until(x, 100))
    assert 0 < counted.steps().most <= 8 * 64


def pairs(x):
    best, counts = (x[0], (0, -1)), (0, 0)
    for i in range(len(x)):
        if x[i] > best[0]:
            best = x[i], (i, i % 7)
        counts = (counts[0] + 1, counts[1]) if x[i] > 0 else (counts[0], counts[1] + 1)
    return best, counts


def fibonacci(x):
    pair = (x[0], x[1])
    for v in x:
        pair = (pair[1], pair[0] + v)
    return pair


@pytest.mark.parametrize("function", [pairs, fibonacci])
def test_loops_carry_the_items_of_tuples(function) -> None:
    with counted_steps() as counted:
        on = script(function, backend="cuda")
        for x in (FLOATS, ZEROS, INTS):
            assert repr(on(x)) == repr(function(x))
    assert (0 < counted.steps().most <= 8 * 64) == (function is pairs)


def latest(x, low, high):
    for i in range(len(x)):
        high = max(x[i], high)
        low = min(x[i], low)
    seen = 0
    for i in range(len(x)):
        high = max(-x[i], high)
        if x[i] == 3.5:
            break
        seen += 1
    return low, high, seen


def sometimes(x, low, high):
    for i in range(len(x)):
        if i % 2:
            high = max(x[i], high)
    return low, high


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8"])
def test_extremes_that_a_nan_takes_the_place_of_are_as_in_order(dtype) -> None:
    last = np.where(np.arange(1000) == 999, np.nan, FLOATS)
    middle = np.where(np.arange(1000) % 301 == 300, np.nan, FLOATS)
    ends = np.where(np.arange(1000) == 800, 3.5, FLOATS)
    for x in (FLOATS, FLOATS[:1], ZEROS, ZEROS[:4], middle, last, ends):
        given = (np.nan_to_num(x) * (1 if dtype[0] == "f" else 10)).astype(dtype)
        given = x.astype(dtype) if dtype[0] == "f" else given
        for start in (0.0, -0.0, 50.0, *((np.nan,) if dtype[0] == "f" else ())):
            starts = given.dtype.type(start), given.dtype.type(-start)
            for function in (latest, sometimes):
                found = script(function, backend="cuda")(given, *starts)
                assert bits(found) == bits(function(given, *starts)), (len(x), start)


def of_large(x):
    total, less, odd = 5, 7, 0
    for v in x:
        total += int(v) * 3
        less -= int(v)
    for i in range(len(x)):
        if x[i] > 4:
            odd += i
    return total, less, odd


def of_large_until(x):
    total, count, most = 0, 0, -1
    for i in range(len(x)):
        if x[i] == 999:
            break
        total += int(x[i]) * int(x[i])
        count += 1
        most = max(most, int(x[i]))
    return total, count, most


def of_large_rows(x):
    total = 0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            total += int(x[i, j])
    return total


LARGE = np.array([2**62, 2**62, 5, -(2**62)] * 20)


@pytest.mark.parametrize("function", [of_large, of_large_until, of_large_rows])
def test_sums_of_ints_that_may_overflow_are_as_in_order(function) -> None:
    on, machine = script(function, backend="cuda"), script(function)
    small = RNG.integers(0, 9, 1 << 14)
    for x in (small, small[:0], small[:1], -small, np.append(small, 999), small.astype("i1")):
        x = x.reshape(-1, 1) if function is of_large_rows else x
        assert on(x) == machine(x) == function(x)
    for x in (LARGE, -LARGE, LARGE[2:], np.concatenate([small, LARGE]), LARGE // 2**31):
        x = x.reshape(1, -1) if function is of_large_rows else x
        results = []
        for run in (on, machine):
            try:
                results.append(run(x))
            except OverflowError as error:
                results.append(str(error))
        assert results[0] == results[1]


def test_threads_share_sums_of_ints() -> None:
    x = RNG.integers(0, 9, 1 << 16)
    for function in (of_large, of_large_until):
        with counted_steps() as counted:
            found = script(function, backend="cuda")(x)
        assert found == function(x)
        assert 0 < counted.steps().most <= 8 * 64


def put_last(x, k):
    value, flag, seen = 0.5, k > 0, 0
    for i in range(len(x)):
        if x[i] > 2.0:
            k = i
        elif x[i] < -2.0:
            value = float(x[i])
            seen += 1
        if x[i] > 1.0:
            flag = True
        if x[i] < -1.0:
            flag = False
    return k, value, flag, seen


def put_in_rows(x, k):
    first = np.float32(7.0)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            if x[i, j] > 0.0:
                k = i * 10 + j
            if x[i, 0] > 2.0:
                first = np.float32(x[i, j])
    return k, first


@pytest.mark.parametrize("k", [-1, 0, 1])
def test_what_is_put_last_stays(k) -> None:
    with counted_steps() as counted:
        on = script(put_last, backend="cuda")
        for x in (FLOATS, FLOATS[:1], FLOATS[:0], ZEROS, np.zeros(300), FLOATS.repeat(70)):
            assert on(x, k) == put_last(x, k)
    assert 0 < counted.steps().most <= 8 * 64
    for x in (FLOATS.reshape(50, 20), FLOATS.reshape(20, 50)[:, ::-3], np.zeros((9, 9))):
        found = script(put_in_rows, backend="cuda")(x, k)
        assert bits(found) == bits(put_in_rows(x, k))


def by_place(x, k):
    least, seen = k, 0
    for i in range(len(x)):
        if x[i] > x[k]:
            k = i
        seen += 1
    for i in range(1, len(x)):
        if x[least] > x[i]:
            least = i
    return k, least, seen


@pytest.mark.parametrize("k", [0, 1, -1, 5000])
def test_extremes_that_are_looked_for_by_their_places_are_as_in_order(k) -> None:
    on = script(by_place, backend="cuda")
    with counted_steps() as counted:
        for x in (FLOATS.repeat(70), ZEROS, np.full(300, np.nan), INTS, FLOATS[:2], FLOATS[:0]):
            results = []
            for run in (on, by_place):
                try:
                    results.append(run(x, k))
                except IndexError as error:
                    results.append(str(error))
            assert results[0] == results[1]
    assert counted.steps().most <= 8 * 64
