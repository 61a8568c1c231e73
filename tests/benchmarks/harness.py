"""Measure two sides of a comparison in turns, and report medians with their spread.

A round times one side and then the other, so that a machine that slows down slows both. Each
round gives one ratio; the median of the ratios is reported with its quartiles. The loop around a
short call is part of the time on both sides.
"""

import os
import platform
import statistics
import subprocess
import sys
import timeit
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from importlib.metadata import version
from pathlib import Path

from rich.console import Console
from rich.table import Table

RESULTS = Path(__file__).parent / "results"
# Long enough for the clock, short enough that fifteen rounds stay quick.
ROUND_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Side:
    """One way to do the work; `seconds` does it for one round and returns its time."""

    name: str
    seconds: Callable[[], float]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two sides, and the target: at most `ratio` times the peer's time plus `extra` seconds."""

    title: str
    ours: Side
    peer: Side
    ratio: float
    extra: float = 0.0

    @property
    def target(self) -> str:
        """The target in words."""
        if self.extra:
            return f"{self.peer.name} + {self.extra * 1e3:.0f} ms"
        return f"{self.ratio:.2f} of {self.peer.name}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The times of all rounds of one comparison, in seconds."""

    comparison: Comparison
    ours: Sequence[float]
    peer: Sequence[float]

    @property
    def ratios(self) -> list[float]:
        """Ours by the peer's, round by round."""
        return [mine / other for mine, other in zip(self.ours, self.peer, strict=True)]

    @property
    def reached(self) -> bool:
        """Whether the median keeps to the target."""
        goal = self.comparison
        if goal.extra:
            pairs = zip(self.ours, self.peer, strict=True)
            more = [mine - goal.ratio * other for mine, other in pairs]
            return statistics.median(more) <= goal.extra
        return statistics.median(self.ratios) <= goal.ratio

    def row(self) -> tuple[str, ...]:
        """Return the cells of the report."""
        low, middle, high = statistics.quantiles(self.ratios, n=4)
        return (
            self.comparison.title,
            f"{readable(statistics.median(self.ours))}",
            f"{readable(statistics.median(self.peer))} ({self.comparison.peer.name})",
            f"{middle:.3f} ({low:.3f} to {high:.3f})",
            self.comparison.target,
            "reached" if self.reached else "missed",
        )


HEADINGS = ("what", "scriptc", "peer", "ratio (quartiles)", "target: at most", "")


def readable(seconds: float) -> str:
    """Return a time with three digits and a fitting unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def statement(name: str, text: str, names: Mapping[str, object]) -> Side:
    """Return a side that runs one statement many times in a row and gives the time of one run.

    `names` holds what the statement refers to. It runs at once, to compile and to see how often
    it fits into a round.
    """
    timer = timeit.Timer(text, globals=dict(names))
    timer.timeit(1)
    count, elapsed = 1, timer.timeit(1)
    while elapsed < ROUND_SECONDS:
        count *= 2
        elapsed = timer.timeit(count)
    return Side(name, lambda: timer.timeit(count) / count)


def _environment() -> dict[str, str]:
    """Return the environment of a program; every side may keep its bytecode, as installed code."""
    return {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


def run_program(program: Path, variables: Mapping[str, str]) -> list[str]:
    """Run a program in a process of its own and return the words it prints."""
    result = subprocess.run(
        [sys.executable, str(program)],
        env={**_environment(), **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode:
        raise RuntimeError(f"{program.name} failed:\n{result.stderr}")
    return result.stdout.split()


def process(name: str, program: Path, variables: Callable[[], Mapping[str, str]]) -> Side:
    """Return a side that is a process; the first word the program prints is its time.

    `variables` gives the environment of each round: a new cache folder, for one.
    """
    return Side(name, lambda: float(run_program(program, variables())[0]))


def within(
    names: tuple[str, str], program: Path, variables: Mapping[str, str]
) -> tuple[Side, Side]:
    """Return two sides that one process measures: the first two words it prints are their times.

    What is common to both, and varies from process to process, counts in neither more than once.
    """
    left: tuple[list[float], list[float]] = ([], [])

    def seconds(own: list[float]) -> float:
        if not own:
            for times, word in zip(left, run_program(program, variables), strict=False):
                times.append(float(word))
        return own.pop()

    first, second = (
        Side(name, partial(seconds, own)) for name, own in zip(names, left, strict=True)
    )
    return first, second


def measure(comparison: Comparison, rounds: int) -> Outcome:
    """Time both sides in turns, each one first in every second round."""
    ours: list[float] = []
    peer: list[float] = []
    turns = [(comparison.ours, ours), (comparison.peer, peer)]
    for _ in range(rounds):
        for side, times in turns:
            times.append(side.seconds())
        turns.reverse()
    return Outcome(comparison, ours, peer)


def _processor() -> str:
    # platform.processor() is empty on most Linux systems.
    path = Path("/proc/cpuinfo")
    lines = path.read_text().splitlines() if path.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def machine(packages: Sequence[str]) -> str:
    """Describe what the numbers were measured on."""
    versions = ", ".join(f"{package} {version(package)}" for package in packages)
    return (
        f"{_processor()}, {os.cpu_count()} cores, {platform.system()}; "
        f"Python {platform.python_version()}, {versions}"
    )


def show(outcomes: Sequence[Outcome]) -> None:
    """Print the report to the terminal."""
    table = Table(*HEADINGS)
    for outcome in outcomes:
        table.add_row(*outcome.row(), style="" if outcome.reached else "bold red")
    Console().print(table)


def markdown(rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown; the first row is its heading."""
    rule = ("---",) * len(rows[0])
    return "\n".join(f"| {' | '.join(row)} |" for row in (rows[0], rule, *rows[1:]))


def write(name: str, outcomes: Sequence[Outcome], packages: Sequence[str], notes: str) -> Path:
    """Write the report as Markdown under today's date and return its path."""
    table = markdown([HEADINGS, *(outcome.row() for outcome in outcomes)])
    rounds = min(len(outcome.ours) for outcome in outcomes)
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{date.today().isoformat()}-{name}.md"
    path.write_text(
        f"# {name}, {date.today().isoformat()}\n\n{machine(packages)}\n\n"
        f"Medians of {rounds} interleaved rounds; loop overhead is part of both sides.\n\n"
        f"{table}\n\n{notes}\n",
        encoding="utf-8",
    )
    return path
