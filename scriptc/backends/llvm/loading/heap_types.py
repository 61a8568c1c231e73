"""Python types made as C extensions make theirs: instances hold machine words at fixed places."""

import ctypes
from collections.abc import Mapping
from typing import TypeVar

_Base = TypeVar("_Base")


class LayoutError(RuntimeError):
    """A field that this Python or NumPy keeps elsewhere than compiled code expects."""


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


# Numbers of CPython's stable ABI: Include/typeslots.h, structmember.h, object.h.
TP_CLEAR, _TP_DEALLOC, TP_DESCR_GET, TP_TRAVERSE, _TP_MEMBERS = 51, 52, 54, 71, 72
_T_PYSSIZET, _READONLY = 19, 1
BASE_TYPE, HAVE_VECTORCALL, HAVE_GC, METHOD_DESCRIPTOR = 1 << 10, 1 << 11, 1 << 14, 1 << 17

# Where objects of scripted classes keep the address of their block, and their weak references.
INSTANCE_HANDLE = object.__basicsize__
INSTANCE_WEAK_REFERENCES = INSTANCE_HANDLE + 8
INSTANCE_SIZE = INSTANCE_WEAK_REFERENCES + 8

# Prototypes of our own: the types set on the shared `ctypes.pythonapi` functions are global state.
_GET_SLOT = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_int)
_FROM_SPEC = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object)
_INCREF = ctypes.PYFUNCTYPE(None, ctypes.py_object)


def make_heap_type(
    name: str,
    base: type[_Base],
    size: int,
    flags: int,
    offsets: Mapping[str, int],
    donors: Mapping[int, type],
) -> type[_Base]:
    """Make a type with instances of `size` bytes; what lies behind the base's part is null.

    `offsets` are the members that tell CPython where a word stands, as `__vectorcalloffset__`.
    Each slot of `donors` gets the function that another type has there.
    """
    members = (_MemberDef * (len(offsets) + 1))(
        *(_MemberDef(m.encode(), _T_PYSSIZET, at, _READONLY, None) for m, at in offsets.items())
    )
    get_slot = _GET_SLOT(("PyType_GetSlot", ctypes.pythonapi))
    slots = (_TypeSlot * (len(donors) + 2))(
        _TypeSlot(_TP_MEMBERS, ctypes.addressof(members)),
        *(_TypeSlot(slot, get_slot(donor, slot)) for slot, donor in donors.items()),
    )
    spec = _TypeSpec(name.encode(), size, 0, flags, slots)
    # Some versions keep pointers into the spec. The type may live as long as the process.
    _INCREF(("Py_IncRef", ctypes.pythonapi))((members, slots, spec))
    from_spec = _FROM_SPEC(("PyType_FromSpecWithBases", ctypes.pythonapi))
    made: type[_Base] = from_spec(ctypes.addressof(spec), (base,))
    # Messages of Python name a class without its module: the name that it has by then is the whole.
    made.__name__ = name.rpartition(".")[2]
    return made


def set_dealloc(made: type, address: int) -> None:
    """Let the function at `address` free the instances of a heap type.  Raises LayoutError.

    It cannot be given when the type is made: machine code is loaded at the first call.
    """
    # Behind the head: the size, the name, the size of instances and that of their items.
    slot = ctypes.c_void_p.from_address(id(made) + object.__basicsize__ + 4 * 8)
    get_slot = _GET_SLOT(("PyType_GetSlot", ctypes.pythonapi))
    if slot.value != get_slot(made, _TP_DEALLOC):
        raise LayoutError("this Python keeps the slots of a type elsewhere")
    slot.value = address
