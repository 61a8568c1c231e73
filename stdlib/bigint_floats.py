"""Ints of any size beside floats, in the script language."""

import math

from scriptc_runtime import unsafe


def order_beside(x, y: float, of_nan: int) -> int:
    """Return -1, 0 or 1: whether `x` is less than, equal to or more than `y`; `of_nan` for NaN."""
    if math.isnan(y):
        return of_nan
    if math.isinf(y):
        return -1 if y > 0.0 else 1
    whole = unsafe.bigint_of_float(y)
    if x != whole:
        return -1 if x < whole else 1
    rest = y - math.trunc(y) if abs(y) < 4503599627370496.0 else 0.0
    return int(rest < 0.0) - int(rest > 0.0)
