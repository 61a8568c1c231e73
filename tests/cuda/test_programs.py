"""Programs of tests/programs on a device, beside CPython: what they return, raise, print and leave.

Floats may differ by rounding: sums of rows and functions do not have the processor's bits yet.

Under guard, host code that touches the device's memory is killed. A run takes every fortieth
program, and a thorough one all.
"""

from typing import Any, cast

import numpy as np
import pytest

from scriptc import script
from tests.support.device_calls import after_a_call, live_allocations
from tests.support.program_cases import PROGRAMS, Program, outcome

ARRAYS = [p for p in PROGRAMS if p.is_about_arrays]
# Why a program is refused, each by name, and parts of what such programs are called.
REFUSED = "cuda-unsupported"


@pytest.mark.sampled(40)
@pytest.mark.parametrize("program", ARRAYS, ids=lambda program: program.name)
def test_a_program_does_what_cpython_does(program: Program) -> None:
    compiled = script(program.function, backend="cuda")
    held = after_a_call()
    for number, arguments in enumerate(program.calls):
        expected = outcome(program.function, arguments)
        found = outcome(compiled, arguments)
        if REFUSED in str(found[2:3]):
            pytest.skip("refused by name")
        assert _alike(expected, found), f"call {number}"
    assert live_allocations() == held


def _alike(expected: Any, found: Any) -> bool:
    if expected == found:
        return True
    if type(expected) is not type(found):
        return False
    match expected:
        case (_, str() as dtype, _, bytes()) if dtype[1:2] in ("f", "c"):
            if expected[1:3] != found[1:3]:
                return False
            both = [np.frombuffer(value[3], dtype) for value in (expected, found)]
            bound = 1e-5 if dtype in ("<f4", "<c8", "<f2") else 1e-12
            return np.allclose(*both, rtol=bound, atol=bound, equal_nan=True)
        case tuple() | list():
            items = cast("list[Any]", expected)
            return len(items) == len(found) and all(map(_alike, items, found))
        case _:
            return False
