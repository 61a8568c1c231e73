"""Rounds that wait for sums, side by side: the same bits as one by one."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from scriptc import prange, script

# Scripts without annotations.
# pyright: basic


def rows(a, x, y):
    for i in range(a.shape[0]):
        s = 0.0
        for j in range(a.shape[1]):
            s += a[i, j] * x[j]
        y[i] = s


def two_sums(a, x, y):
    for i in range(2, a.shape[0]):
        s, t = 1.0, 0.0
        for j in range(a.shape[1]):
            s = s - a[i, j]
        scaled = s * x[0]
        for j in range(1, a.shape[1]):
            t += a[i, j] * a[i, j - 1]
        y[i - 2] = scaled + t


def products(a, x, y):
    for i in range(a.shape[0]):
        for j in range(a.shape[0]):
            s = 0.0
            for k in range(a.shape[1]):
                s += a[i, k] * a[j, k]
            y[i, j] = s


def shared(a, x, y):
    for i in prange(a.shape[0]):
        s = 0.0
        for j in range(a.shape[1]):
            s += a[i, j] * x[j]
        y[i] = s


def triangle(a, x, y):
    """The inner loop ends elsewhere in each round."""
    for i in range(a.shape[0]):
        s = 0.0
        for j in range(min(i, a.shape[1])):
            s += a[i, j]
        y[i] = s


def of_the_row_before(a, x, y):
    """A round needs the one before."""
    for i in range(1, a.shape[0]):
        s = y[i - 1]
        for j in range(a.shape[1]):
            s += a[i, j] * x[j]
        y[i] = s


def nearest(a, x, y):
    """The choice needs the round before, the sums do not."""
    best, place = np.inf, -1
    for i in range(a.shape[0]):
        s = 0.0
        for j in range(a.shape[1]):
            t = a[i, j] - x[j]
            s += t * t
        if s < best:
            best = s
            place = i
    if a.shape[0] > 1:
        y[0], y[1] = best, place


def groups(a, x, y):
    """Each row looks for the one that is the most unlike it, and counts those that are unlike."""
    for i in range(a.shape[0]):
        worst, place, count = -1.0, -1, 0
        for k in range(a.shape[0]):
            s = 0.0
            for j in range(a.shape[1]):
                s += abs(a[i, j] - a[k, j])
            if s > worst:
                worst, place = s, k
                if s > 1.0:
                    count += k
            elif s == worst:
                count -= 1
        y[i] = worst + 16.0 * place + 1024.0 * count


def chained(a, x, y):
    """Sums of sums, in their order; the last one is asked for behind the loop."""
    total, s, greatest = 0.0, 7.0, -np.inf
    for i in range(a.shape[0]):
        s = x[0]
        for j in range(a.shape[1]):
            s -= a[i, j] * x[j]
        total = total / 2.0 + s
        greatest = max(s, greatest)
    if a.shape[0] > 2:
        y[0], y[1], y[2] = total, s, greatest


def divided(a, x, y):
    """A choice may raise."""
    total = 0
    for i in range(a.shape[0]):
        s = 0.0
        for j in range(a.shape[1]):
            s += a[i, j]
        if s > 0.5:
            total += 12 // (i - 5)
    if a.shape[0] > 0:
        y[0] = total


def kept(a, x, y):
    """What is stored could be what the sums of later rounds read."""
    best = np.inf
    for i in range(a.shape[0]):
        s = 0.0
        for j in range(a.shape[1]):
            s += a[i, j]
        best = min(best, s)
        y[i] = best


def until(a, x, y):
    """A round may be the last one."""
    best = np.inf
    for i in range(a.shape[0]):
        s = 0.0
        for j in range(a.shape[1]):
            s += a[i, j]
        best = min(best, s)
        if best < -2.0:
            break
    if a.shape[0] > 0:
        y[0] = best


JAMMED = (rows, two_sums, products, shared, nearest, groups, chained)
OTHERS = (triangle, of_the_row_before, kept, until)
SHAPES = [(0, 5), (5, 0), (1, 1), (3, 7), (4, 8), (5, 9), (6, 1), (7, 33), (8, 16), (41, 67)]


SQUARE = (products,)


def outputs(function: Callable[..., Any], a: np.ndarray, x: np.ndarray) -> np.ndarray:
    python = getattr(function, "python", function)
    y = np.full((len(a), len(a)) if python in SQUARE else len(a), 3.0)
    function(a, x, y)
    return y


@pytest.mark.sampled(2)
@pytest.mark.parametrize("function", JAMMED + OTHERS, ids=lambda f: f.__name__)
def test_sums_side_by_side_are_those_of_python(function: Callable[..., Any]) -> None:
    scripted = script(function)
    rng = np.random.default_rng(5)
    for n, m in SHAPES:
        a, x = rng.standard_normal((n, m)), rng.standard_normal(max(m, 1)) * 1e8
        special = a.copy()
        special[::2, ::3] = np.nan
        special[1::2] = -0.0
        wide = np.repeat(a, 2, axis=1)
        for given in (a, special, wide[:, ::2], a[::-1], a.T.copy().T, a.astype(np.float32)):
            assert outputs(scripted, given, x).tobytes() == outputs(function, given, x).tobytes()


def test_rows_may_lie_in_what_is_written() -> None:
    for at in (0, 3, 12, 30):
        mine, theirs = (np.linspace(-0.1, 0.1, 48) for _ in range(2))
        for function, memory in ((script(rows), mine), (rows, theirs)):
            function(memory[:36].reshape(6, 6), memory[36:42], memory[at : at + 6])
        for function, memory in ((script(products), mine), (products, theirs)):
            square = memory[12:].reshape(6, 6)
            function(memory[:36].reshape(6, 6), memory[:6], square)
        assert np.array_equal(mine, theirs)


@pytest.mark.parametrize("function", JAMMED, ids=lambda f: f.__name__)
def test_these_are_jammed(function: Callable[..., Any]) -> None:
    assert FOUR_SUMS in low_of(function)


@pytest.mark.parametrize("function", OTHERS, ids=lambda f: f.__name__)
def test_these_are_not(function: Callable[..., Any]) -> None:
    assert FOUR_SUMS not in low_of(function)


def test_choices_raise_in_their_rounds() -> None:
    scripted = script(divided)
    assert FOUR_SUMS in low_of(divided)
    for n in range(12):
        for at in range(n):
            a = np.zeros((n, 3))
            a[at] = 1.0
            mine, theirs = np.ones(1), np.ones(1)
            if at == 5:
                for function, y in ((scripted, mine), (divided, theirs)):
                    with pytest.raises(ZeroDivisionError):
                        function(a, a[0], y)
            else:
                scripted(a, a[0], mine)
                divided(a, a[0], theirs)
            assert mine.tobytes() == theirs.tobytes()


FOUR_SUMS = " : f64, f64, f64, f64 "


def low_of(function: Callable[..., Any]) -> str:
    array = np.zeros((4, 4))
    result = array if function in SQUARE else array[1]
    return script(function).dump("low", array, array[0], result)
