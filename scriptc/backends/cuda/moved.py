"""Arrays of NumPy that are moved to the device once, for callers who have no other library."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from scriptc.backends.cuda.driver import Driver
from scriptc.backends.cuda.foreign import DeviceArray
from scriptc.backends.cuda.stand_ins import device_view
from scriptc.classes.scripted_class import state_of
from scriptc_runtime.errors import Diagnostic, UnsupportedError


class _Memory:
    """Memory of the device that is given back when nobody has it any more."""

    def __init__(self, nbytes: int, driver: Driver) -> None:
        self._driver = driver
        self.address = driver.new(nbytes)

    def __del__(self) -> None:
        if hasattr(self, "address"):
            self._driver.drop(self.address)


def moved(value: object, driver: Driver) -> object:
    """Return a value with arrays on the device in place of NumPy's, in lists and tuples too."""
    if isinstance(value, np.ndarray):
        return _array(cast("NDArray[Any]", value), driver)
    if type(value) in (list, tuple):
        items = [moved(item, driver) for item in cast("Sequence[object]", value)]
        return items if type(value) is list else tuple(items)
    if state_of(type(value)) is not None:
        name = type(value).__qualname__
        raise UnsupportedError(
            Diagnostic(
                "cuda-unsupported",
                f"to_device: {name} is an object of a scripted class",
                why="its arrays are the host's, and are copied there and back at each call",
                instead="move the arrays, and pass them to functions",
            )
        )
    return value


def _array(array: NDArray[Any], driver: Driver) -> DeviceArray:
    source = np.ascontiguousarray(array).reshape(array.shape)
    memory = _Memory(max(source.nbytes, 1), driver)
    if source.nbytes:
        driver.copy_in(memory.address, source.ctypes.data, source.nbytes)
    view = device_view(memory.address, source.shape, source.dtype, source.strides)
    return DeviceArray(view, memory, 0, driver)
