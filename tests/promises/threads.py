"""Threads that call, raise, write fields and fork at once. Prints `good` at the end."""

import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from scriptc import script
from scriptc.types import N, f64

SECONDS = 1.5


@script(backend="llvm")
class Layer:
    weight: f64[N]

    def __init__(self, weight: f64[N]) -> None:
        self.weight = weight

    def total(self, rounds: int) -> float:
        total = 0.0
        for _ in range(rounds):
            for value in self.weight:
                total += value
        return float(total)

    def put(self, weight: f64[N]) -> None:
        self.weight = weight


@script(backend="llvm")
def divided(n: int) -> int:
    total = 0
    for i in range(n):
        total += i % 7
    return total // (n - n)


@script(backend="llvm")
def searched(a: f64[N], n: int) -> float:
    total = 0.0
    for i in range(n):
        total += i
    return total + picked(a, n)


def picked(a: f64[N], n: int) -> float:
    return float(a[n])


@script(backend="llvm")
def summed(items: list[int]) -> int:
    total = 0
    for item in items:
        total += item
    return total


def trace(call: Callable[..., Any], *arguments: object) -> list[str]:
    """What a call raises, and the functions of its traceback."""
    try:
        call(*arguments)
    except ArithmeticError as error:
        return [str(error), *_functions(error)]
    except LookupError as error:
        return [str(error), *_functions(error)]
    return []


def _functions(error: BaseException) -> list[str]:
    found: list[str] = []
    entry = error.__traceback__
    while entry is not None:
        code = entry.tb_frame.f_code
        if code.co_filename == __file__ and code.co_name != "trace":
            found.append(code.co_name)
        entry = entry.tb_next
    return found


def forked(layer: Layer) -> int:
    """The exit status of a child that calls machine code."""
    child = os.fork()
    if child == 0:
        os._exit(0 if layer.total(3) == 3000.0 and summed([1, 2]) == 3 else 1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main() -> None:
    """Let every kind of work run beside the others for a while."""
    layer = Layer(np.ones(1000))
    ones = np.ones(3)
    items = list(range(100))

    def replace() -> None:
        layer.put(np.ones(1000))
        layer.weight = np.ones(1000)
        # Were the old array still read, it would be seen: its block is used again.
        assert [np.full(1000, 7.0).sum() for _ in range(3)] == [7000.0] * 3

    works: dict[Callable[[], object], object] = {
        replace: None,
        lambda: layer.total(200): 200_000.0,
        lambda: trace(divided, 100_000): ["integer division or modulo by zero", "divided"],
        lambda: trace(searched, ones, 70_000): [
            "index 70000 is out of bounds for axis 0 with size 3",
            *("searched", "picked"),
        ],
        lambda: summed(items): 4950,
        lambda: forked(layer): 0,
    }
    # Compiled first: a child of a process that is compiling could wait for a lock for ever.
    for work, expected in works.items():
        assert work() == expected
    sys.setswitchinterval(1e-5)
    end = time.monotonic() + SECONDS

    def repeat(work: Callable[[], object], expected: object) -> int:
        rounds = 0
        while time.monotonic() < end:
            found = work()
            assert found == expected, (found, expected)
            rounds += 1
        return rounds

    with ThreadPoolExecutor(len(works)) as pool:
        running: list[Future[int]] = [pool.submit(repeat, *work) for work in works.items()]
    assert all(future.result() > 1 for future in running)
    print("good")


if __name__ == "__main__":
    main()
