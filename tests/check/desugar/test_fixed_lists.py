"""Lists that are shapes: only where nothing can have given them another length."""

# The scripts have no annotations: their types come from the calls.
# pyright: basic

from typing import Any

import numpy as np
import pytest

from scriptc import ScriptError, script


def sum(items):
    """A function of this module's own, which hides the builtin one."""
    items.append(2)
    return 0


class Grower:
    def __init__(self, by: int) -> None:
        self.by = by

    def full(self, items):
        items.append(self.by)
        return 0


def by_a_function_of_a_builtin_name(n: int):
    shape = [n, 1]
    sum(shape)
    return np.zeros(shape)


def by_a_method_of_a_name_of_numpys(n: int):
    shape = [n, 1]
    Grower(2).full(shape)
    return np.zeros(shape)


def by_another_name(n: int):
    shape = (other := [n, 1])
    other.append(2)
    return np.zeros(shape)


def by_an_alias(n: int):
    shape = [n, 1]
    other = shape
    other.append(2)
    return np.zeros(shape)


def by_a_second_target(n: int):
    shape = other = [n, 1]
    other.append(2)
    return np.zeros(shape)


def by_a_nested_function(n: int):
    shape = [n, 1]

    def grow():
        shape.append(2)

    grow()
    return np.zeros(shape)


def by_a_list_that_holds_it(n: int):
    shape = [n, 1]
    both = [shape, [n]]
    both[0].append(2)
    return np.zeros(shape)


def by_a_slice(n: int):
    shape = [n, 1]
    shape[1:] = [2, 3]
    return np.zeros(shape)


def by_del(n: int):
    shape = [n, 1, 2]
    del shape[0]
    return np.zeros(shape)


def by_iadd(n: int):
    shape = [n, 1]
    shape += [2]
    return np.zeros(shape)


def by_one_way_of_two(n: int):
    shape = [n, 1]
    for i in range(n):
        shape = [i, 1, 2]
    return np.zeros(shape)


GROWN = [value for name, value in list(globals().items()) if name.startswith("by_")]


@pytest.mark.parametrize("function", GROWN, ids=lambda f: f.__name__)
def test_a_list_that_may_have_another_length_is_no_shape(function: Any) -> None:
    function(2)  # CPython takes it, with a length that the display does not have
    with pytest.raises(ScriptError, match="a size must be int, not list"):
        script(function)(2)


def test_every_way_is_tried() -> None:
    assert len(GROWN) == 11
