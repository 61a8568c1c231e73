"""Loops with few rounds that each take long: Ctrl-C ends them after one of these.

Prints for each loop how many seconds passed until the signal was heeded.
"""

import os
import signal
import threading
import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from scriptc import script
from scriptc.types import N, f64


@script
def elements(x: f64[N], n: int) -> f64[N]:
    """Take the sine again and again."""
    for _ in range(n):
        x = np.sin(x) + 1.0
    return x


@script
def products(a: f64[N, N], n: int) -> f64[N, N]:
    """Multiply matrices through BLAS."""
    b = a.copy()
    for _ in range(n):
        b = a @ b
    return b


@script
def stencil(a: f64[N], n: int) -> None:
    """Smooth in place."""
    for _ in range(n):
        a[1:-1] = 0.5 * (a[:-2] + a[2:])


@script
def beside_each_other(x: f64[N], n: int) -> f64[N]:
    """Add up in neighbouring rounds, which are one vector, that each take very long."""
    out = np.zeros(len(x) - 3)
    for i in range(len(out)):
        s = 0.0
        for _ in range(n):
            for k in range(3):
                s += x[i + k]
        out[i] = s
    return out


def seconds(function: Callable[..., object], array: npt.NDArray[np.float64], rounds: int) -> float:
    """Return how long after the signal a call ends; fail if it ends without one."""
    function(array, 1)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    begin = time.perf_counter()
    timer.start()
    try:
        function(array, rounds)
    except KeyboardInterrupt:
        return time.perf_counter() - begin - 0.3
    raise AssertionError(f"{function} heeded no signal")


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    print(seconds(elements, np.zeros(500_000), 100_000))
    print(seconds(products, np.eye(200), 1_000_000))
    print(seconds(stencil, np.zeros(1_000_000), 1_000_000))
    print(seconds(beside_each_other, np.zeros(20), 20_000_000_000))
