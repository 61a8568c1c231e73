"""Names of modules and passes are the field's words: those of the glossary in CONTRIBUTING.md."""

import re
from pathlib import Path

from scriptc.device_pipeline import FOR_DEVICE
from scriptc.driver import FIRST, PLAIN
from scriptc.kernels.pipeline import TO_LOW
from scriptc.passes.pipeline import OPTIMISE

REPO = Path(__file__).parents[2]
ROOMS = ("kernels", "passes", "analysis", "backends/llvm/emitter", "backends/llvm/vectors")
# What each was called before -> the word that it gave way to.
RETIRED = {
    "round": "iteration", "rounds": "iterations", "turn": "interchange", "turned": "transpose",
    "jam": "unroll and jam", "stagger": "skew", "strips": "tile", "merge": "collapse",
    "guards": "split index set", "ahead": "inspector", "exchange": "double buffer",
    "side": "outer vectorise", "straight": "unroll", "few": "specialise trip count",
    "exact": "fallback", "quiet": "computes only", "parts": "sections", "places": "sections",
    "counted": "while to for", "counting": "induction", "chains": "serial sums",
    "magnitudes": "overflow bounds", "bounded": "version overflow", "crosswise": "fortran order",
    "picks": "gather", "leading": "leading axes", "speculation": "if conversion",
}  # fmt: skip
ALLOWED = {
    *("inspect_ahead", "unroll_and_jam", "leading_axes", "nest_parts", "jam_loops"),
    *("jam_reductions", "lower_prange"),
}


def _retired(name: str) -> list[str]:
    return [word for word in name.split("_") if word in RETIRED and name not in ALLOWED]


def test_no_module_has_a_retired_name() -> None:
    paths = (p for room in ROOMS for p in (REPO / "scriptc" / room).rglob("*.py"))
    assert not [f"{p}: {RETIRED[word]}" for p in paths for word in _retired(p.stem)]


def test_no_pass_has_a_retired_name() -> None:
    passes = {step.__name__ for step in (*OPTIMISE, *FIRST, *PLAIN, *TO_LOW, *FOR_DEVICE)}
    assert not [f"{name}: {RETIRED[word]}" for name in passes for word in _retired(name)]


def test_a_pass_over_loops_is_called_as_its_module() -> None:
    for step in TO_LOW:
        if step.__module__.startswith("scriptc.kernels.loops."):
            module = step.__module__.rpartition(".")[2]
            assert step.__name__.startswith(module) or step.__name__ == "jam_loops", module


def test_the_glossary_has_the_words_that_stayed() -> None:
    text = (REPO / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([a-z][\w, -]+) \|", text, re.MULTILINE)
    words = {word for row in rows for word in row.split(", ")}
    assert words >= {"iteration", "trip count", "loop-carried", "interchange", "skew", "fallback"}
    assert not words & RETIRED.keys()
