"""Arrays that iterations of `prange` make, of sizes that only the call knows, on a device."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from scriptc import prange, script


def added_to_itself(x: NDArray[Any], y: NDArray[Any]) -> NDArray[Any]:
    for i in prange(len(x)):
        x[i, 1:] = x[i, :-1] + x[i, 1:]
    return x


def turned(x: NDArray[Any], y: NDArray[Any]) -> NDArray[Any]:
    for i in prange(len(x)):
        x[i] = x[i, ::-1]
        y[i, 1:] = x[i, :-1] * 2.0 + y[i, 1:]
    return y


def kept_in_a_row(x: NDArray[Any], y: NDArray[Any]) -> NDArray[Any]:
    for i in prange(len(x)):
        row = np.zeros(x.shape[1])
        for j in range(x.shape[1]):
            row[j] = x[i, j] * 2.0 + (row[j - 1] if j > 0 else 0.0)
        for j in range(x.shape[1]):
            y[i, j] = row[x.shape[1] - 1 - j]
    return y


@pytest.mark.parametrize("function", [added_to_itself, turned, kept_in_a_row])
def test_rows_are_those_of_numpy(function: Callable[..., NDArray[Any]]) -> None:
    compiled = script(function, backend="cuda")
    x = np.arange(60.0).reshape(10, 6) % 7.0
    x[3, 2], x[4, 1] = np.nan, -0.0
    for part in (x, x[:, :1], x[:, :0], x[:0], x[::-1, ::-2], x[1:2]):
        wanted = function(part.copy(), np.ones_like(part))
        assert compiled(part.copy(), np.ones_like(part)).tobytes() == wanted.tobytes()
    # Both arguments are one memory.
    wanted, given = x.copy(), x.copy()
    function(wanted, wanted)
    assert compiled(given, given).tobytes() == wanted.tobytes()
