"""Pages of docs/ as programs: their blocks run in order, in one module and one folder.

| block | what is done with it |
|---|---|
| ```` ```python ```` | it runs in the module of the page, from a file of its own |
| ```` ```python refused ```` | so it does, and must raise a ScriptError |
| ```` ```python raises NAME ```` | so it does, and must raise an exception of that class |
| ```` ```output ```` | what the block before it printed; `...` stands for anything |
| ```` ```console ```` | its lines `$ scriptc ...` and `$ python ...` run; others are output |
| ```` ```console refused ```` | so they do, and end with a status other than 0 |

A block below a line ``File `NAME`:``, or one that begins with the comment `# NAME.py`, is written
to that file, and not run.
"""

import builtins
import contextlib
import doctest
import importlib
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Generator, Sequence
from pathlib import Path
from types import ModuleType
from typing import NamedTuple, cast

import pytest

from scriptc.cli.main import main
from scriptc_runtime.errors import ScriptError

REPO = Path(__file__).parents[2]
_FENCE = re.compile(
    r"(?:^File `(?P<file>[\w./]+)`:\n\n)?^```(?P<info>[^\n]*)\n(?P<text>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
_NAMED = re.compile(r"# ([\w-]+\.py)\n")


class Block(NamedTuple):
    """One fenced block: its language and mark, its text, its first line, and its file."""

    language: str
    mark: str
    text: str
    line: int
    file: str


class Refused(NamedTuple):
    """What a block that must fail has printed or raised."""

    block: Block
    text: str


def blocks_of(page: Path) -> Sequence[Block]:
    """Return the fenced blocks of a page."""
    text = page.read_text(encoding="utf-8")
    found: list[Block] = []
    for match in _FENCE.finditer(text):
        language, _, mark = match["info"].partition(" ")
        line = text.count("\n", 0, match.start("text")) + 1
        named = _NAMED.match(match["text"])
        file = match["file"] or (named[1] if named else "")
        found.append(Block(language, mark, match["text"], line, file))
    return found


def run_page(page: Path, folder: Path) -> Sequence[Refused]:
    """Run a page in an empty folder; return what was refused.  Raises AssertionError."""
    name = f"page_{page.stem.replace('-', '_')}"
    module = ModuleType(name)
    refused: list[Refused] = []
    printed = ""
    with _in(folder):
        module.__file__ = str(folder / f"{name}.py")
        sys.modules[name] = module
        for block in blocks_of(page):
            where = f"{page.relative_to(REPO)}:{block.line}"
            if block.file:
                (folder / block.file).write_text(block.text, encoding="utf-8")
                sys.modules.pop(block.file.removesuffix(".py"), None)
            elif block.language == "python":
                printed, raised = _run(block, module, folder)
                refused += [Refused(block, raised)] if block.mark else []
            elif block.language == "output":
                _compare(block.text, printed, where)
            elif block.language == "console":
                found = _console(block, folder, where)
                refused += [Refused(block, found)] if block.mark else []
    return refused


@contextlib.contextmanager
def _in(folder: Path) -> Generator[None]:
    """Work in a folder whose modules can be imported; afterwards modules are those of before."""
    path, modules, before = list(sys.path), dict(sys.modules), Path.cwd()
    sys.path.insert(0, str(folder))
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
        sys.path[:] = path
        for name, module in list(sys.modules.items()):
            if str(getattr(module, "__file__", "")).startswith(str(folder)):
                del sys.modules[name]
        sys.modules.update({n: m for n, m in modules.items() if n not in sys.modules})


def _run(block: Block, module: ModuleType, folder: Path) -> tuple[str, str]:
    """Run a block of Python; return what it printed, and what it raised where it must."""
    # Lines are where the page has them, so that a traceback leads there.
    path = folder / f"{module.__name__}_{block.line}.py"
    path.write_text("\n" * (block.line - 1) + block.text, encoding="utf-8")
    module.__file__ = str(path)
    code = compile(path.read_text(encoding="utf-8"), str(path), "exec")
    output = io.StringIO()
    importlib.invalidate_caches()  # a block before may have written a module
    with contextlib.redirect_stdout(output):
        if not block.mark:
            exec(code, vars(module))
            return output.getvalue(), ""
        with pytest.raises(_expected(block.mark)) as raised:
            exec(code, vars(module))
    return output.getvalue(), str(raised.value)


def _expected(mark: str) -> type[BaseException]:
    """Return the class that a block with a mark must raise."""
    if mark == "refused":
        return ScriptError
    return cast("type[BaseException]", getattr(builtins, mark.removeprefix("raises ")))


def _console(block: Block, folder: Path, where: str) -> str:
    """Run the commands of a block; return what they printed."""
    whole = ""
    for part in re.split(r"^(?=\$ )", block.text, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        words = shlex.split(command.removeprefix("$ "), comments=True)
        settings = dict(w.split("=", 1) for w in words if re.match(r"[A-Z_]+=", w))
        words = words[len(settings) :]
        if words[0] not in ("scriptc", "python"):
            continue
        status, output = (
            _command(words[1:])
            if words[0] == "scriptc" and not settings
            else _process(words, settings, folder)
        )
        assert (status != 0) == (block.mark == "refused"), f"{where}: {command}\n{output}"
        if expected.strip():
            _compare(expected, output, where)
        whole += output
    return whole


def _command(arguments: Sequence[str]) -> tuple[int, str]:
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        try:
            status = main(arguments)
        except SystemExit as stop:
            status = int(stop.code or 0)
    return status, output.getvalue()


def _process(words: Sequence[str], settings: dict[str, str], folder: Path) -> tuple[int, str]:
    start = ["-m", "scriptc"] if words[0] == "scriptc" else []
    path = os.pathsep.join([str(REPO), str(REPO / "runtime"), str(folder)])
    done = subprocess.run(
        [sys.executable, *start, *words[1:]],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path, **settings},
        capture_output=True,
        text=True,
        timeout=300,
    )
    return done.returncode, done.stdout + done.stderr


def _compare(expected: str, actual: str, where: str) -> None:
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    same = doctest.OutputChecker().check_output(expected, actual, flags)
    assert same, f"{where} shows\n{expected}\nand the program prints\n{actual}"
