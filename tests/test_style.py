"""What the style page of CONTRIBUTING.md asks for and no other tool checks."""

import re
from pathlib import Path

import pytest

REPO = Path(__file__).parent.parent
FOLDERS = ("scriptc", "runtime", "stdlib", "samples", "tests")
FILES = sorted(
    path
    for folder in FOLDERS
    for path in (REPO / folder).rglob("*.py")
    if "__pycache__" not in path.parts
)
TEXTS = sorted([*FILES, *(REPO / "docs").rglob("*.md"), *REPO.glob("*.md"), REPO / "Makefile"])
LIMIT = 600
VAGUE_NAMES = {"utils", "helpers", "misc", "common", "manager", "util", "helper"}
# A home folder, a temporary folder: true on one machine only.
MACHINE_PATH = re.compile(r"(?<![\w.\-<*$}~/])/(home|root|Users|tmp|work|mnt)/\w")
TODO = re.compile(r"\b(TODO(?!\(#\d+\))|FIXME|XXX)\b")


def relative(path: Path) -> str:
    return str(path.relative_to(REPO))


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_a_file_is_short_enough_to_read(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= LIMIT, f"{lines} lines; split it along its ideas"


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_a_file_is_named_after_an_idea(path: Path) -> None:
    assert path.stem not in VAGUE_NAMES, "name it after what it is about"


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_a_module_says_what_it_is_for(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if path.name == "__init__.py" and not text:
        return
    assert text.startswith('"""'), "the first line of a module says what it is for"


@pytest.mark.parametrize("path", TEXTS, ids=relative)
def test_no_text_knows_one_machine(path: Path) -> None:
    if path == Path(__file__):
        return
    found = MACHINE_PATH.search(path.read_text(encoding="utf-8"))
    assert found is None, f"{found and found.group()!r} exists on one machine only"


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_what_is_left_to_do_names_its_issue(path: Path) -> None:
    if path == Path(__file__):
        return
    found = TODO.search(path.read_text(encoding="utf-8"))
    assert found is None, "write TODO(#issue), or do it"


def test_every_environment_variable_has_its_row_in_the_readme() -> None:
    pattern = re.compile(r"SCRIPTC_[A-Z_]+")
    read = set(pattern.findall((REPO / "scriptc" / "options.py").read_text(encoding="utf-8")))
    rows = [row for row in (REPO / "README.md").read_text().splitlines() if row.startswith("| `")]
    assert read == {name for row in rows for name in pattern.findall(row.split("|")[1])}


def test_only_options_reads_the_environment() -> None:
    reading = re.compile(r"os\.(environ|getenv)")
    product = [path for path in FILES if path.is_relative_to(REPO / "scriptc")]
    readers = {relative(p) for p in product if reading.search(p.read_text(encoding="utf-8"))}
    assert readers <= {"scriptc/options.py"}


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_data_are_records(path: Path) -> None:
    if path.relative_to(REPO).parts[0] in ("scriptc", "runtime"):
        found = re.search(r"^(from|import) dataclasses", path.read_text(encoding="utf-8"), re.M)
        assert found is None, "`scriptc_runtime.record` costs a start less"
