"""NumPy's structured arrays as scripts have them: an array for each field, which views it.

A record, an item of such an array, has arrays without axes in their place.
"""

import itertools
from _blake2 import blake2b
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeGuard, cast

import numpy as np

from scriptc_runtime.errors import Diagnostic, TypeCheckError
from scriptc_runtime.types import FROM_NUMPY, Label, NamedType, Type, all_parts

RECORDS = "records"
_NUMBERS = "biufc"
_LONGEST = 40  # characters of a name of a class

Array = np.ndarray[Any, Any]


class Field(NamedTuple):
    """A field of records: how NumPy writes its dtype, its place in bytes, and its own axes."""

    name: str
    format: str
    offset: int
    shape: tuple[int, ...] = ()


class Records(tuple[Array, ...]):
    """The arrays of the fields of a structured array, of a class for each dtype."""

    dtype: "np.dtype[Any]"
    _fields: tuple[str, ...]  # as named tuples have them


def fields_of(dtype: "np.dtype[Any]") -> Sequence[Field]:
    """Return the fields of a structured dtype, in order."""
    known = cast("Mapping[str, tuple[Any, ...]]", dtype.fields)
    return [
        Field(name, known[name][0].base.str, known[name][1], known[name][0].shape)
        for name in cast("tuple[str, ...]", dtype.names)
    ]


def classes_held(types: Iterable[Type]) -> Sequence[type[Records]]:
    """Return the classes of the structured arrays that values of some types are, or hold."""
    parts = (part for type_ in types for part in all_parts(type_))
    labels = (p.labels for p in parts if isinstance(p, NamedType) and p.kind == RECORDS)
    return [_class_of(each) for each in dict.fromkeys(labels)]


def holds_records(type_: Type) -> bool:
    """Whether values of a type are structured arrays or records, or hold some."""
    return any(isinstance(part, NamedType) and part.kind == RECORDS for part in all_parts(type_))


def holds_packed_records(type_: Type) -> bool:
    """Whether values of a type are, or hold, structured arrays that lie apart in scripts."""
    return not all(stands_aligned(cls.dtype) for cls in classes_held([type_]))


def stands_aligned(dtype: "np.dtype[Any]") -> bool:
    """Whether all numbers of records stand at multiples of their sizes."""
    numbers = [(np.dtype(field.format).itemsize, field.offset) for field in fields_of(dtype)]
    return not any(place % size for size, offset in numbers for place in (offset, dtype.itemsize))


def overlaps(dtype: "np.dtype[Any]") -> bool:
    """Whether two fields have a byte in common."""
    known = sorted(cast("Mapping[str, tuple[Any, ...]]", dtype.fields).values(), key=lambda f: f[1])
    return any(a[1] + a[0].itemsize > b[1] for a, b in itertools.pairwise(known))


def is_structured_dtype(value: object) -> "TypeGuard[np.dtype[Any]]":
    """Whether something is the dtype of structured arrays, whose fields are numbers."""
    if not isinstance(value, np.dtype) or not cast("np.dtype[Any]", value).names:
        return False
    return all(map(_is_number, fields_of(cast("np.dtype[Any]", value))))


def _is_number(field: Field) -> bool:
    return np.dtype(field.format) in FROM_NUMPY


def records_class(dtype: "np.dtype[Any]") -> type[Records]:
    """Return the class whose objects have the fields of arrays of a structured dtype."""
    return _class_of(labels_of(dtype))


def classes_made() -> Sequence[type[Records]]:
    """Return the classes of all structured arrays met so far."""
    return Records.__subclasses__()


@cache
def _class_of(labels: tuple[Label, ...]) -> type[Records]:
    # Of dtypes that differ in what is no part of a record, as its class, there is one.
    dtype = dtype_of(labels)
    # It stands in the text of types, where only names do.
    told = repr(labels).encode()
    digest = blake2b(told, digest_size=4).hexdigest()
    names = "_".join(name for name in cast("tuple[str, ...]", dtype.names) if name.isidentifier())
    members = {"dtype": dtype, "_fields": dtype.names}
    return type(f"records_{names[:_LONGEST]}_{digest}", (Records,), members)


def is_records_class(cls: type[object]) -> bool:
    """Whether a class is that of the fields of structured arrays."""
    return issubclass(cls, Records)


def labels_of(dtype: "np.dtype[Any]") -> tuple[Label, ...]:
    """Return what the type of records says: each field, and the bytes of a record.

    Beside these it says of a dtype that was made with `align=True` that it is, as its text does.
    """
    size = (dtype.itemsize, True) if dtype.isalignedstruct else dtype.itemsize
    return (*(tuple(field) for field in fields_of(dtype)), size)


def dtype_of(labels: Sequence[Label]) -> "np.dtype[Any]":
    """Return the dtype that labels tell.  Raises TypeError or ValueError where they tell none."""
    *fields, size = labels
    itemsize, aligned = size if isinstance(size, tuple) else (size, False)
    read = [Field(*cast("tuple[Any, ...]", field)) for field in fields]
    if not read:
        raise ValueError("records have fields")
    if any(np.dtype(field.format).kind not in _NUMBERS for field in read):
        raise TypeError("fields of records hold numbers")  # an object would be an address
    told: Any = {
        "names": [field.name for field in read],
        "formats": [(field.format, field.shape) for field in read],
        "offsets": [field.offset for field in read],
        "itemsize": itemsize,
    }
    return np.dtype(told, align=bool(aligned))


def is_structured(value: object) -> TypeGuard[Array]:
    """Whether something is an array of records."""
    kind = type(value)
    if kind is not np.ndarray:
        if not isinstance(value, np.ndarray):
            return False
        # Inside a function: most programs pass no objects of subclasses.
        from scriptc_runtime.array_classes import is_plain_array

        if not (is_plain_array(kind) or kind is np.recarray):
            return False
    return cast(Array, value).dtype.names is not None


def fields_opened(values: Sequence[object]) -> Sequence[object]:
    """Return arguments, with the fields of those that are structured arrays."""
    if not any(map(is_structured, values)):
        return values
    return [opened(value) if is_structured(value) else value for value in values]


def opened(array: Array) -> Records:
    """Return the fields of a structured array, each of which views it.

    Raises TypeCheckError for fields that are no numbers, or not at multiples of their size.
    """
    if not array.dtype.names:
        raise _refused("there are no fields in a structured array", "", "give its dtype some")
    fields = fields_of(array.dtype)
    parts = [np.asarray(array[field.name]) for field in fields]
    for field, part in zip(fields, parts, strict=True):
        if not _is_number(field):
            what = f"the field {field.name!r} has dtype {part.dtype}"
            way = f'pass the other fields, and numbers that stand for x["{field.name}"]'
            raise _refused(f"{what}, which the language does not have", "", way)
        if not part.flags.aligned or any(step % part.itemsize for step in part.strides):
            raise _packed(field.name, part.itemsize, array.dtype.itemsize)
    return records_class(array.dtype)(parts)


def _refused(what: str, why: str, instead: str) -> TypeCheckError:
    return TypeCheckError(Diagnostic("dtype", what, why=why, instead=instead))


def _packed(name: str, size: int, itemsize: int) -> TypeCheckError:
    what = f"the field {name!r}, of {size} bytes, does not stand at multiples of its size"
    why = f"a record has {itemsize} bytes"
    way = (
        f'pass x["{name}"].copy() and the others, or x.astype(np.dtype(x.dtype.descr, '
        "align=True)), which has room between fields"
    )
    return _refused(what, why, way)


def closed(cls: type[Records], fields: Sequence[Array]) -> object:
    """Return the structured array that has some fields, or the record.

    It views what they view, where they lie as in one; otherwise it is a new one.
    """
    parts = [np.asarray(field) for field in fields]
    known = fields_of(cls.dtype)
    array = _around(cls.dtype, known, parts)
    if array is None:
        array = np.zeros(_shape(parts[0], known[0]), cls.dtype)
        for field, part in zip(known, parts, strict=True):
            array[field.name] = part
    return array if array.ndim else array[()]


def _shape(part: Array, field: Field) -> tuple[int, ...]:
    return part.shape[: part.ndim - len(field.shape)]


class _Memory:
    """Memory of an array, told to NumPy by address; the array lives as long as this."""

    def __init__(self, owner: object, interface: Mapping[str, object]) -> None:
        self.owner = owner
        self.__array_interface__ = interface


def _around(
    dtype: "np.dtype[Any]", fields: Sequence[Field], parts: Sequence[Array]
) -> Array | None:
    """Return the array whose fields some arrays are; None where they are those of no one."""
    owners = [_owner(part) for part in parts]
    starts = {part.ctypes.data - f.offset for f, part in zip(fields, parts, strict=True)}
    shapes = {_shape(part, f) for f, part in zip(fields, parts, strict=True)}
    shape = _shape(parts[0], fields[0])
    strides = {part.strides[: len(shape)] for part in parts}
    one = len(set(map(_identity, owners))) == len(starts) == len(shapes) == len(strides) == 1
    if not one or owners[0] is parts[0] or 0 in shape:
        return None
    steps, start = strides.pop(), starts.pop()
    # Parts of other arrays may lie so by chance, with nothing where they have no field.
    if any(0 < abs(step) < dtype.itemsize for step in steps):
        return None
    if isinstance(owners[0], np.ndarray):
        reach = [step * (size - 1) for step, size in zip(steps, shape, strict=True)]
        low = start + sum(r for r in reach if r < 0)
        high = start + sum(r for r in reach if r > 0) + dtype.itemsize
        first, last = np.lib.array_utils.byte_bounds(cast(Array, owners[0]))
        if low < first or high > last:
            return None
    writable = all(part.flags.writeable for part in parts)
    interface = {
        "version": 3,
        "data": (start, not writable),
        "shape": shape,
        "strides": steps,
        "typestr": f"|V{dtype.itemsize}",
    }
    return np.asarray(_Memory(cast(object, owners[0]), interface)).view(dtype)


def _owner(array: Array) -> object:
    """Return what keeps the memory of an array: an array, or a block that machine code made."""
    while isinstance(base := array.base, np.ndarray):
        array = base
    return base if _is_block(base) else array


_BLOCK = b"scriptc.block"


def _is_block(base: object) -> bool:
    return type(base).__name__ == "PyCapsule" and _capsules().PyCapsule_IsValid(base, _BLOCK)


def _identity(owner: object) -> int:
    """Return a number that is the same for owners of the same memory."""
    return _capsules().PyCapsule_GetPointer(owner, _BLOCK) if _is_block(owner) else id(owner)


@cache
def _capsules() -> Any:
    # Inside a function: most programs have no structured arrays.
    import ctypes

    api = ctypes.PyDLL(None)
    for function in (api.PyCapsule_IsValid, api.PyCapsule_GetPointer):
        function.argtypes = ctypes.py_object, ctypes.c_char_p
        function.restype = ctypes.c_void_p
    return api
