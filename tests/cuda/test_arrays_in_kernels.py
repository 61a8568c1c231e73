"""Arrays that an iteration makes for itself: a thread has them, where their sizes are known."""

# Results have no annotations.
# pyright: basic

import numpy as np
import pytest

from scriptc import prange, script
from scriptc_runtime.errors import UnsupportedError


def matrices(v):
    out = np.empty(len(v))
    for i in prange(len(v)):
        t = np.empty((3, 5))
        for j in range(3):
            for k in range(5):
                t[j, k] = v[(i + j * 2 + k * 3) % len(v)]
        row, column = t[i % 3], t[:, i % 5]
        column += row[1]
        out[i] = row[4] - column[2] * t[1, 3]
    return out


def polynomials(v):
    out = np.empty((len(v), 4))
    for i in prange(len(v)):
        powers = np.ones(4)
        for k in range(1, 4):
            powers[k] = powers[k - 1] * v[i]
        powers = powers - np.array([0.5, 0.25, v[i], 1.0])
        out[i] = powers[::-1] * np.sum(powers)
    return out


def small(v):
    out = np.zeros(len(v), np.int64)
    for i in prange(len(v)):
        seen = np.zeros(7, np.uint8)
        for k in range(9):
            seen[(i * k) % 7] += np.uint8(200)
        if i % 2:
            continue
        for k in range(7):
            out[i] += seen[k]
    return out


@pytest.mark.parametrize("function", [matrices, polynomials, small])
def test_a_thread_has_arrays_of_its_own(function) -> None:
    on = script(function, backend="cuda")
    for size in (7, 400):
        v = np.random.default_rng(size).integers(-9, 9, size) / 4
        found, expected = on(v), function(v)
        assert found.dtype == expected.dtype
        assert found.tobytes() == expected.tobytes()


def test_arrays_whose_sizes_an_iteration_computes_are_refused() -> None:
    def of_any_size(v, n: int):
        out = np.empty(len(v))
        for i in prange(len(v)):
            t = np.zeros(n + i)
            for k in range(1, n):
                t[k] = t[k - 1] + v[i]
            out[i] = t[n - 1]
        return out

    with pytest.raises(UnsupportedError, match="an array made in an iteration of a kernel"):
        script(of_any_size, backend="cuda")(np.ones(5), 7)
