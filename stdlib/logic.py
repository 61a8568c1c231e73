"""NumPy's comparisons of whole arrays, in the script language."""

import numpy as np
from numpy.typing import ArrayLike

from scriptc_runtime import unsafe


def isclose(
    a: ArrayLike,
    b: ArrayLike,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    equal_nan: unsafe.Flag = False,
):
    """Return whether elements are within rtol * abs(b) + atol of each other."""
    first, second = unsafe.common_floats(a, b)
    size = np.abs(second)
    near = (np.abs(first - second) <= atol + rtol * size) & np.isfinite(second)
    found = near | (first == second)
    if equal_nan:
        found = found | ((first != first) & (second != second))
    return found


def allclose(
    a: ArrayLike,
    b: ArrayLike,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    equal_nan: unsafe.Flag = False,
) -> bool:
    """Return whether `isclose` holds for all elements."""
    return bool(np.all(isclose(a, b, rtol, atol, equal_nan)))


def array_equal(a1: np.ndarray, a2: np.ndarray, equal_nan: unsafe.Flag = False) -> bool:
    """Return whether two arrays have one shape and equal elements."""
    if a1.ndim != a2.ndim:
        return False
    if a1.shape != a2.shape:
        return False
    equal = a1 == a2
    if equal_nan:
        equal = equal | ((a1 != a1) & (a2 != a2))
    return bool(np.all(equal))
