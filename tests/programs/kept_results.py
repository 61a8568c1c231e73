"""Functions whose results `functools.cache` and `lru_cache` keep: nested and recursive ones."""

# Functions without annotation are what these programs are about.
# pyright: basic

import functools
from functools import cache, lru_cache

from tests.programs import Case


@cache
def fibonacci(n):
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


def all_of(n):
    return [fibonacci(i) for i in range(n)], fibonacci(60)


@cache
def paths(rows, columns=3):
    if rows == 0 or columns == 0:
        return 1
    return paths(rows - 1, columns) + paths(rows, columns=columns - 1)


def many_paths(n):
    return paths(n), paths(n, 15)


@cache
def square(n):
    return n * n


def squares(n):
    return square(n) + square(n)


def nested(n):
    @functools.cache
    def go(k):
        return k if k < 2 else go(k - 1) + go(k - 2)

    return go(n), go(n + 1)


def distance(a: str, b: str):
    @lru_cache(maxsize=1000)
    def go(i, j):
        if i == 0:
            return j
        if j == 0:
            return i
        try:
            if a[i - 1] == b[j - 1]:
                return go(i - 1, j - 1)
        except IndexError:
            return -1
        return 1 + min(go(i - 1, j), go(i, j - 1), go(i - 1, j - 1))

    return go(len(a), len(b))


def common(a: str, b: str) -> str:
    @cache
    def go(i, j):
        if i == len(a) or j == len(b):
            return ""
        if a[i] == b[j]:
            return a[i] + go(i + 1, j + 1)
        first, second = go(i + 1, j), go(i, j + 1)
        return first if len(first) >= len(second) else second

    return go(0, 0)


def both_ways(n):
    @cache
    def go(k):
        if k > 2:
            return go(k - 1) + go(k - 2)
        else:
            return k

    return go(n)


CASES: list[Case] = [
    (all_of, [(0,), (30,)]),
    (many_paths, [(12,), (0,)]),
    (squares, [(3,)]),
    (nested, [(50,)]),
    (both_ways, [(40,)]),
    (distance, [("kitten", "sitting"), ("", "abc")]),
    (common, [("AGGTABQ", "GXTXAYB"), ("", "")]),
]
