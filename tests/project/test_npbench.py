"""The NPBench harness, on a checkout of one kernel that this test writes."""

import json
import math
import subprocess
from pathlib import Path

import numpy as np
import pytest

from tests.benchmarks import npbench_builds
from tests.benchmarks.harness import RESULTS
from tests.benchmarks.npbench import Plan, run
from tests.benchmarks.npbench_first_calls import first_calls
from tests.benchmarks.npbench_process import WORKER, WorkerFailure, WorkerProcess
from tests.benchmarks.npbench_reasons import REASONS
from tests.benchmarks.npbench_report import (
    Measurement,
    complaints,
    contenders,
    first_medians,
    load,
    report,
    rows,
    save,
)
from tests.benchmarks.npbench_suite import Answer, Kernel, answer, difference, kernels

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
    plan = Plan(checkout, ["S"], ["scriptc"], 2, limit=60.0, threads=1, builds=scratch)
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
    names = [str(checkout), "right", "scriptc", str(checkout), str(checkout)]
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


def test_a_functional_framework_returns_what_numpy_changes(checkout: Path) -> None:
    right = kernel(checkout, "right")
    ones, total = np.ones(4), np.array(4.0)
    returned = Answer([total], {"x": ones}, ["x"])
    assert returned.outputs(right) == ["x"]

    def judged(want: Answer, *results: np.ndarray) -> str | None:
        return difference(right, "jax", want, Answer(results, {"x": ones * 7}))

    assert judged(returned, np.zeros(9), ones, total) is None
    assert judged(returned, total) is None
    assert judged(returned, ones + 1) == "result 0 is none of NumPy's"
    assert judged(returned, ones + 1, total) == "NumPy's x is not among its 2 results"
    assert judged(returned) == "returns nothing"


def test_what_changed_is_compared_where_the_named_outputs_do_not(checkout: Path) -> None:
    right = kernel(checkout, "right")
    before = {"x": np.ones(4), "y": np.array([math.nan])}
    after = answer(None, {"x": np.ones(4), "y": np.zeros(1)}, before)
    assert (after.changed, after.outputs(right)) == (["y"], ["y"])
    after = answer(None, {"x": np.zeros(4), "y": np.array([math.nan])}, before)
    assert (after.changed, after.outputs(right)) == (["x"], ["x"])
    after = answer(None, before, before)
    assert (after.changed, after.outputs(right)) == ([], ["x"])


def test_a_build_is_made_once_and_so_is_a_failure(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands: list[list[str]] = []

    def run(command: list[str], **_: object) -> "subprocess.CompletedProcess[str]":
        commands.append(command)
        broken = any("refused" in word for word in command)
        return subprocess.CompletedProcess(command, int(broken), "note\nerror: no way", "")

    monkeypatch.setattr(subprocess, "run", run)
    for name in ("right", "refused"):
        folder = checkout / "npbench" / "benchmarks" / "suite" / name
        (folder / f"{name}_pythran.py").write_text("")
    kept = checkout / "kept"
    made = npbench_builds.build(kept, checkout, kernel(checkout, "right"), "pythran")
    assert made == npbench_builds.build(kept, checkout, kernel(checkout, "right"), "pythran")
    for _ in range(2):
        with pytest.raises(npbench_builds.BuildError, match="the build fails: error: no way"):
            npbench_builds.build(kept, checkout, kernel(checkout, "refused"), "pythran")
    assert len(commands) == 2


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
    assert "| no gain under 0.8 | other 0 | missed |" in text
    assert contenders(load(path), "k", "S") == {"numpy", "numba_o", "scriptc"}
    assert contenders(load(path), "other", "S") == {"numpy", "scriptc"}


def test_first_calls_are_compared_on_the_kernels_that_both_run(tmp_path: Path) -> None:
    path = tmp_path / "raw"
    for kernel, numba, ours in (("a", 3.0, 0.5), ("b", 6.0, 1.0), ("c", None, 4.0)):
        save(path, Measurement(kernel, "S", "numpy", 0.1, 8.0))
        save(path, Measurement(kernel, "S", "scriptc", ours, 2.0))
        if numba is None:
            save(path, Measurement(kernel, "S", "numba_n", failure="no way"))
        else:
            save(path, Measurement(kernel, "S", "numba_n", numba, 4.0))
    assert first_medians(rows(load(path), "S"), "Numba") == (2, 0.75, 4.5)
    asked = "first call, median of 2 kernels: a third of Numba's, 1.5 s | 0.75 s | reached"
    assert asked in report(load(path), "# heading")
    page = first_calls(load(path), "# heading")
    assert "| Numba | 2 | 4.500 s | 0.750 s | 0.167 | a third | reached |" in page
    assert "| c | 4.000 | fails | fails |" in page


def test_each_kernel_slower_than_a_peer_has_its_reason() -> None:
    def found(kernel: str, seconds: float) -> list[Measurement]:
        return [
            Measurement(kernel, "S", "numpy", 1, 4),
            Measurement(kernel, "S", "scriptc", 1, seconds),
        ]

    measurements = [*found("slow", 8), *found("even", 3.9), *found("fast", 1)]
    reasons = {"slow": "It sorts.", "even": "It may be luck.", "fast": "It sorted."}
    assert complaints(measurements, reasons) == [
        "fast is faster than the peers now: its reason is out of date"
    ]
    assert complaints(measurements, {}) == ["slow has a gain under 1 and no reason"]
    assert "| slow | It sorts. |" in report(measurements, "# heading", reasons)


def test_the_report_explains_what_is_slow() -> None:
    """The committed one: whoever runs it again writes a sentence for each kernel under 1."""
    text = (RESULTS / "npbench.md").read_text(encoding="utf-8")
    explained = text.partition("## Why")[2]
    assert all(f"| {kernel} | {why} |" in explained for kernel, why in REASONS.items())
