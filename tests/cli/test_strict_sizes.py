"""`scriptc check` warns of sizes that meet under two names; `--strict-sizes` refuses them."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from scriptc.cli.main import main

Command = Callable[..., tuple[int, str, str]]
SIZES = """
from scriptc import script
from scriptc.types import M, N, f64

def half(x, y):
    return 0.5 * (x + y)

@script
def first(x: f64[N], y: f64[M]):
    return half(x, y)

@script
def second(x: f64[N], y: f64[M]):
    return half(x, y)

@script
def third(x: f64[N]):
    return half(x[1:], x[:-1])
"""


@pytest.fixture
def scriptc(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Command:
    """The command line in a folder with a program: it returns status, output and errors."""
    (tmp_path / "program.py").write_text(SIZES, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "program", raising=False)

    def command(*arguments: str) -> tuple[int, str, str]:
        status = main(arguments)
        told = capsys.readouterr()
        return status, told.out, told.err

    return command


def test_check_warns_of_sizes_under_two_names(scriptc: Command) -> None:
    status, out, err = scriptc("check", "program.py")
    assert (status, out) == (0, "")
    # Two functions call what is reported.
    assert err.count("program.py:6:19: warning[size-mismatch]: axes of the sizes N and M") == 1
    assert "   | " + " " * 18 + "^" * 5 in err
    assert "note: half() is called" in err
    status, out, err = scriptc("check", "program.py:third", "--strict-sizes")
    assert (status, err) == (0, "")


def test_strict_sizes_end_a_check_with_an_error(scriptc: Command) -> None:
    status, _, err = scriptc("check", "program.py", "--strict-sizes")
    assert status == 1
    assert err.count("error[size-mismatch]") == 1
    assert "warning" not in err


def test_check_takes_sizes_of_types_for_promises(scriptc: Command) -> None:
    _, _, err = scriptc("check", "program.py:half", "--args", "f64[N], f64[M]")
    assert "warning[size-mismatch]" in err
    _, out, err = scriptc("check", "program.py:half", "--args", "f64[N], f64[N]")
    assert (out, err) == ("program.py: nothing to report on half\n", "")
