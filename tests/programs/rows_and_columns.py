"""Stars in what loops take items of, `map(sum, zip(*rows))` and `zip(*pair)`; texts of columns."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic, reportArgumentType=false
# ruff: noqa: B905 -- how people write it

import itertools

import numpy as np

from tests.programs import Case


def turned(rows):
    it = map(list, zip(*rows))
    return (
        list(map(list, zip(*rows))),
        list(map(list, zip(*rows[::-1]))),
        tuple(map(tuple, zip(*rows))),
        dict(zip("ab", map(list, zip(*rows)))),
        next(it, None),
        list(it),
    )


def of_columns(rows):
    total = 0
    for column in map(sum, zip(*rows)):
        total += column
    for i, column in enumerate(map(max, zip(*rows))):
        total += i * column
    for i, column in zip(range(9), map(min, zip(*rows))):
        total += i * column
    return (
        total,
        sum(map(max, zip(*rows))),
        sorted(map(sum, zip(*rows))),
        list(map(all, zip(*rows))),
        list(filter(any, zip(*rows))),
        list(map(lambda a, b: a + sum(b), [1, 2], zip(*rows))),
    )


def of_generators(n, xs):
    return (
        list(map(sum, zip(*([i, i + 1] for i in range(n))))),
        list(map(abs, itertools.chain(*xs))),
        [x for x in filter(lambda v: v > 1, itertools.chain(*xs))],
    )


def given_first(rows):
    """What stands behind the star is computed where the call stands."""
    columns = map(sum, zip(*rows))
    rows = [[100]]
    return list(columns), rows


def of_pairs(pair, xs):
    products = 0.0
    for a, b in zip(*pair):
        products += a * b
    for a, b, c in zip(xs, *pair):
        products += a * b * c
    return (
        products,
        list(zip(*pair)),
        [a + b for a, b in zip(*(xs, xs[::-1]))],
        [i + a + b for i, (a, b) in enumerate(zip(*pair))],
        list(map(sum, zip(*pair, [5, 6]))),
        list(map(max, zip(*pair))),
    )


def of_arrays(x, n):
    pair = x, np.arange(n)
    return [float(a * b) for a, b in zip(*pair)], [float(sum(c)) for c in zip(*(x, x))]


def of_several_types(pair):
    return list(zip(*pair)), [(b, a) for a, b in zip(*pair)]


def texts(lines):
    """Texts of tuples of any length."""
    words = tuple(w for line in lines for w in line.split())
    return (
        ["".join(column) for column in zip(*lines)],
        list(map("".join, zip(*lines))),
        ["-".join(p) for p in itertools.permutations(lines[:3], 2)],
        ", ".join(words),
        "".join(tuple(lines)[:0]),
        b"+".join(tuple(w.encode() for w in words)),
    )


CASES: list[Case] = [
    (turned, [([[1, 2], [3, 4]],), ([(1, 2), (3, 4)],), ([[1, 2, 3], [4]],)]),
    (of_columns, [([[1, 2], [3, 0]],), ([[0, 0], [0, 0], [1, 1]],)]),
    (of_generators, [(3, [[1, -2], [], [3]]), (0, [[5]])]),
    (given_first, [([[1, 2], [3, 4]],)]),
    (of_pairs, [(([1, 2], [3, 4]), [5, 6]), (([7, 8], [3]), [5])]),
    (of_arrays, [(np.ones(3), 3), (np.ones(2), 5)]),
    (of_several_types, [(([1, 2], ["a", "b"]),)]),
    (texts, [(["abc", "d f"],), (["", "x"],)]),
]
