"""What the lexer gives the parser, and what both raise when a text is not Python."""

from typing import NamedTuple

END = "$END"  # Lark's name for the end of the text


class Token(NamedTuple):
    """One token; `kind` is the name of its terminal in the grammar.

    `text` is the source text `lo:hi`, but for a non-ASCII name its normal form, and for the "="
    of `f"{x = }"` all that is printed before the value.
    """

    kind: str
    text: str
    lo: int
    hi: int


class SyntaxProblem(Exception):
    """A place where the text stops being Python; users see the ParseError made of it.

    `is_limit`: the text may well be Python, but goes beyond a limit of ours.
    """

    def __init__(self, message: str, lo: int, hi: int, *, is_limit: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.lo = lo
        self.hi = hi
        self.is_limit = is_limit
