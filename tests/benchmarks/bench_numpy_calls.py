"""Single calls of NumPy in scripts against NumPy itself, for arrays of several shapes and dtypes.

python -m tests.benchmarks.bench_numpy_calls                 everything; writes a report
python -m tests.benchmarks.bench_numpy_calls --only cumsum   what has it in its text; writes none

Both sides run on one thread, in a process for each dtype, and take turns. What is reported is the
median of the ratios of the rounds: below 1 a script is faster than NumPy. A large array is a new
one in each call, on both sides, so a ratio of calls that only write one says little.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

import numpy as np

from scriptc import ScriptError, script
from tests.benchmarks.harness import RESULTS, machine, markdown
from tests.live_source import live_module
from tests.pool_settings import pool

PACKAGES = ("scriptc", "numpy", "llvmlite")
DTYPES = ("float64", "float32", "int64", "uint8", "complex128")
SHAPES = ((1000, 1000), (100_000, 8), (8, 100_000), (300, 300), (20, 30))
ROUNDS = 7
SECONDS = 0.15  # of a call and a shape, but for three rounds of each side
SLOWER = 1.15  # what is above is marked, and listed first
SHORT = 1e-4  # seconds: shorter calls are repeated in a round

CALLS = """
np.sum(a)
np.sum(a, axis=0)
np.sum(a, axis=-1)
np.mean(a, axis=-1)
np.max(a, axis=0)
np.min(a, axis=-1)
np.argmax(a)
np.argmax(a, axis=-1)
np.argmin(a, axis=0)
np.std(a, axis=0)
np.var(a, axis=-1)
np.any(a > 3, axis=-1)
np.all(a > 0, axis=0)
np.count_nonzero(a)
np.cumsum(a, axis=0)
np.cumsum(a, axis=-1)
np.cumprod(a, axis=-1)
np.diff(a, axis=0)
np.diff(a, axis=-1)
np.sort(a, axis=-1)
np.argsort(a, axis=-1)
np.median(a)
np.median(a, axis=-1)
np.unique(a)
np.clip(a, 1, 2)
np.where(a > 1, a, b)
a[a > 1]
a * b + a
a - a.mean(axis=-1, keepdims=True)
a - a.mean(axis=0)
a / (b + 1)
a // (b + 1)
a % (b + 1)
np.fmod(a, b + 1)
np.sqrt(a)
np.exp(a)
np.log(a + 1)
np.sin(a)
np.tanh(a)
np.power(a, 2)
a ** 3
np.abs(a - b)
np.maximum(a, b)
np.floor(a)
np.round(a, 2)
np.isnan(a)
a.astype(np.float32)
a.astype(np.int64)
a.T.copy()
a[::-1].copy()
a[..., ::-1].copy()
a[..., ::2].copy()
np.roll(a, 1, axis=0)
np.roll(a, 3, axis=-1)
np.flip(a)
np.concatenate((a, b))
np.stack((a, b))
np.concatenate((a, b), axis=-1)
np.repeat(a, 2, axis=-1)
np.repeat(a, 2, axis=0)
np.tile(a, 2)
np.pad(a, 1)
np.outer(a.ravel()[:1000], b.ravel()[:1000])
np.dot(a.ravel(), b.ravel())
np.allclose(a, b)
np.array_equal(a, b)
np.nansum(a, axis=-1)
np.nanmax(a)
np.nanmin(a, axis=-1)
np.percentile(a, 30)
np.histogram(a, 20)[0]
np.histogram(a, 256, (0, 256))[0]
np.searchsorted(np.linspace(0, 4, 100), a)
np.digitize(a, np.linspace(0, 4, 30))
np.interp(a, np.linspace(0, 4, 100), np.linspace(0, 9, 100))
np.take(a, np.arange(0, len(a), 2), axis=0)
a[np.arange(0, len(a), 2)]
np.nonzero(a > 2)[0]
np.zeros_like(a)
np.ones(a.shape)
a.copy()
a.reshape(-1)[::3].sum()
np.ptp(a, axis=-1)
np.linalg.norm(a)
np.sign(a - 1)
np.logaddexp(a, b)
np.hypot(a, b)
np.arctan2(a, b)
np.floor_divide(a, 0.7)
np.square(a)
np.trapezoid(a, axis=-1)
np.gradient(a, axis=-1)
np.cross(a.ravel()[:30000].reshape(-1, 3), b.ravel()[:30000].reshape(-1, 3))
np.convolve(a.ravel()[:20000], b.ravel()[:31])
np.einsum("...i,...i->...", a, b)
np.bincount(a.ravel().astype(np.int64))
np.add.reduce(a, axis=0)
np.add.accumulate(a, axis=-1)
np.minimum.reduce(a, axis=-1)
np.triu(a.reshape(-1, 1000))
np.swapaxes(a.reshape(-1, 10, 10), 0, 2).copy()
a.reshape(-1, 10, 10).sum(axis=(0, 2))
a.reshape(-1, 10, 10).sum(axis=1)
a.reshape(-1, 10, 10).max(axis=1)
a.reshape(-1, 10, 10).transpose(0, 2, 1).copy()
np.partition(a, 7, axis=-1)
np.partition(a.ravel(), a.size // 3)
np.argpartition(a, 7, axis=-1)
np.median(a, axis=0)
np.nanmedian(a)
np.nanmedian(a, axis=-1)
np.percentile(a, [10, 50, 90], axis=0)
np.quantile(a, 0.3, axis=-1)
a ** 2.5
np.power(a + 1, b)
np.cbrt(a)
np.log1p(a)
np.expm1(a)
np.log2(a + 1)
np.arcsin(a / 5)
np.reciprocal(a + 1)
np.abs(a + 1j * b)
np.exp(1j * a)
(a + 1j * b) * (b - 1j * a)
a @ b.T[:, :100]
a[0] @ b.T
a.T @ b[:, 0]
np.einsum("ij,ik->jk", a, b[:, :20])
np.einsum("ijk,klm->ijlm", a.reshape(-1, 5, 4), b.ravel()[:120].reshape(4, 6, 5))
np.tensordot(a.reshape(-1, 5, 4), b.ravel()[:120].reshape(5, 4, 6), axes=2)
np.einsum("ij,ij->j", a, b)
a.T + b.T
a.T * 2 + 1
a.T - a.T.mean(axis=0)
a.T.sum(axis=0)
a.T.sum(axis=1)
a.T.max(axis=1)
a.T.argmax(axis=1)
a.T.cumsum(axis=1)
a.T.sum()
a.reshape(-1, 10, 10).transpose(2, 0, 1) * b[0, :10, None, None]
a[: len(a.T)][:, : len(a)] + a[: len(a.T)][:, : len(a)].T
np.asfortranarray(a)
np.isin(a, b[0, :10])
np.polyval([1.0, 2.0, 3.0], a)
np.select([a > 3, a > 1], [a, b], 0)
np.diff(a, n=2, axis=-1)
np.cov(a[:8])
np.corrcoef(a[:8])
np.kron(a[:20, :20], b[:20, :20])
np.lexsort((a.ravel(), b.ravel()))
np.add.at(np.zeros(8), a.ravel().astype(np.int64), 1.0)
np.bincount(a.ravel().astype(np.int64), b.ravel())
np.fft.rfft(a, axis=-1)
np.tril(a)
np.vander(a[0], 5)
np.ravel_multi_index((a.astype(np.int64), b.astype(np.int64)), (5, 5))
np.unwrap(a, axis=-1)
np.mean(a)
np.var(a)
np.prod(a, axis=0)
np.argsort(a, axis=0)
""".strip().splitlines()

# `Any`: what the functions of a text take and return is not known.
Call = Callable[[Any, Any], object]
# Ratios by the text of the call, one for each shape; or why there is none.
Ratios = Mapping[str, Sequence[float | str]]

# ---------------------------------------------------------------------------------- one process


def functions() -> Mapping[str, Call]:
    """Return a function for each call, by its text."""
    parts = (f"def call_{i}(a, b):\n    return {call}\n" for i, call in enumerate(CALLS))
    module = live_module("import numpy as np\n" + "".join(parts), "numpy_calls.py")
    return {call: getattr(module, f"call_{i}") for i, call in enumerate(CALLS)}


def ratios_of(dtype: str, only: str) -> dict[str, list[float | str]]:
    """Measure the calls with this in their text."""
    chosen = {call: function for call, function in functions().items() if only in call}
    random = np.random.default_rng(0)
    pairs = [[(random.random(shape) * 4).astype(dtype) for _ in range(2)] for shape in SHAPES]
    with pool(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {
            call: [ratio(script(function), function, a, b) for a, b in pairs]
            for call, function in chosen.items()
        }


def ratio(ours: Call, theirs: Call, a: object, b: object) -> float | str:
    """Return the median of ours by theirs, or who refuses the call."""
    try:
        seconds(theirs, a, b)
    except (TypeError, ValueError):
        return "not in NumPy"
    try:
        ours(a, b)
    except ScriptError:
        return "refused"
    began, found = time.perf_counter(), list[float]()
    times = max(1, int(SHORT / seconds(theirs, a, b)))
    for done in range(ROUNDS):
        if done >= 3 and time.perf_counter() - began > SECONDS:
            break
        found.append(seconds(ours, a, b, times) / seconds(theirs, a, b, times))
    return statistics.median(found)


def seconds(call: Call, a: object, b: object, times: int = 1) -> float:
    """Return the time of some calls."""
    began = time.perf_counter()
    for _ in range(times):
        call(a, b)
    return time.perf_counter() - began


# --------------------------------------------------------------------------------------- report


def measured(dtype: str, only: str) -> Ratios:
    """Return what a process of its own measures, in which NumPy's products have one thread."""
    command = [sys.executable, "-m", "tests.benchmarks.bench_numpy_calls"]
    command += ["--measure", dtype, "--only", only]
    threads = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    result = subprocess.run(
        command, env={**os.environ, **threads}, stdout=subprocess.PIPE, text=True, check=True
    )
    return json.loads(result.stdout)


def section(dtype: str, found: Ratios) -> str:
    """Return the table of a dtype, what is slowest first, and how many calls are how fast."""
    rows = {call: ratios for call, ratios in found.items() if numbers_of(ratios)}
    numbers = [ratio for ratios in rows.values() for ratio in numbers_of(ratios)]
    slower = sum(r > SLOWER for r in numbers)
    order = sorted(rows, key=lambda call: -max(numbers_of(rows[call])))
    heading = ("call", *("x".join(map(str, shape)) for shape in SHAPES))
    table = markdown([heading, *((f"`{call}`", *map(cell, rows[call])) for call in order)])
    refused = [f"`{call}`" for call, ratios in found.items() if "refused" in ratios]
    return (
        f"## {dtype}\n\nMedian of all ratios: {statistics.median(numbers):.2f}; "
        f"{slower} of {len(numbers)} are above {SLOWER}.\n\n{table}\n"
        + (f"\nscriptc refuses {', '.join(refused)}.\n" if refused else "")
    )


def numbers_of(ratios: Sequence[float | str]) -> list[float]:
    """Return the ratios without what stands for those that there are none of."""
    return [ratio for ratio in ratios if not isinstance(ratio, str)]


def cell(ratio: float | str) -> str:
    """Return a ratio as a table shows it."""
    if isinstance(ratio, str):
        return ratio
    return f"**{ratio:.2f}**" if ratio > SLOWER else f"{ratio:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="")
    parser.add_argument("--measure", choices=DTYPES, help="only print what one process measures")
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(ratios_of(options.measure, options.only)))
        return
    sections = [section(dtype, measured(dtype, options.only)) for dtype in DTYPES]
    today = date.today().isoformat()
    text = (
        f"# Calls of NumPy, {today}\n\n{machine(PACKAGES)}\n\n"
        "`python -m tests.benchmarks.bench_numpy_calls`: the time of a script by that of NumPy,\n"
        f"medians of up to {ROUNDS} interleaved rounds, one thread each.\n\n" + "\n".join(sections)
    )
    if options.only:
        print(text)
        return
    path = RESULTS / f"{today}-numpy-calls.md"
    path.write_text(text, encoding="utf-8")
    print(path)


if __name__ == "__main__":
    main()
