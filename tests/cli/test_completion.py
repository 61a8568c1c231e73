"""Completions and version of the command line, and what `check` says of missing types."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from scriptc.cli.main import main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*words: str) -> tuple[int, str, str]:
        status = main(words)
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run


def test_check_names_the_methods_whose_parameters_have_no_types(run: Run, folder: Path) -> None:
    text = """
from scriptc import script
@script
class Linear:
    def __init__(self, slope: float) -> None:
        self.slope = slope
    def __call__(self, x):
        return x * self.slope
    def twice(self) -> int:
        return self.slope * 2
@script
class Open:
    def __init__(self, values):
        self.values = values
    def last(self):
        return self.values[-1]
"""
    (folder / "program.py").write_text(text, encoding="utf-8")
    status, out, err = run("check", "program.py")
    assert status == 1
    assert "program.py:10:" in err  # twice gives a float
    assert "Linear.__call__" not in out
    (folder / "program.py").write_text(text.replace("-> int", "-> float"), encoding="utf-8")
    status, out, err = run("check", "program.py")
    assert (status, err) == (0, "")
    told = out.splitlines()
    assert told[0].startswith(
        "program.py: only the syntax of Linear.__call__ was checked: the parameter 'x' has no"
    )
    assert "Open.__init__ was checked: the parameter 'values' has no annotation" in told[1]
    assert told[2].endswith("Open.last was checked: the fields of Open have no types")
    assert len(told) == 3


def test_the_version_is_shown(run: Run) -> None:
    with pytest.raises(SystemExit) as left:
        run("--version")
    assert left.value.code == 0


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completions_are_programs_of_their_shells(run: Run, shell: str) -> None:
    status, out, _ = run("completion", shell)
    assert status == 0
    for word in ("check", "dump", "stage", "asm", "backend", "clear", "completion"):
        assert word in out
    if shutil.which(shell):
        done = subprocess.run([shell, "-n"], input=out, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["scriptc", "du"], ["dump"]),
        (["scriptc", "dump", "--st"], ["--stage"]),
        (["scriptc", "dump", "x.py:f", "--stage", "l"], ["low", "llvm"]),
        (["scriptc", "cache", "c"], ["clear"]),
        (["scriptc", "--v"], ["--version"]),
        (["scriptc", "check", "pro"], []),
    ],
)
def test_bash_completes_words(run: Run, words: list[str], found: list[str]) -> None:
    _, program, _ = run("completion", "bash")
    line = " ".join(f"'{word}'" for word in words)
    asked = f"COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _scriptc; echo ${{COMPREPLY[@]}}"
    done = subprocess.run(
        ["bash"], input=f"{program}\n{asked}\n", capture_output=True, text=True, check=False
    )
    assert (done.stdout.split(), done.stderr) == (found, "")
