"""The functions that docs/ir.md follows from their source to machine code."""

import numpy as np

from scriptc import script
from scriptc.types import N, f64


@script
def scaled(x: f64[N], floor: float) -> f64[N]:
    kept = np.maximum(x, floor)
    return kept / np.sum(kept)


@script
def first_above(x: f64[N], limit: float) -> int:
    for i in range(x.shape[0]):
        if x[i] > limit:
            return i
    return -1


@script
def is_above(x: f64[N], limit: float) -> bool:
    return first_above(x, limit) >= 0


@script
def shifted(x: f64[N], by: int) -> f64[N]:
    y = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        y[i] = x[i + by]
    return y
