"""Ctrl-C ends what takes long, soon: programs of several kinds, and their compilation."""

import subprocess
import sys
from pathlib import Path

import pytest

_HEAD = """
import os, signal, sys, threading, time
# A shell that starts the tests in the background has Ctrl-C ignored, and children inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
import numpy as np
from scriptc import prange, script
"""
_TAIL = """
sent = []

def send():
    sent.append(time.perf_counter())
    os.kill(os.getpid(), signal.SIGINT)

threading.Timer({delay}, send).start()
try:
    f(*arguments)
except KeyboardInterrupt:
    print(time.perf_counter() - sent[0])
"""
_MOST = 2.0  # seconds: most take some ms, and machines may be busy

_PROGRAMS = {
    "numbers": """
@script
def f(n):
    x = 0.0
    k = 0
    while k < n:
        x = x * 0.5 + k
        k += 1
    return x
f(1)
arguments = (10**13,)
""",
    "arrays": """
@script
def f(a, n):
    x = 0.0
    for k in range(n):
        x += np.sort(a * k)[0] + np.cumsum(a)[1] + np.median(a)
    return x
f(np.ones(3), 1)
arguments = np.ones(3_000_000), 10**6
""",
    "threads": """
@script
def f(a, n):
    for k in prange(len(a)):
        x = 0.0
        for j in range(n):
            x = x * 0.5 + j
        a[k] = x
    return a[0]
f(np.ones(3), 1)
arguments = np.ones(3000), 10**9
""",
    "texts": """
@script
def f(n, rounds):
    found = 0
    for k in range(rounds):
        found += len("ab" * n)
    return found
f(1, 1)
arguments = 2**24, 10**6
""",
    "folds": """
@script
def f(x, n):
    y = (np.arange(n) & 3).max() + (x > 2).sum() + np.ones(n).sum()
    return y + np.sqrt(x).sum() + (x[:, None] * np.ones(3)).sum(axis=0)
f(np.ones(1), 1)
arguments = np.broadcast_to(1.0, (2**50,)), 2**50
""",
    "folds of rows": """
@script
def f(x, y):
    return (x[:, None] < y).any()
f(np.ones(1), np.ones(1))
arguments = np.ones(2_000_000), np.zeros(2_000_000)
""",
    "folds of columns": """
@script
def f(x, y):
    return (x[:, None] * y).sum(axis=0)
f(np.ones(1), np.ones(1))
arguments = np.broadcast_to(1.0, (2**50,)), np.zeros(3)
""",
    "sums of one number": """
@script
def f(x):
    return x.sum()
f(np.ones(1))
arguments = (np.broadcast_to(1.0, (2**50,)),)
""",
    "recursion": """
@script
def f(n):
    return n if n < 2 else f(n - 1) + f(n - 2)
f(1)
arguments = (80,)
""",
}


def _seconds(directory: Path, program: str, delay: float) -> float:
    """Return how long after Ctrl-C a program ended."""
    path = directory / "program.py"
    path.write_text(f"{_HEAD}{program}{_TAIL.format(delay=delay)}")
    done = subprocess.run(
        [sys.executable, path], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout, done.stderr or "it ended before Ctrl-C"
    return float(done.stdout)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", _PROGRAMS)
def test_control_c_ends_a_program(kind: str, tmp_path: Path) -> None:
    assert _seconds(tmp_path, _PROGRAMS[kind], 0.5) < _MOST


def test_control_c_ends_the_check_of_a_long_chain_of_calls(tmp_path: Path) -> None:
    # Threads of its own are at work then, see `DeepCalls`.
    links = "".join(f"def g{k}(x):\n    return g{k + 1}(x + 1.0)\n" for k in range(3000))
    last = "def g3000(x):\n    return -x\n@script\ndef f(x):\n    return g0(x)\n"
    assert _seconds(tmp_path, f"{links}{last}arguments = (1.0,)\n", 0.3) < _MOST
