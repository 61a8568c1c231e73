"""What tasks gain: eight small pieces of work that do not depend on each other, by two threads.

python -m tests.benchmarks.bench_out_of_order     leave the machine alone meanwhile; writes a report

Each piece alone is too little to be shared, or has to be done in its order. One and two threads
take turns; medians and smallest times are reported. The last columns are of two threads that share
no tasks: what the program gained before.
"""

import statistics
import time
from collections.abc import Callable, Sequence
from datetime import date

import numpy as np

from scriptc import script
from scriptc.types import M, N, f64
from tests.benchmarks.bench_threads import pin
from tests.benchmarks.harness import RESULTS, machine, readable
from tests.support.support_code import pool, without_tasks

SIZES = (10, 100, 1_000, 2_000, 5_000, 20_000)
ROUNDS, CALLS = 30, 20
PACKAGES = ("numpy", "llvmlite")
Vectors = tuple[f64[N], f64[N], f64[N], f64[N], f64[N], f64[N], f64[N], f64[N]]


def curve(x: f64[M]) -> tuple[float, f64[M]]:
    y = np.exp(x * 0.25)
    z = np.log(y + 2.0)
    return float(np.sum(z * np.exp(-z))), z


def scan(x: f64[M]) -> f64[M]:
    y = np.exp(x)
    for i in range(1, len(y)):
        y[i] = y[i - 1] * 0.5 + y[i]
    return y


def mean_of_roots(x: f64[M]) -> float:
    total, weight = 0.0, 0.0
    for value in x:
        total = total * 0.75 + np.sqrt(value)
        weight = weight * 0.75 + 1.0
    return total / (weight + 1.0)


@script
def curves(v: Vectors) -> tuple[float, Vectors]:
    a, b, c, d, e, f, g, h = v
    p, a2 = curve(a)
    q, b2 = curve(b)
    r, c2 = curve(c)
    s, d2 = curve(d)
    t, e2 = curve(e)
    u, f2 = curve(f)
    m, g2 = curve(g)
    n, h2 = curve(h)
    return p + q + r + s + t + u + m + n, (a2, b2, c2, d2, e2, f2, g2, h2)


@script
def scans(v: Vectors) -> Vectors:
    a, b, c, d, e, f, g, h = v
    return scan(a), scan(b), scan(c), scan(d), scan(e), scan(f), scan(g), scan(h)


@script
def means(v: Vectors) -> tuple[float, f64[N]]:
    a, b, c, d, e, f, g, h = v
    first = mean_of_roots(a) + mean_of_roots(b) + mean_of_roots(c) + mean_of_roots(d)
    rest = mean_of_roots(e) + mean_of_roots(f) + mean_of_roots(g) + mean_of_roots(h)
    return first * rest, a + b


def timed(work: Callable[[], object]) -> list[float]:
    """Return the times of some calls."""
    times: list[float] = []
    for _ in range(CALLS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return times


def measured(work: Callable[[], object]) -> Sequence[list[float]]:
    """Return the times of one thread, of two, and of two without tasks, which take turns."""
    found: tuple[list[float], list[float], list[float]] = [], [], []
    work()
    for _ in range(ROUNDS):
        with pool(1):
            found[0].extend(timed(work))
        with pool(2):
            found[1].extend(timed(work))
            with without_tasks():
                found[2].extend(timed(work))
    return found


def main() -> None:
    """Measure, print, and write the report under today's date."""
    pin()
    random = np.random.default_rng(0)
    lines = [
        f"# tasks, {date.today().isoformat()}\n",
        f"{machine(PACKAGES)}\n",
        f"Medians of {ROUNDS * CALLS} calls in {ROUNDS} interleaved rounds, and in brackets the"
        " ratio of the smallest times.\n",
        "| eight | elements of each | one thread | two | speed-up | two without tasks | speed-up |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for function in (curves, scans, means):
        for size in SIZES:
            a, b, c, d, e, f, g, h = (random.random(size) for _ in range(8))
            vectors = a, b, c, d, e, f, g, h
            every = measured(lambda function=function, vectors=vectors: function(vectors))
            one, two, before = map(statistics.median, every)
            least = [min(times) for times in every]
            lines.append(
                f"| {function.__name__} | {size} | {readable(one)} | {readable(two)} |"
                f" {one / two:.2f} ({least[0] / least[1]:.2f}) | {readable(before)} |"
                f" {one / before:.2f} ({least[0] / least[2]:.2f}) |"
            )
            print(lines[-1], flush=True)
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{date.today().isoformat()}-tasks.md"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
