"""Histograms and searches in sorted arrays on a device: values of CPython, and shared work."""

# Results have no annotations.
# pyright: basic

import warnings

import numpy as np
import pytest

from scriptc import script
from tests.support.device_calls import after_a_call, live_allocations
from tests.support.kernel_steps import counted_steps
from tests.support.outcomes import freeze

RNG = np.random.default_rng(23)
EDGES = np.array([-1.0, -0.5, 0.0, 0.1, 0.1, 3.0])


def uniform(x, w):
    return np.histogram(x), np.histogram(x, 7, (-1.0, 2.0)), np.histogram(x, bins=300)


def weighted(x, w):
    return np.histogram(x, 7, weights=w), np.histogram(x, 33, (-2.0, 0.5), weights=w)


def between(x, w):
    return np.histogram(x, EDGES)[0], np.histogram(x, EDGES[:1])[0]


def dense(x, w):
    return np.histogram(x, 12, density=True)


def pairs(x, w):
    return np.histogram2d(x, w, bins=(5, 8)), np.histogram2d(x, w, weights=w)


def places(x, w):
    return (
        *(np.searchsorted(EDGES, x), np.searchsorted(EDGES, x, side="right")),
        *(np.searchsorted(np.sort(x), w), np.digitize(x, EDGES), np.digitize(x, EDGES[::-1])),
    )


def distinct(x, w):
    return np.unique(x), np.unique(x, return_counts=True)


FUNCTIONS = (uniform, weighted, between, dense, pairs, places, distinct)


def outcome(run, *given):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return freeze(run(*given))
        except ValueError as error:
            return str(error)


def arrays(dtype: str):
    for size in (0, 1, 2, 100, 1000):
        yield (RNG.normal(size=size) * (1 if dtype[0] == "f" else 40)).astype(dtype)
    x = RNG.integers(-3, 3, 500).astype(dtype)  # on the edges
    yield x
    yield x[::-3]
    if dtype[0] == "f":
        x[::9], x[5::50] = -0.0, np.nan
        yield x
        yield np.where(np.isnan(x), np.inf, x).astype(dtype)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("dtype", ["f8", "i8", "f4", "u1"])
def test_histograms_are_those_of_cpython(function, dtype, thorough: bool) -> None:
    if function is pairs and dtype == "f4":
        pytest.skip("not built")
    ways = [script(function, backend="cuda"), script(function)]
    if thorough:
        ways.append(script(function, backend="interp"))
    held = after_a_call()
    for x in arrays(dtype):
        w = RNG.normal(size=len(x))
        expected = outcome(function, x, w)
        for way in ways:
            assert outcome(way, x, w) == expected, len(x)
    assert live_allocations() == held


@pytest.mark.sampled(3)
@pytest.mark.parametrize("function", [uniform, between, places, distinct, weighted])
def test_threads_share_a_histogram(function) -> None:
    """A thread does 64 elements, or all values of one bin."""
    x, w = RNG.random(1 << 20), RNG.random(1 << 20)
    with counted_steps() as counted:
        found = outcome(script(function, backend="cuda"), x, w)
    assert found == outcome(function, x, w)
    of_a_bin = (1 << 20) if function is weighted else 0
    assert 0 < counted.steps().most <= max(4 * 64 + 1, of_a_bin // 7)
