"""The functions that docs/ir.md follows from their source to machine code."""

import numpy as np

from scriptc import script
from scriptc.types import N, f64


@script
def scaled(x: f64[N], floor: float) -> f64[N]:
    """Cut off what is below `floor`, and divide by the sum."""
    kept = np.maximum(x, floor)
    return kept / np.sum(kept)


@script
def first_above(x: f64[N], limit: float) -> int:
    """Return the first index with a value above `limit`, or -1."""
    for i in range(x.shape[0]):
        if x[i] > limit:
            return i
    return -1


@script
def is_above(x: f64[N], limit: float) -> bool:
    """Whether any value is above `limit`."""
    return first_above(x, limit) >= 0


@script
def shifted(x: f64[N], by: int) -> f64[N]:
    """Return the values `by` places further on."""
    y = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        y[i] = x[i + by]
    return y
