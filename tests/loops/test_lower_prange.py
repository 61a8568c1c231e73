"""What is special about `prange`: threads, exceptions, what a round must not do.

That programs with it do what CPython does is shown with all others, see tests/programs/parallel.py.
"""

import math
from typing import Any

import numpy as np
import pytest

from scriptc import ScriptError, prange, script
from scriptc.types import M, N, f64
from tests.support.support_code import pool, regions


@script(backend="llvm")
def roots(x: f64[N]) -> float:
    total = 0.0
    for i in prange(len(x)):
        total += math.sqrt(x[i])
    return total


@script(backend="llvm")
def written_out(x: f64[N]) -> float:
    total = 0.0
    for i in prange(len(x)):
        total = math.sqrt(x[i]) + total
    return total


@script(backend="llvm")
def halve(x: f64[N]) -> None:
    for i in prange(len(x)):
        x[i] = x[i] / 2.0


@script(backend="llvm")
def total(n: int) -> int:
    s = 0
    for i in prange(n):
        s += 2**60 + i
    return s


@script(backend="llvm", parallel=False)
def alone(x: f64[N]) -> None:
    for i in prange(len(x)):
        x[i] = x[i] / 2.0


def test_prange_is_range_in_cpython() -> None:
    assert prange(5) == range(5)
    assert prange(2, 9, 3) == range(2, 9, 3)


def test_threads_share_the_rounds() -> None:
    x = np.arange(100_000.0)
    with pool(2):
        halve(x)
        before = regions()
        halve(x)
        assert regions() == before + 1
    assert (x == np.arange(100_000.0) / 4).all()


def test_one_thread_is_enough_where_that_is_asked_for() -> None:
    x = np.ones(100_000)
    alone(x)
    with pool(2):
        before = regions()
        alone(x)
        assert regions() == before


@pytest.mark.parametrize("size", [0, 1, 255, 256, 257, 1000, 70_001])
def test_sums_have_the_same_bits_for_any_number_of_threads(size: int) -> None:
    x = np.random.default_rng(size).random(size)
    found: set[bytes] = set()
    for threads in (1, 2, 7):
        with pool(threads, everything=True):
            found.add(np.float64(roots(x)).tobytes())
            found.add(np.float64(written_out(x)).tobytes())
    assert len(found) == 1
    assert roots(x) == pytest.approx(roots.python(x), rel=1e-12)


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_the_exception_of_the_first_round_that_raises_is_seen(threads: int) -> None:
    x = np.ones(5000)
    x[[17, 4000]] = -1.0
    with pool(threads, everything=True), pytest.raises(ValueError, match="math domain error"):
        roots(x)


def test_a_sum_of_ints_that_does_not_fit_raises() -> None:
    assert total(7) == total.python(7)
    with pytest.raises(OverflowError):
        total(8)


def _break(x: f64[N]) -> None:
    for i in prange(len(x)):
        if x[i] > 0:
            break


def _return(x: f64[N]) -> int:
    for i in prange(len(x)):
        while True:
            return i
    return 0


def _carried(x: f64[N]) -> None:
    last = 0.0
    for i in prange(len(x)):
        x[i] = last
        last = x[i]


def _read_twice(x: f64[N]) -> float:
    s = 0.0
    for i in prange(len(x)):
        s += x[i]
        x[i] = s
    return s


def _difference_from(x: f64[N]) -> float:
    s = 0.0
    for i in prange(len(x)):
        s = x[i] - s
    return s


def _afterwards(x: f64[N]) -> float:
    y = 0.0
    for i in prange(len(x)):
        y = x[i]
    return y


def _number_afterwards(x: f64[N]) -> int:
    for i in prange(len(x)):
        x[i] = 0.0
    return i  # pyright: ignore[reportPossiblyUnboundVariable] -- that is why it is refused


def _array(x: f64[N]) -> f64[M]:
    s = np.zeros(3)
    for i in prange(len(x)):
        s += x[i]
    return s


def _power(x: f64[N]) -> float:
    s = 2.0
    for i in prange(len(x)):
        s **= x[i]
    return s


@pytest.mark.parametrize(
    ("function", "code", "says"),
    [
        (_break, "prange-leaves", "break in a prange"),
        (_return, "prange-leaves", "return in a prange"),
        (_carried, "prange-variable", "'last' has no value here"),
        (_read_twice, "prange-variable", "'s' has no value here"),
        (_difference_from, "prange-variable", "`s = s + x`, `s = max(s, x)` and the like"),
        (_afterwards, "prange-variable", "'y' has no value here"),
        (_number_afterwards, "prange-variable", "'i' has no value here"),
        (_array, "prange-variable", "cannot grow 's' together"),
        (_power, "prange-variable", "'s' has no value here"),
    ],
)
def test_what_rounds_in_any_order_cannot_do_is_refused(function: Any, code: str, says: str) -> None:
    with pytest.raises(ScriptError) as caught:
        script(function)(np.ones(3))
    assert code in str(caught.value)
    assert says in str(caught.value)
