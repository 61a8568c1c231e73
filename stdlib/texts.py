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


def print_to(file, sep: str, end: str, texts: list[str]) -> None:
    """Hand texts to the method `write` of an object, one by one, as Python's print does."""
    for place, text in enumerate(texts):
        if place > 0:
            file.write(sep)
        file.write(text)
    file.write(end)
