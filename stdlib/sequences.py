"""Builtin functions of lists and arrays, in the script language; each is the body of its op."""


def items_sum(items, start):
    """Add all items to `start`, one after the other."""
    total = start
    for item in items:
        total = total + item
    return total


def items_min(items):
    """Return the smallest item: one that the next ones are not less than."""
    if len(items) == 0:
        raise ValueError("min() arg is an empty sequence")
    best = items[0]
    for item in items:
        if item < best:
            best = item
    return best


def items_max(items):
    """Return the largest item: one that the next ones are not greater than."""
    if len(items) == 0:
        raise ValueError("max() arg is an empty sequence")
    best = items[0]
    for item in items:
        if item > best:
            best = item
    return best


def items_any(items):
    """Return whether an item counts as true."""
    for item in items:  # noqa: SIM110
        if item:
            return True
    return False


def items_all(items):
    """Return whether each item counts as true."""
    for item in items:  # noqa: SIM110
        if not item:
            return False
    return True
