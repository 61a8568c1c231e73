"""What a machine that runs CUDA kernels offers the backend: memory, compilation and launches.

A `Device` is a GPU or the CPU that plays one. Both take the same CUDA source and the same packed
arguments, so all of the backend but the driver's own calls is tested without a GPU.
"""

import ctypes
from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from scriptc_runtime.errors import ScriptError
from scriptc_runtime.record import record

Dim3 = tuple[int, int, int]
ScalarT = TypeVar("ScalarT", bound=np.generic)

MAX_GRID: Dim3 = (2**31 - 1, 65535, 65535)
MAX_BLOCK: Dim3 = (1024, 1024, 64)
MAX_THREADS_PER_BLOCK = 1024

# Every argument gets a slot as wide and as aligned as the widest, a complex128.
_SLOT_BYTES = 16


class MissingToolError(ScriptError):
    """A library or program that is not installed, or a host that it does not run on."""


class KernelCompileError(Exception):
    """The compiler refused a kernel source: a bug in scriptc, not in the user's program.

    The message is the compiler's log.
    """


@record
class Buffer:
    """Device memory. It lives as long as `owner`, whose type only the device knows."""

    address: int
    nbytes: int
    owner: object


# NumPy's scalars carry their C type; Python's do not, so they are no arguments.
Argument = Buffer | np.generic


@record
class KernelLibrary:
    """A compiled source: the address (or driver handle) of each kernel, kept alive by `owner`."""

    source: str
    entries: Mapping[str, int]
    owner: object


class Device(Protocol):
    """Compiles, holds memory and launches. Handles of one device mean nothing to another."""

    def compile(self, source: str, kernels: Sequence[str]) -> KernelLibrary:
        """Compile a source for this device. Raises `KernelCompileError`, `MissingToolError`."""
        ...

    def to_device(self, array: NDArray[np.generic]) -> Buffer:
        """Copy an array, in C order, into new device memory."""
        ...

    def from_device(
        self, buffer: Buffer, shape: tuple[int, ...], dtype: type[ScalarT] | np.dtype[ScalarT]
    ) -> NDArray[ScalarT]:
        """Wait for the launches so far and copy the buffer's first elements into a new array."""
        ...

    def empty(self, nbytes: int) -> Buffer:
        """Allocate device memory, with arbitrary content, aligned to 256 bytes."""
        ...

    def launch(
        self,
        library: KernelLibrary,
        kernel: str,
        grid: Dim3,
        block: Dim3,
        args: Sequence[Argument],
        *,
        synchronises: bool,
    ) -> None:
        """Start a kernel, which need not have finished on return.

        `synchronises` says that the kernel may wait at a barrier or a warp collective. A GPU needs
        no such hint; the emulated device runs the other kernels several times faster.
        """
        ...


def check_geometry(grid: Dim3, block: Dim3) -> None:
    """Raise ValueError for a launch that every driver refuses, an empty one among them."""
    for name, size, limit in (("grid", grid, MAX_GRID), ("block", block, MAX_BLOCK)):
        if not all(1 <= n <= most for n, most in zip(size, limit, strict=True)):
            raise ValueError(f"{name} {size} does not lie between (1, 1, 1) and {limit}")
    threads = block[0] * block[1] * block[2]
    if threads > MAX_THREADS_PER_BLOCK:
        raise ValueError(f"block {block} has {threads} threads, more than {MAX_THREADS_PER_BLOCK}")


@record
class PackedArguments:
    """Kernel arguments as `cuLaunchKernel` takes them: an array of pointers to their values.

    `kinds` tells what was packed ("p8,i4,f4"), for a device that compares it with the kernel.
    """

    pointers: ctypes.Array[ctypes.c_void_p]
    kinds: str
    storage: ctypes.Array[ctypes.c_char]


def pack_arguments(args: Sequence[Argument]) -> PackedArguments:
    """Lay arguments out for a launch. Raises TypeError for a value without a C type."""
    storage = ctypes.create_string_buffer(_SLOT_BYTES * len(args) + 1)
    base = ctypes.addressof(storage)
    kinds: list[str] = []
    for i, argument in enumerate(args):
        kind, value = _packed(i, argument)
        storage[i * _SLOT_BYTES : i * _SLOT_BYTES + len(value)] = value
        kinds.append(f"{kind}{len(value)}")
    slots = (base + _SLOT_BYTES * i for i in range(len(args)))
    return PackedArguments((ctypes.c_void_p * len(args))(*slots), ",".join(kinds), storage)


# Several of C's integer types may have one width, and each is a class of its own in NumPy.
_KINDS: Mapping[type, str] = {
    **dict.fromkeys((np.int8, np.int16, np.int32, np.int64, np.intc, np.longlong), "i"),
    **dict.fromkeys((np.uint8, np.uint16, np.uint32, np.uint64, np.uintc, np.ulonglong), "u"),
    **dict.fromkeys((np.float32, np.float64), "f"),
    **dict.fromkeys((np.complex64, np.complex128), "s"),
    np.bool_: "b",
    np.float16: "s",  # `halves.py`
}


def _packed(position: int, argument: Argument) -> tuple[str, bytes]:
    if isinstance(argument, Buffer):
        return "p", argument.address.to_bytes(8, "little")
    if (kind := _KINDS.get(type(argument))) is not None:
        return kind, argument.tobytes()
    raise TypeError(
        f"argument {position} of a kernel must be a Buffer or a NumPy scalar that C has a type "
        f"for, such as np.int64(n), not {type(argument).__name__}"
    )
