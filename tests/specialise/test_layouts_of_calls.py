"""Code for arrays that lie plainly is never run for others: strided, turned, overlapping ones.

A function is called with arrays of one layout after the other, in several orders, so that each
specialisation is the first one once; each call must do what NumPy does.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import permutations
from typing import Any, cast

import numpy as np
import pytest

from scriptc import script
from scriptc.values.kinds import lie_plainly

SIZE = 6


def add_into(x: Any, y: Any) -> Any:
    x += 2.0 * y
    return x.sum()


def shift(x: Any, y: Any) -> Any:
    x[1:] = y[:-1] + x[1:]
    return x[0]


def rows(x: Any, y: Any) -> Any:
    for i in range(1, x.shape[0]):
        x[i] = x[i - 1] + y[i]
    return x.copy()


def only_reads(x: Any, y: Any) -> Any:
    return (x * y).sum(axis=0), x @ y.T if x.ndim == 2 else x - y


def carried(x: Any, y: Any) -> Any:
    total = x
    for _ in range(3):
        total = total + y
    if total[0].sum() > 0.0:
        total = total[1:]
    return total * 2.0


def _mixed(x: Any, y: Any) -> Any:
    """Too long to be inlined where it is called twice."""
    x[1:] = x[:-1] * 2.0 + y[1:]
    a = x * y + 1.0
    b = a * a - x * 3.0 + y
    c = b * a - a * 2.0 + b * b - x
    d = c * a + b * 0.5 - c * c + y * x - a
    x += d * 0.25 - a * 0.5 + b - c * 2.0 + d * a
    return d - c * 0.125 + a * b - x * 0.25 + y * 2.0 - d * d + c * b


def passed_on(x: Any, y: Any) -> Any:
    z = _mixed(x, y)
    return z + _mixed(x, x[:, ::-1]) + _mixed(z, z)


FUNCTIONS = (add_into, shift, rows, only_reads, carried, passed_on)


def _numbers(*shape: int) -> Any:
    return (np.arange(np.prod(shape), dtype=np.float64) % 7.0 - 3.0).reshape(shape)


def _plain() -> Sequence[Any]:
    return _numbers(SIZE, SIZE), _numbers(SIZE, SIZE) + 1.0


def _columns() -> Sequence[Any]:
    return np.asfortranarray(_numbers(SIZE, SIZE)), _numbers(SIZE, SIZE)


def _steps() -> Sequence[Any]:
    return _numbers(SIZE, 2 * SIZE)[:, ::2], _numbers(SIZE, SIZE)[::-1]


def _same() -> Sequence[Any]:
    x = _numbers(SIZE, SIZE)
    return x, x


def _overlapping() -> Sequence[Any]:
    x = _numbers(SIZE + 1, SIZE)
    return x[1:], x[:-1]


def _side_by_side() -> Sequence[Any]:
    x = _numbers(2 * SIZE, SIZE)
    return x[:SIZE], x[SIZE:]


def _empty() -> Sequence[Any]:
    return _numbers(2, 0), _numbers(2, 0)


def _odd_strides() -> Sequence[Any]:
    """Axes of one element, whose strides say nothing."""
    x = np.lib.stride_tricks.as_strided(_numbers(9), (3, 1), (8, 8000))
    assert x.flags.c_contiguous
    return x, _numbers(3, 1)


LAYOUTS: Mapping[str, Callable[[], Sequence[Any]]] = {
    f.__name__.strip("_"): f
    for f in (_plain, _columns, _steps, _same, _overlapping, _side_by_side, _empty, _odd_strides)
}


def _outcome(function: Callable[..., object], arguments: Sequence[Any]) -> Sequence[object]:
    result: Any
    try:
        result = function(*arguments)
    except (IndexError, ValueError) as error:
        result = type(error)
    parts = cast("tuple[Any, ...]", result) if isinstance(result, tuple) else (result,)
    return [np.array(p) for p in (*parts, *arguments)]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_layout_gives_what_numpy_gives(function: Callable[..., object]) -> None:
    for order in permutations(("plain", "steps", "overlapping")):
        scripted = script(function)
        for name in (*order, *LAYOUTS):
            ours = _outcome(scripted, LAYOUTS[name]())
            theirs = _outcome(function, LAYOUTS[name]())
            for mine, expected in zip(ours, theirs, strict=True):
                np.testing.assert_array_equal(mine, expected, err_msg=f"{name} after {order}")


def _compiled(function: object) -> set[int]:
    """Return what tells the specialisations of a function."""
    return {id(found) for known in vars(function)["_older"].values() for found in known}


def test_code_for_any_layout_serves_plain_calls_too() -> None:
    scripted = script(add_into)
    scripted(*_steps())
    before = len(_compiled(scripted))
    scripted(*_plain())
    scripted(*_same())
    assert len(_compiled(scripted)) == before


def test_explicit_types_are_those_of_plain_arrays() -> None:
    scripted = script(add_into)
    scripted.compile(_numbers(2, 2), _numbers(2, 2))
    compiled = _compiled(scripted)
    scripted(*_plain())
    scripted(*_side_by_side())
    assert _compiled(scripted) == compiled
    x, y = _steps()
    kept = x.copy()
    scripted(x, y)
    np.testing.assert_array_equal(x, kept + 2.0 * y)
    assert len(_compiled(scripted)) == len(compiled) + 1


def test_parameters_by_name_and_captured_arrays() -> None:
    base = _numbers(SIZE)

    @script
    def f(*, x: Any, y: Any) -> Any:
        x += y
        return base + x

    for x, y in ((_numbers(SIZE), _numbers(SIZE)), (_numbers(12)[::2], _numbers(SIZE))):
        kept = x.copy()
        np.testing.assert_array_equal(f(x=x, y=y), base + kept + y)
    # What is captured is not compared with the arguments.
    kept = base.copy()
    np.testing.assert_array_equal(f(x=base, y=_numbers(SIZE)), 2.0 * (kept + _numbers(SIZE)))


def test_which_arrays_lie_plainly() -> None:
    x = _numbers(4, 4)
    assert lie_plainly([x, 3, x.copy()])
    assert lie_plainly([x[:2], x[2:], "text", (x.T,)])
    assert lie_plainly([])
    assert lie_plainly([x[:0], x])
    assert not lie_plainly([x.T])
    assert not lie_plainly([x, x])
    assert not lie_plainly([x[:3], x[2:]])
    assert not lie_plainly([x, x.reshape(-1)[5:6]])
