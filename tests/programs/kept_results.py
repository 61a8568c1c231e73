"""Functions whose results `functools.cache` and `lru_cache` keep.

What calls itself in some way takes for ever where nothing is kept.
"""

# Functions without annotation are what these programs are about.
# pyright: basic, reportGeneralTypeIssues=false
# ruff: noqa: B019 -- methods that keep results, too

import functools
from dataclasses import dataclass
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


@lru_cache(None)
def catalan(n):
    return 1 if n <= 1 else sum(catalan(i) * catalan(n - 1 - i) for i in range(n))


@cache
def in_a_list(n):
    return 1 if n == 0 else max([in_a_list(i) + i for i in range(n)]) + 1


@cache
def in_a_function(n):
    def smaller(i):
        return in_a_function(n - i)

    return 1 if n < 2 else smaller(1) + smaller(2)


@cache
def mapped(n):
    return 1 if n == 0 else sum(map(mapped, range(n)))


def indirect(n):
    return catalan(n), in_a_list(n), in_a_function(n), mapped(n)


@cache
def even_ways(n):
    return 1 if n == 0 else odd_ways(n - 1) + through(n - 2) if n > 1 else odd_ways(n - 1)


@cache
def odd_ways(n):
    return 1 if n == 0 else even_ways(n - 1) + even_ways(n) if n > 40 else through(n - 1)


def through(n):
    return even_ways(n)


def each_other(n):
    return even_ways(n), odd_ways(n), through(n)


def around(n):
    # Python calls this, and so does what is kept.
    return n if n < 2 else kept_around(n - 1) + kept_around(n - 2)


@cache
def kept_around(n):
    return around(n)


def plain(n):
    return n if n < 2 else renamed(n - 1) + renamed(n - 2)


renamed = cache(plain)


def under_another_name(n):
    return renamed(n), plain(n)


@cache
def best(n):
    if n == 0:
        return 1, None
    found = None
    for m in range(2):
        score, _ = best(n - 1)
        if found is None or score > found[0]:
            found = (score, m)
    return found


@cache
def steps(n):
    if n < 0:
        return None
    before = steps(n - 2)
    return n if before is None else before + 1


@cache
def nothing(n):
    if n > 1:
        nothing(n - 1)
        nothing(n - 2)


def found_out(n):
    return best(n), steps(n), nothing(n)


@cache
def needs(n):
    if n < 0:
        raise ValueError(f"none for {n}")
    return 1 if n == 0 else needs(n - 3) + 1


def raising(n):
    try:
        return needs(n)
    except ValueError as error:
        return f"{error}, {needs(3)}"


def raised(n):
    return needs(n)


@dataclass(frozen=True)
class Place:
    row: int
    column: int


@cache
def ways(place):
    if place.row == 0 or place.column == 0:
        return 1
    up, left = Place(place.row - 1, place.column), Place(place.row, place.column - 1)
    return ways(up) + ways(left)


@cache
def product(*numbers, first=1):
    return first if not numbers else product(*numbers[1:], first=first * numbers[0])


@cache
def applied(f, x):
    return f(x)


@cache
def three():
    return 3, "three"


@cache
def doubled(x):
    return x * 2


def arguments(n):
    def plus(x):
        return x + 1

    first = applied(plus, 1) + applied(doubled, 1) + applied(lambda x: x - 1, 1)
    again = applied(plus, 1), applied(lambda x: x - 2, 1)
    sums = [doubled(x) for x in (n, n)], doubled(n + 0.5), doubled("a"), doubled((n, "b"))
    return first, again, sums, ways(Place(n, n)), product(n, 2, 3), product(), three()


def as_values(numbers):
    chosen = doubled if len(numbers) > 1 else catalan
    return sorted(numbers, key=doubled), [f(3) for f in (doubled, catalan)], chosen(4)


def zeros():
    # They are equal, so the first result is kept.
    return doubled(-0.0), doubled(0.0)


def nested_forms(n):
    @cache
    def go(*, k, step=1):
        return k if k <= step else go(k=k - step) + go(k=k - step - 1)

    @cache
    def none(k):
        if k < 2:
            return
        none(k - 1)
        none(k - 2)

    @cache
    def first(*numbers):
        return numbers[0] if numbers[1] < 2 else first(numbers[0], numbers[1] - 1) * 2

    return go(k=n), none(n), first(n, 50)


class Grid:
    def __init__(self, size):
        self.size = size
        self.calls = 0

    @cache
    def paths(self, i, j):
        self.calls += 1
        if i == 0 or j == 0:
            return 1
        return self.paths(i - 1, j) + self.paths(i, j - 1)

    @lru_cache(maxsize=64)
    def name(self, k=2):
        return f"{self.size}:{k}"

    @staticmethod
    @lru_cache
    def fib(n):
        return n if n < 2 else Grid.fib(n - 1) + Grid.fib(n - 2)


class Plain(Grid):
    @cache
    def paths(self, i, j):
        return i + j


def kept_methods(n):
    grid, other = Grid(n), Grid(1)
    several = [g.paths(2, 3) for g in [Grid(1), Plain(2)]]
    named = grid.name(), grid.name(3), grid.name(k=2)
    return grid.paths(n, n), grid.calls, other.paths(2, 2), other.calls, several, named, Grid.fib(n)


CASES: list[Case] = [
    (kept_methods, [(8,)]),
    (all_of, [(0,), (30,)]),
    (many_paths, [(12,), (0,)]),
    (squares, [(3,)]),
    (nested, [(50,)]),
    (both_ways, [(40,)]),
    (distance, [("kitten", "sitting"), ("", "abc")]),
    (indirect, [(0,), (1,), (30,)]),
    (each_other, [(60,), (1,)]),
    (around, [(50,), (0,)]),
    (under_another_name, [(60,)]),
    (found_out, [(20,), (0,)]),
    (raising, [(9,), (7,)]),
    (raised, [(7,)]),
    (arguments, [(8,)]),
    (as_values, [([3, 1, 2],), ([1],)]),
    (zeros, [()]),
    (nested_forms, [(60,), (0,)]),
    (common, [("AGGTABQ", "GXTXAYB"), ("", "")]),
]
