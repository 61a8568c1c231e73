"""Arrays of other libraries that lie on a CUDA device: in and out of a call without a copy.

CuPy's and PyTorch's arrays, and all with `__cuda_array_interface__`, go in as stand-ins; results
come back in the kind of the first array that was given.
"""

from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from scriptc.backends.cuda.stand_ins import Array, device_view
from scriptc.values.kinds import library_of

_CUPY, _TORCH = "cupy", "torch"
_LEGACY = 1  # the default stream, where 0 may not be said


class DeviceArray:
    """An array on a CUDA device, for callers whose library makes none of an address.

    It says where it is by `__cuda_array_interface__`, and lives as long as its memory is needed.
    """

    def __init__(self, array: NDArray[Any], owner: object, stream: int) -> None:
        self._owner = owner
        self.shape = array.shape
        self.dtype = array.dtype
        self.__cuda_array_interface__ = {
            "shape": array.shape,
            "typestr": array.dtype.str,
            "data": (array.ctypes.data, not array.flags.writeable),
            "strides": array.strides,
            "version": 3,
            "stream": stream or _LEGACY,  # who reads it waits for what is under way there
        }


class Foreign:
    """The arrays of a device among the arguments of one call."""

    def __init__(self, *, has_streams: bool) -> None:
        self._has_streams = has_streams  # libraries that find no driver have none
        self.arrays: list[Any] = []
        self._held: Any = None  # the caller's stream
        self.stand_ins: list[Array] = []

    def stand_in(self, array: Any) -> Array:
        """Return what stands for an array.  Raises ValueError for one of another device."""
        known = next((i for i, a in enumerate(self.arrays) if a is array), None)
        if known is not None:
            return self.stand_ins[known]
        device = _device_of(array)
        if device:
            raise ValueError(
                f"an array lies on CUDA device {device}: functions run on device 0; copy it there"
            )
        made = _described(array)
        self.arrays.append(array)
        self.stand_ins.append(made)
        return made

    @cached_property
    def stream(self) -> int:
        """The stream that a call goes to, the caller's current one; 0 stands for the default."""
        match library_of(self.arrays[0]) if self.arrays else "":
            case "cupy" | "torch" | "" if not (self.arrays and self._has_streams):
                return 0
            case "cupy":
                self._held = cast(Any, import_module(_CUPY)).cuda.get_current_stream()
                return int(self._held.ptr)
            case "torch":
                self._held = cast(Any, import_module(_TORCH)).cuda.current_stream()
                return int(self._held.cuda_stream)
            case _:
                return int(self.arrays[0].__cuda_array_interface__.get("stream") or 0)

    def given(self, array: Array) -> Any:
        """Return the array of the caller's that a stand-in is of; None for others."""
        known = next((i for i, s in enumerate(self.stand_ins) if s is array), None)
        return None if known is None else self.arrays[known]

    def result(self, array: Array) -> Any:
        """Return new memory of the device, or a part of an argument, in the caller's kind."""
        known = self.given(array)
        if known is not None:
            return known
        # The stream last: memory is given back to it.
        owner = (array, *self.arrays, self._held)
        match library_of(self.arrays[0]):
            case "cupy":
                return _cupys(array, owner)
            case "torch":
                made = DeviceArray(array, owner, self.stream)
                return cast(Any, import_module(_TORCH)).as_tensor(made, device="cuda")
            case _:
                return DeviceArray(array, owner, self.stream)


def _device_of(array: Any) -> int:
    """Return the number of the device that an array lies on, as far as its library tells."""
    match library_of(array):
        case "cupy":
            return int(array.data.device_id)
        case "torch":
            return int(array.device.index or 0)
        case _:
            return 0


def _described(array: Any) -> Array:
    """Return the stand-in of an array."""
    if library_of(array) == _CUPY:
        address, dtype = int(array.data.ptr), cast("np.dtype[Any]", array.dtype)
        return device_view(address, array.shape, dtype, array.strides)
    interface = array.__cuda_array_interface__
    address, read_only = interface["data"]
    shape, dtype = interface["shape"], np.dtype(interface["typestr"])
    strides = interface.get("strides") or _in_order(shape, dtype.itemsize)
    made = device_view(int(address), shape, dtype, strides)
    made.flags.writeable = not read_only
    return made


def _in_order(shape: Sequence[int], itemsize: int) -> tuple[int, ...]:
    strides: list[int] = []
    for size in reversed(shape):
        strides.insert(0, itemsize)
        itemsize *= size
    return tuple(strides)


def _cupys(array: Array, owner: object) -> Any:
    cupy = cast(Any, import_module(_CUPY))
    extents = [(n - 1) * s for n, s in zip(array.shape, array.strides, strict=True)]
    low = sum(e for e in extents if e < 0) if array.size else 0
    nbytes = max(sum(map(abs, extents)) + array.itemsize, 1) if array.size else 1
    start = array.ctypes.data + low
    memory = cupy.cuda.UnownedMemory(start, nbytes, owner, 0)
    pointer = cupy.cuda.MemoryPointer(memory, -low)
    return cupy.ndarray(array.shape, array.dtype, pointer, array.strides)
