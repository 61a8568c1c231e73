"""Sets and frozensets, in the script language: tables by hash, in the order that CPython has.

`entries` has hash and item of each, in no order. `index` has a power of two of slots, none in a new
set: the place of an entry, -1, or -2 where an item was removed. The slots that an item may be in,
when there are more of them, and how results are filled are those of CPython 3.11
(Objects/setobject.c), so that loops meet the items in its order. `used` counts the items, `fill`
the slots that are not -1. Where a new set is returned, it is given empty, as `into`.
"""

import numpy as np

from scriptc_runtime import unsafe


def set_len(items) -> int:
    """Return the number of items."""
    return items.used


def clear(self) -> None:
    """Remove all items."""
    self.entries = self.entries[:0]
    self.index = self.index[:0]
    self.used = 0
    self.fill = 0


def _slot_of(items, item, code: int) -> int:
    """Return the slot of an item, -1 where it is not there."""
    index = items.index
    if len(index) == 0:
        return -1
    start = code & (len(index) - 1)
    place = int(index[start])
    if place == -1:
        return -1
    if place >= 0:
        entry = items.entries[place]
        if entry[0] == code and entry[1] == item:
            return start
    return _further_slot(items, item, code)


def _further_slot(items, item, code: int) -> int:
    """Return the slot of an item that is not where its hash says first."""
    index = items.index
    entries = items.entries
    mask = len(index) - 1
    if mask < 0:
        return -1  # not so: it tells the compiler that every slot is one of the index
    start = code & mask
    rest = code
    while True:
        for slot in range(start, start + 10 if start + 9 <= mask else start + 1):
            place = int(index[slot])
            if place == -1:
                return -1
            if place >= 0:
                entry = entries[place]
                if entry[0] == code and entry[1] == item:
                    return slot
        rest = (rest >> 5) & 0x07FFFFFFFFFFFFFF
        start = (start * 5 + 1 + rest) & mask


def _free_slot(index, code: int) -> int:
    """Return the slot for an item that is not there."""
    mask = len(index) - 1
    if mask < 0:
        return 0
    start = code & mask
    if index[start] < 0:
        return start
    rest = code
    while True:
        for slot in range(start, start + 10 if start + 9 <= mask else start + 1):
            if index[slot] < 0:
                return slot
        rest = (rest >> 5) & 0x07FFFFFFFFFFFFFF
        start = (start * 5 + 1 + rest) & mask


def contains(items, item) -> bool:
    """Return whether an item is there."""
    return _slot_of(items, item, hash(item)) >= 0


def add(self, item) -> None:
    """Add an item."""
    _add(self, item, hash(item))


def with_item(self, item):
    """Add an item, and return the set."""
    _add(self, item, hash(item))
    return self


def as_constant(self):
    """Return a set in the order of CPython's constants: they are filled twice.

    The compiler makes a frozenset, and of its items, in their order, the one that it keeps. Where
    all items are where their hashes say first, that is the same.
    """
    mask = len(self.index) - 1
    for slot in range(len(self.index)):
        place = int(self.index[slot])
        if place >= 0 and self.entries[place][0] & mask != slot:
            return _filled_again(self)
    return self


def _filled_again(self):
    entries, places = self.entries, _in_order(self)
    clear(self)
    for place in places:
        _add(self, entries[place][1], entries[place][0])
    return self


def _add(items, item, code: int) -> None:
    if len(items.index) == 0:
        unsafe.list_fill(items.index, np.int32(-1), 8)
    index = items.index
    mask = len(index) - 1
    if mask < 0:
        return  # not so, as in `_further_slot`
    start = code & mask
    place = int(index[start])
    if place == -1:
        _put(items, start, item, code)
        return
    if place >= 0:
        entry = items.entries[place]
        if entry[0] == code and entry[1] == item:
            return
    _add_further(items, item, code)


def _add_further(items, item, code: int) -> None:
    """Add an item that is not where its hash says first."""
    index = items.index
    entries = items.entries
    mask = len(index) - 1
    if mask < 0:
        return
    start = code & mask
    rest = code
    removed = -1
    while True:
        for slot in range(start, start + 10 if start + 9 <= mask else start + 1):
            place = int(index[slot])
            if place == -1:
                _put(items, removed if removed >= 0 else slot, item, code)
                return
            if place >= 0:
                entry = entries[place]
                if entry[0] == code and entry[1] == item:
                    return
            else:
                removed = slot
        rest = (rest >> 5) & 0x07FFFFFFFFFFFFFF
        start = (start * 5 + 1 + rest) & mask


def _put(items, slot: int, item, code: int) -> None:
    """Put an item into a slot that has none."""
    if slot < 0:
        return  # not so
    is_new = items.index[slot] == -1
    items.index[slot] = np.int32(items.used)
    items.entries.append((code, item))
    items.used += 1
    if is_new:
        items.fill += 1
        if 5 * items.fill >= 3 * (len(items.index) - 1):
            _resize(items, _room(items.used))


def _add_new(items, item, code: int) -> None:
    """Add an item that is not there to a set from which nothing was removed."""
    if len(items.index) == 0:
        unsafe.list_fill(items.index, np.int32(-1), 8)
    _put(items, _free_slot(items.index, code), item, code)


def _room(used: int) -> int:
    return 2 * used if used > 50000 else 4 * used


def _mask(items) -> int:
    """Return the last slot that CPython's set would have."""
    return max(len(items.index), 8) - 1


def _free_slots(size: int):
    slots = []
    unsafe.list_room(slots, size)
    slots.append(np.int32(-1))
    unsafe.list_fill(slots, np.int32(-1), size - 1)
    return slots


def _resize(items, least: int) -> None:
    """Give a set more than `least` slots, without those of the removed items."""
    size = _size_above(least)
    if size == len(items.index) == 8 and items.fill == items.used:
        return
    items.index = _placed(items, size) if items.used > 0 else _free_slots(size)
    items.fill = items.used


def _size_above(least: int) -> int:
    size = 8
    while size <= least:
        size *= 2
    return size


def _placed(items, size: int):
    """Return an index of a size for the items, which are put into it in the order of the slots."""
    index = _free_slots(size)
    entries = items.entries
    if len(items.index) <= 32:
        for place in items.index:
            if place >= 0:
                index[_free_slot(index, entries[int(place)][0])] = place
        return index
    for place in _in_order(items):
        index[_free_slot(index, entries[place][0])] = np.int32(place)
    return index


def _in_order(items) -> list[int]:
    """Return the places of all entries in the order of the slots."""
    found = []
    unsafe.list_room(found, items.used + 1)
    found.append(0)
    unsafe.list_fill(found, 0, items.used)
    count = 0
    for place in items.index:
        # Written in any case, and counted by need: no processor foresees which slots are taken.
        found[count] = int(place)
        count += int(place >= 0)
    found.pop()
    return found


def _discarded(items, item, code: int) -> bool:
    """Remove an item, and return whether it was there."""
    slot = _slot_of(items, item, code)
    if slot < 0:
        return False
    _remove(items, slot)
    return True


def _remove(items, slot: int) -> None:
    """Remove the item in a slot; the last entry takes its place."""
    index = items.index
    entries = items.entries
    place = int(index[slot])
    last = items.used - 1
    if place != last:
        index[_slot_with(index, entries[last][0], last)] = np.int32(place)
        entries[place] = entries[last]
    index[slot] = np.int32(-2)
    items.used = last
    entries.pop()


def _slot_with(index, code: int, wanted: int) -> int:
    """Return the slot that has the place of an entry with a hash."""
    mask = len(index) - 1
    if mask < 0:
        return 0
    start = code & mask
    rest = code
    while True:
        for slot in range(start, start + 10 if start + 9 <= mask else start + 1):
            if int(index[slot]) == wanted:
                return slot
        rest = (rest >> 5) & 0x07FFFFFFFFFFFFFF
        start = (start * 5 + 1 + rest) & mask


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
    index = self.index
    mask = len(index) - 1
    slot = self.finger & mask
    while index[slot] < 0:
        slot = (slot + 1) & mask
    item = self.entries[int(index[slot])][1]
    _remove(self, slot)
    self.finger = slot + 1
    return item


def next_place(items, place: int, count: int) -> int:
    """Return the slot of the next item, -1 at the end, in a loop that began with `count` items."""
    if items.used != count:
        raise RuntimeError("Set changed size during iteration")
    index = items.index
    for slot in range(place + 1, len(index)):
        if index[slot] >= 0:
            return slot
    return -1


def item_at(items, slot: int):
    """Return the item in a slot."""
    place = int(items.index[slot])
    if place < 0:
        raise RuntimeError("Set changed size during iteration")
    return items.entries[place][1]


def update(self, other) -> None:
    """Add all items of another set, of the keys of a dict, or of what a loop can run over."""
    if isinstance(other, (set, frozenset)):
        _merge(self, other)
    elif isinstance(other, dict):
        if 5 * (self.fill + len(other)) >= 3 * _mask(self):
            _resize(self, 2 * (self.used + len(other)))
        for item in other:
            add(self, item)
    else:
        if isinstance(other, list) and len(other) <= 64:
            unsafe.list_room(self.entries, self.used + len(other))
        for item in other:
            add(self, item)


def _merge(items, other) -> None:
    if other.used == 0:
        return
    if items.fill > 0 and 5 * (items.fill + other.used) >= 3 * _mask(items):
        _resize(items, 2 * (items.used + other.used))
    if items.fill == 0:
        _fill(items, other, 0)
        return
    entries = other.entries
    unsafe.list_room(items.entries, items.used + other.used)
    if len(other.index) <= 32:
        for place in other.index:
            if place >= 0:
                entry = entries[int(place)]
                _add(items, entry[1], entry[0])
        return
    for place in _in_order(other):
        entry = entries[place]
        _add(items, entry[1], entry[0])


def _fill(items, other, more: int) -> None:
    """Put the items of another set into one that has none, which has room for `more` then."""
    size = _mask(items) + 1
    if 5 * other.used >= 3 * (size - 1):
        size = _size_above(2 * other.used)
    if size == len(other.index) and other.fill == other.used:
        if more > 0 and 5 * (other.used + more) >= 3 * (size - 1):
            # The copy would give way to a larger index at once, with the items in the same order.
            items.index = _placed(other, _size_above(2 * (other.used + more)))
        else:
            unsafe.list_replace(items.index, 0, len(items.index), other.index)
    else:
        items.index = _placed(other, size)
    unsafe.list_room(items.entries, other.used + more)
    unsafe.list_add(items.entries, other.entries, 0, other.used)
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
    if isinstance(other, (set, frozenset)) and self.used > 0:
        _fill(into, self, other.used)
        _merge(into, other)
        return into
    update(into, self)
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
            if _slot_of(self, item, code) >= 0:
                _add(into, item, code)
    return into


def _common(larger, smaller, into) -> None:
    entries = smaller.entries
    if len(smaller.index) <= 32:
        for place in smaller.index:
            if place >= 0:
                entry = entries[int(place)]
                if _slot_of(larger, entry[1], entry[0]) >= 0:
                    _add_new(into, entry[1], entry[0])
        return
    for place in _in_order(smaller):
        entry = entries[place]
        if _slot_of(larger, entry[1], entry[0]) >= 0:
            _add_new(into, entry[1], entry[0])


def intersection_update(self, other, into) -> None:
    """Keep the items that another one has, too; `into` is an empty set."""
    intersection(self, other, into)
    self.entries = into.entries
    self.index = into.index
    self.used = into.used
    self.fill = into.fill


def difference(self, other, into):
    """Return the items that another one has not."""
    if isinstance(other, (set, frozenset)) and self.used >> 2 <= other.used:
        _left_over(self, other, into)
        return into
    if isinstance(other, dict) and self.used >> 2 <= len(other):
        for place in self.index:
            if place >= 0:
                entry = self.entries[int(place)]
                if entry[1] not in other:
                    _add_new(into, entry[1], entry[0])
        return into
    _merge(into, self)
    _remove_all(into, other)
    return into


def _left_over(items, other, into) -> None:
    entries = items.entries
    if len(items.index) <= 32:
        for place in items.index:
            if place >= 0:
                entry = entries[int(place)]
                if _slot_of(other, entry[1], entry[0]) < 0:
                    _add_new(into, entry[1], entry[0])
        return
    for place in _in_order(items):
        entry = entries[place]
        if _slot_of(other, entry[1], entry[0]) < 0:
            _add_new(into, entry[1], entry[0])


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
            index = items.index
            for slot in range(len(index)):
                place = int(index[slot])
                if place >= 0:
                    entry = items.entries[place]
                    if _slot_of(other, entry[1], entry[0]) >= 0:
                        _remove(items, slot)
        else:
            for place in other.index:
                if place >= 0:
                    entry = other.entries[int(place)]
                    _discarded(items, entry[1], entry[0])
    else:
        for item in other:
            _discarded(items, item, hash(item))
    if items.fill - items.used > _mask(items) // 4:
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
    for place in other.index:
        if place >= 0:
            entry = other.entries[int(place)]
            if not _discarded(items, entry[1], entry[0]):
                _add(items, entry[1], entry[0])


def issubset(self, other) -> bool:
    """Return whether another set has all items."""
    if self.used > other.used:
        return False
    for place in self.index:
        if place >= 0:
            entry = self.entries[int(place)]
            if _slot_of(other, entry[1], entry[0]) < 0:
                return False
    return True


def isdisjoint(self, other) -> bool:
    """Return whether another one has none of the items."""
    return all(_slot_of(self, item, hash(item)) < 0 for item in other)


def same(first, second) -> bool:
    """Return whether two sets have the same items."""
    return first.used == second.used and issubset(first, second)


def are_empty(first, second) -> bool:
    """Return whether two sets are equal that no item could be in both of."""
    return first.used == 0 and second.used == 0


def is_proper_subset(self, other) -> bool:
    """Return whether another set has all items, and more."""
    return self.used < other.used and issubset(self, other)


def _shuffled(code: np.uint64) -> np.uint64:
    return ((code ^ np.uint64(89869747)) ^ (code << np.uint64(16))) * np.uint64(3644798167)


def frozenset_hash(items) -> int:
    """Return the hash of a frozenset."""
    total = np.uint64(0)
    for entry in items.entries:
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
