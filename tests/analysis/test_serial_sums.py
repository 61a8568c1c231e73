"""Sums that set the pace of their loop: one version, left alone by LLVM, the same bits."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from scriptc import script
from scriptc.types import M, N, f64

# Scripts without annotations.
# pyright: basic


def squares(x: f64[N]):
    s = 0.0
    for value in x:
        s += value * value
    return s


def product(x: f64[N], y: f64[N]):
    s = 1.0
    for i in range(x.shape[0]):
        s = s - x[i] * y[x.shape[0] - 1 - i]
    return s


def spread(x: f64[N], y: f64[N]):
    """Not short: there is more than a sum hides."""
    s = 0.0
    for i in range(x.shape[0]):
        s += x[i] / y[i]
    return s


def written(x: f64[N], y: f64[N]):
    """Not alone: what is written may be what is read."""
    s = 0.0
    for i in range(x.shape[0]):
        s += x[i]
        y[i] = 2.0 * x[i]
    return s


def in_rows(a: f64[N, M], x: f64[M], y: f64[N]):
    """Not alone: the next row begins while the sum of one ends."""
    for i in range(a.shape[0]):
        s = 0.0
        for j in range(a.shape[1]):
            s += a[i, j] * x[j]
        y[i] = s


LONE = (squares, product)
OTHERS = (spread, written, in_rows)


@pytest.mark.parametrize("function", LONE, ids=lambda f: f.__name__)
def test_lone_sums_have_one_version(function: Callable[..., Any]) -> None:
    scripted = script(function)
    assert "is_contiguous" not in scripted.dump("low")
    assert scripted.dump("llvm").count("llvm.loop.vectorize.enable") == 1


@pytest.mark.parametrize("function", OTHERS, ids=lambda f: f.__name__)
def test_other_sums_have_two(function: Callable[..., Any]) -> None:
    assert "is_contiguous" in script(function).dump("low")


@pytest.mark.parametrize("function", [*LONE, spread, written], ids=lambda f: f.__name__)
def test_sums_are_those_of_python(function: Callable[..., Any]) -> None:
    scripted = script(function)
    base = np.linspace(-3.0, 7.5, 202) ** 3
    for x in (
        base,
        base[::3],
        base[::-1],
        base[:0],
        base[:1],
        np.append(base, np.nan),
        -0.0 * base,
    ):
        arguments = [x, x[::-1].copy() + 1.5][: function.__code__.co_argcount]
        assert str(scripted(*arguments)) == str(float(function(*arguments)))
