"""The rows of docs/language/coverage.md: examples in tests/cases/coverage, and what they do.

A file is a section. A row is a comment, which says what it is about, and a program whose function
`example` shows it:

    # generator expressions
    def example():
        return sum(x * x for x in range(4))
"""

import contextlib
import io
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from scriptc import script
from scriptc_runtime.errors import ScriptError
from tests.support.live_source import live_module

REPO = Path(__file__).parents[2]
FOLDER = REPO / "tests/cases/coverage"
PAGE = REPO / "docs/language/coverage.md"
SECTIONS = sorted(FOLDER.glob("*.py"))
_ROW = re.compile(r"^# (.*)\n((?:(?!# ).*\n?)*)", re.MULTILINE)
_ONE_LINE = re.compile(r"(?:import \w+(?: as \w+)?\n\n*)?def example\(\):\n    return (.*)\n\s*\Z")
_LONGEST = 70  # characters of an example that a table shows
HEAD = """\
# What of Python is supported

The rows follow Python's language reference, its data model, its built-in functions and its library.
Each is an example in `tests/cases/coverage`. CPython, the interpreter and machine code run those
that are supported, and give the same; the others are refused with a code, whose page says what to
write instead. How far a row goes, the other chapters say.
"""


class Row(NamedTuple):
    """What a row is about, and its program."""

    section: str
    what: str
    text: str

    @property
    def shown(self) -> str:
        """The example as a table shows it, empty where it takes several lines."""
        match = _ONE_LINE.match(self.text)
        code = match[1].replace("|", "\\|") if match else ""
        return f"`{code}`" if code and len(code) <= _LONGEST and "`" not in code else ""

    def example(self) -> Callable[[], object]:
        """Return the function that shows it."""
        name = re.sub(r"\W+", "_", f"{self.section}_{self.what}")
        text = "from __future__ import annotations\n" + self.text
        sys.modules[name] = ModuleType(name)  # where dataclasses look for theirs
        try:
            return vars(live_module(text, f"{name}.py", name))["example"]
        finally:
            del sys.modules[name]


def rows_of(section: Path) -> Sequence[Row]:
    """Return the rows of a section."""
    text = section.read_text(encoding="utf-8")
    return [Row(section.stem, match[1], match[2]) for match in _ROW.finditer(text)]


def ending(function: Callable[[], object]) -> tuple[str, str, str]:
    """Return what a call gives, with its type, or raises, and what it prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            result = function()
        except ScriptError:
            raise
        except Exception as error:
            return type(error).__name__, str(error), printed.getvalue()
    return type(result).__name__, repr(result), printed.getvalue()


def refusal(row: Row) -> tuple[str, str] | None:
    """Return the code and the reason by which an example is refused, None where it runs."""
    try:
        ending(script(row.example(), backend="interp"))
    except ScriptError as error:
        told = error.diagnostics[0]
        return told.code, told.why or told.message
    return None


def table(section: Path) -> str:
    """Return the part of the page about a section, as its examples are supported today."""
    title = section.read_text(encoding="utf-8").partition('"""')[2].partition('"""')[0]
    lines = [f"\n## {title}\n", "| what | supported | example, or why not |", "|---|---|---|"]
    for row in rows_of(section):
        refused = refusal(row)
        what = row.what.replace("|", "\\|")
        if refused is None:
            lines.append(f"| {what} | yes | {row.shown} |")
        else:
            code, why = refused
            why = " ".join(why.split()).replace("|", "\\|")
            lines.append(f"| {what} | no: [{code}](../errors/{code}.md) | {why} |")
    return "\n".join(lines) + "\n"
