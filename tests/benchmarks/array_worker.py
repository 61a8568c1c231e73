"""One array program under one compiler, in a process of its own, which answers in lines of JSON.

    python -m tests.benchmarks.array_worker PROGRAM PEER SIZE THREADS SCRATCH

Requests come on the standard input:

    {"do": "first"}                              make and time the first call, keep its result
    {"do": "repeat", "times": 9, "calls": 5}     nine times, each the mean of five calls

Compiling is part of the first call, loading the compiler is not: each peer runs one line first, as
JAX does to start its backend. So is not what scriptc compiles once on a machine for all programs,
and others bring compiled. The process keeps to as many processors as it may have threads, so that
pools which ask how many there are find these. It runs under the Python of the peer, which need not
have what scriptc needs. The result of the first call is written to SCRATCH.
"""

import importlib
import json
import os
import resource
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, cast

import numpy as np

from tests.benchmarks.array_programs.program import Program
from tests.benchmarks.array_programs.suite import jax_function, program
from tests.benchmarks.npbench_worker import Reply

SEED = 17
Arguments = Sequence[Any]
# Compiles the program for these arguments, where a peer does so ahead; gives the call to be timed.
Compile = Callable[[Program, Arguments], Callable[[], object]]


def _with_numpy() -> Compile:
    return lambda wanted, arguments: lambda: wanted.function(*arguments)


def _doubled(x: Any) -> Any:
    return x * 2.0


def _with_scriptc() -> Compile:
    script = importlib.import_module("scriptc").script
    script(_doubled)(np.arange(3.0))

    def compile(wanted: Program, arguments: Arguments) -> Callable[[], object]:
        function = script(wanted.function)
        return lambda: function(*arguments)

    return compile


def _with_jax() -> Compile:
    """The whole function under `jit`; whole numbers are static."""
    jax = importlib.import_module("jax")
    jax.config.update("jax_enable_x64", True)
    jax.block_until_ready(jax.numpy.arange(3.0))

    def compile(wanted: Program, arguments: Arguments) -> Callable[[], object]:
        static = [place for place, value in enumerate(arguments) if isinstance(value, int)]
        function = jax.jit(jax_function(wanted), static_argnums=static)
        return lambda: jax.block_until_ready(function(*arguments))

    return compile


def _arrays_of_jax(arguments: Arguments) -> Arguments:
    jax = importlib.import_module("jax")
    given = [jax.numpy.array(a) if isinstance(a, np.ndarray) else a for a in arguments]
    return jax.block_until_ready(given)


def _with_torch() -> Compile:
    """torch.compile of the function of NumPy arrays, which it knows how to trace."""
    torch = importlib.import_module("torch")
    torch.set_default_dtype(torch.float64)  # a quotient of ints, as in NumPy
    torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    importlib.import_module("torch._dynamo")
    importlib.import_module("torch._inductor.compile_fx")

    def compile(wanted: Program, arguments: Arguments) -> Callable[[], object]:
        function = torch.compile(wanted.function)
        return lambda: function(*arguments)

    return compile


def _with_dace() -> Compile:
    """The function with `auto_optimize`, compiled for the sizes of these arguments."""
    dace = importlib.import_module("dace")

    def compile(wanted: Program, arguments: Arguments) -> Callable[[], object]:
        names = wanted.function.__code__.co_varnames[: len(arguments)]
        given = dict(zip(names, arguments, strict=True))
        # It would read scriptc's annotations as its own. Whole numbers are constants.
        constant = {name: dace.compiletime for name in given if isinstance(given[name], int)}
        wanted.function.__annotations__ = constant
        parsed = dace.program(auto_optimize=True)(wanted.function)
        compiled = parsed.compile(*arguments)
        passed = {name: value for name, value in given.items() if name not in constant}
        return lambda: compiled(**passed)

    return compile


PEERS: dict[str, Callable[[], Compile]] = {
    "scriptc": _with_scriptc,
    "numpy": _with_numpy,
    "jax": _with_jax,
    "torch": _with_torch,
    "dace": _with_dace,
}


class Worker:
    """The state between requests: the call to be timed."""

    def __init__(self, wanted: Program, peer: str, size: str, kept: Path) -> None:
        self.wanted, self.kept = wanted, kept
        self.arguments: Arguments = wanted.inputs(size, np.random.default_rng(SEED))
        self.compile = PEERS[peer]()
        if peer == "jax":
            self.arguments = _arrays_of_jax(self.arguments)
        self.call: Callable[[], object] = lambda: None

    def reply(self, request: dict[str, object]) -> Reply:
        """Do what one line asks for."""
        if request["do"] == "first":
            return self.first()
        times, calls = cast("int", request["times"]), cast("int", request["calls"])
        return Reply(times=[self.timed(calls) for _ in range(times)])

    def first(self) -> Reply:
        """Compile and call; what the peer has other processes do is part of it."""
        begin, used = time.perf_counter(), _used()
        self.call = self.compile(self.wanted, self.arguments)
        result = self.call()
        seconds = min(time.perf_counter() - begin, _used() - used)
        parts = cast("Sequence[Any]", result) if isinstance(result, tuple | list) else [result]
        np.savez(self.kept, *[np.asarray(part) for part in parts])
        return Reply(seconds=seconds)

    def timed(self, calls: int) -> float:
        """Return the mean time of some calls.

        The processor's time, where it is less, is what an idle machine would show.
        """
        call, rounds = self.call, range(calls)
        begin, used = time.perf_counter(), time.process_time()
        for _ in rounds:
            call()
        seconds, used = time.perf_counter() - begin, time.process_time() - used
        return min(seconds, used) / calls


def _used() -> float:
    """Return the processor's time of this process and of those it has waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def main(name: str, peer: str, size: str, threads: str, scratch: str) -> None:
    """Answer requests until there are no more."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def fail(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """Answer with the exception that ends the process, whatever a compiler raises."""
        send(Reply(error=f"{kind.__name__}: {error}"))
        sys.__excepthook__(kind, error, trace)

    def send(reply: Reply) -> None:
        answers.write(json.dumps(asdict(reply)) + "\n")
        answers.flush()

    sys.excepthook = fail
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-int(threads) :])
    worker = Worker(program(name), peer, size, Path(scratch) / f"{peer}.npz")
    for line in sys.stdin:
        send(worker.reply(json.loads(line)))


if __name__ == "__main__":
    main(*sys.argv[1:6])
