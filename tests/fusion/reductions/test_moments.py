"""Which sums of squared distances read memory together with what they follow from."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from collections.abc import Callable
from typing import Any

import pytest

from scriptc.driver import Core, inlined, to_low, to_optimised
from scriptc.lower.program import lower_program
from scriptc.options import Options
from tests.programs import moments
from tests.support.program_cases import checked

X, TABLE = moments.LONG, moments.TABLE
ONCE: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (moments.spread, (X,)),
    (moments.spread, (TABLE,)),
    (moments.by_hand, (X,)),
    (moments.by_hand, (moments.SMALL,)),
    (moments.from_the_mean, (X,)),
    (moments.of_what_is_computed, (X, X)),
    (moments.of_the_largest, (X,)),
    (moments.columns, (TABLE,)),
    (moments.columns_by_hand, (TABLE,)),
    (moments.standardised, (TABLE,)),
]
APART: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (moments.of_another_mean, (X, X)),  # which may be longer
    (moments.changed_between, (X,)),
    (moments.stored_between, (X,)),
    (moments.products_of_distances, (X, X)),
    (moments.in_a_loop, (X, 3)),
    (moments.columns_of_another_mean, (TABLE, TABLE)),
    (moments.columns_of_a_weighted_mean, (TABLE, moments.WEIGHTS)),
    (moments.columns_changed_between, (TABLE,)),
    (moments.of_means_of_rows, (TABLE,)),
]


def takes_strips(function: Callable[..., Any], arguments: tuple[Any, ...]) -> bool:
    """Whether a program has the function that adds what strips have kept."""
    program = checked(function, arguments)
    core = inlined(Core(program, lower_program(program)), Options())
    module = to_low(to_optimised(core, Options()).module, Options())
    return any("squared_distances" in name for name in module.functions)


@pytest.mark.parametrize(("function", "arguments"), ONCE)
def test_distances_from_what_follows_are_taken_by_strips(
    function: Callable[..., Any], arguments: tuple[Any, ...]
) -> None:
    assert takes_strips(function, arguments)


@pytest.mark.parametrize(("function", "arguments"), APART)
def test_distances_of_changed_or_other_elements_are_not(
    function: Callable[..., Any], arguments: tuple[Any, ...]
) -> None:
    assert not takes_strips(function, arguments)
