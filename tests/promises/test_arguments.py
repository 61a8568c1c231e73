"""Arrays of every kind into many functions: what NumPy gives, or a refusal that says why.

In processes of their own, so that one that dies is a failure with the name of the case.
"""

import re
from pathlib import Path

import pytest

from tests.promises import REPO, run_apart

PROGRAM = str(REPO / "tests" / "promises" / "sweep.py")
PARTS = 4


@pytest.mark.sampled(4)
@pytest.mark.parametrize("part", range(PARTS))
def test_arrays_of_every_kind_are_taken_or_refused(part: int, tmp_path: Path) -> None:
    done = run_apart([PROGRAM, str(part), str(PARTS)], tmp_path / "cache")
    lines = done.stdout.splitlines()
    assert done.returncode == 0, f"ended in {lines[-1] if lines else 'its start'}:\n{done.stderr}"
    assert [line for line in lines if line.startswith("WRONG")] == []
    counts = re.fullmatch(r"(\d+) same, (\d+) refused", lines[-1])
    assert counts is not None
    # Were most refused, this would show little.
    assert int(counts[1]) > 2 * int(counts[2])
