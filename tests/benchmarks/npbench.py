"""NPBench's 54 NumPy programs, unmodified, under scriptc and its peers.

    make npbench NPBENCH_DIR=...                             everything; writes the report
    python -m tests.benchmarks.npbench --only adi --raw X    a kernel; measurements go to the file X
    python -m tests.benchmarks.npbench --variants scriptc --raw X     again, with the peers' of X

NPBENCH_DIR names a checkout of https://github.com/spcl/npbench. Each variant of a kernel is a
process of its own. Its first call is timed, compared with NumPy's answer, and counted as wrong
where they differ by more than NPBench allows. Then calls are timed in rounds that go from variant
to variant, so that a machine that slows down slows all of them.
"""

import argparse
import os
import statistics
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from tests.benchmarks.harness import RESULTS, machine
from tests.benchmarks.npbench_process import WORKER, WorkerFailure, WorkerProcess
from tests.benchmarks.npbench_report import Measurement, load, report, save
from tests.benchmarks.npbench_suite import Kernel, kernels
from tests.benchmarks.npbench_worker import ONE_PROCESSOR

PACKAGES = ("scriptc", "numpy", "llvmlite", "numba")
# A turn of a variant in a round: about this long, and not more calls than this.
TURN_SECONDS = 0.05
TURN_CALLS = 50


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be run, and how patiently."""

    checkout: Path
    presets: Sequence[str]
    variants: Sequence[str]  # empty: all there are
    rounds: int
    limit: float
    threads: int


def run(plan: Plan, kernel: Kernel, scratch: Path, keep: Callable[[Measurement], None]) -> None:
    """Measure the variants of a kernel at each preset."""
    found = kernel.variants(plan.checkout)
    chosen = [v for v in found if v == "numpy" or not plan.variants or v in plan.variants]
    for preset in plan.presets:
        contest = Contest(plan, kernel, preset, scratch)
        try:
            for variant in chosen:
                contest.enter(variant)
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
        names = [str(self.plan.checkout), self.kernel.name, variant, str(self.scratch)]
        worker = WorkerProcess(
            [WORKER, *names],
            environment=_environment(self.plan.threads, self.scratch),
            errors=self.scratch / f"{variant}.log",
        )
        self.workers[variant] = worker
        try:
            built = worker.ask(self.plan.limit, do="load").seconds
            reply = worker.ask(self.plan.limit, do="first", preset=self.preset)
        except WorkerFailure as failure:
            self._drop(variant, str(failure))
            return
        if reply.difference:
            self._drop(variant, f"wrong: {reply.difference}")
            return
        self.firsts[variant] = built + reply.seconds

    def play(self) -> None:
        """Time calls in rounds; the first round says how many calls fit into a turn."""
        turns = dict.fromkeys(self.firsts, 1)
        for number in range(self.plan.rounds + 1):
            for variant in list(self.workers):
                times = self._turn(variant, turns[variant])
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
        # The report names files of NPBench, not where they lie here.
        self.failures[variant] = why.replace(f"{self.plan.checkout}/", "")
        self.workers.pop(variant).close()


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
    }


NOTES = """\
Medians of {rounds} interleaved rounds of calls, each on fresh copies of the inputs and the lesser
of wall and processor time. scriptc and `njit` run NPBench's NumPy files as they are, helpers
included; Numba, JAX and Pythran run what NPBench has rewritten for each, the fastest of the
variants. A first call includes compilation, and the build where there is one; nothing is cached
before it."""


def _heading(plan: Plan) -> str:
    where = f"{machine(PACKAGES)}; threads: {plan.threads}"
    return f"# NPBench, {date.today().isoformat()}\n\n{where}\n\n{NOTES.format(rounds=plan.rounds)}"


def _plan(arguments: argparse.Namespace) -> Plan:
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
    )


def main(arguments: argparse.Namespace) -> None:
    """Run what the command line asks for, and write the report when it asks for all kernels."""
    plan = _plan(arguments)
    with tempfile.TemporaryDirectory(prefix="scriptc-npbench-") as scratch:
        raw = arguments.raw or Path(scratch) / "measurements"

        def keep(measurement: Measurement) -> None:
            save(raw, measurement)
            result = measurement.failure or f"{measurement.seconds * 1e3:.3g} ms"
            first = f"first call {measurement.first:.2f} s"
            print(measurement.kernel, measurement.preset, measurement.variant, first, result)

        only = [name for name in arguments.only.split(",") if name]
        for kernel in kernels(plan.checkout):
            if not only or kernel.name in only:
                run(plan, kernel, Path(scratch), keep)
        if not only:
            RESULTS.mkdir(exist_ok=True)
            path = RESULTS / "npbench.md"
            path.write_text(report(load(raw), _heading(plan)), encoding="utf-8")
            print(path)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="names of kernels; no report is written")
    parser.add_argument("--presets", default="S,M", help="sizes of NPBench's")
    parser.add_argument("--variants", default="", help="those to run beside NumPy")
    parser.add_argument("--rounds", type=int, default=7, help="rounds of calls")
    parser.add_argument("--limit", type=float, default=90.0, help="seconds a request may take")
    parser.add_argument("--threads", type=int, default=1, help="threads of each side")
    parser.add_argument("--raw", type=Path, help="a file that measurements are added to")
    main(parser.parse_args())
