"""The texts that stand in programs, as blocks of memory: one of each in a process, for ever."""

import ctypes
from functools import cache

_MAKER = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object)


@cache
def text_constant(make: int, text: str) -> int:
    """Return the address of a block, made by the routine at `make`.  Raises MemoryError."""
    block = _MAKER(make)(text)
    if not block:
        raise MemoryError
    return block
