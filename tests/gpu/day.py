"""The day a GPU is at hand: is it right, how fast is it, and beside whom.

    python -m tests.gpu.day [--out FOLDER] [--small] [right checked speed peers profiles]

Five steps, each under ten minutes; each prints a table and writes it to the folder as JSON, and
`report.md` has all that were written, as tests/benchmarks/results has them:

right     kinds of programs, and every plan with dtypes and odd sizes: bits against machine code,
          errors, and whether memory is given back
checked   the same, small, under compute-sanitizer: memcheck and racecheck
speed     the ceiling of a copy, then each work over sizes, and what a launch costs
peers     the same work by CuPy, PyTorch, JAX and Numba, in turns
profiles  what Nsight Compute says of the three works farthest from the ceiling

Without a GPU, `SCRIPTC_EMULATE_CUDA=1 ... --small` rehearses all of it: its times say nothing.
"""

# Libraries without types, and results of any kind.
# pyright: basic

import argparse
import functools
import json
import math
import shutil
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import scriptc
from scriptc import script
from scriptc.backends.cuda.driver import Driver, open_driver
from scriptc.cli.info import environment
from scriptc.options import emulated_device, from_environment
from tests.gpu.peers import Peer, peers
from tests.gpu.workloads import BY_NAME, IN_ANOTHER_ORDER, WORKS, Work
from tests.support.device_kinds import KINDS, ROUNDED, arguments
from tests.support.program_cases import outcome

Row = dict[str, Any]
DTYPES = ("f8", "f4", "f2", "i8", "i4", "u1")
TIMED = ("f4", "f8")
SECONDS = 0.2  # of each measurement
_SANITIZERS = ("memcheck", "racecheck")


class Day(NamedTuple):
    """What all steps share."""

    folder: Path
    is_small: bool
    driver: Driver

    @property
    def odd_sizes(self) -> Sequence[int]:
        return (33, 1025) if self.is_small else (1, 31, 33, 1000, 1025, 4097, 65_537, 1_000_003)

    @property
    def sizes(self) -> Sequence[int]:
        # What fits into the caches of a GPU says little: 2**24 of f32 are past 60 MB.
        return (1 << 10,) if self.is_small else tuple(1 << k for k in (10, 16, 20, 24, 26, 28))

    @property
    def kinds(self) -> Sequence[Callable[..., Any]]:
        return KINDS[::12] if self.is_small else KINDS


# ---------------------------------------------------------------------------------- right


def right(day: Day) -> Iterator[Row]:
    """Yield what differs from machine code, and counts of what does not."""
    before = _free(day.driver)
    yield from _kinds(day)
    yield from _plans(day)
    yield _an_error(day)
    kept = before - _free(day.driver)
    yield {"what": "memory that is not given back", "result": _shown(kept), "ok": kept < 1 << 28}


def _kinds(day: Day) -> Iterator[Row]:
    wrong = list[str]()
    for function in day.kinds:
        on_device, native = script(function, backend="cuda"), script(function)
        for size in (12, 300):
            given = arguments(function, size)
            found, expected = outcome(on_device, given), outcome(native, given)
            exactly = function.__name__ not in ROUNDED
            if repr(found) != repr(expected) and (exactly or found[0] != expected[0]):
                wrong.append(f"{function.__name__}[{size}]")
    yield {"what": f"{len(day.kinds)} kinds of programs", "result": _listed(wrong), "ok": not wrong}


def _plans(day: Day) -> Iterator[Row]:
    for work in WORKS:
        wrong = list[str]()
        on_device, native = script(work.function, backend="cuda"), script(work.function)
        for dtype in DTYPES[:2] if day.is_small else DTYPES:
            for size in day.odd_sizes:
                given = work.arguments(size, dtype)
                found = np.asarray(on_device(*map(scriptc.to_device, given)))
                expected = np.asarray(native(*given))
                if not _alike(found, expected, exactly=work.name not in IN_ANOTHER_ORDER):
                    wrong.append(f"{dtype}[{size}]")
        what = f"{work.name}, by {work.plan}"
        yield {"what": what, "result": _listed(wrong), "ok": not wrong}


def _alike(found: np.ndarray, expected: np.ndarray, *, exactly: bool) -> bool:
    if found.dtype != expected.dtype or found.shape != expected.shape:
        return False
    if exactly or found.dtype.kind not in "fc":
        return found.tobytes() == expected.tobytes()
    few = math.sqrt(float(np.finfo(found.dtype).eps))
    return np.allclose(found, expected, rtol=few, equal_nan=True)


def _an_error(day: Day) -> Row:
    def picked(x, places):
        return x[places]

    n = day.odd_sizes[-1]
    places = np.arange(n)
    places[[n // 2, n - 1]] = n + 7, n + 8
    try:
        script(picked, backend="cuda")(np.ones(n), places)
    except IndexError as error:
        said = str(error)
        return {"what": "an index out of bounds", "result": said, "ok": f"index {n + 7} is" in said}
    return {"what": "an index out of bounds", "result": "nothing was raised", "ok": False}


def _free(driver: Driver) -> int:
    with driver.entered():
        driver.call("cuCtxSynchronize")
        return driver.memory[0]


def _listed(wrong: Sequence[str]) -> str:
    return f"{len(wrong)} differ: {', '.join(wrong[:8])}" if wrong else "all bits"


# -------------------------------------------------------------------------------- checked


def checked(day: Day) -> Iterator[Row]:
    """Yield what compute-sanitizer says of the step before, with small arrays."""
    tool = shutil.which("compute-sanitizer")
    for kind in _SANITIZERS:
        what = f"compute-sanitizer, {kind}"
        if tool is None:
            yield {"what": what, "result": "not installed", "ok": None}
            continue
        own = (sys.executable, "-m", "tests.gpu.day", "--small", "--out", str(day.folder / kind))
        done = _run(tool, "--tool", kind, "--error-exitcode", "9", *own, "right")
        last = (done.stdout.strip().splitlines() or [""])[-1]
        yield {"what": what, "result": last, "ok": done.returncode == 0}


# ---------------------------------------------------------------------------------- speed


def speed(day: Day) -> Iterator[Row]:
    """Yield the time of each work, and its part of what a copy reaches."""
    for dtype in TIMED:
        for size in day.sizes:
            ceiling = 0.0
            for work in WORKS:
                if _is_too_much(work, size):
                    continue
                given = [scriptc.to_device(a) for a in work.arguments(size, dtype)]
                call = functools.partial(script(work.function, backend="cuda"), *given)
                taken = _timed(day, call, day.driver.wait)
                rate = work.moved(size, dtype) / taken / 1e9
                ceiling = ceiling or rate
                yield {
                    "work": work.name, "plan": work.plan, "dtype": dtype, "elements": size,
                    "microseconds": taken * 1e6, "GB/s": rate, "of a copy": rate / ceiling,
                }  # fmt: skip


def _is_too_much(work: Work, size: int) -> bool:
    """Whether work would take longer than a step may: more than some steps an element."""
    return size > 1 << 24 and work.plan in ("sort", "tile")


def _timed(day: Day, call: Callable[[], object], wait: Callable[[], None]) -> float:
    """Return how many seconds a call takes of the device, or of the host where that is more."""
    call()
    wait()
    count, taken = 1, 0.0
    while True:
        with day.driver.entered():
            begin = time.perf_counter()
            for _ in range(count):
                call()
            wait()
            taken = time.perf_counter() - begin
        if taken >= SECONDS or day.is_small:
            return taken / count
        count = max(count * 2, int(count * SECONDS / max(taken, 1e-9)))


# ---------------------------------------------------------------------------------- peers


def against_peers(day: Day) -> Iterator[Row]:
    """Yield the times of others by ours, medians of rounds in turns."""
    size = day.sizes[-2] if len(day.sizes) > 1 else day.sizes[0]
    for peer in peers():
        if isinstance(peer, str):
            name, _, why = peer.partition(": ")
            yield _compared(name, why)
            continue
        for work in WORKS:
            if not _is_too_much(work, size):
                yield _beside(day, peer, work, size)


def _beside(day: Day, peer: Peer, work: Work, size: int) -> Row:
    given = work.arguments(size, "f4")
    try:
        their_call = functools.partial(peer.made(work), *map(peer.array, given))
        their_call()
        peer.wait()
    except Exception as error:  # whatever a library says that cannot do it
        return _compared(peer.name, f"{work.name}: {type(error).__name__}")
    our_call = functools.partial(
        script(work.function, backend="cuda"), *map(scriptc.to_device, given)
    )
    ours, theirs = list[float](), list[float]()
    for _ in range(1 if day.is_small else 5):
        ours.append(_timed(day, our_call, day.driver.wait))
        theirs.append(_timed(day, their_call, peer.wait))
    return _compared(peer.name, work.name, statistics.median(ours), statistics.median(theirs))


def _compared(peer: str, work: str, ours: float = math.nan, theirs: float = math.nan) -> Row:
    times = {"ours us": ours * 1e6, "theirs us": theirs * 1e6, "theirs / ours": theirs / ours}
    return {"peer": peer, "work": work} | times


# ------------------------------------------------------------------------------- profiles


def profiles(day: Day) -> Iterator[Row]:
    """Yield what Nsight Compute says of the works that reach the least of a copy."""
    written = day.folder / "speed.json"
    rows: list[Row] = json.loads(written.read_text())["rows"] if written.exists() else []
    largest = max((row["elements"] for row in rows), default=0)
    known = [r for r in rows if r["elements"] == largest and r["plan"] not in ("sort", "tile")]
    tool = shutil.which("ncu")
    for row in sorted(known, key=lambda row: row["of a copy"])[:3]:
        what = f"{row['work']} {row['dtype']}[{row['elements']}]"
        if tool is None:
            yield {"what": what, "result": "ncu is not installed", "ok": None}
            continue
        report = day.folder / f"{row['work']}_{row['dtype']}.ncu-rep"
        own = ("--once", row["work"], row["dtype"], str(row["elements"]))
        done = _run(
            tool, "--set", "full", "--force-overwrite", "--export", str(report),
            sys.executable, "-m", "tests.gpu.day", *own,
        )  # fmt: skip
        yield {"what": what, "result": str(report), "ok": done.returncode == 0}


def once(name: str, dtype: str, elements: int) -> None:
    """Do some work a few times, for a profiler."""
    given = [scriptc.to_device(a) for a in BY_NAME[name].arguments(elements, dtype)]
    for _ in range(3):
        script(BY_NAME[name].function, backend="cuda")(*given)


# --------------------------------------------------------------------------------- report

STEPS: dict[str, Callable[[Day], Iterator[Row]]] = {
    "right": right, "checked": checked, "speed": speed, "peers": against_peers,
    "profiles": profiles,
}  # fmt: skip


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "NO"
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:.3g}"
    return "" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


def _markdown(rows: Sequence[Row]) -> str:
    heads = list(rows[0])
    lines = [heads, ["---"] * len(heads), *([_shown(row[head]) for head in heads] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _report(day: Day) -> str:
    """Return what all steps have written, as one page."""
    device = f"{day.driver.name}, {day.driver.architecture}"
    if day.driver.is_emulated:
        device = "A device that this processor plays: a rehearsal, whose times say nothing"
    parts = [f"# A device, {date.today().isoformat()}\n\n{device}\n\n```\n{environment()}\n```\n"]
    for step in STEPS:
        written = day.folder / f"{step}.json"
        if written.exists():
            found = json.loads(written.read_text())
            parts.append(f"\n## {step}\n\n{found['seconds']:.0f} s\n\n{_markdown(found['rows'])}")
    return "".join(parts)


def main(words: Sequence[str]) -> int:
    """Take steps, and return the exit status: 1 where something is not as it should be."""
    parser = argparse.ArgumentParser(description="Measure a GPU.")
    parser.add_argument("steps", nargs="*", choices=[[], *STEPS])
    parser.add_argument("--out", type=Path, default=Path("build/gpu-day"))
    parser.add_argument("--small", action="store_true", help="few programs, small arrays")
    parser.add_argument("--once", nargs=3, metavar=("WORK", "DTYPE", "ELEMENTS"))
    given = parser.parse_args(words)
    warnings.simplefilter("ignore", scriptc.CopyWarning)
    if given.once:
        once(given.once[0], given.once[1], int(given.once[2]))
        return 0
    day = Day(given.out, given.small, open_driver(from_environment().cache_dir, emulated_device()))
    day.folder.mkdir(parents=True, exist_ok=True)
    is_right = True
    for name in given.steps or STEPS:
        begin = time.monotonic()
        rows = list(STEPS[name](day)) or [{"what": "nothing to do", "ok": None}]
        took = {"rows": rows, "seconds": time.monotonic() - begin}
        (day.folder / f"{name}.json").write_text(json.dumps(took, indent=1))
        print(f"## {name}, {took['seconds']:.0f} s\n\n{_markdown(rows)}", flush=True)
        is_right = is_right and all(row.get("ok") is not False for row in rows)
    (day.folder / "report.md").write_text(_report(day))
    print("all is right" if is_right else "SOMETHING IS WRONG")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
