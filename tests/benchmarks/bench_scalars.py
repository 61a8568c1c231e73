"""Checked scalar code and loops by hand over arrays, against Numba without checks.

make bench                                               everything; writes a report
python -m tests.benchmarks.bench_scalars --only collatz  what has `collatz` in its name; writes none

Both sides compile the functions of `scalar_programs` and of two samples. Numba's ints wrap and its
indices are not tested; scriptc's are checked wherever nothing proves that they need not be.
"""

import argparse
import importlib
import statistics
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import cast

import numpy as np

from samples import mandelbrot, nbody
from scriptc import script
from tests.benchmarks import scalar_programs as programs
from tests.benchmarks.harness import Comparison, Outcome, measure, show, statement, write

PACKAGES = ("scriptc", "numpy", "llvmlite", "numba")
MEAN, MOST = 1.05, 1.25
Arguments = tuple[object, ...]
Function = Callable[..., object]


def compiled_by_numba(function: Function) -> Function:
    """Compile a function and those of its module that it calls."""
    # Imported by name: type checkers run without the extra `bench`.
    njit = cast("Callable[[Function], Function]", importlib.import_module("numba").njit)
    assert isinstance(function, FunctionType)
    names = dict(function.__globals__)
    for name in function.__code__.co_names:
        called = names.get(name)
        if isinstance(called, FunctionType) and called.__module__ == function.__module__:
            names[name] = compiled_by_numba(called)
    return njit(FunctionType(function.__code__, names, function.__name__))


def _symmetric(random: np.random.Generator, n: int) -> np.ndarray:
    half = random.normal(size=(n, n))
    return half @ half.T + n * np.eye(n)


def cases() -> Mapping[str, tuple[Function, Arguments]]:
    """Return the functions with arguments, by the name of what they do."""
    random = np.random.default_rng(1)
    square = [random.normal(size=(160, 160)) for _ in range(2)]
    plane = random.normal(size=(300, 300))
    bodies = random.normal(size=(100, 3)), np.zeros((100, 3)), np.full(100, 1e-3)
    sizes = random.integers(1, 50, 181)
    series = 0.1 * 0.5 ** np.arange(1.0, 801.0)
    return {
        "Collatz to 60,000": (programs.collatz, (60_000,)),
        "sieve to a million": (programs.sieve, (np.zeros(1_000_000, np.bool_),)),
        "Mandelbrot 150x120": (mandelbrot.escape_times.python, (120, 150, 200)),
        "n-body, 100 bodies": (nbody.advance.python, (*bodies, 1e-4, 10)),
        "spectral norm of 150 rows": (programs.spectral_norm, (*np.ones((3, 150)), 3)),
        "matrix chain of 180": (programs.matrix_chain, (sizes, np.zeros((181, 181), np.int64))),
        "product 160x160": (programs.matmul, (*square, np.zeros((160, 160)))),
        "product by sums 160x160": (programs.matmul_by_sums, (*square, np.zeros((160, 160)))),
        "Jacobi 300x300": (programs.jacobi, (plane, plane.copy(), 2)),
        "Seidel 300x300": (programs.seidel, (plane.copy(), 2)),
        "LU of 160x160": (programs.lu, (_symmetric(random, 160),)),
        "Cholesky of 160x160": (programs.cholesky, (_symmetric(random, 160),)),
        "Durbin of 800": (programs.durbin, (series, np.zeros(800), np.zeros(800))),
    }


def comparison(title: str, function: Function, arguments: Arguments) -> Comparison:
    """Check that both sides compute the same, and set them up; each run has its own arrays."""
    sides = {"scriptc": script(function), "Numba": compiled_by_numba(function)}
    ends: list[Arguments] = []
    for side in sides.values():
        own = _copied(arguments)
        ends.append((side(*own), *own))
    for ours, theirs in zip(*ends, strict=True):
        assert ours is theirs or np.allclose(
            cast("np.ndarray", ours), cast("np.ndarray", theirs), rtol=1e-9
        ), title
    timed = [
        statement(name, "f(*copied(given))", {"f": f, "copied": _copied, "given": arguments})
        for name, f in sides.items()
    ]
    return Comparison(title, *timed, ratio=MOST)


def _copied(arguments: Arguments) -> Arguments:
    return tuple(
        cast("np.ndarray", a).copy() if isinstance(a, np.ndarray) else a for a in arguments
    )


def main(rounds: int, only: str) -> None:
    """Measure, print the report, and write it when nothing was left out."""
    outcomes: list[Outcome] = []
    for title, (function, arguments) in cases().items():
        if only in title.lower():
            print(f"{title} ...", flush=True)
            outcomes.append(measure(comparison(title, function, arguments), rounds))
    show(outcomes)
    mean = statistics.geometric_mean(statistics.median(o.ratios) for o in outcomes)
    note = f"Geometric mean of the ratios: {mean:.3f}; the target is at most {MEAN}."
    print(note)
    if not only:
        print(write("scalars", outcomes, PACKAGES, note))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="rounds of each comparison")
    parser.add_argument("--only", default="", help="a part of the names to measure")
    options = parser.parse_args()
    main(options.rounds, options.only)
