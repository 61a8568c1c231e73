"""What `functools.total_ordering` adds to a class: comparisons made of the one that it has."""


def le_from_lt(self, other):
    """Return what `__le__` says, by `__lt__`."""
    return (self < other) or self == other


def gt_from_lt(self, other):
    """Return what `__gt__` says, by `__lt__`."""
    return not (self < other) and self != other


def ge_from_lt(self, other):
    """Return what `__ge__` says, by `__lt__`."""
    return not (self < other)


def lt_from_le(self, other):
    """Return what `__lt__` says, by `__le__`."""
    return (self <= other) and self != other


def gt_from_le(self, other):
    """Return what `__gt__` says, by `__le__`."""
    return not (self <= other)


def ge_from_le(self, other):
    """Return what `__ge__` says, by `__le__`."""
    return not (self <= other) or self == other


def lt_from_gt(self, other):
    """Return what `__lt__` says, by `__gt__`."""
    return not (self > other) and self != other


def le_from_gt(self, other):
    """Return what `__le__` says, by `__gt__`."""
    return not (self > other)


def ge_from_gt(self, other):
    """Return what `__ge__` says, by `__gt__`."""
    return (self > other) or self == other


def lt_from_ge(self, other):
    """Return what `__lt__` says, by `__ge__`."""
    return not (self >= other)


def le_from_ge(self, other):
    """Return what `__le__` says, by `__ge__`."""
    return not (self >= other) or self == other


def gt_from_ge(self, other):
    """Return what `__gt__` says, by `__ge__`."""
    return (self >= other) and self != other
