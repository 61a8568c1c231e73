"""Where the arrays of host code lie, and how a kernel on a CUDA device reaches them."""

from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from scriptc.backends.cuda.device import Buffer, Device
from scriptc_runtime.record import record

Array = NDArray[np.generic]


@record
class DeviceArray:
    """An array on the device. The strides, in elements, are what they are: negative or zero too."""

    address: Buffer  # of the first element
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: np.dtype[np.generic]


class ArrayMemory(Protocol):
    """Where the arrays of host code lie, and how a kernel reaches them."""

    def enter(self, array: object) -> DeviceArray:
        """Return `array` on the device, as it is now."""
        ...

    def written(self, array: object, device_array: DeviceArray) -> None:
        """Take note that a kernel has written into what `enter` returned for `array`."""
        ...


class HostMemory:
    """Arrays stay NumPy's: each launch copies them in, and copies back those it wrote."""

    def __init__(self, device: Device) -> None:
        self._device = device

    def enter(self, array: object) -> DeviceArray:
        """Copy an array to the device, with its strides unless that would copy much else."""
        assert isinstance(array, np.ndarray)
        host = cast(Array, array)
        assert host.dtype.isnative  # the types of the IR have no byte order
        span = _Span.of(host)
        if span is None:
            host = np.ascontiguousarray(host)
            span = _Span.of(host)
            assert span is not None  # contiguous
        buffer = self._device.to_device(span.memory) if host.size else self._device.empty(1)
        offset = span.first * host.itemsize
        address = Buffer(buffer.address + offset, buffer.nbytes - offset, buffer.owner)
        return DeviceArray(address, host.shape, span.strides, host.dtype)

    def written(self, array: object, device_array: DeviceArray) -> None:
        """Copy the elements back; what lies between them stays untouched."""
        target = cast(Array, array)
        if target.size == 0:
            return
        shape, strides = device_array.shape, device_array.strides
        lowest = sum((n - 1) * s for n, s in zip(shape, strides, strict=True) if s < 0)
        count = 1 - lowest + sum((n - 1) * s for n, s in zip(shape, strides, strict=True) if s > 0)
        itemsize = target.itemsize
        start = device_array.address
        memory = Buffer(
            start.address + lowest * itemsize, start.nbytes - lowest * itemsize, start.owner
        )
        flat = self._device.from_device(memory, (count,), target.dtype)
        target[...] = _view(flat[-lowest:], shape, tuple(s * itemsize for s in strides))


@record
class _Span:
    """All memory from an array's lowest address to its highest, and where element 0 lies in it."""

    memory: Array
    first: int
    strides: tuple[int, ...]

    @classmethod
    def of(cls, array: Array) -> "_Span | None":
        """Return the span, None where it holds much more than the array or is not aligned."""
        itemsize = array.itemsize
        if array.size == 0:
            return cls(array, 0, tuple(s // itemsize for s in array.strides))
        extents = [(n - 1) * s for n, s in zip(array.shape, array.strides, strict=True)]
        lowest = sum(e for e in extents if e < 0)
        nbytes = sum(map(abs, extents)) + itemsize
        if nbytes > 2 * array.nbytes or any(s % itemsize for s in array.strides):
            return None
        down = tuple(slice(None, None, -1 if s < 0 else 1) for s in array.strides)
        memory = _view(array[down], (nbytes // itemsize,), (itemsize,))
        return cls(memory, -lowest // itemsize, tuple(s // itemsize for s in array.strides))


def _view(array: Array, shape: tuple[int, ...], strides: tuple[int, ...]) -> Array:
    return np.lib.stride_tricks.as_strided(array, shape, strides, writeable=False)
