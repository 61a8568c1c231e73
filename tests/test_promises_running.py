"""Recursion up to every limit, and many threads at once: in processes, so that one may die."""

from pathlib import Path

import pytest

from tests.promises import REPO, run_apart


@pytest.mark.parametrize("program", ["recursion", "threads"])
def test_a_hard_program_ends_well(program: str, tmp_path: Path) -> None:
    done = run_apart([str(REPO / "tests" / "promises" / f"{program}.py")], tmp_path / "cache")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "good\n"
