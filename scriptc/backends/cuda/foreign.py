"""Arrays of other libraries that lie on a CUDA device: in and out of a call without a copy.

CuPy's and PyTorch's arrays, and all with `__cuda_array_interface__`, go in as stand-ins; results
come back in the kind of the first array that was given.
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from scriptc.backends.cuda.staging import Array, device_view, mapped
from scriptc.values.kinds import is_device_array, library_of

_CUPY, _TORCH = "cupy", "torch"


class DeviceArray:
    """An array on a CUDA device, for callers whose library makes none of an address.

    It says where it is by `__cuda_array_interface__`, and lives as long as its memory is needed.
    """

    def __init__(self, array: NDArray[Any], owner: object) -> None:
        self._owner = owner
        self.shape = array.shape
        self.dtype = array.dtype
        self.__cuda_array_interface__ = {
            "shape": array.shape,
            "typestr": array.dtype.str,
            "data": (array.ctypes.data, not array.flags.writeable),
            "strides": array.strides,
            "version": 2,
        }


class Foreign:
    """The arrays of a device among the arguments of one call."""

    def __init__(self) -> None:
        self.arrays: list[Any] = []
        self.stand_ins: list[Array] = []

    def enter(self, value: object) -> Any:
        """Return an argument with stand-ins for such arrays, those in tuples and lists, too."""
        return mapped(value, self._stand_in, is_device_array)

    def _stand_in(self, array: Any) -> Array:
        known = next((i for i, a in enumerate(self.arrays) if a is array), None)
        if known is not None:
            return self.stand_ins[known]
        made = _described(array)
        self.arrays.append(array)
        self.stand_ins.append(made)
        return made

    @property
    def stream(self) -> int:
        """The current stream of the caller's library; 0 stands for the default one."""
        match library_of(self.arrays[0]) if self.arrays else "":
            case "cupy":
                return int(cast(Any, import_module(_CUPY)).cuda.get_current_stream().ptr)
            case "torch":
                return int(cast(Any, import_module(_TORCH)).cuda.current_stream().cuda_stream)
            case _:
                return 0

    def result(self, value: object, of_host: Callable[[Array], Array | None]) -> Any:
        """Return a result in the caller's kind; `of_host` gives arrays that are NumPy's."""

        def returned(array: Array) -> object:
            known = next((i for i, s in enumerate(self.stand_ins) if s is array), None)
            if known is not None:
                return self.arrays[known]
            host = of_host(array)
            return self._made(array) if host is None else host

        return mapped(value, returned)

    def _made(self, array: Array) -> Any:
        """Return new memory of the device, or a part of an argument, in the caller's kind."""
        owner = (array, *self.arrays)
        match library_of(self.arrays[0]):
            case "cupy":
                return _cupys(array, owner)
            case "torch":
                made = DeviceArray(array, owner)
                return cast(Any, import_module(_TORCH)).as_tensor(made, device="cuda")
            case _:
                return DeviceArray(array, owner)


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
