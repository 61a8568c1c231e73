"""The table of what is supported is what its examples say, and they do what they do in CPython."""

from pathlib import Path

import pytest

from scriptc import script
from tests.support.coverage_rows import HEAD, PAGE, SECTIONS, ending, refusal, rows_of, table


def test_the_table_has_its_sections_in_order(bless: bool) -> None:
    if bless:
        PAGE.write_text(HEAD + "".join(map(table, SECTIONS)), encoding="utf-8")
    text = PAGE.read_text(encoding="utf-8")
    assert text.startswith(HEAD)
    assert text.count("\n## ") == len(SECTIONS)
    assert text.count("\n| ") == sum(len(rows_of(section)) + 1 for section in SECTIONS)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("section", SECTIONS, ids=lambda path: path.stem)
def test_a_section_says_what_its_examples_do(section: Path) -> None:
    assert table(section) in PAGE.read_text(encoding="utf-8"), "make bless"


@pytest.mark.sampled(6)
@pytest.mark.parametrize("section", SECTIONS, ids=lambda path: path.stem)
def test_examples_do_compiled_what_they_do_in_cpython(section: Path) -> None:
    for row in rows_of(section):
        if refusal(row) is None:
            expected = ending(row.example())
            for backend in ("interp", "llvm"):
                assert ending(script(row.example(), backend=backend)) == expected, row.what
