"""From the first line to the first result of a small function, with Numba and its cache."""

import time

BEGIN = time.perf_counter()

import importlib  # noqa: E402

import numpy as np  # noqa: E402

# Imported by name, because type checkers run without the extra `bench`.
numba = importlib.import_module("numba")


def mean_square(x: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    """Return the mean of the squares."""
    total = 0.0
    for value in x:
        total += value * value
    return total / x.shape[0]


result = numba.njit(cache=True)(mean_square)(np.arange(4.0))
print(time.perf_counter() - BEGIN, result)
