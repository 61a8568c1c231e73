"""Reductions and functions of elements with `where=` and `initial=`, and bounds."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

TABLE = np.array([[3.0, -1.0, 4.5, 0.25], [5.0, -9.0, 2.0, 6.0], [-0.5, 3.0, 5.0, 8.0]])
NANS = np.array([[3.0, np.nan, 4.5], [np.nan, np.nan, np.nan], [np.inf, -np.inf, 1.0]])
WHOLE = np.array([[3, -1, 4, 1], [5, -9, 2, 6], [5, 3, 5, 8]])
ROWS = np.array([[True], [False], [True]])
NONE = np.zeros((0, 3))


def sums(a, m):
    return a.sum(where=m), np.sum(a, axis=1, where=a > 2), np.prod(a, axis=0, where=a != 0)


def sums_from(a, n):
    return a.sum(initial=n), np.sum(a, 0, initial=n), np.prod(a, axis=1, initial=2, keepdims=True)


def small_sums(a):
    return np.sum(a, initial=1), a.sum(where=a > 1), a.prod(where=a > 1, initial=3)


def ends(a, n):
    return a.max(initial=n), np.min(a, axis=0, initial=n), np.max(a, 1, initial=n, keepdims=True)


def ends_where(a, m):
    return (
        np.max(a, where=m, initial=-100),
        a.min(axis=0, where=a > 0, initial=100),
        np.maximum.reduce(a, axis=1, initial=0, where=a < 5),
        np.add.reduce(a, initial=2, where=m),
    )


def truths(a, m):
    return np.any(a, where=m), a.all(axis=0, where=a > 0), np.all(a > 0, axis=1, where=m)


def means(a, m):
    return (
        a.mean(where=m),
        np.mean(a, axis=0, where=a > 0),
        np.std(a, axis=1, where=m, keepdims=True),
        np.var(a, where=a > 5, ddof=1),
    )


def known(a):
    return np.sum(a, where=~np.isnan(a)), np.mean(a, axis=1, where=np.isfinite(a))


def quotients(a, b):
    c = np.zeros_like(a)
    np.divide(a, b, out=c, where=b != 0)
    return c, np.sqrt(a, out=np.full(a.shape, -1.0), where=a >= 0)


def sums_of_some(a, m):
    a_ = a.copy()
    np.add(a_, 10, out=a_, where=m)
    np.negative(a, where=a > 3, out=a)
    return a_


def held(a, low, high):
    return (
        a.clip(low, high),
        a.clip(max=high),
        np.clip(a, low, None),
        a.clip(low),
        a.clip(None, low),
    )


def held_in_place(a):
    np.clip(a, 0, 4, out=a)
    return a.clip(a[0], a[-1]), np.clip(a, min=1, max=a), a.round(), np.clip(a, None, None)


def rounded(a):
    return a.round(1), a.mean().round(), np.round(a, 1, out=a)


CASES: list[Case] = [
    (sums, [(TABLE, ROWS), (WHOLE, TABLE > 0), (NONE, np.zeros((1, 3), bool)), (NANS, NANS > 1)]),
    (sums, [(TABLE.astype(np.float32), ROWS), (TABLE.T, ROWS[:, 0])]),
    (sums_from, [(TABLE, 0.5), (WHOLE, 3), (NONE, 1.0)]),
    (small_sums, [(WHOLE.astype(np.int8),), (WHOLE.astype(np.uint16),)]),
    (ends, [(TABLE, 4.0), (WHOLE, 4), (NONE, 1.5), (NANS, 0.0), (NONE.T, 7), (TABLE[:, :0], 2.0)]),
    (ends, [(WHOLE.astype(np.int16), 4), (TABLE.astype(np.float32), 1)]),
    (ends_where, [(TABLE, ROWS), (WHOLE, WHOLE > 3), (TABLE[::-1, ::2], ROWS), (NONE, False)]),
    (truths, [(TABLE, ROWS), (WHOLE, ~ROWS), (NANS, ROWS), (NONE, True)]),
    (means, [(TABLE, ROWS), (WHOLE, WHOLE > 3), (NONE, True), (TABLE, False)]),
    (known, [(NANS,), (TABLE,), (NANS.astype(np.float32),)]),
    (quotients, [(TABLE, TABLE.round()), (NANS, NANS), (TABLE, np.zeros(4)), (NONE, NONE)]),
    (sums_of_some, [(TABLE, ROWS), (WHOLE, ROWS), (WHOLE.T, np.True_), (NONE, True)]),
    (held, [(TABLE, -1, 4), (WHOLE, -2, 3), (NANS, 0.0, 2.0), (WHOLE.astype(np.uint8), -5, 300)]),
    (held, [(TABLE, TABLE[0], TABLE[1]), (NONE, 0, 1), (TABLE.astype(np.float32), 0.1, 0.3)]),
    (held_in_place, [(TABLE,), (NANS,), (WHOLE * 1.5,)]),
    (rounded, [(TABLE / 3,), (NANS,), (TABLE.astype(np.float32),)]),
]
