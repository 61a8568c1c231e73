"""Loops that wait for memory against a loop that touches the same memory and computes nothing.

python -m tests.benchmarks.bench_memory                   everything; writes a report
python -m tests.benchmarks.bench_memory --only stencil    what has it in its title; writes none

The peer of each loop is a plain loop of ours that reads the same arrays once and writes the same
arrays once. As that of a C compiler, it stores through the caches and asks for nothing ahead; where
nothing is written, it sums up the same bytes as integers. All arrays are larger than the caches.
One thread; a time is the lesser of the wall's and the processor's, and the smallest of several
calls.

The second table is the memory that a call of a fused expression needs at its peak, beyond what is
there before it: the result, and at most a buffer that fits into a cache.
"""

import argparse
import gc
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

import numpy as np

from scriptc import script
from scriptc.types import K, M, N, f32, f64, i64
from tests.benchmarks.harness import (
    HEADINGS,
    RESULTS,
    Comparison,
    Outcome,
    Side,
    machine,
    markdown,
    measure,
    show,
)
from tests.support.support_code import pool

RATIO = 1.05
PACKAGES = ("scriptc", "numpy", "llvmlite")
ROWS, COLUMNS = 2000, 4003
EDGE = 200  # of a cube
CALLS = 4  # of which the fastest counts
MEGABYTE = 1 << 20
# Beyond its result a call may need this: a buffer that fits into a cache, and what is left of the
# last huge page.
SPARE = 3 * MEGABYTE

# ------------------------------------------------------------- loops that compute next to nothing


@script
def read(a: i64[N]) -> int:
    return int(np.sum(a))


@script
def copy(out: f64[N], a: f64[N]) -> None:
    for i in range(a.shape[0]):
        out[i] = a[i]


@script
def copy_two(out: f64[N], a: f64[N], b: f64[N]) -> None:
    for i in range(a.shape[0]):
        out[i] = a[i] + b[i]


@script
def copy_three(out: f64[N], a: f64[N], b: f64[N], c: f64[N]) -> None:
    for i in range(a.shape[0]):
        out[i] = a[i] + b[i] + c[i]


@script
def sum_of_thirds(a: f64[N], b: f64[N], c: f64[N]) -> f64[N]:
    out = np.empty(a.shape[0])
    for i in range(a.shape[0]):
        out[i] = a[i] + b[i] + c[i]
    return out


@script
def sum_of_eighths(
    a: f64[N], b: f64[N], c: f64[N], d: f64[N], e: f64[N], f: f64[N], g: f64[N], h: f64[N]
) -> f64[N]:
    out = np.empty(a.shape[0])
    for i in range(a.shape[0]):
        out[i] = a[i] + b[i] + c[i] + d[i] + e[i] + f[i] + g[i] + h[i]
    return out


@script
def copy_wider(out: f64[N], a: f32[N]) -> None:
    for i in range(a.shape[0]):
        out[i] = a[i]


@script
def copy_anew(a: f64[N]) -> f64[N]:
    out = np.empty(a.shape[0])
    for i in range(a.shape[0]):
        out[i] = a[i]
    return out


# ------------------------------------------------------------------------------ loops that compute


@script
def fused(out: f64[N], a: f64[N], b: f64[N], c: f64[N]) -> None:
    out[:] = np.sqrt(a * a + b * b) - 0.5 * np.minimum(a, c)


@script
def triad(out: f64[N], a: f64[N]) -> None:
    out += 3.0 * a


@script
def chosen(out: f64[N], a: f64[N], b: f64[N]) -> None:
    out[:] = np.where(a > 0.5, a, -b)


@script
def widened(out: f64[N], a: f32[N]) -> None:
    out[:] = a.astype(np.float64) * 2.0 + 1.0


@script
def returned(a: f64[N]) -> f64[N]:
    return a * a + 2.0 * a + 1.0


@script
def stencil_of_line(out: f64[N], a: f64[N]) -> None:
    out[1:-1] = (a[:-2] + a[1:-1] + a[2:]) / 3.0


@script
def stencil_of_square(out: f64[N, M], a: f64[N, M]) -> None:
    out[1:-1, 1:-1] = 0.2 * (
        a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1]
    )


@script
def stencil_of_cube(out: f64[N, M, K], a: f64[N, M, K]) -> None:
    out[1:-1, 1:-1, 1:-1] = (
        0.125 * (a[2:, 1:-1, 1:-1] - 2.0 * a[1:-1, 1:-1, 1:-1] + a[:-2, 1:-1, 1:-1])
        + 0.125 * (a[1:-1, 2:, 1:-1] - 2.0 * a[1:-1, 1:-1, 1:-1] + a[1:-1, :-2, 1:-1])
        + 0.125 * (a[1:-1, 1:-1, 2:] - 2.0 * a[1:-1, 1:-1, 1:-1] + a[1:-1, 1:-1, :-2])
        + a[1:-1, 1:-1, 1:-1]
    )


@script
def added_rank(out: f64[N, M], a: f64[N, M], u: f64[N], v: f64[M]) -> None:
    out[:] = a + np.outer(u, v)


@script
def shifted_points(out: f64[N, M], a: f64[N, M]) -> None:
    out[:] = a * 2.0 + 1.0


@script
def turned(out: f64[N, M], a: f64[M, N]) -> None:
    out[:] = a.T


@script
def sum_of_columns(a: f64[N, M]) -> f64[M]:
    return np.sum(a, axis=0)


@script
def sum_of_rows(a: f64[N, M]) -> f64[N]:
    return np.sum(a, axis=1)


@script
def largest_of_columns(a: f64[N, M]) -> f64[M]:
    return np.max(a, axis=0)


@script
def mean_of_rows(a: f64[N, M]) -> f64[N]:
    return np.mean(a * a, axis=1)


@script
def times_vector(a: f64[N, M], x: f64[M]) -> f64[N]:
    return a @ x


@script
def vector_times(a: f64[N, M], y: f64[N]) -> f64[M]:
    return y @ a


@script
def both_products(a: f64[N, M], x: f64[M]) -> f64[M]:
    return (a @ x) @ a


# --------------------------------------------------------------------------------- the comparisons


class Arrays(NamedTuple):
    """What the loops work on: vectors and matrices over as many elements, and a cube."""

    a: np.ndarray
    b: np.ndarray
    c: np.ndarray
    out: np.ndarray
    single: np.ndarray
    cube: np.ndarray

    @property
    def shape(self) -> tuple[int, int]:
        """The shape of the matrices."""
        return ROWS, COLUMNS


def arrays() -> Arrays:
    """Return arrays of 64 MB each."""
    random = np.random.default_rng(0)
    a, b, c = (random.random(ROWS * COLUMNS) for _ in range(3))
    cube = a[: EDGE**3].reshape(EDGE, EDGE, EDGE)
    return Arrays(a, b, c, np.zeros_like(a), a.astype(np.float32), cube)


Call = Callable[[], object]


def comparisons(given: Arrays) -> Iterator[tuple[str, Call, Call]]:
    """Yield each loop: its title, a call of it, and one of the loop it is held to."""
    a, b, c, out, single, cube = given
    matrix, into = a.reshape(given.shape), out.reshape(given.shape)
    cube_out = out[: cube.size].reshape(EDGE, EDGE, EDGE)
    x, y = b[:COLUMNS], c[:ROWS]

    words = a.view(np.int64)

    def once() -> object:
        return read(words)

    def over() -> object:
        return copy(out, a)

    yield "elementwise, three inputs", lambda: fused(out, a, b, c), lambda: copy_three(out, a, b, c)
    yield "elementwise, in place", lambda: triad(out, a), lambda: copy_two(out, out, a)
    yield "elementwise, a choice", lambda: chosen(out, a, b), lambda: copy_two(out, a, b)
    yield "elementwise, f32 to f64", lambda: widened(out, single), lambda: copy_wider(out, single)
    yield "elementwise, a new array", lambda: returned(a), lambda: copy_anew(a)
    yield "stencil of a line", lambda: stencil_of_line(out, a), over
    yield "stencil of a square", lambda: stencil_of_square(into, matrix), over
    short = a.size // EDGE * EDGE, (a.size // EDGE, EDGE)
    low, low_out = (x[: short[0]].reshape(short[1]) for x in (a, out))
    yield "stencil of short rows", lambda: stencil_of_square(low_out, low), over
    yield (
        "stencil of a cube",
        lambda: stencil_of_cube(cube_out, cube),
        lambda: copy(out[: cube.size], cube.ravel()),
    )
    yield "a matrix of rank 1 added", lambda: added_rank(into, matrix, y, x), over
    points, points_out = (x[: x.size // 3 * 3].reshape(-1, 3) for x in (a, out))
    yield "rows of three, elementwise", lambda: shifted_points(points_out, points), over
    thirds = points.reshape(3, -1)
    yield (
        "rows of three, sum over axis 1",
        lambda: sum_of_rows(points),
        lambda: sum_of_thirds(*thirds),
    )
    eights = a[: a.size // 8 * 8].reshape(-1, 8)
    yield (
        "rows of eight, sum over axis 1",
        lambda: sum_of_rows(eights),
        lambda: sum_of_eighths(*eights.reshape(8, -1)),
    )
    crosswise = a.reshape(COLUMNS, ROWS).T
    yield "a matrix transposed", lambda: turned(into, a.reshape(COLUMNS, ROWS)), over
    yield "sum over axis 1, Fortran's order", lambda: sum_of_rows(crosswise), once
    yield "sum over axis 0", lambda: sum_of_columns(matrix), once
    yield "sum over axis 1", lambda: sum_of_rows(matrix), once
    yield "maximum over axis 0", lambda: largest_of_columns(matrix), once
    yield "mean of squares over axis 1", lambda: mean_of_rows(matrix), once
    yield "matrix times vector", lambda: times_vector(matrix, x), once
    yield "vector times matrix", lambda: vector_times(matrix, y), once


def side(name: str, call: Call) -> Side:
    """Return a side of a comparison: the fastest of a few calls."""

    def seconds() -> float:
        times: list[float] = []
        for _ in range(CALLS):
            wall, used = time.perf_counter(), time.process_time()
            call()
            times.append(min(time.perf_counter() - wall, time.process_time() - used))
        return min(times)

    call()
    return Side(name, seconds)


# ------------------------------------------------------------------------------------- peak memory


@script
def chain(a: f64[N], b: f64[N]) -> f64[N]:
    low, high = np.minimum(a, b), np.maximum(a, b)
    ratio = (low + 1.0) / (high + 1.0)
    return np.sqrt(ratio * ratio + 1.0) - ratio * (high - low)


@script
def softmax(x: f64[N, M]) -> f64[N, M]:
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


@script
def standardised(x: f64[N, M]) -> f64[N, M]:
    return (x - np.mean(x, axis=0)) / np.std(x, axis=0)


@script
def laplacian(a: f64[N, M]) -> f64[N, M]:
    inner = a[1:-1, 1:-1]
    return a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] - 4.0 * inner


@script
def distance(a: f64[N], b: f64[N]) -> float:
    return np.sqrt(np.sum((a - b) * (a - b))) / np.sum(np.abs(a))


class Peak(NamedTuple):
    """What a call needs at its peak, in bytes: its result, and the rest."""

    title: str
    result: int
    ours: int
    numpy: int

    @property
    def reached(self) -> bool:
        """Whether the call needs a cache-sized buffer at most beside its result."""
        return self.ours <= self.result + SPARE

    def row(self) -> tuple[str, ...]:
        """Return the cells of the report."""
        sizes = (f"{size / MEGABYTE:.1f} MB" for size in (self.result, self.ours, self.numpy))
        return (self.title, *sizes, "reached" if self.reached else "missed")


Expression = tuple[Callable[..., object], Callable[..., object], Sequence[np.ndarray]]


def expressions(given: Arrays) -> Mapping[str, Expression]:
    """Return what is called for its peak: scripted, under NumPy, and with what."""
    matrix, two = given.a.reshape(given.shape), (given.a, given.b)
    return {
        "elementwise, eight operations": (chain, chain.python, two),
        "softmax of rows": (softmax, softmax.python, (matrix,)),
        "columns standardised": (standardised, standardised.python, (matrix,)),
        "five points of a square": (laplacian, laplacian.python, (matrix,)),
        "sums of expressions": (distance, distance.python, two),
    }


def peak(title: str) -> Peak:
    """Measure how much the memory in use grows during a call, in a process that has made none."""
    command = [sys.executable, "-m", "tests.benchmarks.bench_memory", "--peak", title]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return Peak(title, *map(int, done.stdout.split()))


def print_peak(title: str) -> None:
    """Print the bytes of a result, and how much the memory grew for it under either."""
    ours, python, arguments = expressions(arrays())[title]
    small = [a[:8] if a.ndim == 1 else a[:8, :8] for a in arguments]
    ours(*small)  # compiled
    with pool(1):
        grown, result = growth(ours, arguments)
    print(getattr(result, "nbytes", 0), grown, growth(python, arguments)[0])


def growth(function: Callable[..., object], arguments: Sequence[np.ndarray]) -> tuple[int, object]:
    """Return the most memory that is in use during a call, less what is before it; and its result.

    As long as the result is kept, its memory cannot serve the next call.
    """
    gc.collect()
    before = _status("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts anew
    result = function(*arguments)
    return _status("VmHWM") - before, result


def _status(key: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    (line,) = (line for line in lines if line.startswith(f"{key}:"))
    return int(line.split()[1]) * 1024


# --------------------------------------------------------------------------------------- the report


def main(rounds: int, only: str) -> None:
    """Measure, print, and write the report when nothing was left out."""
    given = arrays()
    read(given.a.view(np.int64))  # compiled, with the pool
    outcomes: list[Outcome] = []
    with pool(1):
        for title, ours, peer in comparisons(given):
            if only in title:
                sides = side("scriptc", ours), side("a copy", peer)
                outcomes.append(measure(Comparison(title, *sides, ratio=RATIO), rounds))
                show(outcomes[-1:])
    if not only:
        print(_write(outcomes, [peak(title) for title in expressions(given)], rounds))


def _write(outcomes: Sequence[Outcome], measured: Sequence[Peak], rounds: int) -> Path:
    headings = ("expression", "its result", "growth under scriptc", "under NumPy", "")
    peak_table = markdown([headings, *(peak.row() for peak in measured)])
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{date.today().isoformat()}-memory.md"
    path.write_text(
        f"# memory, {date.today().isoformat()}\n\n{machine(PACKAGES)}\n\n"
        f"One thread; arrays of {ROWS * COLUMNS * 8 / MEGABYTE:.0f} MB. Medians of {rounds} "
        f"interleaved rounds, each the fastest of {CALLS} calls; the peer is a plain loop of "
        f"ours that reads the same arrays once and writes the same arrays once, through the caches."
        f"\n\n"
        f"{markdown([HEADINGS, *(outcome.row() for outcome in outcomes)])}\n\n"
        f"How much the memory in use grows at most during a call (asked: the result and "
        f"{SPARE // MEGABYTE} MB):\n\n{peak_table}\n",
        encoding="utf-8",
    )
    return path


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="rounds of each comparison")
    parser.add_argument("--only", default="", help="a part of the titles to measure")
    parser.add_argument("--peak", default="", help="print the peak of this expression alone")
    options = parser.parse_args()
    if options.peak:
        print_peak(options.peak)
    else:
        main(options.rounds, options.only)
