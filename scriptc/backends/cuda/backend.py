"""Runs a module in low IR: host code in the interpreter, its kernels on a CUDA device.

    program = compile_module(module, device)
    program.call("softmax", [x])
    print(program.source)

Kernels find arrays through an `ArrayMemory`; unless another is given, arrays stay on the host and
are copied around each launch.
"""

import re
from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np

from scriptc.backends.cuda.device import Argument, Buffer, Device, KernelLibrary
from scriptc.backends.cuda.emit import Kernel, emit_kernel
from scriptc.backends.cuda.memory import ArrayMemory, DeviceArray, HostMemory
from scriptc.backends.cuda.nvrtc import compile_cubin
from scriptc.backends.cuda.prelude import PRELUDE, failed_check
from scriptc.backends.cuda.rules import SUPPORT
from scriptc.backends.cuda.schedule import (
    Schedule,
    Spread,
    block_threads,
    product,
    refuse_host_routines,
)
from scriptc.kernels.device.launch import (
    BLOCK_THREADS,
    ERROR_WORDS,
    MAX_BLOCKS,
    NO_ERROR,
    DeviceKernel,
    Field,
    Part,
)
from scriptc.kernels.device.launch import (
    Buffer as BlockBuffer,
)
from scriptc_runtime.interp.interpreter import Interpreter
from scriptc_runtime.ir import Instr, Module, Role, Value
from scriptc_runtime.ops import low
from scriptc_runtime.record import record
from scriptc_runtime.types import BOOL, FLOAT, INT, DType, TensorType, Type
from scriptc_runtime.values import EXCEPTIONS


@record
class Translation:
    """The kernels of a module, by their names in the IR, and their one source."""

    kernels: Mapping[str, Kernel]
    source: str

    def ptx(self, arch: str = "sm_90") -> str:
        """Return the assembly that NVRTC makes of the source.  Raises MissingToolError."""
        return compile_cubin(self.source, arch).ptx

    @property
    def texts(self) -> tuple[str, tuple[tuple[str, bool], ...]]:
        """The source, and the name of each kernel with whether its threads meet."""
        kernels = self.kernels.values()
        return self.source, tuple((k.name, k.schedule.spread is Spread.ROWS) for k in kernels)

    @property
    def launched(self) -> Mapping[str, DeviceKernel]:
        """What host code must know of the kernels, by their names in the IR."""
        return {n: _launched(k, i) for i, (n, k) in enumerate(self.kernels.items())}


def _launched(kernel: Kernel, number: int) -> DeviceKernel:
    schedule = kernel.schedule
    given = set(schedule.function.params)
    known = {*given, *(r for i in _computed_before(schedule) for r in i.results)}
    is_shared = all(size in known for sizes in schedule.shared for size in sizes)
    buffers = [BlockBuffer(_itemsize(b.result), b.operands) for b in schedule.buffers]
    shared = schedule.shared if schedule.spread is Spread.ROWS and is_shared else ()
    needed = [*schedule.nest.counts, *(s for sizes in shared for s in sizes)]
    needed += [size for buffer in buffers for size in buffer.sizes]
    before = _slice(_computed_before(schedule), needed)
    by_blocks = schedule.spread is Spread.ROWS
    return DeviceKernel(
        number, before, schedule.nest.counts, by_blocks, shared, kernel.fields, buffers,
        kernel.raised,
    )  # fmt: skip


def _slice(instrs: Sequence[Instr], needed: Sequence[Value]) -> Sequence[Instr]:
    """Return those of some instructions that compute what is needed."""
    wanted, kept = set(needed), list[Instr]()
    for instr in reversed(instrs):
        if not wanted.isdisjoint(instr.results):
            wanted.update(instr.operands)
            kept.append(instr)
    return kept[::-1]


def _computed_before(schedule: Schedule) -> Sequence[Instr]:
    """Return what of a kernel's prologue the host can compute: nothing that rests on elements."""
    known = set(schedule.function.params)
    found: list[Instr] = []
    for instr in schedule.prologue:
        if instr.op is not low.LOAD and known.issuperset(instr.operands):
            known.update(instr.results)
            found.append(instr)
    return found


def translate(module: Module) -> Translation:
    """Return a module's kernels in CUDA C++; needs no device.  Raises UnsupportedError."""
    names: set[str] = set()
    kernels: dict[str, Kernel] = {}
    for name, function in module.functions.items():
        if function.role is not Role.KERNEL:
            refuse_host_routines(function)
        else:
            kernels[name] = emit_kernel(function, _c_name(name, names))
    texts = [PRELUDE, SUPPORT, *(f"\n{kernel.text}" for kernel in kernels.values())]
    return Translation(kernels, "".join(texts))


def _c_name(name: str, taken: set[str]) -> str:
    base = re.sub(r"\W", "_", name, flags=re.ASCII)
    found = next(
        n for n in (base, *(f"{base}_{i}" for i in range(len(taken) + 1))) if n not in taken
    )
    taken.add(found)
    return found


def compile_module(
    module: Module,
    device: Device,
    *,
    memory: ArrayMemory | None = None,
    max_blocks: int = MAX_BLOCKS,
) -> "CudaProgram":
    """Compile the kernels of a module in low IR, after `outline`, for `device`.

    Raises UnsupportedError, MissingToolError.
    """
    translation = translate(module)
    names = [kernel.name for kernel in translation.kernels.values()]
    library = device.compile(translation.source, names)
    launcher = _Launcher(device, library, memory or HostMemory(device), max_blocks)
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
    memory: ArrayMemory
    max_blocks: int

    def launch(self, kernel: Kernel, args: Sequence[object]) -> None:
        """Run a kernel; raises what its checks found."""
        known = _host_values(kernel.schedule, args)
        points = product(known, kernel.schedule.nest.counts)
        if points == 0:
            return
        rows = kernel.schedule.spread is Spread.ROWS
        threads = block_threads(kernel.schedule, known)
        most = self.max_blocks * (BLOCK_THREADS // threads)
        blocks = min(points if rows else -(-points // threads), most)
        arrays = {
            i: self.memory.enter(args[i])
            for i in dict.fromkeys(f.param for f in kernel.fields if f.part is Part.ADDRESS)
        }
        values = [self._value(kernel, field, args, arrays) for field in kernel.fields]
        values += [
            self.device.empty(max(1, blocks * product(known, b.operands) * _itemsize(b.result)))
            for b in kernel.schedule.buffers
        ]
        error = self._error_word() if kernel.raised else None
        values += [error] if error else []
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

    def _error_word(self) -> Buffer:
        return self.device.to_device(np.array([NO_ERROR, *[0] * (ERROR_WORDS - 1)], np.uint64))

    def _raise_failed(self, kernel: Kernel, error: Buffer) -> None:
        word, _, *values = self.device.from_device(error, (ERROR_WORDS,), np.uint64)
        if failed := failed_check(int(word)):
            check = kernel.raised[failed.site]
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
    for instr in _computed_before(schedule):
        evaluate = instr.op.evaluate
        assert evaluate is not None  # an op without blocks
        known[instr.result] = evaluate(*[known[v] for v in instr.operands], **instr.attrs)
    return known
