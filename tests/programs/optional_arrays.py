"""Arrays that may be missing, with sizes that others share: `f64[N] | None`."""

# Without annotations the types come from the call, which is what some of these programs are about.
# pyright: basic

import numpy as np

from scriptc.types import M, N, f64
from tests.programs import Case


def weighted(x: f64[N], w: f64[N] | None = None):
    return np.sum(x) if w is None else np.sum(x * w)


def product(v: f64[N, M] | None, w: f64[N] | None, x: f64[M] | None):
    if v is None or w is None or x is None:
        return None
    return np.sum((v @ x) * w)


def passes_none(x):
    return weighted(x), weighted(x, None), weighted(x, x * 2)


def passes_perhaps(x, n):
    w = None
    if n > len(x):
        w = x + n
    return weighted(x, w), weighted(x[1:], None if w is None else w[1:])


def both_perhaps(v: f64[N] | None, w: f64[N] | None):
    return (v is None, w is None) if v is None or w is None else (float(v[0]) > float(w[0]), False)


def two_perhaps(x, n):
    v = x if n > 0 else None
    w = x + 1 if n > 1 else None
    return both_perhaps(v, w), both_perhaps(w, v), both_perhaps(None, x), both_perhaps(w, None)


def pair_sum(pair: tuple[f64[N], f64[N]]):
    return np.sum(pair[0] + pair[1])


def passes_pair(x, y):
    return pair_sum((x, y[: len(x)]))


def given_back(w: f64[N] | None):
    return w


def passes_back(x, n):
    w = given_back(x * 2 if n else None)
    return x if w is None else x + w


X = np.array([1.0, -2.0, 0.5])
A = np.array([[1.0, 2.0, 3.0], [0.5, -1.0, 0.0]])
NOTHING = np.zeros(0)
CASES: list[Case] = [
    (weighted, [(X,), (X, None), (X, X[::-1]), (NOTHING, NOTHING), (NOTHING,)]),
    (product, [(A, A[:, 0], X), (None, X, X), (A, None, None), (None, None, None)]),
    (passes_none, [(X,), (X[::2],), (NOTHING,)]),
    (passes_perhaps, [(X, 2), (X, 5), (X[::-1], 9)]),
    (both_perhaps, [(None, None), (X, None), (None, X), (X, X + 1)]),
    (two_perhaps, [(X, 0), (X, 1), (X, 2)]),
    (passes_pair, [(X, A[0]), (X[:1], X)]),
    (passes_back, [(X, 0), (X, 1)]),
]
