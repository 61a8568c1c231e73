"""What the style page of CONTRIBUTING.md asks for and no other tool checks."""

import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

REPO = Path(__file__).parents[2]
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
# Users write `from scriptc.types import f64`; the runtime has the same word for the same thing.
SHADOWS = ["runtime/scriptc_runtime/types.py", "scriptc/types.py"]
# A home folder, a temporary folder: true on one machine only.
MACHINE_PATH = re.compile(r"(?<![\w.\-<*$}~/])/(home|root|Users|tmp|work|mnt)/\w")
TODO = re.compile(r"\b(TODO(?!\(#\d+\))|FIXME|XXX)\b")


def relative(path: Path) -> str:
    return str(path.relative_to(REPO))


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _that(broken: Callable[[Path], object], paths: Sequence[Path] = FILES) -> list[str]:
    """Return the names of the files, this one aside, that break a rule."""
    return [relative(path) for path in paths if path != Path(__file__) and broken(path)]


def test_files_are_short_enough_to_read() -> None:
    long = _that(lambda path: len(_read(path).splitlines()) > LIMIT)
    assert not long, "split it along its ideas"


def test_files_are_named_after_ideas() -> None:
    assert not _that(lambda path: path.stem in VAGUE_NAMES), "name it after what it is about"


def test_no_module_is_named_like_one_of_the_standard_library() -> None:
    product = [path for path in FILES if _is_product(path)]
    assert _that(lambda path: path.stem in sys.stdlib_module_names, product) == SHADOWS
    folders = {folder.name for path in product for folder in path.relative_to(REPO).parents}
    assert not folders & sys.stdlib_module_names


def test_modules_say_what_they_are_for() -> None:
    silent = _that(lambda path: _read(path) and not _read(path).startswith('"""'))
    assert not silent, "the first line of a module says what it is for"


def test_no_text_knows_one_machine() -> None:
    assert not _that(lambda path: MACHINE_PATH.search(_read(path)), TEXTS)


def test_what_is_left_to_do_names_its_issue() -> None:
    assert not _that(lambda path: TODO.search(_read(path))), "write TODO(#issue), or do it"


def test_data_are_records() -> None:
    classes = re.compile(r"^(from|import) dataclasses", re.MULTILINE)
    found = _that(lambda path: _is_product(path) and classes.search(_read(path)))
    assert not found, "`scriptc_runtime.record` costs a start less"


def _is_product(path: Path) -> bool:
    return path.relative_to(REPO).parts[0] in ("scriptc", "runtime")


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
