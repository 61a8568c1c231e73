"""Ints at the ends of 64 bits do what they do in CPython, as sizes, steps, offsets and bounds.

Compared are values and the classes of exceptions.
"""

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
import pytest

from scriptc import script
from tests.programs.extreme_sizes import EXTREMES
from tests.support.program_cases import interpreted, outcome

PROGRAMS = [pytest.param(f, calls, id=f.__name__) for f, calls in EXTREMES]


def _ending(call: Callable[..., object], arguments: tuple[Any, ...]) -> tuple[object, ...]:
    kind, what, *rest = outcome(call, arguments)
    return (kind, what, *rest[kind == "raised" :])


@pytest.mark.sampled(5)
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


# Views of one element, which no memory bounds.
_MANY = 2**50
_NAMES = ("products_with_vectors", "products_of_matrices")
_PRODUCTS = pytest.mark.parametrize("function", [f for f, _ in EXTREMES if f.__name__ in _NAMES])


@_PRODUCTS
@pytest.mark.parametrize("element", [1.0, np.float32(1), 1])
def test_products_without_rows_take_no_room(function: FunctionType, element: Any) -> None:
    vector = np.broadcast_to(element, _MANY)
    matrix = np.zeros((0, _MANY), vector.dtype)
    shapes = [found.shape for found in script(function)(matrix, vector)]
    assert shapes == [found.shape for found in function(matrix, vector)]


@_PRODUCTS
@pytest.mark.parametrize("element", [1.0, np.float32(1), 1])
def test_products_ask_for_the_memory_of_their_result_first(
    function: FunctionType, element: Any
) -> None:
    matrix = np.broadcast_to(element, (_MANY, 3))
    with pytest.raises(MemoryError):
        script(function)(matrix, np.ones(3, matrix.dtype))
