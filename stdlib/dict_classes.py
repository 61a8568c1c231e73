"""What classes that inherit from `dict` have: their objects hold a dict in a field."""


def __init__(self, items=None):
    if items is not None:
        self._items_.update(items)


def __getitem__(self, key):
    return self._items_[key]


def item_or_missing(self, key):
    """Be `__getitem__` of a class with a `__missing__`."""
    if key in self._items_:
        return self._items_[key]
    return self.__missing__(key)


def __setitem__(self, key, value):
    self._items_[key] = value


def __delitem__(self, key):
    del self._items_[key]


def __contains__(self, key):
    return key in self._items_


def __len__(self):
    return len(self._items_)


def __iter__(self):
    return iter(self._items_)


def __repr__(self):
    return repr(self._items_)


def keys(self):
    """Be `dict.keys`."""
    return self._items_.keys()


def values(self):
    """Be `dict.values`."""
    return self._items_.values()


def items(self):
    """Be `dict.items`."""
    return self._items_.items()


def get(self, key, default=None):
    """Be `dict.get`."""
    return self._items_.get(key, default)


def pop(self, key, *default):
    """Be `dict.pop`."""
    return self._items_.pop(key, *default)


def popitem(self):
    """Be `dict.popitem`."""
    return self._items_.popitem()


def setdefault(self, key, default=None):
    """Be `dict.setdefault`."""
    return self._items_.setdefault(key, default)


def update(self, items):
    """Be `dict.update`."""
    self._items_.update(items)


def clear(self):
    """Be `dict.clear`."""
    self._items_.clear()


def copy(self):
    """Be `dict.copy`."""
    return self._items_.copy()


def __eq__(self, other):
    if type(other) is dict:
        return self._items_ == other
    if isinstance(other, dict):
        return self._items_ == other._items_
    return NotImplemented


def __ne__(self, other):
    if type(other) is dict:
        return self._items_ != other
    if isinstance(other, dict):
        return self._items_ != other._items_
    return NotImplemented
