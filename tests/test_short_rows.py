"""Loops over short last axes become one where rows adjoin, whatever the layout of an argument is.

The programs themselves are compared by `test_differential`, which passes copies; here arguments
keep their strides.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from scriptc import script
from tests.outcomes import freeze
from tests.pool_settings import pool
from tests.programs import short_rows
from tests.programs.short_rows import FOLDED, LAYOUTS, WIDE


def _scripted(name: str) -> Any:
    return script(getattr(short_rows, name), backend="llvm")


def _nothing(a: NDArray[Any]) -> tuple[object, ...]:
    return ()


def _numbers(a: NDArray[Any]) -> tuple[object, ...]:
    return (np.arange(float(a.size)).reshape(a.shape),)


READ = [_scripted("brighter"), _scripted("counted")]
# With what they are given behind the array that is written.
WRITE: Mapping[str, Callable[[NDArray[Any]], tuple[object, ...]]] = {
    "brighter_here": _nothing,
    "smoothed": lambda a: (2,),
    "smoothed_columns": _nothing,
    "written": _numbers,
}
PARTS: Mapping[str, Callable[[NDArray[Any]], NDArray[Any]]] = {
    "whole": lambda a: a,
    "of_longer_rows": lambda a: a[:, :, :3],
    "every_second_row": lambda a: a[:, ::2],
    "every_second_plane": lambda a: a[::2],
    "backwards": lambda a: a[:, ::-1],
    "planes_backwards": lambda a: a[::-1, :, :3],
    "elements_backwards": lambda a: a[:, :, ::-1],
    "turned": lambda a: a.transpose(1, 2, 0),
    "one_column": lambda a: a[:, :, 2:3],
    "one_row": lambda a: a[:, 3:4, :3],
    "nothing": lambda a: a[:, :0],
}


@pytest.mark.parametrize("number", range(len(LAYOUTS)))
@pytest.mark.parametrize("function", READ, ids=lambda f: f.__name__)
def test_any_layout_is_read(function: Any, number: int) -> None:
    a = LAYOUTS[number]
    with np.errstate(all="ignore"):
        expected = freeze(function.python(a))
    assert freeze(function(a)) == expected


@pytest.mark.parametrize("number", range(len(FOLDED)))
def test_any_layout_is_folded(number: int) -> None:
    a, function = FOLDED[number], _scripted("folded")
    assert freeze(function(a)) == freeze(function.python(a))


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("name", WRITE)
def test_any_layout_is_written(name: str, part: str) -> None:
    def after(call: Callable[..., object]) -> object:
        memory = WIDE.copy()
        a = PARTS[part](memory)
        return freeze(call(a, *WRITE[name](a))), freeze(memory)

    function = _scripted(name)
    assert after(function) == after(function.python)


def test_the_bits_are_the_same_for_any_number_of_threads() -> None:
    image = np.linspace(-3.0, 5.0, 600 * 500 * 3).reshape(600, 500, 3)
    table = image.reshape(-1, 3)
    for a in (image, table, image[:, ::2], table[:, :2]):
        found: list[object] = []
        for threads in (1, 2, 7):
            with pool(threads, everything=True):
                found.append(freeze([f(a) for f in READ]))
        assert found[0] == found[1] == found[2]
