"""The documents show what the compiler does today: their blocks are made anew and compared.

A block below `<!-- dump: INPUT --stage STAGE -->` is what that `scriptc dump` prints; with
`; from "A"; to "B"` from the first line that A is found in to the next one that B is found in.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scriptc.cli.main import main
from scriptc.cli.ops_table import ops_markdown
from scriptc_runtime.ops import OPS

REPO = Path(__file__).parent.parent
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
    assert document == actual, "if the new blocks are right: pytest --bless tests/test_docs.py"


@pytest.mark.usefixtures("at_home")
def test_the_assembly_of_the_example_can_be_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert "kernel.scaled.0:" in dumped("docs/walk.py:scaled --stage asm", capsys)


@pytest.mark.usefixtures("at_home")
@pytest.mark.parametrize("name", ["scaled", "first_above", "is_above", "shifted"])
@pytest.mark.parametrize("stage", ["ir", "opt"])
def test_every_instruction_carries_its_place(
    name: str, stage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = dumped(f"docs/walk.py:{name} --stage {stage}", capsys).splitlines()
    bare = [line for line in lines if _INSTRUCTION.match(line) and " loc(" not in line]
    # Where an arm or a round just ends, no text of the source says so.
    assert [line for line in bare if not re.match(r"\s*exit @L\d+(\.next)?\b", line)] == []


@pytest.mark.usefixtures("at_home")
def test_every_line_of_types_carries_its_place(capsys: pytest.CaptureFixture[str]) -> None:
    lines = dumped("docs/walk.py:is_above --stage types", capsys).splitlines()
    assert [line for line in lines if line and not re.match(r"\d+:\d+ ", line)] == []


def test_the_table_of_ops_is_made_from_the_ops(bless: bool) -> None:
    path = DOCS / "ops.md"
    if bless:
        path.write_text(ops_markdown(), encoding="utf-8")
    assert path.read_text(encoding="utf-8") == ops_markdown()


def test_the_table_of_ops_has_every_op() -> None:
    rows = set(re.findall(r"^\| `(\w+)", ops_markdown(), re.MULTILINE))
    assert rows == OPS.keys()


def test_links_between_documents_lead_somewhere() -> None:
    for path in DOCS.rglob("*.md"):
        for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8")):
            assert (path.parent / target).exists(), f"{path.name} links to {target}"
