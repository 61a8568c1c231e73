"""Where CPython and NumPy keep what compiled code reads from their objects.

Every offset is in bytes from the start of the object. They are facts of a Python version, a build
and NumPy's ABI; `verify_layout` tries each of them on real objects once per process, so a Python
with another layout is refused with the name of the field instead of read wrongly.
"""

import ctypes
import struct
import sys
from collections.abc import Iterator
from enum import Enum, IntFlag
from functools import cache

import numpy as np

from scriptc.backends.llvm.loading.heap_types import LayoutError
from scriptc_runtime.record import record


class IntForm(Enum):
    """How an int of at most one digit (30 bits) is told from longer ones."""

    SIGNED_SIZE = "size"  # to 3.11: a signed count of digits, -1, 0 or 1
    TAGGED = "tag"  # from 3.12: count << 3 | flags, below 16; the sign is 1 - (tag & 3)


class ArrayFlag(IntFlag):
    """The bits of an array's flags that compiled code asks for."""

    C_CONTIGUOUS = 0x1
    F_CONTIGUOUS = 0x2
    OWNDATA = 0x4
    ALIGNED = 0x100
    WRITEABLE = 0x400


@record
class Layout:
    """The offsets of fields, in bytes."""

    head: int  # the size of an object's head; a scalar's value follows it
    ob_type: int
    float_value: int
    complex_value: int  # two doubles
    int_form: IntForm
    int_size: int  # i64: the signed size or the tag
    int_digit: int  # u32: the lowest digit
    tuple_size: int
    tuple_items: int  # the pointers themselves
    slice_bounds: int  # three pointers
    list_size: int
    list_items: int  # a pointer to the pointers
    str_length: int
    str_hash: int  # -1 while it is not known
    str_state: int  # i32: bits that say how the characters are kept
    str_kind_bit: int  # the first of three: bytes a character; then `compact`, then `ascii`
    str_ascii: int  # the characters themselves, where all are ASCII
    str_data: int  # the same, where they are not
    set_fill: int
    set_used: int
    set_mask: int
    set_table: int  # a pointer to pairs of a pointer and a hash
    set_finger: int
    scalar_value: int  # of NumPy's scalars
    array_data: int
    array_ndim: int  # i32
    array_shape: int  # a pointer to i64
    array_strides: int  # a pointer to i64, in bytes
    array_base: int  # null without a base
    array_descr: int
    array_flags: int  # i32, ArrayFlag
    descr_byteorder: int  # a character; '>' is the foreign order on little-endian machines
    descr_type_num: int  # i32, see `type_numbers`


@cache
def verify_layout() -> Layout:
    """Return the layout of this Python and NumPy, after trying every field on real objects.

    Takes under 1 ms, once. Raises LayoutError naming the first field that is elsewhere.
    """
    if sys.byteorder != "little" or ctypes.sizeof(ctypes.c_void_p) != 8:
        raise LayoutError("compiled code needs a 64-bit little-endian machine")
    layout = _expected()
    for field, holds in _trials(layout):
        if not holds:
            raise LayoutError(
                f"Python {sys.version.split()[0]} with NumPy {np.__version__} does not keep "
                f"{field} where compiled code expects it"
            )
    return layout


def type_numbers(dtype: np.dtype[np.generic]) -> tuple[int, ...]:
    """Return the NumPy type numbers of one machine type, the one that NumPy prefers first.

    There can be two: int64 is `long` on Linux, while `longlong`, equal in every bit, has its own.
    """
    known = [np.dtype(code) for code in np.typecodes["AllInteger"] + np.typecodes["AllFloat"]]
    same = (d.num for d in known if (d.kind, d.itemsize) == (dtype.kind, dtype.itemsize))
    return tuple(dict.fromkeys((np.dtype(dtype.str).num, *same)))


def _expected() -> Layout:
    # 16 bytes, 32 on free-threaded builds, where the type is still the last field.
    head = object.__basicsize__
    return Layout(
        head=head,
        ob_type=head - 8,
        float_value=head,
        complex_value=head,
        int_form=IntForm.TAGGED if sys.version_info >= (3, 12) else IntForm.SIGNED_SIZE,
        int_size=head,
        int_digit=head + 8,
        tuple_size=head,
        # From 3.14 a tuple keeps its hash before the items.
        tuple_items=tuple.__basicsize__,
        slice_bounds=head,
        list_size=head,
        list_items=head + 8,
        str_length=head,
        str_hash=head + 8,
        str_state=head + 16,
        str_kind_bit=_kind_bit(head + 16),
        str_ascii=sys.getsizeof("") - 1,
        str_data=str.__basicsize__ - 8,
        set_fill=head,
        set_used=head + 8,
        set_mask=head + 16,
        set_table=head + 24,
        set_finger=head + 40,
        scalar_value=head,
        array_data=head,
        array_ndim=head + 8,
        array_shape=head + 16,
        array_strides=head + 24,
        array_base=head + 32,
        array_descr=head + 40,
        array_flags=head + 48,
        descr_byteorder=head + 10,
        descr_type_num=head + 12,
    )


def _kind_bit(state: int) -> int:
    """Return the bit of a str's state where its bytes a character begin."""
    # The two bits before them were widened to a byte or two in free-threaded builds.
    places = (
        bit
        for bit in (2, 8, 16)
        if all(
            _integer(text, state, 4) >> bit & 31 == kind | 8 | ascii << 4
            for text, kind, ascii in _SAMPLE_TEXTS
        )
    )
    return next(places, 2)


_SAMPLE_TEXTS = (
    ("plain text", 1, 1),
    ("caf\xe9", 1, 0),
    ("\u03c0\u03c1", 2, 0),
    ("\U0001f600", 4, 0),
)


def _trials(layout: Layout) -> Iterator[tuple[str, bool]]:
    """Yield each field and whether real objects have it where the layout says."""
    yield from _number_trials(layout)
    yield from _sequence_trials(layout)
    yield from _text_trials(layout)
    yield from _set_trials(layout)
    yield from _scalar_trials(layout)
    for array in _sample_arrays():
        yield from _array_trials(layout, array)


def _number_trials(layout: Layout) -> Iterator[tuple[str, bool]]:
    for value in (1.5, -0.0, 1e300):
        yield "a type", _integer(value, layout.ob_type) == id(float)
        yield (
            "the value of a float",
            _bytes(value, layout.float_value, 8) == struct.pack("d", value),
        )
    pair = complex(1.5, -2.5)
    found = _bytes(pair, layout.complex_value, 16)
    yield "the value of a complex", found == struct.pack("dd", pair.real, pair.imag)
    yield "the digits of an int", sys.int_info.bits_per_digit == 30
    for value in (0, 1, -1, 255, -7, 2**30 - 1, 1 - 2**30, 2**30, -(2**30), 2**62, -(2**100)):
        yield (
            "the value of an int",
            _short_int(layout, value) == (value if abs(value) < 2**30 else None),
        )


def _short_int(layout: Layout, value: int) -> int | None:
    """Read an int as compiled code does; None for one of several digits."""
    size = _integer(value, layout.int_size)
    digit = int.from_bytes(_bytes(value, layout.int_digit, 4), "little")
    match layout.int_form:
        case IntForm.SIGNED_SIZE:
            return size * digit if -1 <= size <= 1 else None
        case IntForm.TAGGED:
            return (1 - (size & 3)) * digit if 0 <= size < 16 else None


def _sequence_trials(layout: Layout) -> Iterator[tuple[str, bool]]:
    first, second = object(), object()
    pair, items, cut = (first, second), [first, second, first], slice(first, second)
    yield "the size of a tuple", _integer(pair, layout.tuple_size) == 2
    yield "the first item of a tuple", _integer(pair, layout.tuple_items) == id(first)
    yield "the items of a tuple", _integer(pair, layout.tuple_items + 8) == id(second)
    bounds = _integers(id(cut) + layout.slice_bounds, 3)
    yield "the bounds of a slice", bounds == (id(first), id(second), id(None))
    yield "the size of a list", _integer(items, layout.list_size) == 3
    stored = _integers(_integer(items, layout.list_items), 2)
    yield "the items of a list", stored == (id(first), id(second))


def _text_trials(layout: Layout) -> Iterator[tuple[str, bool]]:
    for text, kind, is_ascii in _SAMPLE_TEXTS:
        yield "the length of a str", _integer(text, layout.str_length) == len(text)
        known = hash(text)  # which it keeps from now on
        yield "the hash of a str", _integer(text, layout.str_hash) == known
        state = _integer(text, layout.str_state, 4) >> layout.str_kind_bit & 31
        yield "the kind of a str", state == kind | 8 | is_ascii << 4
        at = layout.str_ascii if is_ascii else layout.str_data
        encoding = {1: "latin-1", 2: "utf-16-le", 4: "utf-32-le"}[kind]
        yield (
            "the characters of a str",
            _bytes(text, at, kind * len(text)) == text.encode(encoding),
        )


def _set_trials(layout: Layout) -> Iterator[tuple[str, bool]]:
    numbers = {3, 12, 5, 300}
    numbers.remove(5)
    found = (layout.set_fill, layout.set_used, layout.set_mask)
    yield "the counts of a set", [_integer(numbers, at) for at in found] == [4, 3, 7]
    slots = _integers(_integer(numbers, layout.set_table), 16)
    hashes = [code for key, code in zip(slots[::2], slots[1::2], strict=True) if key]
    yield "the table of a set", hashes == [3, 12, -1, 300]
    taken = numbers.pop()
    yield "the finger of a set", taken == 3 and _integer(numbers, layout.set_finger) == 4


def _scalar_trials(layout: Layout) -> Iterator[tuple[str, bool]]:
    for value in _SAMPLE_SCALARS:
        found = _bytes(value, layout.scalar_value, value.dtype.itemsize)
        yield f"the value of a {value.dtype}", found == value.tobytes()


_SAMPLE_SCALARS: tuple[np.generic, ...] = (
    np.True_,
    np.int8(-3),
    np.uint16(65000),
    np.int32(-(2**20)),
    np.int64(-(2**40)),
    np.float16(1.5),
    np.float32(-2.5),
    np.float64(1e100),
    np.complex64(1 - 2j),
    np.complex128(3 + 4j),
)


def _sample_arrays() -> Iterator[np.ndarray[tuple[int, ...], np.dtype[np.generic]]]:
    yield np.zeros((3, 4, 5))
    yield np.zeros((8, 9), order="F")[1::2, ::3]
    yield np.zeros(5, ">f4")
    yield np.broadcast_to(np.zeros(3, np.int32), (2, 3))
    yield np.zeros((), np.complex64)


def _array_trials(
    layout: Layout, array: np.ndarray[tuple[int, ...], np.dtype[np.generic]]
) -> Iterator[tuple[str, bool]]:
    rank, descr = array.ndim, array.dtype
    shape, strides = _integer(array, layout.array_shape), _integer(array, layout.array_strides)
    yield "an array's data", _integer(array, layout.array_data) == array.ctypes.data
    yield "an array's rank", _integer(array, layout.array_ndim, 4) == rank
    yield "an array's shape", _integers(shape, rank) == array.shape
    yield "an array's strides", _integers(strides, rank) == array.strides
    base = 0 if array.base is None else id(array.base)
    yield "an array's base", _integer(array, layout.array_base) == base
    yield "an array's dtype", _integer(array, layout.array_descr) == id(descr)
    yield "a dtype's type number", _integer(descr, layout.descr_type_num, 4) == descr.num
    order = _bytes(descr, layout.descr_byteorder, 1)
    yield "a dtype's byte order", order == descr.byteorder.encode()
    flags = _integer(array, layout.array_flags, 4)
    yield "an array's flags", flags == array.flags.num
    for flag, value in (
        (ArrayFlag.C_CONTIGUOUS, array.flags.c_contiguous),
        (ArrayFlag.F_CONTIGUOUS, array.flags.f_contiguous),
        (ArrayFlag.OWNDATA, array.flags.owndata),
        (ArrayFlag.ALIGNED, array.flags.aligned),
        (ArrayFlag.WRITEABLE, array.flags.writeable),
    ):
        yield f"an array's flag {flag.name}", bool(flags & flag) == value


def _bytes(value: object, offset: int, size: int) -> bytes:
    return ctypes.string_at(id(value) + offset, size)


def _integer(value: object, offset: int, size: int = 8) -> int:
    """Read a signed integer, or a pointer: those of user space are positive."""
    return int.from_bytes(_bytes(value, offset, size), "little", signed=True)


def _integers(address: int, count: int) -> tuple[int, ...]:
    if count == 0:
        return ()
    if address < 1 << 16 or address % 8:
        return ()  # no pointer: the field is elsewhere, and reading through this would crash
    return struct.unpack(f"{count}q", ctypes.string_at(address, 8 * count))
