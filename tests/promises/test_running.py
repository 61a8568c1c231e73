"""Recursion up to every limit, and many threads at once: in processes, so that one may die."""

from pathlib import Path

import pytest

from tests.promises import REPO, run_apart


@pytest.mark.parametrize("program", ["recursion", "threads"])
def test_a_hard_program_ends_well(program: str, tmp_path: Path) -> None:
    done = run_apart([str(REPO / "tests" / "promises" / f"{program}.py")], tmp_path / "cache")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "good\n"


def test_ctrl_c_ends_loops_whose_rounds_take_long(tmp_path: Path) -> None:
    program = str(REPO / "tests" / "promises" / "slow_rounds.py")
    done = run_apart([program], tmp_path / "cache")
    assert done.returncode == 0, done.stderr
    # Far more than a round takes, even on a machine that does other things.
    assert all(float(line) < 20.0 for line in done.stdout.splitlines())
    assert len(done.stdout.splitlines()) == 4
