"""Every program of tests/programs does as machine code what it does in CPython.

`test_lower_programs` compares the interpreter in the same way.

Compared are the result by type and bits, the exception by class and message, what is printed, and
what the arguments hold afterwards.
"""

from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any

import pytest

from scriptc import script
from tests.test_lower_programs import CASES, MERGED, outcome


@cache
def scripted(function: FunctionType) -> Callable[..., object]:
    """The same object for all calls, so that its specialisations take turns."""
    return script(function, backend="llvm")


@pytest.mark.parametrize(("name", "function", "arguments"), CASES, ids=[c[0] for c in CASES])
def test_a_program_does_what_cpython_does(
    name: str, function: FunctionType, arguments: tuple[Any, ...]
) -> None:
    assert outcome(scripted(function), arguments) == outcome(function, arguments)


@pytest.mark.parametrize(("name", "function", "arguments"), MERGED, ids=[c[0] for c in MERGED])
def test_a_literal_that_takes_another_type_keeps_its_value(
    name: str, function: FunctionType, arguments: tuple[Any, ...]
) -> None:
    assert scripted(function)(*arguments) == function(*arguments)
