"""Types whose instances hold one machine word: the handle of an object in compiled code.

A class written in Python can only hold references to Python objects. Compiled code reads the handle
at a fixed place, so the type is made as C extensions make theirs, and it has no base but `object`.
A class that inherits from it has the handle at the same place, wherever Python puts the rest.
Null is the handle of an object whose `__init__` has not run.
"""

import ctypes

from scriptc.backends.llvm.loading.heap_types import (
    BASE_TYPE,
    HAVE_GC,
    INSTANCE_HANDLE,
    INSTANCE_SIZE,
    INSTANCE_WEAK_REFERENCES,
    TP_CLEAR,
    TP_TRAVERSE,
    make_heap_type,
)


class _AnyClass:
    pass


# Prototypes of our own: the types set on the shared `ctypes.pythonapi` functions are global state.
_CHANGE_COUNT = ctypes.PYFUNCTYPE(None, ctypes.py_object)


def make_instance_type(module: str, name: str) -> type:
    """Make a type without attributes of its own."""
    made = make_heap_type(
        f"{module}.{name}",
        object,
        INSTANCE_SIZE,
        HAVE_GC | BASE_TYPE,
        {"__weaklistoffset__": INSTANCE_WEAK_REFERENCES},
        # Only for types that the cycle collector knows does CPython clear weak references; the
        # functions for it are those of any class.
        {TP_TRAVERSE: _AnyClass, TP_CLEAR: _AnyClass},
    )
    made.__name__ = name  # by which CPython's messages call it: with the module until now
    return made


def get_handle(instance: object) -> int:
    """Return the handle of an instance; 0 where it has none yet."""
    return _word(instance).value


def set_handle(instance: object, handle: int) -> None:
    """Give an instance a handle, or null in its place."""
    _word(instance).value = handle


def _word(instance: object) -> ctypes.c_size_t:
    return ctypes.c_size_t.from_address(id(instance) + INSTANCE_HANDLE)


# In the interpreter a handle is the address of a Python object, with a count of its own.


def handle_of_object(value: object) -> int:
    """Return a handle that keeps a Python object alive until `release_object`."""
    _CHANGE_COUNT(("Py_IncRef", ctypes.pythonapi))(value)
    return id(value)


def object_of_handle(handle: int) -> object:
    """Return the Python object behind a handle."""
    value: object = ctypes.cast(handle, ctypes.py_object).value
    return value


def release_object(handle: int) -> None:
    """Give up a handle of a Python object."""
    _CHANGE_COUNT(("Py_DecRef", ctypes.pythonapi))(object_of_handle(handle))
