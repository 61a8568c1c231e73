"""One variant of one NPBench kernel in a process of its own, which answers in lines of JSON.

    python -m tests.benchmarks.npbench_worker CHECKOUT KERNEL VARIANT SCRATCH BUILDS

Requests come on the standard input:

    {"do": "load"}                        import the framework, find or build the function
    {"do": "first", "preset": "S"}        make a first call, time it, compare it with NumPy's
    {"do": "repeat", "count": 3}          time more calls, each on fresh copies of what calls change

NumPy's worker makes the inputs and the answer of a preset and keeps them in the folder SCRATCH,
where those of the other variants find them. The folder BUILDS keeps what is built ahead. What a
kernel prints goes to the standard error. DaCe's worker runs under another Python, with an older
NumPy.
"""

import importlib
import json
import math
import os
import pickle
import sys
import time
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import FunctionType, TracebackType
from typing import cast

import numpy as np

from tests.benchmarks import npbench_builds
from tests.benchmarks.npbench_suite import (
    BUILT,
    FUNCTIONAL,
    Answer,
    Kernel,
    answer,
    difference,
    kernels,
)

# The variable that says whether timed calls stay on one processor: JAX shares out its work whatever
# its flags say, and takes half the wall's time then.
ONE_PROCESSOR = "NPBENCH_ONE_PROCESSOR"


@dataclass(frozen=True, slots=True)
class Reply:
    """What a worker answers: an error alone, or what it was asked for."""

    error: str = ""
    seconds: float = math.nan  # the first call, or loading
    built: float = 0.0  # what building took, now or when it was done
    difference: str | None = None  # from NumPy's answer
    times: Sequence[float] = ()  # each the lesser of the wall's and the processor's time


class Worker:
    """The state between requests: a loaded function, then inputs."""

    def __init__(
        self, checkout: Path, kernel: Kernel, variant: str, scratch: Path, builds: Path
    ) -> None:
        self.checkout, self.kernel, self.variant = checkout, kernel, variant
        self.scratch, self.builds = scratch, builds
        self.function: Callable[..., object] | None = None
        self.inputs: Mapping[str, object] = {}
        self.changed: Set[str] = frozenset()  # the arrays that a call changes

    def reply(self, request: Mapping[str, object]) -> Reply:
        """Do what one line asks for."""
        match request["do"]:
            case "load":
                return self.load()
            case "first":
                return self.first(str(request["preset"]))
            case "repeat":
                if os.environ.get(ONE_PROCESSOR):
                    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
                count = cast("int", request["count"])
                return Reply(times=[self.timed(self.changed)[0] for _ in range(count)])
            case other:
                raise ValueError(f"there is no request {other!r}")

    def load(self) -> Reply:
        """Load the function, and build it where that happens before the first call."""
        start = _framework(self.variant)
        seconds = 0.0
        if self.variant in BUILT:
            place = (self.builds, self.checkout, self.kernel, self.variant)
            folder, seconds = npbench_builds.build(*place)
            begin = time.perf_counter()
            self.function = npbench_builds.load(folder, self.kernel, self.variant)
        else:
            begin = time.perf_counter()
            self.function = start(self.checkout, self.kernel, self.variant)
        return Reply(seconds=time.perf_counter() - begin, built=seconds)

    def first(self, preset: str) -> Reply:
        """Make the first call on the inputs of a preset and compare."""
        path = self.scratch / f"{self.kernel.name}-{preset}.pickle"
        if self.variant == "numpy":
            self.inputs = self.kernel.inputs(self.checkout, preset)
            seconds, given = self._first_call()
            arrays = {name: given.arrays[name] for name in given.changed}
            with path.open("wb") as file:
                # The fifth names functions that DaCe's NumPy does not have.
                pickle.dump((self.inputs, replace(given, arrays=arrays)), file, protocol=4)
            return Reply(seconds=seconds)
        with path.open("rb") as file:
            self.inputs, want = cast("tuple[Mapping[str, object], Answer]", pickle.load(file))
        same = {name: np.asarray(self.inputs[name]) for name in self.kernel.arrays}
        want = replace(want, arrays={**same, **want.arrays})
        seconds, given = self._first_call()
        return Reply(seconds=seconds, difference=difference(self.kernel, self.variant, want, given))

    def _first_call(self) -> tuple[float, Answer]:
        seconds, returned, arguments = self.timed(set(self.kernel.arrays))
        arrays = {name: arguments[name] for name in self.kernel.arrays}
        given = answer(returned, arrays, self.inputs)
        self.changed = set(given.changed)
        same = {name: array for name, array in arrays.items() if name not in self.changed}
        self.inputs = {**self.inputs, **same}
        return seconds, given

    def timed(self, fresh: Set[str]) -> tuple[float, object, Mapping[str, object]]:
        """Call once, with copies of the arrays named; return the time, the result, the arguments.

        The processor's time, where it is less, is what an idle machine would show.
        """
        arguments = {
            name: self.copy(self.inputs[name]) if name in fresh else self.inputs[name]
            for name in self.kernel.arguments
        }
        function = self.function
        assert function is not None, "load comes first"
        values, named = list(arguments.values()), dict[str, object]()
        if self.variant == "dace":  # it asks for sizes too, and all by name
            sizes = {name: self.inputs[name] for name in self.kernel.sizes}
            values, named = [], sizes | arguments
        begin, used = time.perf_counter(), time.process_time()
        returned = function(*values, **named)
        seconds, used = time.perf_counter() - begin, time.process_time() - used
        return min(seconds, used), returned, arguments

    def copy(self, array: object) -> object:
        """Copy an input; as NPBench does, JAX is given arrays of its own."""
        if self.variant not in FUNCTIONAL:
            return np.array(array)
        made = importlib.import_module("jax.numpy").array(array)
        return made.block_until_ready()


Loader = Callable[[Path, Kernel, str], Callable[..., object]]


def _framework(variant: str) -> Loader:
    """Import the framework of a variant; the time this takes counts nowhere."""
    match variant:
        case "numpy":
            return lambda checkout, kernel, _: kernel.plain(checkout)
        case "scriptc":
            importlib.import_module("scriptc")
            return _scriptc
        case "njit":
            importlib.import_module("numba")
            return _njit
        case _ if variant.startswith("numba"):
            importlib.import_module("numba")
            return _own_file
        case _ if variant in FUNCTIONAL:
            _start_jax()
            return _jax
        case "pythran":
            return _own_file
        case "dace":
            importlib.import_module("dace")
            return _own_file
        case other:
            raise ValueError(f"there is no variant {other!r}")


def _scriptc(checkout: Path, kernel: Kernel, variant: str) -> Callable[..., object]:
    return importlib.import_module("scriptc").script(kernel.plain(checkout))


def _njit(checkout: Path, kernel: Kernel, variant: str) -> Callable[..., object]:
    """Decorate the function of the unmodified file, and the helpers beside it."""
    njit = importlib.import_module("numba").njit
    module = kernel.module(checkout, variant)
    for name, value in list(vars(module).items()):
        if isinstance(value, FunctionType) and value.__module__ == module.__name__:
            setattr(module, name, njit(value))
    return getattr(module, kernel.function)


def _own_file(checkout: Path, kernel: Kernel, variant: str) -> Callable[..., object]:
    """Return the function of a file that is written for the framework."""
    return getattr(kernel.module(checkout, variant), kernel.function)


def _start_jax() -> None:
    """Import JAX; where one thread is asked for, its pool has to find one processor."""
    every = os.sched_getaffinity(0)
    if os.environ.get("OMP_NUM_THREADS") == "1":
        os.sched_setaffinity(0, {min(every)})
    jax = importlib.import_module("jax")
    jax.config.update("jax_enable_x64", True)
    jax.block_until_ready(jax.numpy.arange(3.0))
    for task in os.listdir("/proc/self/task"):
        os.sched_setaffinity(int(task), every)


def _jax(checkout: Path, kernel: Kernel, variant: str) -> Callable[..., object]:
    """Return a function that waits for its result."""
    function = _own_file(checkout, kernel, variant)
    wait = importlib.import_module("jax").block_until_ready
    return lambda *values: wait(function(*values))


def main(checkout: str, name: str, variant: str, scratch: str, builds: str) -> None:
    """Answer requests until there are no more."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    sys.setrecursionlimit(10_000)

    def fail(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """Answer with the exception that ends the process, whatever a framework raises."""
        send(Reply(error=f"{kind.__name__}: {error}"))
        sys.__excepthook__(kind, error, trace)

    def send(reply: Reply) -> None:
        answers.write(json.dumps(asdict(reply)) + "\n")
        answers.flush()

    sys.excepthook = fail
    kernel = next(k for k in kernels(Path(checkout)) if k.name == name)
    worker = Worker(Path(checkout), kernel, variant, Path(scratch), Path(builds))
    for line in sys.stdin:
        send(worker.reply(json.loads(line)))


if __name__ == "__main__":
    main(*sys.argv[1:6])
