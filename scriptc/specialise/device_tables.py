"""Kernels of a device and the driver's functions, for the machine code of their host."""

import ctypes
from collections.abc import Mapping, Sequence

from scriptc.backends.cuda.driver import Driver, open_driver
from scriptc.backends.llvm.routines.device import TABLE
from scriptc.backends.llvm.rules.device import KERNELS
from scriptc.cache.loader import Support
from scriptc.cache.manifest import KernelTexts
from scriptc.cache.store import Store
from scriptc.options import emulated_device

_DRIVER = "sc_driver"
_OWN = 4  # entries of the table that are none of the driver's


def device_tables(
    store: Store, cache_folder: str, kernels: KernelTexts
) -> Mapping[str, Sequence[int]]:
    """Return what machine code finds kernels by, for its symbols; the driver is opened for it.

    What they are compiled to is kept in `store`. Raises MissingToolError.
    """
    driver = open_driver(cache_folder, emulated_device())
    _connect(driver, store.support)
    source, names = kernels
    if not names:
        return {}
    driver.enter()
    meeting = dict(names)
    if driver.is_emulated:
        image = driver.compiled(source, meeting)  # which has a cache of its own
    else:
        text = f"{driver.compiler}\n{source}"
        _, image = store.machine_code(text, lambda: driver.compiled(source, meeting))
    return {KERNELS: driver.load(image, [name for name, _ in names])}


def _connect(driver: Driver, support: Support) -> None:
    """Tell the support code the addresses of the driver's functions."""
    reads = ctypes.cast(ctypes.pythonapi.pthread_getspecific, ctypes.c_void_p).value or 0
    words = (ctypes.c_uint64 * len(TABLE)).from_address(support[_DRIVER])
    room = ctypes.cast(driver.make_room, ctypes.c_void_p).value or 0
    words[:] = [driver.call_key, reads, driver.context, room, *driver.addresses(TABLE[_OWN:])]
