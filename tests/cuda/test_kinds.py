"""Kinds of programs on a device: right, and the driver is asked for little.

Each gives what CPython and machine code give, and launches kernels; how often the host waits for
a number does not grow with the arrays.  Host code that reads an element of the device is killed.
"""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest

from scriptc import script
from tests.support.device_calls import after_a_call, driver, live_allocations
from tests.support.device_kinds import KINDS, ROUNDED, arguments
from tests.support.program_cases import outcome

SMALL, LARGE = 12, 40
# Each row of a matrix is sorted by itself.
WAITING = frozenset({"sorted_rows"})
# Kinds that compute no element: what they raise is decided before, and a list is the host's.
WITHOUT_KERNELS = frozenset({"caught_error", "shapes_differ", "loop_over_a_list"})

Function = Callable[..., Any]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("function", KINDS, ids=lambda function: function.__name__)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_kind_of_program_runs(function: Function) -> None:
    name, compiled = function.__name__, script(function, backend="cuda")
    held, fetched = after_a_call(), list[int]()
    for size in (SMALL, LARGE):
        given = arguments(function, size)
        expected = outcome(function, given)
        native = outcome(script(function), given)
        before = _counts()
        found = outcome(compiled, given)
        launched, copied = (now - then for now, then in zip(_counts(), before, strict=True))
        assert _alike(expected, found, exactly=False)
        assert _alike(native, found, exactly=name not in ROUNDED)
        assert launched or name in WITHOUT_KERNELS
        fetched.append(copied)
    assert fetched[0] == fetched[1] or name in WAITING
    assert live_allocations() == held


def _counts() -> tuple[int, int]:
    return driver().counted("cuLaunchKernel"), driver().counted("cuMemcpyDtoHAsync")


def _alike(expected: Any, found: Any, *, exactly: bool) -> bool:
    if expected == found:
        return True
    if exactly or type(expected) is not type(found):
        return False
    match expected:
        case (_, str() as dtype, _, bytes()) if dtype[1:2] in ("f", "c"):
            if expected[1:3] != found[1:3]:
                return False
            both = [np.frombuffer(value[3], dtype) for value in (expected, found)]
            return np.allclose(*both, rtol=1e-6 if "4" in dtype else 1e-12, equal_nan=True)
        case ("float", bytes()):
            both = [np.frombuffer(value[1], "f8") for value in (expected, found)]
            return np.allclose(*both, rtol=1e-12, equal_nan=True)
        case tuple() | list():
            items = cast("list[Any]", expected)
            alike = [_alike(a, b, exactly=False) for a, b in zip(items, found, strict=False)]
            return len(items) == len(found) and all(alike)
        case _:
            return False
