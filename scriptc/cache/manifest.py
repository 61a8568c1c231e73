"""What the cache knows of one object file: enough to run it, and to explain what it raises.

Types stand in it as the text of the IR. They are read only where an argument does not fit, so that
a warm start needs no reader. Its parts are plain tuples, as JSON knows them.
"""

import linecache
from collections.abc import Sequence
from types import CodeType, FunctionType
from typing import Any, cast

from scriptc.cache.dependencies import digest_of
from scriptc.values.size_patterns import ANY, Pattern
from scriptc_runtime.errors import Source
from scriptc_runtime.plain_json import read_json, write_json
from scriptc_runtime.records import dtype_of, records_class
from scriptc_runtime.types import Label, Type

# A parameter: its name, its type as text, whether its array must be writable.
ParameterText = tuple[str, str, bool]
# The lines of a function when it was compiled: file, first line, how many, their digest.
SourceText = tuple[str, int, int, str]
# A class, by its number among those reached, and its fields with their types as text; and what is
# known of those into which nothing was put, or ""; and whether `__init__` leaves them unset.
FieldText = tuple[str, str, str, bool]
ClassText = tuple[int, tuple[FieldText, ...]]
# Of a generator its class, its name, and what each function after the first is called for.
GeneratorText = tuple[str, str, tuple[str, ...]]
# A line of a traceback: function, file, line.
FrameText = tuple[str, str, int]
# Kernels of a device: the text that all need, and of each its name, whether its threads meet, and
# its own text.
KernelTexts = tuple[str, tuple[tuple[str, bool, str], ...]]
# A place that can raise: its frames, innermost first, and its message.
SiteText = tuple[tuple[FrameText, ...], str]


class Manifest:
    """One object file with its tables, and the program it was made of."""

    __slots__ = (
        "captures",
        "classes",
        "code",
        "constants",
        "generator",
        "instances",
        "kernels",
        "named",
        "objects",
        "parameters",
        "pattern",
        "sites",
        "sources",
        "strings",
        "texts",
        "watched",
    )

    def __init__(
        self,
        code: str,
        parameters: Sequence[tuple[ParameterText, ...]],
        strings: Sequence[str],
        objects: Sequence[str],
        sites: Sequence[SiteText],
        captures: Sequence[int] = (),
        classes: Sequence[ClassText] = (),
        sources: Sequence[SourceText] = (),
        constants: Sequence[tuple[int, object]] = (),
        pattern: Pattern = ANY,
        kernels: KernelTexts | None = None,
        instances: Sequence[str] = (),
        texts: Sequence[str] = (),
        named: Sequence[int | tuple[Label, ...]] = (),
        watched: Sequence[int] = (),
        generator: GeneratorText | None = None,
    ) -> None:
        self.pattern = pattern  # which sizes it serves
        self.generator = generator  # what the function gives; None where that is none
        self.kernels = kernels  # None where there is no device
        # Of library functions that are compiled apart, each after those that it calls.
        self.instances = tuple(instances)
        self.code = code  # the digest of the program, as LLVM was given it
        self.parameters = tuple(parameters)  # of each function
        self.strings = tuple(strings)
        self.texts = tuple(texts)
        self.objects = tuple(objects)
        self.sites = tuple(sites)
        self.captures = tuple(captures)  # the numbers of the guards that hold captured arrays
        self.classes = tuple(classes)
        # Enumerations and named tuples, by their numbers; structured arrays, by their labels.
        self.named = tuple(named)
        self.sources = tuple(sources)
        self.watched = tuple(watched)  # the numbers of the guards of objects outside that it uses
        self.constants = tuple(constants)  # the places and values of arguments that decide on types

    @property
    def holds(self) -> bool:
        """Whether the files still say what was compiled."""
        return all(_lines(*source[:3]) == source[3] for source in self.sources)

    def named_classes(self, classes: Sequence[type]) -> Sequence[type]:
        """Return the classes that `named` tells."""
        return [
            classes[told] if isinstance(told, int) else records_class(dtype_of(told))
            for told in self.named
        ]


def to_bytes(manifest: Manifest) -> bytes:
    """Return a manifest as bytes for the cache: JSON."""
    return write_json([getattr(manifest, name) for name in Manifest.__slots__]).encode()


def from_bytes(data: bytes) -> Manifest:
    """Return the manifest that `to_bytes` wrote; the cache has checked that it did."""
    fields = cast("list[object]", read_json(data.decode()))
    return Manifest(**dict(zip(Manifest.__slots__, map(_frozen, fields), strict=True)))


def _frozen(value: object) -> Any:
    """Return what JSON gives with tuples for its lists."""
    return tuple(map(_frozen, cast("list[object]", value))) if isinstance(value, list) else value


def read_types(texts: Sequence[str]) -> tuple[Type, ...]:
    """Return types from their text."""
    # Inside a function: arguments that fit need no types, so most starts do not read any.
    from scriptc_runtime.text.tokens import Cursor
    from scriptc_runtime.text.type_names import read_type

    cursors = [Cursor(Source("<manifest>", text), 0, text) for text in texts]
    for cursor in cursors:
        cursor.is_trusted = True
    return tuple(map(read_type, cursors))


def source_texts(functions: Sequence[FunctionType]) -> tuple[SourceText, ...]:
    """Return the lines of functions as their files have them now."""
    return tuple(_source_text(function.__code__) for function in functions)


def _source_text(code: CodeType) -> SourceText:
    file, first = code.co_filename, code.co_firstlineno
    length = max(_last_lines(code), default=first) - first + 1
    return file, first, length, _lines(file, first, length)


def _lines(file: str, first: int, length: int) -> str:
    """Return the digest of some lines of a file."""
    return digest_of(*linecache.getlines(file)[first - 1 : first - 1 + length])


def _last_lines(code: CodeType) -> list[int]:
    found = [end for _, end, _, _ in code.co_positions() if end is not None]
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found += _last_lines(constant)
    return found
