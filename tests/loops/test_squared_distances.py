"""Variances in one pass over memory are as precise as in two, and the same for all threads."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from scriptc import script
from scriptc.kernels.loops.fuse_siblings import STRIP
from scriptc.types import N, f64
from tests.support.live_source import live_module
from tests.support.outcomes import freeze
from tests.support.support_code import pool

Array = NDArray[Any]
RNG = np.random.default_rng(5)
MAKERS: Mapping[str, Callable[[int], Array]] = {
    "normal": RNG.standard_normal,
    "far from zero": lambda n: 1e8 + RNG.standard_normal(n),
    "a slope far from zero": lambda n: 1e8 + np.arange(n) * 1e-3,
    "steps": lambda n: np.arange(n) // STRIP * 3.0 + 5,
    "some deviations from zero": lambda n: 3.0 + RNG.standard_normal(n) + np.arange(n) / n,
    "of many sizes": lambda n: np.exp(8 * RNG.standard_normal(n)),
    "one far away": lambda n: np.where(np.arange(n) == n // 2, 1e12, 1.0) + RNG.standard_normal(n),
    "of one number": lambda n: np.full(n, 0.1),
}


def by_hand(x):
    m = np.mean(x)
    return m, np.sum((x - m) ** 2)


def from_a_number(x, m):
    # The number follows from a sum over the same elements.
    m = m + 0.0 * np.sum(x * 0.0)
    return np.sum((x - m) ** 2)


def deviation(x):
    return np.std(x, ddof=1)


def columns(x):
    m = np.mean(x, axis=0)
    return m, np.sum((x - m) ** 2, axis=0)


def exact(x: Array, middle: Any) -> Fraction:
    """Return the sum of the squared distances from a number, without any rounding."""
    scale = 2**200
    whole = [int(Fraction(v) * scale) for v in x.tolist()]
    m = int(Fraction(float(middle)) * scale)
    return Fraction(sum((v - m) ** 2 for v in whole), scale**2)


def is_near(found: Any, x: Array, middle: Any) -> bool:
    """Whether a sum is within c * log2(n) * eps of itself: all its terms are positive.

    A middle that is one rounding away from all elements leaves rounded distances.
    """
    expected = exact(x, middle)
    eps = float(np.finfo(x.dtype).eps)
    bound = 4 * np.log2(len(x) + 2) * eps * float(expected)
    least = len(x) * (16 * eps * eps * float(np.max(np.abs(x)))) ** 2
    return abs(float(Fraction(float(found)) - expected)) <= bound + least


@pytest.mark.parametrize("made", MAKERS)
@pytest.mark.parametrize("size", [1, 2, STRIP - 1, STRIP + 1, 5 * STRIP, 7 * STRIP + 3])
def test_a_sum_of_squared_distances_is_precise(made: str, size: int) -> None:
    x = MAKERS[made](size)
    m, total = script(by_hand)(x)
    assert is_near(total, x, m)
    for middle in (m, m + np.std(x), x[0], 0.0):
        assert is_near(script(from_a_number)(x, float(middle)), x, middle)


@pytest.mark.parametrize("made", MAKERS)
@pytest.mark.parametrize("shape", [(64, 9), (65, 8), (1000, 20), (2000, 3)])
def test_sums_of_columns_are_precise(made: str, shape: tuple[int, int]) -> None:
    x = MAKERS[made](shape[0] * shape[1]).reshape(shape)
    for y in (x, np.asfortranarray(x), x[:, ::-1]):
        m, total = script(columns)(y)
        for j in (0, shape[1] // 2, shape[1] - 1):
            assert is_near(total[j], y[:, j], m[j])


@pytest.mark.parametrize("made", MAKERS)
@pytest.mark.parametrize("function", [by_hand, deviation])
def test_threads_and_layouts_change_no_bit(made: str, function: Callable[..., Any]) -> None:
    x = MAKERS[made](5 * STRIP + 3)
    compiled = script(function)
    expected = freeze(compiled(x))
    for y in (x, np.repeat(x, 2)[::2], x[::-1].copy()[::-1]):
        for threads in (1, 2, 3):
            with pool(threads, everything=True):
                assert freeze(compiled(y)) == expected


def test_columns_have_the_same_bits_for_any_number_of_threads() -> None:
    x = MAKERS["far from zero"](3000 * 20).reshape(3000, 20)
    compiled = script(columns)
    expected = freeze(compiled(x))
    for threads in (1, 2, 3):
        with pool(threads, everything=True):
            assert freeze(compiled(x)) == expected


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e200, 1.7e308])
@pytest.mark.parametrize("size", [1, STRIP, 3 * STRIP + 5])
def test_what_is_not_finite_is_as_in_numpy(value: float, size: int) -> None:
    x = RNG.standard_normal(size)
    x[size // 2] = value
    with np.errstate(all="ignore"):
        assert freeze(script(by_hand)(x)[1]) == freeze(by_hand(x)[1]) or np.isfinite(by_hand(x)[1])
        number = from_a_number(x, 1.0)
        assert np.isfinite(number) or freeze(script(from_a_number)(x, 1.0)) == freeze(number)
        table = np.repeat(x[:, None], 9, axis=1)
        table[:, 3] = 1.0
        found, expected = script(columns)(table)[1], columns(table)[1]
    assert np.allclose(found, expected, rtol=1e-9, equal_nan=True)


def test_single_precision_stays_within_its_own_bound() -> None:
    for made in ("normal", "some deviations from zero", "steps"):
        x = MAKERS[made](9 * STRIP + 1).astype(np.float32)
        m, total = script(by_hand)(x)
        assert total.dtype == np.float32
        assert is_near(total, x, m)


def low_lines(count: int) -> int:
    sums = "".join(f"    s{i} = np.var(x * {i}.5)\n" for i in range(count))
    results = ", ".join(f"s{i}" for i in range(count))
    head = "import numpy as np\nfrom scriptc.types import *\n\n\ndef many(x: f64[N]):\n"
    module = live_module(f"{head}{sums}    return ({results})\n")
    return script(module.many).dump("low").count("\n")


def test_code_of_many_variances_grows_evenly() -> None:
    few, more, most = map(low_lines, (20, 40, 60))
    assert most - more <= 1.1 * (more - few)
    # Beyond the first ones a variance is two folds, each in chunks for threads.
    assert (most - more) / 20 < 60


@pytest.mark.parametrize("size", [5, 2049, 70_000])
def test_sums_of_what_changes_between_are_apart(size: int) -> None:
    def sums(x: f64[N]):
        z = x.copy()
        first = np.sum(z)
        z += 1.0
        second = np.sum(z)
        z *= 3.0
        return first, second, np.sum(z), np.max(z), z

    x = np.arange(float(size)) % 7  # sums are exact
    assert freeze(script(sums)(x)) == freeze(sums(x))


def test_functions_of_checked_loops_and_of_sums_have_names_of_their_own() -> None:
    def spread(x: f64[N], k: int):
        total, squares = np.sum(x), np.var(x)
        for i in range(k):
            x[i] = x[i] - x[i + 1]
        return total, squares

    compiled = script(spread)
    for k in (4, 7):
        x = np.array([1.0, 2.0, np.inf if k == 7 else 5.0, 0.0, 2.0, 2.0, 7.0, 5.0])
        assert freeze(compiled(x.copy(), k)) == freeze(spread(x.copy(), k))
