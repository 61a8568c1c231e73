"""What compiled code keeps in counted blocks, seen from Python: its object, lists, and arrays.

A list that is read from a field is a new one each time, so whether two fields hold the same list
shows only in memory.
"""

import ctypes
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple, cast

from scriptc.backends.llvm.loading.abi import (
    BLOCK_COUNT,
    BLOCK_COUNT_BITS,
    INSTANCE_FIELDS,
    INSTANCE_OBJECT,
    flatten,
    in_memory,
    slots_of,
)
from scriptc.backends.llvm.rules.objects import LIST_ITEMS, LIST_SIZE
from scriptc_runtime.records import RECORDS
from scriptc_runtime.types import (
    ClassType,
    DequeType,
    DictType,
    ListType,
    NamedType,
    OptionalType,
    SetType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    holds_list,
)

_SIZES: Mapping[str, int] = {
    **{"i8": 1, "i16": 2, "half": 2, "i32": 4, "float": 4},
    **{"i64": 8, "double": 8, "ptr": 8},
}


class _Struct(NamedTuple):
    """Where the components of a value stand, from its start, and how many bytes it takes."""

    offsets: Sequence[int]
    size: int


def unify_lists(
    handle: int, types: Sequence[Type], values: Sequence[object], known: dict[int, object]
) -> list[object]:
    """Return the values of an object's fields with one list of Python's for each in its block.

    `known` has the lists of other objects, by their addresses.
    """
    whole = TupleType(tuple(types))
    offsets = [handle + INSTANCE_FIELDS + offset for offset in _struct(whole).offsets]
    reader = _Reader(known)
    return list(cast("tuple[object, ...]", reader.value(whole, tuple(values), iter(offsets))))


def unite_lists(
    handle: int,
    types: Sequence[Type],
    values: Sequence[object],
    seen: dict[int, int],
    counts: tuple[Callable[[int], None], Callable[[int], None]],
) -> None:
    """Have one block for each list of Python's in the values that an object was made of.

    `seen` has the blocks of those of other objects, by the identity of the list; `counts` take and
    give up a count of a block.
    """
    whole = TupleType(tuple(types))
    offsets = [handle + INSTANCE_FIELDS + offset for offset in _struct(whole).offsets]
    _Uniter(seen, counts).value(whole, tuple(values), iter(offsets))


# Blocks of objects and containers, by their addresses.
Blocks = dict[int, Type]


class HeldArray:
    """An array in a field of an object, or in what a field holds, where its components stand."""

    def __init__(self, type_: TensorType, place: int) -> None:
        self.type = type_
        self._words = (ctypes.c_int64 * (2 + 2 * type_.rank)).from_address(place)

    @property
    def data(self) -> int:
        """The address of the first element."""
        return self._words[0]

    @data.setter
    def data(self, address: int) -> None:
        self._words[0] = address

    @property
    def owner(self) -> int:
        """A block, the address of an array of Python's and 1, or 0."""
        return self._words[1]

    @owner.setter
    def owner(self, owner: int) -> None:
        self._words[1] = owner

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes."""
        return tuple(self._words[2 : 2 + self.type.rank])

    @property
    def strides(self) -> tuple[int, ...]:
        """The strides, in bytes."""
        return tuple(s * self.type.dtype.itemsize for s in self._words[2 + self.type.rank :])

    @strides.setter
    def strides(self, strides: Sequence[int]) -> None:
        self._words[2 + self.type.rank :] = [s // self.type.dtype.itemsize for s in strides]


def arrays_held(
    roots: Sequence[tuple[int, Type]], fields_of: Callable[[str], Sequence[Type]], seen: Blocks
) -> Iterator[HeldArray]:
    """Yield the arrays in the blocks of objects and containers, and in all that these lead to.

    `fields_of` gives the types of the fields of a class. Blocks in `seen` are left out, and those
    that are walked through are added to it.
    """
    waiting = list(roots)
    while waiting:
        block, type_ = waiting.pop()
        if block in seen:
            continue
        seen[block] = type_
        match type_:
            case ClassType(name):
                whole: Type = TupleType(tuple(fields_of(name)))
                starts = [block + INSTANCE_FIELDS]
            case DictType() | DequeType():
                whole = TupleType(tuple(type_.fields.values()))
                starts = [block + INSTANCE_FIELDS]
            case ListType(whole):
                size, start = _struct(whole).size, _word(block + LIST_ITEMS)
                starts = [start + size * i for i in range(_word(block + LIST_SIZE))]
            case _:
                continue
        for start in starts:
            places = (start + offset for offset in _struct(whole).offsets)
            yield from _arrays_at(whole, iter(places), waiting)


def _arrays_at(
    type_: Type, places: Iterator[int], waiting: list[tuple[int, Type]]
) -> Iterator[HeldArray]:
    """Yield the arrays in a value whose components stand at the next places."""
    match type_:
        case TensorType():
            own = [next(places) for _ in flatten(type_)]
            yield HeldArray(type_, own[0])
        case TupleType(items):
            for item in items:
                yield from _arrays_at(item, places, waiting)
        case NamedType(base=base):
            yield from _arrays_at(base, places, waiting)
        case OptionalType(item):
            held = _byte(next(places))
            yield from _arrays_at(item, places, waiting) if held else _skip(item, places)
        case UnionType():
            yield from _arrays_at(*_held(type_, places), waiting)
        case ClassType() | ListType() | DictType() | DequeType():
            waiting.append((_word(next(places)), type_))
        case _:
            _skip(type_, places)


def _held(type_: UnionType, places: Iterator[int]) -> tuple[Type, Iterator[int]]:
    """Return the member of a union that is held, and where its components stand."""
    taken = [next(places) for _ in flatten(type_)]
    held = _byte(taken[0])
    return type_.members[held], iter(taken[slots_of(type_)[held]])


def belong_to(handle: int, instance: int) -> None:
    """Note in a block at which address the object that holds it is."""
    ctypes.c_size_t.from_address(handle + INSTANCE_OBJECT).value = instance


def is_shared(block: int) -> bool:
    """Whether something else has a block as well."""
    return _word(block + BLOCK_COUNT) & ((1 << BLOCK_COUNT_BITS) - 1) > 1


class _Reader:
    """Walks through values and the memory that they were read from, side by side."""

    def __init__(self, known: dict[int, object]) -> None:
        self._known = known

    def block_at(self, value: object, place: int) -> object:
        """Return what stands for a dict or the like whose block is named at a place."""
        return self._known.setdefault(_word(place), value)

    def _named(self, type_: NamedType, value: object, places: Iterator[int]) -> object:
        if type_.kind == RECORDS:
            _skip(type_.base, places)  # arrays are no lists
            return value
        made = self.value(type_.base, tuple(cast("tuple[object, ...]", value)), places)
        return type(cast(Any, value))(*cast("tuple[object, ...]", made))

    def value(self, type_: Type, value: object, places: Iterator[int]) -> object:
        """Return a value whose components stand at the next places."""
        match type_:
            case OptionalType(item):
                next(places)
                if value is not None:
                    return self.value(item, value, places)
                _skip(item, places)
                return None
            case UnionType():
                member, own = _held(type_, places)
                return self.value(member, value, own)
            case TupleType(items):
                pairs = zip(items, cast("tuple[object, ...]", value), strict=True)
                return tuple([self.value(item, part, places) for item, part in pairs])
            case ListType(item, True):
                items = list(cast("tuple[object, ...]", value))
                return tuple(self._list_items(item, items, _word(next(places))))
            case ListType(item):
                return self.list_at(item, cast("list[object]", value), next(places))
            case NamedType(base=TupleType()):
                return self._named(type_, value, places)
            case DictType(value=held) if holds_list(held):
                return self.dict_at(type_, cast("dict[object, object]", value), next(places))
            case DictType() | SetType() | DequeType():
                return self.block_at(value, next(places))
            case _:
                _skip(type_, places)
                return value

    def list_at(self, item: Type, values: list[object], place: int) -> object:
        """Return what stands for a list whose block is named at a place."""
        block = _word(place)
        if block in self._known:
            return self._known[block]
        self._known[block] = values
        return self._list_items(item, values, block)

    def dict_at(self, type_: DictType, values: dict[object, object], place: int) -> object:
        """Return what stands for a dict of lists whose block is named at a place."""
        block = _word(place)
        if block in self._known:
            return self._known[block]
        self._known[block] = values
        return self._dict_items(type_, values, block)

    def _list_items(self, item: Type, values: list[object], block: int) -> list[object]:
        if holds_list(item):
            struct, start = _struct(item), _word(block + LIST_ITEMS)
            for index, value in enumerate(values):
                places = (start + index * struct.size + offset for offset in struct.offsets)
                self._put(values, index, self.value(item, value, iter(places)))
        return values

    def _dict_items(
        self, type_: DictType, values: dict[object, object], block: int
    ) -> dict[object, object]:
        """Go through the entries: those of items that were removed hold nothing."""
        whole, item = TupleType(tuple(type_.fields.values())), type_.entries.item
        entries = _word(block + INSTANCE_FIELDS + _struct(whole).offsets[0])
        struct, start = _struct(item), _word(entries + LIST_ITEMS)
        keys = iter(list(values))
        for index in range(_word(entries + LIST_SIZE)):
            places = iter([start + index * struct.size + offset for offset in struct.offsets])
            if _byte(next(places)):
                next(places)  # the hash
                key = next(keys)
                pair = TupleType((type_.key, type_.value))
                found = self.value(pair, (key, values[key]), places)
                self._put(values, key, cast("tuple[object, object]", found)[1])
        return values

    def _put(self, values: Any, key: object, part: object) -> None:
        values[key] = part


class _Uniter(_Reader):
    """Has one block for what is one list in the values, or one dict."""

    def __init__(
        self, seen: dict[int, int], counts: tuple[Callable[[int], None], Callable[[int], None]]
    ) -> None:
        super().__init__({})
        self._seen = seen
        self._take, self._give_up = counts

    def _put(self, values: Any, key: object, part: object) -> None:
        """Leave what Python has as it is."""

    def block_at(self, value: object, place: int) -> object:
        """Name the block there that another place has for the same value."""
        block = _word(place)
        one = self._seen.setdefault(id(value), block)
        if one != block:
            self._take(one)
            ctypes.c_size_t.from_address(place).value = one
            self._give_up(block)
        return value

    def list_at(self, item: Type, values: list[object], place: int) -> object:
        """Name the block there that another place has for the same list, or look into it."""
        is_new = id(values) not in self._seen
        self.block_at(values, place)
        return self._list_items(item, values, _word(place)) if is_new else values

    def dict_at(self, type_: DictType, values: dict[object, object], place: int) -> object:
        """Name the block there that another place has for the same dict, or look into it."""
        is_new = id(values) not in self._seen
        self.block_at(values, place)
        return self._dict_items(type_, values, _word(place)) if is_new else values


def _skip(type_: Type, places: Iterator[int]) -> tuple[()]:
    for _ in flatten(type_):
        next(places)
    return ()


def _byte(address: int) -> int:
    return ctypes.c_uint8.from_address(address).value


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
