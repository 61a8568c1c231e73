"""`zip(*iterators)`: groups of items of one iterator, and items of as many as the run says."""

# pyright: basic

import numpy as np

from tests.programs import Case


def grouped(text, n):
    pairs = [a + b for a, b in zip(*[iter(text)] * 2, strict=False)]
    whole = list(map("".join, zip(*[iter(text)] * n, strict=False)))
    return pairs, whole, [len(group) for group in zip(*[iter(text)] * 3, strict=False)]


def numbers(xs):
    return [sum(group) for group in zip(*[iter(xs)] * 2, strict=False)], list(
        zip(*[iter(range(len(xs)))] * 3, strict=False)
    )


def several(rows):
    iterators = [iter(row) for row in rows]
    found = list(zip(*iterators, strict=False))
    return found, [next(it, -1) for it in iterators]


def strict(rows):
    found = []
    try:
        for column in zip(*[iter(row) for row in rows], strict=True):
            found.append(column)
    except ValueError as e:
        return found, str(e)
    return found, ""


def whole_numbers(x):
    y = np.float64(x)
    return y.is_integer(), (y / 2).is_integer(), (np.log2(y) * 0 + np.inf).is_integer()


CASES: list[Case] = [
    (grouped, [("abcdefg", 2), ("", 3), ("abc", 1)]),
    (numbers, [([1, 2, 3, 4],), ([1.5, 2.5, 3.5],)]),
    (several, [([[1, 2], [3]],), ([[1], [2, 3]],), ([[1], [2], [3]],)]),
    (strict, [([[1, 2], [3]],), ([[1], [2, 3]],), ([[1], [2], [3, 4]],), ([[1], [2]],)]),
    (whole_numbers, [(4.0,), (3.0,), (float("nan"),)]),
]
