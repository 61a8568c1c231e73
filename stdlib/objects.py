"""What Python does with the results of methods that its syntax calls, in the script language."""


def checked_length(size: int) -> int:
    """Return what `__len__` returned, which must count something."""
    if size < 0:
        raise ValueError("__len__() should return >= 0")
    return size


def among_items(owner, item) -> bool:
    """Return whether an object without a `__contains__` has an item in its loop."""
    for held in owner:  # noqa: SIM110
        if held == item:
            return True
    return False


def reversed_items(owner):
    """Yield the items of an object with a length, from the last one to the first."""
    for place in range(len(owner) - 1, -1, -1):
        yield owner[place]


def items_of_reversed(owner):
    """Yield what the `__reversed__` of an object gives."""
    for item in owner.__reversed__():  # noqa: UP028
        yield item


def of_no_class():
    """Raise for an object of a class that no test has found, of which there is none."""
    raise TypeError("an object of no class of the program")
