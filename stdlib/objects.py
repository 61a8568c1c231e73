"""What Python does with the results of methods that its syntax calls, in the script language."""


def checked_length(size: int) -> int:
    """Return what `__len__` returned, which must count something."""
    if size < 0:
        raise ValueError("__len__() should return >= 0")
    return size
