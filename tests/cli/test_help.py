"""`scriptc help`: the pages on codes, as text for a terminal."""

import pytest

from scriptc.cli.code_help import codes, list_of_codes, page_of
from scriptc.cli.main import main


def test_the_page_of_a_code_is_plain_text() -> None:
    page = page_of("optional")
    assert page.startswith("optional\n\nA value whose type is `None`")
    assert "\nWrong:\n\n    from scriptc import script\n" in page
    assert "\nRight:\n" in page


def test_a_code_may_have_the_brackets_of_its_message() -> None:
    assert page_of("error[optional]") == page_of("optional")


@pytest.mark.parametrize("code", codes())
def test_no_page_keeps_marks_of_markdown(code: str) -> None:
    page = page_of(code)
    assert "```" not in page
    assert "](" not in page.replace("f[T](x", "")
    assert not [line for line in page.splitlines() if line.startswith("#")]


def test_all_codes_are_listed_with_one_sentence() -> None:
    lines = list_of_codes().splitlines()
    listed = [line.split()[0] for line in lines[: lines.index("")]]
    assert listed == codes()
    assert (
        "arguments               The value of `--args` on the command line is not a list of types."
        in lines
    )


def test_an_unknown_code_is_told_what_may_be_meant(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "typemerge"]) == 2
    assert "did you mean type-merge" in capsys.readouterr().err
    assert main(["help", "quite_different"]) == 2
    assert "scriptc help lists all codes" in capsys.readouterr().err
