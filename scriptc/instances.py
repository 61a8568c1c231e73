"""Types whose instances hold one machine word: the handle of an object in compiled code.

A class written in Python can only hold references to Python objects. Compiled code reads the handle
at a fixed place, so the type is made as C extensions make theirs, and it has no base but `object`.
Null is the handle of an object whose `__init__` has not run.
"""

import ctypes

_HANDLE = object.__basicsize__
_WEAK_REFERENCES = _HANDLE + 8
_SIZE = _WEAK_REFERENCES + 8


class _MemberDef(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("type", ctypes.c_int),
        ("offset", ctypes.c_ssize_t),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class _TypeSlot(ctypes.Structure):
    _fields_ = (("slot", ctypes.c_int), ("function", ctypes.c_void_p))


class _TypeSpec(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("basicsize", ctypes.c_int),
        ("itemsize", ctypes.c_int),
        ("flags", ctypes.c_uint),
        ("slots", ctypes.POINTER(_TypeSlot)),
    )


class _AnyClass:
    pass


# Numbers of CPython's stable ABI.
_TP_CLEAR, _TP_TRAVERSE, _TP_MEMBERS = 51, 71, 72
_T_PYSSIZET, _READONLY, _HAVE_GC = 19, 1, 1 << 14
# Prototypes of our own: the types set on the shared `ctypes.pythonapi` functions are global state.
_GET_SLOT = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_int)
_FROM_SPEC = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p)
_CHANGE_COUNT = ctypes.PYFUNCTYPE(None, ctypes.py_object)


def make_instance_type(module: str, name: str) -> type:
    """Make a type without attributes of its own, which cannot be a base."""
    members = (_MemberDef * 2)(
        _MemberDef(b"__weaklistoffset__", _T_PYSSIZET, _WEAK_REFERENCES, _READONLY, None)
    )
    # Only for types that the cycle collector knows does CPython clear weak references; the
    # functions for it are those of any class.
    get_slot = _GET_SLOT(("PyType_GetSlot", ctypes.pythonapi))
    slots = (_TypeSlot * 4)(
        _TypeSlot(_TP_MEMBERS, ctypes.addressof(members)),
        *(_TypeSlot(slot, get_slot(_AnyClass, slot)) for slot in (_TP_TRAVERSE, _TP_CLEAR)),
    )
    spec = _TypeSpec(f"{module}.{name}".encode(), _SIZE, 0, _HAVE_GC, slots)
    # Some versions keep pointers into the spec. The type may live as long as the process.
    _CHANGE_COUNT(("Py_IncRef", ctypes.pythonapi))((members, slots, spec))
    made: type = _FROM_SPEC(("PyType_FromSpec", ctypes.pythonapi))(ctypes.addressof(spec))
    return made


def handle_offset() -> int:
    """Return where the handle stands in an instance, in bytes."""
    return _HANDLE


def get_handle(instance: object) -> int:
    """Return the handle of an instance; 0 where it has none yet."""
    return _word(instance).value


def set_handle(instance: object, handle: int) -> None:
    """Give an instance its handle, once."""
    _word(instance).value = handle


def _word(instance: object) -> ctypes.c_size_t:
    return ctypes.c_size_t.from_address(id(instance) + _HANDLE)


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
