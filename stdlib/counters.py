"""Counters, in the script language: dicts of counts, as `stdlib/dicts.py` keeps them."""

import numpy as np


def get_count(items, key) -> int:
    """Return how often an item is there."""
    return items.get(key, 0)


def count(self, other) -> None:
    """Count all items of another one."""
    for item in other:
        self[item] += 1


def uncount(self, other) -> None:
    """Count all items of another one as less."""
    for item in other:
        self[item] -= 1


def add_counts(self, other) -> None:
    """Add the counts of a dict."""
    for key, value in other.items():
        self[key] += value


def subtract_counts(self, other) -> None:
    """Subtract the counts of a dict."""
    for key, value in other.items():
        self[key] -= value


def total(self) -> int:
    """Return the sum of the counts."""
    found = 0
    for value in self.values():
        found += value
    return found


def most_common(self):
    """Return items and counts, the highest count first, of equal ones the first."""
    return _ordered(self, len(self))


def most_common_of(self, n: int):
    """Return the `n` items with the highest counts, of equal ones the first."""
    if n <= 0 or n > 16 or 4 * n > len(self):
        return _ordered(self, n)
    best = []
    for key, value in self.items():
        if len(best) == n:
            if best[n - 1][1] >= value:
                continue
            best.pop()
        at = len(best)
        while at > 0 and best[at - 1][1] < value:
            at -= 1
        best.insert(at, (key, value))
    return best


def _ordered(items, n: int):
    pairs = [pair for pair in items.items()]
    order = [(_turned(pairs[place][1]), place) for place in range(len(pairs))]
    order.sort()
    return [pairs[place] for _, place in order[: max(n, 0)]]


def _turned(count):
    """Return a number that is the less the more a count is, for the least int as well."""
    return ~count if isinstance(count, (int, np.integer)) else -count


def elements(self):
    """Return each item as often as it counts."""
    return [key for key, value in self.items() for _ in range(value)]


def added(self, other, into):
    """Return the sums of counts that are above zero."""
    for key, value in self.items():
        found = value + other[key]
        if found > 0:
            into[key] = found
    for key, value in other.items():
        if key not in self and value > 0:
            into[key] = value
    return into


def subtracted(self, other, into):
    """Return the differences of counts that are above zero."""
    for key, value in self.items():
        found = value - other[key]
        if found > 0:
            into[key] = found
    for key, value in other.items():
        if key not in self and value < 0:
            into[key] = 0 - value
    return into


def largest(self, other, into):
    """Return the larger count of each item, where it is above zero."""
    for key, value in self.items():
        found = max(value, other[key])
        if found > 0:
            into[key] = found
    for key, value in other.items():
        if key not in self and value > 0:
            into[key] = value
    return into


def smallest(self, other, into):
    """Return the smaller count of each item, where it is above zero."""
    for key, value in self.items():
        found = min(value, other[key])
        if found > 0:
            into[key] = found
    return into


def become_added(self, other, into) -> None:
    """Add counts, and keep what is above zero; `into` is empty."""
    add_counts(self, other)
    _keep_positive(self, into)


def become_subtracted(self, other, into) -> None:
    """Subtract counts, and keep what is above zero; `into` is empty."""
    subtract_counts(self, other)
    _keep_positive(self, into)


def become_largest(self, other, into) -> None:
    """Take over larger counts, and keep what is above zero; `into` is empty."""
    for key, value in other.items():
        if value > self[key]:
            self[key] = value
    _keep_positive(self, into)


def become_smallest(self, other, into) -> None:
    """Take over smaller counts, and keep what is above zero; `into` is empty."""
    for key, value in self.items():
        if other[key] < value:
            self[key] = other[key]
    _keep_positive(self, into)


def _keep_positive(items, into) -> None:
    for key, value in items.items():
        if value > 0:
            into[key] = value
    items.entries = into.entries
    items.index = into.index
    items.used = into.used
    items.taken = into.taken


def positive(self, into):
    """Return the counts above zero."""
    for key, value in self.items():
        if value > 0:
            into[key] = value
    return into


def negative(self, into):
    """Return the counts below zero, without their signs."""
    for key, value in self.items():
        if value < 0:
            into[key] = 0 - value
    return into


def same(first, second) -> bool:
    """Return whether two have the same counts; what is missing counts as 0."""
    for key, value in first.items():
        if second[key] != value:
            return False
    return all(first[key] == value for key, value in second.items())


def is_part(first, second) -> bool:
    """Return whether no count is above that of another one."""
    for key, value in first.items():
        if value > second[key]:
            return False
    return all(first[key] <= value for key, value in second.items())


def is_proper_part(first, second) -> bool:
    """Return whether no count is above that of another one, and some are below."""
    return is_part(first, second) and not same(first, second)
