"""Rounds that run loops of their own are computed side by side, whatever memory they share.

The programs themselves are compared by `test_programs`; here arguments overlap.
"""

# Without annotations the types come from the call.
# pyright: basic

from typing import Any

import numpy as np
import pytest

from scriptc import script
from tests.programs import convolutions
from tests.support.outcomes import freeze
from tests.support.support_code import pool

PLANE, SMALL, TAPS = convolutions.PLANE, convolutions.SMALL, convolutions.TAPS


def _after(call: Any, name: str, ahead: int) -> object:
    memory = np.arange(60.0 * 40).reshape(60, 40) % 23 / 7
    line = memory.reshape(-1)
    views = {
        "convolved": (memory[5:40], SMALL, memory[5 + ahead : 25 + ahead, :30]),
        "filtered": (line[100:], TAPS, line[100 + ahead : 300 + ahead]),
        "evaluated": (line[100:200], TAPS, line[100 + ahead : 200 + ahead]),
        "added_in_place": (memory[5:40], TAPS, memory[5 + ahead : 25 + ahead]),
        "columns": (memory[5:40], memory[5 + ahead]),
    }
    return freeze(call(*views[name])), freeze(memory)


@pytest.mark.parametrize("ahead", [-3, -1, 0, 1, 2, 8])
@pytest.mark.parametrize(
    "name", ["convolved", "filtered", "evaluated", "added_in_place", "columns"]
)
def test_arrays_that_share_memory(name: str, ahead: int) -> None:
    function = script(getattr(convolutions, name), backend="llvm")
    assert _after(function, name, ahead) == _after(function.python, name, ahead)


def test_the_bits_are_the_same_for_any_number_of_threads() -> None:
    function = script(convolutions.convolved, backend="llvm")
    plane = np.random.default_rng(4).normal(size=(90, 83))
    expected = freeze(function.python(plane, SMALL, np.zeros((86, 80))))
    for threads in (1, 2, 7):
        with pool(threads, everything=True):
            assert freeze(function(plane, SMALL, np.zeros((86, 80)))) == expected


def test_infinities_and_nans_stay_in_their_lanes() -> None:
    function = script(convolutions.filtered, backend="llvm")
    for place in range(30):
        for value in (np.inf, -np.inf, np.nan, -0.0):
            x = np.ones(30)
            x[place] = value
            expected = freeze(function.python(x, TAPS, np.zeros(24)))
            assert freeze(function(x, TAPS, np.zeros(24))) == expected
