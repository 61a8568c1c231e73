"""What a call with arrays of CuPy's costs beside making its result.

The driver is one whose calls return at once, so what is measured is Python's and scriptc's part: an
expression of three arrays is one allocation, one launch, one array of CuPy's. Nothing is computed,
and no device is needed; CuPy and g++ are.

    SCRIPTC_EMULATE_CUDA=1 python -m tests.benchmarks.bench_device_calls
"""

# Results have no annotations, and CuPy has no types.
# pyright: basic

import ctypes
import importlib
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

from scriptc import script
from scriptc.backends.llvm.entry import device_arrays
from scriptc.backends.llvm.routines import device
from scriptc.options import from_environment
from scriptc.scripted_function import store_of
from tests.support.device_calls import OnDevice

# CuPy is no dependency of the tests: it is looked for when this file runs.
cupy = importlib.import_module("cupy")

ROUNDS, CALLS = 200, 500


@script
def fused(x, y, z):
    """Return what one kernel computes of three arrays."""
    return np.exp(x) * y + z


def on_device(array: np.ndarray) -> object:
    """Return a CuPy array over memory of the emulated device."""
    held = OnDevice(array)
    address = held.__cuda_array_interface__["data"][0]
    memory = cupy.cuda.UnownedMemory(address, array.nbytes, held, 0)
    return cupy.ndarray(array.shape, array.dtype, cupy.cuda.MemoryPointer(memory, 0))


def made() -> object:
    """Return what a caller would make of a result's address."""
    memory = cupy.cuda.UnownedMemory(0x6A0000000000, 8000, None, 0)
    return cupy.ndarray((1000,), _F64, cupy.cuda.MemoryPointer(memory, 0))


_F64 = np.dtype(np.float64)


class NullDriver:
    """In the place of the driver whose functions machine code has, for as long as it is entered."""

    def __init__(self, folder: Path) -> None:
        source, built = Path(__file__).with_name("null_driver.cpp"), folder / "null.so"
        subprocess.run(["g++", "-O2", "-shared", "-fPIC", source, "-o", built], check=True)
        self._library = ctypes.CDLL(str(built))
        support = store_of(from_environment().cache_dir).support
        self._tables = [
            (_words(support["sc_driver"], device.TABLE), device.TABLE),
            (_words(support["sc_device_arrays"], device_arrays.TABLE), device_arrays.TABLE),
        ]
        self._before = [list(words) for words, _ in self._tables]

    def __enter__(self) -> None:
        for words, names in self._tables:
            for place, name in enumerate(names):
                function = "current_stream" if name == "stream" else name
                if (name.startswith("cu") and hasattr(self._library, name)) or name == "stream":
                    words[place] = ctypes.cast(self._library[function], ctypes.c_void_p).value or 0

    def __exit__(self, *_: object) -> None:
        for (words, _), before in zip(self._tables, self._before, strict=True):
            words[:] = before


def _words(address: int, names: tuple[str, ...]) -> ctypes.Array[ctypes.c_uint64]:
    return (ctypes.c_uint64 * len(names)).from_address(address)


def _timed(function, *arguments) -> float:
    start = time.perf_counter_ns()
    for _ in range(CALLS):
        function(*arguments)
    return (time.perf_counter_ns() - start) / CALLS / 1000.0


def main() -> None:
    """Print the medians of both, one after the other in turn, and what is between them."""
    given = [on_device(np.linspace(0.0, 1.0, 1000)) for _ in range(3)]
    fused(*given)
    with tempfile.TemporaryDirectory() as folder, NullDriver(Path(folder)):
        rounds = [(_timed(made), _timed(fused, *given)) for _ in range(ROUNDS)]
    result, call = (statistics.median(times) for times in zip(*rounds, strict=True))
    above = statistics.median(b - a for a, b in rounds)
    print(f"the result's object  {result:6.2f} us")
    print(f"a call               {call:6.2f} us, {call / result:.2f} times as much")
    print(f"above the object     {above:6.2f} us")


if __name__ == "__main__":
    main()
