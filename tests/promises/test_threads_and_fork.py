"""Scripted functions under threads, fork, spawned processes and Ctrl-C."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

from scriptc import script
from scriptc.types import N, f64

REPO = Path(__file__).parents[2]


@script
def norm(x: f64[N]) -> float:
    total = 0.0
    for value in x:
        total += value * value
    return float(total)


def _weigh(x: f64[N], factor: float) -> float:
    total = 0.0
    for value in x:
        total += value * factor
    return float(total)


def _at_once(count: int, work: Callable[[int], object]) -> list[object]:
    barrier = threading.Barrier(count)

    def run(number: int) -> object:
        barrier.wait()
        return work(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


@pytest.mark.parametrize("backend", ["interp", "llvm"])
def test_the_first_call_may_come_from_many_threads(backend: str) -> None:
    scripted = script(_weigh, backend=backend)
    results = _at_once(6, lambda n: scripted(np.ones(4), float(n)))
    assert results == [4.0 * n for n in range(6)]
    assert scripted(np.ones(4), 2.0) == 8.0


def test_many_threads_may_add_specialisations() -> None:
    def add(x, y):  # pyright: ignore  # the types are those of the calls
        return x + y  # pyright: ignore

    scripted = script(add)  # pyright: ignore
    kinds = [1, 1.5, "a", np.float64(2.0), np.ones(2), np.ones((2, 2))]

    def work(number: int) -> object:
        value = kinds[number]
        return [np.array_equal(scripted(value, value), value + value) for _ in range(50)]  # pyright: ignore

    assert all(all(r) for r in _at_once(len(kinds), work))  # pyright: ignore


def test_a_forked_child_goes_on() -> None:
    assert norm(np.ones(3)) == 3.0
    child = os.fork()
    if child == 0:
        # In the child: an old specialisation, then one that is compiled here.
        fresh = script(_weigh)
        good = norm(np.ones(4)) == 4.0 and fresh(np.ones(3), 2.0) == 6.0
        os._exit(0 if good else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert norm(np.ones(5)) == 5.0


_FORK_WHILE_COMPILING = """
import os, threading, time
import numpy as np
from scriptc import script

ROWS = np.ones((2, 3))

def sorted_curve(x):
    return np.sort(np.exp(x) * 2.0).sum() + np.median(x)

def doubled(x):
    return x.sum() * 2.0

compiling = threading.Thread(target=lambda: script(sorted_curve){use})
compiling.start()
time.sleep({delay})
child = os.fork()
if child == 0:
    os._exit(0 if script(doubled)(np.ones(5)) == 10.0 else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
compiling.join()
"""


@pytest.mark.sampled(3)
@pytest.mark.parametrize("delay", [0.05, 0.2])
@pytest.mark.parametrize(
    "use", ["(ROWS)", ".compile(ROWS)", '.dump("low", ROWS)', ".explain(ROWS)"]
)
def test_a_fork_waits_for_the_compilations_of_other_threads(
    use: str, delay: float, tmp_path: Path
) -> None:
    program = tmp_path / "program.py"
    program.write_text(_FORK_WHILE_COMPILING.format(delay=delay, use=use))
    environment = os.environ | {
        "PYTHONPATH": f"{REPO}:{REPO / 'runtime'}",
        "SCRIPTC_CACHE_DIR": str(tmp_path / "cache"),
    }
    done = subprocess.run(
        [sys.executable, str(program)],
        env=environment, capture_output=True, text=True, timeout=100, check=True,
    )  # fmt: skip
    assert done.stdout == "0\n"


_WITHOUT = """
import os, sys, threading
import numpy as np
from scriptc import script
from scriptc.cache import store

def no_thread(*args, **kwargs):
    raise RuntimeError("can't start new thread")

def unreadable(store):
    raise OSError("gone")

def doubled(x):
    return x.sum() * 2.0

if {threads} is False:
    threading._start_new_thread = no_thread
if {sources} is False:
    store.Store._learn = unreadable
print(script(doubled)(np.ones(5)), script(doubled)(np.ones((2, 5))))
"""


@pytest.mark.parametrize(("threads", "sources"), [(False, True), (True, False), (False, False)])
def test_a_cold_start_without_threads_or_sources(
    threads: bool, sources: bool, tmp_path: Path
) -> None:
    """Where no thread can start, its work is done at once; what has no digest is not kept."""
    program, cache = tmp_path / "program.py", tmp_path / "cache"
    program.write_text(_WITHOUT.format(threads=threads, sources=sources))
    environment = os.environ | {
        "PYTHONPATH": f"{REPO}:{REPO / 'runtime'}",
        "SCRIPTC_CACHE_DIR": str(cache),
    }
    done = subprocess.run(
        [sys.executable, str(program)],
        env=environment, capture_output=True, text=True, timeout=100, check=True,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("10.0 20.0\n", "")
    assert any(cache.glob("*.o")) is sources


def test_a_scripted_function_goes_to_another_process() -> None:
    with get_context("spawn").Pool(1) as pool:
        assert pool.map(norm, [np.ones(2), np.ones(3)]) == [2.0, 3.0]


def test_ctrl_c_ends_a_long_loop(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        # A shell that starts the tests in the background has Ctrl-C ignored, which is inherited.
        "import signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from scriptc import script\n"
        "@script\n"
        "def spin(n: int) -> int:\n"
        "    total = 0\n"
        "    i = 0\n"
        "    while i < n:\n"
        "        total = (total * 31 + i) % 1000003\n"
        "        i += 1\n"
        "    return total\n"
        "spin(10)\n"
        "print('ready', flush=True)\n"
        "try:\n"
        "    spin(10**15)\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped', spin(10))\n"
    )
    environment = os.environ | {"PYTHONPATH": f"{REPO}:{REPO / 'runtime'}"}
    process = subprocess.Popen(
        [sys.executable, str(program)], stdout=subprocess.PIPE, text=True, env=environment
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    threading.Event().wait(0.3)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=20)
    assert out.startswith("stopped ")
