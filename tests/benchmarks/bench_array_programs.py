"""Forty programs of whole arrays beside NumPy, JAX, torch.compile and DaCe.

    make array-programs                                            all; writes the reports
    python -m tests.benchmarks.bench_array_programs --only adam    prints a table
    python -m tests.benchmarks.bench_array_programs --threads 2 --raw FILE     keeps it, too
    python -m tests.benchmarks.bench_array_programs --report FILE    no run: shows what was kept

Each peer runs each program at each size in a process of its own. The first call is timed, with
empty caches and compilation included, and its result is compared with NumPy's. Then calls are timed
in rounds that go from peer to peer. Each peer has a virtual environment, `jax`, `torch` and `dace`
in the folder `--peers-in`, which `make array-programs` fills; one that is not installed takes no
part. DaCe's products want Debian's libopenblas-dev and liblapacke-dev. What a peer says where it
fails is in the raw file alone.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from tests.benchmarks.array_programs.program import SIZES, Program
from tests.benchmarks.array_programs.suite import PROGRAMS
from tests.benchmarks.array_report import NAMES, report
from tests.benchmarks.harness import RESULTS, machine
from tests.benchmarks.npbench_process import REPO, WorkerFailure, WorkerProcess
from tests.benchmarks.npbench_report import Measurement, load, save

WORKER = "tests.benchmarks.array_worker"
# The distribution of each peer that has an environment of its own.
INSTALLED: Mapping[str, str] = {"jax": "jax", "torch": "torch", "dace": "dace"}
# A turn of a peer in a round: about this long, in times of about a millisecond.
TURN_SECONDS, TIME_SECONDS = 0.03, 0.001
# Threads of OpenBLAS wait for work in a busy loop: for so long a peer would share a processor with
# those of the one before.
REST_SECONDS = 0.05
LONG_FIRST = 5.0  # seconds: a first call that takes longer is made once
# Relative to the greatest element of a result.
BOUNDS: Mapping[str, float] = {"float64": 1e-9, "float32": 1e-3}


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be run, and how patiently."""

    pythons: Mapping[str, str]  # of each peer that takes part, NumPy first
    threads: int
    rounds: int
    starts: int  # processes of a peer whose first calls are timed
    limit: float  # seconds that a request may take


def pythons(wanted: Sequence[str], folder: Path) -> dict[str, str]:
    """Return the Python of each peer that is wanted and installed, NumPy first."""
    found = {"numpy": sys.executable}
    for peer in wanted:
        python = folder / peer / "bin" / "python"
        if peer not in INSTALLED:
            found[peer] = sys.executable
        elif python.exists() and _version(str(python), INSTALLED[peer]):
            found[peer] = str(python)
    return found


def _version(python: str, package: str) -> str:
    code = f"from importlib.metadata import version; print(version({package!r}))"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    return done.stdout.strip()


class Contest:
    """The peers at one program and one size, from their first calls to their medians."""

    def __init__(self, plan: Plan, program: Program, size: str, scratch: Path) -> None:
        self.plan, self.program, self.size, self.scratch = plan, program, size, scratch
        self.workers: dict[str, WorkerProcess] = {}
        self.firsts: dict[str, list[float]] = {}
        self.times: dict[str, list[float]] = {}
        self.failures: dict[str, str] = {}

    def enter(self, peer: str) -> None:
        """Make first calls, each in a new process; the last of them plays."""
        firsts = self.firsts.setdefault(peer, [])
        while len(firsts) < self.plan.starts and max(firsts, default=0.0) < LONG_FIRST:
            if peer in self.workers:
                self.workers.pop(peer).close()
            self.workers[peer] = self._started(peer)
            try:
                firsts.append(self.workers[peer].ask(self.plan.limit, do="first").seconds)
            except WorkerFailure as failure:
                self._drop(peer, str(failure))
                return
        if peer != "numpy" and (complaint := self._difference(peer)):
            self._drop(peer, f"wrong: {complaint}")

    def play(self) -> None:
        """Time calls in rounds; one before them says how many calls fit into a turn."""
        counts: dict[str, tuple[int, int]] = dict.fromkeys(self.workers, (1, 1))
        for number in range(-2, self.plan.rounds):
            for peer in list(self.workers):
                time.sleep(REST_SECONDS)
                times = self._turn(peer, *counts[peer])
                if times and number < 0:
                    calls = max(1, int(TIME_SECONDS / max(times[-1], 1e-7)))
                    fitting = int(TURN_SECONDS / max(times[-1] * calls, 1e-7))
                    counts[peer] = max(1, fitting), calls
                elif times:
                    self.times.setdefault(peer, []).append(statistics.median(times))
            if self.workers:  # another peer begins the next round
                first = next(iter(self.workers))
                self.workers[first] = self.workers.pop(first)

    def measurements(self) -> list[Measurement]:
        """Return what became of each peer."""
        place = (self.program.name, self.size)
        failed = [Measurement(*place, peer, failure=text) for peer, text in self.failures.items()]
        ran = [
            Measurement(
                *place, peer, statistics.median(self.firsts[peer]), statistics.median(times)
            )
            for peer, times in self.times.items()
            if peer not in self.failures
        ]
        return [*ran, *failed]

    def close(self) -> None:
        """End all processes."""
        for worker in self.workers.values():
            worker.close()

    def _started(self, peer: str) -> WorkerProcess:
        scratch = Path(tempfile.mkdtemp(dir=self.scratch))
        arguments = [self.program.name, peer, self.size, str(self.plan.threads), str(self.scratch)]
        return WorkerProcess(
            [WORKER, *arguments],
            python=self.plan.pythons[peer],
            environment=_environment(self.plan.threads, scratch),
            errors=self.scratch / f"{peer}.log",
        )

    def _turn(self, peer: str, times: int, calls: int) -> Sequence[float]:
        try:
            worker = self.workers[peer]
            return worker.ask(self.plan.limit, do="repeat", times=times, calls=calls).times
        except WorkerFailure as failure:
            self._drop(peer, str(failure))
            return ()

    def _drop(self, peer: str, why: str) -> None:
        self.failures[peer] = why
        self.workers.pop(peer).close()

    def _difference(self, peer: str) -> str | None:
        """Return how the first result of a peer differs from NumPy's."""
        with (
            np.load(self.scratch / "numpy.npz") as wanted,
            np.load(self.scratch / f"{peer}.npz") as found,
        ):
            if len(wanted.files) != len(found.files):
                return f"{len(found.files)} results, NumPy has {len(wanted.files)}"
            for name in wanted.files:
                if complaint := unlike(wanted[name], found[name], exact=peer == "scriptc"):
                    return f"{name} {complaint}"
        return None


def unlike(wanted: Any, found: Any, *, exact: bool) -> str | None:
    if exact and (wanted.dtype, wanted.shape) != (found.dtype, found.shape):
        return f"is {found.dtype}{found.shape}, NumPy's {wanted.dtype}{wanted.shape}"
    if wanted.size != found.size:  # DaCe has arrays of one element for numbers
        return f"has shape {found.shape}, NumPy's {wanted.shape}"
    bound = BOUNDS.get(wanted.dtype.name, 0.0) * float(np.max(np.abs(wanted)))
    off = np.abs(wanted.ravel().astype(float) - found.ravel().astype(float))
    return None if np.all(off <= bound) else f"is off by {np.max(off):.2g}"


def _environment(threads: int, scratch: Path) -> Mapping[str, str]:
    """Return variables that give each peer as many threads, and empty caches of its own."""
    pools = ("OMP", "OPENBLAS", "MKL", "NUMEXPR")
    return {
        **{f"{pool}_NUM_THREADS": str(threads) for pool in pools},
        "PYTHONPATH": f"{REPO}{os.pathsep}{REPO / 'runtime'}",
        "PYTHONWARNINGS": "ignore",
        "PYTHONDONTWRITEBYTECODE": "",  # every peer may keep its bytecode, as installed code
        "SCRIPTC_THREADS": str(threads),
        "SCRIPTC_CACHE_DIR": tempfile.mkdtemp(dir=scratch),
        "JAX_PLATFORMS": "cpu",
        "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false" if threads == 1 else "",
        "TORCHINDUCTOR_CACHE_DIR": str(scratch / "torch"),
        "TORCHINDUCTOR_COMPILE_THREADS": str(threads),
        "DACE_CONFIG": str(scratch / "dace.conf"),
        "DACE_default_build_folder": str(scratch / "dace"),
    }


def measured(
    plan: Plan,
    programs: Sequence[Program],
    sizes: Sequence[str],
    keep: Callable[[Measurement], None],
) -> None:
    """Measure programs at all sizes; what one leaves on disk goes with it."""
    for program in programs:
        for size in sizes:
            scratch = Path(tempfile.mkdtemp(prefix="scriptc-arrays-"))
            contest = Contest(plan, program, size, scratch)
            try:
                for peer in plan.pythons:
                    contest.enter(peer)
                contest.play()
            finally:
                contest.close()
                shutil.rmtree(scratch, ignore_errors=True)
            for measurement in contest.measurements():
                keep(measurement)


RULES = """\
Medians of {rounds} interleaved rounds of calls, each the lesser of wall and processor time; each
peer in a process of its own, with {threads}. A first call includes
compilation, with nothing of the program cached; loading the compiler does not count, nor does what
it needs once, which one line has run before: JAX's runtime, and what scriptc compiles once on a
machine for all programs. All compile the source that NumPy runs: JAX with
`jit` on the whole function (float64 on, whole numbers static, with its own arrays as arguments;
what writes into arrays is rewritten with `.at`), torch with `torch.compile`, DaCe with
`auto_optimize=True` for the sizes of the call. First calls in the tables are seconds of all but
NumPy. A dash: the peer refuses the program, fails in it, or gives another result than NumPy."""


def heading(plan: Plan, folder: Path) -> str:
    """Return the title, the machine, what takes part and what does not, and the rules."""
    threads = f"{plan.threads} thread{'s' * (plan.threads > 1)}"
    versions = [
        f"{NAMES[peer]} {_version(plan.pythons[peer], package)}"
        if peer in plan.pythons
        else f"{NAMES[peer]} takes no part"
        for peer, package in INSTALLED.items()
    ]
    title = f"# Array programs, {threads}, {date.today().isoformat()}"
    packages = machine(("scriptc", "numpy", "llvmlite"))
    rules = RULES.format(rounds=plan.rounds, threads=f"{threads} and as many processors")
    return f"{title}\n\n{packages}; {', '.join(versions)}\n\n{rules}"


def main(arguments: argparse.Namespace) -> None:
    """Measure what is asked for, print the table, and write it if that is asked for too."""
    names = [name for name in arguments.only.split(",") if name]
    if unknown := set(names) - {program.name for program in PROGRAMS}:
        raise SystemExit(f"there is no program {', '.join(sorted(unknown))}")
    found = pythons([peer for peer in arguments.peers.split(",") if peer], arguments.peers_in)
    plan = Plan(found, arguments.threads, arguments.rounds, arguments.starts, arguments.limit)
    taken: list[Measurement] = load(arguments.report) if arguments.report else []

    def keep(measurement: Measurement) -> None:
        taken.append(measurement)
        if arguments.raw:
            save(arguments.raw, measurement)
        result = "fails" if measurement.failure else f"{measurement.seconds * 1e6:.1f} us"
        place = (measurement.kernel, measurement.preset, measurement.variant)
        print(*place, f"first call {measurement.first:.3f} s", result, file=sys.stderr, flush=True)

    if not arguments.report:
        programs = [program for program in PROGRAMS if not names or program.name in names]
        measured(plan, programs, arguments.sizes.split(","), keep)
    text = f"{heading(plan, arguments.peers_in)}\n\n{report(taken)}\n"
    print(text)
    if arguments.save:
        RESULTS.mkdir(exist_ok=True)
        suffix = "" if plan.threads == 1 else f"-{plan.threads}-threads"
        path = RESULTS / f"{date.today().isoformat()}-array-programs{suffix}.md"
        path.write_text(text, encoding="utf-8")
        print(path)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Array programs under several compilers.")
    parser.add_argument("--only", default="", help="names of programs, with commas between")
    parser.add_argument("--peers", default="scriptc,jax,torch,dace", help="those beside NumPy")
    parser.add_argument("--sizes", default=",".join(SIZES))
    parser.add_argument("--threads", type=int, choices=(1, 2), default=1, help="and processors")
    parser.add_argument("--rounds", type=int, default=15, help="rounds of calls")
    parser.add_argument("--starts", type=int, default=3, help="processes for first calls")
    parser.add_argument("--limit", type=float, default=300.0, help="seconds a request may take")
    parser.add_argument("--raw", type=Path, help="a file that measurements are added to")
    parser.add_argument("--report", type=Path, help="no run: show what a raw file holds")
    parser.add_argument("--save", action="store_true", help="write the report, too")
    peers = REPO / "build" / "peers"
    parser.add_argument("--peers-in", type=Path, default=peers, help="the peers' environments")
    main(parser.parse_args())
