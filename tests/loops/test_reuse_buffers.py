"""Arrays that live for a part of a round: the memory of a loop does not depend on its rounds."""

# Without annotations the types come from the call.
# pyright: basic

import ctypes
import os
import re

import numpy as np
import pytest

from scriptc import script
from scriptc.scripted_function import store_of
from scriptc.types import M, N, f64


def counter(name: str) -> int:
    support = store_of(os.environ["SCRIPTC_CACHE_DIR"]).support
    return ctypes.c_int64.from_address(support[name]).value


def taken(call, *arguments) -> int:
    """Return how many blocks a call takes, after checking that it gives all of them back."""
    call(*arguments)
    live, before = counter("sc_live_blocks"), counter("sc_total_allocs")
    call(*arguments)
    assert counter("sc_live_blocks") == live
    return counter("sc_total_allocs") - before


@script
def diffuse(a: f64[N, M], n: int) -> None:
    old = np.empty_like(a)
    for _ in range(n):
        old = a.copy()
        a[1:-1, 1:-1] = 0.5 * (old[2:, 1:-1] + old[:-2, 1:-1])
        a[0, 0] = a[0, 0] + 1.0


@script
def prefixes(a: f64[N, M], n: int) -> None:
    for k in range(n):
        part = np.sqrt(a[0, : k % a.shape[1]])
        a[1, : part.size] += np.flip(part)


@script
def fails_at(a: f64[N, M], n: int) -> None:
    for k in range(n):
        old = a.copy()
        for i in range(n):
            row = old[0] * 2.0
            a[0] = np.flip(row)
            a[k, i] = 1.0


@pytest.mark.parametrize("columns", [5, 700])
def test_rounds_take_no_memory_of_their_own(columns: int) -> None:
    a = np.ones((6, columns))
    for function in (diffuse, prefixes):
        few, many = (taken(function, a, n) for n in (columns, 8 * columns))
        assert few == many
    assert taken(diffuse, a, 0) == 0


def test_what_is_small_stands_on_the_stack() -> None:
    assert taken(diffuse, np.ones((6, 5)), 50) == 0
    assert taken(diffuse, np.ones((60, 50)), 50) == 1


def test_the_first_value_of_a_name_that_is_bound_anew_is_not_made() -> None:
    host = diffuse.dump("low").split("\nfunc ")[0]
    assert "new_array" not in host
    assert len(re.findall("kept_array", host)) == 1


@pytest.mark.parametrize("n", [3, 40])
def test_an_exception_gives_back_what_the_loops_keep(n: int) -> None:
    a = np.ones((6, 7 * n))
    live = counter("sc_live_blocks")
    for _ in range(3):
        if n > 6:
            with pytest.raises(IndexError):
                fails_at(a, n)
        else:
            fails_at(a, n)
    assert counter("sc_live_blocks") == live


@script
def huge(a: f64[N], n: int, size: int) -> float:
    total = 0.0
    for _ in range(n):
        rows = np.zeros((size, size))
        total += rows[0, 0] + a[0]
    return total


def test_a_loop_without_rounds_takes_no_memory() -> None:
    assert huge(np.ones(1), 0, 2**31) == 0.0
    with pytest.raises(MemoryError):
        huge(np.ones(1), 1, 2**24)
    assert huge(np.ones(1), 3, 20) == 3.0
    with pytest.raises(ValueError, match="array is too big"):
        huge(np.ones(1), 1, 2**33)
    assert huge(np.ones(1), 2, 2) == 2.0


@script
def depth(a: f64[N], n: int) -> float:
    total = 0.0
    for _ in range(2):
        row = np.flip(a) + n
        if n > 0:
            total += depth(row, n - 1)
        total += float(row[0])
    return total


@pytest.mark.parametrize("size", [3, 300])
def test_each_call_of_a_recursion_has_its_own(size: int) -> None:
    a = np.arange(float(size))
    assert depth(a, 6) == depth.python(a, 6)
