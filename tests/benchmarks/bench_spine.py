"""Calls, starts, scalar loops and one fused row reduction, against Numba and NumPy.

make bench                                          everything; writes a report
python -m tests.benchmarks.bench_spine --only call  what has `call` in its title; writes none
"""

import argparse
import importlib
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar, cast

import numpy as np

from samples import mandelbrot, nbody
from scriptc import script
from scriptc.types import B, N, f32, f64
from tests.benchmarks.harness import (
    Comparison,
    Outcome,
    Side,
    measure,
    process,
    run_program,
    show,
    statement,
    within,
    write,
)

F = TypeVar("F", bound=Callable[..., object])
START = Path(__file__).parent / "start"
PACKAGES = ("scriptc", "numpy", "llvmlite", "numba")
# What a warm start must not have loaded.
COMPILER = ("llvmlite", "lark", "scriptc.syntax")


def numba_njit(function: F) -> F:
    """Compile with Numba, imported by name: type checkers run without the extra `bench`."""
    return cast("Callable[[F], F]", importlib.import_module("numba").njit)(function)


@script
def add(x: float, y: float) -> float:
    return x + y


@script
def first_elements(a: f64[N], b: f64[N], c: f64[N]) -> None:
    a[0] = b[0] + c[0]


@script
def softmax(x: f32[B, N]) -> f32[B, N]:
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


def call_with_floats() -> Comparison:
    """The cost of a call that does next to nothing."""
    sides = [
        statement(name, "f(1.5, 2.5)", {"f": f})
        for name, f in (("scriptc", add), ("Numba", numba_njit(add.python)))
    ]
    return Comparison("call of f(float, float)", *sides, ratio=0.25)


def call_with_arrays() -> Comparison:
    """The cost of handing over three arrays."""
    arrays = {name: np.ones(8) for name in "abc"}
    sides = [
        statement(name, "f(a, b, c)", {"f": f, **arrays})
        for name, f in (("scriptc", first_elements), ("Numba", numba_njit(first_elements.python)))
    ]
    return Comparison("call of f with three arrays", *sides, ratio=0.25)


def draw_mandelbrot() -> Comparison:
    """A scalar loop of unknown length for each pixel."""
    ours, peer = mandelbrot.escape_times, numba_njit(mandelbrot.escape_times.python)
    size = (240, 300, 200)
    assert np.array_equal(ours(*size), peer(*size))
    sides = [
        statement(name, "f(*size)", {"f": f, "size": size})
        for name, f in (("scriptc", ours), ("Numba", peer))
    ]
    return Comparison("Mandelbrot 300x240, 200 rounds", *sides, ratio=1.1)


def move_bodies() -> Comparison:
    """Pairs of bodies: loads, stores and a square root, with every index checked."""
    ours, peer = nbody.advance, numba_njit(nbody.advance.python)
    states: list[tuple[np.ndarray, ...]] = []
    sides: list[Side] = []
    for name, f in (("scriptc", ours), ("Numba", peer)):
        state = nbody.start(100)
        f(*state, 1e-3, 10)
        states.append(tuple(array.copy() for array in state))
        sides.append(statement(name, "f(*state, 1e-4, 10)", {"f": f, "state": state}))
    assert all(np.allclose(mine, theirs, rtol=1e-9) for mine, theirs in zip(*states, strict=True))
    return Comparison("n-body, 100 bodies, 10 steps", *sides, ratio=1.25)


def row_softmax() -> Comparison:
    """Two row reductions and what comes before and after them, in one pass over each row."""
    x = np.random.default_rng(1).normal(size=(4096, 1024)).astype(np.float32)
    assert np.allclose(softmax(x), softmax.python(x), rtol=1e-5, atol=0.0)
    sides = [
        statement(name, "f(x)", {"f": f, "x": x})
        for name, f in (("scriptc", softmax), ("NumPy", softmax.python))
    ]
    return Comparison("row softmax 4096x1024 float32", *sides, ratio=1 / 3)


def _cache(folder: str) -> Mapping[str, str]:
    return {"SCRIPTC_CACHE_DIR": folder, "NUMBA_CACHE_DIR": folder}


def cold_start(scratch: Path) -> Comparison:
    """A first run: nothing is cached, support code has to be compiled too."""
    sides = [
        process(name, START / program, lambda: _cache(tempfile.mkdtemp(dir=scratch)))
        for name, program in (("scriptc", "with_scriptc.py"), ("Numba", "with_numba.py"))
    ]
    return Comparison("cold start to first result", *sides, ratio=1 / 3)


def warm_start(scratch: Path) -> Comparison:
    """A later run: the machine code comes from the cache, and the compiler stays unloaded.

    One process measures NumPy's import and all: from process to process the former varies by more
    than what comes behind it takes.
    """
    variables = _cache(tempfile.mkdtemp(dir=scratch))
    run_program(START / "with_scriptc.py", variables)
    loaded = run_program(START / "with_scriptc.py", variables)
    found = sorted(name for name in COMPILER if name in loaded)
    assert not found, f"a warm start loads {', '.join(found)}"
    sides = within(("scriptc", "NumPy's import"), START / "with_scriptc.py", variables)
    return Comparison("warm start to first result", *sides, ratio=1.0, extra=0.015)


def comparisons(scratch: Path, only: str) -> Iterator[Comparison]:
    """Set up those comparisons that have `only` in their name, each when its turn has come."""
    table: Mapping[str, Callable[[], Comparison]] = {
        "call with floats": call_with_floats,
        "call with arrays": call_with_arrays,
        "cold start": lambda: cold_start(scratch),
        "warm start": lambda: warm_start(scratch),
        "mandelbrot": draw_mandelbrot,
        "nbody": move_bodies,
        "softmax": row_softmax,
    }
    for name, make in table.items():
        if only in name:
            yield make()


def main(rounds: int, only: str) -> None:
    """Measure, print the report, and write it when nothing was left out."""
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory(prefix="scriptc-bench-") as scratch:
        for comparison in comparisons(Path(scratch), only):
            print(f"{comparison.title} ...", flush=True)
            outcomes.append(measure(comparison, rounds))
    show(outcomes)
    if not only:
        notes = f"A warm start loads none of {', '.join(COMPILER)}."
        print(write("spine", outcomes, PACKAGES, notes))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="rounds of each comparison")
    parser.add_argument("--only", default="", help="a part of the names to measure")
    arguments = parser.parse_args()
    main(arguments.rounds, arguments.only)
