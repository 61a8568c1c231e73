"""Chains of stencils: how many sweeps they take, and what happens where arguments share memory."""

# Without annotations the types come from the call.
# pyright: basic

import re

import numpy as np
import pytest

from scriptc import script
from scriptc.types import M, N, f64
from tests.outcomes import freeze
from tests.programs import stencils


@script
def chained(a: f64[N, M]) -> f64[2, 2]:
    lap = 4.0 * a[1:-1, 1:-1] - (a[2:, 1:-1] + a[:-2, 1:-1] + a[1:-1, 2:] + a[1:-1, :-2])
    across = lap[1:, 1:] - lap[:-1, 1:]
    return across[:, 1:] - across[:, :-1]


@script
def written(a: f64[N, M]) -> f64[2, 2]:
    lap = a[2:, 1:-1] + a[:-2, 1:-1]
    lap[0] = 1.0
    return lap[1:] - lap[:-1]


def nests(function) -> list[str]:
    return function.dump("low").split("\nfunc ")


def test_a_chain_of_slices_is_one_sweep_without_arrays_between() -> None:
    host, *kernels = nests(chained)
    fast = kernels[0]
    assert len(re.findall(r"^ +loop", fast, re.M)) == 2
    # Four places of the first step, each at five of `a`: what they have in common is loaded once.
    assert len(re.findall(r"= load", fast)) == 12
    first_version = host[: host.index("kernel.chained.0")]
    assert first_version.count("new_array") == 1  # the result


def test_what_is_written_is_in_memory() -> None:
    host, *_ = nests(written)
    assert host.count("new_array") == 2


def shifted(a, k):
    """Return parts of one buffer that share all of their memory but `k` rows."""
    buffer = np.concatenate([a, a[::-1]])
    return buffer[: len(a)], buffer[k : k + len(a)]


@pytest.mark.parametrize("rows", [0, 1, 2, 5, 9])
@pytest.mark.parametrize("columns", [1, 6, 37])
@pytest.mark.parametrize("step", [1, -1])
def test_arguments_that_overlap(rows: int, columns: int, step: int) -> None:
    rng = np.random.default_rng(rows)
    a = rng.integers(-8, 9, (9, columns)) / 8.0

    def arguments():
        x, y = shifted(a.copy(), rows)
        return x[:, ::step], y[:, ::step], a.copy()

    for function in (stencils.staggered, stencils.in_place):
        for order in ((0, 1, 2), (1, 0, 2), (2, 0, 1)):
            expected, given = arguments(), arguments()
            count = function.__code__.co_argcount
            function(*[expected[i] for i in order][:count])
            script(function)(*[given[i] for i in order][:count])
            assert list(map(freeze, given)) == list(map(freeze, expected))
