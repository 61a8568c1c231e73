"""The CUDA driver: memory, copies, modules and launches, through NVIDIA's library or one like it.

    driver = open_driver(cache, emulated_device())
    kernels = driver.load(driver.compiled(source, {"softmax": True}), ["softmax"])
    x = driver.new(4096)

`libcuda` is the driver of a GPU.  With `SCRIPTC_EMULATE_CUDA=1` it is a library with the same
functions whose device is this processor (`driver_stub.cpp`): slow, and for tests.  With `guard` in
the place of 1, code of the host that touches the device's memory is killed, as a GPU would do.
With `shadow`, kernels are watched besides: see `emulator.py`.
"""

import ctypes
import os
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache, cached_property
from pathlib import Path
from threading import local
from typing import Any, cast

from scriptc.backends.cuda.device import MissingToolError
from scriptc.backends.cuda.emulator import EmulatedDevice, Traffic
from scriptc.backends.cuda.nvrtc import compile_without_spills, nvrtc_version
from scriptc_runtime.errors import Diagnostic

_NAMES = ("libcuda.so.1", "nvcuda.dll")
_OUT_OF_MEMORY = 2
_MAJOR, _MINOR = 75, 76  # attributes: the compute capability


# A prototype of our own: the types set on functions of `ctypes.pythonapi` are global state.
_KEPT = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_uint)


class DriverError(RuntimeError):
    """A call that the CUDA driver refused, or work on the device that failed."""


class Driver:
    """The driver's functions, and the context that a process shares with all who use its GPU."""

    def __init__(self, library: ctypes.CDLL, emulated: EmulatedDevice | None) -> None:
        self._library = library
        self._emulated = emulated
        self._process = os.getpid()
        self._noted = local()
        self.call("cuInit", ctypes.c_uint(0))
        self._device = ctypes.c_int()
        self.call("cuDeviceGet", ctypes.byref(self._device), ctypes.c_int(0))
        self._context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(self._context), self._device)

    def counted(self, name: str) -> int:
        """Return how often an emulated driver was asked; of `live`, how much is allocated."""
        count = self._library.emulated_count
        count.restype = ctypes.c_longlong
        return int(count(name.encode()))

    def count_launches(self, *, wanted: bool) -> None:
        """Let an emulated device in shadow mode count what launches move, from now on."""
        self._library.emulated_counting(ctypes.c_int(wanted))

    def launches(self) -> list[tuple[str, Traffic]]:
        """Return the launches that were counted: the kernel's name, and what it moved."""
        found = list[tuple[str, Traffic]]()
        launched = self._library.emulated_launch
        launched.restype = ctypes.c_char_p
        while name := launched(ctypes.c_uint(len(found)), ctypes.byref(traffic := Traffic())):
            found.append((name.decode(), traffic))
        return found

    def play(self, schedule: int, seed: int = 1) -> None:
        """Have an emulated device take its threads in another order."""
        self._library.emulated_schedule(ctypes.c_int(schedule), ctypes.c_uint(seed))

    def limit_memory(self, nbytes: int) -> None:
        """Let an emulated device have so much memory."""
        self._library.emulated_limit(ctypes.c_ulonglong(nbytes))

    @property
    def is_emulated(self) -> bool:
        """Whether this processor plays the device."""
        return self._emulated is not None

    def call(self, name: str, *arguments: object) -> None:
        """Call a function of the driver.  Raises DriverError, MemoryError."""
        status: int = self._library[name](*arguments)
        if status == _OUT_OF_MEMORY:
            raise MemoryError(f"the CUDA device has no memory left ({name})")
        if status:
            raise DriverError(f"{name} failed: {self.explain(status)}")

    def found_by_emulation(self) -> str:
        """Return what an emulated device refused since it was asked last; "" is nothing."""
        if self._emulated is None:
            return ""
        said = self._library.emulated_message
        said.restype = ctypes.c_char_p
        return said().decode()

    def explain(self, status: int) -> str:
        """Return what a status of the driver says."""
        if self._emulated is not None:
            return f"error {status}, {self.found_by_emulation()}"
        text = ctypes.c_char_p()
        self._library.cuGetErrorString(ctypes.c_int(status), ctypes.byref(text))
        return f"error {status}, {(text.value or b'unknown').decode()}"

    def enter(self) -> int | None:
        """Make the context that of this thread, and return the one before, as an address.

        Raises MissingToolError in a process that was forked from the one that opened the driver.
        """
        if os.getpid() != self._process:
            raise MissingToolError(_FORKED)
        current = ctypes.c_void_p()
        self.call("cuCtxGetCurrent", ctypes.byref(current))
        if current.value != self._context.value:
            self.call("cuCtxSetCurrent", self._context)
        return current.value

    def leave(self, before: int | None) -> None:
        """Give this thread the context back that it had before."""
        if before != self._context.value:
            self.call("cuCtxSetCurrent", ctypes.c_void_p(before))

    @contextmanager
    def entered(self) -> Generator[None]:
        """Have the context be that of this thread for as long as it is entered."""
        before = self.enter()
        try:
            yield
        finally:
            self.leave(before)

    def drop(self, address: int, stream: int = 0) -> None:
        """Give memory back whenever its last owner goes; in a forked process, there is none."""
        if os.getpid() == self._process:
            with self.entered():
                self.free(address, stream)

    @cached_property
    def call_key(self) -> int:
        """The key by which each thread keeps the state of the call that it runs."""
        key = ctypes.c_uint()
        ctypes.pythonapi.pthread_key_create(ctypes.byref(key), None)
        return key.value

    def kept_by_thread(self) -> int | None:
        """Return the address of the state that this thread keeps."""
        return _KEPT(("pthread_getspecific", ctypes.pythonapi))(self.call_key)

    def keep_by_thread(self, state: int | None) -> None:
        """Let this thread keep the address of a state."""
        ctypes.pythonapi.pthread_setspecific(ctypes.c_uint(self.call_key), ctypes.c_void_p(state))

    @property
    def context(self) -> int:
        """The address of the context."""
        return self._context.value or 0

    def addresses(self, names: Sequence[str]) -> list[int]:
        """Return the addresses of functions of the driver."""
        found = [ctypes.cast(self._library[name], ctypes.c_void_p).value for name in names]
        return [address or 0 for address in found]

    def load(self, image: bytes, kernels: Sequence[str]) -> list[int]:
        """Return the handles of kernels that were compiled."""
        module = ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), image)
        handles: list[int] = []
        for name in kernels:
            handle = ctypes.c_void_p()
            self.call("cuModuleGetFunction", ctypes.byref(handle), module, name.encode())
            handles.append(handle.value or 0)
        return handles

    @property
    def compiles_apart(self) -> bool:
        """Whether one kernel is compiled in a small part of the time that several take."""
        return not self.is_emulated

    def note(self, error: BaseException) -> None:
        """Keep what went wrong while machine code of this thread waited for a kernel."""
        self._noted.error = error

    def noted(self) -> BaseException | None:
        """Return what was noted in this thread, once."""
        found: BaseException | None = getattr(self._noted, "error", None)
        self._noted.error = None
        return found

    @property
    def compiler(self) -> str:
        """What machine code for the device depends on, but for the source."""
        if self._emulated is not None:
            return ""
        return f"{nvrtc_version()} {self.architecture}"

    def compiled(self, source: str, kernels: Mapping[str, bool]) -> bytes:
        """Return kernels as `load` takes them; each is told whether its threads meet.

        Raises MissingToolError.
        """
        if self._emulated is not None:
            return str(self._emulated.image(source, kernels)).encode() + b"\0"
        return compile_without_spills(source, self.architecture).cubin

    @property
    def architecture(self) -> str:
        """The device's architecture, such as "sm_90"."""
        version = [self._attribute(a) for a in (_MAJOR, _MINOR)]
        return f"sm_{version[0]}{version[1]}"

    def _attribute(self, number: int) -> int:
        value = ctypes.c_int()
        self.call("cuDeviceGetAttribute", ctypes.byref(value), ctypes.c_int(number), self._device)
        return value.value

    @property
    def name(self) -> str:
        """The device's name."""
        text = ctypes.create_string_buffer(256)
        self.call("cuDeviceGetName", text, ctypes.c_int(len(text)), self._device)
        return text.value.decode()

    @property
    def version(self) -> str:
        """The newest version of CUDA that the driver knows, such as "13.0"."""
        found = ctypes.c_int()
        self.call("cuDriverGetVersion", ctypes.byref(found))
        return f"{found.value // 1000}.{found.value % 1000 // 10}"

    @property
    def memory(self) -> tuple[int, int]:
        """How many bytes of the device are free, and how many there are."""
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        self.call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
        return free.value, total.value

    # Memory. Addresses are plain numbers; streams, too, 0 stands for the default one.

    def new(self, nbytes: int, stream: int = 0) -> int:
        """Return the address of new memory."""
        try:
            return self._new(nbytes, stream)
        except MemoryError:
            self._make_room()
        return self._new(nbytes, stream)

    def _new(self, nbytes: int, stream: int) -> int:
        address = ctypes.c_size_t()
        size = ctypes.c_size_t(max(nbytes, 1))
        self.call("cuMemAllocAsync", ctypes.byref(address), size, ctypes.c_void_p(stream))
        return address.value

    @cached_property
    def make_room(self) -> Any:
        """What machine code calls where memory is missing, before it asks once more."""
        return ctypes.CFUNCTYPE(None)(self._make_room)

    def _make_room(self) -> None:
        """Have memory given back that is kept for later: by other libraries, and by the driver."""
        # A library may be loaded that finds no device of its own, which is no fault of this call.
        with suppress(RuntimeError):
            if (cupy := cast(Any, sys.modules.get("cupy"))) is not None:
                cupy.get_default_memory_pool().free_all_blocks()
            torch = cast(Any, sys.modules.get("torch"))
            if torch is not None and torch.cuda.is_available():
                torch.cuda.empty_cache()
        # What goes wrong here, the next allocation tells.
        pool = ctypes.c_void_p()
        self._library.cuCtxSynchronize()
        self._library.cuDeviceGetDefaultMemPool(ctypes.byref(pool), self._device)
        self._library.cuMemPoolTrimTo(pool, ctypes.c_size_t(0))

    def free(self, address: int, stream: int = 0) -> None:
        """Give memory back, when the stream has come so far."""
        self.call("cuMemFreeAsync", ctypes.c_size_t(address), ctypes.c_void_p(stream))

    def copy_in(self, to: int, host: int, nbytes: int, stream: int = 0) -> None:
        """Copy bytes at an address of the host to the device."""
        places = ctypes.c_size_t(to), ctypes.c_void_p(host), ctypes.c_size_t(nbytes)
        self.call("cuMemcpyHtoDAsync_v2", *places, ctypes.c_void_p(stream))

    def copy_out(self, host: int, source: int, nbytes: int, stream: int = 0) -> None:
        """Copy bytes of the device to an address of the host, once all before is done."""
        places = ctypes.c_void_p(host), ctypes.c_size_t(source), ctypes.c_size_t(nbytes)
        self.call("cuMemcpyDtoHAsync_v2", *places, ctypes.c_void_p(stream))
        self.wait(stream)

    def wait(self, stream: int = 0) -> None:
        """Wait until a stream has done all that went to it."""
        self.call("cuStreamSynchronize", ctypes.c_void_p(stream))

    def allocation(self, address: int) -> tuple[int, int]:
        """Return where the allocation that an address lies in starts, and its bytes."""
        base, size = ctypes.c_size_t(), ctypes.c_size_t()
        found = ctypes.byref(base), ctypes.byref(size), ctypes.c_size_t(address)
        self.call("cuMemGetAddressRange_v2", *found)
        return base.value, size.value


_FORKED = Diagnostic(
    code="cuda-forked",
    message="this process was forked from one that had used the GPU",
    why="the driver's context does not survive a fork",
    instead="start processes by multiprocessing.get_context('spawn'), or fork before the first "
    "call that runs on the GPU",
)


@cache
def open_driver(cache_folder: str, emulate: str) -> Driver:
    """Return the driver of this process; `emulate` is as `options.emulated_device` says.

    Raises MissingToolError where there is none.
    """
    if emulate:
        emulated = EmulatedDevice(Path(cache_folder) / "emulated", shadow=emulate == "shadow")
        library = ctypes.CDLL(str(emulated.driver()))
        library.emulated_guard(ctypes.c_int(emulate in ("guard", "shadow")))
        library.emulated_watched(ctypes.c_void_p(emulated.watch))
        return Driver(library, emulated)
    for name in _NAMES:
        try:
            return Driver(ctypes.CDLL(name), None)
        except OSError:
            continue
    raise MissingToolError(
        Diagnostic(
            code="cuda-no-driver",
            message="there is no CUDA driver on this machine",
            why="backend='cuda' runs kernels on an NVIDIA GPU, through its driver",
            instead="install the driver, use backend='llvm', or set SCRIPTC_EMULATE_CUDA=1, with "
            "which this processor plays the GPU, slowly, for tests",
        )
    )
