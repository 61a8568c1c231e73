"""Arrays of NumPy that are moved to the device once, for callers who have no other library."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scriptc.backends.cuda.driver import Driver
from scriptc.backends.cuda.foreign import DeviceArray
from scriptc.backends.cuda.held_arrays import objects_among
from scriptc.backends.cuda.stand_ins import Exchange, device_view
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
    """Return a value with arrays on the device for NumPy's, in tuples and containers too."""
    found = next(objects_among([value]), None)
    if found is not None:
        name = type(found).__qualname__
        raise UnsupportedError(
            Diagnostic(
                "cuda-unsupported",
                f"to_device: {name} is an object of a scripted class",
                why="its arrays are the host's, and are copied there and back at each call",
                instead="move the arrays, and pass them to functions",
            )
        )
    return Exchange().enter(value, lambda array: _array(array, driver))


def _array(array: NDArray[Any], driver: Driver) -> DeviceArray:
    source = np.ascontiguousarray(array).reshape(array.shape)
    memory = _Memory(max(source.nbytes, 1), driver)
    if source.nbytes:
        driver.copy_in(memory.address, source.ctypes.data, source.nbytes)
    view = device_view(memory.address, source.shape, source.dtype, source.strides)
    return DeviceArray(view, memory, 0, driver)
