"""How deep calls are is counted through functions that call themselves, and through others."""

import sys

import pytest

from scriptc import script


def inner(n: int) -> int:
    return 0 if n == 0 else 1 + inner(n - 1)


def between(n: int, rounds: int) -> int:
    total = 0
    for _ in range(rounds):
        total += inner(n)
    return total


def outer(n: int, m: int) -> int:
    if n == 0:
        return between(m, 3)
    return 1 + outer(n - 1, m)


@script
def often(n: int, m: int, rounds: int) -> int:
    total = 0
    for _ in range(rounds):
        total += outer(n, m) + inner(m)
    return total


@script
def first_caught(n: int, m: int) -> int:
    try:
        return outer(n, m)
    except RecursionError:
        return -inner(m)


def test_calls_are_counted_through_functions_that_are_not_recursive() -> None:
    limit = sys.getrecursionlimit()
    deep = limit * 6 // 10
    assert often(deep, limit - deep - 50, 20) == 20 * (deep + 4 * (limit - deep - 50))
    with pytest.raises(RecursionError):
        often(deep, deep, 1)
    assert often(10, deep, 3) == 3 * (10 + 4 * deep)


def test_depth_is_forgotten_where_an_exception_ends_calls() -> None:
    deep = sys.getrecursionlimit() * 6 // 10
    for _ in range(5):
        assert first_caught(deep, deep) == -deep
        assert first_caught(3, deep) == 3 + 3 * deep


@script
def mutual(n: int, odd: bool) -> int:
    return n if n < 2 else is_even(n - 1, odd) + 1


def is_even(n: int, odd: bool) -> int:
    total = 0
    for k in range(2):
        if (k == 1) == odd:
            total += mutual(n - 1, odd)
    return total


def test_functions_that_call_each_other() -> None:
    assert mutual(90, True) == mutual.python(90, True)
    with pytest.raises(RecursionError):
        mutual(10**6, False)
