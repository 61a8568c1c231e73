"""Where names are found in the libraries of this process, and in the table of NumPy's C API."""

import ctypes
from collections.abc import Mapping
from functools import cache

import numpy as np
import numpy._core._multiarray_umath as umath

# Positions in the table of NumPy's C API. They are part of its ABI: new functions are added at the
# end. A test compares them with the header that NumPy installs.
NUMPY_API: Mapping[str, int] = {
    "PyArray_GetNDArrayCVersion": 0,
    "PyArray_Type": 2,
    "PyArrayDescr_Type": 3,
    "PyArray_DescrFromType": 45,
    "PyArray_CopyInto": 50,
    "PyArray_Scalar": 60,
    "PyArray_NewCopy": 85,
    "PyArray_New": 93,
    "PyArray_NewFromDescr": 94,
    "PyArray_Zeros": 183,
    "PyArray_Empty": 184,
    "PyArray_SetBaseObject": 282,
    "_PyDataType_GetArrFuncs": 365,
}
# How the names begin of what NumPy computes with: see `numpy_routines.py`.
NUMPYS_OWN = "sc_"


class SymbolError(LookupError):
    """A name that nothing in this process defines."""


def numpy_api(name: str) -> int:
    """Return the address of a function or variable of NumPy's C API."""
    return _numpy_table()[NUMPY_API[name]]


def find_in(library: ctypes.CDLL, name: str) -> int | None:
    """Return the address of a name in a library, or in what that was linked with."""
    try:
        return ctypes.addressof(ctypes.c_char.in_dll(library, name))
    except ValueError:
        return None


@cache
def _numpy_table() -> Mapping[int, int]:
    """NumPy's C API: position to address, for the positions that are used."""
    capsule: object = vars(umath)["_ARRAY_API"]
    pointer = _CAPSULE_POINTER(("PyCapsule_GetPointer", ctypes.pythonapi))(capsule, None)
    table = (ctypes.c_void_p * (1 + max(NUMPY_API.values()))).from_address(pointer)
    if table[NUMPY_API["PyArray_Type"]] != id(np.ndarray):
        raise SymbolError("NumPy's C API is not laid out as its ABI promises")
    return {index: table[index] for index in NUMPY_API.values()}


# A prototype of our own: the types set on the shared `ctypes.pythonapi` functions are global state.
_CAPSULE_POINTER = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
