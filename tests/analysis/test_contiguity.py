"""What is known of the places of arrays in memory, by what made them."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from scriptc import script
from scriptc.analysis.contiguity import Contiguity, Order
from scriptc.types import M, N, f64
from scriptc_runtime.ir import Function, Given
from scriptc_runtime.record import replace
from scriptc_runtime.text.reader import read_module

UNKNOWN, ROWS, DENSE = Order

# Each gives an array made of one that is in C order, and what is known of it.
CASES: Sequence[tuple[Callable[[Any, Any], Any], Order]] = (
    (lambda x, n: x, DENSE),
    (lambda x, n: x * 2.0, DENSE),
    (lambda x, n: x.T + 1.0, DENSE),
    (lambda x, n: x.T.copy(), DENSE),
    (lambda x, n: x.T, UNKNOWN),
    (lambda x, n: x[1], DENSE),
    (lambda x, n: x[1:], DENSE),
    (lambda x, n: x[n : n + 2], DENSE),
    (lambda x, n: x[:, :], DENSE),
    (lambda x, n: x[None, 1:], DENSE),
    (lambda x, n: x[:, None], DENSE),
    (lambda x, n: x[1:, 1:], ROWS),
    (lambda x, n: x[:, 1:], ROWS),
    (lambda x, n: x[::2], ROWS),
    (lambda x, n: x[::-1], ROWS),
    (lambda x, n: x[1:, 1:][0], DENSE),
    (lambda x, n: x[:, ::2], UNKNOWN),
    (lambda x, n: x[:, 0], UNKNOWN),
    (lambda x, n: x.ravel(), DENSE),
    (lambda x, n: x.T.ravel(), DENSE),
    (lambda x, n: x.reshape(-1), DENSE),
    (lambda x, n: x.T.reshape(-1), UNKNOWN),
    (lambda x, n: x.sum(axis=0), DENSE),
    (lambda x, n: np.zeros((n, n))[1:], DENSE),
    (lambda x, n: x @ x.T, DENSE),
    (lambda x, n: x + 1.0 if n > 1 else x[1:], DENSE),
    (lambda x, n: x + 1.0 if n > 1 else x[:, 1:], ROWS),
    (lambda x, n: x + 1.0 if n > 1 else x.T, UNKNOWN),
)

# The same, and whether it is known that no two elements are neighbours, where rows have several.
SPACED: Sequence[tuple[Callable[[Any, Any], Any], bool]] = (
    (lambda x, n: x[:, 0], True),
    (lambda x, n: x[n:, -1], True),
    (lambda x, n: x[..., n][::2], True),
    (lambda x, n: (x * 2.0)[:, 0], True),
    (lambda x, n: x[:, 0].T, True),
    (lambda x, n: np.zeros((n, 2))[:, n], True),
    (lambda x, n: x[:, 0, None], False),  # elements of rows of one element are neighbours
    (lambda x, n: x[:, 0:1], False),
    (lambda x, n: x[0], False),
    (lambda x, n: x.T[0], False),
    (lambda x, n: x[:, 1:][:, 0], False),
    (lambda x, n: np.zeros((n, n))[:, 0], False),
    (lambda x, n: np.zeros((n, 1))[:, 0], False),
    (lambda x, n: x[:, 0] if n > 1 else x[:, 1], False),
)


def _result(function: Callable[..., object], given: bool) -> Order:
    text = script(function).dump("opt", f64[N, N], int)
    (found,) = read_module(text).functions.values()
    known: Function = replace(found, given=Given(found.params[:1])) if given else found
    return Contiguity(known, {}).of(found.body.body[-1].operands[0])


@pytest.mark.parametrize(("function", "expected"), SPACED)
def test_one_element_of_each_row_is_spaced(function: Callable[..., object], expected: bool) -> None:
    text = script(function).dump("opt", f64[M, N], int)
    (found,) = read_module(text).functions.values()
    several = Given(found.params[:1], several=((found.params[0], 1),))
    known = Contiguity(replace(found, given=several), {})
    assert known.is_spaced(found.body.body[-1].operands[0]) == expected


@pytest.mark.parametrize("case", range(len(CASES)))
def test_what_is_known_of_a_result(case: int) -> None:
    function, expected = CASES[case]
    assert _result(function, given=True) is expected


@pytest.mark.parametrize(("case", "expected"), [(0, UNKNOWN), (6, UNKNOWN), (1, DENSE)])
def test_nothing_is_known_of_parameters_otherwise(case: int, expected: Order) -> None:
    assert _result(CASES[case][0], given=False) is expected


def grown(x: Any, n: Any) -> Any:
    for _ in range(n):
        x = x + 1.0
    return x


def turned(x: Any, n: Any) -> Any:
    for _ in range(n):
        x = x.T
    return x


def swapped(x: Any, n: Any) -> Any:
    y = x + 1.0
    z = x.T
    for _ in range(n):
        x, y, z = y, z, x
    return x


def searched(x: Any, n: Any) -> Any:
    while n > 0:
        if n == 5:
            break
        x = x[1:] if n > 3 else x * 2.0
        n -= 1
    return x


@pytest.mark.parametrize(
    ("function", "expected"),
    [(grown, DENSE), (turned, UNKNOWN), (swapped, UNKNOWN), (searched, DENSE)],
)
def test_loops_carry_what_all_rounds_have_in_common(
    function: Callable[..., object], expected: Order
) -> None:
    assert _result(function, given=True) is expected
    assert _result(function, given=False) is UNKNOWN
