"""Variances beside their means, in one pass over memory, and what only looks like one.

`tests/loops/test_squared_distances.py` has numbers that are hard to sum.
"""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

# Small whole numbers in two strips, or many, of a power of two: all sums and means are exact.
LONG = (np.arange(4096.0) % 8) * (np.arange(4096) % 16 < 8)
OTHER = (np.arange(4096.0) // 16) % 4
SHORT = LONG[4:8].copy()
NONE = np.zeros(0)
ONE = np.array([3.0])
NANS = np.where(np.arange(4096) == 5, np.nan, LONG)
INFINITE = np.where(np.arange(4096) == 3000, np.inf, LONG)
HUGE = np.where(np.arange(4096) == 3000, 1e200, LONG)
SMALL = LONG.astype(np.float32)
TABLE = (LONG + OTHER).reshape(256, 16)
NARROW = LONG.reshape(1024, 4)
IMAGES = LONG.reshape(64, 2, 4, 8)


def spread(x):
    return np.mean(x), np.var(x), np.max(x)


def by_hand(x):
    m = np.mean(x)
    return m, np.sum((x - m) ** 2), np.sum(x)


def from_the_mean(x):
    d = np.sum(x) / len(x) - x
    return (d * d).mean()


def of_what_is_computed(x, y):
    z = x * 2 - y
    return np.var(z), np.mean(z), np.sum(y)


def of_another_mean(x, y):
    return np.sum((x - np.mean(y)) ** 2), np.sum(y)


def of_a_weighted_mean(x, w):
    m = np.sum(x * w) / np.sum(w)
    return np.sum((x - m) ** 2)


def of_the_largest(x):
    return np.sum((x - np.max(x)) ** 2)


def changed_between(x):
    m = np.mean(x)
    x[0] = 4
    return m, np.sum((x - m) ** 2)


def stored_between(x):
    m = np.mean(x)
    x += 1
    return np.sum((x - m) ** 2)


def products_of_distances(x, y):
    return np.sum((x - np.mean(x)) * (y - np.mean(y)))


def third_powers(x):
    d = x - np.mean(x)
    return np.sum(d * d), np.sum(d * d * d)


def middles_that_are_used_again(x, n):
    m = np.sum(x) / len(x)
    y = x - m
    r = np.zeros(n)
    for i in range(n):
        r[i] = m * i
    if n > 1:
        return m + 1.0, r, np.sum(y * y), y
    return -m, r, np.max(y), y


def in_a_loop(x, n):
    r = np.zeros(n)
    for i in range(n):
        r[i] = np.var(x * i)
    return r


def columns(x):
    return np.mean(x, axis=0), np.var(x, axis=0)


def columns_by_hand(x):
    m = x.mean(axis=0, keepdims=True)
    return m, ((x - m) ** 2).sum(axis=0, keepdims=True)


def standardised(x):
    return (x - x.mean(axis=0)) / np.sqrt(np.var(x, axis=0))


def columns_of_another_mean(x, y):
    return np.sum((x - np.mean(y, axis=0)) ** 2, axis=0)


def columns_of_a_weighted_mean(x, w):
    m = np.sum(x * w[:, None], axis=0) / np.sum(w)
    return np.sum((x - m) ** 2, axis=0), np.sum(x, axis=0)


def columns_changed_between(x):
    m = np.mean(x, axis=0)
    x[0] = 4
    return np.sum((x - m) ** 2, axis=0)


def columns_into_every_second(x, y):
    y[::2] = np.mean(x, axis=0)
    y[1::2] = np.var(x, axis=0)
    return x - np.sum(x, axis=0, keepdims=True)


def sums_in_two_shapes(x):
    s = np.sum(x, axis=0)
    t = np.sum(x, axis=0, keepdims=True)
    u = x - np.mean(x, axis=0, keepdims=True)
    s[0] = -1.0
    return s, t, u


def of_means_of_rows(x):
    return np.sum((x - np.mean(x, axis=1, keepdims=True)) ** 2, axis=0), np.sum(x, axis=0)


def by_channel(x):
    return x.mean(axis=(0, 2, 3)), x.var(axis=(0, 2, 3)), x.var(axis=0), x.mean(axis=0)


WEIGHTS = np.repeat([0.5, 1.5], 128)


def squares_kept(x):
    """What is summed is stored as well, as another sum takes it."""
    distance = x - np.mean(x, keepdims=True)
    return np.sum(distance * distance) / 5, np.var(x), np.var(x, ddof=1)


def freedom(x, ddof):
    """NumPy takes no more than all away from the number of elements."""
    several = np.var(x, axis=0, ddof=ddof), np.std(x, axis=1, ddof=ddof, keepdims=True)
    return np.var(x, ddof=ddof), x.std(ddof=ddof), several, np.var(x, ddof=1.5)


def freedom_without_nan(x, ddof):
    several = np.nanvar(x, axis=0, ddof=ddof), np.nanstd(x, axis=1, ddof=ddof, keepdims=True)
    return np.nanvar(x, ddof=ddof), np.nanstd(x), several


ROWS = np.array([[1.0, 2.0, 4.0], [3.0, 7.0, 7.0]])
GAPS = np.array([[1.0, np.nan, np.nan], [3.0, 5.0, np.nan]])


CASES: list[Case] = [
    (spread, [(LONG,), (SHORT,), (ONE,), (NANS,), (INFINITE,), (LONG[::-1],), (SMALL,)]),
    (spread, [(TABLE,), (TABLE.T,), (TABLE[::2],), (LONG.astype(np.int32),), (LONG > 3,)]),
    (by_hand, [(LONG,), (SHORT,), (NANS,), (INFINITE,), (HUGE,), (SMALL,), (LONG[::2],), (NONE,)]),
    (from_the_mean, [(LONG,), (SHORT,), (LONG[::-1],)]),
    (of_what_is_computed, [(LONG, OTHER), (SHORT, ONE), (LONG, OTHER[::-1])]),
    (of_another_mean, [(LONG, OTHER), (INFINITE, LONG), (LONG, INFINITE), (NANS, LONG)]),
    (of_another_mean, [(HUGE, LONG), (LONG, ONE), (NONE, NONE), (LONG, NANS), (NONE, LONG)]),
    (of_a_weighted_mean, [(LONG, np.repeat([0.5, 1.5], 2048)), (INFINITE, np.ones(4096))]),
    (of_the_largest, [(LONG,), (INFINITE,), (NANS,), (TABLE,)]),
    (changed_between, [(LONG.copy(),), (SHORT.copy(),)]),
    (stored_between, [(LONG.copy(),), (SHORT.copy(),)]),
    (products_of_distances, [(LONG, OTHER)]),
    (third_powers, [(LONG,), (SHORT,)]),
    (middles_that_are_used_again, [(LONG, 3), (SHORT, 1), (NANS, 2)]),
    (in_a_loop, [(LONG, 3), (SHORT, 2)]),
    (columns, [(TABLE,), (NARROW,), (TABLE.T,), (TABLE[:, ::2],), (TABLE[:64],), (TABLE[:4],)]),
    (columns, [(TABLE.astype(np.float32),), (np.asfortranarray(TABLE),), (TABLE[:0],)]),
    (columns, [(INFINITE.reshape(256, 16),), (NANS.reshape(256, 16),), (TABLE[:, :0],)]),
    (columns_by_hand, [(TABLE,), (NARROW,), (HUGE.reshape(256, 16),), (TABLE[:0],)]),
    (
        standardised,
        [(LONG.reshape(32, 128).T.repeat(2, axis=0),), (TABLE[:4, :8] + TABLE.T[:4, :8],)],
    ),
    (columns_of_another_mean, [(TABLE, TABLE[::-1]), (TABLE, TABLE[:4])]),
    (columns_of_a_weighted_mean, [(TABLE, WEIGHTS)]),
    (columns_changed_between, [(TABLE.copy(),)]),
    (columns_into_every_second, [(TABLE, np.zeros(32)), (NARROW, np.zeros(8))]),
    (sums_in_two_shapes, [(TABLE,), (NARROW,)]),
    (of_means_of_rows, [(TABLE,)]),
    (by_channel, [(IMAGES,), (IMAGES[:, ::-1],), (IMAGES.transpose(0, 2, 3, 1),)]),
    (
        freedom,
        [(ROWS, 1), (ROWS, 0), (ROWS, 5), (ROWS.astype(np.complex128) * 1j, 2), (ROWS > 3, 1)],
    ),
    (freedom_without_nan, [(GAPS, 0), (GAPS, 1), (GAPS, 2), (ROWS.astype(np.int64), 2)]),
]
