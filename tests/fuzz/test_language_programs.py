"""Random programs of the language do compiled, and interpreted, what they do in CPython.

Compared are values with their types, exceptions by class and message, and what is printed; machine
code gives back all the memory it takes. The tests run a few programs, the same ones each time.
`make fuzz-programs` runs 20,000 others, the first of them that is wrong cut down to its core:

    python -m tests.fuzz.test_language_programs 20000 [first seed]

A process of its own runs the programs, so that one that crashes is found, too.
"""

import json
import os
import select
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.language.programs import draw_program
from tests.support.language.reducing import reduced
from tests.support.language.runs import Found, run_program, same_fault

REPO = Path(__file__).parents[2]
_SAVED = 8  # of so many programs one is saved and loaded
_LONGEST = 300.0  # seconds for a program, on a machine that is busy
_MOST_REFUSED = 0.15


def check_seed(seed: int) -> Found:
    """Compare the program of a seed; one in eight is saved and loaded as well."""
    ways = ("interp", "llvm") if seed % _SAVED else ("interp", "llvm", "saved, interp", "saved")
    return run_program(draw_program(seed).text, seed, ways)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("seed", range(48))
def test_language_programs_do_interpreted_what_cpython_does(seed: int) -> None:
    text = draw_program(seed).text
    found = run_program(text, seed, ["interp"])
    assert not found.is_wrong, f"{found.kind}\n{found.details}\n{text}"


@pytest.mark.sampled(24)
@pytest.mark.parametrize("seed", range(48))
def test_language_programs_do_compiled_and_saved_what_cpython_does(seed: int) -> None:
    found = check_seed(seed)
    assert not found.is_wrong, f"{found.kind}\n{found.details}\n{draw_program(seed).text}"


def test_a_wrong_program_is_cut_down_to_its_core() -> None:
    text = "x = 1\nfor i in range(3):\n    y = (x + i) * 2\n    if y > 3:\n        print(y, x)\n"
    assert reduced(text, lambda smaller: "print(" in smaller) == "print(y, x)"


def _work(first: int, end: int) -> None:
    """Print what each program showed, a line before it and one behind."""
    for seed in range(first, end):
        print(json.dumps([seed]), flush=True)
        try:
            found = check_seed(seed)
        except Exception as error:
            found = Found("fails", f"{type(error).__name__}: {error}")
        print(json.dumps([seed, found.kind, found.details]), flush=True)


def _outcomes(first: int, end: int) -> Iterator[tuple[int, Found]]:
    """Yield what the programs showed; a process that dies or hangs is begun anew behind it."""
    while first < end:
        command = [sys.executable, "-m", "tests.fuzz.test_language_programs", "--work"]
        worker = subprocess.Popen(
            [*command, str(first), str(end)],
            cwd=REPO,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONHASHSEED": "0"},  # the order of sets of strings
        )
        assert worker.stdout is not None
        while select.select([worker.stdout], [], [], _LONGEST)[0]:
            line = worker.stdout.readline()
            if not line:
                break
            seed, *told = json.loads(line)
            if told:
                yield seed, Found(*told)
                first = seed + 1
        worker.kill()
        if first < end:
            yield first, Found("fails", f"the process ended: {worker.wait()}")
            first += 1


def main(count: int, start: int) -> int:
    """Check that many programs; return the exit status."""
    os.nice(10)
    counts: Counter[str] = Counter()
    shown: set[str] = set()
    begun = time.monotonic()
    for number, (seed, found) in enumerate(_outcomes(start, start + count), 1):
        counts[found.kind] += 1
        if found.is_wrong:
            print(f"seed {seed}: {found.kind}\n{found.details}\n", flush=True)
            if found.kind not in shown and found.kind != "fails":
                shown.add(found.kind)
                text = reduced(draw_program(seed).text, lambda t, f=found: same_fault(t, f))
                print(f"{text}\n", flush=True)
        if number % 50 == 0:
            seconds = time.monotonic() - begun
            print(f"{number} programs, {seconds / number:.2f} s each: {dict(counts)}", flush=True)
    print(f"{count} programs: {dict(counts)}")
    refused = sum(n for kind, n in counts.items() if kind.startswith("refused"))
    return int(any(Found(kind).is_wrong for kind in counts) or refused > _MOST_REFUSED * count)


if __name__ == "__main__":
    if sys.argv[1] == "--work":
        _work(int(sys.argv[2]), int(sys.argv[3]))
    else:
        sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000))
