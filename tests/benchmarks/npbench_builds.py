"""Compilers that run ahead of the first call: Pythran and DaCe. Their builds are kept.

A build is a folder under the one that holds them all, named by what goes into it. The file
`outcome.json` in it is written last and says how long it took, or why it failed; where it is
there, nothing is built again. DaCe runs under a Python of its own, so this module imports nothing
that has to be installed; run as a program, it is DaCe's side of a build:

    python -m tests.benchmarks.npbench_builds CHECKOUT KERNEL FOLDER
"""

import hashlib
import importlib
import importlib.util
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

from tests.benchmarks.npbench_suite import Kernel, kernels

Function = Callable[..., object]
REPO = Path(__file__).parents[2]
# The flags NPBench gives.
_PYTHRAN = ("-DUSE_XSIMD", "-fopenmp", "-march=native", "-ffast-math")
_DACE = "auto_opt"  # the last of NPBench's recipes, and DaCe's best
_MESSAGE = 400  # letters of what a compiler says


class BuildError(Exception):
    """The compiler refuses the file."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a build went: its time in seconds, or the message of its failure."""

    seconds: float
    failure: str = ""


def build(kept: Path, checkout: Path, kernel: Kernel, variant: str) -> tuple[Path, float]:
    """Build unless that has been done; return where the build is, and the seconds it took."""
    source = kernel.path(checkout, variant)
    text = repr((source.read_bytes(), _PYTHRAN, _DACE, sys.version))
    folder = kept / f"{variant}-{kernel.name}-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    outcome_file = folder / "outcome.json"
    if not outcome_file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        outcome_file.write_text(json.dumps(asdict(_run(folder, checkout, kernel, variant))))
    outcome = Outcome(**json.loads(outcome_file.read_text()))
    if outcome.failure:
        raise BuildError(outcome.failure)
    return folder, outcome.seconds


def load(folder: Path, kernel: Kernel, variant: str) -> Function:
    """Load what was built."""
    return (_load_pythran if variant == "pythran" else _load_dace)(folder, kernel)


def _run(folder: Path, checkout: Path, kernel: Kernel, variant: str) -> Outcome:
    if variant == "pythran":
        source = str(kernel.path(checkout, variant))
        what = ["pythran.run", *_PYTHRAN, source, "-o", str(_library(folder, kernel))]
    else:
        what = [__spec__.name, str(checkout), kernel.name, str(folder)]
    wall, used = time.perf_counter(), _used()
    done = subprocess.run(
        [sys.executable, "-m", *what],
        check=False,
        capture_output=True,
        text=True,
        errors="replace",
        cwd=folder,  # beside no pyproject.toml, which Pythran's build would read
        env={**os.environ, "PYTHONPATH": str(REPO)},
    )
    # The processors' time, where it is less, is what an idle machine would show.
    seconds = min(time.perf_counter() - wall, _used() - used)
    return Outcome(seconds, _complaint(done.stdout + done.stderr) if done.returncode else "")


def _used() -> float:
    use = resource.getrusage(resource.RUSAGE_CHILDREN)
    return use.ru_utime + use.ru_stime


def _complaint(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if "rror:" in line] or lines[-3:]
    return f"the build fails: {' / '.join(errors)}"[:_MESSAGE]


def _library(folder: Path, kernel: Kernel) -> Path:
    return folder / f"{kernel.file}_pythran.so"  # the name of the module in it


def _load_pythran(folder: Path, kernel: Kernel) -> Function:
    library = _library(folder, kernel)
    spec = importlib.util.spec_from_file_location(library.stem, library)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, kernel.function)


def dace_settings(scratch: Path) -> Mapping[str, str]:
    """Return variables that keep DaCe's own files out of the user's folders."""
    return {"DACE_CONFIG": str(scratch / "dace.conf"), "DACE_cache": "single"}


def _load_dace(folder: Path, kernel: Kernel) -> Function:
    tools = importlib.import_module("dace.sdfg.utils")
    return cast(Function, tools.load_precompiled_sdfg(str(folder / "build")))


def build_with_dace(checkout: str, name: str, folder: str) -> None:
    """Parse, simplify, optimise and compile as NPBench does."""
    dace = importlib.import_module("dace")
    optimisations = importlib.import_module("dace.transformation.auto.auto_optimize")
    kernel = next(k for k in kernels(Path(checkout)) if k.name == name)
    program: Any = getattr(kernel.module(Path(checkout), "dace"), kernel.function)
    graph: Any = program.to_sdfg(simplify=False)
    graph.simplify()
    graph._name = _DACE  # as NPBench; it has no setter
    optimisations.auto_optimize(graph, dace.dtypes.DeviceType.CPU)
    graph.build_folder = str(Path(folder) / "build")
    graph.compile()


if __name__ == "__main__":
    sys.setrecursionlimit(10_000)
    build_with_dace(*sys.argv[1:4])
