"""What is wrong with a broken text: CPython's words and place, where it finds it broken too."""

import ast
import warnings

from scriptc.syntax.tokens import SyntaxProblem
from scriptc_runtime.errors import Diagnostic, ParseError, Source, Span


def parse_error(source: Source, problem: SyntaxProblem) -> ParseError:
    """Return the error to raise for a text that the lexer or the parser refused."""
    if problem.is_limit:
        span = Span(source, problem.lo, problem.hi)
        instead = "split the expression or the statement into smaller ones"
        return ParseError(Diagnostic("too-deep", problem.message, span, instead=instead))
    theirs = _from_python(source)
    if theirs is not None:
        return ParseError(theirs)
    return ParseError(_diagnostic(source, problem.message, problem.lo, problem.hi))


def _from_python(source: Source) -> Diagnostic | None:
    # Its parser has a specific message for most mistakes; ours would say "invalid syntax".
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(source.text)
    except SyntaxError as error:
        if error.lineno is None or error.offset is None:
            return _diagnostic(source, error.msg, 0, 1)
        lo = _offset(source.text, error.lineno, error.offset)
        hi = lo + 1
        if error.end_lineno and error.end_offset and error.end_offset > 0:
            hi = max(hi, _offset(source.text, error.end_lineno, error.end_offset))
        return _diagnostic(source, error.msg, lo, hi)
    except (ValueError, RecursionError, MemoryError):
        return None  # null bytes; nesting beyond its own limits
    return None


def _offset(text: str, line: int, column: int) -> int:
    start = 0
    for _ in range(line - 1):
        start = text.find("\n", start) + 1
    return min(start + max(column, 1) - 1, len(text))


def _diagnostic(source: Source, message: str, lo: int, hi: int) -> Diagnostic:
    lo = min(lo, len(source.text))
    return Diagnostic("syntax", message, Span(source, lo, max(lo, min(hi, len(source.text)))))
