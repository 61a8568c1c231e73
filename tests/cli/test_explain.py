"""`scriptc explain`: what it prints and writes, and what it refuses as `compile` does."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scriptc.cli.main import main

PROGRAM = """
import numpy as np
from scriptc import script
from scriptc.types import N, f64

@script
def total(x: f64[N]) -> float:
    result = 0.0
    for i in range(len(x)):
        result += x[i]
    return result

def plain(x, y):
    return x + y

@script
class Counter:
    count: int

    def __init__(self, start: int) -> None:
        self.count = start

    def add(self, more: int) -> int:
        for i in range(more):
            self.count += i
        return self.count
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "counted.py").write_text(PROGRAM, encoding="utf-8")
    yield tmp_path
    for name in [n for n in sys.modules if n.startswith("counted")]:
        del sys.modules[name]


@pytest.mark.usefixtures("folder")
class TestExplain:
    def test_a_file_called_like_a_module_of_python_is_not_run(
        self, folder: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (folder / "json.py").write_text("raise SystemExit('the wrong json')", encoding="utf-8")
        lines = "def bits(n: int) -> int:", "    s = 0", "    for i in range(n):", "        s ^= i"
        (folder / "counted_bits.py").write_text("\n".join((*lines, "    return s\n")))
        assert main(["explain", "counted_bits.py:bits"]) == 0
        assert "(by LLVM)" in capsys.readouterr().out

    def test_the_source_has_remarks_below_its_lines(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["explain", "counted.py:total"]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[0] == "total(x: f64[N])"
        at = next(n for n, line in enumerate(lines) if "for i in range(len(x))" in line)
        assert lines[at].startswith(" 9 | ")
        assert lines[at + 1].lstrip(" |").startswith("- threads: not parallel")

    def test_types_are_given_as_for_other_commands(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["explain", "counted.py:plain", "--args", "f64[N, N], f64[N]"]) == 0
        assert "one loop" not in capsys.readouterr().out  # it is one operation
        assert main(["explain", "counted.py:plain"]) == 1
        assert "has no annotation" in capsys.readouterr().err

    def test_methods_are_explained(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["explain", "counted.py:Counter.add"]) == 0
        assert "def add(self" in capsys.readouterr().out

    def test_html_is_one_file(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["explain", "counted.py:total", "--html", "total.html"]) == 0
        assert capsys.readouterr().out == "wrote total.html\n"
        page = (folder / "total.html").read_text(encoding="utf-8")
        assert page.startswith("<!DOCTYPE html>")
        assert "not parallel" in page

    def test_colour_is_for_those_who_want_it(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["explain", "counted.py:total", "--color", "always"]) == 0
        assert "\x1b[" in capsys.readouterr().out
        assert main(["explain", "counted.py:total"]) == 0
        assert "\x1b[" not in capsys.readouterr().out

    def test_another_processor_has_other_vectors(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["explain", "counted.py:total", "--cpu", "nonsense"]) == 2
        assert "knows no processor 'nonsense'" in capsys.readouterr().err

    @pytest.mark.parametrize(
        ("given", "said"),
        [
            ("counted.py", "name a function"),
            ("counted.py:Counter", "name a function, or a method"),
            ("counted.py:missing", "has no 'missing'"),
            ("absent.py:total", "there is no file"),
        ],
    )
    def test_mistakes_of_the_command_line_are_told(
        self, given: str, said: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["explain", given]) == 2
        assert said in capsys.readouterr().err
