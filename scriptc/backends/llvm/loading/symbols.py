"""The address of every outside name that compiled code may refer to.

Code in the cache holds names, never addresses; they are looked up here when it is loaded.
"""

import ctypes
import sys
from collections.abc import Callable, Mapping
from functools import cache

import numpy as np
import numpy._core._multiarray_umath as umath
import numpy.linalg._umath_linalg as umath_linalg

from scriptc.backends.llvm.loading.random_layout import (
    LAYOUT_SYMBOL,
    distribution_address,
    layout_address,
)
from scriptc_runtime.gufuncs import loops_of
from scriptc_runtime.record import record

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


class SymbolError(LookupError):
    """A name that nothing in this process defines."""


def resolve(name: str) -> int:
    """Return the address of a function or variable of CPython, NumPy, libc, libm or libgcc.

    Raises SymbolError for a name that none of them has.
    """
    if name in NUMPY_API:
        return _numpy_table()[NUMPY_API[name]]
    if name == "PyExc_LinAlgError":
        return ctypes.addressof(_LINALG_ERROR)
    if name == LAYOUT_SYMBOL:
        return layout_address()
    if name.startswith(_RANDOM_PREFIX):
        return _found(name, distribution_address(name.removeprefix(_RANDOM_PREFIX)))
    for prefix, address_of in _BY_PREFIX.items():
        if name.startswith(prefix):
            address = address_of(*name.removeprefix(prefix).rsplit("_", 1))
            return _found(name, address)
    if name.startswith(_LAPACK_PREFIX):
        return _found(name, _lapack(name.removeprefix(_LAPACK_PREFIX)))
    if name.startswith(f"{_BLAS_PREFIX}cblas_"):
        plain = name.removeprefix(_BLAS_PREFIX).rpartition("_")[0]
        routine = cblas(plain)
        # Code compiled beside another NumPy may have been given integers of the other width.
        if routine is not None and name == blas_symbol(plain, wide=routine.wide):
            return routine.address
    addresses = (_find(library, name) for library in _libraries())
    return _found(name, next((a for a in addresses if a is not None), None))


def _found(name: str, address: int | None) -> int:
    if not address:
        raise SymbolError(f"compiled code needs {name!r}, which no library of this process defines")
    return address


@record
class LinearAlgebraRoutine:
    """A BLAS function that came with NumPy."""

    address: int
    wide: bool  # sizes and increments are 64-bit integers (ILP64), otherwise 32-bit


_BLAS_PREFIX = "sc_"


def blas_symbol(name: str, *, wide: bool) -> str:
    """Return how compiled code names a C BLAS function with 64-bit, or 32-bit, integers."""
    return f"{_BLAS_PREFIX}{name}_{'i64' if wide else 'i32'}"


def cblas(name: str) -> LinearAlgebraRoutine | None:
    """Find a C BLAS function, `cblas_dgemm` for example; None where NumPy has none to share."""
    return _first(
        (f"scipy_{name}64_", True),  # wheels of PyPI
        (f"{name}64_", True),
        (f"{name}$NEWLAPACK$ILP64", True),  # Accelerate
        (name, False),  # distributions, conda, MKL
    )


_SORT_PREFIX, _ORDER_PREFIX = "sc_sort_", "sc_order_"
# Where the algorithms stand in the table of an element type's functions, PyArray_ArrFuncs.
_SORT_AT, _ORDER_AT = 33, 36
_ALGORITHMS = {"quicksort": 0, "stable": 2}


def sort_symbol(dtype: str, kind: str, *, order: bool) -> str:
    """Return how compiled code names what sorts elements of a type, or gives their order."""
    return f"{_ORDER_PREFIX if order else _SORT_PREFIX}{dtype}_{kind}"


def sort_address(dtype: str, kind: str) -> int | None:
    """Return the address of NumPy's function that sorts elements of a type, as np.sort does."""
    return _element_function(dtype, _SORT_AT + _ALGORITHMS[kind])


def order_address(dtype: str, kind: str) -> int | None:
    """Return the address of NumPy's function that puts indices in order, as np.argsort does."""
    return _element_function(dtype, _ORDER_AT + _ALGORITHMS[kind])


def _element_function(dtype: str, place: int) -> int | None:
    find = _FUNCTIONS_OF(_numpy_table()[NUMPY_API["_PyDataType_GetArrFuncs"]])
    table = (ctypes.c_void_p * (_ORDER_AT + 3)).from_address(find(np.dtype(dtype)))
    return table[place]


_FUNCTIONS_OF = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object)
_RANDOM_PREFIX = "sc_random."


def random_symbol(name: str) -> str:
    """Return how compiled code names a function of NumPy's C API for random numbers."""
    return f"{_RANDOM_PREFIX}{name}"


_LAPACK_PREFIX = "sc_lapack_"


def lapack_symbol(name: str) -> str:
    """Return how compiled code names a LAPACK routine with 64-bit integers."""
    return f"{_LAPACK_PREFIX}{name}"


def has_lapack(name: str) -> bool:
    """Whether NumPy has come with a LAPACK routine that takes 64-bit integers."""
    return bool(_lapack(name))


def _lapack(name: str) -> int | None:
    # As in wheels of PyPI, and in builds that follow them.
    routine = _first((f"scipy_{name}_64_", True), (f"{name}_64_", True))
    return routine and routine.address


_LOOP_PREFIX, _SETTINGS_PREFIX = "sc_loop_", "sc_settings_"


def loop_symbol(routine: str, letter: str) -> str:
    """Return how compiled code names a loop of NumPy's for an element type."""
    return f"{_LOOP_PREFIX}{routine}_{letter}"


def settings_symbol(routine: str, letter: str) -> str:
    """Return how compiled code names what such a loop is given beside its arrays."""
    return f"{_SETTINGS_PREFIX}{routine}_{letter}"


def loop_address(routine: str, letter: str) -> int | None:
    """Return the address of a loop of a gufunc by its first element type; None if it has none."""
    found = _loop(routine, letter)
    return found and found[0]


def loop_settings(routine: str, letter: str) -> int | None:
    """Return the address of what the loop is given beside its arrays, if anything is."""
    found = _loop(routine, letter)
    return found and found[1]


@cache
def _loop(routine: str, letter: str) -> tuple[int, int] | None:
    found = {_entry(function, letter) for function in loops_of(routine)}
    return found.pop() if len(found) == 1 else None


def _entry(function: np.ufunc, letter: str) -> tuple[int, int] | None:
    # The head of a PyUFuncObject is part of NumPy's ABI.
    head = _UfuncHead.from_address(id(function) + object.__basicsize__)
    counts = (head.inputs, head.outputs, head.operands, head.loops)
    if counts != (function.nin, function.nout, function.nargs, len(function.types)):
        raise SymbolError("NumPy's ufuncs are not laid out as its ABI promises")
    for place, types in enumerate(function.types):
        if types[0] == letter:
            return head.functions[place] or 0, (head.settings[place] or 0) if head.settings else 0
    return None


class _UfuncHead(ctypes.Structure):
    _fields_ = (
        ("inputs", ctypes.c_int),
        ("outputs", ctypes.c_int),
        ("operands", ctypes.c_int),
        ("identity", ctypes.c_int),
        ("functions", ctypes.POINTER(ctypes.c_void_p)),
        ("settings", ctypes.POINTER(ctypes.c_void_p)),
        ("loops", ctypes.c_int),
    )


# How the names of NumPy's own functions begin, and what finds them by what follows.
_BY_PREFIX: Mapping[str, Callable[[str, str], int | None]] = {
    _LOOP_PREFIX: loop_address,
    _SETTINGS_PREFIX: loop_settings,
    _SORT_PREFIX: sort_address,
    _ORDER_PREFIX: order_address,
}


def _first(*candidates: tuple[str, bool]) -> LinearAlgebraRoutine | None:
    for name, wide in candidates:
        # A lookup through a library searches what that library was linked with, too.
        address = _find(_linear_algebra(), name)
        if address is not None:
            return LinearAlgebraRoutine(address, wide)
    return None


def _find(library: ctypes.CDLL, name: str) -> int | None:
    try:
        return ctypes.addressof(ctypes.c_char.in_dll(library, name))
    except ValueError:
        return None


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


@cache
def _linear_algebra() -> ctypes.CDLL:
    # numpy.linalg's own extension module is bound to the library that np.linalg.solve uses.
    return ctypes.CDLL(umath_linalg.__file__)


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

# Compiled code finds a class behind the address of a variable that holds it, as in CPython.
_LINALG_ERROR = ctypes.py_object(np.linalg.LinAlgError)
