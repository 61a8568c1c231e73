"""Arrays that are merged or moved stay apart where a caller can tell."""

import numpy as np

from scriptc import script
from scriptc.types import N, f64


@script
def two_roots(x: f64[N]):
    return np.sqrt(x), np.sqrt(x)


@script
def roots_in_a_list(x: f64[N], n: int):
    first = np.sqrt(x)
    found = [first + 1.0]
    for _ in range(n):
        found.append(np.sqrt(x))
    return found


def test_equal_results_share_no_memory() -> None:
    first, second = two_roots(np.array([4.0, 9.0]))
    assert not np.shares_memory(first, second)
    assert first.tolist() == second.tolist() == [2.0, 3.0]


def test_a_list_holds_an_array_for_each_iteration() -> None:
    found = roots_in_a_list(np.array([4.0, 9.0]), 3)
    apart = [np.shares_memory(a, b) for i, a in enumerate(found) for b in found[:i]]
    assert len(apart) == 6
    assert not any(apart)


@script
def written_later(x: f64[N]):
    first, second = np.sqrt(x), np.sqrt(x)
    second[:1] = 7.0
    return np.sum(first), second


def test_an_array_that_is_written_is_one_of_its_own() -> None:
    total, second = written_later(np.array([4.0, 9.0]))
    assert total == 5.0
    assert second.tolist() == [7.0, 3.0]


@script
def written_in_a_loop(x: f64[N], n: int):
    total = np.float64(0.0)
    for _ in range(n):
        total += np.sum(np.sqrt(x))
        x[:] = 4.0
    return total


def test_what_a_loop_writes_to_is_read_in_each_iteration() -> None:
    assert written_in_a_loop(np.array([9.0, 9.0]), 3) == 6.0 + 4.0 + 4.0
