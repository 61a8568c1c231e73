"""The programs of samples/programs: CPython's time over that of machine code, and first calls.

The two take turns, a few times each, and the medians are compared. A first call is that of a new
process with an empty cache, which also compiles the support code that it needs.

    python -m tests.benchmarks.bench_programs [--rounds 5] [NAME ...]
"""

import argparse
import importlib
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

REPO = Path(__file__).parents[2]
# So that CPython takes a tenth of a second or more.
SIZES = {
    "bank": 5000,
    "bpe": 200,
    "bytecode": 1,
    "dijkstra": 60,
    "events": 10,
    "expressions": 300,
    "json_reader": 300,
    "life": 80,
    "lru_cache": 40_000,
    "matrix": 60,
    "text_statistics": 150,
    "trie": 2000,
}
FIRST = """
import time
from samples.programs.{name} import run
start = time.perf_counter()
run(5)
print(time.perf_counter() - start)
"""


def seconds(call: Callable[[], object]) -> float:
    """Return how long a call takes."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def first_call(name: str) -> float:
    """Return the seconds of the first call of a program in a new process with an empty cache."""
    with tempfile.TemporaryDirectory() as folder:
        paths = f"{REPO}{os.pathsep}{REPO / 'runtime'}"
        settings = {**os.environ, "SCRIPTC_CACHE_DIR": f"{folder}/cache", "PYTHONPATH": paths}
        command = [sys.executable, "-c", FIRST.format(name=name)]
        done = subprocess.run(command, env=settings, capture_output=True, text=True, check=True)
    return float(done.stdout)


def measured(name: str, rounds: int) -> tuple[float, float, float]:
    """Return the medians of CPython's time, of ours, and of first calls, in seconds."""
    run = importlib.import_module(f"samples.programs.{name}").run
    size = SIZES[name]
    assert repr(run(size)) == repr(run.python(size))
    python: list[float] = []
    ours: list[float] = []
    for _ in range(rounds):
        python.append(seconds(lambda: run.python(size)))
        ours.append(seconds(lambda: run(size)))
    first = [first_call(name) for _ in range(3)]
    return statistics.median(python), statistics.median(ours), statistics.median(first)


def main() -> None:
    """Print a row for each program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    print("| program | CPython, ms | ours, ms | ratio | first call, s |\n|---|---|---|---|---|")
    for name in given.names or SIZES:
        python, ours, first = measured(name, given.rounds)
        row = name, f"{python * 1e3:.1f}", f"{ours * 1e3:.2f}", f"{python / ours:.1f}"
        print(f"| {' | '.join(row)} | {first:.2f} |", flush=True)


if __name__ == "__main__":
    main()
