"""What classes that inherit from `list` have: their objects hold a list in a field."""


def __init__(self, items=None):
    if items is not None:
        self._items_.extend(items)


def __getitem__(self, place):
    return self._items_[place]


def __setitem__(self, place, value):
    self._items_[place] = value


def __delitem__(self, place):
    del self._items_[place]


def __contains__(self, value):
    return value in self._items_


def __len__(self):
    return len(self._items_)


def __iter__(self):
    return iter(self._items_)


def __reversed__(self):
    return reversed(self._items_)


def __repr__(self):
    return repr(self._items_)


def append(self, value):
    """Be `list.append`."""
    self._items_.append(value)


def extend(self, values):
    """Be `list.extend`."""
    self._items_.extend(values)


def insert(self, place, value):
    """Be `list.insert`."""
    self._items_.insert(place, value)


def pop(self, place=-1):
    """Be `list.pop`."""
    return self._items_.pop(place)


def remove(self, value):
    """Be `list.remove`."""
    self._items_.remove(value)


def index(self, value):
    """Be `list.index`."""
    return self._items_.index(value)


def count(self, value):
    """Be `list.count`."""
    return self._items_.count(value)


def reverse(self):
    """Be `list.reverse`."""
    self._items_.reverse()


def sort(self, key=None, reverse=False):
    """Be `list.sort`."""
    if key is None:
        self._items_.sort(reverse=reverse)
    else:
        self._items_.sort(key=key, reverse=reverse)


def clear(self):
    """Be `list.clear`."""
    self._items_.clear()


def copy(self):
    """Be `list.copy`."""
    return self._items_.copy()


def __eq__(self, other):
    if type(other) is list:
        return self._items_ == other
    if isinstance(other, list):
        return self._items_ == other._items_
    return NotImplemented


def __ne__(self, other):
    if type(other) is list:
        return self._items_ != other
    if isinstance(other, list):
        return self._items_ != other._items_
    return NotImplemented


def __iadd__(self, values):
    self._items_.extend(values)
    return self


def __add__(self, other):
    if type(other) is list:
        return self._items_ + other
    return self._items_ + other._items_
