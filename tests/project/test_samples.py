"""Every sample runs, and gives the same by CPython, by the interpreter and as machine code."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

REPO = Path(__file__).parents[2]
SAMPLES = REPO / "samples"
# The arguments that keep each of them short.
SMALL = {"digits": "size=90, epochs=2", "mandelbrot": "24", "nbody": "6, 5", "photo": "40"}
MODES = {
    "llvm": {"SCRIPTC_BACKEND": "llvm"},
    "interp": {"SCRIPTC_BACKEND": "interp"},
    "python": {"SCRIPTC_DISABLE": "1"},
}


def _result(sample: str, mode: str) -> float:
    program = f"from samples import {sample}; print(repr(float({sample}.main({SMALL[sample]}))))"
    environment = os.environ | MODES[mode] | {"PYTHONPATH": f"{REPO}:{REPO / 'runtime'}"}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr
    return float(done.stdout.splitlines()[-1])


def test_every_sample_is_run() -> None:
    assert {path.stem for path in SAMPLES.glob("*.py")} == SMALL.keys()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("sample", SMALL)
def test_a_sample_does_the_same_everywhere(sample: str) -> None:
    expected = _result(sample, "python")
    assert _result(sample, "interp") == expected
    # Sums are taken in another order, and exp and log are our own.
    assert _result(sample, "llvm") == pytest.approx(expected, rel=1e-9, abs=1e-12)
