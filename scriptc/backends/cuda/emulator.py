"""The CPU plays a CUDA device: for tests of the CUDA backend on machines without a GPU.

The CUDA source is compiled with g++ against `emulator.h`, which says how threads, barriers and
warp collectives are played. Mistakes that a GPU would answer with wrong numbers or a hang are
raised as `EmulationError`: divergent barriers, deadlocks, arguments that do not fit the kernel,
writes beside a buffer. Memory is filled with 0xFF, so reading what was not written gives NaN or -1.

In shadow mode every access is watched, too (`shadow.cpp`): it must lie in its buffer, be aligned,
read what was written, and race with no other. Launches can be counted then: see `Traffic`.
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
from functools import cache
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

_FOLDER = Path(__file__).parent
_HEADER = _FOLDER / "emulator.h"
_LAUNCH_HEADER = _FOLDER / "emulated_launch.h"
_HEADERS = (_HEADER, _LAUNCH_HEADER, _FOLDER / "shadow.h", _FOLDER / "emulated_functions.h")
_DRIVER = _FOLDER / "driver_stub.cpp"
_SHADOW = _FOLDER / "shadow.cpp"
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
    "-fno-math-errno",  # a root is an instruction then, and no call of libm
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
        ("watch", ctypes.c_void_p),
        ("regions", ctypes.c_void_p),
        ("region_count", ctypes.c_size_t),
        ("traffic", ctypes.c_void_p),
    )


class _Region(ctypes.Structure):
    _fields_ = (
        ("begin", ctypes.c_void_p),
        ("bytes", ctypes.c_size_t),
        ("written", ctypes.c_void_p),
    )


class Traffic(ctypes.Structure):
    """What a launch moved; sectors are of 32 bytes, and `longest` is of the busiest thread."""

    _fields_ = (
        ("read_bytes", ctypes.c_uint64),
        ("written_bytes", ctypes.c_uint64),
        ("read_sectors", ctypes.c_uint64),
        ("written_sectors", ctypes.c_uint64),
        ("warp_sectors", ctypes.c_uint64),
        ("bank_conflicts", ctypes.c_uint64),
        ("longest", ctypes.c_uint64),
    )

    read_bytes: int
    written_bytes: int
    read_sectors: int
    written_sectors: int
    warp_sectors: int
    bank_conflicts: int
    longest: int


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
    """The bytes of one buffer between two fences, and which of them were written."""

    bytes: NDArray[np.uint8]
    start: int
    stop: int
    written: NDArray[np.bool_]

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
        shadow: bool = False,
    ) -> None:
        check_host(platform.system(), platform.machine())
        self._cache = cache
        self._schedule = schedule
        self._seed = seed
        self._compiler = find_compiler(compiler)
        self._options = ("-include", str(_HEADER), *(("-DSC_SHADOW",) if shadow else ()))
        self._watcher = ctypes.CDLL(str(self._shadow())) if shadow else None

    @property
    def watch(self) -> int:
        """The address of what watches accesses; 0 where they are not."""
        if self._watcher is None:
            return 0
        found = self._watcher.emulated_watch
        found.restype = ctypes.c_void_p
        return int(found())

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
        program = f'#line 1 "kernels.cu"\n{source}\n#line 1 "entries"\n{entries}'
        return self._built(program, self._options)

    def driver(self) -> Path:
        """Return the driver whose device is this processor, compiled if need be."""
        return self._built(_DRIVER.read_text(encoding="utf-8"), ("-include", str(_LAUNCH_HEADER)))

    def _shadow(self) -> Path:
        return self._built(_SHADOW.read_text(encoding="utf-8"), ("-include", str(_LAUNCH_HEADER)))

    def _built(self, program: str, options: Sequence[str]) -> Path:
        headers = (header.read_text(encoding="utf-8") for header in _HEADERS)
        flags = repr((_FLAGS, _processor_flags(), "-DSC_SHADOW" in options))
        parts = (program, *headers, flags, _version(self._compiler))
        key = hashlib.sha256("\0".join(parts).encode()).hexdigest()
        path = self._cache / f"{key[:32]}.so"
        if not path.exists():
            _build(program, self._compiler, path, options)
        return path

    def empty(self, nbytes: int) -> Buffer:
        """Allocate poisoned memory between fences that every launch checks."""
        raw = np.full(nbytes + 2 * _FENCE_BYTES + _ALIGNMENT, _POISON, np.uint8)
        start = _FENCE_BYTES + -(raw.ctypes.data + _FENCE_BYTES) % _ALIGNMENT
        allocation = _Allocation(raw, start, start + nbytes, np.zeros(nbytes, np.bool_))
        return Buffer(raw.ctypes.data + start, nbytes, allocation)

    def to_device(self, array: NDArray[np.generic]) -> Buffer:
        """Copy an array into a new buffer."""
        buffer = self.empty(array.nbytes)
        _content(buffer)[:] = np.frombuffer(array.tobytes(), np.uint8)
        _allocation(buffer).written[:] = True
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
        traffic: Traffic | None = None,
    ) -> None:
        """Run a kernel to its end; in shadow mode count its `traffic`. Raises `EmulationError`."""
        check_geometry(grid, block)
        packed = pack_arguments(args)
        request = _Launch(
            grid, block, self._schedule, self._seed, synchronises, packed.kinds.encode()
        )
        regions = _regions(args)
        request.watch, request.region_count = self.watch, len(regions)
        request.regions = ctypes.addressof(regions)
        request.traffic = ctypes.addressof(traffic) if traffic is not None else None
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


@cache
def _processor_flags() -> Sequence[str]:
    """Return the flags for fused products and for roundings without calls, where there are such."""
    try:
        known = Path("/proc/cpuinfo").read_text(encoding="utf-8").partition("flags")[2].split()
    except OSError:
        return ()
    return [f"-m{name.replace('_', '.')}" for name in ("fma", "sse4_1") if name in known]


@cache
def _version(compiler: str) -> str:
    command = (compiler, "-dumpfullversion", "-dumpmachine")
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _build(program: str, compiler: str, path: Path, options: Sequence[str]) -> None:
    _make_private(path.parent)
    # Under another name first: a second process must never load a file that is half written.
    handle, unfinished = tempfile.mkstemp(suffix=".tmp", dir=path.parent)
    os.close(handle)
    try:
        flags = (*_FLAGS, *_processor_flags(), *options)
        command = (compiler, *flags, "-x", "c++", "-", "-o", unfinished, "-ldl")
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


def _regions(args: Sequence[Argument]) -> ctypes.Array[_Region]:
    """Return the memory of buffers, as a watched launch is told of it."""
    owned = {id(a.owner): _allocation(a) for a in args if isinstance(a, Buffer)}.values()
    starts = [(a.bytes.ctypes.data + a.start, a.stop - a.start, a.written) for a in owned]
    made = [_Region(begin, size, written.ctypes.data) for begin, size, written in starts]
    return (_Region * len(made))(*made)


def _content(buffer: Buffer) -> NDArray[np.uint8]:
    allocation = _allocation(buffer)
    offset = buffer.address - allocation.bytes.ctypes.data
    return allocation.bytes[offset : offset + buffer.nbytes]


def _error(library: KernelLibrary, kernel: str, failure: _Failure) -> EmulationError:
    x, y, z = failure.block
    lines = library.source.splitlines()
    text = lines[failure.line - 1].strip() if 0 < failure.line <= len(lines) else ""
    return EmulationError(failure.what.decode(), kernel, (x, y, z), failure.line, text)
