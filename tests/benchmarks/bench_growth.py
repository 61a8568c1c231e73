"""How the time of a first call grows with the length of a program, beside Numba.

python -m tests.benchmarks.bench_growth                      everything; writes a report
python -m tests.benchmarks.bench_growth --only chain         what has `chain` in its name
python -m tests.benchmarks.bench_growth --only chain --alone without Numba

Each kind of `growth_programs.py` is compiled at three lengths, n, 4n and 16n, and Numba compiles
the longest.  A side is a process of its own with an empty cache, which has compiled a short program
of the kind before: what is loaded and compiled once for all programs does not count.  Seconds are
those of the processor, all threads together.
"""

import argparse
import importlib
import importlib.util
import inspect
import math
import os
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from scriptc import script
from tests.benchmarks.growth_programs import KINDS, arguments
from tests.benchmarks.harness import RESULTS, machine, markdown

STEPS = (1, 4, 16)
# Between 4n and 16n; of Numba's time at 16n, in every kind and at the median.
EXPONENT, SHARE, MEDIAN_SHARE = 1.15, 1.0, 0.5
PATIENCE = 120.0  # seconds for Numba
PACKAGES = ("scriptc", "numpy", "llvmlite", "numba")
SIDES = ("scriptc", "numba")


@dataclass(frozen=True, slots=True)
class Growth:
    """Seconds of first calls at n, 4n and 16n, and of Numba's at 16n: None where it has none."""

    kind: str
    ours: Sequence[float]
    peer: float | None

    @property
    def exponent(self) -> float:
        """With which power of the length the time grows at the end."""
        longest, before = self.ours[-1], self.ours[-2]
        return math.log(longest / before, STEPS[-1] / STEPS[-2]) if before < math.inf else math.inf

    @property
    def share(self) -> float | None:
        """Ours by the peer's, at most so much where that was stopped."""
        return self.ours[-1] / self.peer if self.peer is not None else None

    @property
    def reached(self) -> bool:
        """Whether the targets for every kind are kept."""
        return self.exponent <= EXPONENT and (self.share or 0.0) <= SHARE

    def row(self) -> tuple[str, ...]:
        """Return the cells of the report."""
        share, peer = self.share, self.peer
        stopped = peer == PATIENCE
        return (
            self.kind,
            str(KINDS[self.kind].size * STEPS[-1]),
            *(f"{seconds:.2f}" for seconds in self.ours),
            f"{self.exponent:.2f}",
            "" if peer is None else f"over {peer:.0f}" if stopped else f"{peer:.2f}",
            "" if share is None else f"{share:.2f}",
            "reached" if self.reached else "missed",
        )


HEADINGS = ("kind", "16n", "n", "4n", "16n: s", "exponent", "Numba, 16n", "share", "")


def first_call(side: str, kind: str, length: int) -> float:
    """Compile and run a program; return the seconds of the processor that took."""
    text = KINDS[kind].text(length)
    # A file, as both sides read the source again.
    path = Path(tempfile.mkdtemp()) / "program.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.parent.name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.parent.name] = module
    spec.loader.exec_module(module)
    names = list(inspect.signature(module.main).parameters)
    expected = module.main(*arguments(names))
    compiled = (_numba_compiled if side == "numba" else script)(module.main)
    given = arguments(names)
    start = time.process_time()
    result = compiled(*given)
    seconds = time.process_time() - start
    assert np.allclose(result, expected, rtol=1e-6, equal_nan=True), "the results differ"
    return seconds


# `Any`: what programs return is compared as arrays. Numba is loaded by name: it may be missing.
def _numba_compiled(main: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function with Numba, and all it calls."""
    numba = importlib.import_module("numba")
    found = main.__globals__
    for name, value in list(found.items()):
        if inspect.isfunction(value) and value.__module__ == main.__module__:
            found[name] = numba.njit(value)
    return found["main"]


def _seconds(side: str, kind: str, lengths: Sequence[int]) -> list[float]:
    """Have a process measure; infinity stands for what it fails at, or takes too long for."""
    with tempfile.TemporaryDirectory(prefix="growth-") as folder:
        command = [sys.executable, "-m", "tests.benchmarks.bench_growth", "--measure", side, kind]
        variables = {"SCRIPTC_CACHE_DIR": folder, "NUMBA_CACHE_DIR": folder, "TMPDIR": folder}
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        result = subprocess.run(
            [*command, *map(str, lengths)],
            env={**environment, **variables},
            capture_output=True,
            text=True,
            check=False,
        )
    if result.returncode not in (0, -signal.SIGXCPU):
        print(f"{side}, {kind}: {result.stderr.splitlines()[-1]}")
    found = [float(word) for word in result.stdout.split()]
    return [*found, *[math.inf] * (len(lengths) - len(found))]


def grow(kind: str, rounds: int, *, alone: bool) -> Growth:
    """Measure one kind: medians of rounds, Numba once."""
    lengths = [KINDS[kind].size * step for step in STEPS]
    found = [_seconds("scriptc", kind, lengths) for _ in range(rounds)]
    peer = None
    if KINDS[kind].numba and not alone:
        peer = min(*_seconds("numba", kind, lengths[-1:]), PATIENCE)
    return Growth(kind, [statistics.median(each) for each in zip(*found, strict=True)], peer)


def report(growths: Sequence[Growth]) -> str:
    """Return the page: what was asked, and every kind."""
    shares = [g.share for g in growths if g.share is not None]
    median = statistics.median(shares)
    steepest = max(growths, key=lambda g: g.exponent)
    asked = [
        ("what", "asked: at most", "found", ""),
        ("exponent, every kind", f"{EXPONENT}", f"{steepest.exponent:.2f} ({steepest.kind})"),
        ("share of Numba's time, every kind", f"{SHARE}", f"{max(shares):.2f}"),
        ("share of Numba's time, median", f"{MEDIAN_SHARE}", f"{median:.2f}"),
    ]
    kept = (steepest.exponent <= EXPONENT, max(shares) <= SHARE, median <= MEDIAN_SHARE)
    verdicts = ["reached" if k else "missed" for k in kept]
    rows = [asked[0], *((*a, v) for a, v in zip(asked[1:], verdicts, strict=True))]
    today = date.today().isoformat()
    return (
        f"# Growth of first calls, {today}\n\n{machine(PACKAGES)}\n\n"
        "Seconds of the processor for the first call of programs of three lengths; the exponent\n"
        f"is that of the time between 4n and 16n.  Numba is stopped after {PATIENCE:.0f} s.\n\n"
        f"{markdown(rows)}\n\n{markdown([HEADINGS, *(g.row() for g in growths)])}\n"
    )


def main(only: str, rounds: int, *, alone: bool) -> None:
    """Measure, print each kind, and write the report when nothing was left out."""
    growths: list[Growth] = []
    for kind in KINDS:
        if only in kind:
            growths.append(grow(kind, rounds, alone=alone))
            print(*growths[-1].row(), sep="  ", flush=True)
    if not only and not alone:
        path = RESULTS / f"{date.today().isoformat()}-growth.md"
        path.write_text(report(growths), encoding="utf-8")
        print(path)


def measure(side: str, kind: str, lengths: Sequence[int]) -> None:
    """Print the seconds of first calls, after one of a short program."""
    limit = math.ceil(PATIENCE) + 20  # for what comes before the call that counts
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
    first_call(side, kind, 2)
    for length in lengths:
        print(first_call(side, kind, length), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="a part of the names to measure")
    parser.add_argument("--rounds", type=int, default=3, help="processes of ours for each kind")
    parser.add_argument("--alone", action="store_true", help="without Numba")
    parser.add_argument("--measure", nargs="+", default=(), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        measure(given.measure[0], given.measure[1], [int(n) for n in given.measure[2:]])
    else:
        main(given.only, given.rounds, alone=given.alone)
