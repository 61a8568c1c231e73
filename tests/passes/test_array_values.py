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
