"""Builtin functions of lists and arrays, in the script language; some are the bodies of ops."""

from scriptc_runtime import unsafe


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


def least(items):
    """Return the smallest item; an object is never compared with itself."""
    if len(items) == 0:
        raise ValueError("min() arg is an empty sequence")
    best = items[0]
    for place in range(1, len(items)):
        item = items[place]
        if item < best:
            best = item
    return best


def extreme_of_none(items, name: str, symbol: str):
    """Return the smallest or largest of items that are all None: the only one."""
    if len(items) == 0:
        raise ValueError(name + "() arg is an empty sequence")
    if len(items) > 1:
        kinds = "instances of 'NoneType' and 'NoneType'"
        raise TypeError(f"'{symbol}' not supported between {kinds}")
    return None


def items_max(items):
    """Return the largest item: one that the next ones are not greater than."""
    if len(items) == 0:
        raise ValueError("max() arg is an empty sequence")
    best = items[0]
    for item in items:
        if item > best:
            best = item
    return best


def greatest(items):
    """Return the largest item; an object is never compared with itself."""
    if len(items) == 0:
        raise ValueError("max() arg is an empty sequence")
    best = items[0]
    for place in range(1, len(items)):
        item = items[place]
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


def addends(items, kind: str, from_zero: bool):
    """Return items that are added up, of which none may be None; the first is added to 0."""
    out = []
    for item in items:
        if item is None:
            left = "int" if from_zero and len(out) == 0 else kind
            raise TypeError(f"unsupported operand type(s) for +: '{left}' and 'NoneType'")
        out.append(item)
    return out


def sum_items(items, start):
    """Add the items of a tuple to `start`."""
    total = start
    for item in items:
        total = total + item
    return total


def sum_arrays(items, start):
    """Add arrays to `start`; of no arrays the sum would be of another type."""
    if len(items) == 0:
        raise ValueError("the sum of no arrays has no shape")
    total = start + items[0]
    for i in range(1, len(items)):
        total = total + items[i]
    return total


def repeated_text(text: str, count: int):
    """Return a text as often as `count` says."""
    if len(text) > 0 and count > 9223372036854775807 // len(text):
        raise OverflowError("repeated string is too long")
    return unsafe.str_repeat(text, count)


def min_or(items, default):
    """Return the smallest item, the default where there is none."""
    return default if len(items) == 0 else min(items)


def max_or(items, default):
    """Return the largest item, the default where there is none."""
    return default if len(items) == 0 else max(items)
