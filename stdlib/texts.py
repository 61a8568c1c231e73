"""Values as text, in the script language."""


def list_text(items) -> str:
    """Return what Python shows of a list: its items as repr() gives them."""
    return "[" + _between(items) + "]"


def tuple_text(items) -> str:
    """Return what Python shows of a tuple."""
    return "(" + _between(items) + (",)" if len(items) == 1 else ")")


def _between(items) -> str:
    if len(items) == 0:
        return ""
    parts = [repr(item) for item in items]
    # Neighbours are joined until one text is left: no character is copied more than log2(n) times.
    while len(parts) > 1:
        longer: list[str] = []
        for i in range(0, len(parts) - 1, 2):
            longer.append(parts[i] + ", " + parts[i + 1])
        if len(parts) % 2 == 1:
            longer.append(parts[-1])
        parts = longer
    return parts[0]
