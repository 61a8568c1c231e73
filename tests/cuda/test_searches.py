"""Loops that are left early: threads look for the first iteration that leaves."""

# Results have no annotations.
# pyright: basic

import numpy as np
import pytest

from scriptc import script
from tests.support.device_calls import after_a_call, calls_of, live_allocations
from tests.support.kernel_steps import counted_steps
from tests.support.outcomes import freeze


def flags(x, most):
    found, at, last = False, -1, 7
    for i in range(len(x)):
        if x[i] > most:
            found = True
            break
    for i in range(len(x) - 1, -1, -2):
        last = i
        if x[i] != x[i] or x[i] > most:
            at = i
            break
    return found, at, last


def returned(x, most):
    for i in range(len(x)):
        if x[i] > most:
            return i, x[i]
    return -1, x[0]


def checked(x, most):
    for i in range(len(x)):
        if x[i] > most:
            raise ValueError(f"too large at {i}")
        if x[i] == -7.0:
            place = i
            break
    else:
        place = -1
    return place


def far(x, most):
    for i in range(2**62):
        if x[i] > most:
            return i
    return -1


def in_rows(x, most):
    rows = x.reshape(-1, 5)
    for i in range(rows.shape[0]):
        total = rows[i, 0]
        for j in range(rows.shape[1]):
            if rows[i, j] == -1.0:
                break
            total += rows[i, j]
        if total > 5 * most:
            return i
    return -1


def in_order(x, most):
    total = 0.0
    for i in range(len(x)):
        total += x[i]
        if total > most:
            return (i, total), "over"
        if total < -most:
            return (i, -total), "under"
    return (0, total), "between"


def told(function, *given):
    try:
        found = function(*given)
    except (ValueError, IndexError) as error:
        return type(error).__name__, str(error)
    return freeze(found)


RANDOM = np.random.default_rng(3)


def given(size: int):
    x = RANDOM.integers(-50, 50, size) * 1.0
    for places in ([], [size - 1], [size // 2, size // 3], [0]):
        y = x.copy()
        y[places] = 99.0
        yield y
    y[size // 2] = -7.0
    y[0], y[size // 3] = np.nan, -1.0
    yield y


@pytest.mark.parametrize("function", [flags, returned, checked, far, in_rows, in_order])
def test_the_first_iteration_that_leaves_is_found(function) -> None:
    on, held = script(function, backend="cuda"), after_a_call()
    for size in (5, 700, 12_345):
        for x in given(size):
            assert told(on, x, 60.0) == told(function, x, 60.0)
    assert live_allocations() == held


def test_threads_share_a_search() -> None:
    def nowhere(x):
        for i in range(len(x)):
            if x[i] > 0.5:
                return i
        return -1

    x = np.zeros(1 << 20)
    with counted_steps() as counted:
        assert script(nowhere, backend="cuda")(x) == -1
        x[[777_777, 999_999]] = 1.0
        assert script(nowhere, backend="cuda")(x) == 777_777
    assert 0 < counted.steps().most <= 4 * 64 + 2


@pytest.mark.parametrize("function", [returned, in_order])
def test_the_host_waits_a_few_times(function) -> None:
    on = script(function, backend="cuda")
    on(np.zeros(9), 1.0)
    with calls_of() as told_of:
        on(np.zeros(90_000), 1.0)
    assert told_of["cuMemcpyDtoHAsync"] <= 3
