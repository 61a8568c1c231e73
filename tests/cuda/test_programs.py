"""Programs of tests/programs on a device, beside CPython: what they return, raise, print and leave.

Under guard, host code that touches the device's memory is killed. A run takes every fortieth
program, and a thorough one all.
"""

import pytest

from scriptc import script
from tests.support.device_calls import live_allocations
from tests.support.program_cases import PROGRAMS, Program, outcome

ARRAYS = [p for p in PROGRAMS if p.is_about_arrays]
# Why a program is refused, each by name, and parts of what such programs are called.
REFUSED = "cuda-unsupported"


@pytest.mark.sampled(40)
@pytest.mark.parametrize("program", ARRAYS, ids=lambda program: program.name)
def test_a_program_does_what_cpython_does(program: Program) -> None:
    compiled = script(program.function, backend="cuda")
    held = live_allocations()
    for number, arguments in enumerate(program.calls):
        expected = outcome(program.function, arguments)
        found = outcome(compiled, arguments)
        if REFUSED in str(found[2:3]):
            pytest.skip("refused by name")
        assert found == expected, f"call {number}"
    assert live_allocations() == held
