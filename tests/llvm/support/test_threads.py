"""Threads that share loops: the same bits for any number of them, and nothing in the way."""

import ctypes
import math
import os
import platform
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from scriptc import prange, script
from scriptc.backends.llvm import machine
from scriptc.backends.llvm.loading import elfload, processors, symbols
from scriptc.backends.llvm.support import assemble
from scriptc.options import OptionError, from_environment
from scriptc.types import M, N, f64, i64
from tests.support.support_code import pool, regions

REPO = Path(__file__).parents[3]
COUNTS = (1, 2, 7)
Array = Any  # an ndarray of any shape and dtype


@script(backend="llvm")
def long_rounds(out: f64[N], rounds: int) -> None:
    for i in range(out.shape[0]):
        x = 0.5
        for j in range(rounds):
            x = x * 0.999 + 0.001 / (x + j)
        out[i] = x


@script(backend="llvm")
def long_shared_rounds(out: f64[N], rounds: int) -> None:
    for i in prange(out.shape[0]):
        x = 0.5
        for j in range(rounds):
            x = x * 0.999 + 0.001 / (x + j)
        out[i] = x


@script(backend="llvm")
def curve(x: f64[N]) -> f64[N]:
    return np.exp(-x * x) + np.log(x + 2.0)


@script(backend="llvm")
def softmax(x: f64[N, M]) -> f64[N, M]:
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


@script(backend="llvm")
def spread(x: f64[N, M]) -> tuple[f64[N], f64[M], f64[M]]:
    return np.var(x, axis=1), np.sum(x, axis=0), np.max(x, axis=0)


@script(backend="llvm")
def smooth(x: f64[N], rounds: int) -> None:
    for _ in range(rounds):
        x[1:-1] = 0.25 * x[:-2] + 0.5 * x[1:-1] + 0.25 * x[2:]


@script(backend="llvm")
def powers(base: i64[N], exponent: i64[N]) -> i64[N]:
    return base**exponent


@script(backend="llvm")
def put(target: f64[N, M], source: f64[N, M]) -> None:
    target[...] = source * 2.0


@script(backend="llvm")
def products(x: f64[N], y: f64[M]) -> f64[N]:
    return np.sum(np.exp(x[:, None] * y), axis=1)


SIZES = (0, 1, 2, 6, 7, 8, 63, 64, 65, 449, 1023, 1024, 1025, 8193, 100_003)


def _bits(result: object) -> object:
    if isinstance(result, tuple):
        return [_bits(item) for item in cast("tuple[object, ...]", result)]
    return np.asarray(result).tobytes()


def _same_for_all(call: Callable[[], object]) -> None:
    results: list[object] = []
    for threads in COUNTS:
        for everything in (False, True):
            with pool(threads, everything=everything):
                results.append(_bits(call()))
    assert results == results[:1] * len(results)


@pytest.mark.parametrize("size", SIZES)
def test_vectors_of_every_size_have_the_same_bits(size: int) -> None:
    x = np.random.default_rng(size).standard_normal(size)

    def smoothed() -> Array:
        result = x.copy()
        smooth(result, 3)
        return result

    _same_for_all(lambda: curve(np.abs(x)))
    _same_for_all(lambda: curve(np.abs(x)[::-1]))
    _same_for_all(smoothed)


@pytest.mark.parametrize(
    "shape", [(0, 5), (5, 0), (1, 9), (7, 1), (13, 1000), (3000, 40), (9, 1025)]
)
def test_rows_and_columns_have_the_same_bits(shape: tuple[int, int]) -> None:
    x = np.random.default_rng(1).standard_normal(shape)
    for array in (x, x[::-1], np.asfortranarray(x)):
        if shape[1]:
            _same_for_all(lambda a=array: softmax(a))
        if shape[0]:
            _same_for_all(lambda a=array: spread(a))


@script(backend="llvm")
def total(x: f64[N]) -> np.float64:
    return np.sum(x)


@script(backend="llvm")
def folds(x: f64[N, M]) -> tuple[np.float64, np.float64, np.float64]:
    return np.sum(x * x), np.min(x), np.max(np.abs(x))


@script(backend="llvm")
def positive(x: f64[N, M]) -> np.int64:
    return np.sum(x > 0.0)  # pyright: ignore[reportReturnType]  # NumPy's stubs say it is a bool


@pytest.mark.parametrize("size", [0, 1, 65535, 65536, 65537, 131_073, 16_777_217])
def test_sums_have_the_same_bits_and_are_precise(size: int) -> None:
    x = np.random.default_rng(4).standard_normal(size)
    _same_for_all(lambda: total(x))
    exact = math.fsum(x)
    bound = 4.0 * math.log2(max(size, 2)) * np.finfo(float).eps * float(np.sum(np.abs(x)))
    assert abs(total(x) - exact) <= bound
    # In memory that is laid out otherwise, too.
    assert total(np.repeat(x, 2)[::2]) == total(x) == total(x[::-1].copy()[::-1])


@pytest.mark.parametrize("shape", [(1, 1), (3, 70_000), (70_000, 3), (700, 701), (65_537, 1)])
def test_folds_of_rows_have_the_same_bits(shape: tuple[int, int]) -> None:
    x = np.random.default_rng(5).standard_normal(shape)
    for array in (x, x.T.copy().T):
        _same_for_all(lambda a=array: folds(a))
        _same_for_all(lambda a=array: positive(a))
        squares, least, largest = folds(array)
        assert (least, largest, positive(array)) == (x.min(), np.abs(x).max(), (x > 0.0).sum())
        np.testing.assert_allclose(squares, np.sum(x * x), rtol=1e-12)


def test_much_work_is_shared_and_little_is_not() -> None:
    large, small = np.ones(1_000_000), np.ones(1000)
    with pool(2):
        before = regions()
        curve(small)
        assert regions() == before
        curve(large)
        assert regions() > before
    with pool(1):
        before = regions()
        curve(large)
        assert regions() == before


def test_a_function_may_refuse_threads() -> None:
    def scaled(x: f64[N]) -> f64[N]:
        return np.exp(x * 3.0)

    alone, two, every = (script(scaled, backend="llvm", parallel=p) for p in (False, 2, True))
    x = np.linspace(0.0, 1.0, 1_000_000)
    with pool(3):
        before = regions()
        expected = alone(x)
        assert regions() == before
        for shared in (two, every):
            before = regions()
            assert np.array_equal(shared(x), expected)
            assert regions() == before + 1


@pytest.mark.parametrize("parallel", [0, -1, 65, 2.5, "yes"])
def test_a_wrong_number_of_threads_is_refused(parallel: Any) -> None:
    with pytest.raises(OptionError, match=f"parallel is {parallel!r}"):
        from_environment(parallel=parallel)


@pytest.mark.parametrize("name", ["SCRIPTC_DISABLE", "SCRIPTC_VERIFY"])
def test_a_switch_of_the_environment_is_0_or_1(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for given in ("0", "1", ""):
        monkeypatch.setenv(name, given)
        from_environment()
    monkeypatch.setenv(name, "yes")
    with pytest.raises(OptionError, match=f"{name} is 'yes': give 1 or 0"):
        from_environment()


@pytest.mark.parametrize("given", ["-1", "two", "1.5", "65", "٣"])
def test_a_wrong_number_in_the_environment_is_refused(
    given: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCRIPTC_THREADS", given)
    with pytest.raises(OptionError, match="SCRIPTC_THREADS"):
        from_environment()


def test_the_first_failing_round_is_raised_where_it_stands() -> None:
    base = np.full(5000, 3)
    exponent = np.full(5000, 2)
    exponent[[1200, 3900]] = -1
    for threads in COUNTS:
        with pool(threads, everything=True):
            for _ in range(20):
                with pytest.raises(ValueError, match="negative integer powers") as raised:
                    powers(base, exponent)
                last = traceback.extract_tb(raised.value.__traceback__)[-1]
                assert (last.name, last.line) == ("powers", "return base**exponent")
            assert np.array_equal(powers(base, np.abs(exponent)), base ** np.abs(exponent))


def test_where_elements_share_memory_the_last_one_stays() -> None:
    source = np.arange(40_000.0).reshape(400, 100)
    for strides in ((0, 8), (8, 8), (8, 16), (-8, 8)):
        memory = np.zeros((2, 2000))
        for threads in (1, 7):
            place = memory[threads // 7, 500:]
            target = np.lib.stride_tricks.as_strided(place, (400, 100), strides)
            with pool(threads, everything=True):
                before = regions()
                put(target, source)
                assert regions() == before
        assert np.array_equal(memory[0], memory[1])
    for target in (np.zeros((100, 400)).T, np.zeros((800, 400))[::-2, 5:305:3]):
        with pool(7, everything=True):
            before = regions()
            put(target, source)
            assert regions() > before
        assert np.array_equal(target, source * 2.0)


def test_callers_at_once_do_not_disturb_each_other() -> None:
    x = np.random.default_rng(2).random(300_000)
    expected = curve(x)
    wrong: list[int] = []

    def call(number: int) -> None:
        for _ in range(30):
            if not np.array_equal(curve(x), expected):
                wrong.append(number)

    with pool(3):
        callers = [threading.Thread(target=call, args=(n,)) for n in range(4)]
        for caller in callers:
            caller.start()
        for caller in callers:
            caller.join()
    assert wrong == []


def test_other_python_threads_run_beside_much_work() -> None:
    x, y = np.linspace(0.0, 1.0, 20_000), np.linspace(0.0, 1.0, 20_000)
    with pool(1):
        products(x[:10], y)
        rounds, done = 0, threading.Event()

        def work() -> None:
            products(x, y)
            done.set()

        worker = threading.Thread(target=work)
        worker.start()
        while not done.is_set():
            rounds += 1
        worker.join()
    assert rounds > 1000


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux where threads may run")
def test_a_worker_leaves_the_processor_of_its_caller() -> None:
    """In a process of its own, in which no other threads come and go."""
    code = f"import {__name__} as tests; tests.leave_the_processor()"
    settings = {**os.environ, "PYTHONPATH": f"{REPO}{os.pathsep}{REPO / 'runtime'}"}
    subprocess.run([sys.executable, "-c", code], env=settings, cwd=REPO, check=True)


def leave_the_processor() -> None:
    """Call from a thread that has one processor, on which all others are put."""
    x = np.random.default_rng(7).random(300_000)
    allowed = os.sched_getaffinity(0)
    here = min(allowed)
    left: list[bool] = []

    def call() -> None:
        os.sched_setaffinity(0, {here})  # of this thread alone
        curve(x)
        mine = os.getpid(), threading.get_native_id()
        others = [int(name) for name in os.listdir("/proc/self/task") if int(name) not in mine]
        for thread in others:
            os.sched_setaffinity(thread, {here})
        for _ in range(1000):
            curve(x)
        left.extend(os.sched_getaffinity(thread) == allowed - {here} for thread in others)

    with pool(2, everything=True):
        caller = threading.Thread(target=call)
        caller.start()
        caller.join()
    assert any(left) or len(allowed) == 1


def test_a_child_has_threads_of_its_own() -> None:
    x = np.random.default_rng(3).random(300_000)
    expected = curve(x)
    stop = threading.Event()

    def grandchild() -> int:
        return _in_child(lambda: _works(x, expected))

    def busy() -> None:
        while not stop.is_set():
            curve(x)

    with pool(3):
        others = [threading.Thread(target=busy) for _ in range(2)]
        for other in others:
            other.start()
        try:
            for _ in range(10):
                assert _in_child(lambda: _works(x, expected) and grandchild() == 0) == 0
                assert np.array_equal(curve(x), expected)
        finally:
            stop.set()
            for other in others:
                other.join()


def _works(x: Array, expected: Array) -> bool:
    before = regions()
    return all(np.array_equal(curve(x), expected) for _ in range(3)) and regions() > before


def _in_child(good: Callable[[], bool]) -> int:
    child = os.fork()
    if child == 0:
        status = 2
        try:
            status = 0 if good() else 1
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


FLUSH = """
declare void @llvm.x86.sse.stmxcsr(ptr)
declare void @llvm.x86.sse.ldmxcsr(ptr)
define i32 @exchange(i32 %new) {
  %word = alloca i32
  call void @llvm.x86.sse.stmxcsr(ptr %word)
  %old = load i32, ptr %word
  store i32 %new, ptr %word
  call void @llvm.x86.sse.ldmxcsr(ptr %word)
  ret i32 %old
}
"""


@pytest.mark.skipif(platform.machine() != "x86_64", reason="sets a register of x86")
def test_workers_round_as_the_caller_does() -> None:
    code = elfload.load(machine.compile_to_object(FLUSH), symbols.resolve)
    exchange = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_uint32)(code["exchange"])
    target, source = np.zeros((64, 100)), np.full((64, 100), 1e-310)
    with pool(7, everything=True):
        put(target, source)  # the workers are there before the mode changes
        before = exchange(0x1F80)
        exchange(before | 0x8040)  # denormals are zero, in and out
        try:
            for _ in range(50):
                put(target, source)
                assert not target.any()
        finally:
            exchange(before)
        put(target, source)
        assert np.array_equal(target, source * 2.0)


@pytest.mark.parametrize("system", ["linux", "darwin", "win32", "another"])
def test_there_is_a_pool_for_every_system(system: str) -> None:
    assert machine.compile_to_object(assemble.arrays_text(system), optimise=0)


def test_a_limit_of_the_control_group_is_found(tmp_path: Path) -> None:
    listed = tmp_path / "cgroup"
    for name, text in (
        ("two/outer/inner/cpu.max", "max 100000\n"),
        ("two/outer/cpu.max", "250000 100000\n"),
        ("one/cpu,cpuacct/box/cpu.cfs_quota_us", "100000\n"),
        ("one/cpu,cpuacct/box/cpu.cfs_period_us", "100000\n"),
        ("one/cpu/free/cpu.cfs_quota_us", "-1\n"),
        ("one/cpu/free/cpu.cfs_period_us", "100000\n"),
        ("shown/cpu.max", "10000 100000\n"),
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for line, root, expected in (
        ("0::/outer/inner\n", "two", 3),
        ("0::/outer/other\n", "two", 3),
        ("4:memory:/box\n3:cpu,cpuacct:/box\n", "one", 1),
        ("1:cpu:/free\n0::/\n", "one", 64),
        ("0::/\n", "shown", 1),
        ("0::/../else\n", "shown", 1),
        ("", "two", 64),
    ):
        listed.write_text(line)
        assert processors.quota(str(tmp_path / root), str(listed)) == expected
    assert processors.quota(str(tmp_path), str(tmp_path / "none")) == 64


def _run(program: str, **variables: str) -> str:
    path = f"{REPO}:{REPO / 'runtime'}"
    environment = os.environ | {"PYTHONPATH": path} | variables
    result = subprocess.run(
        [sys.executable, "-c", PRELUDE + program],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        timeout=100,
    )
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


PRELUDE = """
import os, signal, sys, threading, time
import numpy as np
from tests.support.support_code import regions
from tests.llvm.support.test_threads import curve, products
"""


def test_the_environment_says_how_many_threads_there_are() -> None:
    program = "curve(np.ones(1_000_000)); print(regions())"
    assert _run(program, SCRIPTC_THREADS="1") == "0\n"
    assert _run(program, SCRIPTC_THREADS="3") == "1\n"


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="needs the calls of Linux")
def test_a_process_on_one_processor_shares_nothing() -> None:
    program = "os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\n"
    program += "curve(np.ones(1_000_000)); print(regions())"
    assert _run(program, SCRIPTC_THREADS="") == "0\n"


def test_a_process_ends_while_threads_work() -> None:
    program = """
def work():
    while True:
        curve(np.ones(1_000_000))
threading.Thread(target=work, daemon=True).start()
time.sleep(0.2)
print(regions() > 0)
"""
    assert _run(program, SCRIPTC_THREADS="3") == "True\n"


@pytest.mark.parametrize("threads", ["1", "3"])
def test_ctrl_c_ends_a_long_launch(threads: str) -> None:
    program = """
signal.signal(signal.SIGINT, signal.default_int_handler)
x = np.linspace(0.0, 1.0, 300_000)
products(x[:5], x)
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
start = time.monotonic()
try:
    products(x, x)
except KeyboardInterrupt:
    taken = time.monotonic() - start
    print('stopped', taken < 15, np.array_equal(products(x[:9], x), products(x[:9], x)))
"""
    assert _run(program, SCRIPTC_THREADS=threads) == "stopped True True\n"


@pytest.mark.parametrize("threads", ["1", "3"])
@pytest.mark.parametrize("loop", ["long_rounds", "long_shared_rounds"])
def test_ctrl_c_ends_a_long_round_of_a_shared_loop(threads: str, loop: str) -> None:
    program = f"""
from tests.llvm.support.test_threads import {loop} as rounds
out = np.zeros(4)
rounds(out, 10)
expected = out.copy()
signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
start = time.monotonic()
try:
    rounds(out, 10**12)
except KeyboardInterrupt:
    taken = time.monotonic() - start
    rounds(out, 10)
    print('stopped', taken < 15, np.array_equal(out, expected))
"""
    assert _run(program, SCRIPTC_THREADS=threads) == "stopped True True\n"


def test_a_signal_handler_may_call_what_is_running() -> None:
    program = """
x = np.linspace(0.0, 1.0, 30_000)
expected = products(x[:50], x)
found = []
def handle(number, frame):
    found.append(np.array_equal(products(x[:50], x), expected))
signal.signal(signal.SIGALRM, handle)
signal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)
whole = products(x, x)
signal.setitimer(signal.ITIMER_REAL, 0.0)
print(len(found) > 0, all(found), np.array_equal(whole[:50], expected))
"""
    assert _run(program, SCRIPTC_THREADS="3") == "True True True\n"
