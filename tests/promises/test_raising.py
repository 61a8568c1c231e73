"""Exceptions of machine code: class, message, lines and what is left in arrays are CPython's.

`test_programs` compares classes and messages of many more programs; here are tracebacks, and
what loops that end early have written.
"""

import copy
import sys
from collections.abc import Callable, Sequence
from functools import cache
from types import FunctionType, TracebackType
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from scriptc import script
from tests.promises import raising

SAME_MESSAGES = sys.version_info[:2] == (3, 11)
LOOPS = list(raising.loops())


@cache
def scripted(function: FunctionType) -> Callable[..., object]:
    return script(function, backend="llvm")


def frames(traceback: TracebackType | None) -> list[tuple[str, int]]:
    """The functions and lines of a traceback, of the file with the programs alone."""
    found: list[tuple[str, int]] = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_filename == raising.__file__:
            found.append((code.co_name, traceback.tb_lineno))
        # Nothing of the library of scripted functions may be seen.
        assert "stdlib" not in code.co_filename
        traceback = traceback.tb_next
    return found


def ending(call: Callable[..., object], arguments: tuple[Any, ...]) -> tuple[object, ...]:
    try:
        return ("returned", repr(call(*arguments)))
    except Exception as error:
        text = str(error) if SAME_MESSAGES else ""
        return (type(error).__name__, text, frames(error.__traceback__))


def ids(cases: Sequence[tuple[FunctionType, tuple[Any, ...]]]) -> list[str]:
    return [f"{case[0].__name__}-{number}" for number, case in enumerate(cases)]


@pytest.mark.parametrize(("function", "arguments"), raising.TRACES, ids=ids(raising.TRACES))
def test_a_traceback_has_a_line_for_each_frame(
    function: FunctionType, arguments: tuple[Any, ...]
) -> None:
    expected = ending(function, copy.deepcopy(arguments))
    assert expected[0] != "returned"
    # The second call is CPython's own, with none of scriptc's Python between.
    for _ in range(2):
        assert ending(scripted(function), copy.deepcopy(arguments)) == expected


def with_bases(arguments: tuple[Any, ...]) -> tuple[tuple[Any, ...], list[Any]]:
    """Copies of the arguments that view copies of the same bases, and these bases."""
    memo: dict[int, Any] = {}
    new: list[Any] = []
    for given in arguments:
        if not isinstance(given, np.ndarray):
            new.append(given)
            continue
        value = cast("NDArray[Any]", given)
        base: Any = value if value.base is None else value.base
        if id(base) not in memo:
            memo[id(base)] = base.copy()
        start = value.__array_interface__["data"][0] - base.__array_interface__["data"][0]
        flat = memo[id(base)].reshape(-1)
        view = np.ndarray(value.shape, value.dtype, flat, start, value.strides)
        new.append(view)
    return tuple(new), list(memo.values())


@pytest.mark.parametrize(("name", "function", "arguments"), LOOPS, ids=[n for n, _, _ in LOOPS])
def test_a_loop_that_raises_leaves_arrays_as_cpython_does(
    name: str, function: FunctionType, arguments: tuple[Any, ...]
) -> None:
    given, expected_bases = with_bases(arguments)
    expected = ending(function, given)
    taken, bases = with_bases(arguments)
    assert ending(scripted(function), taken) == expected
    for base, expected_base in zip(bases, expected_bases, strict=True):
        np.testing.assert_array_equal(base, expected_base)
