"""Every example of docs/ runs, and every code of a diagnostic has its page."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from scriptc.cli.main import main
from tests.support.pages import REPO, blocks_of, run_page

DOCS = REPO / "docs"
ERRORS = DOCS / "errors"
PAGES = sorted(
    page
    for page in (REPO / "README.md", *DOCS.rglob("*.md"))
    if any(b.language in ("python", "console") for b in blocks_of(page))
)
# Which function has a code as which of its arguments.
_CODES = {
    "Diagnostic": 0,
    "Refusal": 0,
    "_captured": 1,
    "_refuse": 0,
    "constant_of": 4,
    "fail": 0,
    "refuse": 0,
}
_CODE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_NO_CODES = {"file"}  # the name of a part of a saved file
# No program shows these on every machine: the page says why.
WITHOUT_PROGRAM = {
    "as-in-parentheses",
    "cuda-emulator-compiler",
    "cuda-emulator-host",
    "cuda-forked",
    "cuda-no-disassembler",
    "cuda-no-driver",
    "cuda-no-nvrtc",
    "ellipsis",
    "internal",
    "ir",
    "misplaced",
    "no-type",
    "not-a-function",
    "not-built",
    "same-parameter",
    "template-string",
    "too-large",
    "type-alias",
    "type-parameters",
}


def name_of(page: Path) -> str:
    return page.relative_to(REPO).as_posix()


def codes() -> set[str]:
    """Return the codes of all diagnostics in the source of the product."""
    paths = [p for folder in ("scriptc", "runtime") for p in (REPO / folder).rglob("*.py")]
    found = {code for path in paths for code in _codes_in(ast.parse(path.read_text("utf-8")))}
    return found - _NO_CODES


def _codes_in(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", None) or getattr(node.func, "attr", "")
            named = [k.value for k in node.keywords if k.arg == "code"]
            place = _CODES.get(name)
            values = named + (node.args[place : place + 1] if place is not None else [])
        elif isinstance(node, ast.Assign):
            names = [t for target in node.targets for t in ast.walk(target)]
            is_code = any(isinstance(n, ast.Name) and n.id == "SYNTAX" for n in names)
            values = list(ast.walk(node.value)) if is_code else []
        else:
            continue
        for value in values:
            text = value.value if isinstance(value, ast.Constant) else None
            if isinstance(text, str) and _CODE.fullmatch(text):
                yield text


@pytest.mark.filterwarnings("error::scriptc.SizeWarning")
@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_the_examples_of_a_page_run(page: Path, tmp_path: Path) -> None:
    refused = run_page(page, tmp_path)
    if page.parent == ERRORS:
        assert refused, "the page has no wrong program"
        for _, text in refused:
            assert f"error[{page.stem}]" in text
        assert any(b.language in ("python", "console") and not b.mark for b in blocks_of(page))


def test_every_code_has_its_page() -> None:
    pages = {page.stem for page in ERRORS.glob("*.md")}
    assert codes() == pages
    assert {p for p in pages if ERRORS / f"{p}.md" not in PAGES} == WITHOUT_PROGRAM


def test_codes_in_golden_cases_have_their_pages() -> None:
    texts = [p.read_text("utf-8") for p in (REPO / "tests/cases").rglob("*.txt")]
    met = {code for text in texts for code in re.findall(r": error\[([\w-]+)\]", text)}
    assert met <= {page.stem for page in ERRORS.glob("*.md")}


def test_the_index_of_decisions_has_every_decision() -> None:
    index = (DOCS / "decisions" / "README.md").read_text("utf-8")
    named = sorted(re.findall(r"\| \[[^\]]*\]\((\d{3}-[\w-]+\.md)\)", index))
    assert named == sorted(p.name for p in (DOCS / "decisions").glob("[0-9]*.md"))


def test_the_page_on_the_environment_has_the_rows_of_the_readme() -> None:
    pages = (REPO / "README.md", DOCS / "environment.md")
    rows = [re.findall(r"^\| `SCRIPTC_\w+` \|.*", p.read_text("utf-8"), re.M) for p in pages]
    assert rows[0] == rows[1]


def test_the_command_line_has_every_command_and_option(capsys: pytest.CaptureFixture[str]) -> None:
    text = (DOCS / "cli.md").read_text("utf-8")
    with pytest.raises(SystemExit):
        main(["--help"])
    (commands,) = re.findall(r"{([\w,]+)}", capsys.readouterr().out.partition("...")[0])
    for command in commands.split(","):
        assert f"`scriptc {command}" in text
        with pytest.raises(SystemExit):
            main([command, "--help"])
        options = set(re.findall(r"--[a-z-]+", capsys.readouterr().out)) - {"--help"}
        assert [o for o in options if o not in text] == []
