"""CuPy's arrays in machine code: where they keep what is read of them, and how one is made.

CuPy's objects have no layout that is written down. So a sample is made over an address that is
never looked at, its words are searched for what its attributes say, and a second sample must agree;
where one does not, calls take the way of all other libraries (`backends/cuda/foreign.py`).
"""

import ctypes
import os
import struct
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from itertools import pairwise
from typing import Any, cast

import numpy as np

from scriptc.backends.cuda.call_state import CallState
from scriptc.backends.cuda.driver import Driver, open_driver
from scriptc.backends.llvm.entry.device_arrays import TABLE
from scriptc.options import emulated_device

_TABLE = "sc_device_arrays"
_SAMPLE, _OTHER = 0x6A0000000000, 0x6B0000000000  # addresses that nothing reads
_SIGNATURE = b"intptr_t (void)"
_AT_ONCE = 2  # calls; more take the slow path
_PER_THREAD = 2  # streams up to here are the driver's own and live on

_connected: list[object] = []  # what machine code refers to


def connect_cupy(cache_folder: str, support: Mapping[str, int]) -> bool:
    """Tell machine code how to read and make arrays of CuPy's; False where that is not known."""
    if not _connected:
        driver = open_driver(cache_folder, emulated_device())
        places, stream = _places(), _stream_function(driver)
        if places is None or stream is None:
            return False
        cupy = cast(Any, import_module("cupy"))
        made = _maker()
        own = {
            **{"ndarray": id(cupy.ndarray), "MemoryPointer": id(cupy.cuda.MemoryPointer)},
            **{"made": id(made), "context": driver.context, "stream": stream},
            "keep": ctypes.cast(ctypes.pythonapi.pthread_setspecific, ctypes.c_void_p).value,
        }
        asked = [name for name in TABLE if name.startswith("cu")]
        own |= dict(zip(asked, driver.addresses(asked), strict=True))
        states = [CallState(driver) for _ in range(_AT_ONCE)]
        nodes = [(ctypes.c_uint64 * 3)(0, state.address, 0) for state in states]
        for node, following in pairwise(nodes):
            node[0] = ctypes.addressof(following)
        own["idle"] = ctypes.addressof(nodes[0])
        words = (ctypes.c_uint64 * len(TABLE)).from_address(support[_TABLE])
        # The class comes last: by it another thread knows that the rest is there.
        for number, name in reversed(list(enumerate(TABLE))):
            words[number] = {**own, **places}[name] or 0
        # A forked process has no driver: there, the slow path tells.
        os.register_at_fork(after_in_child=partial(words.__setitem__, TABLE.index("ndarray"), 0))
        _connected.extend((cupy.ndarray, cupy.cuda.MemoryPointer, made, states, nodes))
    return True


def _stream_function(driver: Driver) -> int | None:
    """Return the address of what tells a thread's current stream; 0 where there are no streams.

    None where CuPy has no such function, or one of other types.
    """
    if driver.is_emulated:
        return 0
    stream = cast(Any, import_module("cupy_backends.cuda.stream"))
    capsule = getattr(stream, "__pyx_capi__", {}).get("get_current_stream_ptr")
    make = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
    try:
        return cast(int, make(("PyCapsule_GetPointer", ctypes.pythonapi))(capsule, _SIGNATURE))
    except ValueError:
        return None


def _maker() -> Callable[..., object]:
    """Return what makes an array of CuPy's of an address; `base` keeps the memory."""
    cupy = cast(Any, import_module("cupy"))
    array, pointer, unowned = cupy.ndarray, cupy.cuda.MemoryPointer, cupy.cuda.UnownedMemory
    dtypes = {
        number: np.dtype(code) for code in "?bBhHiIlLqQefdFD" for number in [np.dtype(code).num]
    }
    current = cupy.cuda.get_current_stream

    def made(
        address: int,
        nbytes: int,
        base: object,
        number: int,
        stream: int,
        shape: Sequence[int],
        strides: Sequence[int] | None = None,
    ) -> object:
        if stream > _PER_THREAD:
            base = (base, current())  # the memory is given back to it
        if strides is None:
            return array(shape, dtypes[number], pointer(unowned(address, nbytes, base, 0), 0))
        extents = [(n - 1) * s for n, s in zip(shape, strides, strict=True)] if nbytes else []
        low = sum(e for e in extents if e < 0)
        size = sum(map(abs, extents)) + dtypes[number].itemsize
        memory = unowned(address + low, size, base, 0)
        return array(shape, dtypes[number], pointer(memory, -low), strides)

    return made


@cache
def _places() -> Mapping[str, int] | None:
    """Return where an array keeps what is read of it, in bytes; None where samples do not agree."""
    first = _sample(_SAMPLE, (11, 13, 17), np.dtype("f4"))
    found = _searched(first)
    if found is None:
        return None
    for address, shape, dtype in (
        (_OTHER, (5,), "c16"),
        (_SAMPLE, (), "i8"),
        (_OTHER, (3, 7), "?"),
    ):
        if not _agrees(found, _sample(address, shape, np.dtype(dtype))):
            return None
    return found


def _sample(address: int, shape: tuple[int, ...], dtype: "np.dtype[Any]") -> Any:
    """Return an array whose strides are turned around, so that they differ from sizes."""
    cupy = cast(Any, import_module("cupy"))
    memory = cupy.cuda.UnownedMemory(address, 1 << 20, None, 0)
    strides = (
        np.empty(shape, dtype).T.strides if len(shape) > 1 else (dtype.itemsize * 3,) * len(shape)
    )
    return cupy.ndarray(shape, dtype, cupy.cuda.MemoryPointer(memory, 48), strides)


def _words(value: object) -> Sequence[int]:
    count = type(value).__basicsize__ // 8
    return struct.unpack(f"{count}Q", ctypes.string_at(id(value), 8 * count))


def _searched(array: Any) -> Mapping[str, int] | None:
    """Return where a sample keeps things, by what they are."""
    words, held = _words(array), _words(array.data)
    own = [8 * i for i, word in enumerate(words) if word == id(array.dtype)]
    data = [8 * i for i, word in enumerate(words) if word == id(array.data)]
    address = [8 * i for i, word in enumerate(held) if word == int(array.data.ptr)]
    pairs = range(len(words) - 1)
    vectors = {
        name: [
            8 * i for i in pairs if _vector(words[i], words[i + 1]) == tuple(getattr(array, name))
        ]
        for name in ("shape", "strides")
    }
    every = (own, data, address, *vectors.values())
    if any(len(places) != 1 for places in every):
        return None
    # The device's number follows the address, which has no neighbour of the same value.
    return {
        **{name: places[0] for name, places in vectors.items()},
        **{"dtype": own[0], "data": data[0], "address": address[0], "device": address[0] + 8},
    }


def _vector(start: int, end: int) -> tuple[int, ...] | None:
    """Return the numbers between two addresses; None where these are no two of one vector."""
    size = end - start
    if not (0 < size <= 8 * 64 and size % 8 == 0 and start % 8 == 0 and start > 1 << 16):
        return None
    return struct.unpack(f"{size // 8}q", ctypes.string_at(start, size))


def _agrees(places: Mapping[str, int], array: Any) -> bool:
    words, held = _words(array), _words(array.data)

    def vector(name: str) -> tuple[int, ...] | None:
        first = places[name] // 8
        start, end = words[first], words[first + 1]
        return () if start == end else _vector(start, end)

    return (
        vector("shape") == tuple(array.shape)
        and vector("strides") == tuple(array.strides)
        and words[places["dtype"] // 8] == id(array.dtype)
        and words[places["data"] // 8] == id(array.data)
        and held[places["address"] // 8] == int(array.data.ptr)
        and held[places["device"] // 8] & 0xFFFFFFFF == int(array.data.device_id)
    )
