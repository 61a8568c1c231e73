"""The benchmark of array programs: one contest of scriptc with NumPy, and its report."""

import math
from pathlib import Path

import numpy as np

from tests.benchmarks.array_programs.suite import program
from tests.benchmarks.array_report import gain, report, rows
from tests.benchmarks.bench_array_programs import Plan, measured, pythons, unlike
from tests.benchmarks.npbench_report import Measurement, load, save


def test_peers_are_compared_and_timed(tmp_path: Path) -> None:
    found = pythons(["scriptc", "jax"], tmp_path)
    assert list(found) == ["numpy", "scriptc"], "a peer without an environment takes no part"
    taken: list[Measurement] = []
    plan = Plan(found, threads=1, rounds=2, starts=1, limit=60.0)
    measured(plan, [program("moments")], ["small"], taken.append)
    assert {m.variant for m in taken} == {"numpy", "scriptc"}
    assert all(not m.failure and m.seconds > 0 and m.first > 0 for m in taken)


def test_a_result_is_held_to_numpy_s() -> None:
    wanted = np.array([1.0, 2.0])
    assert unlike(wanted, wanted + 1e-12, exact=True) is None
    assert "off by 0.5" in str(unlike(wanted, wanted + 0.5, exact=False))
    assert "is float32" in str(unlike(wanted, wanted.astype(np.float32), exact=True))
    assert "has shape (1,)" in str(unlike(wanted, wanted[:1], exact=False))
    assert "off by nan" in str(unlike(wanted, wanted * math.nan, exact=False))
    assert unlike(np.array(2.0), np.array([2.0]), exact=False) is None


def test_the_report_compares_with_jax_and_with_the_best(tmp_path: Path) -> None:
    raw = tmp_path / "raw"
    for size, ours, jax in (("small", 2.0, 8.0), ("large", 4.0, 2.0)):
        save(raw, Measurement("adam", size, "scriptc", 0.2, ours))
        save(raw, Measurement("adam", size, "numpy", 0.1, 4.0))
        save(raw, Measurement("adam", size, "jax", 0.1, jax))
        save(raw, Measurement("adam", size, "dace", failure="it says | no"))
    small, large = (rows(load(raw), size)["adam"][0] for size in ("small", "large"))
    assert (gain(small), gain(small, "jax"), gain(small, "dace")) == (2.0, 4.0, None)
    assert (gain(large), gain(large, "numpy")) == (0.5, 1.0)
    text = report(load(raw))
    assert "| JAX | 4.00 times (1) | 0.50 times (1) | 1.41 times (2) |" in text
    assert "| the best of all | 2.00 times (1) | 0.50 times (1) | 1.00 times (2) |" in text
    assert "| programs under 0.9 of the best | 0 | 1 | 1 |" in text
    assert "| adam | optimisers | 2 s | 4 s | 8 s | 4.00 | 2.00 | 0.20 / 0.10 |" in text
    assert "it says" not in text
