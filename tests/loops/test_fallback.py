"""The exact versions of loops as functions of their own: same results, same exceptions."""

import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from scriptc import script
from scriptc.check.roots import Root
from scriptc.driver import check_and_lower, to_low
from scriptc.options import Options
from scriptc_runtime.dims import symbol
from scriptc_runtime.ir import Role
from scriptc_runtime.types import INT, DType, TensorType

# Scripts without annotations.
# pyright: basic


def fill(x, n):
    for i in range(n):
        x[i] = i + 1.0


def total(x, n):
    s = 0.0
    for i in range(n):
        s += x[i]
    return s


def ends(x, n):
    least, most, place = x[0], x[0], -1
    for i in range(n):
        if x[i] < least:
            least = x[i]
        if x[i] > most:
            most, place = x[i], i
    return least, most, place


def caught(x, n):
    done = 0
    try:
        for i in range(n):
            x[i] = 2.0 * x[i]
            done += 1
    except IndexError as error:
        return done, str(error)
    return done, ""


def found(x, n):
    for i in range(n):
        if x[i] < 0.0:
            return i
    return -1


def rows(x, n):
    for i in range(n):
        for j in range(i):
            x[i, j] -= x[i, :j] @ x[:j, j]


def doubled(x):
    return 2.0 * x


def of_others(x, n):
    for i in range(n):
        x[i] = doubled(x[i]) + total(x, 2)


def in_parts(x, n):
    small = np.zeros(4)
    for i in range(n):
        for k in range(4):
            small[k] = x[i + k] * small[k]
        x[i] = small[0] + small[3]
    return small


PROGRAMS = (fill, total, ends, caught, found, rows, of_others, in_parts)
# Those that are left for what does not follow the loop stay where they are.
INLINE = {found}


def arrays(function: Callable[..., Any]) -> list[tuple[np.ndarray, int]]:
    shape = (6, 6) if function is rows else (12,)
    first = np.arange(1.0, np.prod(shape) + 1).reshape(shape) % 7 - 2
    wide = np.repeat(first, 2, axis=-1)
    parts = [first.copy(), wide[..., ::2], first[::-1].copy()[::-1], first[:0].copy()]
    return [(part, n) for part in parts for n in (0, len(part) // 2, len(part), len(part) + 3)]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_exact_loops_do_what_python_does(function: Callable[..., Any]) -> None:
    scripted = script(function)
    for array, n in arrays(function):
        theirs, mine = array.copy(), array[:]
        want, got = outcome(function, theirs, n), outcome(scripted, mine, n)
        assert got == want
        assert np.array_equal(mine, theirs)


def outcome(function: Callable[..., Any], x: np.ndarray, n: int) -> object:
    """Return the result, or the exception with its frames."""
    try:
        result = function(x, n)
    except IndexError as error:
        frames = traceback.extract_tb(error.__traceback__)
        return str(error), [(frame.name, frame.lineno) for frame in frames[1:]]
    return result.tolist() if isinstance(result, np.ndarray) else result


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_exact_loops_stand_apart(function: Callable[..., Any]) -> None:
    dims = map(symbol, "NM" if function is rows else "N")
    core = check_and_lower([Root(function, [TensorType(DType.F64, tuple(dims)), INT])])
    low = to_low(core.module, Options())
    assert any(f.role is Role.FALLBACK for f in low.functions.values()) == (function not in INLINE)
