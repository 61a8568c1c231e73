"""CUDA C++ to machine code for a GPU, through NVRTC: needs neither a GPU nor a driver.

The result is a cubin. PTX is only for reading: NVRTC writes the newest PTX version, which an older
driver refuses, while it loads a cubin of its own architecture whatever the version.
"""

import ctypes
import ctypes.util
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from scriptc.backends.cuda.device import KernelCompileError, MissingToolError
from scriptc_runtime.errors import Diagnostic
from scriptc_runtime.record import record

_DISTRIBUTION = "nvidia-cuda-nvrtc"
_LIBRARY_NAME = re.compile(r"libnvrtc\.so\.\d+|nvrtc64_\d+_\d+\.dll")
_CUDA_INSTALL = Path("/usr/local/cuda/lib64/libnvrtc.so")

# A kernel gives what NumPy gives: no fused multiply-add, IEEE division and root, denormals kept.
_EXACT = ("--fmad=false", "--prec-div=true", "--prec-sqrt=true", "--ftz=false")
# True up to rounding. Not --use_fast_math, whose sine and exponential are far off for some inputs.
_FAST = ("--fmad=true", "--prec-div=false", "--prec-sqrt=false", "--ftz=true")


@record
class KernelResources:
    """What one kernel takes of a multiprocessor; sizes in bytes, registers and stack per thread."""

    registers: int
    shared: int
    stack: int
    spill_stores: int
    spill_loads: int


@record
class CompiledCubin:
    """Machine code for one architecture, and what the compiler said about it."""

    cubin: bytes
    ptx: str
    log: str
    resources: Mapping[str, KernelResources]


def compile_cubin(source: str, arch: str = "sm_90", *, fast: bool = False) -> CompiledCubin:
    """Compile header-free CUDA C++ for one architecture.

    `fast` allows contraction, approximate division and roots, and flushes denormals.
    Raises `MissingToolError` without NVRTC and `KernelCompileError` with its log.
    """
    options = (
        f"--gpu-architecture={arch}",
        "--std=c++17",
        "--ptxas-options=-v",
        *(_FAST if fast else _EXACT),
    )
    nvrtc = _nvrtc()
    program = ctypes.c_void_p()
    _check(
        nvrtc,
        nvrtc.nvrtcCreateProgram(
            ctypes.byref(program), source.encode(), b"kernels.cu", 0, None, None
        ),
    )
    try:
        encoded = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
        status = nvrtc.nvrtcCompileProgram(program, len(options), encoded)
        log = _text(_output(nvrtc, program, "ProgramLog"))
        if status:
            raise KernelCompileError(log or _message(nvrtc, status))
        cubin = _output(nvrtc, program, "CUBIN")
        ptx = _text(_output(nvrtc, program, "PTX"))
    finally:
        nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return CompiledCubin(cubin, ptx, log, parse_resources(log))


def compile_without_spills(source: str, arch: str) -> CompiledCubin:
    """Compile kernels so that each has the registers that it needs, if a multiprocessor has them.

    NVIDIA's compiler guesses how many blocks shall run at once, and may keep a kernel to so few
    registers that it spills some: such kernels are compiled again, for fewer blocks each time.
    """
    compiled = compile_cubin(source, arch)
    for blocks in (4, 3, 2, 1):
        spilled = [n for n, r in compiled.resources.items() if r.spill_stores + r.spill_loads]
        if not spilled:
            break
        for name in spilled:
            source = re.sub(_BOUNDS.format(name), rf"\g<1>, {blocks})\n{name}(", source)
        compiled = compile_cubin(source, arch)
    return compiled


def nvrtc_version() -> str:
    """Return the version of NVRTC.  Raises MissingToolError."""
    major, minor = ctypes.c_int(), ctypes.c_int()
    nvrtc = _nvrtc()
    _check(nvrtc, nvrtc.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor)))
    return f"{major.value}.{minor.value}"


# Of a kernel of a name: how many threads a block has, and how many blocks are to be resident.
_BOUNDS = r"(__launch_bounds__\(\d+)(?:, \d+)?\)\s{}\("
_ENTRY = re.compile(r"Compiling entry function '(\w+)'")
_QUANTITIES = {
    "registers": re.compile(r"Used (\d+) registers"),
    "shared": re.compile(r"(\d+) bytes smem"),
    "stack": re.compile(r"(\d+) bytes stack frame"),
    "spill_stores": re.compile(r"(\d+) bytes spill stores"),
    "spill_loads": re.compile(r"(\d+) bytes spill loads"),
}


def parse_resources(log: str) -> dict[str, KernelResources]:
    """Read the report of `ptxas -v`: one paragraph per kernel; what is not mentioned is zero."""
    starts = [*_ENTRY.finditer(log)]
    ends = [*(start.start() for start in starts[1:]), len(log)]
    resources: dict[str, KernelResources] = {}
    for start, end in zip(starts, ends, strict=True):
        found = {name: q.search(log, start.end(), end) for name, q in _QUANTITIES.items()}
        amounts = {name: int(match[1]) if match else 0 for name, match in found.items()}
        resources[start[1]] = KernelResources(**amounts)
    return resources


def library_candidates() -> Iterator[str]:
    """Where NVRTC may lie: the wheel on `sys.path` first, then an installed CUDA toolkit."""
    try:
        files = distribution(_DISTRIBUTION).files or ()
    except PackageNotFoundError:
        files = ()
    for file in files:
        if _LIBRARY_NAME.fullmatch(file.name):
            yield str(file.locate())
    if _CUDA_INSTALL.exists():
        yield str(_CUDA_INSTALL)
    if (found := ctypes.util.find_library("nvrtc")) is not None:
        yield found


def load_nvrtc(candidates: Iterable[str]) -> ctypes.CDLL:
    """Load the first candidate that is there. Raises `MissingToolError`."""
    for candidate in candidates:
        library = ctypes.CDLL(candidate)
        library.nvrtcGetErrorString.restype = ctypes.c_char_p
        return library
    raise MissingToolError(
        Diagnostic(
            code="cuda-no-nvrtc",
            message="NVRTC, the CUDA compiler library, was not found",
            why="the CUDA backend compiles its kernels with it",
            instead=f"pip install {_DISTRIBUTION}",
        )
    )


# Loading takes 20 to 50 ms, so it happens once and only when a kernel is compiled.
@cache
def _nvrtc() -> ctypes.CDLL:
    return load_nvrtc(library_candidates())


def _output(nvrtc: ctypes.CDLL, program: ctypes.c_void_p, what: str) -> bytes:
    size = ctypes.c_size_t()
    _check(nvrtc, nvrtc[f"nvrtcGet{what}Size"](program, ctypes.byref(size)))
    content = ctypes.create_string_buffer(size.value)
    _check(nvrtc, nvrtc[f"nvrtcGet{what}"](program, content))
    return content.raw


def _text(content: bytes) -> str:
    return content.rstrip(b"\0").decode(errors="replace")


def _check(nvrtc: ctypes.CDLL, status: int) -> None:
    if status:
        raise KernelCompileError(_message(nvrtc, status))


def _message(nvrtc: ctypes.CDLL, status: int) -> str:
    return _text(nvrtc.nvrtcGetErrorString(status))
