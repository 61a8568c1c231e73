"""Lines of IR text as tokens, and a cursor over them whose errors show the place."""

import json
import re
from typing import NoReturn

from scriptc_runtime.errors import Diagnostic, LoadError, Source, Span
from scriptc_runtime.recursive_types import RecursiveUnion

MAX_TEXT = 2**22
MAX_LINE = 2**20
# Longer than any 64-bit integer and any float that repr() writes.
MAX_DIGITS = 32
SYNTAX, MEANING, TOO_LARGE = "ir-syntax", "ir-meaning", "too-large"

# Space and a comment in front of a token are no part of it. What no other group matches is one
# wrong character.
_TOKEN = re.compile(
    r"""[ \t]*(?:\#.*)?(?:
        (?P<value>%\w+)
      | (?P<symbol>@[^\W\d]\w*(?:\.\w+)*)
      | (?P<dotted>[^\W\d]\w*(?:\.\w+)+)
      | (?P<name>[^\W\d]\w*)
      | (?P<number>-?(?:inf\b|[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?(?!\w)))
      | (?P<string>"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")
      | (?P<mark>->|[=:,()\[\]{}<>+*?])
      | (?P<end>\Z)
      | (?P<wrong>.))""",
    re.VERBOSE,
)


class Cursor:
    """The tokens of one line, read from left to right.

    A token has a kind, which is a group of the pattern, and a text. Its place is its number.
    """

    __slots__ = (
        *("_kinds", "_next", "_offset", "_offsets", "_source", "_texts"),
        *("is_trusted", "rings"),
    )

    def __init__(self, source: Source, offset: int, line: str) -> None:
        self._source = source
        self._offset = offset
        self._next = 0
        # The types around the next token that hold themselves, by what they are called in there.
        self.rings: dict[str, RecursiveUnion] = {}
        self.is_trusted = False  # whether the text is our own
        found = [(str(m.lastgroup), m) for m in _TOKEN.finditer(line)]
        self._kinds = [kind for kind, _ in found]
        self._texts = [m[kind] for kind, m in found]
        self._offsets = [m.start(kind) for kind, m in found]
        if "wrong" in self._kinds:
            at = offset + self._offsets[self._kinds.index("wrong")]
            self._fail(SYNTAX, "no token starts here", at, 1)

    def _fail(self, code: str, message: str, offset: int, length: int) -> NoReturn:
        span = Span(self._source, offset, offset + length)
        raise LoadError(Diagnostic(code, message, span))

    def syntax_error(self, expected: str) -> NoReturn:
        """Refuse the next token."""
        text = self.text
        found = text[:40] if self.kind != "end" else "the end of the line"
        offset = self._offset + self._offsets[self._next]
        self._fail(SYNTAX, f"expected {expected}, found {found}", offset, len(text))

    def meaning_error(self, message: str, place: int = 0) -> NoReturn:
        """Refuse what is well-formed but wrong."""
        offset = self._offset + self._offsets[place]
        self._fail(MEANING, message, offset, len(self._texts[place]))

    def too_large(self, message: str) -> NoReturn:
        """Refuse what would take long to read."""
        self._fail(TOO_LARGE, message, self._offset, 0)

    @property
    def place(self) -> int:
        """The place of the next token."""
        return self._next

    @property
    def kind(self) -> str:
        """The kind of the next token."""
        return self._kinds[self._next]

    @property
    def text(self) -> str:
        """The text of the next token."""
        return self._texts[self._next]

    def at(self, text: str) -> bool:
        """Whether the next token is this mark or name."""
        return self._texts[self._next] == text

    def accept(self, text: str) -> bool:
        """Take the next token if it is this mark or name."""
        if self._texts[self._next] != text:
            return False
        self._next += 1
        return True

    def expect(self, text: str) -> None:
        """Take this mark or name."""
        if self._texts[self._next] != text:
            self.syntax_error(repr(text))
        self._next += 1

    def take(self, kind: str) -> str:
        """Take a token of this kind, and return its text."""
        if self._kinds[self._next] != kind:
            self.syntax_error(f"a {kind}" if kind != "end" else "the end of the line")
        text = self._texts[self._next]
        if kind != "end":
            self._next += 1
        return text

    def symbol(self) -> str:
        """Take a symbol and return it without its `@`."""
        return self.take("symbol")[1:]

    def dotted(self) -> str:
        """Take a class's name: `Point`, or a specialisation of it, `Point.2`."""
        return self.take("dotted" if self.kind == "dotted" else "name")

    def string(self) -> str:
        """Take a string and return its value."""
        return str(json.loads(self.take("string")))

    def integer(self, most: int = 2**63 - 1) -> int:
        """Take an integer of at most 64 bits, with a sign unless `most` says more."""
        place, text = self._next, self.text
        if self.kind != "number" or not text.lstrip("-").isdecimal():
            self.syntax_error("an integer")
        self._next += 1
        self.check_digits(place)
        value = int(text)
        if not -(2**63) <= value <= most:
            self.meaning_error("an integer of more than 64 bits", place)
        return value

    def check_digits(self, place: int) -> None:
        """Refuse a number that would take long to read."""
        if len(self._texts[place]) > MAX_DIGITS:
            self.meaning_error(f"a number of more than {MAX_DIGITS} characters", place)
