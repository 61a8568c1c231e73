"""What it costs to pass a value to a script, to get one back, and to have one written to.

A call that does next to nothing with its argument is timed; a call that makes a copy and returns it
is compared with one that makes the copy and returns its length.

    python -m tests.benchmarks.bench_crossing [--rounds 7]
"""

import argparse
import statistics
import time
import timeit
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from scriptc import script
from scriptc.types import N, f64

SIZES = (10, 1000, 100_000)
ROUND_SECONDS = 0.02


@script
class Point:
    """An object whose fields stay where they are."""

    def __init__(self, x: float, y: float):
        self.x = x
        self.y = y


def ints_in(x: list[int]) -> int:
    return len(x)


def ints_copied(x: list[int]) -> int:
    return len(x.copy())


def ints_out(x: list[int]) -> list[int]:
    return x.copy()


def ints_written(x: list[int]) -> None:
    x[0] += 1


def floats_in(x: list[float]) -> int:
    return len(x)


def floats_copied(x: list[float]) -> int:
    return len(x.copy())


def floats_out(x: list[float]) -> list[float]:
    return x.copy()


def floats_written(x: list[float]) -> None:
    x[0] += 1.0


def texts_in(x: list[str]) -> int:
    return len(x)


def texts_copied(x: list[str]) -> int:
    return len(x.copy())


def texts_out(x: list[str]) -> list[str]:
    return x.copy()


def texts_written(x: list[str]) -> None:
    x[0] = x[1]


def pairs_in(x: list[tuple[int, float]]) -> int:
    return len(x)


def pairs_copied(x: list[tuple[int, float]]) -> int:
    return len(x.copy())


def pairs_out(x: list[tuple[int, float]]) -> list[tuple[int, float]]:
    return x.copy()


def pairs_written(x: list[tuple[int, float]]) -> None:
    x[0] = (x[0][0] + 1, 0.5)


def rows_in(x: list[list[int]]) -> int:
    return len(x)


def rows_copied(x: list[list[int]]) -> int:
    return len([row.copy() for row in x])


def rows_out(x: list[list[int]]) -> list[list[int]]:
    return [row.copy() for row in x]


def rows_written(x: list[list[int]]) -> None:
    x[0][0] += 1


def points_in(x: list[Point]) -> int:
    return len(x)


def points_copied(x: list[Point]) -> int:
    return len(x.copy())


def points_out(x: list[Point]) -> list[Point]:
    return x.copy()


def points_written(x: list[Point]) -> None:
    x[0].x += 1.0


def counts_in(x: dict[str, int]) -> int:
    return len(x)


def counts_copied(x: dict[str, int]) -> int:
    return len(x.copy())


def counts_out(x: dict[str, int]) -> dict[str, int]:
    return x.copy()


def counts_written(x: dict[str, int]) -> None:
    x["1"] += 1


def numbers_in(x: dict[int, float]) -> int:
    return len(x)


def numbers_copied(x: dict[int, float]) -> int:
    return len(x.copy())


def numbers_out(x: dict[int, float]) -> dict[int, float]:
    return x.copy()


def numbers_written(x: dict[int, float]) -> None:
    x[1] += 1.0


def groups_in(x: dict[str, list[int]]) -> int:
    return len(x)


def groups_copied(x: dict[str, list[int]]) -> int:
    return len({k: v.copy() for k, v in x.items()})


def groups_out(x: dict[str, list[int]]) -> dict[str, list[int]]:
    return {k: v.copy() for k, v in x.items()}


def groups_written(x: dict[str, list[int]]) -> None:
    x["1"][0] += 1


def seen_in(x: set[int]) -> int:
    return len(x)


def seen_copied(x: set[int]) -> int:
    return len(x.copy())


def seen_out(x: set[int]) -> set[int]:
    return x.copy()


def seen_written(x: set[int]) -> None:
    if -1 in x:
        x.remove(-1)
    else:
        x.add(-1)


def words_in(x: set[str]) -> int:
    return len(x)


def words_copied(x: set[str]) -> int:
    return len(x.copy())


def words_out(x: set[str]) -> set[str]:
    return x.copy()


def words_written(x: set[str]) -> None:
    if "new" in x:
        x.remove("new")
    else:
        x.add("new")


def text_in(x: str) -> int:
    return len(x)


def text_copied(x: str) -> int:
    return len(x[1:])


def text_out(x: str) -> str:
    return x[1:]


def array_in(x: f64[N]) -> int:
    return len(x)


def array_copied(x: f64[N]) -> int:
    return len(x.copy())


def array_out(x: f64[N]) -> f64[N]:
    return x.copy()


def array_written(x: f64[N]) -> None:
    x[0] += 1.0


@dataclass(frozen=True)
class Case:
    """A type, how a value of so many items is made, and what is called with it."""

    name: str
    make: Callable[[int], object]
    taken: Callable[..., object]
    copied: Callable[..., object]
    returned: Callable[..., object]
    written: Callable[..., object] | None = None


CASES = [
    Case("`list[int]`", lambda n: list(range(n)), ints_in, ints_copied, ints_out, ints_written),
    Case(
        "`list[float]`",
        lambda n: [i / 2 for i in range(n)],
        floats_in,
        floats_copied,
        floats_out,
        floats_written,
    ),
    Case(
        "`list[str]`",
        lambda n: [f"item {i}" for i in range(n)],
        texts_in,
        texts_copied,
        texts_out,
        texts_written,
    ),
    Case(
        "`list[tuple[int, float]]`",
        lambda n: [(i, i / 2) for i in range(n)],
        pairs_in,
        pairs_copied,
        pairs_out,
        pairs_written,
    ),
    Case(
        "`list[list[int]]`, ten each",
        lambda n: [list(range(10)) for _ in range(n)],
        rows_in,
        rows_copied,
        rows_out,
        rows_written,
    ),
    Case(
        "`list[Point]`",
        lambda n: [Point(0.5, 1.5) for _ in range(n)],
        points_in,
        points_copied,
        points_out,
        points_written,
    ),
    Case(
        "`dict[str, int]`",
        lambda n: {str(i): i for i in range(n)},
        counts_in,
        counts_copied,
        counts_out,
        counts_written,
    ),
    Case(
        "`dict[int, float]`",
        lambda n: {i: i / 2 for i in range(n)},
        numbers_in,
        numbers_copied,
        numbers_out,
        numbers_written,
    ),
    Case(
        "`dict[str, list[int]]`, ten each",
        lambda n: {str(i): list(range(10)) for i in range(n)},
        groups_in,
        groups_copied,
        groups_out,
        groups_written,
    ),
    Case("`set[int]`", lambda n: set(range(n)), seen_in, seen_copied, seen_out, seen_written),
    Case(
        "`set[str]`",
        lambda n: {str(i) for i in range(n)},
        words_in,
        words_copied,
        words_out,
        words_written,
    ),
    Case("`str`, by character", lambda n: "a" * n, text_in, text_copied, text_out),
    Case(
        "`f64[N]`", lambda n: np.arange(float(n)), array_in, array_copied, array_out, array_written
    ),
]


def nanoseconds(function: Callable[..., object], value: object, rounds: int) -> float:
    """Return the median of the processor's time for a call."""
    timer = timeit.Timer(lambda: function(value), timer=time.process_time)
    once = max(timer.timeit(20) / 20, 1e-7)
    number = max(1, int(ROUND_SECONDS / once))
    return statistics.median(timer.repeat(rounds, number)) / number * 1e9


def row(case: Case, size: int, rounds: int) -> str:
    """Return a row of the table: times of calls, less that of an empty one where it is a part."""
    taken, copied, returned = map(script, (case.taken, case.copied, case.returned))
    there = nanoseconds(taken, case.make(size), rounds)
    value = case.make(size)
    back = nanoseconds(returned, value, rounds) - nanoseconds(copied, value, rounds)
    cells = [there, max(back, 0.0)]
    if case.written is not None:
        cells.append(nanoseconds(script(case.written), case.make(size), rounds))
    texts = [f"{cell / 1000:.2f}" for cell in cells] + ["" for _ in range(3 - len(cells))]
    return f"| {case.name} | {size:,} | {' | '.join(texts)} | {there / size:.1f} |"


def main() -> None:
    """Print a row for each type and size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("names", nargs="*", help="parts of the types to measure")
    given = parser.parse_args()
    rounds, names = given.rounds, given.names
    print("| type | items | passed, us | returned, us | written to, us | passed, ns each |")
    print("|---|---|---|---|---|---|")
    for case in (c for c in CASES if not names or any(name in c.name for name in names)):
        for size in SIZES:
            print(row(case, size, rounds), flush=True)


if __name__ == "__main__":
    main()
