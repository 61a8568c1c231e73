"""What the cache knows of one specialisation: enough to run its machine code, and to explain it.

Types stand in it as the text of the IR. They are read only where an argument does not fit, so that
a warm start needs no reader.
"""

import json
import linecache
from collections.abc import Sequence
from types import CodeType, FunctionType
from typing import NamedTuple

from scriptc.dependencies import digest_of
from scriptc_runtime.errors import Source
from scriptc_runtime.types import Type


class SourceText(NamedTuple):
    """The lines of one function as they were when it was compiled."""

    file: str
    first: int
    length: int
    digest: str

    @property
    def holds(self) -> bool:
        """Whether the file still has these lines there."""
        lines = linecache.getlines(self.file)[self.first - 1 : self.first - 1 + self.length]
        return digest_of(*lines) == self.digest


# A class, by its number among those reached, and its fields with their types as text.
ClassFields = tuple[int, tuple[tuple[str, str], ...]]


class ParameterText(NamedTuple):
    """A parameter, with its type as text."""

    name: str
    type: str
    writes: bool


class FrameText(NamedTuple):
    """One line of a traceback."""

    function: str
    file: str
    line: int


class SiteText(NamedTuple):
    """A place that can raise."""

    frames: tuple[FrameText, ...]
    message: str


class Manifest(NamedTuple):
    """One specialisation. `captures` are the numbers of guards that hold captured arrays."""

    code: str  # the key of the machine code
    parameters: tuple[tuple[ParameterText, ...], ...]  # of each function of the object
    captures: tuple[int, ...]
    sources: tuple[SourceText, ...]
    classes: tuple[ClassFields, ...]
    strings: tuple[str, ...]
    objects: tuple[str, ...]
    sites: tuple[SiteText, ...]

    @property
    def holds(self) -> bool:
        """Whether the files still say what was compiled."""
        return all(source.holds for source in self.sources)


def to_json(manifest: Manifest) -> bytes:
    """Return a manifest as bytes for the cache."""
    return json.dumps(manifest, separators=(",", ":")).encode()


def from_json(data: bytes) -> Manifest:
    """Return the manifest that `to_json` wrote; the cache has checked that it did."""
    code, parameters, captures, sources, classes, strings, objects, sites = json.loads(data)
    return Manifest(
        code,
        tuple(tuple(ParameterText(*p) for p in of_one) for of_one in parameters),
        tuple(captures),
        tuple(SourceText(*s) for s in sources),
        tuple((n, tuple((name, text) for name, text in fields)) for n, fields in classes),
        tuple(strings),
        tuple(objects),
        tuple(SiteText(tuple(FrameText(*f) for f in frames), text) for frames, text in sites),
    )


def read_types(texts: Sequence[str]) -> tuple[Type, ...]:
    """Return types from their text."""
    # Inside a function: arguments that fit need no types, so most starts do not read any.
    from scriptc_runtime.text_tokens import Cursor
    from scriptc_runtime.text_types import read_type

    return tuple(read_type(Cursor(Source("<manifest>", text), 0, text)) for text in texts)


def source_texts(functions: Sequence[FunctionType]) -> tuple[SourceText, ...]:
    """Return the lines of functions as their files have them now."""
    return tuple(_source_text(function.__code__) for function in functions)


def _source_text(code: CodeType) -> SourceText:
    first = code.co_firstlineno
    last = max(first, *_lines(code))
    lines = linecache.getlines(code.co_filename)[first - 1 : last]
    return SourceText(code.co_filename, first, last - first + 1, digest_of(*lines))


def _lines(code: CodeType) -> list[int]:
    found = [end for _, end, _, _ in code.co_positions() if end is not None]
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found += _lines(constant)
    return found or [code.co_firstlineno]
