"""Arrays of other libraries that lie on a CUDA device: CuPy's, PyTorch's, and any that say so."""

from collections.abc import Sequence
from typing import cast

import numpy as np

_CUPY = "cupy"
_INTERFACE = "__cuda_array_interface__"
# Most values are of these, and are no such arrays.
_HOST = frozenset({np.ndarray, int, float, bool, complex, str, type(None), np.float64, np.int64})


def is_on_device(value: object) -> bool:
    """Whether a value is an array on a CUDA device, or a list or tuple that has one."""
    kind = type(value)
    if kind in _HOST:
        return False
    if kind in (list, tuple):
        return any(map(is_on_device, cast("Sequence[object]", value)))
    return is_device_array(value)


def library_of(value: object) -> str:
    """Return the name of the package that a value's class comes from."""
    return type(value).__module__.partition(".")[0]


def is_device_array(value: object) -> bool:
    """Whether a value is an array on a CUDA device."""
    if library_of(value) == _CUPY and type(value).__name__ == "ndarray":
        return True  # without a driver, its interface cannot be asked for
    if not hasattr(type(value), _INTERFACE):
        return False
    try:
        return hasattr(value, _INTERFACE)  # PyTorch's on the host have it in their class alone
    except RuntimeError:
        return False  # and those that need a gradient tell so
