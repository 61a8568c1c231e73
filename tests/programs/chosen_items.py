"""Combinations, permutations and products of as many items as the run says, and of many."""

# pyright: basic

import itertools
from itertools import combinations, combinations_with_replacement, permutations, product

from tests.programs import Case


def subsets(xs):
    return [list(found) for size in range(len(xs) + 1) for found in combinations(xs, size)]


def many(n):
    xs = list(range(n))
    return (
        [sum(found) for found in combinations(xs, 5)],
        list(combinations(xs, r=len(xs) - 1)),
        len(list(combinations_with_replacement(xs, 4))),
        list(combinations_with_replacement("ab", n - 3)),
    )


def unpacked(xs):
    total = 0
    for a, b, c, d, e in combinations(xs, 5):
        total += a * b + c * d - e
    return total


def tours(cities):
    best = None
    for tour in permutations(cities):
        length = sum(abs(tour[i] - tour[i - 1]) for i in range(len(tour)))
        if best is None or length < best[0]:
            best = length, tour
    return best


def orders(text, r):
    return ["".join(order) for order in itertools.permutations(text, r)], list(
        permutations(text, None)
    )[-1]


def of_tuples(n):
    return list(permutations((n, 1, 2, 3, 4)))[7], list(permutations((n, "a")))


def powers(n):
    return list(product("ab", repeat=n)), len(list(product(range(2), repeat=5)))


def rows_of(rows):
    return list(product(*rows)), [sum(t) for t in itertools.product(*[row[:1] for row in rows])]


def negative(n):
    try:
        return list(combinations([1, 2], n)), list(permutations([1, 2], n))
    except ValueError as e:
        return str(e)


def negative_orders(n):
    try:
        return list(permutations([1, 2], n))
    except ValueError as e:
        return str(e)


CASES: list[Case] = [
    (subsets, [([1, 2, 3],), (["a"],), ([1.5, 2.5],)]),
    (many, [(5,), (6,)]),
    (unpacked, [([1, 2, 3, 4, 5, 6],), ([1, 2],)]),
    (tours, [([3, 1, 2],), ([0],)]),
    (orders, [("abc", 2), ("abc", 0), ("ab", 3), ("abcd", 4), ("", 0)]),
    (of_tuples, [(0,)]),
    (powers, [(0,), (1,), (3,)]),
    (rows_of, [([[1, 2], [3], [4, 5]],), ([[1], [], [2]],), ([[7]],)]),
    (negative, [(-1,), (0,), (3,)]),
    (negative_orders, [(-1,), (1,)]),
]
