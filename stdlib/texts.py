"""Values as text, in the script language."""


def list_text(items) -> str:
    """Return what Python shows of a list: its items as repr() gives them."""
    return "[" + _between(items) + "]"


def tuple_text(items) -> str:
    """Return what Python shows of a tuple."""
    return "(" + _between(items) + (",)" if len(items) == 1 else ")")


def _between(items) -> str:
    # Objects may hold others of their class: what their texts are is not asked for, it is known.
    parts: list[str] = []
    for item in items:
        parts.append(repr(item))
    return ", ".join(parts)
