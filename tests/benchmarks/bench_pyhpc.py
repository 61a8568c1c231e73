"""pyhpc-benchmarks' three programs beside their versions for JAX and Numba.

    PYHPC_DIR=~/pyhpc-benchmarks python -m tests.benchmarks.bench_pyhpc

The file for NumPy is run as it is, without annotations; `device` stands aside. A variant is a
process of its own for each program and size: its first call, compilation included, and then rounds
in which the variants take turns. One thread each; as JAX takes a second one whatever its flags say,
all threads of a process are held to one processor after its first call, on systems that can do so.
"""

import argparse
import importlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from tests.benchmarks.harness import RESULTS, machine, markdown, readable

VARIANTS = ("scriptc", "numpy", "numba", "jax")
SIZES = (65_536, 1_048_576)
# A program, the prefix of its modules, and its function.
PROGRAMS = {
    "equation_of_state": ("eos", "gsw_dHdT"),
    "isoneutral_mixing": ("isoneutral", "isoneutral_diffusion_pre"),
    "turbulent_kinetic_energy": ("tke", "integrate_tke"),
}
ONE_THREAD = {
    "SCRIPTC_THREADS": "1",
    "NUMBA_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
    "JAX_ENABLE_X64": "1",
    "JAX_PLATFORMS": "cpu",
}
RULES = (
    "First calls in seconds, compilation included, with empty caches; later ones are medians of "
    "rounds in turns, on one processor for all threads of a process. Asked: first calls of at most "
    "2 s, and both JAX and Numba slower: over 1.00."
)


@dataclass(frozen=True, slots=True)
class Measurement:
    """Seconds of one variant: of the first call, and of each later one."""

    first: float
    later: Sequence[float]


def main() -> None:
    """Measure all programs and write the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--worker", nargs=3, metavar=("PROGRAM", "VARIANT", "SIZE"))
    options = parser.parse_args()
    if options.worker:
        program, variant, size = options.worker
        _serve(_ready(program, variant, int(size)))
        return
    rows: list[Sequence[str]] = [
        ("program", "elements", "variant", "first call", "later calls", "its time by ours")
    ]
    for program in PROGRAMS:
        for size in SIZES:
            rows += _rows(program, size, _measured(program, size, options.rounds))
    page = f"# pyhpc-benchmarks, {date.today().isoformat()}\n\n{machine(['numpy', 'numba', 'jax'])}"
    path = RESULTS / f"{date.today().isoformat()}-pyhpc.md"
    path.write_text(f"{page}; one thread\n\n{RULES}\n\n{markdown(rows)}\n", encoding="utf-8")
    print(path.read_text(encoding="utf-8"))


def _rows(program: str, size: int, found: Mapping[str, Measurement]) -> list[Sequence[str]]:
    ours = statistics.median(found["scriptc"].later)
    rows: list[Sequence[str]] = []
    for variant, measured in found.items():
        later = statistics.median(measured.later)
        times = f"{measured.first:.2f} s", readable(later), f"{later / ours:.2f}"
        rows.append((program, f"{size:,}", variant, *times))
    return rows


def _measured(program: str, size: int, rounds: int) -> dict[str, Measurement]:
    """Start a process for each variant, one after the other, and let them take turns."""
    with tempfile.TemporaryDirectory() as folder:
        # New folders: the files for Numba keep their code on disk, as scriptc does.
        caches = {"SCRIPTC_CACHE_DIR": folder, "NUMBA_CACHE_DIR": folder}
        environment = {**os.environ, **ONE_THREAD, **caches}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        workers: dict[str, subprocess.Popen[str]] = {}
        firsts: dict[str, float] = {}
        for variant in VARIANTS:
            command = [sys.executable, "-m", "tests.benchmarks.bench_pyhpc", "--worker"]
            workers[variant] = subprocess.Popen(
                [*command, program, variant, str(size)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env=environment,
            )
            firsts[variant] = _ask(workers[variant])
        later: dict[str, list[float]] = {variant: [] for variant in VARIANTS}
        for _ in range(rounds):
            for variant, worker in workers.items():
                later[variant].append(_ask(worker))
        for worker in workers.values():
            worker.communicate()
    return {variant: Measurement(firsts[variant], later[variant]) for variant in VARIANTS}


def _ask(worker: "subprocess.Popen[str]") -> float:
    assert worker.stdin is not None
    assert worker.stdout is not None
    worker.stdin.write("\n")
    worker.stdin.flush()
    return float(json.loads(worker.stdout.readline()))


def _serve(run: Callable[[], object]) -> None:
    """Time one call for each line that is read."""
    for _ in sys.stdin:
        start = time.perf_counter()
        run()
        print(json.dumps(time.perf_counter() - start), flush=True)
        _hold_to_one_processor()


def _hold_to_one_processor() -> None:
    """Have all threads of this process run on one processor, those to come as well."""
    threads = Path("/proc/self/task")
    if not threads.is_dir():
        return
    one = {min(os.sched_getaffinity(0))}
    for thread in threads.iterdir():
        # One that has ended meanwhile needs no processor.
        with suppress(ProcessLookupError):
            os.sched_setaffinity(int(thread.name), one)


def _ready(program: str, variant: str, size: int) -> Callable[[], object]:
    """Return one call of a program on its own inputs."""
    sys.path.insert(0, os.environ["PYHPC_DIR"])
    package: Any = importlib.import_module(f"benchmarks.{program}")
    prefix, function = PROGRAMS[program]
    kind = "numpy" if variant == "scriptc" else variant
    module: Any = importlib.import_module(f"benchmarks.{program}.{prefix}_{kind}")
    inputs = package.generate_inputs(size)
    if variant == "scriptc":
        from scriptc import script

        scripted = script(getattr(module, function))
        return lambda: scripted(*inputs)
    if hasattr(module, "prepare_inputs"):
        inputs = module.prepare_inputs(*inputs, device="cpu")
    return lambda: module.run(*inputs, device="cpu")


if __name__ == "__main__":
    if "PYHPC_DIR" not in os.environ or not Path(os.environ["PYHPC_DIR"]).is_dir():
        sys.exit("PYHPC_DIR names a checkout of pyhpc-benchmarks")
    main()
