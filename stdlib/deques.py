"""Deques, in the script language: a list whose items before `start` are no more.

`limit` is how many items a deque takes, -1 for any number; `changes` counts what a loop over it
must not meet, as CPython does.
"""


def deque_len(items) -> int:
    """Return the number of items."""
    return len(items.items) - items.start


def limited(items, limit: int):
    """Return a new deque as one that takes so many items."""
    if limit < 0:
        raise ValueError("maxlen must be non-negative")
    items.limit = limit
    return items


def append(self, x) -> None:
    """Add an item at the end."""
    self.items.append(x)
    self.changes += 1
    if self.limit >= 0 and len(self.items) - self.start > self.limit:
        _drop_first(self)


def appendleft(self, x) -> None:
    """Add an item at the start."""
    _make_room(self, x)
    self.start -= 1
    self.items[self.start] = x
    self.changes += 1
    if self.limit >= 0 and len(self.items) - self.start > self.limit:
        self.items.pop()


def _make_room(items, x) -> None:
    """See to it that there is a place before the first item."""
    if items.start == 0:
        room = max(8, len(items.items))
        items.items[:0] = [x] * room
        items.start = room


def _drop_first(items) -> None:
    items.start += 1
    items.changes += 1
    if items.start == len(items.items):
        items.items.clear()
        items.start = 0
    # A quarter is left, so that what goes round does not move all items again and again.
    elif items.start >= 16 and 4 * items.start >= 3 * len(items.items):
        del items.items[: items.start]
        items.start = 0


def pop(self):
    """Remove the last item and return it.  Raises IndexError."""
    if len(self.items) == self.start:
        raise IndexError("pop from an empty deque")
    self.changes += 1
    last = self.items.pop()
    if len(self.items) == self.start:
        self.items.clear()
        self.start = 0
    return last


def popleft(self):
    """Remove the first item and return it.  Raises IndexError."""
    if len(self.items) == self.start:
        raise IndexError("pop from an empty deque")
    first = self.items[self.start]
    _drop_first(self)
    return first


def clear(self) -> None:
    """Remove all items."""
    if len(self.items) > self.start:
        self.changes += 1
    self.items.clear()
    self.start = 0


def _place(items, index: int) -> int:
    """Return where an item is.  Raises IndexError."""
    size = len(items.items) - items.start
    if index < -size or index >= size:
        raise IndexError("deque index out of range")
    return items.start + (index if index >= 0 else index + size)


def get_item(items, index: int):
    """Return `items[index]`.  Raises IndexError."""
    return items.items[_place(items, index)]


def set_item(items, index: int, value) -> None:
    """Put a value in place of an item.  Raises IndexError."""
    items.items[_place(items, index)] = value


def delete_item(items, index: int) -> None:
    """Remove an item.  Raises IndexError."""
    del items.items[_place(items, index)]
    items.changes += 1


def insert(self, index: int, x) -> None:
    """Put an item before another one.  Raises IndexError."""
    size = len(self.items) - self.start
    if size == self.limit:
        raise IndexError("deque already at its maximum size")
    place = min(index, size) if index >= 0 else max(index + size, 0)
    if place == 0:
        appendleft(self, x)
    else:
        self.items.insert(self.start + place, x)
        self.changes += 1


def _found(items, x, start: int, stop: int) -> int:
    for place in range(items.start + start, items.start + stop):
        if items.items[place] == x:
            return place
    return -1


def remove(self, x) -> None:
    """Remove the first item that equals another one.  Raises ValueError."""
    place = _found(self, x, 0, len(self.items) - self.start)
    if place < 0:
        raise ValueError(f"{x!r} is not in deque")
    del self.items[place]
    self.changes += 1


def index(self, x, start: int = 0, stop: int = 9223372036854775807) -> int:
    """Return the place of the first item that equals another one.  Raises ValueError."""
    size = len(self.items) - self.start
    first = min(start, size) if start >= 0 else max(start + size, 0)
    last = min(stop, size) if stop >= 0 else max(stop + size, 0)
    place = _found(self, x, first, last)
    if place < 0:
        raise ValueError(f"{x!r} is not in deque")
    return place - self.start


def count(self, x) -> int:
    """Return how many items equal another one."""
    total = 0
    for place in range(self.start, len(self.items)):
        if self.items[place] == x:
            total += 1
    return total


def contains(items, x) -> bool:
    """Return whether an item equals another one."""
    return _found(items, x, 0, len(items.items) - items.start) >= 0


def reverse(self) -> None:
    """Turn the order of the items round."""
    low, high = self.start, len(self.items) - 1
    while low < high:
        first = self.items[low]
        self.items[low] = self.items[high]
        self.items[high] = first
        low += 1
        high -= 1


def rotate(self, n: int = 1) -> None:
    """Move items from the end to the start, or the other way round where `n` is below zero."""
    size = len(self.items) - self.start
    self.changes += 1
    if size < 2:
        return
    steps = n % size
    if 2 * steps <= size:
        for _ in range(steps):
            last = self.items.pop()
            _make_room(self, last)
            self.start -= 1
            self.items[self.start] = last
    else:
        for _ in range(size - steps):
            self.items.append(self.items[self.start])
            _drop_first(self)


def extend(self, other) -> None:
    """Add items at the end, one after the other."""
    for item in other:
        append(self, item)


def extendleft(self, other) -> None:
    """Add items at the start, one after the other."""
    for item in other:
        appendleft(self, item)


def listed(items):
    """Return the items as a list."""
    return items.items[items.start :]


def copied(self, into):
    """Put all items into an empty deque, which takes as many."""
    into.items = self.items[self.start :]
    into.limit = self.limit
    return into


def joined(self, other, into):
    """Return the items of both, in an empty deque, which takes as many as the first one."""
    into.items = self.items[self.start :]
    into.limit = self.limit
    extend(into, other.items[other.start :])
    return into


def repeated(self, times: int, into):
    """Return the items of a deque so many times, in an empty one, which takes as many."""
    into.limit = self.limit
    items = self.items[self.start :]
    for _ in range(times):
        extend(into, items)
    return into


def repeat(self, times: int) -> None:
    """Have the items so many times."""
    items = self.items[self.start :]
    if times <= 0:
        clear(self)
    for _ in range(times - 1):
        extend(self, items)


def same(first, second) -> bool:
    """Return whether two deques have the same items in the same order."""
    size = len(first.items) - first.start
    if size != len(second.items) - second.start:
        return False
    for place in range(size):
        one, two = first.items[first.start + place], second.items[second.start + place]
        if not one == two:  # noqa: SIM201
            return False
    return True


def is_less(first, second) -> bool:
    """Return whether one deque comes before another one, as lists do."""
    return first.items[first.start :] < second.items[second.start :]


def is_less_or_same(first, second) -> bool:
    """Return whether no deque comes before the first one."""
    return first.items[first.start :] <= second.items[second.start :]


def loop_mark(items) -> int:
    """Return what a loop over a deque must find unchanged."""
    return items.changes


def next_place(items, place: int, mark: int) -> int:
    """Return the place of the next item, -1 at the end, in a loop that began with this mark."""
    if items.changes != mark:
        raise RuntimeError("deque mutated during iteration")
    after = place + 1 if place >= 0 else items.start
    return after if after < len(items.items) else -1


def item_at(items, place: int):
    """Return the item at a place."""
    return items.items[place]


def most_items(items) -> int | None:
    """Return how many items a deque takes, None for any number."""
    return items.limit if items.limit >= 0 else None


def deque_text(items) -> str:
    """Return what Python shows of a deque."""
    text = "deque(" + repr(items.items[items.start :])
    if items.limit >= 0:
        text += ", maxlen=" + str(items.limit)
    return text + ")"
