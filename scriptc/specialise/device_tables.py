"""Kernels of a device and the driver's functions, for the machine code of their host.

A kernel is compiled when it is launched first: of all that a function has, most calls launch few.
"""

import ctypes
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import count
from threading import RLock
from typing import Any

from scriptc.backends.cuda.driver import Driver, open_driver
from scriptc.backends.llvm.routines.device import TABLE
from scriptc.backends.llvm.rules.device import KERNELS
from scriptc.cache.loader import Support
from scriptc.cache.manifest import KernelTexts
from scriptc.cache.store import Store
from scriptc.options import emulated_device

_DRIVER = "sc_driver"
_OWN = 5  # entries of the table that are none of the driver's
_ENTRY_WORDS = 2  # of a kernel: its handle, and its number among all of this process
_UNKNOWN = 999  # the driver's status for what it has no other for

_numbers = count(1)
_compiling = RLock()


def device_tables(
    store: Store, cache_folder: str, kernels: KernelTexts
) -> Mapping[str, Sequence[int]]:
    """Return what machine code finds kernels by, for its symbols; the driver is opened for it.

    What they are compiled to is kept in `store`. Raises MissingToolError.
    """
    driver = open_driver(cache_folder, emulated_device())
    _connect(driver, store.support)
    if not kernels[1]:
        return {}
    driver.enter()
    made = _Kernels(driver, store, kernels)
    return {KERNELS: [word for number in made.numbers for word in (0, number)]}


class _Kernels:
    """The kernels of one object of machine code."""

    def __init__(self, driver: Driver, store: Store, texts: KernelTexts) -> None:
        self._driver = driver
        self._store = store
        self._texts = texts
        self._compiler = driver.compiler  # so that a missing one is told before the first call
        self.numbers = [next(_numbers) for _ in texts[1]]
        _waiting.update(dict.fromkeys(self.numbers, self))

    def compile(self, entry: int, number: int) -> None:
        """Fill in the handle of a kernel, whose entry in the table is at an address.

        A compiler that is slow to start makes all kernels of the table at once.
        """
        common, kernels = self._texts
        place = self.numbers.index(number)
        alone = self._driver.compiles_apart
        places = [place] if alone else range(len(kernels))
        chosen = [kernels[p] for p in places]
        source = "\n".join((common, *(text for _, _, text in chosen)))
        meeting = {name: meets for name, meets, _ in chosen}
        image = self._image(source, meeting)
        for p, handle in zip(places, self._driver.load(image, list(meeting)), strict=True):
            at = entry + (p - place) * _ENTRY_WORDS * 8
            ctypes.c_uint64.from_address(at).value = handle
            _waiting.pop(self.numbers[p], None)

    def _image(self, source: str, meeting: Mapping[str, bool]) -> bytes:
        driver = self._driver
        if driver.is_emulated:
            return driver.compiled(source, meeting)  # which has a cache of its own
        text = f"{self._compiler}\n{source}"
        return self._store.machine_code(text, lambda: driver.compiled(source, meeting))[1]


# By the numbers of kernels that were not launched yet.
_waiting: dict[int, _Kernels] = {}


@cache
def _compile(driver: Driver) -> Any:
    """Return what machine code calls with the entry of a kernel that is not there yet."""

    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_size_t)
    def compile_entry(entry: int) -> int:
        try:
            with _compiling:
                handle, number = (ctypes.c_uint64 * _ENTRY_WORDS).from_address(entry)
                if not handle:  # no other thread has made it meanwhile
                    _waiting[number].compile(entry, number)
        except BaseException as error:  # which machine code cannot hand on: the call does
            driver.note(error)
            return _UNKNOWN
        return 0

    return compile_entry


def _connect(driver: Driver, support: Support) -> None:
    """Tell the support code the addresses of the driver's functions."""
    reads = ctypes.cast(ctypes.pythonapi.pthread_getspecific, ctypes.c_void_p).value or 0
    words = (ctypes.c_uint64 * len(TABLE)).from_address(support[_DRIVER])
    room, new = (_address(f) for f in (driver.make_room, _compile(driver)))
    own = [driver.call_key, reads, driver.context, room, new]
    words[:] = [*own, *driver.addresses(TABLE[_OWN:])]


def _address(function: Any) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0
