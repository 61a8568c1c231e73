"""Recursion to every limit; the process dies where one is missed. Prints `good` at the end."""

import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from scriptc import script
from scriptc.types import N, f64


@script(backend="llvm")
def depth(n: int) -> int:
    if n == 0:
        return 0
    return depth(n - 1) + 1


@script(backend="llvm")
def endless(n: int) -> int:
    return other(n + 1) + 1


def other(n: int) -> int:
    return endless(n + 1) + 1


@script(backend="llvm")
def with_arrays(n: int, a: f64[N]) -> float:
    total = 0.0
    b = a * 0.5
    if n > 0:
        total = with_arrays(n - 1, b) + b[0]
    for value in b:
        total += value
    return float(total)


def raises(call: Callable[..., Any], *arguments: object) -> bool:
    """Whether a call ends in a RecursionError, after which all is as before."""
    try:
        call(*arguments)
    except RecursionError as error:
        return "maximum recursion depth exceeded" in str(error) and depth(50) == 50
    return False


def all_end() -> None:
    """Every endless recursion ends in a RecursionError."""
    assert raises(endless, 0)
    assert raises(depth, 10**9)
    assert raises(with_arrays, 10**9, np.ones(3))


def deepest() -> int:
    """The deepest recursion that is let through."""
    low, high = 0, 10**6
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if raises(depth, middle) else (middle, high)
    return low


def called_from(frames: int, call: Callable[[], None]) -> None:
    """Call something below so many frames of Python."""
    if frames == 0:
        call()
    else:
        called_from(frames - 1, call)


def main() -> None:
    """Try the limits of CPython, and then the end of the stack, in the main thread and others."""
    all_end()  # compiled first, as the compiler needs a few frames itself
    for limit in (100, 1000, 3000):
        sys.setrecursionlimit(limit)
        assert deepest() == limit - 1
        all_end()
    sys.setrecursionlimit(10**9)
    assert depth(50_000) == 50_000
    all_end()
    called_from(5000, all_end)
    for size in (512 * 1024, 4 * 1024 * 1024):
        threading.stack_size(size)
        with ThreadPoolExecutor(1) as pool:
            pool.submit(all_end).result()
    print("good")


if __name__ == "__main__":
    main()
