"""Elements at computed places that are used where they are read, `values @ x[places]`."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case


def product(values, x, i):
    return values @ x[i]


def rows_of_matrix(starts, places, values, x):
    out = np.empty(starts.size - 1)
    for r in range(starts.size - 1):
        out[r] = values[starts[r] : starts[r + 1]] @ x[places[starts[r] : starts[r + 1]]]
    return out


def folds(x, i):
    return np.sum(x[i]), np.max(x[i]), np.sum(x[i] * x[i]), x[i].mean()


def combined(x, y, i, j):
    return 2 * x[i] - y[j], x[i[j]], np.where(x[i] > 1, y[i], x[i])


def columns(a, i):
    return a[1, i], a[:, 2][i], a[::-1, 0][i] + a[0, i]


def written_in_between(x, i):
    taken = x[i]
    x[0] = 50
    more = x[i]
    i[0] = 1
    return taken + more, np.sum(taken), x[i]


def permuted(x, i):
    x[:] = x[i]
    x += x[i]
    x[1:] = x[i][1:]
    x[:-1] -= x[i][1:]
    return x


def computed(x, n):
    k = np.arange(n)
    size = len(x)
    return x[(k * 7) % size], x[k % size - size], np.sum(x[np.cumsum(k) % size])


def in_order(x, i):
    print("before")
    try:
        taken = x[i]
        print("taken")
    except IndexError as error:
        print("no", error)
        return -1.0
    return float(np.sum(taken)) + 0.5


def in_order_with_others(x, i, values):
    return values[2] + values @ x[i]


def with_matrix(a, x, i):
    return a @ x[i], x[i] @ a, np.outer(x[i], x[i]), a * x[i]


def grid(x, g):
    return x[g], x[g].T, np.sum(x[g], axis=0)


def used_often(x, i):
    taken = x[i]
    low = np.min(taken)
    spread = np.max(taken) - low
    return (taken - low) / spread, taken


X = np.arange(12.0) ** 2 / 4
PLACES = np.array([3, 0, -1, 11, 3, -12, 5, 5])
BELOW = np.array([0, 1, 2, 3, 1, 1, 0, 2])
WRONG = [np.array([0, 12, -20]), np.array([-13, 50]), np.array([255, 0], np.uint8)]
NONE = np.zeros(0, np.int64)
KINDS = [PLACES.astype(t) for t in (np.int8,)] + [
    np.abs(PLACES).astype(t) % 12 for t in (np.uint32, np.uint64)
]
VALUES = np.arange(8) / 4 - 1
A = np.arange(48.0).reshape(4, 12)
STARTS = np.array([0, 2, 2, 5, 8], np.uint32)
LONG = np.arange(70000) % 12
CASES: list[Case] = [
    (product, [(VALUES, X, i) for i in (PLACES, *KINDS, BELOW, PLACES[::-1])]),
    (product, [(VALUES[: len(i)], X, i) for i in (NONE, *WRONG)]),
    (product, [(VALUES, X, i) for i in (NONE, *WRONG, PLACES[1:])]),
    (product, [(VALUES, X[:0], i) for i in (NONE, PLACES)]),
    (product, [(VALUES[::-2], X[::-2][:4], BELOW[::2]), (np.ones(70000), X, LONG)]),
    (product, [(VALUES.astype(np.float32), X.astype(np.float32), PLACES)]),
    (product, [(VALUES * 1j, X * (1 + 2j), PLACES), (np.arange(8), np.arange(12), PLACES)]),
    (rows_of_matrix, [(STARTS, PLACES, VALUES, X), (STARTS.astype(int), BELOW, VALUES, X)]),
    (rows_of_matrix, [(STARTS, PLACES, VALUES, X[:11]), (STARTS[:1], PLACES, VALUES, X)]),
    (
        rows_of_matrix,
        [(STARTS[::-1], PLACES, VALUES, X), (STARTS + np.uint32(2), PLACES, VALUES, X)],
    ),
    (folds, [(X, PLACES), (X[::-1], BELOW), (X, WRONG[0]), (X, NONE), (X, LONG)]),
    (combined, [(X, X + 1, PLACES, BELOW), (X, X, BELOW, BELOW[:1]), (X, X, BELOW, BELOW[:2])]),
    (combined, [(X, X[:5], PLACES, BELOW), (X, X, PLACES, WRONG[0])]),
    (columns, [(A, BELOW), (A, PLACES), (A[:, ::2], BELOW), (A, np.array([30]))]),
    (written_in_between, [(X, BELOW), (X, PLACES), (np.arange(12), BELOW)]),
    (permuted, [(X, np.arange(12)[::-1]), (X, np.arange(12) // 2), (X, PLACES)]),
    (computed, [(X, 30), (X[:5], 8), (X, 0)]),
    (in_order, [(X, PLACES), (X, WRONG[0]), (X, NONE)]),
    (in_order_with_others, [(X, PLACES, VALUES), (X, WRONG[0], VALUES[:2]), (X, WRONG[0], VALUES)]),
    (with_matrix, [(A[:, :8][:8].repeat(2, 0), X, PLACES), (A, X, PLACES), (A, X, WRONG[1])]),
    (grid, [(X, PLACES.reshape(2, 4)), (X, PLACES.reshape(4, 2).T), (X, LONG[:0].reshape(0, 3))]),
    (grid, [(X, np.array([[0, 1], [2, 99]]))]),
    (used_often, [(X, PLACES), (X, BELOW)]),
]
