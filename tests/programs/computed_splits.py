"""Parts of arrays whose number is computed, arrays of lists with None, rounded complex numbers."""

# What a list holds is what some of these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case


def nearly_even(x, count):
    return np.array_split(x, count)


def even(x, count):
    return np.split(x, count)


def of_columns(x, count):
    return np.array_split(x, count, axis=1), np.hsplit(x, count)


def of_rows(x, count):
    return np.vsplit(x, count)


def are_views(x, count):
    for part in np.array_split(x, count):
        part[:] = len(part)
    return x


def folds(n, count):
    parts = np.array_split(np.arange(n), count)
    for i in range(count):
        yield np.concatenate([parts[j] for j in range(count) if j != i]), parts[i]


def folded(n, count):
    return [(int(train.sum()), int(test.sum())) for train, test in folds(n, count)]


def best_of(rows):
    found = []
    for row in rows:
        best = None
        for k, value in enumerate(row):
            if best is None or value > row[best]:
                best = k
        found.append(best)
    return np.array(found)


def rounded(z, decimals):
    return np.round(z, 2), np.round(z[0], 1), z.round(1), decimals


def first_alone(a):
    w, *_ = np.linalg.lstsq(a, a[:, 0] + 1.0, rcond=None)
    return np.round(w, 8)


X, Y = np.arange(10), np.arange(12.0).reshape(2, 6)
Z = np.array([1.234 + 5.678j, -0.001 - 0.004j, complex(np.inf, 1.0), 0.25 - 0.75j])
CASES: list[Case] = [
    (nearly_even, [(X, 3), (X[:2], 4), (X[:0], 2), (X, 10), (X, 0), (X, -1), (Y, 2)]),
    (even, [(X, 5), (X, 3), (X, 0), (X, -2)]),
    (of_columns, [(Y, 3), (Y, 4), (Y[::-1, ::2], 3)]),
    (of_rows, [(Y, 2), (Y, 1), (Y, 3)]),
    (are_views, [(np.arange(7), 3), (np.arange(7)[::-1], 2)]),
    (folded, [(10, 3), (5, 5)]),
    (best_of, [([[1.0, 3.0, 2.0], [5.0]],)]),
    (rounded, [(Z, 1), (Z[::-1], 1), (Z.astype(np.complex64), 1)]),
    (first_alone, [(Y[:, :2] + np.eye(2),)]),
]
