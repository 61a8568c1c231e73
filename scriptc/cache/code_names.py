"""The names that code mentions: its bytecode, and the text that it was compiled from."""

import linecache
import re
from collections.abc import Iterator
from opcode import opmap
from types import CodeType

# Of names that pytest puts into the asserts of tests, which are no part of what is compiled.
_IN_NO_TEXT = "@"
NAME = re.compile(r"[^\W\d]\w*")


def mentioned_names(code: CodeType) -> Iterator[str]:
    """Yield every name that the code mentions, that of functions inside it too."""
    for inner in _codes(code):
        yield from inner.co_names


def global_names(code: CodeType) -> Iterator[str]:
    """Yield the names that the code looks up or stores as globals; those after a dot are none."""
    for inner in _codes(code):
        for operation, number in _instructions(inner):
            if operation == _LOAD_GLOBAL:
                name = inner.co_names[number >> 1]  # the last bit says whether it is called
                if not name.startswith(_IN_NO_TEXT):
                    yield name
            elif operation in (_LOAD_NAME, _STORE_GLOBAL):
                yield inner.co_names[number]  # the one in the body of a class


def given_names(code: CodeType) -> Iterator[str]:
    """Yield the names of globals with which code does more than to read an attribute."""
    for inner in _codes(code):
        last = ""
        for operation, number in _instructions(inner):
            if last and operation not in _OF_ATTRIBUTES:
                yield last
            last = inner.co_names[number >> 1] if operation == _LOAD_GLOBAL else ""


def imported_names(code: CodeType) -> Iterator[str]:
    """Yield the names of the modules that code imports."""
    for inner in _codes(code):
        for operation, number in _instructions(inner):
            if operation == _IMPORT_NAME:
                yield inner.co_names[number]


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield the code and that of functions inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _instructions(code: CodeType) -> Iterator[tuple[int, int]]:
    """Yield what is done, and with what."""
    high = 0
    # Not by `dis`, which takes ten times as long. A byte says what to do, the next one with what.
    for operation, low in zip(code.co_code[::2], code.co_code[1::2], strict=True):
        number = high | low
        high = number << 8 if operation == _EXTENDED_ARG else 0
        if operation not in (_CACHE, _EXTENDED_ARG):
            yield operation, number


_CACHE = 0  # fills the places where the interpreter keeps what it has learned
_OF_ATTRIBUTES = tuple(opmap[name] for name in ("LOAD_ATTR", "LOAD_METHOD") if name in opmap)
_EXTENDED_ARG, _IMPORT_NAME = opmap["EXTENDED_ARG"], opmap["IMPORT_NAME"]
_LOAD_GLOBAL, _LOAD_NAME, _STORE_GLOBAL = (
    opmap[name] for name in ("LOAD_GLOBAL", "LOAD_NAME", "STORE_GLOBAL")
)


def words(code: CodeType) -> Iterator[str]:
    """Yield the words in the text of the body of a function: some may be of annotations."""
    if code.co_name == "<lambda>":
        return  # it has none; and one may be made for each call
    first, last = code.co_firstlineno, max(_line_numbers(code))
    lines = linecache.getlines(code.co_filename)[first - 1 : last]
    # The parameters have theirs evaluated. Of a function on one line all words are taken.
    ends = (k for k, line in enumerate(lines, 1) if line.partition("#")[0].rstrip().endswith(":"))
    for line in lines[next(ends, 0) :]:
        yield from NAME.findall(line)


def _line_numbers(code: CodeType) -> Iterator[int]:
    yield code.co_firstlineno
    yield from (line for _, _, line in code.co_lines() if line is not None)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _line_numbers(constant)
