"""Whether the text of a function in its file is the text that Python runs.

The parser compares names, parameters and lines. An edit can leave all these alone and change a
number; so the file is compiled once more, and the constants of each function are compared. Not the
bytecode: tools that rewrite it, pytest's assertions for one, leave the constants there.
"""

import linecache
from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache
from types import CodeType, FunctionType
from typing import cast

from scriptc.syntax.notebooks import shown_file
from scriptc_runtime.bits import bits_of
from scriptc_runtime.errors import Diagnostic, Source, Span, UnsupportedError


def refuse_edited(functions: Sequence[FunctionType]) -> None:
    """Refuse functions whose file has changed since it was imported.  Raises UnsupportedError."""
    for function in functions:
        live = function.__code__
        linecache.checkcache(live.co_filename)
        text = "".join(linecache.getlines(live.co_filename, function.__globals__))
        written = _codes(text).get((live.co_qualname, live.co_firstlineno))
        if written is None:
            continue  # a file that does not compile now, or moved: the parser says it better
        if not any(_has_constants(live, code) for code in _in_place(live, written)):
            raise _stale(Source(live.co_filename, text, shown_file(live.co_filename)), live)


def _in_place(live: CodeType, written: Sequence[CodeType]) -> Sequence[CodeType]:
    """Return which of several lambdas on one line stand where the live one does."""
    if len(written) == 1:
        return written
    places = list(live.co_positions())
    return [code for code in written if list(code.co_positions()) == places]


def _has_constants(live: CodeType, written: CodeType) -> bool:
    """Whether the constants of a function are those that are written."""
    there, here = set(_constants(written)), set(_constants(live))
    rewritten = any(name.startswith("@py") for name in live.co_varnames)
    return there <= here if rewritten else there == here


def _stale(source: Source, live: CodeType) -> UnsupportedError:
    lines = source.text.splitlines(keepends=True)
    start = sum(map(len, lines[: live.co_firstlineno - 1]))
    return UnsupportedError(
        Diagnostic(
            "stale-source",
            f"the file has changed since it was imported: other constants in {live.co_name!r}",
            Span(source, start, start + len(lines[live.co_firstlineno - 1].rstrip())),
            "what would be compiled is not what Python runs",
            "import the module again, or restart Python",
        )
    )


@lru_cache(maxsize=16)
def _codes(text: str) -> dict[tuple[str, int], list[CodeType]]:
    """Return the code of every function of a file, by name and first line."""
    try:
        module = compile(text, "<now>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return {}
    codes: dict[tuple[str, int], list[CodeType]] = {}
    for code in _inside(module):
        codes.setdefault((code.co_qualname, code.co_firstlineno), []).append(code)
    return codes


def _inside(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _inside(constant)


def _constants(code: CodeType) -> Iterator[Hashable]:
    """Yield what tells each constant of a function from others."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _constants(constant)
        elif isinstance(constant, int | float | complex | str | bytes | frozenset):
            yield bits_of(cast(object, constant))
        elif isinstance(constant, tuple):
            yield from map(bits_of, cast("tuple[object, ...]", constant))
