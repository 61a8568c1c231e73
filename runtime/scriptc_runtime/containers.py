"""Containers as the interpreter has them: the fields that functions of the library work on."""

import ctypes
import struct
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import cast

import numpy as np

from scriptc_runtime import collection_classes
from scriptc_runtime.collection_classes import BUILTIN, class_of, label_of
from scriptc_runtime.ops.containers import has_hash
from scriptc_runtime.types import Container, DequeType, DictType, SetType, Type
from scriptc_runtime.values import Instance

Convert = Callable[[Type, object], object]
_Entry = tuple[int, object, object] | None
_Slot = tuple[int, object] | None
_REMOVED = -1  # in place of the hash of an item
_FREE, _LEFT = -1, -2  # in the index of a set: no item is here, or was until it was removed


def container_of(type_: Container, value: object, convert: Convert) -> Instance:
    """Return what an object of Python's is here, whose parts `convert` converts."""
    match type_:
        case DictType(key, held):
            items = cast("dict[object, object]", value).items()
            return dict_of(type_, ((k, convert(key, k), convert(held, v)) for k, v in items))
        case DequeType(item):
            parts = [convert(item, part) for part in cast("Iterable[object]", value)]
            limit = collection_classes.limit_of(value)
            counts = {"start": 0, "limit": limit, "changes": 0}
            return Instance(label_of(type_), {"items": parts, **counts})
        case SetType(item):
            return _set_of(type_, cast("set[object]", value), convert=lambda v: convert(item, v))


def python_of(type_: Container, made: Instance, convert: Convert) -> object:
    """Return the object of Python's that a container is, whose parts `convert` converts."""
    match type_:
        case DictType(key, held):
            found = {convert(key, k): convert(held, v) for k, v in items_of(made)}
            if type_.kind == "dict":
                return found
            factory = collection_classes.factory_name(held)
            return collection_classes.dict_made(type_.kind, factory, found)
        case DequeType(item):
            return _python_deque(made, lambda part: convert(item, part))
        case SetType(item):
            return _python_set(made, lambda part: convert(item, part))


def python_of_plain(type_: DictType | DequeType, like: object, plain: object) -> object:
    """Return an object of a class of `collections` as `like` is, with the items of a plain one."""
    if isinstance(type_, DictType):
        factory = collection_classes.factory_name(type_.value)
        items = cast("dict[object, object]", plain)
        return collection_classes.dict_made(type_.kind, factory, items)
    parts = cast("list[object]", plain)
    return collection_classes.deque_of([*parts, 0, collection_classes.limit_of(like)])


def fits(type_: Container, value: object) -> bool:
    """Whether an object of Python's is of the class of a container, and makes what it lacks."""
    if type_.name in BUILTIN:
        return type(value) is class_of(type_)
    return collection_classes.fits(type_, value)


def is_container(made: Instance) -> bool:
    """Whether an instance is a container, and none of a class of the user's."""
    return made.class_name in BUILTIN or made.class_name.startswith("collections.")


def plain_of(made: Instance, convert: Callable[[object], object]) -> object:
    """Return the object of Python's that a container is, where its type is not at hand."""
    if "finger" in made.fields:
        return _python_set(made, convert)
    if "entries" in made.fields:
        found = {convert(key): convert(held) for key, held in items_of(made)}
        if made.class_name == "dict":
            return found
        _, kind, *factory = made.class_name.split(".", 2)
        return collection_classes.dict_made(kind, "".join(factory), found)
    return _python_deque(made, convert)


def dict_of(type_: DictType, items: Iterable[tuple[object, object, object]]) -> Instance:
    """Return a dict of these items: entries, no index, their number.

    An item is a key of Python's, what it is here, and a value.
    """
    is_own = has_hash(type_.key)
    entries: list[_Entry] = [
        (hash(key if is_own else given), key, value) for given, key, value in items
    ]
    fields: dict[str, object] = {"entries": entries, "index": [], "used": len(entries), "taken": 0}
    return Instance(label_of(type_), fields)


def _python_deque(made: Instance, convert: Callable[[object], object]) -> object:
    parts = [convert(part) for part in cast("list[object]", made.fields["items"])]
    return collection_classes.deque_of([*parts, made.fields["start"], made.fields["limit"]])


def items_of(made: Instance) -> Iterator[tuple[object, object]]:
    """Yield the items of a dict, in order."""
    for entry in cast("list[_Entry]", made.fields["entries"]):
        if entry is not None:
            yield entry[1], entry[2]


def items_of_set(made: Instance) -> Iterator[object]:
    """Yield the items of a set, in order."""
    for slot in _slots_of(made):
        if slot is not None and slot[0] != _REMOVED:
            yield slot[1]


def _slots_of(made: Instance) -> Iterator[_Slot]:
    """Yield what each slot of a set holds."""
    entries = cast("list[tuple[int, object]]", made.fields["entries"])
    for place in cast("list[np.int32]", made.fields["index"]):
        if place >= 0:
            yield entries[place]
        else:
            yield None if place == _FREE else (_REMOVED, None)


# Sets. Iteration follows the table, and what is added later, its free slots: so the slots of a set
# that Python gives are read from it, and those of one that it gets are written.


def _set_of(type_: SetType, items: set[object], convert: Callable[[object], object]) -> Instance:
    fill, mask, slots, finger = _slots_read(items) or _slots_filled(items)
    index = [np.int32(_FREE)] * (mask + 1)
    entries: list[tuple[int, object]] = []
    for slot, code, item in slots:
        index[slot] = np.int32(_LEFT if code == _REMOVED else len(entries))
        if code != _REMOVED:
            entries.append((code, convert(item)))
    counts = {"used": len(items), "fill": fill, "finger": finger}
    return Instance(label_of(type_), {"entries": entries, "index": index, **counts})


_Slots = list[tuple[int, int, object]]  # place, hash and item
_HEAD = object.__basicsize__  # then: fill, used, mask, the table, a hash, finger
_IS_KNOWN = sys.implementation.name == "cpython" and struct.calcsize("P") == 8


def _slots_read(items: set[object]) -> tuple[int, int, _Slots, int] | None:
    """Return what CPython keeps of a set; None where nothing is where CPython has it."""
    if not _IS_KNOWN:
        return None
    fill, used, mask, at, _, finger = struct.unpack("6q", ctypes.string_at(id(items) + _HEAD, 48))
    if used != len(items) or not used <= fill <= mask or mask & (mask + 1) or at % 8:
        return None
    words = struct.unpack(f"{2 * mask + 2}q", ctypes.string_at(at, 16 * (mask + 1)))
    waiting = iter(items)
    slots: _Slots = []
    for place, (key, code) in enumerate(zip(words[::2], words[1::2], strict=True)):
        if key and code == _REMOVED:
            slots.append((place, code, None))
        elif key:
            item = next(waiting)
            if id(item) != key:
                return None
            slots.append((place, code, item))
    return fill, mask, slots, finger


def _python_set(made: Instance, convert: Callable[[object], object]) -> object:
    """Return the set of Python's that a set is here, with the same slots."""
    slots = _slots_of(made)
    items = [s if s is None or s[0] == _REMOVED else (s[0], convert(s[1])) for s in slots]
    held = [s[1] for s in items if s is not None and s[0] != _REMOVED]
    found = cast("set[object]", BUILTIN[made.class_name](held))
    if held and len(found) == len(held) and _slots_read(found):
        _arrange(found, items, cast(int, made.fields["finger"]))
    return found


def _arrange(found: set[object], slots: Sequence[_Slot], finger: int) -> None:
    """Move the items of a new set of CPython's to the slots where they are to stand."""
    words: list[int] = []
    for slot in slots:
        words += (0, 0) if slot is None else (_id_of(slot), slot[0])
    size, head = 8 * len(words), id(found) + _HEAD
    small, old = head + 48, struct.unpack("q", ctypes.string_at(head + 24, 8))[0]
    api = ctypes.pythonapi
    api.PyMem_Malloc.restype = ctypes.c_void_p
    table = small if size == 128 else api.PyMem_Malloc(ctypes.c_size_t(size))
    if table is None:
        return
    ctypes.memmove(table, struct.pack(f"{len(words)}q", *words), size)
    if old not in (table, small):
        api.PyMem_Free(ctypes.c_void_p(old))
    fill = sum(slot is not None for slot in slots)
    counts = struct.pack("4q", fill, len(found), len(slots) - 1, table)
    ctypes.memmove(head, counts, 32)
    ctypes.memmove(head + 40, struct.pack("q", finger), 8)


def swap_tables(first: set[object], second: set[object]) -> bool:
    """Exchange what two sets hold, slot by slot; whether that can be done here."""
    if not (_can_arrange() and len(first) == _used(first) and len(second) == _used(second)):
        return False
    heads = [id(found) + _HEAD for found in (first, second)]
    words = [list(struct.unpack("6q", ctypes.string_at(head, 48))) for head in heads]
    smalls = [ctypes.string_at(head + 48, 128) for head in heads]
    for head, other in ((0, 1), (1, 0)):
        table = words[other][3]
        if table == heads[other] + 48:  # it lies in the set itself
            table = heads[head] + 48
        fill, used, mask, _, code, finger = words[other]
        ctypes.memmove(heads[head], struct.pack("6q", fill, used, mask, table, code, finger), 48)
        ctypes.memmove(heads[head] + 48, smalls[other], 128)
    return True


@cache
def _can_arrange() -> bool:
    """Whether this Python keeps sets as it is thought to."""
    return _slots_read({1, 9}) is not None and _slots_read(set(range(20))) is not None


def _used(items: set[object]) -> int:
    return int(struct.unpack("q", ctypes.string_at(id(items) + _HEAD + 8, 8))[0])


def _id_of(slot: tuple[int, object]) -> int:
    return _removed_mark() if slot[0] == _REMOVED else id(slot[1])


@cache
def _removed_mark() -> int:
    """Return the address of what CPython has in place of a removed item."""
    sample = {0, 1}
    sample.remove(0)
    at = struct.unpack("q", ctypes.string_at(id(sample) + _HEAD + 24, 8))[0]
    return struct.unpack("q", ctypes.string_at(at, 8))[0]


def _slots_filled(items: set[object]) -> tuple[int, int, _Slots, int]:
    """Return a table with each item in the first free slot for its hash."""
    mask = 7
    while 5 * len(items) >= 3 * mask:
        mask = 2 * mask + 1
    taken: dict[int, tuple[int, object]] = {}
    for item in items:
        code = hash(item)
        place = next(slot for slot in _slots_for(code, mask) if slot not in taken)
        taken[place] = code, item
    return len(items), mask, [(place, *held) for place, held in taken.items()], 0


def _slots_for(code: int, mask: int) -> Iterator[int]:
    """Yield the slots that CPython looks into for a hash."""
    slot, rest = code & mask, code & (2**64 - 1)
    while True:
        yield from range(slot, slot + 10 if slot + 9 <= mask else slot + 1)
        rest >>= 5
        slot = (slot * 5 + 1 + rest) & mask
