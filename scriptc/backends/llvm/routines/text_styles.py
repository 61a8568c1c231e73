"""Formats as numbers, for the routines that write ints, floats and texts as formats say.

A style holds what a format says in parts of a word, but for the width and the precision. Formats
that are rare, and those that are wrong, have none: CPython is asked then.
"""

import re

from scriptc_runtime.record import record

# Where a text stands in its width; inside: behind the sign and the prefix of a number.
LEFT, RIGHT, CENTER, INSIDE = range(4)
_ALIGN = {"<": LEFT, ">": RIGHT, "^": CENTER, "=": INSIDE}

# Parts of a style, by their lowest bit: characters and numbers below 256, and single bits.
FILL_AT, ALIGN_AT, SIGN_AT, PREFIX_AT, SHIFT_AT, SEPARATOR_AT = range(0, 48, 8)
CAPITALS_AT, UNSIGNED_AT, DOT_AT = 48, 49, 50

_FORMAT = (
    r"(?:(?P<fill>[\x01-\x7f])?(?P<align>[<>=^]))?(?P<sign>[-+ ]?)(?P<sharp>#?)(?P<zero>0?)"
    r"(?P<width>\d{0,4})(?P<separator>[,_]?)(?:\.(?P<places>\d{1,4}))?(?P<letter>[a-zA-Z%]?)"
)
_BASES = {"": 0, "d": 0, "b": 1, "o": 3, "x": 4, "X": 4}


@record
class Style:
    """A style, the width, the precision (-1 where none is said) and the letter of a format."""

    word: int
    width: int
    places: int
    letter: str

    @property
    def is_plain(self) -> bool:
        """Whether an int is shown as str() does."""
        aligned = 255 << ALIGN_AT | 255 << FILL_AT
        return not self.width and not self.word & ~aligned & ~(1 << UNSIGNED_AT)


def int_style(spec: str, *, unsigned: bool = False) -> Style | None:
    """Return the style of a format of ints; None if CPython is to be asked."""
    found = _parsed(spec)
    if found is None or found["letter"] not in _BASES or found["places"] is not None:
        return None
    letter, separator = found["letter"], found["separator"]
    style = _common(found, RIGHT)
    if style is None or (separator == "," and letter not in ("", "d")):
        return None
    shift = _BASES[letter]
    prefix = ord(letter) if found["sharp"] and shift else 0
    word = style.word | prefix << PREFIX_AT | shift << SHIFT_AT
    word |= (letter == "X") << CAPITALS_AT | unsigned << UNSIGNED_AT
    return Style(word, style.width, -1, letter)


def float_style(spec: str) -> Style | None:
    """Return the style of a format of floats; None if CPython is to be asked."""
    found = _parsed(spec)
    if found is None or found["sharp"] or found["letter"] not in ("", *"eEfFgG%"):
        return None
    letter, places = found["letter"], found["places"]
    if (found["separator"] and letter not in ("f", "F", "%")) or (places and not letter):
        return None
    style = _common(found, RIGHT)
    if style is None:
        return None
    precision = int(places) if places else 6 if letter else -1
    word = style.word | (letter in ("E", "G")) << CAPITALS_AT | (not letter) << DOT_AT
    return Style(word, style.width, precision, letter.lower())


def text_style(spec: str) -> Style | None:
    """Return the style of a format of texts; None if CPython is to be asked."""
    found = _parsed(spec)
    if found is None or found["letter"] not in ("", "s"):
        return None
    if found["sign"] or found["sharp"] or found["separator"] or found["align"] == "=":
        return None
    if found["zero"] and not found["align"]:
        return None  # what it means is another thing in each version
    style = _common(found, LEFT)
    places = -1 if found["places"] is None else int(found["places"])
    return style and Style(style.word, style.width, places, "s")


def _parsed(spec: str) -> re.Match[str] | None:
    # Not compiled before the first format is met.
    return re.fullmatch(_FORMAT, spec, re.ASCII)


def _common(found: re.Match[str], usual: int) -> Style | None:
    """Return the style of what all formats have: where the text stands, in what, and signs."""
    width = int(found["width"] or 0)
    zero = bool(found["zero"])
    align = _ALIGN[found["align"]] if found["align"] else INSIDE if zero else usual
    fill = found["fill"] or ("0" if zero else " ")
    # Zeros in front are parted by separators, too.
    parted = found["separator"] and fill == "0" and align == INSIDE and width
    if parted:
        return None
    word = ord(fill) << FILL_AT | align << ALIGN_AT
    sign = found["sign"] if found["sign"] in ("+", " ") else ""
    for part, at in ((sign, SIGN_AT), (found["separator"], SEPARATOR_AT)):
        word |= (ord(part) if part else 0) << at
    return Style(word, width, -1, "")
