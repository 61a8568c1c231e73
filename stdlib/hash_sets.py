"""Sets and frozensets, in the script language: tables by hash, in the order that CPython has.

`table` has a power of two of slots: None, or hash and item; the hash of a removed item is -1. The
slots that an item may be in, when a table grows, and how results are filled are those of CPython
3.11 (Objects/setobject.c), so that loops meet the items in its order. `used` counts the items,
`fill` the slots that are not None. Where a new set is returned, it is given empty, as `into`.
"""

import numpy as np


def set_len(items) -> int:
    """Return the number of items."""
    return items.used


def cleared(items):
    """Return a set as it is without items."""
    table = items.table[:0]
    table.append(None)
    table *= 8
    items.table = table
    items.used = 0
    items.fill = 0
    return items


def clear(self) -> None:
    """Remove all items."""
    cleared(self)


def _slot_of(table, item, code: int) -> int:
    """Return the slot of an item, -1 where it is not there."""
    mask = len(table) - 1
    start = code & mask
    first = table[start]
    if first is None:
        return -1
    if first[0] == code and first[1] == item:
        return start
    rest = code
    while True:
        for slot in range(start, start + 10 if start + 9 <= mask else start + 1):
            entry = table[slot]
            if entry is None:
                return -1
            if entry[0] == code and entry[1] == item:
                return slot
        rest = (rest >> 5) & 0x07FFFFFFFFFFFFFF
        start = (start * 5 + 1 + rest) & mask


def _free_slot(table, code: int) -> int:
    """Return the slot for an item that is not there."""
    mask = len(table) - 1
    start = code & mask
    if table[start] is None:
        return start
    rest = code
    while True:
        for slot in range(start, start + 10 if start + 9 <= mask else start + 1):
            if table[slot] is None:
                return slot
        rest = (rest >> 5) & 0x07FFFFFFFFFFFFFF
        start = (start * 5 + 1 + rest) & mask


def contains(items, item) -> bool:
    """Return whether an item is there."""
    return _slot_of(items.table, item, hash(item)) >= 0


def add(self, item) -> None:
    """Add an item."""
    _add(self, item, hash(item))


def _add(items, item, code: int) -> None:
    table = items.table
    mask = len(table) - 1
    start = code & mask
    rest = code
    removed = -1
    while True:
        for slot in range(start, start + 10 if start + 9 <= mask else start + 1):
            entry = table[slot]
            if entry is None:
                _put(items, removed if removed >= 0 else slot, item, code)
                return
            if entry[0] == code and entry[1] == item:
                return
            if entry[0] == -1:
                removed = slot
        rest = (rest >> 5) & 0x07FFFFFFFFFFFFFF
        start = (start * 5 + 1 + rest) & mask


def _put(items, slot: int, item, code: int) -> None:
    """Put an item into a slot that has none."""
    is_new = items.table[slot] is None
    items.table[slot] = (code, item)
    items.used += 1
    if is_new:
        items.fill += 1
        if 5 * items.fill >= 3 * (len(items.table) - 1):
            _resize(items, _room(items.used))


def _add_new(items, item, code: int) -> None:
    """Add an item that is not there to a set from which nothing was removed."""
    table = items.table
    table[_free_slot(table, code)] = (code, item)
    items.used += 1
    items.fill += 1
    if 5 * items.fill >= 3 * (len(table) - 1):
        _resize(items, _room(items.used))


def _room(used: int) -> int:
    return 2 * used if used > 50000 else 4 * used


def _resize(items, least: int) -> None:
    """Give a set a table of more than `least` slots, without the removed items."""
    size = 8
    while size <= least:
        size *= 2
    old = items.table
    if size == 8 and len(old) == 8 and items.fill == items.used:
        return
    table = old[:0]
    table.append(None)
    table *= size
    for entry in old:
        if entry is not None and entry[0] != -1:
            table[_free_slot(table, entry[0])] = entry
    items.table = table
    items.fill = items.used


def _discarded(items, item, code: int) -> bool:
    """Remove an item, and return whether it was there."""
    slot = _slot_of(items.table, item, code)
    if slot < 0:
        return False
    items.table[slot] = (-1, item)
    items.used -= 1
    return True


def discard(self, item) -> None:
    """Remove an item where it is there."""
    _discarded(self, item, hash(item))


def remove(self, item) -> None:
    """Remove an item.  Raises KeyError."""
    if not _discarded(self, item, hash(item)):
        raise KeyError(item)


def pop(self):
    """Remove an item and return it.  Raises KeyError."""
    if self.used == 0:
        raise KeyError("pop from an empty set")
    table = self.table
    mask = len(table) - 1
    slot = self.finger & mask
    while True:
        entry = table[slot]
        if entry is not None and entry[0] != -1:
            table[slot] = (-1, entry[1])
            self.used -= 1
            self.finger = slot + 1
            return entry[1]
        slot = (slot + 1) & mask


def next_place(items, place: int, count: int) -> int:
    """Return the slot of the next item, -1 at the end, in a loop that began with `count` items."""
    if items.used != count:
        raise RuntimeError("Set changed size during iteration")
    table = items.table
    for slot in range(place + 1, len(table)):
        entry = table[slot]
        if entry is not None and entry[0] != -1:
            return slot
    return -1


def item_at(items, slot: int):
    """Return the item in a slot."""
    entry = items.table[slot]
    if entry is None:
        raise RuntimeError("Set changed size during iteration")
    return entry[1]


def update(self, other) -> None:
    """Add all items of another set, of the keys of a dict, or of what a loop can run over."""
    if isinstance(other, (set, frozenset)):
        _merge(self, other)
    elif isinstance(other, dict):
        if 5 * (self.fill + len(other)) >= 3 * (len(self.table) - 1):
            _resize(self, 2 * (self.used + len(other)))
        for item in other:
            add(self, item)
    else:
        for item in other:
            add(self, item)


def _merge(items, other) -> None:
    if other.used == 0:
        return
    if 5 * (items.fill + other.used) >= 3 * (len(items.table) - 1):
        _resize(items, 2 * (items.used + other.used))
    if items.fill > 0:
        for entry in other.table:
            if entry is not None and entry[0] != -1:
                _add(items, entry[1], entry[0])
        return
    if len(items.table) == len(other.table) and other.fill == other.used:
        items.table = other.table[:]
    else:
        table = items.table
        for entry in other.table:
            if entry is not None and entry[0] != -1:
                table[_free_slot(table, entry[0])] = entry
    items.used = other.used
    items.fill = other.used


def updated(self, other):
    """Add all items of another set, and return this one."""
    update(self, other)
    return self


def copied(self, into):
    """Return a copy."""
    _merge(into, self)
    return into


def union(self, other, into):
    """Return the items of both."""
    _merge(into, self)
    update(into, other)
    return into


def intersection(self, other, into):
    """Return the items that both have."""
    if isinstance(other, (set, frozenset)):
        if other.used > self.used:
            _common(other, self, into)
        else:
            _common(self, other, into)
    else:
        for item in other:
            code = hash(item)
            if _slot_of(self.table, item, code) >= 0:
                _add(into, item, code)
    return into


def _common(larger, smaller, into) -> None:
    for entry in smaller.table:
        if entry is not None and entry[0] != -1 and _slot_of(larger.table, entry[1], entry[0]) >= 0:
            _add_new(into, entry[1], entry[0])


def intersection_update(self, other, into) -> None:
    """Keep the items that another one has, too; `into` is an empty set."""
    intersection(self, other, into)
    self.table = into.table
    self.used = into.used
    self.fill = into.fill


def difference(self, other, into):
    """Return the items that another one has not."""
    if isinstance(other, (set, frozenset)) and self.used >> 2 <= other.used:
        for entry in self.table:
            if (
                entry is not None
                and entry[0] != -1
                and _slot_of(other.table, entry[1], entry[0]) < 0
            ):
                _add_new(into, entry[1], entry[0])
        return into
    if isinstance(other, dict) and self.used >> 2 <= len(other):
        for entry in self.table:
            if entry is not None and entry[0] != -1 and entry[1] not in other:
                _add_new(into, entry[1], entry[0])
        return into
    _merge(into, self)
    _remove_all(into, other)
    return into


def reduced(self, other):
    """Remove the items of another one, and return this one."""
    _remove_all(self, other)
    return self


def difference_update(self, other) -> None:
    """Remove the items of another one."""
    _remove_all(self, other)


def _remove_all(items, other) -> None:
    if isinstance(other, (set, frozenset)):
        if other.used >> 3 > items.used:
            for entry in items.table:
                if (
                    entry is not None
                    and entry[0] != -1
                    and (_slot_of(other.table, entry[1], entry[0]) >= 0)
                ):
                    _discarded(items, entry[1], entry[0])
        else:
            for entry in other.table:
                if entry is not None and entry[0] != -1:
                    _discarded(items, entry[1], entry[0])
    else:
        for item in other:
            _discarded(items, item, hash(item))
    if items.fill - items.used > (len(items.table) - 1) // 4:
        _resize(items, _room(items.used))


def symmetric_difference(self, other, into):
    """Return the items that one of two has."""
    update(into, other)
    _exclude(into, self)
    return into


def symmetric_difference_update(self, other, into) -> None:
    """Remove the items of another one that are there, and add the others; `into` is empty."""
    if isinstance(other, (set, frozenset)):
        _exclude(self, other)
    else:
        update(into, other)
        _exclude(self, into)


def _exclude(items, other) -> None:
    for entry in other.table:
        if entry is not None and entry[0] != -1 and not _discarded(items, entry[1], entry[0]):
            _add(items, entry[1], entry[0])


def issubset(self, other) -> bool:
    """Return whether another set has all items."""
    if self.used > other.used:
        return False
    for entry in self.table:
        if entry is not None and entry[0] != -1 and _slot_of(other.table, entry[1], entry[0]) < 0:
            return False
    return True


def isdisjoint(self, other) -> bool:
    """Return whether another one has none of the items."""
    return all(_slot_of(self.table, item, hash(item)) < 0 for item in other)


def same(first, second) -> bool:
    """Return whether two sets have the same items."""
    return first.used == second.used and issubset(first, second)


def is_proper_subset(self, other) -> bool:
    """Return whether another set has all items, and more."""
    return self.used < other.used and issubset(self, other)


def moved(items, into):
    """Return an empty frozenset, `into`, with the items of a set that nobody needs any more."""
    into.table = items.table
    into.used = items.used
    into.fill = items.fill
    return into


def _shuffled(code: np.uint64) -> np.uint64:
    return ((code ^ np.uint64(89869747)) ^ (code << np.uint64(16))) * np.uint64(3644798167)


def frozenset_hash(items) -> int:
    """Return the hash of a frozenset."""
    total = np.uint64(0)
    for entry in items.table:
        if entry is not None and entry[0] != -1:
            total ^= _shuffled(np.uint64(entry[0] & 0x7FFFFFFFFFFFFFFF) | _sign(entry[0]))
    total ^= np.uint64(items.used + 1) * np.uint64(1927868237)
    total ^= (total >> np.uint64(11)) ^ (total >> np.uint64(25))
    total = total * np.uint64(69069) + np.uint64(907133923)
    if total == np.uint64(0xFFFFFFFFFFFFFFFF):
        return 590923713
    low = int(total & np.uint64(0x7FFFFFFFFFFFFFFF))
    return low - 0x7FFFFFFFFFFFFFFF - 1 if total >> np.uint64(63) else low


def _sign(code: int) -> np.uint64:
    return np.uint64(0x8000000000000000) if code < 0 else np.uint64(0)


def set_text(items, name: str, start: str, end: str) -> str:
    """Return what Python shows of a set; `name` is that of an empty one."""
    if items.used == 0:
        return name + "()"
    parts = [""]
    parts.clear()
    for entry in items.table:
        if entry is not None and entry[0] != -1:
            parts.append(repr(entry[1]))
    while len(parts) > 1:
        longer = [""]
        longer.clear()
        for i in range(0, len(parts) - 1, 2):
            longer.append(parts[i] + ", " + parts[i + 1])
        if len(parts) % 2 == 1:
            longer.append(parts[-1])
        parts = longer
    return start + parts[0] + end
