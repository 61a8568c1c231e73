"""The address of what NumPy computes with: its BLAS and LAPACK, its loops, sorts and distributions.

Compiled code names each of these by a symbol of our own that begins with "sc_".
"""

import ctypes
from collections.abc import Callable, Mapping
from functools import cache

import numpy as np
import numpy.linalg._umath_linalg as umath_linalg

from scriptc.backends.llvm.loading import random_layout
from scriptc.backends.llvm.loading.libraries import NUMPYS_OWN, SymbolError, find_in, numpy_api
from scriptc_runtime import gufuncs
from scriptc_runtime.record import record


def routine_address(symbol: str) -> int | None:
    """Return the address of what a symbol stands for; None where this NumPy does not have it."""
    if symbol == random_layout.LAYOUT_SYMBOL:
        return random_layout.layout_address()
    if symbol.startswith(_RANDOM_PREFIX):
        return random_layout.distribution_address(symbol.removeprefix(_RANDOM_PREFIX))
    for prefix, address_of in _BY_PREFIX.items():
        if symbol.startswith(prefix):
            return address_of(*symbol.removeprefix(prefix).rsplit("_", 1))
    if symbol.startswith(_LAPACK_PREFIX):
        return _lapack(symbol.removeprefix(_LAPACK_PREFIX))
    plain = symbol.removeprefix(NUMPYS_OWN).rpartition("_")[0]
    routine = cblas(plain)
    # Code compiled beside another NumPy may have been given integers of the other width.
    if routine is None or symbol != blas_symbol(plain, wide=routine.wide):
        return None
    return routine.address


@record
class LinearAlgebraRoutine:
    """A BLAS function that came with NumPy."""

    address: int
    wide: bool  # sizes and increments are 64-bit integers (ILP64), otherwise 32-bit


def blas_symbol(name: str, *, wide: bool) -> str:
    """Return how compiled code names a C BLAS function with 64-bit, or 32-bit, integers."""
    return f"{NUMPYS_OWN}{name}_{'i64' if wide else 'i32'}"


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
    find = _FUNCTIONS_OF(numpy_api("_PyDataType_GetArrFuncs"))
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
    found = {_entry(function, letter) for function in gufuncs.loops_of(routine)}
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
        address = find_in(_linear_algebra(), name)
        if address is not None:
            return LinearAlgebraRoutine(address, wide)
    return None


@cache
def _linear_algebra() -> ctypes.CDLL:
    # numpy.linalg's own extension module is bound to the library that np.linalg.solve uses.
    return ctypes.CDLL(umath_linalg.__file__)
