"""Single calls of NumPy in scripts against NumPy itself, at three sizes.

python -m tests.benchmarks.bench_numpy_calls                 everything; writes a report
python -m tests.benchmarks.bench_numpy_calls --only cumsum   what has it in its text; writes none

Both sides run on one thread in one process and take turns. What is reported is NumPy's time by
that of a script, the median of the rounds: below 1 a script is slower than NumPy. A large array
is a new one in each call, on both sides, so a ratio of calls that only write one says little.
"""

import argparse
import ast
import gc
import os
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

from scriptc import ScriptError, script
from tests.benchmarks.harness import RESULTS, machine, markdown
from tests.benchmarks.numpy_calls import CALLS, REASONS, SIZES, arrays
from tests.support.live_source import live_module
from tests.support.support_code import pool

PACKAGES = ("scriptc", "numpy", "llvmlite")
ROUNDS = 15
SECONDS = 0.3  # of a call and a size, but for five rounds of each side
SHORT = 2e-4  # seconds: shorter calls are repeated in a round
LEAST = 0.8  # what is below is marked
THREADS = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}

# `Any`: what the functions of a text take and return is not known.
Call = Callable[..., Any]
# A number for each size, or why there is none.
Speeds = Sequence[float | str]


def function_of(call: str, names: Sequence[str]) -> Call:
    """Return a function with a body of one call."""
    source = f"import numpy as np\ndef one_call({', '.join(names)}):\n    return {call}\n"
    return live_module(source, f"numpy_call_{CALLS.index(call)}.py").one_call


def names_of(call: str) -> list[str]:
    """Return the names of the arrays that a call has."""
    found = {node.id for node in ast.walk(ast.parse(call)) if isinstance(node, ast.Name)}
    return sorted(found - {"np", "len"})


def speeds_of(call: str, inputs: Sequence[Mapping[str, Any]]) -> Speeds:
    """Measure a call at all sizes."""
    names = names_of(call)
    function = function_of(call, names)
    scripted = script(function)
    return [speed(scripted, function, [given[name] for name in names]) for given in inputs]


def speed(ours: Call, theirs: Call, given: Sequence[object]) -> float | str:
    """Return the median of NumPy's time by ours, or that the call is refused."""
    try:
        ours(*given)
    except ScriptError:
        return "refused"
    seconds(theirs, given)
    began, found = time.perf_counter(), list[float]()
    times = max(1, int(SHORT / seconds(theirs, given)))
    for done in range(ROUNDS):
        if done >= 5 and time.perf_counter() - began > SECONDS:
            break
        pair = [seconds(side, given, times) for side in (ours, theirs)[:: 1 if done % 2 else -1]]
        mine, other = pair if done % 2 else pair[::-1]
        found.append(other / mine)
    return statistics.median(found)


def seconds(call: Call, given: Sequence[object], times: int = 1) -> float:
    """Return the time that some calls took of the processor."""
    began = time.process_time_ns()
    for _ in range(times):
        call(*given)
    return max(time.process_time_ns() - began, 1) * 1e-9


# --------------------------------------------------------------------------------------- report


def report(found: Mapping[str, Speeds]) -> str:
    """Return the table of all calls, what is slowest first, and the reasons."""
    numbers = [number for speeds in found.values() for number in numbers_of(speeds)]
    slow = [n for n in numbers if n < 1]
    order = sorted(found, key=lambda call: min(numbers_of(found[call]), default=0))
    rows = [(f"`{call}`", *map(cell, found[call]), reason(call, found[call])) for call in order]
    table = markdown([("call", *SIZES, "why below 1"), *rows])
    sizes = ", ".join(f"{name} {size:,}" for name, size in SIZES.items())
    return (
        f"# Calls of NumPy, {date.today().isoformat()}\n\n{machine(PACKAGES)}\n\n"
        "`python -m tests.benchmarks.bench_numpy_calls`: NumPy's time by that of a script, medians"
        f" of up to {ROUNDS} interleaved rounds,\none thread each, in one process;"
        f" above 1 the script is faster. Elements: {sizes}.\n"
        f"`{os.path.basename('numpy_calls.py')}` says what the names stand for.\n\n"
        f"{len(found)} calls, median {statistics.median(numbers):.2f}; "
        f"{len(slow)} of {len(numbers)} numbers are below 1, "
        f"{sum(n < LEAST for n in slow)} below {LEAST}.\n\n{table}\n"
    )


def numbers_of(speeds: Speeds) -> list[float]:
    """Return the numbers without what stands for those that there are none of."""
    return [number for number in speeds if not isinstance(number, str)]


def reason(call: str, speeds: Speeds) -> str:
    """Return why a call is slower than NumPy, where it is."""
    if min(numbers_of(speeds), default=1) >= 1:
        return ""
    return REASONS.get(call, "not known")


def cell(speed: float | str) -> str:
    """Return a number as a table shows it."""
    if isinstance(speed, str):
        return speed
    return f"**{speed:.2f}**" if speed < LEAST else f"{speed:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    if any(os.environ.get(name) != value for name, value in THREADS.items()):
        # NumPy's products read it once, when they are loaded.
        command = [sys.executable, "-m", "tests.benchmarks.bench_numpy_calls", *sys.argv[1:]]
        sys.exit(subprocess.run(command, env={**os.environ, **THREADS}, check=False).returncode)
    found = dict[str, Speeds]()
    inputs = [arrays(size) for size in SIZES.values()]
    with pool(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gc.disable()
        for call in CALLS:
            if options.only in call:
                found[call] = speeds_of(call, inputs)
                print(call, *map(cell, found[call]), file=sys.stderr, flush=True)
    text = report(found)
    if options.only:
        print(text)
        return
    path = RESULTS / f"{date.today().isoformat()}-numpy-calls.md"
    path.write_text(text, encoding="utf-8")
    print(path)


if __name__ == "__main__":
    main()
