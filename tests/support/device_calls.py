"""A device that this processor plays, as tests see it: arrays on it, and calls of its driver."""

import gc
import os
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scriptc import script
from scriptc.backends.cuda.driver import Driver, open_driver
from scriptc.options import emulated_device

CALLS = (
    *("cuLaunchKernel", "cuMemAllocAsync", "cuMemFreeAsync", "cuStreamSynchronize"),
    *("cuMemcpyDtoHAsync", "cuMemcpyHtoDAsync", "cuMemsetD8Async", "cuModuleLoadData"),
)


def driver() -> Driver:
    """Return the driver of the tests."""
    found = open_driver(os.environ["SCRIPTC_CACHE_DIR"], emulated_device())
    found.enter()
    return found


def live_allocations() -> int:
    """Return how much memory was asked of the device and not given back."""
    return driver().counted("live")


def after_a_call() -> int:
    """Return `live_allocations` once what calls keep for each other is there."""

    def doubled(x: Any) -> Any:
        return x * 2.0

    given = OnDevice(np.ones(1))
    script(doubled)(given)
    del given
    gc.collect()
    return live_allocations()


class OnDevice:
    """An array on the device, of a library that nobody knows."""

    def __init__(self, array: NDArray[Any], stream: int | None = None) -> None:
        self._stream = stream
        self._driver = driver()
        self._address = self._driver.new(array.nbytes)
        self.shape, self.dtype = array.shape, array.dtype
        source = np.ascontiguousarray(array)
        if source.nbytes:
            self._driver.copy_in(self._address, source.ctypes.data, source.nbytes)

    def __del__(self) -> None:
        self._driver.enter()
        self._driver.free(self._address)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self._address, False),
            "version": 3,
            "stream": self._stream,
        }


def to_host(array: Any) -> NDArray[Any]:
    """Return a copy of an array on the device."""
    interface = array.__cuda_array_interface__
    shape: tuple[int, ...] = interface["shape"]
    made: NDArray[Any] = np.zeros(shape, np.dtype(interface["typestr"]))
    strides = interface.get("strides") or made.strides
    assert strides == made.strides
    if made.nbytes:
        driver().copy_out(made.ctypes.data, interface["data"][0], made.nbytes)
    return made


@contextmanager
def calls_of() -> Generator[Counter[str]]:
    """Count the calls of the driver that are made inside."""
    before = {name: driver().counted(name) for name in CALLS}
    found = Counter[str]()
    yield found
    found.update({name: driver().counted(name) - count for name, count in before.items()})
