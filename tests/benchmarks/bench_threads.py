"""What threads gain: loops of 20 us to 10 ms by one and by two threads, and two Python threads.

python -m tests.benchmarks.bench_threads     leave the machine alone meanwhile; writes a report

One and two threads take turns, and the smallest time of each counts: what else the machine does
only ever adds to a time.
"""

import os
import threading
import time
from collections.abc import Callable, Iterator
from datetime import date

import numpy as np

from scriptc import script
from scriptc.types import M, N, f64
from tests.benchmarks.harness import RESULTS, machine, readable
from tests.support.support_code import pool

# Seconds of one thread: what a loop is sized for.
TIMES = (20e-6, 100e-6, 1e-3, 10e-3)
ROUNDS, ROUND_SECONDS = 30, 0.02
PACKAGES = ("numpy", "llvmlite")
Sized = Callable[[int], Callable[[], object]]


@script
def triad(a: f64[N], b: f64[N], c: f64[N]) -> None:
    a[:] = b + 3.0 * c


@script
def curve(out: f64[N], x: f64[N]) -> None:
    out[:] = np.exp(-x * x) + np.log(x + 2.0)


@script
def softmax(out: f64[N, M], x: f64[N, M]) -> None:
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    out[:] = e / np.sum(e, axis=1, keepdims=True)


@script
def norm(x: f64[N]) -> float:
    return float(np.sum(x * x))


@script
def blur(out: f64[N, M], x: f64[N, M]) -> None:
    out[1:-1, 1:-1] = 0.25 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])


@script
def distances(out: f64[N, N], x: f64[N, M]) -> None:
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            total = 0.0
            for k in range(x.shape[1]):
                difference = x[i, k] - x[j, k]
                total += difference * difference
            out[i, j] = np.sqrt(total)


@script
def escapes(out: f64[N, M], most: int) -> None:
    n, m = out.shape
    for i in range(n):
        for j in range(m):
            x = y = 0.0
            count = 0
            while count < most and x * x + y * y < 4.0:
                x, y = x * x - y * y - 2.0 + 3.0 * i / n, 2.0 * x * y - 1.5 + 3.0 * j / m
                count += 1
            out[i, j] = count


def loops() -> Iterator[tuple[str, Sized]]:
    """Yield each kind of loop: its name, and what makes one over about so many elements."""
    random = np.random.default_rng(0)

    def vectors(n: int) -> Callable[[], object]:
        a, b, c = np.zeros(n), random.random(n), random.random(n)
        return lambda: triad(a, b, c)

    def curves(n: int) -> Callable[[], object]:
        a, b = np.zeros(n), random.random(n)
        return lambda: curve(a, b)

    def rows(n: int) -> Callable[[], object]:
        x = random.random((max(n // 256, 2), 256))
        out = np.zeros_like(x)
        return lambda: softmax(out, x)

    def sums(n: int) -> Callable[[], object]:
        x = random.random(n)
        return lambda: norm(x)

    def images(n: int) -> Callable[[], object]:
        side = max(int(n**0.5), 8)
        x = random.random((side, side))
        out = np.zeros_like(x)
        return lambda: blur(out, x)

    def points(n: int) -> Callable[[], object]:
        x = random.random((max(int((n / 8) ** 0.5), 8), 8))
        out = np.zeros((len(x), len(x)))
        return lambda: distances(out, x)

    def fractals(n: int) -> Callable[[], object]:
        side = max(int((n / 32) ** 0.5), 8)
        out = np.zeros((side, side))
        return lambda: escapes(out, 100)

    yield "a[:] = b + 3.0 * c", vectors
    yield "exp and log of a vector", curves
    yield "softmax of rows of 256", rows
    yield "sum of squares", sums
    yield "stencil of a square", images
    yield "plain loops: distances of points", points
    yield "plain loops: Mandelbrot's set", fractals


def smallest(work: Callable[[], object], seconds: float = ROUND_SECONDS) -> float:
    """Return the shortest of the times that fit into some seconds, and of ten at least."""
    times: list[float] = []
    end = time.perf_counter() + seconds
    while len(times) < 10 or time.perf_counter() < end:
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def processors() -> tuple[int, int]:
    """Return two processors of this machine."""
    first, second, *_ = range(os.cpu_count() or 1)
    return first, second


def pin() -> None:
    """Keep this thread on one processor and all others on another.

    On a busy machine the scheduler may put both threads of the pool on one.
    """
    first, second = processors()
    with pool(2):
        norm(np.ones(10_000_000))  # starts the threads
    for task in os.listdir("/proc/self/task"):
        os.sched_setaffinity(int(task), {second})
    os.sched_setaffinity(0, {first})


def sized(make: Sized, seconds: float) -> Callable[[], object]:
    """Return a loop that one thread takes about so long for."""
    with pool(1):
        count = 1024
        make(count)()  # compiled once
        while (taken := smallest(make(count))) < seconds:
            count *= 2
        return make(int(count * seconds / taken))


def by_threads(work: Callable[[], object]) -> tuple[float, float]:
    """Return the shortest times of one and of two threads."""
    best = [float("inf")] * 2
    for _ in range(ROUNDS):
        for index, threads in enumerate((1, 2)):
            with pool(threads):
                best[index] = min(best[index], smallest(work))
    return best[0], best[1]


def by_callers(work: Callable[[], object], calls: int = 4) -> tuple[float, float]:
    """Return the shortest times of calls by one Python thread, and of half of them by each of two.

    The second one is started, and on a processor of its own, before the clock is.
    """

    def repeat(count: int) -> None:
        for _ in range(count):
            work()

    def together() -> float:
        ready = threading.Barrier(2)

        def other() -> None:
            os.sched_setaffinity(0, {processors()[1]})  # of this thread alone
            ready.wait()
            repeat(calls // 2)

        second = threading.Thread(target=other)
        second.start()
        ready.wait()
        start = time.perf_counter()
        repeat(calls // 2)
        second.join()
        return time.perf_counter() - start

    with pool(1):
        one = min(smallest(lambda: repeat(calls)) for _ in range(ROUNDS))
        return one, min(together() for _ in range(20 * ROUNDS))


def main() -> None:
    """Measure, print, and write the report under today's date."""
    pin()
    lines = [
        f"# threads, {date.today().isoformat()}\n",
        f"{machine(PACKAGES)}\n",
        f"Smallest times of {ROUNDS} interleaved rounds.\n",
        "| loop | one thread | two threads | speed-up |",
        "| --- | --- | --- | --- |",
    ]
    for name, make in loops():
        for seconds in TIMES:
            one, two = by_threads(sized(make, seconds))
            lines.append(f"| {name} | {readable(one)} | {readable(two)} | {one / two:.2f} |")
            print(lines[-1], flush=True)
    name, make = "exp and log, 4 calls by one and by two Python threads", dict(loops())
    one, two = by_callers(sized(make["exp and log of a vector"], 1e-3))
    lines.append(f"| {name} | {readable(one)} | {readable(two)} | {one / two:.2f} |")
    print(lines[-1], flush=True)
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{date.today().isoformat()}-threads.md"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
