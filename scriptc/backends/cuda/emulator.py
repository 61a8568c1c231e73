"""The CPU plays a CUDA device: for tests of the CUDA backend on machines without a GPU.

The CUDA source is compiled with g++ against `emulator.h`, which says how threads, barriers and
warp collectives are played. Mistakes that a GPU would answer with wrong numbers or a hang are
raised as `EmulationError`: divergent barriers, deadlocks, arguments that do not fit the kernel,
writes beside a buffer. Memory is filled with 0xFF, so reading what was not written gives NaN or -1.
"""

import ctypes
import hashlib
import os
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from enum import IntEnum
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scriptc.backends.cuda.device import (
    Argument,
    Buffer,
    Dim3,
    KernelCompileError,
    KernelLibrary,
    MissingToolError,
    ScalarT,
    check_geometry,
    pack_arguments,
)
from scriptc_runtime.errors import Diagnostic
from scriptc_runtime.record import record

_HEADER = Path(__file__).with_name("emulator.h")
_DRIVER = Path(__file__).with_name("driver_stub.cpp")
_ENTRY_SUFFIX = "__emulated"
_ALIGNMENT = 256  # as cudaMalloc aligns
_FENCE_BYTES = 256  # on both sides of every buffer
_POISON = 0xFF

_FLAGS = (
    "-std=c++17",
    "-O1",
    "-shared",
    "-fPIC",
    "-pthread",
    "-fvisibility=hidden",  # else all libraries of a process would share one emulator state
    "-ffp-contract=off",  # as our NVRTC options
    "-fno-strict-aliasing",  # kernels load float4 from float*, which CUDA allows
    "-fcf-protection=none",  # switching stacks breaks a shadow stack
    "-Werror=frame-larger-than=65536",  # half a thread's stack
)


class EmulationError(Exception):
    """A kernel broke a rule of CUDA: which kernel, in which block, at which line of its source."""

    def __init__(self, what: str, kernel: str, block: Dim3, line: int, text: str) -> None:
        place = f"line {line}: {text}" if line else "no line"
        super().__init__(f"{what} (kernel {kernel}, block {block}, {place})")
        self.kernel = kernel
        self.block = block
        self.line = line


class Schedule(IntEnum):
    """The order in which blocks, warps and lanes take turns."""

    FORWARD = 0
    REVERSE = 1
    SHUFFLED = 2


class _Launch(ctypes.Structure):
    _fields_ = (
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("schedule", ctypes.c_int),
        ("seed", ctypes.c_uint),
        ("synchronises", ctypes.c_int),
        ("kinds", ctypes.c_char_p),
    )


class _Failure(ctypes.Structure):
    _fields_ = (
        ("block", ctypes.c_uint * 3),
        ("line", ctypes.c_int),
        ("what", ctypes.c_char * 512),
    )

    block: ctypes.Array[ctypes.c_uint]
    line: int
    what: bytes


_Entry = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.POINTER(_Launch), ctypes.c_void_p, ctypes.POINTER(_Failure)
)


@record(eq=False)
class _Allocation:
    """The bytes of one buffer between two fences."""

    bytes: NDArray[np.uint8]
    start: int
    stop: int

    def fences_hold(self) -> bool:
        fences = (self.bytes[: self.start], self.bytes[self.stop :])
        return all(bool((fence == _POISON).all()) for fence in fences)


class EmulatedDevice:
    """A `Device` on the CPU. Compiled sources are kept in `cache`, named by their content."""

    def __init__(
        self,
        cache: Path,
        *,
        schedule: Schedule = Schedule.FORWARD,
        seed: int = 1,
        compiler: str = "g++",
    ) -> None:
        check_host(platform.system(), platform.machine())
        self._cache = cache
        self._schedule = schedule
        self._seed = seed
        self._compiler = find_compiler(compiler)

    def compile(self, source: str, kernels: Sequence[str]) -> KernelLibrary:
        """Compile with g++, or take the same source's library from the cache."""
        library = ctypes.CDLL(str(self.image(source, dict.fromkeys(kernels, True))))
        addresses: dict[str, int] = {}
        for kernel in kernels:
            address = ctypes.cast(library[kernel + _ENTRY_SUFFIX], ctypes.c_void_p).value
            assert address is not None
            addresses[kernel] = address
        return KernelLibrary(source, addresses, library)

    def image(self, source: str, kernels: Mapping[str, bool]) -> Path:
        """Return the library of a source, compiled if need be, with entries for its kernels.

        They are told whether the threads of a block meet.
        """
        entries = "".join(
            f"EMULATED_ENTRY({name})\nEMULATED_MEETING({name}, {int(meets)})\n"
            for name, meets in kernels.items()
        )
        return self._built(f'#line 1 "kernels.cu"\n{source}\n#line 1 "entries"\n{entries}')

    def driver(self) -> Path:
        """Return the driver whose device is this processor, compiled if need be."""
        return self._built(_DRIVER.read_text(encoding="utf-8"), include=False)

    def _built(self, program: str, *, include: bool = True) -> Path:
        header = _HEADER.read_text(encoding="utf-8")
        parts = (program, header, repr(_FLAGS), _version(self._compiler))
        key = hashlib.sha256("\0".join(parts).encode()).hexdigest()
        path = self._cache / f"{key[:32]}.so"
        if not path.exists():
            _build(program, self._compiler, path, ("-include", str(_HEADER)) if include else ())
        return path

    def empty(self, nbytes: int) -> Buffer:
        """Allocate poisoned memory between fences that every launch checks."""
        raw = np.full(nbytes + 2 * _FENCE_BYTES + _ALIGNMENT, _POISON, np.uint8)
        start = _FENCE_BYTES + -(raw.ctypes.data + _FENCE_BYTES) % _ALIGNMENT
        allocation = _Allocation(raw, start, start + nbytes)
        return Buffer(raw.ctypes.data + start, nbytes, allocation)

    def to_device(self, array: NDArray[np.generic]) -> Buffer:
        """Copy an array into a new buffer."""
        buffer = self.empty(array.nbytes)
        _content(buffer)[:] = np.frombuffer(array.tobytes(), np.uint8)
        return buffer

    def from_device(
        self, buffer: Buffer, shape: tuple[int, ...], dtype: type[ScalarT] | np.dtype[ScalarT]
    ) -> NDArray[ScalarT]:
        """Copy a buffer's first elements into a new array."""
        result = np.empty(shape, dtype)
        if result.nbytes > buffer.nbytes:
            raise ValueError(f"{result.nbytes} bytes asked of a buffer of {buffer.nbytes}")
        result.reshape(-1).view(np.uint8)[:] = _content(buffer)[: result.nbytes]
        return result

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
        """Run a kernel to its end. Raises `EmulationError`."""
        check_geometry(grid, block)
        packed = pack_arguments(args)
        request = _Launch(
            grid, block, self._schedule, self._seed, synchronises, packed.kinds.encode()
        )
        failure = _Failure()
        entry = _Entry(library.entries[kernel])
        if entry(ctypes.byref(request), packed.pointers, ctypes.byref(failure)):
            raise _error(library, kernel, failure)
        for i, argument in enumerate(args):
            if isinstance(argument, Buffer) and not _allocation(argument).fences_hold():
                what = f"a write outside the buffer of argument {i}"
                raise EmulationError(what, kernel, (0, 0, 0), 0, "")


def check_host(system: str, machine: str) -> None:
    """Raise `MissingToolError` on a host whose stacks `emulator.h` cannot switch."""
    if (system, machine) == ("Linux", "x86_64"):
        return
    raise MissingToolError(
        Diagnostic(
            code="cuda-emulator-host",
            message=f"the emulated CUDA device does not run on {system} {machine}",
            why="it switches the stacks of threads with x86-64 instructions and ELF sections",
            instead="run on a GPU, or test on x86-64 Linux",
        )
    )


def find_compiler(name: str) -> str:
    """Return the path of a C++ compiler. Raises `MissingToolError`."""
    path = shutil.which(name)
    if path is not None:
        return path
    raise MissingToolError(
        Diagnostic(
            code="cuda-emulator-compiler",
            message=f"{name} was not found",
            why="only tests of the emulated CUDA device need a C++ compiler; nothing else does",
            instead="install it (Debian, Ubuntu: apt install g++), or deselect those tests",
        )
    )


def _version(compiler: str) -> str:
    command = (compiler, "-dumpfullversion", "-dumpmachine")
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _build(program: str, compiler: str, path: Path, options: Sequence[str]) -> None:
    _make_private(path.parent)
    # Under another name first: a second process must never load a file that is half written.
    handle, unfinished = tempfile.mkstemp(suffix=".tmp", dir=path.parent)
    os.close(handle)
    try:
        command = (compiler, *_FLAGS, *options, "-x", "c++", "-", "-o", unfinished, "-ldl")
        result = subprocess.run(command, input=program, capture_output=True, text=True, check=False)
        if result.returncode:
            raise KernelCompileError(result.stderr)
        os.replace(unfinished, path)
    finally:
        Path(unfinished).unlink(missing_ok=True)


def _make_private(folder: Path) -> None:
    # The folder holds machine code that will be run, so nobody else may write there.
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = folder.stat()
    if status.st_uid != os.getuid() or status.st_mode & 0o022:
        raise PermissionError(f"{folder} can be written by another user")


def _allocation(buffer: Buffer) -> _Allocation:
    if not isinstance(buffer.owner, _Allocation):
        raise TypeError("the buffer belongs to another device")
    return buffer.owner


def _content(buffer: Buffer) -> NDArray[np.uint8]:
    allocation = _allocation(buffer)
    offset = buffer.address - allocation.bytes.ctypes.data
    return allocation.bytes[offset : offset + buffer.nbytes]


def _error(library: KernelLibrary, kernel: str, failure: _Failure) -> EmulationError:
    x, y, z = failure.block
    lines = library.source.splitlines()
    text = lines[failure.line - 1].strip() if 0 < failure.line <= len(lines) else ""
    return EmulationError(failure.what.decode(), kernel, (x, y, z), failure.line, text)
