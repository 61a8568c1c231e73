"""Loops whose indices come from data, so that each access keeps its check in the fast version."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

LINE = np.array([1.5, -2.0, 0.5, 4.0, -0.25, 8.0, np.nan, -0.0])
PLACES = np.array([3, 0, 2, -1, 3, 5, -8, 7])
ROOM = np.arange(20)
FIRST_OUT = np.array([3, 0, 2, 8, 3, 5, 4, 0])
LAST_OUT = np.array([3, 0, 2, 1, 3, 5, 4, -9])


def counted(places, counts):
    for i in range(len(places)):
        counts[places[i]] += 1
    return counts


def counted_in_place(memory, n, shift):
    counts = memory[shift:]
    for i in range(n):
        counts[memory[i]] += 1
    return memory


def gathered(values, places):
    out = np.zeros(len(places))
    for i in range(len(places)):
        out[i] = values[places[i]]
    return out


def pairs(table, places, others):
    total = 0.0
    for i in range(len(places)):
        total += table[places[i], others[i]]
        table[others[i], places[i]] = total
    return total, table


def caught(places, counts):
    done = 0
    try:
        for i in range(len(places)):
            counts[places[i]] += 1
            done += 1
    except IndexError as error:
        return done, str(error), counts
    return done, "", counts


def followed(parents, starts):
    """A loop that is no counted one, with an inner loop."""
    k, steps = 0, 0
    while k < len(starts):
        x = starts[k]
        while parents[x] != x:
            parents[x] = parents[parents[x]]
            x = parents[x]
            steps += 1
        k += 1
    return steps, parents


def of_bytes(image, counts):
    for i in range(len(image)):
        counts[image[i]] += 1
    return counts


def binned(values, n):
    """Whole parts of floats, of which NaN, infinities and what is too large have none."""
    counts = np.zeros(n, dtype=np.int64)
    done = 0
    try:
        for i in range(len(values)):
            place = int(values[i] * n)
            if 0 <= place < n:
                counts[place] += 1
            done += 1
    except (ValueError, OverflowError) as error:
        return counts, done, str(error)
    return counts, done, ""


def counted_by_hand(places, counts, first):
    """A `while` that counts, from places that may be before the start to beyond the end."""
    i = first
    while i < len(places) + 1:
        counts[places[i]] += i
        i += 1
    return i, counts


def backwards(places, first, last):
    i = first
    total = 0
    while i > last:
        if places[i] < 0:
            i -= 1
            continue
        total = total * 3 + int(places[i])
        i -= 1
    return i, total


def memory() -> np.ndarray:
    return np.arange(12) % 5


def a_bound_is_passed(a, m):
    """The first round keeps `x` at the end at most, later ones do not."""
    k = len(a)
    x = m
    if m > k:
        return 0.0, 0
    s, y = 0.0, 0
    for _ in range(4):
        if x > 0:
            s += a[x - 1]
        if y == 0:
            if x < k:
                x = x + 1
        else:
            x = x + 1
        y += 2
    return s, x


def steps_in_nests(values, start):
    """What an inner loop starts with is larger each time."""
    total, x = 0.0, 0
    for i in range(3):
        for j in range(3):
            y = x
            for k in range(3):
                if values[y] > 0.0:
                    total += values[y] * (i + j + k)
                y += 1
            x = y - 2 if j < 2 else x
        x += start
    return total, x


CASES: list[Case] = [
    (a_bound_is_passed, [(np.arange(10.0), 10), (np.arange(10.0), 7), (np.arange(10.0), 3)]),
    (steps_in_nests, [(np.arange(12.0), 0), (np.arange(12.0), 1), (np.arange(11.0), 3)]),
    (
        binned,
        [
            (np.array([0.0, 0.5, 0.25, -0.0, -0.1, 0.99, 1.0, -3.0, 7e17]), 4),
            (np.array([0.0, 0.5, 0.25], np.float32), 4),
            (np.array([0.5, np.nan, 0.5]), 4),
            (np.array([0.5, np.inf, 0.5]), 4),
            (np.array([-np.inf, 0.5]), 3),
            (np.array([-(2.0**63), 0.5]), 1),
            (LINE[:0], 0),
        ],
    ),
    (
        counted_by_hand,
        [(PLACES, np.zeros(8, int), k) for k in (0, 3, -2, 8, 9, 20, -20)]
        + [(PLACES[::2], ROOM[::2].copy()[::-1], 1), (FIRST_OUT, np.zeros(8, int), 0)],
    ),
    (
        backwards,
        [(PLACES, k, last) for k in (7, 0, -1, -20, 8) for last in (-1, 3, -9)],
    ),
    (
        counted,
        [
            (PLACES, np.zeros(8, int)),
            (PLACES[::2], ROOM[::2].copy()[::-1]),
            (PLACES, ROOM[::-2] + 0),
            (FIRST_OUT, np.zeros(8, int)),
            (LAST_OUT, np.zeros(16, int)[::2]),
            (PLACES[:0], ROOM[:0] + 0),
            (PLACES, ROOM[:0] + 0),
        ],
    ),
    (counted_in_place, [(memory(), 12, 0), (memory(), 9, 3), (memory(), 12, 9), (memory(), 13, 0)]),
    (
        gathered,
        [
            (LINE, PLACES),
            (LINE[::-1], PLACES[::-1]),
            (LINE, FIRST_OUT),
            (LINE, LAST_OUT),
            (LINE[:0], PLACES),
            (LINE[:0], PLACES[:0]),
        ],
    ),
    (
        pairs,
        [
            (np.arange(64.0).reshape(8, 8), PLACES, PLACES[::-1]),
            (np.arange(64.0).reshape(8, 8).T, PLACES, PLACES[::-1]),
            (np.arange(64.0).reshape(8, 8), PLACES, FIRST_OUT),
            (np.arange(64.0).reshape(8, 8)[:6], PLACES, PLACES),
        ],
    ),
    # The ends of what 64 bits hold, with and without a sign, and the places next to both ends.
    (caught, [(np.array([7, -8, place]), np.zeros(8, int)) for place in (8, -9, 2**63 - 1)]),
    (caught, [(np.array([7, -8, place]), np.zeros(8, int)) for place in (-(2**63), 8 - 2**63)]),
    (caught, [(np.array([0]), np.zeros(0, int)), (np.array([-1]), np.zeros(0, int))]),
    (gathered, [(LINE[:1], np.array([0, -1, 2**63 - 1])), (LINE[::-2], np.array([3, -4, -5]))]),
    (caught, [(PLACES, np.zeros(8, int)), (FIRST_OUT, np.zeros(8, int)), (LAST_OUT, ROOM[:8] + 0)]),
    (
        followed,
        [
            (np.array([1, 2, 3, 3, 4, 4]), np.array([0, 5, -6, 2])),
            (np.array([1, 2, 3, 3, 4, 4])[::-1], np.array([0, 5])),
            (np.array([1, 2, 9, 3]), np.array([0, 1])),
            (np.array([1, 1]), np.array([], int)),
        ],
    ),
    (
        of_bytes,
        [
            (np.array([0, 255, 3, 3], np.uint8), np.zeros(256, int)),
            (np.array([0, 255, 3, 3], np.uint8), np.zeros(255, int)),
            (np.array([0, -128, 3, 127], np.int8), np.zeros(256, int)),
        ],
    ),
]
