"""How a kernel reaches the elements of arrays: the C++ text of addresses, sizes and strides.

Strides are in elements.  Those of an array proven contiguous follow from its sizes; a view that a
thread makes itself has variables for its address, sizes and strides.
"""

from collections.abc import Callable, Sequence

from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import TensorType

ZERO, ONE = "0LL", "1LL"


@record
class Array:
    """How an array is reached: `pointer` leads to its first element, and each axis has a stride.

    `root` is the parameter or the buffer whose memory it is.  The elements of one `in_order` lie as
    in C.
    """

    pointer: str
    root: Value
    sizes: Callable[[int], str]  # of an axis
    strides: Callable[[int], str]
    in_order: bool = False


def in_order(pointer: str, root: Value, sizes: Callable[[int], str]) -> Array:
    """Return an array in C order."""
    rank = rank_of(root)

    def stride(axis: int) -> str:
        return " * ".join(sizes(a) for a in range(axis + 1, rank)) or ONE

    return Array(pointer, root, sizes, stride, in_order=True)


def with_rows(array: Array, rank: int) -> Array:
    """Return an array of which the elements of a row are neighbours."""

    def stride(axis: int) -> str:
        return ONE if axis == rank - 1 else array.strides(axis)

    return array if array.in_order else replace(array, strides=stride)


def loaded(array: Array, places: Sequence[str]) -> str:
    """Return the C++ text of the element at `places`."""
    return f"SC_LD({array.pointer}, {_place(array, places)})"


def stored(array: Array, places: Sequence[str], value: str) -> str:
    """Return the C++ text that writes the element at `places`."""
    return f"SC_ST({array.pointer}, {_place(array, places)}, {value})"


def address(array: Array, places: Sequence[str]) -> str:
    """Return the C++ text of the address of the element at `places`."""
    return f"{array.pointer} + ({_place(array, places)})"


def combined(array: Array, places: Sequence[str], kind: str, value: str) -> str:
    """Return the C++ text that combines a value with the element at `places`, in one step."""
    at = address(array, places)
    if kind == "max":
        return f"atomicMax({at}, {value})"
    return f"atomicAdd((unsigned long long*)({at}), (unsigned long long){value})"


def _place(array: Array, places: Sequence[str]) -> str:
    """Return how far an element is from the first one."""
    offset = _horner(array, places) if array.in_order else offset_of(array, places)
    return offset or "0"


def _horner(array: Array, places: Sequence[str]) -> str:
    """Return ((i0 * size1) + i1) * size2 + i2, without the zeros."""
    offset = ""
    for axis, place in enumerate(places):
        if offset:
            inner = offset if " + " not in offset else f"({offset})"
            offset = f"{inner} * {array.sizes(axis)}"
        if place != ZERO:
            offset = f"{offset} + {place}" if offset else place
    return offset


def offset_of(array: Array, places: Sequence[str]) -> str:
    """Return i0 * stride0 + i1 * stride1, without the zeros; "" stands for none."""
    terms = [
        _times(place, array.strides(axis)) for axis, place in enumerate(places) if place != ZERO
    ]
    return " + ".join(terms)


def _times(place: str, stride: str) -> str:
    if ONE in (place, stride):
        return stride if place == ONE else place
    return f"{place} * {stride}" if " * " not in stride else f"{place} * ({stride})"


@record
class View:
    """A part of an array, in C++: how far its first element is, and its sizes and strides."""

    offset: str
    sizes: tuple[str, ...]
    strides: tuple[str, ...]


def view_of(array: Array, subview: Instr, name: Callable[[Value], str]) -> View:
    """Return the part of an array that a `subview` selects."""
    letters, numbers = str(subview.attrs["axes"]), iter(subview.operands[1:])
    places: list[str] = []
    sizes: list[str] = []
    strides: list[str] = []
    for letter in letters:
        axis = len(places)
        if letter == "n":
            sizes.append(ONE)
            strides.append(ZERO)
            continue
        places.append(name(next(numbers)))
        if letter == "s":
            count, step = name(next(numbers)), name(next(numbers))
            sizes.append(count)
            strides.append(_times(step, array.strides(axis)))
    rest = range(len(places), rank_of(subview.operands[0]))
    return View(
        offset_of(array, places),
        (*sizes, *map(array.sizes, rest)),
        (*strides, *map(array.strides, rest)),
    )


def overlap(first: tuple[Array, int], second: tuple[Array, int]) -> str:
    """Return the C++ text that says whether two arrays of these ranks may share memory."""
    some = [f"{array.sizes(axis)} > 0" for array, rank in (first, second) for axis in range(rank)]
    (low, high), (other_low, other_high) = _extent(*first), _extent(*second)
    return " && ".join((*some, f"{low} < {other_high}", f"{other_low} < {high}"))


def _extent(array: Array, rank: int) -> tuple[str, str]:
    """Return the lowest address of an array and the one behind its highest."""
    ends = [f"({array.sizes(axis)} - 1) * ({array.strides(axis)})" for axis in range(rank)]
    low = "".join(f" + ScMin()({end}, 0LL)" for end in ends)
    high = "".join(f" + ScMax()({end}, 0LL)" for end in ends)
    return f"(const char*)({array.pointer}{low})", f"(const char*)({array.pointer}{high} + 1)"


def rank_of(value: Value) -> int:
    """Return how many axes an array has."""
    assert isinstance(value.type, TensorType)
    return value.type.rank
