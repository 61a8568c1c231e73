"""What Python's lists can do besides the ops of `lists.py`, in the script language.

Methods have the parameters that Python gives them.
"""

import numpy as np

from scriptc_runtime import unsafe


def bounds(size: int, start: int | None, stop: int | None, step: int | None):
    """Return the first place of a slice of `size` items, how many it has, and the step."""
    stride = 1 if step is None else step
    if stride == 0:
        raise ValueError("slice step cannot be zero")
    low = 0 if stride > 0 else -1
    high = size if stride > 0 else size - 1
    first = low if stride > 0 else high
    last = high if stride > 0 else low
    if start is not None:
        first = start + size if start < 0 else start
        first = min(max(first, low), high)
    if stop is not None:
        last = stop + size if stop < 0 else stop
        last = min(max(last, low), high)
    if stride == 1:  # without a division
        count = last - first
    else:
        count = first - last if stride == -1 else -((first - last) // stride)
    return first, max(count, 0), stride


def sliced(items, start, stop, step):
    """Return a new list of the items of a slice."""
    first, count, stride = bounds(len(items), start, stop, step)
    out = []
    unsafe.list_room(out, count)
    if stride == 1:
        unsafe.list_add(out, items, first, count)
        return out
    for i in range(count):
        out.append(items[first + i * stride])
    return out


def set_slice(items, values, start, stop, step) -> None:
    """Put `values` in place of a slice; only without a step may it be longer or shorter."""
    # As many may be the items themselves.
    given = copied(values) if len(values) == len(items) else as_list(values)
    first, count, stride = bounds(len(items), start, stop, step)
    if stride != 1:
        if len(given) != count:
            raise ValueError(
                f"attempt to assign sequence of size {len(given)} to extended slice of size {count}"
            )
        for i in range(count):
            items[first + i * stride] = given[i]
        return
    unsafe.list_replace(items, first, count, given)


def delete_slice(items, start, stop, step) -> None:
    """Remove the items of a slice."""
    first, count, stride = bounds(len(items), start, stop, step)
    if stride < 0:
        first, stride = first + (count - 1) * stride, -stride
    if count == 0:
        return
    kept = first
    for place in range(first, len(items)):
        away = place - first
        if away % stride != 0 or away // stride >= count:
            items[kept] = items[place]
            kept += 1
    truncate(items, kept)


def delete_item(items, index: int) -> None:
    """Remove the item at `index`."""
    if index < -len(items) or index >= len(items):
        raise IndexError("list assignment index out of range")
    items.pop(index)


def truncate(items, size: int) -> None:
    """Keep the first `size` items."""
    while len(items) > size:
        items.pop()


def copied(items):
    """Return a new list of the items."""
    out = []
    if isinstance(items, list):
        out.extend(items)
        return out
    for item in items:
        out.append(item)
    return out


def as_list(values):
    """Return a list itself, and a new one of what else has items."""
    return values if isinstance(values, list) else copied(values)


def repeated(items, count: int):
    """Return a new list that has the items `count` times."""
    if len(items) == 1:
        few = []
        unsafe.list_room(few, count)
        if count > 0:
            few.append(items[0])
            unsafe.list_fill(few, items[0], count - 1)
        return few
    out = copied(items)
    repeat(out, count)
    return out


def repeat(items, count: int) -> None:
    """Make a list of `count` times its items, in place."""
    size = len(items)
    if count <= 0:
        truncate(items, 0)
    if count <= 1 or size == 0:
        return
    # Before anything is added: the system may give memory that it does not have, page by page.
    if count > 9223372036854775807 // size:
        raise MemoryError()
    unsafe.list_room(items, size * count)
    once = copied(items)
    # As many times as the highest bits of the count say: twice as many with each further bit.
    for place in range(_bits(count) - 2, -1, -1):
        items.extend(items)
        if count >> place & 1:
            items.extend(once)


def _bits(count: int) -> int:
    found = 0
    while count > 0:
        count >>= 1
        found += 1
    return found


def joined(first, second):
    """Return a new list of the items of two."""
    out = copied(first)
    out.extend(second)
    return out


def characters(text):
    """Return the items of a text, or of bytes."""
    out = []
    for item in text:
        out.append(item)
    return out


def extend_by(items, more) -> None:
    """Add what a loop runs over at the end."""
    for item in more:
        items.append(item)


def clear(self: unsafe.Written, /) -> None:
    """Remove all items."""
    truncate(self, 0)


def remove(self: unsafe.Written, value, /) -> None:
    """Remove the first item that equals `value`."""
    for i in range(len(self)):
        if self[i] == value:
            self.pop(i)
            return
    raise ValueError("list.remove(x): x not in list")


def index(self: list, value, start: int = 0, stop: int = 9223372036854775807, /) -> int:
    """Return the first place of an item that equals `value`."""
    size = len(self)
    first = max(start + size, 0) if start < 0 else start
    last = max(stop + size, 0) if stop < 0 else stop
    for i in range(first, min(last, size)):
        if self[i] == value:
            return i
    if isinstance(self, tuple):
        raise ValueError("tuple.index(x): x not in tuple")
    raise ValueError(f"{value!r} is not in list")


def count(self: list, value, /) -> int:
    """Return how many items equal `value`."""
    found = 0
    for item in self:
        if item == value:
            found += 1
    return found


def each_index(self, value, start: int = 0, stop: int = 9223372036854775807, /) -> int:
    """Return the first place of an item that equals `value`, in a tuple of known length."""
    size = len(self)
    first = max(start + size, 0) if start < 0 else start
    last = stop + size if stop < 0 else stop
    place = 0
    for item in self:
        if first <= place < last and item == value:
            return place
        place += 1  # noqa: SIM113
    raise ValueError("tuple.index(x): x not in tuple")


def each_count(self, value, /) -> int:
    """Return how many items of a tuple of known length equal `value`."""
    found = 0
    for item in self:
        if item == value:
            found += 1
    return found


def contains(items, value):
    """Return whether an item equals `value`."""
    for item in items:  # noqa: SIM110
        if item == value:
            return True
    return False


def same(first, second):
    """Return whether two lists have as many items, which are equal."""
    if len(first) != len(second):
        return False
    for i in range(len(first)):  # noqa: SIM110
        if not first[i] == second[i]:  # noqa: SIM201 -- Python asks `__eq__` here
            return False
    return True


def are_empty(first, second):
    """Return whether two lists are equal whose items never are."""
    return len(first) == 0 and len(second) == 0


def less(first, second, strict: bool):
    """Return whether a list stands before another one; `strict`: the same one does not."""
    for i in range(min(len(first), len(second))):
        if not first[i] == second[i]:  # noqa: SIM201
            return first[i] < second[i]
    return len(first) < len(second) if strict else len(first) <= len(second)


def reverse(self: unsafe.Written, /) -> None:
    """Turn a list round."""
    last = len(self) - 1
    for i in range(len(self) // 2):
        self[i], self[last - i] = self[last - i], self[i]


def equals(left, right):
    """Return whether an item of a tuple is that of another one, or equals it."""
    return left == right


def before(left, right):
    """Return whether an item of a tuple is less than that of another one."""
    return left < right


def not_behind(left, right):
    """Return whether an item of a tuple is not greater than that of another one."""
    return left <= right


def behind(left, right):
    """Return whether an item of a tuple is greater than that of another one."""
    return left > right


def not_before(left, right):
    """Return whether an item of a tuple is not less than that of another one."""
    return left >= right


def largest_by(items, key):
    """Return the first item of which a function makes the most."""
    if not isinstance(items, (list, np.ndarray)):
        return largest_by(list(items), key)
    if len(items) == 0:
        raise ValueError("max() arg is an empty sequence")
    best, most = items[0], key(items[0])
    for i in range(1, len(items)):
        other = key(items[i])
        if other > most:
            best, most = items[i], other
    return best


def largest_by_or(items, key, default):
    """Return the first item of which a function makes the most, `default` where there is none."""
    if not isinstance(items, (list, np.ndarray)):
        return largest_by_or(list(items), key, default)
    if len(items) == 0:
        return default
    return largest_by(items, key)


def smallest_by_or(items, key, default):
    """Return the first item of which a function makes the least, `default` where there is none."""
    if not isinstance(items, (list, np.ndarray)):
        return smallest_by_or(list(items), key, default)
    if len(items) == 0:
        return default
    return smallest_by(items, key)


def smallest_by(items, key):
    """Return the first item of which a function makes the least."""
    if not isinstance(items, (list, np.ndarray)):
        return smallest_by(list(items), key)
    if len(items) == 0:
        raise ValueError("min() arg is an empty sequence")
    best, least = items[0], key(items[0])
    for i in range(1, len(items)):
        other = key(items[i])
        if other < least:
            best, least = items[i], other
    return best


def in_range(value: int, start: int, stop: int, step: int):
    """Return whether a range holds a number."""
    if step == 0:
        raise ValueError("range() arg 3 must not be zero")
    inside = start <= value < stop if step > 0 else stop < value <= start
    return inside and (value - start) % step == 0


def item_of(items, index: int):
    """Return an item of a tuple whose items are of one type."""
    place = index + len(items) if index < 0 else index
    for number, item in enumerate(items):
        if number == place:
            return item
    raise IndexError("tuple index out of range")


def filled(items, others):
    """Put the items of another list into a new one, and return it."""
    for item in others:
        items.append(item)
    return items
