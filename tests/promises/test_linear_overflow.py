"""Sums of loop variables and of large ints overflow in the round in which they do.

A loop runs unchecked where its guard holds what its linear forms are made of small, whether or not
an index comes of them. The tests compare twenty random programs, the same ones each time; others:

    python -m tests.promises.test_linear_overflow 200
"""

import random
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from scriptc import script
from tests.support.live_source import last_function, live_module
from tests.support.outcomes import ending

# Scripts without annotations.
# pyright: basic

MOST = 2**63 - 1


def numbered(x, n: int, offset: int):
    for i in range(n):
        x[i] = i + offset


def least(x, n: int, k: int):
    s = 0.0
    for i in range(n):
        if k + i > 0:
            s += x[i]
    return s


def late(x, n: int, m: int):
    for i in range(m, n, -3):
        x[0] = i % 7
        if (i % m) * (1 + i) < -1:
            continue


def within(x, n: int, offset: int):
    """The inner loop alone has accesses and sums."""
    for i in range(n):
        for j in range(i):
            x[j] = (i - j) * 3 + offset


def ended(x, n: int, offset: int):
    """What overflows is the end of an inner loop."""
    for i in range(n):
        x[i] = 1
        for j in range(offset, offset + i):
            x[i] += j % 2


def wrapped(x, offset, n: int, k: int):
    """The sum of the elements wraps around, as NumPy's do; the difference of the ints overflows."""
    for i in range(n):
        x[i] = int(offset + np.int64(i)) - k


def cancelled(x, n: int, a: int, b: int):
    """The sum has a part of b - n, which lies below n; it may overflow all the same."""
    for i in range(b, b - n, -1):
        for j in range(n, b - i, -1):
            x[b - i] = ((n - a) + n) - ((j - 6) * (b + n))


LINE, PLACES = np.ones(3), np.arange(5)
CALLS = [
    (
        numbered,
        [(PLACES, 3, MOST - 1), (PLACES, 3, MOST - 2), (PLACES, 5, 2**40), (PLACES, 0, MOST)],
    ),
    (least, [(LINE, 3, MOST - 1), (LINE, 3, MOST - 2), (LINE, 3, -MOST - 1), (LINE, 4, MOST)]),
    (late, [(PLACES, 2**63 - 31, MOST), (PLACES, -MOST - 1, 5 - MOST), (PLACES, 0, 9)]),
    (within, [(PLACES, 5, MOST - 8), (PLACES, 5, -MOST), (PLACES, 6, 2**62), (PLACES, 7, 1)]),
    (ended, [(PLACES, 5, MOST - 3), (PLACES, 5, -MOST - 1), (PLACES, 5, 7)]),
    (
        wrapped,
        [
            (PLACES, np.int64(MOST), 3, MOST),
            (PLACES, np.int64(MOST - 1), 4, MOST - 2),
            (PLACES, np.int64(-5), 5, -MOST),
        ],
    ),
    (cancelled, [(np.arange(8), 6, -MOST + 7, -9), (PLACES, 3, 4, 5)]),
]


def compare(function: Callable[..., Any], arguments: Sequence[Any]) -> None:
    """Compare the result or the exception, and the arrays, with those of the interpreter."""
    endings: list[object] = []
    for backend in ("interp", "llvm"):
        own = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
        endings.append(ending(script(function, backend=backend), own))
    assert endings[0] == endings[1], arguments


@pytest.mark.parametrize(("function", "calls"), CALLS, ids=lambda f: getattr(f, "__name__", ""))
def test_what_is_no_index_overflows_in_its_round(
    function: Callable[..., Any], calls: Sequence[Sequence[Any]]
) -> None:
    for arguments in calls:
        compare(function, arguments)


class Drawn:
    """A random loop over ints, with stores, and arguments near the ends of some ranges."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def source(self) -> str:
        """Return a function of an array, a count and two offsets."""
        pick = self._random.choice
        loop = pick(["0, n", "n", "1, n, 2", "n - 1, -1, -1", "a, a + n", "b, b - n, -1"])
        place = {"a": "i - a", "b": "b - i"}.get(loop[0], "i")
        lines = ["def f(x, n: int, a: int, b: int):", "    s = 0", f"    for i in range({loop}):"]
        names, indent = ["i", "n", "a", "b"], " " * 8
        if pick([True, False]):
            inner = pick([place, "n", f"{place}, n", "a, a + 2", f"n, {place}, -1"])
            lines.append(f"{indent}for j in range({inner}):")
            names.append("j")
            indent += " " * 4
        for _ in range(pick([1, 2])):
            lines.append(
                indent
                + pick(
                    [
                        f"x[{place}] = {self._sum(names, 3)}",
                        f"if {self._sum(names, 2)} > {self._sum(names, 2)}: x[{place}] += 1",
                        f"s += x[{place}] + ({self._sum(names, 2)}) % 5",
                        f"x[{place}] = ({self._sum(names, 2)}) % 7 + {self._sum(names, 1)}",
                    ]
                )
            )
        return "\n".join([*lines, "    return s", ""])

    def arguments(self) -> tuple[Any, ...]:
        """Return arguments; the array is seldom too short."""
        n = self._random.randrange(7)
        size = n + self._random.choice([0, 0, 2, -1])
        return np.arange(max(size, 0)), n, self._offset(), self._offset()

    def _offset(self) -> int:
        near = self._random.choice([0, 0, 2**40, 2**62, 2**63])
        number = self._random.choice([-1, 1]) * near + self._random.randrange(-9, 10)
        return max(-MOST - 1, min(MOST, number))

    def _sum(self, names: Sequence[str], depth: int) -> str:
        pick = self._random.choice
        if depth == 0 or self._random.random() < 0.2:
            return pick([*names, *names, str(self._random.randrange(1, 9))])
        op = pick("++--*")
        return f"({self._sum(names, depth - 1)} {op} {self._sum(names, depth - 1)})"


def check(seed: int) -> None:
    """Compare calls of one random program."""
    drawn = Drawn(seed)
    source = drawn.source()
    function = last_function(live_module(source, f"linear_{seed}.py"))
    for _ in range(12):
        arguments = drawn.arguments()
        try:
            compare(function, arguments)
        except AssertionError:
            print(source)
            raise


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(20))
def test_random_sums_overflow_where_they_do_in_the_interpreter(seed: int) -> None:
    check(seed)


if __name__ == "__main__":
    for number in range(20, 20 + int(sys.argv[1])):
        check(number)
