"""Loops whose rounds ask which they are become two; that these do the same is shown with all
others, see tests/programs/guards.py.
"""

# The programs have no annotations: their types come from the call.
# pyright: basic

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from scriptc import script
from scriptc.driver import to_core
from scriptc.function_types import request_of
from scriptc.kernels.loops.split_index_set import split_index_set
from scriptc.options import Options
from scriptc.specialise.specialise import root_of
from tests.programs import guards as programs

SPLIT = (programs.at_least, programs.above, programs.at_most, programs.neighbours, programs.table)
WHOLE = (programs.until, programs.moving)


def is_split(function: Callable[..., Any]) -> bool:
    """Whether the pass changes a program; a loop that is left without work goes, too."""
    request = request_of(script(function), (np.ones(5), np.ones(5), 2))
    module = to_core([root_of(request)], Options()).module
    return split_index_set(module) is not module


@pytest.mark.parametrize("function", SPLIT, ids=lambda f: f.__name__)
def test_these_are_split(function: Callable[..., Any]) -> None:
    assert is_split(function)


@pytest.mark.parametrize("function", WHOLE, ids=lambda f: f.__name__)
def test_these_are_not(function: Callable[..., Any]) -> None:
    assert not is_split(function)
