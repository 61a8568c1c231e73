"""Ints at the ends of 64 bits do what they do in CPython, as sizes, steps, offsets and bounds.

Compared are values and the classes of exceptions.
"""

from collections.abc import Callable
from types import FunctionType
from typing import Any

import pytest

from scriptc import script
from tests.programs.extreme_sizes import EXTREMES
from tests.test_lower_programs import interpreted, outcome

PROGRAMS = [pytest.param(f, calls, id=f.__name__) for f, calls in EXTREMES]


def _ending(call: Callable[..., object], arguments: tuple[Any, ...]) -> tuple[object, ...]:
    kind, what, *rest = outcome(call, arguments)
    return (kind, what, *rest[kind == "raised" :])


@pytest.mark.parametrize(("function", "calls"), PROGRAMS)
def test_machine_code_does_what_cpython_does(
    function: FunctionType, calls: list[tuple[Any, ...]]
) -> None:
    scripted = script(function)
    for arguments in calls:
        assert _ending(scripted, arguments) == _ending(function, arguments), arguments


@pytest.mark.parametrize(("function", "calls"), PROGRAMS)
def test_the_interpreter_does_what_cpython_does(
    function: FunctionType, calls: list[tuple[Any, ...]]
) -> None:
    run = interpreted(function, calls[0])
    for arguments in calls:
        assert _ending(run, arguments) == _ending(function, arguments), arguments
