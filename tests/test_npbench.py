"""The NPBench harness, on a checkout of one kernel that this test writes."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from tests.benchmarks.npbench import Plan, run
from tests.benchmarks.npbench_process import WORKER, WorkerFailure, WorkerProcess
from tests.benchmarks.npbench_report import Measurement, load, report, rows, save
from tests.benchmarks.npbench_suite import Answer, Kernel, difference, kernels

NAMES = {"input_args": ["steps", "x"], "array_args": ["x"], "output_args": ["x"]}
INITIALISE = {"func_name": "initialize", "input_args": ["N"], "output_args": ["x"]}
RIGHT = """
def halve(x):
    x *= 0.5

def kernel(steps, x):
    for _ in range(steps):
        halve(x)
    return x.sum()
"""
REFUSED = "def kernel(steps, x):\n    compile('1', '', 'eval')\n"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for name, body in (("right", RIGHT), ("refused", REFUSED)):
        described = {
            "relative_path": f"suite/{name}",
            "module_name": name,
            "func_name": "kernel",
            "parameters": {"S": {"N": 40, "steps": 3}, "M": {"N": 80, "steps": 3}},
            "init": INITIALISE,
            **NAMES,
        }
        (tmp_path / "bench_info").mkdir(exist_ok=True)
        (tmp_path / "bench_info" / f"{name}.json").write_text(json.dumps({"benchmark": described}))
        folder = tmp_path / "npbench" / "benchmarks" / "suite" / name
        folder.mkdir(parents=True)
        (folder / f"{name}_numpy.py").write_text(body)
        (folder / f"{name}.py").write_text(
            "import numpy as np\n\ndef initialize(N):\n    return np.arange(float(N))\n"
        )
    return tmp_path


def kernel(checkout: Path, name: str) -> Kernel:
    return next(k for k in kernels(checkout) if k.name == name)


def measured(checkout: Path, name: str, scratch: Path) -> dict[str, Measurement]:
    plan = Plan(checkout, ["S"], ["scriptc"], rounds=2, limit=60.0, threads=1)
    found: list[Measurement] = []
    scratch.mkdir()
    run(plan, kernel(checkout, name), scratch, found.append)
    return {m.variant: m for m in found}


def test_a_kernel_is_run_compared_and_timed(checkout: Path) -> None:
    found = measured(checkout, "right", checkout / "scratch")
    assert found.keys() == {"numpy", "scriptc"}
    assert all(not m.failure and m.seconds > 0 and m.first > 0 for m in found.values())


def test_a_kernel_that_is_refused_is_reported_with_its_message(checkout: Path) -> None:
    found = measured(checkout, "refused", checkout / "scratch")
    assert not found["numpy"].failure
    assert found["scriptc"].failure.startswith("TypeCheckError: npbench/benchmarks/suite/refused")
    text = report(list(found.values()), "# heading")
    assert "scriptc runs 0 of 1" in text
    assert "| refused | scriptc | TypeCheckError" in text


def test_a_worker_that_dies_or_hangs_is_given_up(checkout: Path) -> None:
    names = [str(checkout), "right", "scriptc", str(checkout)]
    worker = WorkerProcess([WORKER, *names], environment={}, errors=checkout / "log")
    try:
        with pytest.raises(WorkerFailure, match="takes more than 0 s"):
            worker.ask(0.0, do="load")
    finally:
        worker.close()
    worker = WorkerProcess(["no_such_module"], environment={}, errors=checkout / "log")
    try:
        with pytest.raises(WorkerFailure, match=r"ended with 1: .*no_such_module"):
            worker.ask(60.0, do="load")
    finally:
        worker.close()


def test_an_answer_is_held_to_numpy_s(checkout: Path) -> None:
    right = kernel(checkout, "right")
    ones = np.ones(4)
    want = Answer([np.array(4.0)], {"x": ones})
    assert difference(right, "scriptc", want, want) is None
    nearly = Answer([np.array(4.0 + 1e-9)], {"x": ones})
    assert difference(right, "scriptc", want, nearly) is None
    off = Answer([np.array(5.0)], {"x": ones})
    assert "result 0 is off by 0.25" in str(difference(right, "scriptc", want, off))
    single = Answer([np.array(4.0)], {"x": ones.astype(np.float32)})
    assert "x is float32" in str(difference(right, "scriptc", want, single))
    assert difference(right, "numba_n", want, single) is None
    assert "returns 0 values" in str(difference(right, "scriptc", want, Answer([], {"x": ones})))
    # A functional framework returns what NumPy changes.
    assert difference(right, "jax", want, Answer([ones], {"x": ones * 7})) is None


def test_the_report_compares_with_the_best_peer(tmp_path: Path) -> None:
    path = tmp_path / "raw"
    for variant, seconds in (("numpy", 8.0), ("numba_n", 6.0), ("numba_o", 4.0), ("scriptc", 9.0)):
        save(path, Measurement("k", "S", variant, 1.0, seconds))
    save(path, Measurement("k", "S", "scriptc", 0.5, 2.0))  # a later line counts
    save(path, Measurement("other", "S", "numpy", 1.0, 8.0))
    save(path, Measurement("other", "S", "scriptc", failure="no | way\nat all"))
    row, other = rows(load(path), "S")
    assert (row.best_peer.variant, row.gain) == ("numba_o", 2.0)
    assert (row.over_numpy("scriptc"), other.gain, other.over_numpy("scriptc")) == (4.0, None, 1.0)
    text = report(load(path), "# heading")
    assert "scriptc runs 1 of 2" in text
    assert f"{math.sqrt(2):.3g} over all" in text
    assert "no \\| way |" in text
