"""Loops over short last axes become one where rows adjoin, whatever the layout of an argument is.

The programs themselves are compared by `test_programs`, which passes copies; here arguments
keep their strides.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from scriptc import script
from tests.programs import short_rows
from tests.programs.short_rows import FOLDED, LAYOUTS, WIDE
from tests.support.outcomes import freeze
from tests.support.support_code import pool


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
    "halved_by_loops": _nothing,
    "upside_down_by_loops": _numbers,
}
# Other layouts of the same elements.
SAME: Mapping[str, Callable[[NDArray[Any]], NDArray[Any]]] = {
    "rows": np.ascontiguousarray,
    "columns": np.asfortranarray,
    "every_second": lambda a: np.array(np.repeat(a, 2, axis=-1))[..., ::2],
    "of_longer_rows": lambda a: np.array(np.concatenate([a, a], axis=-1))[..., : a.shape[-1]],
    "backwards": lambda a: np.array(a[::-1])[::-1],
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


@pytest.mark.sampled(4)
@pytest.mark.parametrize("layout", SAME)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
@pytest.mark.parametrize(
    "shape", [(0, 3), (3, 0), (1, 1), (5, 3), (33, 1), (7, 255), (7, 256), (4, 5, 3), (2, 0, 3)]
)
def test_arrays_that_share_memory(layout: str, dtype: type[Any], shape: tuple[int, ...]) -> None:
    count, into, laid = math.prod(shape), _scripted("into"), SAME[layout]
    a = laid((np.arange(count) * 7 % 31 - 15).astype(dtype).reshape(shape))
    b = (np.arange(count) * 11 % 29 - 14).astype(dtype).reshape(shape)
    for other in (b, laid(b), b[:1], a):
        for target in (b, a):
            first, second = laid(target.copy()), laid(target.copy())
            into.python(first, a, other)
            into(second, a, other)
            assert freeze(first) == freeze(second)
            into.python(first, first, other)
            into(second, second, other)
            assert freeze(first) == freeze(second)


@pytest.mark.parametrize("ahead", [0, 1, 2, -1])
@pytest.mark.parametrize("name", ["clipped_by_loops", "upside_down_by_loops"])
def test_loops_over_arrays_that_share_memory(name: str, ahead: int) -> None:
    function, given = _scripted(name), (15.0,) if name == "clipped_by_loops" else ()

    def after(call: Callable[..., object]) -> object:
        memory = np.arange(7.0 * 5 * 3).reshape(7, 5, 3) % 19
        first = memory[max(ahead, 0) : 5 + ahead] if ahead >= 0 else memory[4::-1]
        second = memory[:5]
        return freeze(call(first, second[: len(first)], *given)), freeze(memory)

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
