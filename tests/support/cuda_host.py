"""Runs a module in low IR: host code in the interpreter, its kernels on an emulated CUDA device.

    program = compile_module(module, device)
    program.call("softmax", [x])

Arrays stay NumPy's: each launch copies them in, and copies back those it wrote.
"""

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import mul
from typing import cast

import numpy as np
from numpy.typing import NDArray

from scriptc.backends.cuda.backend import Translation, computed_before, translate
from scriptc.backends.cuda.device import Argument, Buffer, Device, KernelLibrary
from scriptc.backends.cuda.kernel import Kernel
from scriptc.backends.cuda.prelude import failed_check
from scriptc.backends.cuda.schedule import Schedule, Spread
from scriptc.kernels.device.launch import (
    ERROR_WORDS,
    MAX_BLOCKS,
    NO_ERROR,
    WARP_THREADS,
    Field,
    Part,
)
from scriptc.kernels.device.plan import BLOCK_THREADS, Shape
from scriptc_runtime.interp.interpreter import Interpreter
from scriptc_runtime.ir import Module, Value
from scriptc_runtime.record import record
from scriptc_runtime.types import BOOL, FLOAT, INT, DType, TensorType, Type
from scriptc_runtime.values import EXCEPTIONS

Array = NDArray[np.generic]


@record
class DeviceArray:
    """An array on the device. The strides, in elements, are what they are: negative or zero too."""

    address: Buffer  # of the first element
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: np.dtype[np.generic]


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


def compile_module(
    module: Module,
    device: Device,
    *,
    max_blocks: int = MAX_BLOCKS,
) -> "CudaProgram":
    """Compile the kernels of a module in low IR, after `outline`, for `device`.

    Raises UnsupportedError, MissingToolError.
    """
    translation = translate(module)
    names = [kernel.name for kernel in translation.kernels.values()]
    library = device.compile(translation.source, names)
    launcher = _Launcher(device, library, HostMemory(device), max_blocks)
    return CudaProgram(module, translation, launcher)


class CudaProgram:
    """A compiled module."""

    def __init__(self, module: Module, translation: Translation, launcher: "_Launcher") -> None:
        self._translation = translation
        self._launcher = launcher
        self._host = Interpreter(module, launch=self._launch)

    @property
    def source(self) -> str:
        """The CUDA C++ of all kernels."""
        return self._translation.source

    def ptx(self, arch: str = "sm_90") -> str:
        """Return the assembly that NVRTC makes of the source.  Raises MissingToolError."""
        return self._translation.ptx(arch)

    def call(self, function_name: str, args: Sequence[object]) -> object:
        """Return what the function returns, its kernels run on the device."""
        return self._host.call(function_name, args)

    def _launch(self, callee: str, args: Sequence[object]) -> None:
        self._launcher.launch(self._translation.kernels[callee], args)


@record
class _Launcher:
    """Launches kernels with the arguments that host code gives."""

    device: Device
    library: KernelLibrary
    memory: HostMemory
    max_blocks: int

    def launch(self, kernel: Kernel, args: Sequence[object]) -> None:
        """Run a kernel; raises what its checks found."""
        known = _host_values(kernel.schedule, args)
        points = product(known, kernel.schedule.nest.counts)
        if points == 0:
            return
        rows = kernel.schedule.spread is Spread.ROWS
        is_tile = kernel.plan.shape is Shape.TILE
        threads = BLOCK_THREADS if is_tile else block_threads(kernel.schedule, known)
        most = self.max_blocks * (BLOCK_THREADS // threads)
        taken = threads * kernel.plan.points
        blocks = min(points if rows else -(-points // taken), most)
        arrays = {
            i: self.memory.enter(args[i])
            for i in dict.fromkeys(f.param for f in kernel.fields if f.part is Part.ADDRESS)
        }
        values = [self._value(kernel, field, args, arrays) for field in kernel.fields]
        values += [
            self.device.empty(max(1, blocks * product(known, b.operands) * _itemsize(b.result)))
            for b in kernel.schedule.buffers
        ]
        error = self._error_record() if kernel.guarded else None
        values += [error, np.uint64(1)] if error else []
        grid, block = (blocks, 1, 1), (threads, 1, 1)
        self.device.launch(self.library, kernel.name, grid, block, values, synchronises=rows)
        for i in sorted(kernel.written):
            self.memory.written(args[i], arrays[i])
        if error:
            self._raise_failed(kernel, error)

    def _value(
        self,
        kernel: Kernel,
        field: Field,
        args: Sequence[object],
        arrays: Mapping[int, DeviceArray],
    ) -> Argument:
        match field.part:
            case Part.SCALAR:
                type_ = kernel.schedule.function.params[field.param].type
                return _scalar(args[field.param], type_)
            case Part.ADDRESS:
                return arrays[field.param].address
            case Part.SIZE:
                return np.int64(arrays[field.param].shape[field.axis])
            case Part.STRIDE:
                return np.int64(arrays[field.param].strides[field.axis])

    def _error_record(self) -> Buffer:
        return self.device.to_device(np.array([NO_ERROR, *[0] * (ERROR_WORDS - 1)], np.uint64))

    def _raise_failed(self, kernel: Kernel, error: Buffer) -> None:
        word, _, *values, _ = self.device.from_device(error, (ERROR_WORDS,), np.uint64)
        if failed := failed_check(int(word)):
            check = kernel.raised[failed.site - kernel.first_site]
            said = [int(value.astype(np.int64)) for value in values]
            raise EXCEPTIONS[check.kind](check.message.format(*said))


_SCALARS: Mapping[Type, DType] = {BOOL: DType.B1, INT: DType.I64, FLOAT: DType.F64}


def _scalar(value: object, type_: Type) -> np.generic:
    dtype = _SCALARS.get(type_, type_)
    assert isinstance(dtype, DType)  # the emitter saw it
    return dtype.numpy.type(cast(float, value))


def _itemsize(array: Value) -> int:
    assert isinstance(array.type, TensorType)
    return array.type.dtype.itemsize


def _host_values(schedule: Schedule, args: Sequence[object]) -> dict[Value, object]:
    """Return what the kernel's prologue computes for the host."""
    known: dict[Value, object] = dict(zip(schedule.function.params, args, strict=True))
    for instr in computed_before(schedule):
        evaluate = instr.op.evaluate
        assert evaluate is not None  # an op without blocks
        known[instr.result] = evaluate(*[known[v] for v in instr.operands], **instr.attrs)
    return known


def block_threads(schedule: Schedule, known: Mapping[Value, object]) -> int:
    """Return how many threads a block has: whole warps, no more than a row has work for.

    The sizes alone decide, as the order of a sum depends on it.
    """
    if schedule.spread is Spread.THREADS or not all(
        size in known for sizes in schedule.shared for size in sizes
    ):
        return BLOCK_THREADS
    widest = max((product(known, sizes) for sizes in schedule.shared), default=1)
    return min(BLOCK_THREADS, max(WARP_THREADS, -(-widest // WARP_THREADS) * WARP_THREADS))


def product(known: Mapping[Value, object], sizes: Sequence[Value]) -> int:
    """Return the number of points of a space whose sizes the host knows."""
    return reduce(mul, (int(cast(int, known[size])) for size in sizes), 1)
