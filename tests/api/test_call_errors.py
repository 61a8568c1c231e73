"""Calls that do not fit say what CPython says."""

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from scriptc import script
from scriptc.call_errors import call_error

# The functions are called as no type checker allows.
# pyright: basic


def none():
    return 0


def one(x):
    return x


def two(x, y):
    return x + y


def three(x, y, z):
    return x + y + z


def default(x, y=1):
    return x + y


def named(x, *, k):
    return x + k


def two_named(x, *, k, m=1):
    return x + k + m


def placed(x, /, y):
    return x + y


CALLS: list[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = [
    (none, (1,), {}),
    (none, (1, 2), {}),
    (none, (), {"a": 1}),
    (one, (), {}),
    (one, (1, 2), {}),
    (two, (), {}),
    (two, (1,), {}),
    (two, (1, 2, 3), {}),
    (two, (1,), {"x": 2}),
    (two, (1,), {"z": 2}),
    (three, (), {}),
    (three, (), {"y": 1}),
    (default, (), {}),
    (default, (1, 2, 3), {}),
    (named, (1,), {}),
    (named, (1, 2), {}),
    (named, (1, 2), {"k": 3}),
    (named, (1, 2, 3), {"k": 3}),
    (two_named, (1, 2), {"k": 3, "m": 4}),
    (two_named, (), {}),
    (placed, (1,), {}),
    (placed, (), {"x": 1, "y": 2}),
    (placed, (1, 2), {"y": 2, "x": 1}),
    (placed, (1, 2), {"x": 1, "y": 2}),
    (placed, (1,), {"z": 1, "x": 2}),
    (two, (1,), {"x": 1, "zz": 2}),
    (two, (1,), {"zz": 1, "x": 2}),
]


@pytest.mark.parametrize(("function", "args", "kwargs"), CALLS)
def test_what_does_not_fit_is_told_as_cpython_does(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    with pytest.raises(TypeError) as told:
        function(*args, **kwargs)
    parameters = list(inspect.signature(function).parameters.values())
    assert str(call_error(function.__name__, parameters, args, kwargs)) == str(told.value)
    with pytest.raises(TypeError) as ours:
        script(function)(*args, **kwargs)
    assert str(ours.value) == str(told.value)
