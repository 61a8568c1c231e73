"""Copies of arrays in the memory that compiled code takes its own from; see `SCRIPTC_GUARD`."""

import ctypes
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scriptc.backends.llvm.loading.abi import BLOCK_HEADER


def guarded_copy(array: NDArray[Any], support: Mapping[str, int]) -> NDArray[Any]:
    """Return a copy with the same strides, in a block of its own.  Raises MemoryError.

    `support` has the addresses of the support code. What can be written to is as it was.
    """
    steps = [(n - 1) * s for n, s in zip(array.shape, array.strides, strict=True) if array.size]
    below = -sum(min(step, 0) for step in steps)
    above = sum(max(step, 0) for step in steps) + array.itemsize if array.size else 0
    block = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_int64)(support["sc_alloc"])(below + above)
    if not block:
        raise MemoryError
    own = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p)(support["sc_capsule_new"])
    # ctypes and NumPy's stubs do not know each other's buffers.
    memory: Any = (ctypes.c_char * (below + above)).from_address(block + BLOCK_HEADER)
    memory.owner = own(block)  # released with the last array on this memory
    copy = np.ndarray(array.shape, array.dtype, memory, below, array.strides)
    copy[...] = array
    copy.flags.writeable = array.flags.writeable
    return copy
