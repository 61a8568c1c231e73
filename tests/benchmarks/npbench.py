"""NPBench's 54 NumPy programs, unmodified, under scriptc and its peers.

    make npbench NPBENCH_DIR=...                             everything; writes the report
    python -m tests.benchmarks.npbench --only adi --raw X    a kernel; measurements go to the file X
    python -m tests.benchmarks.npbench --variants scriptc --raw X     again, with the peers' of X
    python -m tests.benchmarks.npbench --fastest X --builds FOLDER    all, the peers' fastest of X
    python -m tests.benchmarks.npbench --report X            no run: the report of what X holds
    python -m tests.benchmarks.npbench --first-calls X       no run: X's first calls beside Numba's

NPBENCH_DIR names a checkout of https://github.com/spcl/npbench. Each variant of a kernel is a
process of its own. Its first call is timed, compared with NumPy's answer, and counted as wrong
where they differ by more than NPBench allows. Then calls are timed in rounds that go from variant
to variant, so that a machine that slows down slows all of them.

Peers take part where they are installed: Numba, JAX and Pythran (which needs a C++ compiler and
BLAS: Debian's libopenblas-dev) beside scriptc; DaCe in an environment of its own, because it wants
an older NumPy (pip install dace==1.0.2 numpy==1.26.4 networkx==3.3, with liblapacke-dev), whose
Python NPBENCH_DACE_PYTHON names.
"""

import argparse
import math
import os
import re
import statistics
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from tests.benchmarks.harness import RESULTS, machine
from tests.benchmarks.npbench_builds import dace_settings
from tests.benchmarks.npbench_first_calls import first_calls
from tests.benchmarks.npbench_process import WORKER, WorkerFailure, WorkerProcess
from tests.benchmarks.npbench_reasons import REASONS
from tests.benchmarks.npbench_report import (
    Measurement,
    complaints,
    contenders,
    load,
    report,
    save,
)
from tests.benchmarks.npbench_suite import BUILT, DACE_PYTHON, UNMODIFIED, Kernel, kernels
from tests.benchmarks.npbench_worker import ONE_PROCESSOR

PACKAGES = ("scriptc", "numpy", "llvmlite", "numba")
# A turn of a variant in a round: about this long, and not more calls than this.
TURN_SECONDS = 0.05
TURN_CALLS = 50
BUILD_LIMIT = 900.0  # seconds
LEAST_ROUNDS = 2  # however long a call takes


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be run, and how patiently."""

    checkout: Path
    presets: Sequence[str]
    variants: Sequence[str]  # empty: all there are
    rounds: int
    limit: float
    threads: int
    jobs: int = 1  # first calls at a time
    budget: float = math.inf  # seconds of timed calls of a variant after which it sits out
    builds: Path = Path()  # where builds are kept
    earlier: Sequence[Measurement] = ()  # of each peer the variant that was the fastest there

    def variants_of(self, kernel: Kernel, preset: str) -> list[str]:
        """List what is to be run, NumPy's first."""
        found = kernel.variants(self.checkout)
        chosen = set(self.variants) or set(found)
        if self.earlier:
            chosen &= contenders(self.earlier, kernel.name, preset) | set(UNMODIFIED)
        return [variant for variant in found if variant == "numpy" or variant in chosen]


def run(plan: Plan, kernel: Kernel, scratch: Path, keep: Callable[[Measurement], None]) -> None:
    """Measure the variants of a kernel at each preset."""
    for preset in plan.presets:
        contest = Contest(plan, kernel, preset, scratch)
        try:
            numpy, *others = plan.variants_of(kernel, preset)
            contest.enter(numpy)  # what the others are compared with
            with ThreadPoolExecutor(plan.jobs) as threads:
                list(threads.map(contest.enter, others))
            contest.play()
        finally:
            contest.close()
        for measurement in contest.measurements():
            keep(measurement)


class Contest:
    """The variants of one kernel at one preset, from their first calls to their medians."""

    def __init__(self, plan: Plan, kernel: Kernel, preset: str, scratch: Path) -> None:
        self.plan, self.kernel, self.preset, self.scratch = plan, kernel, preset, scratch
        self.workers: dict[str, WorkerProcess] = {}
        self.firsts: dict[str, float] = {}
        self.times: dict[str, list[float]] = {}
        self.failures: dict[str, str] = {}

    def enter(self, variant: str) -> None:
        """Start a variant and make its first call; one that fails takes no part."""
        if "numpy" in self.failures:
            return
        plan = self.plan
        names = [plan.checkout, self.kernel.name, variant, self.scratch, plan.builds]
        worker = WorkerProcess(
            [WORKER, *map(str, names)],
            python=os.environ[DACE_PYTHON] if variant == "dace" else sys.executable,
            environment=_environment(self.plan.threads, self.scratch),
            errors=self.scratch / f"{variant}.log",
        )
        self.workers[variant] = worker
        try:
            loaded = worker.ask(BUILD_LIMIT if variant in BUILT else plan.limit, do="load")
            reply = worker.ask(plan.limit, do="first", preset=self.preset)
        except WorkerFailure as failure:
            self._drop(variant, str(failure))
            return
        if reply.difference:
            self._drop(variant, f"wrong: {reply.difference}")
            return
        # One build serves all presets.
        built = loaded.built if self.preset == plan.presets[0] else 0.0
        self.firsts[variant] = built + loaded.seconds + reply.seconds

    def play(self) -> None:
        """Time calls in rounds; the first round says how many calls fit into a turn."""
        turns, spent = dict.fromkeys(self.firsts, 1), dict.fromkeys(self.firsts, 0.0)
        for number in range(self.plan.rounds + 1):
            for variant in list(self.workers):
                if number > LEAST_ROUNDS and spent[variant] > self.plan.budget:
                    continue
                times = self._turn(variant, turns[variant])
                spent[variant] += sum(times)
                if not times:
                    continue
                if number == 0:
                    fitting = int(TURN_SECONDS / max(times[0], 1e-7))
                    turns[variant] = max(1, min(TURN_CALLS, fitting))
                else:
                    self.times.setdefault(variant, []).extend(times)

    def measurements(self) -> list[Measurement]:
        """Return what became of each variant."""
        place = (self.kernel.name, self.preset)
        failed = [Measurement(*place, v, failure=text) for v, text in self.failures.items()]
        ran = [
            Measurement(*place, v, self.firsts[v], statistics.median(times))
            for v, times in self.times.items()
            if v not in self.failures
        ]
        return [*ran, *failed]

    def close(self) -> None:
        """End all processes."""
        for worker in self.workers.values():
            worker.close()

    def _turn(self, variant: str, count: int) -> Sequence[float]:
        try:
            return self.workers[variant].ask(self.plan.limit, do="repeat", count=count).times
        except WorkerFailure as failure:
            self._drop(variant, str(failure))
            return ()

    def _drop(self, variant: str, why: str) -> None:
        # The report names files of NPBench and of packages, not where they lie here.
        plain = why.replace(f"{self.plan.checkout}/", "")
        self.failures[variant] = _MACHINES_OWN.sub("", plain)
        self.workers.pop(variant).close()


_MACHINES_OWN = re.compile(rf"/\S*/site-packages/|{re.escape(tempfile.gettempdir())}/")


def _environment(threads: int, scratch: Path) -> Mapping[str, str]:
    """Return variables that give each side as many threads, and empty caches of its own."""
    pools = ("OMP", "OPENBLAS", "MKL", "NUMBA")
    return {
        **{f"{pool}_NUM_THREADS": str(threads) for pool in pools},
        "SCRIPTC_THREADS": str(threads),
        "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false" if threads == 1 else "",
        ONE_PROCESSOR: "yes" if threads == 1 else "",
        "SCRIPTC_CACHE_DIR": tempfile.mkdtemp(dir=scratch),
        "NUMBA_CACHE_DIR": tempfile.mkdtemp(dir=scratch),
        "PYTHONWARNINGS": "ignore",
        **dace_settings(scratch),
    }


NOTES = """\
Medians of up to {rounds} interleaved rounds of calls, each on fresh copies of what the kernel
changes, and the lesser of wall and processor time. scriptc and `njit` run NPBench's NumPy files as
they are, helpers included; Numba, JAX, Pythran and DaCe run what NPBench has rewritten for each,
the fastest of the variants. JAX is given arrays of its own; DaCe (1.0.2, auto_opt) runs under NumPy
1.26. A first call includes compilation; nothing is cached before it. Pythran and DaCe build once
for all presets: the first call at the first of them includes the build, and later ones do not.
First calls made at a time: {jobs}."""


def _heading(plan: Plan) -> str:
    where = f"{machine(PACKAGES)}; threads: {plan.threads}"
    notes = NOTES.format(rounds=plan.rounds, jobs=plan.jobs)
    return f"# NPBench, {date.today().isoformat()}\n\n{where}\n\n{notes}"


def _plan(arguments: argparse.Namespace, scratch: Path) -> Plan:
    folder = os.environ.get("NPBENCH_DIR")
    if not folder or not (Path(folder) / "bench_info").is_dir():
        raise SystemExit("NPBENCH_DIR must name a checkout of https://github.com/spcl/npbench")
    return Plan(
        checkout=Path(folder).resolve(),
        presets=arguments.presets.split(","),
        variants=[name for name in arguments.variants.split(",") if name],
        rounds=arguments.rounds,
        limit=arguments.limit,
        threads=arguments.threads,
        jobs=arguments.jobs,
        budget=arguments.budget,
        builds=(arguments.builds or scratch / "builds").resolve(),
        earlier=load(arguments.fastest) if arguments.fastest else (),
    )


def main(arguments: argparse.Namespace) -> None:
    """Run what the command line asks for, and write the report when it asks for all kernels."""
    with tempfile.TemporaryDirectory(prefix="scriptc-npbench-") as scratch:
        plan = _plan(arguments, Path(scratch))
        raw = arguments.raw or Path(scratch) / "measurements"

        def keep(measurement: Measurement) -> None:
            save(raw, measurement)
            result = measurement.failure or f"{measurement.seconds * 1e3:.3g} ms"
            first = f"first call {measurement.first:.2f} s"
            place = (measurement.kernel, measurement.preset, measurement.variant)
            print(*place, first, result, flush=True)

        if arguments.report:
            _write(load(arguments.report), plan)
            return
        if arguments.first_calls:
            _write_first_calls(load(arguments.first_calls), plan)
            return
        only = [name for name in arguments.only.split(",") if name]
        for kernel in kernels(plan.checkout):
            if not only or kernel.name in only:
                run(plan, kernel, Path(scratch), keep)
        if not only:
            _write(load(raw), plan)


def _write(measurements: Sequence[Measurement], plan: Plan) -> None:
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / "npbench.md"
    path.write_text(report(measurements, _heading(plan), REASONS), encoding="utf-8")
    print(path)
    if found := complaints(measurements, REASONS):
        raise SystemExit("\n".join(found))


FIRST_CALLS = """\
Seconds from the start of the kernel's import to the end of its first call, in a process of its own
and with nothing cached: compilation is part of it. Numba's: the variant of NPBench's that is the
fastest afterwards; `njit`: the NumPy file as it is. Medians are of the kernels that both sides run.
First calls made at a time: {jobs}."""


def _write_first_calls(measurements: Sequence[Measurement], plan: Plan) -> None:
    today = date.today().isoformat()
    title = f"# First calls of NPBench's kernels, {today}\n\n{machine(PACKAGES)}"
    path = RESULTS / f"{today}-first-calls.md"
    heading = f"{title}\n\n{FIRST_CALLS.format(jobs=plan.jobs)}"
    path.write_text(first_calls(measurements, heading), encoding="utf-8")
    print(path)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="names of kernels; no report is written")
    parser.add_argument("--presets", default="S,M", help="sizes of NPBench's")
    parser.add_argument("--variants", default="", help="those to run beside NumPy")
    parser.add_argument("--rounds", type=int, default=7, help="rounds of calls")
    parser.add_argument("--limit", type=float, default=90.0, help="seconds a request may take")
    parser.add_argument("--jobs", type=int, default=1, help="first calls made at a time")
    parser.add_argument("--budget", type=float, default=math.inf, help="seconds of timed calls")
    parser.add_argument("--threads", type=int, default=1, help="threads of each side")
    parser.add_argument("--builds", type=Path, help="a folder that keeps what is built ahead")
    parser.add_argument("--fastest", type=Path, help="earlier measurements: the fastest variants")
    parser.add_argument("--report", type=Path, help="no run: write what these measurements show")
    parser.add_argument("--first-calls", type=Path, help="no run: write first calls of these")
    parser.add_argument("--raw", type=Path, help="a file that measurements are added to")
    main(parser.parse_args())
