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


def escaped(text: str) -> str:
    """Return what ascii() makes of a text that repr() gave."""
    if text.isascii():
        return text
    parts: list[str] = []
    for letter in text:
        code = ord(letter)
        if code < 0x80:
            parts.append(letter)
        elif code < 0x100:
            parts.append(f"\\x{code:02x}")
        elif code < 0x10000:
            parts.append(f"\\u{code:04x}")
        else:
            parts.append(f"\\U{code:08x}")
    return "".join(parts)


def print_to(file, sep: str, end: str, texts: list[str]) -> None:
    """Hand texts to the method `write` of an object, one by one, as Python's print does."""
    for place, text in enumerate(texts):
        if place > 0:
            file.write(sep)
        file.write(text)
    file.write(end)
