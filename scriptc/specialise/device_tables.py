"""Kernels of a device and the driver's functions, for the machine code of their host."""

import ctypes
from collections.abc import Mapping, Sequence

from scriptc.backends.cuda.backend import Translation, translate
from scriptc.backends.cuda.driver import Driver, open_driver
from scriptc.backends.cuda.schedule import Spread
from scriptc.backends.llvm.routines.device import TABLE
from scriptc.backends.llvm.rules.device import KERNELS
from scriptc.cache.loader import Support
from scriptc.faults import Stage
from scriptc.options import emulated_device
from scriptc_runtime.ir import Module

_DRIVER = "sc_driver"
_OWN = 2  # entries of the table that are none of the driver's


def translated(low: Module) -> Translation:
    """Return the kernels of a module.  Raises UnsupportedError."""
    with Stage("emit cuda", low):
        return translate(low)


def device_tables(
    kernels: Translation, support: Support, cache_folder: str
) -> Mapping[str, Sequence[int]]:
    """Return what machine code finds kernels by, for its symbols; the driver is opened for it.

    Raises MissingToolError.
    """
    driver = open_driver(cache_folder, emulated_device())
    _connect(driver, support)
    if not kernels.kernels:
        return {}
    meeting = {k.name: k.schedule.spread is Spread.ROWS for k in kernels.kernels.values()}
    return {KERNELS: driver.load(kernels.source, meeting)}


def _connect(driver: Driver, support: Support) -> None:
    """Tell the support code the addresses of the driver's functions."""
    libc = ctypes.pythonapi
    reads = ctypes.cast(libc.pthread_getspecific, ctypes.c_void_p).value or 0
    words = (ctypes.c_uint64 * len(TABLE)).from_address(support[_DRIVER])
    words[:] = [driver.stream_key, reads, *driver.addresses(TABLE[_OWN:])]
