"""A few mutants of saved files, the same ones each time; `make fuzz-saved` looks at a million."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

REPO = Path(__file__).parents[2]


@pytest.mark.skipif(sys.platform != "linux", reason="the guard is for Linux")
def test_mutants_are_refused_or_run_alike(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "tests.fuzz.saved_files",
        "900",
        "--no-programs",
        "--jobs",
        "1",
    ]
    command += ["--share", "0.06", "--state", str(tmp_path)]
    done = subprocess.run(command, cwd=REPO, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    counts = {name: int(n) for name, n in re.findall(r"(\w+)=(\d+)", done.stdout)}
    assert counts["read"] == 900
    assert counts["taken"] > 300
    assert counts["calls"] > 36
