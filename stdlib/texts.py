"""Values as text, in the script language."""


def list_text(items) -> str:
    """Return what Python shows of a list: its items as repr() gives them."""
    return "[" + joined(items, 0, len(items)) + "]"


def joined(items, start: int, stop: int) -> str:
    """Return the texts of some items with commas between, put together of halves."""
    if stop == start:
        return ""
    if stop - start == 1:
        return repr(items[start])
    half = start + (stop - start) // 2
    return joined(items, start, half) + ", " + joined(items, half, stop)
