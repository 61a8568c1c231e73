"""Sweeps over rows in which a round needs the result of the round before.

Some allow that two rows are worked on at once, some only with the second far behind, some not.
"""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case


def smoothed(a):
    """The row below may be one column behind."""
    for i in range(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            total = a[i - 1, j - 1] + a[i - 1, j] + a[i - 1, j + 1] + a[i, j - 1] + a[i, j]
            a[i, j] = (total + a[i, j + 1] + a[i + 1, j - 1] + a[i + 1, j] + a[i + 1, j + 1]) / 9.0


def by_rows_and_elements(a, n, steps):
    """A slice and a loop: as many columns only where n is the width."""
    for _ in range(steps):
        for i in range(1, n - 1):
            a[i, 1:-1] += a[i - 1, :-2] + a[i - 1, 2:] + a[i + 1, 1:-1] + a[i, 2:]
            for j in range(1, n - 1):
                a[i, j] += a[i, j - 1]
                a[i, j] /= 5.0


def running(a):
    """Rows that do not meet."""
    for i in range(a.shape[0]):
        for j in range(1, a.shape[1]):
            a[i, j] = a[i, j] / (1.5 + a[i, j - 1] * a[i, j - 1])


def leaning(a):
    """The row below must be two columns behind."""
    for i in range(1, a.shape[0]):
        for j in range(1, a.shape[1] - 2):
            a[i, j] = (a[i, j - 1] + a[i - 1, j + 2]) / 3.0


def too_far(a):
    """The row below reads far ahead in the row above."""
    for i in range(1, a.shape[0]):
        for j in range(1, a.shape[1] - 5):
            a[i, j] = (a[i, j - 1] + a[i - 1, j + 5]) / 3.0


def whole_row(a):
    """The first of a row is what the last of the row above was."""
    last = a.shape[1] - 1
    for i in range(1, a.shape[0]):
        for j in range(1, a.shape[1]):
            a[i, j] = (a[i, j - 1] + a[i - 1, last]) / 3.0


def coefficients(a, b, c):
    """Arrays of the rows, and one beside the one that is written."""
    for i in range(1, a.shape[0]):
        scale = c[i]
        for j in range(1, a.shape[1]):
            a[i, j] = (scale * a[i, j - 1] + a[i - 1, j] - b[i, j]) / (c[i] + 3.0)


def two_loops(a, b):
    """The second loop of a row reads what the first one has written, ahead of it or not."""
    for i in range(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            b[i, j] = a[i - 1, j + 1] - a[i, j + 1]
        for j in range(1, a.shape[1] - 1):
            a[i, j] = (a[i, j - 1] + b[i, j]) / 3.0


def ahead_of_it(a, b):
    """Not one loop: the second reads what the first writes a column on."""
    for i in range(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            b[i, j] = a[i - 1, j] + a[i, j + 1]
        for j in range(1, a.shape[1] - 1):
            a[i, j] = (a[i, j - 1] + b[i, j + 1]) / 3.0


def backwards(a):
    """The row above waits for the row below."""
    for i in range(a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            a[i, j] = (a[i, j - 1] + a[i + 1, j + 1]) / 3.0


def rows_of_many(a, b):
    """What the last round stored is stored once more, by the row below."""
    for i in range(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            a[i - 1, j] = b[i, j]
            a[i, j] = (a[i, j - 1] + b[i, j]) / 3.0


def triangle(a):
    """Columns that depend on the row."""
    for i in range(1, a.shape[0]):
        for j in range(1, min(i, a.shape[1])):
            a[i, j] = (a[i, j - 1] + a[i - 1, j]) / 3.0


SHAPES = ((0, 0), (1, 1), (2, 9), (3, 2), (3, 3), (4, 3), (5, 8), (6, 11), (7, 4), (4, 5))


def numbers(*shape):
    return np.random.default_rng(sum(shape)).normal(size=shape)


def each(count, *more):
    """Arguments of every shape: new arrays, parts of one, and one for all."""
    found = []
    for rows, columns in SHAPES:
        arrays = tuple(numbers(rows, columns + k) for k in range(count))
        found.append((*(a[:, :columns] for a in arrays), *more))
    whole = numbers(9, 9)
    found.append((*(whole[k : k + 5, 1:] for k in range(count)), *more))
    found.append((*[whole] * count, *more))
    found.append((*(numbers(9, 6).T for _ in range(count)), *more))
    return found


ONE, TWO = each(1), each(2)
SINGLE = numbers(6, 7).astype(np.float32)
WIDE = np.broadcast_to(numbers(8), (6, 8))


def overwritten(a, b, c):
    """What a round stores last is the same in all rounds."""
    for k in range(b.shape[0]):
        for j in range(a.shape[0]):
            t = a[j] + b[k, j]
            a[j] = t
            a[j] = c
    return a


def overwritten_behind(a, b, c):
    for k in range(len(b)):
        for j in range(len(a)):
            c[j] = c[j] + a[j] * b[k]
            a[j] = 2.0
    return a, c


CASES: list[Case] = [
    (smoothed, [*ONE, (SINGLE,), (WIDE,), (SINGLE[::-1, ::-1],)]),
    (by_rows_and_elements, [(numbers(*s), k, 2) for s in SHAPES for k in (s[1], s[1] - 1)]),
    (running, [*ONE, (SINGLE,)]),
    (leaning, ONE),
    (too_far, ONE),
    (whole_row, ONE),
    (coefficients, [(a, b, np.arange(len(a)) / 2.0) for a, b in TWO]),
    (coefficients, [(a, b, a[:, 0]) for a, b in TWO[5:8]]),
    (two_loops, TWO),
    (ahead_of_it, TWO),
    (backwards, ONE),
    (rows_of_many, TWO),
    (triangle, ONE),
    (overwritten, [(np.ones(5), np.ones((9, 5)), 2.5), (np.ones(5), np.ones((0, 5)), 2.5)]),
    (overwritten_behind, [(np.arange(5.0), np.arange(9.0), np.ones(5))]),
]
