"""What compiled code keeps in counted blocks, seen from Python: its object, which lists are one.

A list that is read from a field is a new one each time, so whether two fields hold the same list
shows only in memory.
"""

import ctypes
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple, cast

from scriptc.backends.llvm.loading.abi import INSTANCE_FIELDS, INSTANCE_OBJECT, flatten, in_memory
from scriptc.backends.llvm.rules.objects import LIST_ITEMS
from scriptc_runtime.types import ListType, OptionalType, TupleType, Type, holds_list

_SIZES: Mapping[str, int] = {
    **{"i8": 1, "i16": 2, "half": 2, "i32": 4, "float": 4},
    **{"i64": 8, "double": 8, "ptr": 8},
}


class _Struct(NamedTuple):
    """Where the components of a value stand, from its start, and how many bytes it takes."""

    offsets: Sequence[int]
    size: int


def unify_lists(
    handle: int, types: Sequence[Type], values: Sequence[object], known: dict[int, list[object]]
) -> list[object]:
    """Return the values of an object's fields with one list of Python's for each in its block.

    `known` has the lists of other objects, by their addresses.
    """
    whole = TupleType(tuple(types))
    offsets = [handle + INSTANCE_FIELDS + offset for offset in _struct(whole).offsets]
    reader = _Reader(known)
    return list(cast("tuple[object, ...]", reader.value(whole, tuple(values), iter(offsets))))


def belong_to(handle: int, instance: int) -> None:
    """Note in a block at which address the object that holds it is."""
    ctypes.c_size_t.from_address(handle + INSTANCE_OBJECT).value = instance


class _Reader:
    """Walks through values and the memory that they were read from, side by side."""

    def __init__(self, known: dict[int, list[object]]) -> None:
        self._known = known

    def value(self, type_: Type, value: object, places: Iterator[int]) -> object:
        """Return a value whose components stand at the next places."""
        match type_:
            case OptionalType(item):
                next(places)
                if value is not None:
                    return self.value(item, value, places)
                _skip(item, places)
                return None
            case TupleType(items):
                pairs = zip(items, cast("tuple[object, ...]", value), strict=True)
                return tuple([self.value(item, part, places) for item, part in pairs])
            case ListType(item):
                return self._list(item, cast("list[object]", value), _word(next(places)))
            case _:
                _skip(type_, places)
                return value

    def _list(self, item: Type, values: list[object], block: int) -> list[object]:
        if block in self._known:
            return self._known[block]
        self._known[block] = values
        if holds_list(item):
            struct, start = _struct(item), _word(block + LIST_ITEMS)
            for index, value in enumerate(values):
                places = (start + index * struct.size + offset for offset in struct.offsets)
                values[index] = self.value(item, value, iter(places))
        return values


def _skip(type_: Type, places: Iterator[int]) -> None:
    for _ in flatten(type_):
        next(places)


def _word(address: int) -> int:
    return ctypes.c_size_t.from_address(address).value


def _struct(type_: Type) -> _Struct:
    """Return the layout of LLVM's struct: each component at a multiple of its size."""
    sizes = [_SIZES[in_memory(component)] for component in flatten(type_)]
    ends = list(accumulate(sizes, lambda end, size: _round(end, size) + size, initial=0))
    offsets = [_round(end, size) for end, size in zip(ends, sizes, strict=False)]
    return _Struct(offsets, _round(ends[-1], max(sizes, default=1)))


def _round(offset: int, size: int) -> int:
    return -(-offset // size) * size
