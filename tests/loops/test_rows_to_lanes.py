"""Short rows side by side: the bits are those of rows one by one, which other layouts have.

Versions for any layout compute each row by itself.
"""

# The programs have no annotations: their types come from the call.
# pyright: basic

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from scriptc import script
from tests.support.support_code import pool


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def log_softmax(x):
    shifted = x - np.max(x, axis=-1, keepdims=True)
    return shifted - np.log(np.sum(np.exp(shifted), axis=-1, keepdims=True))


def several_folds(x):
    e = np.tanh(x)
    return np.sum(e, axis=-1), np.prod(e, axis=-1), np.min(e, axis=-1), np.max(x, axis=-1)


def folds_of_folds(x):
    centred = np.log1p(np.abs(x)) - np.mean(np.log1p(np.abs(x)), axis=-1, keepdims=True)
    return np.sqrt(np.mean(centred * centred, axis=-1)), np.exp(np.min(x, axis=-1))


def against_rows(x):
    return np.exp(x - np.sin(x[..., :1])) * np.arange(x.shape[-1])


def counted(x):
    return np.sum(np.exp(x) > 1.0, axis=-1), np.any(np.exp(x) > 3.0, axis=-1)


def weighted(x):
    w = np.arange(x.shape[-1]) * 0.25
    return np.sum(np.exp(-x) * w + np.arange(x.shape[-2])[:, None], axis=-1)


def signed_zeros(x):
    return np.sum(np.arctan(x * -0.0), axis=-1), np.sum(np.sinh(-np.abs(x) * 0.0), axis=-1)


PROGRAMS = [softmax, log_softmax, several_folds, folds_of_folds, against_rows, counted, weighted]
PROGRAMS = [*PROGRAMS, signed_zeros]
SHAPES = [(0, 3), (5, 1), (700, 2), (33, 3), (40, 4), (7, 5), (205, 5), (64, 9), (97, 10), (3, 31)]
SHAPES = [*SHAPES, (4, 0), (50, 32), (12, 33), (3, 70), (4, 5, 6), (2, 90, 13)]


def _numbers(shape: tuple[int, ...], dtype: type[Any]) -> NDArray[Any]:
    x = np.random.default_rng(0).normal(0.0, 2.0, shape)
    if len(shape) == 2 and x.size and len(x) > 3:
        x[1, 0], x[2, -1], x[3, 0] = np.nan, np.inf, -0.0
    return x.astype(dtype)


def _apart(x: NDArray[Any]) -> NDArray[Any]:
    """Return the same elements, none of which are neighbours."""
    return np.repeat(x, 2, axis=-1)[..., ::2]


def _bits(result: Any) -> list[object]:
    arrays = result if isinstance(result, tuple) else (result,)
    return [(a.dtype, a.shape, np.nan_to_num(a, nan=7.5).tobytes()) for a in arrays]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("program", PROGRAMS)
def test_rows_side_by_side_have_the_bits_of_rows_alone(
    program: Callable[..., Any], dtype: type[Any]
) -> None:
    scripted = script(program)
    for shape in SHAPES:
        x = _numbers(shape, dtype)
        if not x.size and program is not weighted:
            continue  # extremes of nothing
        expected = _bits(scripted(_apart(x)))
        assert _bits(scripted(x)) == expected, shape
        with pool(2, everything=True):
            assert _bits(scripted(x)) == expected, shape


@pytest.mark.parametrize("program", PROGRAMS)
def test_rows_side_by_side_are_close_to_numpys(program: Callable[..., Any]) -> None:
    for shape in SHAPES:
        x = _numbers(shape, np.float64)
        if not x.size:
            continue
        with np.errstate(all="ignore"):
            expected = program(x)
        found = script(program)(x)
        pairs = (r if isinstance(r, tuple) else (r,) for r in (found, expected))
        for a, b in zip(*pairs, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-300)


def test_in_place() -> None:
    def changed(x):
        x[:] = np.exp(x - np.max(x, axis=1)[:, None]) + x

    x = _numbers((70, 6), np.float64)
    y = x.copy()
    script(changed)(x)
    with np.errstate(all="ignore"):
        changed(y)
    np.testing.assert_allclose(x, y)
