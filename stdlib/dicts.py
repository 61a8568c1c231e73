"""Dicts, in the script language: entries in order of insertion, and an index by hash.

`entries` has hash, key and value of each item, and None for one that was removed. `index` has a
power of two of slots, each the place of an entry or -1; eight entries are searched without one. The
slots that a key may be in follow from its hash as in CPython (Objects/dictobject.c). `taken` counts
the slots that are, by entries that are no more, too: half of them at least are free. A search that
finds no entry returns the free slot where it ended, inverted: there the entry goes.
"""

import numpy as np

from scriptc_runtime import unsafe


def dict_len(items) -> int:
    """Return the number of items."""
    return items.used


def place_of(items, key) -> int:
    """Return the place of the entry of a key, what is below 0 where there is none."""
    return _place(items, key, hash(key))


def _place(items, key, code: int) -> int:
    index = items.index
    if len(index) == 0:
        return _searched(items.entries, key, code)
    slot = code & (len(index) - 1)
    place = int(index[slot])
    if place < 0:
        return ~slot
    entries = items.entries
    # An entry that was taken from the end has left its place in the index.
    if place < len(entries):
        entry = entries[place]
        if entry is not None and entry[0] == code and entry[1] == key:
            return place
    return _further_place(items, key, code)


def _further_place(items, key, code: int) -> int:
    """Return the place of an entry that is not where its hash says first."""
    index = items.index
    entries = items.entries
    mask = len(index) - 1
    if mask < 0:
        return -1  # not so: it tells the compiler that every slot is one of the index
    slot = code & mask
    rest = code & 0x7FFFFFFFFFFFFFFF
    while True:
        rest >>= 5
        slot = (slot * 5 + rest + 1) & mask
        place = int(index[slot])
        if place < 0:
            return ~slot
        if place < len(entries):
            entry = entries[place]
            if entry is not None and entry[0] == code and entry[1] == key:
                return place


def _searched(entries, key, code: int) -> int:
    for place in range(len(entries)):
        entry = entries[place]
        if entry is not None and entry[0] == code and entry[1] == key:
            return place
    return -1


def _add(items, key, value, code: int, free: int) -> None:
    """Add an item whose key is not there, as a search has found, which returned `free`."""
    place = len(items.entries)
    items.entries.append((code, key, value))
    items.used += 1
    index = items.index
    mask = len(index) - 1
    if place >= 8 if mask < 0 else _is_full(items.taken, mask + 1):
        _rebuild(items)
    elif mask >= 0:
        index[~free & mask] = np.int32(place)  # the mask tells the compiler that it is a slot
        items.taken += 1


def _is_full(taken: int, size: int) -> bool:
    """Return whether an index gives way to a larger one, of a size that `_index_for` chooses."""
    return 2 * taken >= size or (8 * taken >= size and 128 < size < 4096)


def _index_for(count: int):
    """Return an index of which so many slots will be taken: a quarter at most.

    Of those that a processor has at hand, 4096, a sixteenth: no jump tells a taken slot beforehand.
    """
    size = 16
    while size < 4 * count or (count > 32 and size < 16 * count and size < 4096):
        size *= 2
    index = []
    unsafe.list_room(index, size)
    index.append(np.int32(-1))
    unsafe.list_fill(index, np.int32(-1), size - 1)
    return index


def _free_slot(index, code: int) -> int:
    """Return the first free slot for a hash."""
    mask = len(index) - 1
    if mask < 0:
        return 0
    slot = code & mask
    rest = code & 0x7FFFFFFFFFFFFFFF
    while index[slot] >= 0:
        rest >>= 5
        slot = (slot * 5 + rest + 1) & mask
    return slot


def _rebuild(items) -> None:
    """Leave out the entries that were removed, and make an index for the others."""
    entries = items.entries
    if items.used < len(entries):
        kept = 0
        for place in range(len(entries)):
            entry = entries[place]
            if entry is not None:
                entries[kept] = entry
                kept += 1
        while len(entries) > kept:
            entries.pop()
    index = _index_for(len(entries))
    mask = len(index) - 1
    if mask < 0:
        return  # not so, as above
    for place in range(len(entries)):
        entry = entries[place]
        if entry is not None:
            slot = entry[0] & mask
            if index[slot] >= 0:
                slot = _free_slot(index, entry[0]) & mask
            index[slot] = np.int32(place)
    items.index = index
    items.taken = len(entries)


def get_item(items, key):
    """Return `items[key]`.  Raises KeyError."""
    return _value_at(items, place_of(items, key), key)


def _value_at(items, place: int, key):
    """Return the value of the entry at a place.  Raises KeyError where it is below 0."""
    if place >= 0:
        entry = items.entries[place]
        if entry is not None:
            return entry[2]
    raise KeyError(key)


def set_item(items, key, value) -> None:
    """Let a key have a value."""
    # The search stands beside the search of a `get` before it, which then is the same one.
    code = hash(key)
    _set_at(items, _place(items, key, code), key, value, code)


def _set_at(items, place: int, key, value, code: int) -> None:
    """Let a key have a value; `place` is what a search for it has returned."""
    if place >= 0:
        entry = items.entries[place]
        if entry is not None:
            items.entries[place] = (code, entry[1], value)
            return
    _add(items, key, value, code, place)


def delete_item(items, key) -> None:
    """Remove the item of a key.  Raises KeyError."""
    place = place_of(items, key)
    if place < 0:
        raise KeyError(key)
    _remove(items, place)


def discard_item(items, key) -> None:
    """Remove the item of a key where it has one."""
    place = place_of(items, key)
    if place >= 0:
        _remove(items, place)


def _remove(items, place: int) -> None:
    items.entries[place] = None
    items.used -= 1
    if items.used == 0:
        clear(items)


def contains(items, key) -> bool:
    """Return whether a key is there."""
    return place_of(items, key) >= 0


def next_place(items, place: int, count: int) -> int:
    """Return the place of the next entry, -1 at the end, in a loop that began with `count`."""
    if items.used != count:
        raise RuntimeError("dictionary changed size during iteration")
    entries = items.entries
    for after in range(place + 1, len(entries)):
        if entries[after] is not None:
            return after
    return -1


def key_at(items, place: int):
    """Return the key of an entry."""
    entry = items.entries[place]
    if entry is None:
        raise RuntimeError("dictionary keys changed during iteration")
    return entry[1]


def value_at(items, place: int):
    """Return the value of an entry."""
    entry = items.entries[place]
    if entry is None:
        raise RuntimeError("dictionary keys changed during iteration")
    return entry[2]


def item_at(items, place: int):
    """Return the key and the value of an entry."""
    entry = items.entries[place]
    if entry is None:
        raise RuntimeError("dictionary keys changed during iteration")
    return entry[1], entry[2]


def get(self, key, default=None):
    """Return the value of a key, `default` where there is none."""
    return _value_or(self, place_of(self, key), default)


def _value_or(items, place: int, default):
    """Return the value of the entry at a place, `default` where it is below 0."""
    if place >= 0:
        entry = items.entries[place]
        if entry is not None:
            return entry[2]
    return default


def setdefault(self, key, default):
    """Return the value of a key, which it gets where it has none."""
    code = hash(key)
    place = _place(self, key, code)
    if place >= 0:
        entry = self.entries[place]
        if entry is not None:
            return entry[2]
    _add(self, key, default, code, place)
    return default


def pop(self, key):
    """Remove the item of a key and return its value.  Raises KeyError."""
    place = place_of(self, key)
    if place >= 0:
        entry = self.entries[place]
        if entry is not None:
            value = entry[2]
            _remove(self, place)
            return value
    raise KeyError(key)


def pop_or(self, key, default):
    """Remove the item of a key and return its value, `default` where there is none."""
    place = place_of(self, key)
    if place >= 0:
        entry = self.entries[place]
        if entry is not None:
            value = entry[2]
            _remove(self, place)
            return value
    return default


def popitem(self):
    """Remove the last item and return it.  Raises KeyError."""
    entries = self.entries
    while len(entries) > 0:
        entry = entries.pop()
        if entry is not None:
            self.used -= 1
            if self.used == 0:
                clear(self)
            return entry[1], entry[2]
    raise KeyError("popitem(): dictionary is empty")


def clear(self) -> None:
    """Remove all items."""
    self.entries.clear()
    self.index.clear()
    self.used = 0
    self.taken = 0


def copied(self, into):
    """Put all items into an empty dict."""
    for entry in self.entries:
        if entry is not None:
            into.entries.append(entry)
    into.used = self.used
    if into.used > 8:
        _rebuild(into)
    return into


def update(self, other) -> None:
    """Take over all items of another dict."""
    for entry in other.entries:
        if entry is not None:
            set_item(self, entry[1], entry[2])


def filled(self, pairs):
    """Put pairs of keys and values into a dict."""
    for key, value in pairs:
        set_item(self, key, value)
    return self


def updated(self, other):
    """Take over all items of another dict, and return this one."""
    update(self, other)
    return self


def same(first, second) -> bool:
    """Return whether two dicts have the same items."""
    if first.used != second.used:
        return False
    for entry in first.entries:
        if entry is not None:
            place = _place(second, entry[1], entry[0])
            if place < 0:
                return False
            other = second.entries[place]
            if other is None or not other[2] == entry[2]:  # noqa: SIM201
                return False
    return True


def are_empty(first, second) -> bool:
    """Return whether two dicts are equal that no key could be in both of."""
    return first.used == 0 and second.used == 0


def dict_text(items) -> str:
    """Return what Python shows of a dict."""
    if items.used == 0:
        return "{}"
    parts = [""]
    parts.clear()
    for entry in items.entries:
        if entry is not None:
            parts.append(repr(entry[1]) + ": " + repr(entry[2]))
    return "{" + ", ".join(parts) + "}"


def default_item(items, key):
    """Return `items[key]` of a defaultdict, which makes what is missing."""
    code = hash(key)
    place = _place(items, key, code)
    if place >= 0:
        entry = items.entries[place]
        if entry is not None:
            return entry[2]
    value = unsafe.fresh_value(items)
    _add(items, key, value, code, place)
    return value


def made_item(items, key):
    """Return `items[key]` of a defaultdict, which calls its factory for what is missing."""
    code = hash(key)
    place = _place(items, key, code)
    if place >= 0:
        entry = items.entries[place]
        if entry is not None:
            return entry[2]
    make = items.factory
    value = unsafe.made_value(items, make())
    # The factory may have put something into the dict itself.
    _set_at(items, _place(items, key, code), key, value, code)
    return value


def same_in_order(first, second) -> bool:
    """Return whether two OrderedDicts have the same items in the same order."""
    if first.used != second.used:
        return False
    place = -1
    for entry in first.entries:
        if entry is not None:
            place += 1
            while second.entries[place] is None:
                place += 1
            other = second.entries[place]
            if other is None or not (other[1] == entry[1] and other[2] == entry[2]):
                return False
    return True


def move_to_end(self, key, last: bool = True) -> None:
    """Move the item of a key to the end, or to the start.  Raises KeyError."""
    place = place_of(self, key)
    if place < 0:
        raise KeyError(key)
    entry = self.entries[place]
    if last and place == len(self.entries) - 1:
        return
    self.entries[place] = None
    if last:
        self.used -= 1
        if entry is not None:
            _add(self, entry[1], entry[2], entry[0], _place(self, entry[1], entry[0]))
    else:
        self.entries.insert(0, entry)
        _rebuild(self)


def popitem_first(self):
    """Remove the first item of an OrderedDict and return it.  Raises KeyError."""
    for place in range(len(self.entries)):
        entry = self.entries[place]
        if entry is not None:
            _remove(self, place)
            # What is left of many items is not searched each time.
            if place >= 8 and place * place > len(self.entries):
                _rebuild(self)
            return entry[1], entry[2]
    raise KeyError("dictionary is empty")


def popitem_last(self):
    """Remove the last item of an OrderedDict and return it.  Raises KeyError."""
    if self.used == 0:
        raise KeyError("dictionary is empty")
    return popitem(self)


def present_key(key):
    """Return a key that may be None, which no key of the dict is."""
    if key is None:
        raise KeyError(key)
    return key
