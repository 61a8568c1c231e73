"""What kernels fail with: which failure it is, what host code does after it, and when it asks."""

# Results have no annotations.
# pyright: basic

import copy
import traceback

import numpy as np
import pytest

from scriptc import prange, script
from tests.support.device_calls import OnDevice, calls_of, live_allocations, to_host


def chained(x, i, y):
    x[0] = 7.0
    z = y[i] * 2.0
    x[1] = z[0]
    y += 1.0
    return x


def two_fail(x, i, j):
    first = x[i] + 1.0
    x += 1.0
    second = x[j] + first
    return second


def caught(x, i):
    try:
        y = x[i] * 2.0
        x[0] = 5.0
    except IndexError:
        x[1] = 17.0
        y = x * 1.0
    return y


def caught_outside(x, i):
    y = x[i] * 2.0
    try:
        x[0] = 5.0
    except IndexError:
        x[1] = 17.0
    return y


def returned_from_within(x, i):
    try:
        y = x[i] * 2.0
        return y
    except IndexError as error:
        x[0] = len(str(error))
        return x


def in_order(x, i, n):
    y = x[i] * 2.0
    z = np.zeros(n)
    return y, z


def raised_after(x, i, n):
    y = x[i] * 2.0
    if n > 3:
        raise KeyError("n")
    x[0] = 1.0
    return y


def raised_in_try(x, i, n):
    try:
        y = x[i] * 2.0
        if n > 3:
            raise KeyError("n")
    except KeyError:
        x[0] = 1.0
        y = x
    except IndexError:
        x[0] = 2.0
        y = x
    return y


def raised_in_handler(x, i):
    try:
        y = x[i] * 2.0
    except IndexError:
        y = x[i + 100] * 3.0
    finally:
        x[0] = 9.0
    return y


def again_and_again(x, i):
    total = 0.0
    for k in range(3):
        try:
            y = x[i + k] * 2.0
            total += y[0]
        except IndexError:
            total += 100.0
    return total


def ended_by_it(x, i):
    steps = 0
    try:
        while True:
            y = x[i + steps]
            x[0] += y[0] * 0.0
            steps += 1
    except IndexError:
        return steps


def appended(x, i):
    xs = [x]
    for k in range(3):
        y = x[i + k]
        xs.append(y)
    return len(xs)


def listed(xs, i):
    y = xs[0][i]
    xs.append(y)
    return len(xs)


def told(x, i, n):
    y = x[i] * 2.0
    count = 0
    for k in range(n):
        y = y * 0.5
        count += k
    return y, count


def helper(x, i):
    return x[i].sum()


def divided(x, ints, k):
    for j in prange(len(ints)):
        ints[j] = (ints[j] * 2) // k
    x += 1.0
    return x


def powers(ints, e):
    y = ints**e
    ints += 1
    return y


FLOATS, GOOD, BAD = np.arange(5.0), np.array([1, 2]), np.array([1, 8])
NEGATIVE = np.array([2, -1])
PROGRAMS = [
    *((chained, (FLOATS, i, FLOATS + 1)) for i in (GOOD, BAD)),
    *((two_fail, (FLOATS, i, j)) for i in (GOOD, BAD) for j in (GOOD, BAD)),
    *((f, (FLOATS, i)) for f in (caught, caught_outside) for i in (GOOD, BAD)),
    *((returned_from_within, (FLOATS, i)) for i in (GOOD, BAD)),
    *((in_order, (FLOATS, i, n)) for i in (GOOD, BAD) for n in (2, -1)),
    *(
        (f, (FLOATS, i, n))
        for f in (raised_after, raised_in_try)
        for i in (GOOD, BAD)
        for n in (2, 5)
    ),
    *((raised_in_handler, (FLOATS, i)) for i in (GOOD, BAD)),
    *((f, (FLOATS, i)) for f in (again_and_again, ended_by_it, appended) for i in (GOOD, GOOD + 2)),
    *((listed, ([FLOATS], i)) for i in (GOOD, BAD)),
    *((told, (FLOATS, i, 3)) for i in (GOOD, BAD)),
    *((helper, (FLOATS, i)) for i in (GOOD, BAD)),
    *((powers, (GOOD + 1, e)) for e in (GOOD, NEGATIVE)),
]


def outcome(function, args):
    """What a call gives or raises, with lines and context, and what is left of its arguments."""
    given = copy.deepcopy(args)
    try:
        return function(*given), given
    except Exception as error:
        own = [
            f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == __file__
        ]
        context = error.__context__
        return (type(error).__name__, str(error), own[1:], type(context).__name__), given


def assert_same(found, expected):
    if isinstance(expected, (tuple, list)):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert_same(one, other)
    else:
        np.testing.assert_array_equal(found, expected, strict=isinstance(expected, np.ndarray))


@pytest.mark.parametrize(
    ("function", "args"), PROGRAMS, ids=[f"{i}-{f.__name__}" for i, (f, _) in enumerate(PROGRAMS)]
)
def test_kernels_fail_as_cpython_does(function, args) -> None:
    on = script(function, backend="cuda")
    expected = outcome(function, args)
    assert_same(outcome(on, args), expected)
    held = live_allocations()
    assert_same(outcome(on, args), expected)
    assert live_allocations() == held


def test_a_call_that_may_fail_asks_once() -> None:
    on, given = script(chained), [OnDevice(FLOATS), OnDevice(GOOD), OnDevice(FLOATS)]
    on(*given)
    with calls_of() as told:
        on(*given)
    assert told["cuStreamSynchronize"] == 1
    assert told["cuMemcpyDtoHAsync"] == 1
    assert told["cuMemsetD8Async"] == 0


def test_who_fetches_a_number_asks_with_it() -> None:
    on, given = script(helper), [OnDevice(FLOATS), OnDevice(GOOD)]
    on(*given)
    with calls_of() as told:
        assert on(*given) == 3.0
    assert told["cuStreamSynchronize"] == 1


def test_a_failure_is_forgotten_by_the_next_call() -> None:
    on, x = script(chained), OnDevice(FLOATS)
    with pytest.raises(IndexError):
        on(x, OnDevice(BAD), x)
    np.testing.assert_array_equal(to_host(x), [7.0, 1.0, 2.0, 3.0, 4.0])
    on(x, OnDevice(GOOD), x)
    np.testing.assert_array_equal(to_host(x), [8.0, 3.0, 3.0, 4.0, 5.0])
