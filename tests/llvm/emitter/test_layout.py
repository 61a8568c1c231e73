"""The facts about Python and NumPy that compiled code relies on."""

import ctypes
import re
from pathlib import Path

import numpy as np
import pytest

from scriptc.backends.llvm.emitter import layout
from scriptc.backends.llvm.emitter.layout import type_numbers, verify_layout
from scriptc.backends.llvm.loading import libraries, numpy_routines, symbols
from scriptc.backends.llvm.loading.heap_types import LayoutError
from scriptc_runtime.record import replace


@pytest.fixture
def _fresh_layout() -> object:
    """Let the test probe anew, and the next one too."""
    verify_layout.cache_clear()
    yield
    verify_layout.cache_clear()


@pytest.mark.usefixtures("_fresh_layout")
def test_the_layout_of_this_python_and_numpy_is_known() -> None:
    assert verify_layout() is verify_layout()
    assert verify_layout().ob_type == verify_layout().head - 8


@pytest.mark.usefixtures("_fresh_layout")
@pytest.mark.parametrize("field", layout.Layout.__match_args__)
def test_every_field_that_is_elsewhere_is_noticed(
    field: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = verify_layout()
    value = getattr(expected, field)
    match value:
        case layout.IntForm.SIGNED_SIZE:
            wrong = {field: layout.IntForm.TAGGED}
        case layout.IntForm.TAGGED:
            wrong = {field: layout.IntForm.SIGNED_SIZE}
        case int():
            wrong = {field: value + 8}
        case _:
            raise AssertionError(field)
    if field == "head":
        return  # the others are relative to it
    moved = replace(expected, **wrong)
    monkeypatch.setattr(layout, "_expected", lambda: moved)
    verify_layout.cache_clear()
    with pytest.raises(LayoutError, match="does not keep"):
        verify_layout()


@pytest.mark.parametrize("name", ["i1", "u2", "i4", "i8", "u8", "f4", "f8", "c8", "c16", "?", "f2"])
def test_type_numbers_name_all_equal_types(name: str) -> None:
    dtype = np.dtype(name)
    numbers = type_numbers(dtype)
    assert numbers[0] == dtype.num
    assert len(set(numbers)) == len(numbers)
    for code in "?bBhHiIlLqQefdFD":
        other = np.dtype(code)
        assert (other.num in numbers) == (
            (other.kind, other.itemsize) == (dtype.kind, dtype.itemsize)
        )


def test_positions_in_the_numpy_table_are_those_of_its_header() -> None:
    header = Path(np.get_include()) / "numpy" / "__multiarray_api.h"
    text = header.read_text(encoding="utf-8")
    for name, index in libraries.NUMPY_API.items():
        defined = re.search(rf"#define {name}\b[^#]*?PyArray_API\[(\d+)\]", text)
        assert defined is not None, name
        assert int(defined.group(1)) == index, name


def test_a_numpy_function_found_by_name_works() -> None:
    version = ctypes.CFUNCTYPE(ctypes.c_uint)(symbols.resolve("PyArray_GetNDArrayCVersion"))
    assert version() >= 0x2000000
    assert symbols.resolve("PyArray_Type") == id(np.ndarray)


@pytest.mark.parametrize(
    "name",
    [
        *("malloc", "free", "aligned_alloc", "memcpy", "memset", "memmove"),
        *("exp", "pow", "fmod", "sin", "expf", "cbrt", "hypot", "tgamma", "ldexp", "nextafter"),
        *("PyFloat_Type", "_Py_NoneStruct", "PyExc_IndexError", "PyErr_Format"),
        *("PyFloat_FromDouble", "PyLong_AsLongLong", "PyObject_Vectorcall", "PyCapsule_New"),
    ],
)
def test_the_usual_names_are_found(name: str) -> None:
    assert symbols.resolve(name) > 0


def test_what_a_name_resolves_to_is_the_thing_itself() -> None:
    assert symbols.resolve("PyFloat_Type") == id(float)
    assert symbols.resolve("_Py_NoneStruct") == id(None)
    power = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_double)
    assert power(symbols.resolve("pow"))(2.0, 10.0) == 1024.0


def test_an_unknown_name_is_refused_by_name() -> None:
    with pytest.raises(libraries.SymbolError, match="'frobnicate'"):
        symbols.resolve("frobnicate")
    assert numpy_routines.cblas("frobnicate") is None


def test_the_blas_of_numpy_multiplies_matrices() -> None:
    routine = numpy_routines.cblas("cblas_dgemm")
    if routine is None:
        pytest.skip("this NumPy shares no BLAS")
    integer = ctypes.c_int64 if routine.wide else ctypes.c_int32
    flag, real, pointer = ctypes.c_int, ctypes.c_double, ctypes.c_void_p
    gemm = ctypes.CFUNCTYPE(
        None,
        *(flag, flag, flag, integer, integer, integer, real),
        *(pointer, integer, pointer, integer, real, pointer, integer),
    )(routine.address)
    a, b = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4)
    c = np.zeros((2, 4))
    row_major, plain = 101, 111
    gemm(
        *(row_major, plain, plain, 2, 4, 3, 1.0),
        *(a.ctypes.data, 3, b.ctypes.data, 4, 0.0, c.ctypes.data, 4),
    )
    np.testing.assert_array_equal(c, a @ b)
