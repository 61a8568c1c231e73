"""From the first line to the first result of a small function, and to NumPy, with scriptc."""

import time

BEGIN = time.perf_counter()

import sys  # noqa: E402

import numpy as np  # noqa: E402

IMPORTED = time.perf_counter()

from scriptc import script  # noqa: E402
from scriptc.types import N, f64  # noqa: E402


@script
def mean_square(x: f64[N]):
    """Return the mean of the squares."""
    total = 0.0
    for value in x:
        total += value * value
    return total / x.shape[0]


result = mean_square(np.arange(4.0))
print(time.perf_counter() - BEGIN, IMPORTED - BEGIN, result, *sorted(sys.modules))
