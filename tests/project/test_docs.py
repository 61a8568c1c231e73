"""The documents show what the compiler does today: their blocks are made anew and compared.

A block below `<!-- dump: INPUT --stage STAGE -->` is what that `scriptc dump` prints; with
`; from "A"; to "B"` from the first line that A is found in to the next one that B is found in.
"""

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest

from scriptc import script
from scriptc.check.library.definitions import Entry
from scriptc.check.numpy import generators as numpy_random
from scriptc.check.numpy import methods, table
from scriptc.check.python import builtin_functions, cmath_functions, math_functions
from scriptc.check.python.lists import methods as list_methods
from scriptc.cli.main import main
from scriptc.cli.numpy_table import missing_markdown, numpy_markdown
from scriptc.cli.ops_table import ops_markdown
from scriptc.types import N, f64
from scriptc_runtime.values import EXCEPTIONS

REPO = Path(__file__).parents[2]
DOCS = REPO / "docs"
_BLOCK = re.compile(
    r'(<!-- dump: ([^;\n]*?)(?:; from "([^\n]*)"; to "([^\n]*)")? -->\n```\n)(.*?)```', re.DOTALL
)
_INSTRUCTION = re.compile(r"\s*(%\w|[a-z_]+\b)")


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Run in the repository, and forget what commands import."""
    monkeypatch.chdir(REPO)
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if name.startswith("walk"):
            del sys.modules[name]


def dumped(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert main(["dump", *command.split()]) == 0
    return capsys.readouterr().out


def excerpt(text: str, first: str, last: str) -> str:
    lines = text.splitlines(keepends=True)
    start = next((i for i, line in enumerate(lines) if re.search(first, line)), None)
    assert start is not None, f"no line has {first}"
    end = next((i for i in range(start, len(lines)) if re.search(last, lines[i])), None)
    assert end is not None, f"no line after {first} has {last}"
    return "".join(lines[start : end + 1])


@pytest.mark.usefixtures("at_home")
def test_blocks_of_the_documents_are_what_the_command_prints(
    bless: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    path = DOCS / "ir.md"

    def made(found: re.Match[str]) -> str:
        head, command, first, last, _ = found.groups()
        text = dumped(command, capsys)
        return f"{head}{excerpt(text, first, last) if first else text}```"

    document = path.read_text(encoding="utf-8")
    actual = _BLOCK.sub(made, document)
    assert len(_BLOCK.findall(document)) == document.count("<!-- dump:")
    if bless:
        path.write_text(actual, encoding="utf-8")
        return
    assert document == actual, (
        "if the new blocks are right: pytest --bless tests/project/test_docs.py"
    )


@pytest.mark.usefixtures("at_home")
def test_the_assembly_of_the_example_can_be_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert "kernel.scaled.0.:" in dumped("docs/walk.py:scaled --stage asm", capsys)


@pytest.mark.usefixtures("at_home")
@pytest.mark.parametrize("name", ["scaled", "first_above", "is_above", "shifted"])
@pytest.mark.parametrize("stage", ["ir", "opt"])
def test_every_instruction_carries_its_place(
    name: str, stage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = dumped(f"docs/walk.py:{name} --stage {stage}", capsys).splitlines()
    assert [line for line in lines if _INSTRUCTION.match(line) and " loc(" not in line] == []
    assert [line for line in lines if "loc(0:0" in line] == []


@pytest.mark.usefixtures("at_home")
def test_every_line_of_types_carries_its_place(capsys: pytest.CaptureFixture[str]) -> None:
    lines = dumped("docs/walk.py:is_above --stage types", capsys).splitlines()
    assert [line for line in lines if line and not re.match(r"\d+:\d+ ", line)] == []


def test_the_table_of_ops_is_made_from_the_ops(bless: bool) -> None:
    path = DOCS / "ops.md"
    if bless:
        path.write_text(ops_markdown(), encoding="utf-8")
    assert path.read_text(encoding="utf-8") == ops_markdown(), "run make bless"


def test_the_page_on_numpy_is_made_from_the_tables_of_the_checker(bless: bool) -> None:
    path = DOCS / "numpy.md"
    if bless:
        path.write_text(numpy_markdown() + missing_markdown(), encoding="utf-8")
    text = path.read_text(encoding="utf-8")
    made, _, missing = text.partition("\n## Not built")
    assert made == numpy_markdown(), "run make bless"
    # Which names NumPy has depends on its version; that they are refused does not.
    for line in re.findall(r"^\*\*(np[\w.]*)\.\*\* (.*)$", missing, re.M):
        prefix, names = line
        supported = [n for n in names.split() if f"`{prefix}.{n.strip('`')}`" in made]
        assert not supported, "run make bless"


def test_links_between_documents_lead_somewhere() -> None:
    for path in DOCS.rglob("*.md"):
        for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8")):
            assert (path.parent / target).exists(), f"{path.name} links to {target}"


def listed(chapter: str, section: str) -> set[str]:
    """Return the names in the first paragraph of a section of a chapter of the language."""
    text = (DOCS / "language" / f"{chapter}.md").read_text(encoding="utf-8")
    (paragraph,) = re.findall(rf"^## {section}\n\n(.*?)\n\n", text, re.DOTALL | re.MULTILINE)
    return set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]*)`", paragraph))))


def names_in(chapter: str, start: str) -> set[str]:
    """Return the names in the item of a chapter that starts so."""
    text = (DOCS / "language" / f"{chapter}.md").read_text(encoding="utf-8")
    pattern = rf"^- {re.escape(start)}(.*?)(?:\.\n|, and)"
    (item,) = re.findall(pattern, text, re.DOTALL | re.MULTILINE)
    return set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]*)`", item))))


def test_the_language_lists_the_functions_of_python_that_the_checker_knows() -> None:
    def known(library: Mapping[object, Entry]) -> set[str]:
        return {entry.name.split(".")[-1] for entry in library.values()}

    assert listed("library", "cmath") == known(cmath_functions.TABLE)
    assert listed("library", "math") == known(math_functions.TABLE)
    of_python = known(builtin_functions.TABLE) | {"isinstance", "list", "sorted"}
    assert listed("library", "Built-in functions") == of_python


def test_the_language_lists_attributes_methods_of_lists_and_exceptions() -> None:
    attributes = {"T", "mT", "dtype", "imag", "itemsize", "nbytes", "ndim", "real", "shape", "size"}
    assert names_in("arrays", "Attributes: ") == attributes
    assert names_in("values", "The methods of lists are ") == list_methods.METHODS.keys()
    assert listed("exceptions", "Classes") >= EXCEPTIONS.keys() - {"KeyboardInterrupt"}


_OF_UFUNCS = {"accumulate", "at", "outer", "reduce", "reduceat"}


def test_the_page_on_numpy_has_what_the_checker_knows() -> None:
    text = numpy_markdown()
    libraries = (*table.TABLE.values(), *numpy_random.functions().values())
    entries = {e.name for e in libraries if e.name.startswith("np.")}
    # Methods of ufuncs have no rows: the chapter on NumPy names them.
    entries = {n for n in entries if n.count(".") == 1 or n.split(".")[2] not in _OF_UFUNCS}
    missing = [n for n in entries if f"| `{n}` |" not in text]
    drawn = {name for methods_ in numpy_random.METHODS.values() for name in methods_}
    missing += [n for n in {*methods.ARRAY_METHODS, *drawn} if f"| `.{n}` |" not in text]
    assert missing == []


# What docs/language/differences.md says of integers, floats, types, arrays and lists.
def product(a: int, b: int) -> int:
    return a * b


def power(a: int, b: int) -> float:
    return a**b


def inverse(a: int) -> float:
    return a**-1


def root(x: float) -> float:
    return x**0.5


def itself(x: float) -> float:
    return x


def sum_of(x: f64[N]):
    total = 0.0
    for value in x:
        total += value
    return total


@pytest.mark.parametrize("backend", ["interp", "llvm"])
@pytest.mark.parametrize(
    ("function", "argument", "expected"),
    [
        (inverse, 2, 0.5),
        (itself, 1, 1.0),
        (itself, np.float64(0.5), np.float64(0.5)),
        (sum_of, np.zeros(0), np.float64(0.0)),
    ],
)
def test_deviations_keep_the_value_as_the_language_lists_them(
    function: Callable[..., object], argument: object, expected: object, backend: str
) -> None:
    assert repr(script(function, backend=backend)(argument)) == repr(expected)


@pytest.mark.parametrize("backend", ["interp", "llvm"])
@pytest.mark.parametrize(
    ("function", "arguments", "raised"),
    [
        (product, (2**62, 2), OverflowError),
        (power, (2, -1), ValueError),
        (root, (-8.0,), ValueError),
        (itself, (2**53 + 1,), OverflowError),
        (itself, (True,), TypeError),
    ],
)
def test_deviations_raise_as_the_language_lists_them(
    function: Callable[..., object],
    arguments: tuple[object, ...],
    raised: type[Exception],
    backend: str,
) -> None:
    with pytest.raises(raised):
        script(function, backend=backend)(*arguments)


def test_an_array_that_is_returned_is_the_one_that_was_passed() -> None:
    @script
    def same(x: f64[N]) -> f64[N]:
        return x

    x = np.zeros(3)
    assert same(x) is x
