"""DLPack: arrays of other libraries by their C structures, in and out without a copy.

An array that is borrowed is given back when what stands for it goes.  What waits for whom is kept
simple: who exports is told to have all done on the default stream, and calls with such arrays wait
for their own work before they return (`calls.py`), so nobody needs events.
"""

import ctypes
from collections.abc import Sequence
from typing import Any, cast

import numpy as np

CUDA, CUDA_MANAGED = 2, 13  # kinds of devices
_DEFAULT_STREAM = 1
_READ_ONLY = 1  # a flag
_PLAIN, _VERSIONED = b"dltensor", b"dltensor_versioned"
_CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}
_KINDS = {code: kind for kind, code in _CODES.items()}
_VERSION = (1, 0)


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


_DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Managed(ctypes.Structure):
    _fields_ = (("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", _DELETER))


class _ManagedVersioned(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", _DELETER),
        ("flags", ctypes.c_uint64),
        ("tensor", _Tensor),
    )


# Prototypes of our own: the types set on functions of `ctypes.pythonapi` are global state. A
# capsule that goes is named by its address, as an object that goes can have no new reference.
_NEW = ctypes.PYFUNCTYPE(
    ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p
)(("PyCapsule_New", ctypes.pythonapi))  # fmt: skip
_IS = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_IsValid", ctypes.pythonapi)
)
_POINTER = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)
_RENAME = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_SetName", ctypes.pythonapi)
)
_USED = {_PLAIN: b"used_dltensor", _VERSIONED: b"used_dltensor_versioned"}


def device_of(array: Any) -> tuple[int, int]:
    """Return the kind of the device that an array lies on, and its number."""
    kind, number = array.__dlpack_device__()
    return int(kind), int(number)


class Borrowed:
    """An array that another library has exported; it is given back when this goes."""

    def __init__(self, array: Any) -> None:
        """Borrow an array.  Raises what its library raises, and TypeError for an unknown dtype."""
        try:
            capsule = array.__dlpack__(stream=_DEFAULT_STREAM, max_version=_VERSION)
        except TypeError:  # of before there were versions
            capsule = array.__dlpack__(stream=_DEFAULT_STREAM)
        name = next((n for n in _USED if _IS(id(capsule), n)), None)
        if name is None:
            raise TypeError(f"what {type(array).__name__}.__dlpack__ returns is no DLPack capsule")
        address = cast(int, _POINTER(id(capsule), name))
        kind = _ManagedVersioned if name == _VERSIONED else _Managed
        self._managed = kind.from_address(address)
        self._address = address
        _RENAME(id(capsule), _USED[name])  # the array is ours to give back from here on
        tensor = self._managed.tensor
        self.read_only = kind is _ManagedVersioned and bool(self._managed.flags & _READ_ONLY)
        self.address = (tensor.data or 0) + tensor.byte_offset
        self.shape = tuple(tensor.shape[: tensor.ndim])
        self.dtype = _dtype(tensor)
        steps = tensor.strides[: tensor.ndim] if tensor.strides else None
        self.strides = None if steps is None else tuple(s * self.dtype.itemsize for s in steps)

    def __del__(self) -> None:
        managed = getattr(self, "_managed", None)
        if managed is not None and managed.deleter:
            managed.deleter(self._address)


def _dtype(tensor: _Tensor) -> "np.dtype[Any]":
    kind, bits = _KINDS.get(tensor.code), tensor.bits
    if kind is None or tensor.lanes != 1 or bits % 8:
        raise TypeError(
            f"NumPy has no dtype for DLPack's type {tensor.code} of {bits} bits with "
            f"{tensor.lanes} lanes"
        )
    return np.dtype("?" if kind == "b" else f"{kind}{bits // 8}")


# What is exported, by the address of its structure, until the other library gives it back.
_exported: dict[int, object] = {}


@_DELETER
def _give_back(address: int) -> None:
    _exported.pop(address, None)


@ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
def _capsule_goes(capsule: int) -> None:
    """Give back what nobody took out of its capsule."""
    for name in _USED:
        if _IS(capsule, name):
            _exported.pop(cast(int, _POINTER(capsule, name)), None)


def export(
    address: int,
    shape: Sequence[int],
    dtype: "np.dtype[Any]",
    strides: Sequence[int],
    owner: object,
    *,
    read_only: bool,
    max_version: tuple[int, int] | None,
) -> object:
    """Return a capsule of memory of the device, which `owner` keeps.

    Raises BufferError for a read-only one where the consumer knows no flags.
    """
    versioned = max_version is not None and max_version[0] >= 1
    if read_only and not versioned:
        raise BufferError("this array is read-only, which DLPack before version 1.0 cannot say")
    rank = len(shape)
    sizes, steps = (ctypes.c_int64 * max(rank, 1))(), (ctypes.c_int64 * max(rank, 1))()
    sizes[:rank] = shape
    steps[:rank] = [s // dtype.itemsize for s in strides]
    tensor = _Tensor(
        address, CUDA, 0, rank, _CODES[dtype.kind], dtype.itemsize * 8, 1,
        ctypes.cast(sizes, ctypes.POINTER(ctypes.c_int64)),
        ctypes.cast(steps, ctypes.POINTER(ctypes.c_int64)), 0,
    )  # fmt: skip
    if versioned:
        flags = _READ_ONLY if read_only else 0
        made: Any = _ManagedVersioned(*_VERSION, None, _give_back, flags, tensor)
    else:
        made = _Managed(tensor, None, _give_back)
    place = ctypes.addressof(made)
    _exported[place] = (made, sizes, steps, owner)
    goes = ctypes.cast(_capsule_goes, ctypes.c_void_p)
    return _NEW(place, _VERSIONED if versioned else _PLAIN, goes)
