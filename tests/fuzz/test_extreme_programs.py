"""Random programs of extreme ints do in compiled code what they do in CPython, or raise its class.

They run under the guarded allocator (`SCRIPTC_GUARD`), in processes of their own, which may die.
The tests run a few, the same ones each time; `make fuzz-extremes` runs 10,000 others:

    python -m tests.fuzz.test_extreme_programs 10000 [first seed]
"""

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import pytest

from scriptc import script
from tests.support.live_source import module_in

_BATCH = 40
# Seconds of the processor that a step may take, and of a clock where it takes none.
_BUSY, _SILENCE = 30.0, 600.0
# What they do without an end, or without looking for signals, is none of ours.
_OF_OTHERS = ("numpy", "interp")


@dataclass
class Report:
    """What programs showed: those that differ or die, with their text, and how many others."""

    wrong: list[str] = field(default_factory=list[str])
    refused: list[str] = field(default_factory=list[str])
    done: int = 0
    skipped: int = 0


def check(first: int, count: int, guard: str = "end") -> Report:
    """Run the programs of `count` seeds from `first` on."""
    report, end = Report(), first + count
    while first < end:
        first = _run(first, min(_BATCH, end - first), guard, report)
    return report


def _run(first: int, count: int, guard: str, report: Report) -> int:
    """Run programs in one process, until it ends; return the seed to go on with."""
    command = [sys.executable, "-m", "tests.support.extreme_runs", str(first), str(count)]
    process = subprocess.Popen(
        command,
        env=os.environ | {"SCRIPTC_GUARD": guard, "OPENBLAS_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    seed, call, step = first, 0, "start"
    try:
        for kind, *place, text in _messages(process, process.stdout):
            seed, call = place
            match kind:
                case "at":
                    step = text
                case "wrong":
                    report.wrong.append(text)
                case "refused":
                    report.refused.append(text)
                case _:
                    report.done += 1
    except TimeoutError:
        process.kill()
        process.communicate()
        if step in _OF_OTHERS:
            report.skipped += 1
        else:
            report.wrong.append(f"seed {seed}, call {call}, {step}: no end, no look for signals")
        return seed + 1
    _, said = process.communicate()
    if process.returncode == 0:
        return first + count
    if step == "numpy":  # NumPy's own repeat(x, 2**62), for one
        report.skipped += 1
        return seed + 1
    report.wrong.append(f"seed {seed}, call {call}, {step}: {process.returncode}\n{said[-1500:]}")
    # What does not start says nothing of its programs.
    return first + count if step == "start" else seed + 1


def _messages(
    process: "subprocess.Popen[str]", stream: IO[str]
) -> Iterator[tuple[str, int, int, str]]:
    """Yield what a process says.  Raises TimeoutError where it is silent for too long."""
    lines: queue.Queue[str] = queue.Queue()

    def read() -> None:
        for line in stream:
            lines.put(line)
        lines.put("")

    threading.Thread(target=read, daemon=True).start()
    since, used = time.monotonic(), _processor_time(process.pid)
    while True:
        try:
            line = lines.get(timeout=2.0)
        except queue.Empty:
            busy = _processor_time(process.pid) - used
            if busy > _BUSY or time.monotonic() - since > _SILENCE:
                raise TimeoutError from None
            continue
        if not line:
            return
        since, used = time.monotonic(), _processor_time(process.pid)
        kind, seed, call, text = json.loads(line)
        yield kind, seed, call, text


def _processor_time(pid: int) -> float:
    """Return how many seconds a process has computed; others may have the processors."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(sys.platform != "linux", reason="the guard is for Linux")
@pytest.mark.parametrize("guard", ["1", "end"])
def test_extreme_programs_do_what_cpython_does(guard: str) -> None:
    report = check({"1": 0, "end": 1000}[guard], 10, guard)
    assert not report.wrong, "\n\n".join(report.wrong)
    assert report.done >= 6


# Sizes that are known while it is compiled, and that no machine's ints hold.
_IMPOSSIBLE = (
    "np.zeros((1152921504606846976, -2147483648))[1:2]",
    "np.ones((1152921504606846976, 9)).sum()",
    "np.concatenate((np.zeros((4611686018427387904, 0)), np.zeros((4611686018427387904, 0))))",
    "np.tile(np.zeros((2147483648, 0)), (1152921504606846976, 1))",
    "np.zeros((9223372036854775807, 9223372036854775807, 0)).ravel()",
)


@pytest.mark.parametrize("backend", ["interp", "llvm"])
def test_impossible_sizes_are_errors_of_the_program(tmp_path: Path, backend: Any) -> None:
    lines = [f"def f{i}(): return {form}" for i, form in enumerate(_IMPOSSIBLE)]
    module = module_in(tmp_path / "impossible.py", "\n".join(["import numpy as np", *lines]))
    for number in range(len(_IMPOSSIBLE)):
        with pytest.raises((ValueError, MemoryError, OverflowError)):
            script(vars(module)[f"f{number}"], backend=backend)()


def main(count: int, start: int) -> int:
    """Check that many programs, half of them in each mode of the guard; return the exit status."""
    total = Report()
    for number, first in enumerate(range(start, start + count, _BATCH)):
        report = check(first, min(_BATCH, start + count - first), "end" if number % 2 else "1")
        for text in report.wrong:
            print(text, end="\n\n", flush=True)
        total.wrong += report.wrong
        total.refused += report.refused
        total.done += report.done
        total.skipped += report.skipped
        if number % 5 == 4:
            print(_summary(total), flush=True)
    print(_summary(total))
    return 1 if total.wrong else 0


def _summary(total: Report) -> str:
    return (
        f"{total.done} programs agree, {len(total.wrong)} differ, {len(total.refused)} refused,"
        f" {total.skipped} that NumPy does not get through"
    )


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000))
