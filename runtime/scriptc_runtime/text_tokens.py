"""Lines of IR text as tokens, and a cursor over them whose errors show the place."""

import json
import re
from typing import NoReturn

from scriptc_runtime.errors import Diagnostic, LoadError, Source, Span
from scriptc_runtime.record import record

MAX_TEXT = 2**26
MAX_LINE = 2**20
# Longer than any 64-bit integer and any float that repr() writes.
MAX_DIGITS = 32
SYNTAX, MEANING = "ir-syntax", "ir-meaning"

_TOKEN = re.compile(
    r"""(?P<space>[ \t]+|\#.*)
      | (?P<value>%\w+)
      | (?P<symbol>@[^\W\d]\w*(\.\w+)*)
      | (?P<dotted>[^\W\d]\w*(\.\w+)+)
      | (?P<name>[^\W\d]\w*)
      | (?P<number>-?(inf\b|[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?(?!\w)))
      | (?P<string>"([^"\\\x00-\x1f]|\\(["\\/bfnrt]|u[0-9a-fA-F]{4}))*")
      | (?P<mark>->|[=:,()\[\]{}<>+*?])""",
    re.VERBOSE,
)


@record
class Token:
    """A piece of one line; `kind` is a group of the pattern, or `end`."""

    kind: str
    text: str
    offset: int


class Cursor:
    """The tokens of one line, read from left to right."""

    def __init__(self, source: Source, offset: int, line: str) -> None:
        self._source = source
        self._tokens: list[Token] = []
        self._next = 0
        position = 0
        while position < len(line):
            match = _TOKEN.match(line, position)
            if match is None:
                self._fail(SYNTAX, "no token starts here", offset + position, 1)
            kind = match.lastgroup
            if kind != "space":
                self._tokens.append(Token(str(kind), match.group(), offset + position))
            position = match.end()
        self._tokens.append(Token("end", "", offset + len(line)))

    def _fail(self, code: str, message: str, offset: int, length: int) -> NoReturn:
        span = Span(self._source, offset, offset + length)
        raise LoadError(Diagnostic(code, message, span))

    def syntax_error(self, expected: str) -> NoReturn:
        """Refuse the next token."""
        token = self.peek
        found = token.text[:40] if token.kind != "end" else "the end of the line"
        self._fail(SYNTAX, f"expected {expected}, found {found}", token.offset, len(token.text))

    def meaning_error(self, message: str, token: Token | None = None) -> NoReturn:
        """Refuse what is well-formed but wrong."""
        token = token or self._tokens[0]
        self._fail(MEANING, message, token.offset, len(token.text))

    @property
    def peek(self) -> Token:
        """The next token."""
        return self._tokens[self._next]

    def at(self, text: str) -> bool:
        """Whether the next token is this mark or name."""
        return self.peek.text == text and self.peek.kind in ("mark", "name")

    def accept(self, text: str) -> bool:
        """Take the next token if it is this mark or name."""
        if not self.at(text):
            return False
        self._next += 1
        return True

    def expect(self, text: str) -> None:
        """Take this mark or name."""
        if not self.accept(text):
            self.syntax_error(repr(text))

    def take(self, kind: str) -> Token:
        """Take a token of this kind."""
        token = self.peek
        if token.kind != kind:
            self.syntax_error(f"a {kind}" if kind != "end" else "the end of the line")
        if kind != "end":
            self._next += 1
        return token

    def symbol(self) -> str:
        """Take a symbol and return it without its `@`."""
        return self.take("symbol").text[1:]

    def dotted(self) -> str:
        """Take a class's name: `Point`, or a specialisation of it, `Point.2`."""
        if self.peek.kind == "dotted":
            return self.take("dotted").text
        return self.take("name").text

    def string(self) -> str:
        """Take a string and return its value."""
        return str(json.loads(self.take("string").text))

    def integer(self) -> int:
        """Take an integer of at most 64 bits."""
        token = self.peek
        if token.kind != "number" or not token.text.lstrip("-").isdecimal():
            self.syntax_error("an integer")
        self._next += 1
        self.check_digits(token)
        value = int(token.text)
        if not -(2**63) <= value < 2**63:
            self.meaning_error("an integer of more than 64 bits", token)
        return value

    def check_digits(self, token: Token) -> None:
        """Refuse a number that would take long to read."""
        if len(token.text) > MAX_DIGITS:
            self.meaning_error(f"a number of more than {MAX_DIGITS} characters", token)
