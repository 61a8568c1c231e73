"""Folds, and arrays beside them, that are made of the same elements: memory is read once for all.

`tests/loops/test_fuse_siblings.py` compares bits with those of each of them alone.
"""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

# Dyadic, so that sums are exact in any order; more than two strips, the last one of few elements.
LONG = (np.arange(4103.0) % 37 - 11) / 4
OTHER = (np.arange(4103.0) % 29 - 17) / 8
SHORT = LONG[:5].copy()
NONE = np.zeros(0)
ONE = np.array([-0.0])
NANS = np.where(LONG == 3.0, np.nan, LONG)


def statistics(x):
    return np.sum(x), np.max(x), np.sum(x * x), np.min(x)


def statistics_of_none(x):
    return np.sum(x), np.prod(x), np.any(x > 1), np.all(x > 1)


def cosine(x, y):
    return np.dot(x, y) / (np.linalg.norm(x) * np.linalg.norm(y))


def distances(x, y):
    d = x - y
    return np.max(np.abs(d)), np.sum(np.abs(d)), np.sqrt(np.sum(d * d))


def doubled_and_summed(x):
    y = x * 2
    s = np.sum(x)
    return y, s


def summed_as_stored(x):
    y = x * 2 + 1
    return y, np.sum(y), np.max(x)


def exponentials(x):
    y = np.exp2(np.floor(x))
    return y, y.sum(), np.max(y)


def folds_of_exponentials(x):
    y = np.exp2(np.floor(x))
    return y.sum(), np.max(y), np.sum(y * y)


def exponentials_in_a_loop(x, n):
    r = np.zeros(n)
    for i in range(n):
        y = np.exp2(np.floor(x) + i)
        r[i] = y.sum() + np.max(y)
    return r


def centred(x):
    m = np.mean(x)
    return m, np.mean((x - m) ** 2), np.max(x)


def changed_between(x):
    s = np.sum(x)
    x *= 2
    t = np.sum(x)
    x[0] = 1
    return s, t, np.sum(x * x)


def changed_beside(x, y):
    s = np.sum(x)
    y[:] = x * 2
    return s, np.max(x), np.sum(y)


def shifted_beside(x):
    s = np.sum(x[:-1])
    x[1:] = x[:-1] * 2
    return s, np.sum(x[1:])


def overlapping(x):
    a, b = x[1:], x[:-1]
    y = a - b
    return y, np.sum(y), np.max(a), np.max(b)


def refused_between(x, n):
    s = np.sum(x)
    if n > 1:
        raise ValueError("too many")
    y = x + s
    return s, np.max(x), y


def in_a_loop(x, n):
    r = np.zeros(n)
    for i in range(n):
        r[i] = np.sum(x * i) + np.max(x)
    return r


def in_a_loop_beside(x, n):
    r = np.zeros(n)
    for i in range(n):
        y = x * i
        r[i] = np.sum(x) + y[0] + np.max(x)
    return r


def scalars_between(x, y):
    a = np.sqrt(np.sum(x * x))
    b = a + 1
    c = np.max(y - x) * b
    if c > a:
        return a, c
    return b, np.sum(y)


def complexes(z):
    return np.sum(z), np.mean(z), np.sum(z.real), np.max(z.imag)


WHOLE = np.arange(4103) % 41 - 13
SMALL = LONG.astype(np.float32)
COMPLEX = LONG + 1j * OTHER

CASES: list[Case] = [
    (statistics, [(LONG,), (SHORT,), (ONE,), (NANS,), (LONG[::2],), (SMALL,), (WHOLE,)]),
    (statistics, [(WHOLE.astype(np.int8),), (LONG > 0,), (NONE,)]),
    (statistics, [(LONG.reshape(11, -1),), (LONG.reshape(11, -1).T,), (np.zeros((3, 0)),)]),
    (statistics_of_none, [(NONE,), (SHORT,), (LONG,)]),
    (cosine, [(LONG, OTHER), (LONG, LONG[::-1]), (LONG, SHORT), (SMALL, SMALL)]),
    (distances, [(LONG, OTHER), (OTHER, LONG[::-1]), (WHOLE, LONG)]),
    (doubled_and_summed, [(LONG,), (NONE,), (LONG[::-3],), (WHOLE,), (COMPLEX,)]),
    (summed_as_stored, [(LONG,), (SHORT,), (LONG[1:],)]),
    (exponentials, [(LONG,), (SHORT,)]),
    (folds_of_exponentials, [(LONG,), (SHORT,), (LONG[::-2],), (LONG.reshape(11, -1),)]),
    (exponentials_in_a_loop, [(LONG, 2), (SHORT, 3)]),
    (centred, [(LONG[:4096].copy(),), (SHORT[:4].copy(),)]),
    (changed_between, [(LONG.copy(),), (SHORT.copy(),)]),
    (changed_beside, [(LONG, OTHER.copy())]),
    (shifted_beside, [(LONG.copy(),), (SHORT.copy(),)]),
    (overlapping, [(LONG,), (SHORT,)]),
    (refused_between, [(LONG, 1), (LONG, 2), (NONE, 1)]),
    (in_a_loop, [(LONG, 3), (SHORT, 2)]),
    (in_a_loop_beside, [(LONG, 3), (SHORT, 2)]),
    (scalars_between, [(LONG, OTHER), (OTHER, OTHER)]),
    (complexes, [(COMPLEX,), (COMPLEX[::2],)]),
]
