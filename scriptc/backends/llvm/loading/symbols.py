"""The address of every outside name that compiled code may refer to.

Code in the cache holds names, never addresses; they are looked up here when it is loaded.
"""

import ctypes
import struct
import sys
from functools import cache

import numpy as np

from scriptc.backends.llvm.loading.libraries import (
    NUMPY_API,
    NUMPYS_OWN,
    SymbolError,
    find_in,
    numpy_api,
)


def resolve(name: str) -> int:
    """Return the address of a function or variable of CPython, NumPy, libc, libm or libgcc.

    Raises SymbolError for a name that none of them has.
    """
    if name in NUMPY_API:
        return numpy_api(name)
    if name in _CLASSES:
        return ctypes.addressof(_CLASSES[name])
    if name.startswith(NUMPYS_OWN):
        # Inside a function: most programs call none, and it makes NumPy load numpy.fft.
        from scriptc.backends.llvm.loading.numpy_routines import routine_address

        address = routine_address(name)
    else:
        addresses = (find_in(library, name) for library in _libraries())
        address = next((a for a in addresses if a is not None), None)
    if not address:
        raise SymbolError(f"compiled code needs {name!r}, which no library of this process defines")
    return address


@cache
def _libraries() -> tuple[ctypes.CDLL, ...]:
    """Return the libraries to search, in order, without those this system lacks."""
    match sys.platform:
        case "linux":
            # libgcc has what a processor lacks: 128-bit division, conversions of half precision.
            names = ("libm.so.6", "libgcc_s.so.1")
        case "darwin":
            names = ("libSystem.dylib",)
        case _:
            names = ("ucrtbase",)
    found: list[ctypes.CDLL] = [ctypes.pythonapi]
    for name in names:
        try:
            found.append(ctypes.CDLL(name))
        except OSError:
            continue  # musl has all in libc, which is searched with CPython
    return tuple(found)


# Compiled code finds a class behind the address of a variable that holds it, as in CPython.
_CLASSES = {
    "PyExc_LinAlgError": ctypes.py_object(np.linalg.LinAlgError),
    "PyExc_error": ctypes.py_object(struct.error),
}
