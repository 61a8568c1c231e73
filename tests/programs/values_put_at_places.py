"""Values that are computed where they are stored, at places that arrays of indices give."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

TABLE = np.arange(12.0).reshape(3, 4) - 5.0
LINE = np.array([4.0, -0.25, 1.0, 16.0])
PLACES = np.array([2, 0, -1, 2])
BYTES = np.array([1, 0, 2], np.uint8)
NONE = np.zeros(0, np.int64)
INTS = np.arange(6) * 3
CUBE = np.arange(24.0).reshape(2, 3, 4)
SMALL = np.array([1, 2, 3], np.int8)


def rows(x, i, v):
    x[i] = v * 2.0
    return x


def added(x, i, v):
    np.add.at(x, i, v + 1.0)
    np.subtract.at(x, i, 0.5)
    return x


def largest(x, i, v):
    most = np.full(len(x), -np.inf)
    np.maximum.at(most, i, v)
    least = np.full(len(x), np.inf)
    np.minimum.at(least, i, v)
    return most, least


def gathered_and_added(x, i, j):
    sums = np.zeros_like(x)
    np.add.at(sums, j, (x * 2.0)[i])
    return sums


def multiplied(x, i):
    np.multiply.at(x, i, 3)
    return x


def of_itself(x, i):
    x[i] = x[i[::-1]] + 1.0
    np.add.at(x, i, x[: len(i)])
    return x


def of_overlapping_parts(x, i):
    x[1:][i] = x[:-1][i]
    np.add.at(x[1:], i, x[:-1][: len(i)])
    return x


def places_that_are_written(i):
    i[i] = i + 0
    np.add.at(i, i, 1)
    return i


def by_two_lists(x, i, j, v):
    x[i, j] = v
    np.add.at(x, (i, j), v)
    return x


def broadcast(x, i, v):
    x[i] = v
    x[i, 1:] = v[1:]
    x[:, i] += 1.0
    return x


def cubes(c, i, v):
    c[i] = v
    np.add.at(c, i, v[0])
    c[:, i] = 7.0
    c[0, i, :2] = v[:2]
    return c


def by_masks(x, mask, v):
    x[mask] = v
    x[mask, 1] = 9.0
    x[~mask, 1:3] = v[1:3]
    return x


def narrow(x, i, v):
    x[i] = v
    np.add.at(x, i, v)
    np.add.at(x, i, 100)
    return x


def caught(x, i, v):
    try:
        x[i] = v
    except (IndexError, ValueError) as error:
        print(isinstance(error, ValueError))
    return x


def weighed(h, i, j, s):
    score = s[i] * 0.5 - s[j]
    most = np.full(len(h), -np.inf)
    np.maximum.at(most, j, score)
    weight = np.exp(np.minimum(score - most[j], 0.0) * 0.0)
    total = np.zeros(len(h))
    np.add.at(total, j, weight)
    out = np.zeros_like(h)
    np.add.at(out, j, (weight / total[j])[:, None] * h[i])
    return most, total, out


def of_functions_of_itself(x, i):
    np.add.at(x, i, np.exp(x[: len(i)] * 0.0))
    x[i] = np.log(np.abs(x[: len(i)]) * 0.0 + 1.0)
    return x


CASES: list[Case] = [
    (weighed, [(TABLE, BYTES, PLACES[:3], LINE), (TABLE, PLACES, PLACES[::-1], LINE)]),
    (weighed, [(TABLE, NONE, NONE, LINE), (TABLE, BYTES, PLACES + 1, LINE)]),
    (
        of_functions_of_itself,
        [(LINE, PLACES), (LINE, PLACES + 9), (LINE, NONE), (LINE, PLACES[:1])],
    ),
    (rows, [(LINE, PLACES + 9, LINE[:3]), (TABLE, PLACES + 9, LINE[:3])]),
    (added, [(LINE, PLACES + 9, LINE[:3])]),
    (by_two_lists, [(TABLE, PLACES, PLACES + 9, LINE[:3])]),
    (
        rows,
        [
            (TABLE, PLACES, LINE),
            (TABLE, BYTES, TABLE),
            (TABLE, NONE, LINE),
            (TABLE.T, BYTES, LINE[:3]),
        ],
    ),
    (rows, [(TABLE, PLACES * 5, LINE), (TABLE, PLACES, LINE[:3]), (TABLE[:, ::-1], BYTES, TABLE)]),
    (rows, [(TABLE[::2], BYTES[:2], LINE), (TABLE[:, :0], BYTES, 1.0), (TABLE[:0], NONE, LINE)]),
    (
        added,
        [(LINE, PLACES, LINE), (TABLE, PLACES, LINE), (TABLE, BYTES, TABLE), (LINE, NONE, 2.0)],
    ),
    (added, [(LINE, PLACES + 3, LINE), (INTS * 1.0, PLACES, INTS[:4]), (LINE, PLACES, INTS[:2])]),
    (largest, [(TABLE, PLACES, LINE), (TABLE, PLACES, LINE * np.nan), (TABLE, NONE, LINE[:0])]),
    (
        gathered_and_added,
        [(TABLE, PLACES, PLACES[::-1]), (LINE, PLACES, PLACES), (TABLE, NONE, NONE)],
    ),
    (
        gathered_and_added,
        [(TABLE, PLACES, BYTES), (TABLE, PLACES + 1, PLACES), (TABLE, PLACES, PLACES + 1)],
    ),
    (
        multiplied,
        [(LINE, PLACES), (INTS, PLACES), (TABLE, PLACES), (SMALL, PLACES), (INTS, PLACES * 9)],
    ),
    (of_itself, [(LINE, PLACES), (TABLE, BYTES), (LINE, PLACES[:2])]),
    (of_overlapping_parts, [(INTS * 1.0, PLACES), (TABLE, BYTES[:2])]),
    (places_that_are_written, [(np.array([2, 0, 1, 1]),), (np.array([3, 3, 3, 3]),), (NONE,)]),
    (
        by_two_lists,
        [
            (TABLE, PLACES, PLACES, LINE),
            (TABLE, BYTES, BYTES, 2.0),
            (CUBE, BYTES[:2], BYTES[:2], LINE),
        ],
    ),
    (by_two_lists, [(TABLE, PLACES, PLACES, LINE[:2]), (TABLE, PLACES, BYTES, 2.0)]),
    (broadcast, [(TABLE, BYTES, LINE), (TABLE, PLACES * 0, LINE)]),
    (cubes, [(CUBE, BYTES[:2], TABLE), (CUBE, NONE, TABLE)]),
    (by_masks, [(TABLE, TABLE[:, 0] < 0, LINE), (TABLE, TABLE[:, 0] > 99, LINE)]),
    (
        narrow,
        [(SMALL, PLACES[:3], SMALL), (INTS, PLACES, INTS[:4]), (SMALL, PLACES[:3], SMALL[:1])],
    ),
    (caught, [(LINE, PLACES, LINE), (LINE, PLACES + 9, LINE), (LINE, PLACES, LINE[:3])]),
]
