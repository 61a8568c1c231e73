"""The types after `--args`: `f64[N, M], int, list[float] | None`.

    types = type, comma, type, ...
    type  = single | single "|" "None"
    single = NAME | DTYPE "[" dims "]" | "list" "[" type "]" | "tuple" "[" types "]"
    dim   = NAME | NUMBER | "?" | "..."

A name in brackets is a size: the same name means the same size.
"""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeVar

from scriptc_runtime.dims import UNKNOWN, Dim, symbol
from scriptc_runtime.errors import Diagnostic, Source, Span, TypeCheckError
from scriptc_runtime.types import (
    BOOL,
    BYTES,
    FLOAT,
    GIVEN_SOURCES,
    INT,
    NONE,
    STR,
    DType,
    ListType,
    OptionalType,
    TensorType,
    TupleType,
    Type,
)

_T = TypeVar("_T")
_TOKEN = re.compile(r"\s*(\.\.\.|[^\W\d]\w*|\d+|[^\s])")
_NAMES: Mapping[str, Type] = {
    **{str(t): t for t in (INT, FLOAT, BOOL, STR, BYTES, NONE, *GIVEN_SOURCES)},
    **{str(t): t for t in DType},
}
_FORMS = "int, float, bool, str, None, f64, f64[N, M], list[T], tuple[T, ...], T | None"


class _Token(NamedTuple):
    text: str
    lo: int


def read_types(text: str) -> tuple[Type, ...]:
    """Return the types of a list like `f64[N, M], int`.  Raises TypeCheckError."""
    reader = _Reader(text)
    types = () if reader.at("") else reader.separated(reader.type)
    reader.take("")
    return types


class _Reader:
    def __init__(self, text: str) -> None:
        self._source = Source("--args", text)
        found = [_Token(m[1], m.start(1)) for m in _TOKEN.finditer(text)]
        self._tokens = [*found, _Token("", len(text))]
        self._next = 0

    def at(self, text: str) -> bool:
        return self._tokens[self._next].text == text

    def take(self, text: str) -> None:
        if not self.at(text):
            self._fail(repr(text) if text else "a comma, or the end")
        self._advance()

    def separated(self, read: Callable[[], _T]) -> tuple[_T, ...]:
        items = [read()]
        while self.at(","):
            self._advance()
            items.append(read())
        return tuple(items)

    def type(self) -> Type:
        """Take one type."""
        result = self._single()
        if self.at("|"):
            self._advance()
            self.take("None")
            return OptionalType(result)
        return result

    def _single(self) -> Type:
        name = self._tokens[self._next].text
        if name in ("list", "tuple"):
            self._advance()
            return self._bracketed(self._list if name == "list" else self._tuple)
        if name not in _NAMES:
            self._fail(f"a type ({_FORMS})")
        self._advance()
        plain = _NAMES[name]
        if isinstance(plain, DType) and self.at("["):
            return TensorType(plain, self._bracketed(lambda: self.separated(self._dim)))
        return plain

    def _bracketed(self, read: Callable[[], _T]) -> _T:
        self.take("[")
        result = read()
        self.take("]")
        return result

    def _list(self) -> Type:
        return ListType(self.type())

    def _tuple(self) -> Type:
        return TupleType(self.separated(self.type))

    def _dim(self) -> Dim:
        text = self._tokens[self._next].text
        if text in ("?", "..."):
            self._advance()
            return UNKNOWN
        if text.isdecimal():
            self._advance()
            return Dim(int(text))
        if not text.isidentifier():
            self._fail("a size: a name, a number, or ? for any")
        self._advance()
        return symbol(text)

    def _advance(self) -> None:
        self._next += 1

    def _fail(self, expected: str) -> None:
        token = self._tokens[self._next]
        found = f"found {token.text!r}" if token.text else "the text ends here"
        span = Span(self._source, token.lo, token.lo + max(1, len(token.text)))
        raise TypeCheckError(Diagnostic("arguments", f"expected {expected}; {found}", span))
