"""Loops of functions with many launches as functions of their own: same results and exceptions."""

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
from scriptc_runtime.ir import Module, Role, walk
from scriptc_runtime.ops.low import LAUNCH
from scriptc_runtime.types import INT, DType, TensorType
from tests.programs import long_functions

# Scripts without annotations.
# pyright: basic


def launched(a, b):
    """Launch kernels: each line has two, for arrays in rows and for others."""
    a += 1.0
    b -= 1.0
    c = a[1:] * a[:-1]
    d = b[2:] + b[:-2]
    return c, d


def decaying(a, b, n):
    c, d = launched(a, b)
    total = 0.0
    for x in a:
        total = total * 0.5 + x
    return total + c.sum() + d.sum()


def several(a, b, n):
    c, d = launched(a, b)
    least, most, count = 1e9, -1e9, 0
    for i in range(n):
        least, most = min(least, a[i]), max(most, a[i])
        count += 1
    return least, most, count, c.sum() + d.sum()


def into_new(a, b, n):
    c, d = launched(a, b)
    made = np.empty(a.shape[0])
    last = c.sum() + d.sum()
    for i in range(a.shape[0]):
        last = last * 0.5 + a[i]
        made[i] = last
    return made


def first_negative(x, n):
    for i in range(n):
        if x[i] < 0.0:
            return i
    return -1


def left_early(a, b, n):
    c, d = launched(a, b)
    return first_negative(c, n), first_negative(d, n)


def in_turns(a, b, n):
    total = 0.0
    for k in range(3):
        c, d = launched(a, b)
        for i in range(n):
            total = total * 0.25 + a[i] - b[k]
        total += c.sum() + d.sum()
    return total


def counted(a, b, n):
    c, d = launched(a, b)
    k = 0
    while k < n and a[k] + k < 60.0:
        k += 2
    return k, c.sum() + d.sum()


def handled(a, b, n):
    c, d = launched(a, b)
    done = 0
    try:
        for i in range(n):
            c[i] = 2.0 * c[i - 1]
            done += 1
    except IndexError as error:
        return done, str(error), c, d
    return done, "", c, d


def listed(a, b, n):
    c, d = launched(a, b)
    found = [0.0]
    for i in range(n):
        found.append(found[-1] + c[i])
    return found, d


def between_few(a, b, n):
    a += 1.0
    total = 0.0
    for i in range(n):
        total = total * 0.5 + a[i]
    return total, a[1:] * a[:-1], b


PROGRAMS = [
    between_few,
    decaying,
    several,
    into_new,
    left_early,
    in_turns,
    counted,
    handled,
    listed,
]


def ended(function: Callable[..., Any], n: int, step: int) -> object:
    """Return the result, or the exception with its frames, and what the arrays hold afterwards."""
    a, b = (np.arange(60.0)[::step] * k % 7 - 2 for k in (3, 5))
    try:
        result = function(a, b, n)
    except IndexError as error:
        frames = traceback.extract_tb(error.__traceback__)
        result = str(error), [(frame.name, frame.lineno) for frame in frames[1:]]
    parts = result if isinstance(result, tuple) else (result,)
    return [np.asarray(p).tolist() for p in (*parts, a, b)]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_loops_that_are_apart_do_what_python_does(function: Callable[..., Any]) -> None:
    scripted = script(function)
    for n in (0, 7, 1000):  # the last one is too far
        for step in (1, 2):
            assert repr(ended(scripted, n, step)) == repr(ended(function, n, step))


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_they_are_functions(function: Callable[..., Any]) -> None:
    array = TensorType(DType.F64, (symbol("N"),))
    core = check_and_lower([Root(function, [array, array, INT])])
    low = to_low(core.module, Options())
    assert any(f.role is Role.LOOP for f in low.functions.values())


def called_often(x, v, n):
    found = 0.0
    for _ in range(2):
        found += long_functions.carried(x, v, n)[3].sum()
        found -= long_functions.carried(x, v, 1)[3].sum()
    return found


def low_of(function: Callable[..., Any]) -> Module:
    matrix, vector = (TensorType(DType.F64, tuple(map(symbol, names))) for names in ("NM", "M"))
    return to_low(check_and_lower([Root(function, [matrix, vector, INT])]).module, Options())


def launching_loops(module: Module) -> int:
    loops = (f for f in module.functions.values() if f.role is Role.LOOP)
    return sum(any(i.op is LAUNCH for i in walk(loop.body)) for loop in loops)


def test_a_long_function_that_runs_once_has_no_loops_of_its_own() -> None:
    assert launching_loops(low_of(long_functions.carried)) == 1
    assert launching_loops(low_of(called_often)) == 0
