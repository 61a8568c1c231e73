"""Cells of IPython: what they are called, and the texts that its magics compile.

`%%time` and its like compile a cell under a name that is no file. IPython keeps what was entered,
so the text of a function is found there: it is the one that compiles to the function's code.
"""

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from types import CodeType
from typing import Any, NamedTuple

_CELL_MAGIC = re.compile(r"%%(\w+)(.*)")
_LINE_MAGIC = re.compile(r"\s*(?:[\w, ]+=\s*)?%(\w+)\s+(.*)")
_MOST_CELLS = 1000  # how far back a text is looked for


class Entered(NamedTuple):
    """A text as a magic compiles it, and what a user knows it as."""

    shown: str
    text: str


def shown_file(file: str) -> str:
    """Return what a user knows a file as: `Cell In[3]`, where it is a cell of IPython's."""
    shell = _shell()
    known: tuple[str, str] | None = shell and shell.compile.format_code_name(file)
    return " ".join(known) if known else file


def entered_text(code: CodeType) -> Entered | None:
    """Return the text that a magic of IPython has compiled to some code, None if none has."""
    shell = _shell()
    cells: Sequence[str] = shell.history_manager.input_hist_raw if shell else []
    for number in range(len(cells) - 1, max(0, len(cells) - _MOST_CELLS), -1):
        for magic, setup, entered in _compiled_by_magics(cells[number]):
            text: str = shell.transform_cell(entered)
            trees = _trees(setup, text)
            if any(code in _codes(tree, shell.compile.flags) for tree in trees):
                return Entered(f"Cell In[{number}] in {magic}", text)
    return None


def _shell() -> Any:  # an untyped library begins here
    library = sys.modules.get("IPython")
    return None if library is None else library.get_ipython()


def _compiled_by_magics(cell: str) -> Iterator[tuple[str, str, str]]:
    """Yield the magics of a cell: their names, what stands before their texts, and these."""
    first, _, rest = cell.partition("\n")
    whole = _CELL_MAGIC.match(first)
    if whole:
        yield f"%%{whole[1]}", whole[2], rest
        return
    for line in map(_LINE_MAGIC.match, cell.splitlines()):
        if line:
            # Options stand before the text, and how many there are is the magic's own business.
            words = re.finditer(r"\S+", line[2])
            yield from ((f"%{line[1]}", "", line[2][word.start() :]) for word in words)


def _trees(setup: str, text: str) -> Iterator[ast.Module]:
    """Yield what a magic may compile: the text itself, or that in a loop of a function."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError):
        return
    yield ast.Module(body, [])
    # As %%timeit does; its options stand before a setup, whose names are the function's, too.
    for start in [0, *(word.end() for word in re.finditer(r"\S+", setup))]:
        try:
            before = ast.parse(setup[start:].strip()).body
        except (SyntaxError, ValueError):
            continue
        timed = ast.parse("def inner(_it, _timer):\n    for _i in _it: pass\n")
        (function,) = timed.body
        assert isinstance(function, ast.FunctionDef)
        (loop,) = function.body
        assert isinstance(loop, ast.For)
        loop.body = body
        function.body = [*before, loop]
        yield timed


def _codes(tree: ast.Module, flags: int) -> Iterator[CodeType]:
    """Yield the code of all functions in a tree."""
    ast.fix_missing_locations(tree)
    try:
        waiting = [compile(tree, "<entered>", "exec", flags, dont_inherit=True)]
    except (SyntaxError, ValueError):
        return
    for code in waiting:
        yield code
        waiting += (constant for constant in code.co_consts if isinstance(constant, CodeType))
