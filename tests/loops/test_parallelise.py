"""Threads share the rounds of plain loops where none needs another, and of no other loops.

That such loops do what CPython does is shown with all others, see tests/programs/independent.py.
"""

# The programs have no annotations: their types come from the call.
# pyright: basic

import copy
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from scriptc import script
from tests.programs import independent as programs
from tests.support.support_code import pool, regions

# A function, and arguments that are large enough for its loops to have rounds for several threads.
_Case = tuple[Callable[..., Any], Sequence[object]]

TABLE = np.random.default_rng(5).random((40, 41))
SQUARE, LINE, OTHER = TABLE[:, :40].copy(), TABLE[0], TABLE[1]
SHARED: list[_Case] = [
    (programs.elements, (LINE, OTHER)),
    (programs.escapes, (TABLE, 9)),
    (programs.products, (TABLE, TABLE.T.copy(), SQUARE)),
    (programs.distances, (TABLE, SQUARE)),
    (programs.turned_about, (TABLE, TABLE)),
    (programs.every_second, (TABLE,)),
    (programs.below_diagonal, (TABLE,)),
    (programs.choices, (TABLE, TABLE)),
    (programs.sweeps, (TABLE, TABLE, 2)),
    (programs.rows, (TABLE, TABLE)),
    (programs.mirrored, (TABLE, SQUARE)),
]
IN_ORDER: list[_Case] = [
    (programs.from_above, (TABLE,)),
    (programs.from_below, (TABLE,)),
    (programs.scattered, (LINE, np.arange(41) // 2, OTHER)),
    (programs.one_place, (TABLE, TABLE)),
    (programs.diagonals, (TABLE, np.zeros(100))),
    (programs.columns_carried, (TABLE,)),
    (programs.picked, (LINE, np.arange(41) // 2, OTHER)),
    (programs.until, (LINE, OTHER, 2.0)),
    (programs.roots, (LINE, OTHER)),
    (programs.kept, (TABLE, OTHER, TABLE)),
    (programs.steps, (TABLE, LINE, 1)),
]


def _run(function: Callable[..., Any], arguments: Sequence[object]) -> tuple[int, bytes]:
    """Return how many launches were shared, and what a call with copies of arguments returned."""
    before = regions()
    result = function(*map(copy.copy, arguments))
    return regions() - before, np.asarray(result).tobytes()


def _compiled(function: Callable[..., Any], parallel: bool = True) -> Callable[..., Any]:
    return script(function, backend="llvm", parallel=parallel)


@pytest.mark.parametrize(("function", "arguments"), SHARED)
def test_independent_rounds_are_shared(
    function: Callable[..., Any], arguments: Sequence[object]
) -> None:
    compiled = _compiled(function)
    found: set[bytes] = set()
    for threads in (1, 2, 7):
        with pool(threads, everything=True):
            shared, result = _run(compiled, arguments)
        assert (shared > 0) == (threads > 1)
        found.add(result)
    assert len(found) == 1
    _, expected = _run(function, arguments)
    np.testing.assert_allclose(np.frombuffer(found.pop()), np.frombuffer(expected), rtol=1e-14)


@pytest.mark.parametrize(("function", "arguments"), SHARED)
def test_a_device_runs_them(function: Callable[..., Any], arguments: Sequence[object]) -> None:
    found = script(function, backend="cuda")(*map(copy.copy, arguments))
    expected = function(*map(copy.copy, arguments))
    np.testing.assert_allclose(found, expected, rtol=1e-14)


@pytest.mark.parametrize(("function", "arguments"), IN_ORDER)
def test_rounds_that_need_others_stay_in_order(
    function: Callable[..., Any], arguments: Sequence[object]
) -> None:
    with pool(2, everything=True):
        shared, result = _run(_compiled(function), arguments)
    assert not shared
    assert result == _run(function, arguments)[1]


def test_arrays_that_share_memory_are_written_in_order() -> None:
    compiled = _compiled(programs.turned_about)
    both = np.arange(200.0).reshape(20, 10), np.arange(200.0).reshape(20, 10)
    with pool(7, everything=True):
        compiled(both[0][2:], both[0][:-2])
    programs.turned_about(both[1][2:], both[1][:-2])
    np.testing.assert_array_equal(*both)


def test_one_thread_runs_them_where_that_is_asked_for() -> None:
    with pool(2, everything=True):
        shared, _ = _run(_compiled(programs.distances, parallel=False), (TABLE, SQUARE))
    assert not shared
