"""Arrays of other libraries that lie on a CUDA device: in and out of a call without a copy.

CuPy's, PyTorch's and JAX's arrays, and all with `__cuda_array_interface__` or DLPack, go in as
stand-ins; results come back in the kind of the first array that was given.
"""

from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from scriptc.backends.cuda import dlpack
from scriptc.backends.cuda.driver import Driver
from scriptc.backends.cuda.stand_ins import Array, device_view
from scriptc.values.kinds import library_of

_CUPY, _TORCH, _JAX = "cupy", "torch", "jaxlib"
_LEGACY = 1  # the default stream, where 0 may not be said


class DeviceArray:
    """An array on a CUDA device, for callers whose library makes none of an address.

    It says where it is by `__cuda_array_interface__` and DLPack, and lives as long as its memory is
    needed. `numpy.asarray` copies it to the host.
    """

    def __init__(self, array: NDArray[Any], owner: object, stream: int, driver: Driver) -> None:
        self._array = array
        self._owner = owner
        self._stream = stream
        self._driver = driver
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

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Return a copy on the host.  Raises ValueError where none may be made."""
        if copy is False:
            raise ValueError(
                "an array on a CUDA device is copied to the host: copy=False cannot be"
            )
        with self._driver.entered():
            made = copied(self._array, self._driver, self._stream)
        return made if dtype is None else made.astype(dtype, copy=False)

    def __dlpack_device__(self) -> tuple[int, int]:
        """Return the device, in DLPack's numbers."""
        return dlpack.CUDA, 0

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> object:
        """Return a DLPack capsule of the memory, once all before is done.  Raises BufferError."""
        if copy or dl_device not in (None, self.__dlpack_device__()):
            raise BufferError("this array is not copied, nor to another device")
        if stream != -1 and (stream or _LEGACY) != (self._stream or _LEGACY):
            with self._driver.entered():
                self._driver.wait(self._stream)
        array = self._array
        return dlpack.export(
            array.ctypes.data, array.shape, array.dtype, array.strides, self,
            read_only=not array.flags.writeable, max_version=max_version,
        )  # fmt: skip


def copied(array: NDArray[Any], driver: Driver, stream: int) -> NDArray[Any]:
    """Return what an array on the device has, on the host."""
    if not array.size:
        return np.empty(array.shape, array.dtype)
    low, high = np.lib.array_utils.byte_bounds(array)
    memory = np.empty(high - low, np.uint8)
    driver.copy_out(memory.ctypes.data, low, high - low, stream)
    start = array.ctypes.data - low
    return np.ndarray(array.shape, array.dtype, memory, start, array.strides)


class Foreign:
    """The arrays of a device among the arguments of one call."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._has_streams = not driver.is_emulated  # libraries that find no driver have none
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
        kinds = [library_of(array) for array in self.arrays]
        known = next((kind for kind in kinds if kind in (_CUPY, _TORCH)), "")
        if known and not self._has_streams:
            return 0
        match known:
            case "cupy":
                self._held = cast(Any, import_module(_CUPY)).cuda.get_current_stream()
                return int(self._held.ptr)
            case "torch":
                self._held = cast(Any, import_module(_TORCH)).cuda.current_stream()
                return int(self._held.cuda_stream)
            case _:
                interfaces = [a.__cuda_array_interface__ for a in self.arrays if not _exports(a)]
                return next((int(i["stream"]) for i in interfaces if i.get("stream")), 0)

    @property
    def exchanged(self) -> bool:
        """Whether arrays came by DLPack, whose libraries have streams that nobody tells of."""
        return any(map(_exports, self.arrays))

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
                made = DeviceArray(array, owner, self.stream, self._driver)
                return cast(Any, import_module(_TORCH)).as_tensor(made, device="cuda")
            case "jaxlib":
                made = DeviceArray(array, owner, self.stream, self._driver)
                return cast(Any, import_module("jax.dlpack")).from_dlpack(made)
            case _:
                return DeviceArray(array, owner, self.stream, self._driver)


def _device_of(array: Any) -> int:
    """Return the number of the device that an array lies on, as far as its library tells."""
    match library_of(array):
        case "cupy":
            return int(array.data.device_id)
        case "torch":
            return int(array.device.index or 0)
        case _ if hasattr(array, "__dlpack_device__"):
            return dlpack.device_of(array)[1]
        case _:
            return 0


def _exports(array: Any) -> bool:
    """Whether an array is taken by DLPack.

    JAX's have an interface, too, which tells neither that they are never written nor of streams.
    """
    if library_of(array) in (_CUPY, _TORCH):
        return False
    return library_of(array) == _JAX or not hasattr(array, "__cuda_array_interface__")


def _described(array: Any) -> Array:
    """Return the stand-in of an array."""
    if library_of(array) == _CUPY:
        address, dtype = int(array.data.ptr), cast("np.dtype[Any]", array.dtype)
        return device_view(address, array.shape, dtype, array.strides)
    if _exports(array):
        return _borrowed(array)
    interface = array.__cuda_array_interface__
    address, read_only = interface["data"]
    shape, dtype = interface["shape"], np.dtype(interface["typestr"])
    strides = interface.get("strides") or _in_order(shape, dtype.itemsize)
    made = device_view(int(address), shape, dtype, strides)
    made.flags.writeable = not read_only
    return made


def _borrowed(array: Any) -> Array:
    """Return the stand-in of an array that its library exports; it keeps what was borrowed."""
    held = dlpack.Borrowed(array)
    strides = _in_order(held.shape, held.dtype.itemsize) if held.strides is None else held.strides
    made = device_view(held.address, held.shape, held.dtype, strides)
    cast(Any, made.base).owner = held
    made.flags.writeable = not (held.read_only or library_of(array) == _JAX)
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
