"""Loops and branches inside of kernels: what a thread does by itself, beside CPython."""

# Results have no annotations.
# pyright: basic

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scriptc import prange, script
from scriptc.check.roots import Root
from scriptc.inspection.dump import live_stage
from scriptc.types import M, N, f32, f64, i8, i64
from tests.support.device_calls import OnDevice, calls_of, to_host
from tests.support.ir_programs import VECTOR
from tests.support.live_source import module_in


def mandelbrot(re: f64[N], im: f64[N], most: int):
    out = np.zeros(len(re), dtype=np.int64)
    for i in prange(len(re)):
        x = y = 0.0
        k = 0
        while k < most and x * x + y * y < 4.0:
            x, y = x * x - y * y + re[i], 2.0 * x * y + im[i]
            k += 1
        out[i] = k
    return out


def branches(x: f64[N], y: f64[N]):
    for i in prange(len(x)):
        total = 0.0
        for j in range(10):
            if x[i] > j:
                total += x[i] * j
            elif x[i] < -3.0:
                break
            else:
                total -= 1.0
        y[i] = total
    return y


def skips(x: f64[N, M], y: f64[N, M]):
    for i in prange(x.shape[0]):
        for j in range(x.shape[1]):
            if x[i, j] <= 0:
                continue
            y[i, j] = np.sqrt(x[i, j])
        if x[i, 0] > 1:
            continue
        y[i, 0] = -1.0
    return y


def backwards(x: f64[N], y: f64[N]):
    for i in prange(len(x)):
        for j in range(7, -4, -3):
            y[i] += x[i] * j
            for _ in range(j):
                y[i] -= 1.0
    return y


def triangles(n: i64[N], y: f64[N]):
    for i in prange(len(n)):
        k = int(n[i])
        while True:
            k -= 3
            if k % 2 == 0:
                break
            if k < 0:
                y[i] += 0.5
                break
        y[i] += k
    return y


def times(x: i64[N], y: i64[N]):
    for i in prange(len(x)):
        k = 1
        for _ in range(x[i]):
            k *= 3
        y[i] = k
    return y


def sums(n: i64[N], y: i64[N]):
    for i in prange(len(n)):
        y[i] = int(n[i]) + int(y[i])
    return y


def singles(n: i64[N], y: f32[N]):
    for i in prange(len(n)):
        y[i] = int(n[i])
    return y


def picked(x: f64[N], n: i64[M], y: f64[M]):
    for i in prange(len(n)):
        y[i] = x[n[i]] // 2
    return y


SIGNED = np.round(np.random.default_rng(1).normal(0.0, 5.0, 60), 1)
POINTS = np.random.default_rng(2).uniform(-2.0, 1.0, (2, 60))
WHOLE = np.random.default_rng(3).integers(-9, 30, 60)
FAR = 2**60 + 2**36 + WHOLE  # which an f64 rounds to a tie of two f32
CALLS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (mandelbrot, (*POINTS, 40)),
    (mandelbrot, (*POINTS, 0)),
    (branches, (SIGNED, np.zeros(60))),
    (skips, (SIGNED.reshape(6, 10), np.zeros((6, 10)))),
    (skips, (np.asfortranarray(SIGNED.reshape(6, 10)), np.zeros((6, 10)))),
    (backwards, (SIGNED, np.zeros(60))),
    (triangles, (WHOLE, np.zeros(60))),
    (times, (WHOLE, np.zeros(60, np.int64))),
    (sums, (WHOLE, WHOLE * 7)),
    (singles, (FAR, np.zeros(60, np.float32))),
    (picked, (SIGNED, WHOLE, np.zeros(60))),
]


def _copied(arguments: tuple[Any, ...]) -> list[Any]:
    return [a.copy(order="K") if isinstance(a, np.ndarray) else a for a in arguments]


@pytest.mark.parametrize(("function", "arguments"), CALLS)
def test_a_thread_goes_the_ways_of_its_iteration(
    function: Callable[..., Any], arguments: tuple[Any, ...]
) -> None:
    expected = function(*_copied(arguments))
    found = script(function, backend="cuda")(*_copied(arguments))
    assert found.dtype == expected.dtype
    assert found.tobytes() == expected.tobytes()


@pytest.mark.parametrize("function", dict.fromkeys(f for f, _ in CALLS))
def test_the_loop_is_a_kernel_that_nvrtc_takes(function: Callable[..., Any]) -> None:
    root = Root(function, [None] * function.__code__.co_argcount)
    assert "// test_control.py" in live_stage(root, "cuda")
    assert ".target sm_" in live_stage(root, "ptx")


def wave(x: float, y: float, n: int) -> float:
    total = 0.0
    for k in range(n):
        a = (x + k) * y - x * 0.5 + y * y - k * 1.25
        b = a * a + x * y * a - 3.0 * a + 2.0 * x - y
        c = b * a + b * x - a * y + 1.0 / (1.0 + a * a)
        if c > 10.0:
            c = 10.0 - b * 0.001
        elif c < -10.0:
            c = -10.0 + a * 0.001
        if b == 77.0:
            raise ValueError(f"no wave of {n}")
        total += (c * 0.5 + b * 0.25 + a * 0.125) * 0.01
    return total


def waves(out, n: int):
    for i in prange(len(out)):
        out[i] = wave(i * 0.1, 0.1, n) - wave(0.3, i * 0.2, n)
    return out


def test_a_function_that_is_called_twice_is_in_the_kernel() -> None:
    on, given = script(waves), OnDevice(np.zeros(50))
    on(given, 1)
    with calls_of() as told:
        on(given, 3)
    assert told["cuLaunchKernel"] == 1
    assert to_host(given).tobytes() == waves(np.zeros(50), 3).tobytes()


def test_the_first_iteration_that_fails_is_raised_for() -> None:
    for places in ([5], [50, 7], []):
        x = np.zeros(60, np.int64)
        x[places] = 41
        if places:
            with pytest.raises(OverflowError, match="does not fit in 64 bits"):
                script(times, backend="cuda")(x, np.zeros(60, np.int64))
        else:
            assert not np.any(script(times, backend="cuda")(x, np.ones(60, np.int64)) - 1)


def test_a_message_says_what_the_operands_were() -> None:
    n = WHOLE.copy()
    n[[33, 7, 50]] = 99, 60, -61
    with pytest.raises(IndexError) as found:
        script(picked, backend="cuda")(SIGNED, n, np.zeros(60))
    with pytest.raises(IndexError) as expected:
        picked(SIGNED, n, np.zeros(60))
    assert str(found.value) == str(expected.value)
    assert "index 60 is out of bounds" in str(found.value)


def whole(x: f64[N], y: i64[N]):
    for i in range(len(x)):
        y[i] = int(x[i])
    return y


def narrowed(x: i64[N], y: i8[N], bits: i64[N]):
    for i in range(len(x)):
        k = int(x[i])
        bits[i] = (k << 60) >> 57 if k < 3 else k >> int(bits[i])
        y[i] = k
    return y


@pytest.mark.parametrize("last", [1.5, -(2.0**63), 2.0**63, np.nan, np.inf])
def test_a_float_that_is_no_int_raises_as_on_the_processor(last: float) -> None:
    x = np.append(SIGNED, last)
    found, expected = (
        _told(f, x, np.zeros(61, np.int64)) for f in (on_device(whole), script(whole))
    )
    assert found == expected


@pytest.mark.parametrize("last", [-128, 127, 128, -129, 2**40])
@pytest.mark.parametrize("shift", [0, 63, 64, -1])
def test_an_int_that_does_not_fit_raises_as_on_the_processor(last: int, shift: int) -> None:
    x, bits = np.append(WHOLE, last), np.full(61, shift)
    given = [(x, np.zeros(61, np.int8), bits.copy()) for _ in range(2)]
    assert _told(on_device(narrowed), *given[0]) == _told(script(narrowed), *given[1])


def on_device(function: Callable[..., Any]) -> Callable[..., Any]:
    return script(function, backend="cuda")


def _told(function: Callable[..., Any], *arguments: Any) -> tuple[object, ...]:
    """Return how a call ends, and what it leaves."""
    try:
        ended: object = function(*arguments).tobytes()
    except (OverflowError, ValueError) as error:
        ended = type(error).__name__, str(error)
    return ended, *(a.tobytes() for a in arguments)


@pytest.mark.parametrize("kind", ["numbers", "stores", "folds"])
def test_kernels_grow_with_the_program(kind: str, tmp_path: Path) -> None:
    line = {
        "numbers": "    t = t * 1.01 + {i}.0\n    y[{i} % 7] = t\n    y += t\n",
        "stores": "    y[{i} % 7] = y[0] * 2.0\n    y = y + 1.0\n",
        "folds": "    y = y / np.sum(x * {i}.0)\n",
    }[kind]
    sizes: list[int] = []
    for count in (10, 40):
        body = "".join(line.format(i=i) for i in range(count))
        text = f"import numpy as np\n\ndef f(x, y):\n    t = np.sum(x)\n{body}    return y\n"
        function = vars(module_in(tmp_path / f"f{count}.py", text))["f"]
        sizes.append(len(live_stage(Root(function, [VECTOR, VECTOR]), "cuda")))
    assert sizes[1] < 4.4 * sizes[0]
