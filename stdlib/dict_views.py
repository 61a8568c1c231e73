"""Keys, values and items of dicts as values: what they do, of the dict that they hold.

Beside what is no set, comparisons decline. FLOAT_KEYS says whether the keys are floats; NoKey is a
class whose values no key equals.
"""

# ruff: noqa: F821

from collections.abc import ItemsView, KeysView


def size(self) -> int:
    """Return how many there are."""
    return len(self.held)


def each_key(self):
    """Yield the keys."""
    for key in self.held:  # noqa: UP028
        yield key


def each_value(self):
    """Yield the values."""
    for value in self.held.values():  # noqa: UP028
        yield value


def each_item(self):
    """Yield the pairs of keys and values."""
    for item in self.held.items():  # noqa: UP028
        yield item


def has_key(self, key) -> bool:
    """Return whether something is a key."""
    if isinstance(key, NoKey):
        return False
    if FLOAT_KEYS and isinstance(key, int):
        number = float(key)
        return number in self.held and number == key
    return key in self.held


def has_item(self, item) -> bool:
    """Return whether a pair is one of key and value."""
    if isinstance(item, tuple) and len(item) == 2:
        key, value = item
        if isinstance(key, NoKey):
            return False
        # Values of different types are compared as items of tuples alone.
        if FLOAT_KEYS and isinstance(key, int):
            number = float(key)
            return number in self.held and number == key and (self.held[number],) == (value,)
        return key in self.held and (self.held[key],) == (value,)
    return False


def keys_text(self) -> str:
    """Return what Python shows of keys."""
    return f"dict_keys({list(self.held)!r})"


def values_text(self) -> str:
    """Return what Python shows of values."""
    return f"dict_values({list(self.held.values())!r})"


def items_text(self) -> str:
    """Return what Python shows of items."""
    return f"dict_items({list(self.held.items())!r})"


def backwards(self):
    """Yield what a loop yields, from the last one to the first."""
    items = list(self)
    for place in range(len(items) - 1, -1, -1):
        yield items[place]


def same(self, other):
    """Return whether a set, or another view, has the same items."""
    if not isinstance(other, (set, frozenset, KeysView, ItemsView)):
        return NotImplemented
    if len(self) != len(other):
        return False
    if isinstance(other, ItemsView):
        for item in self:  # noqa: SIM110
            if item not in other:
                return False
        return True
    # Asked this way, since numbers of other types are found among keys.
    for item in other:  # noqa: SIM110
        if item not in self:
            return False
    return True


def common(self, other):
    """Return the set of those that are in something else, too."""
    return set(self).intersection(list(other))


def united(self, other):
    """Return the set of those that are in one of two."""
    return set(self).union(list(other))


def rest(self, other):
    """Return the set of those that are not in something else."""
    return set(self).difference(list(other))


def rest_of_other(self, other):
    """Return the set of those of something else that are not in the view."""
    return set(other).difference(list(self))


def either(self, other):
    """Return the set of those that are in one of two alone."""
    return set(self).symmetric_difference(list(other))


def is_apart(self, other) -> bool:
    """Return whether nothing is in both."""
    return set(self).isdisjoint(list(other))


def is_within(self, other):
    """Return whether a set, or another view, has all of them."""
    if not isinstance(other, (set, frozenset, KeysView, ItemsView)):
        return NotImplemented
    return set(self) <= set(other)


def holds_all(self, other):
    """Return whether all items of a set, or of another view, are among them."""
    if not isinstance(other, (set, frozenset, KeysView, ItemsView)):
        return NotImplemented
    return set(self) >= set(other)


def is_less(self, other):
    """Return whether a set, or another view, has all of them and more."""
    if not isinstance(other, (set, frozenset, KeysView, ItemsView)):
        return NotImplemented
    return set(self) < set(other)


def is_more(self, other):
    """Return whether all items of a set, or of another view, are among them, and others."""
    if not isinstance(other, (set, frozenset, KeysView, ItemsView)):
        return NotImplemented
    return set(self) > set(other)
