"""Loops that convert floats to ints, and use what they read as indices, for many rounds.

A round that cannot may be the first or the last one of a block, and all before it are written.
"""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

NUMBERS = np.arange(2500.0) * 7 % 301 - 150.0 + 0.75
PLACES = np.arange(2500) * 13 % 97
# Every second one is no index at all: a load there would end the process.
FAR = np.where(np.arange(2500) % 2 == 0, 2**40 + np.arange(2500), PLACES)


def converted(x, out):
    for i in range(len(x)):
        out[i] = int(x[i])
    return out


def converted_from(x, out, n):
    total = 5
    for i in range(3, n):
        total += int(x[i] * 0.5 + 1.0)
        out[i] = total
    return total, out


def roots(x, out):
    for i in range(len(x)):
        out[i] = int(np.sqrt(x[i]))
    return out


def bytes_of(x, out):
    h, w = x.shape
    for y in range(h):
        for k in range(w):
            out[y, k] = int(x[y, k] * 1.5 + 0.5)
    return out


def sums_of_rows(x, out):
    h, w = x.shape
    for y in range(h):
        s = 0
        for k in range(w):
            s += int(x[y, k])
        out[y] = s
    return out


def histogram(x, counts):
    for i in range(len(x)):
        counts[int(x[i])] += 1
    return counts


def counted(places, counts):
    for i in range(len(places)):
        counts[places[i]] += 1
    return counts


def summed(places, others, x, table):
    for i in range(len(places)):
        table[places[i], others[i]] += x[i]
    return table


def permuted(places, x, out):
    for i in range(len(x)):
        out[places[i]] = x[i]
    return out


def chased(places):
    """What is read is written: nothing can be tested ahead."""
    for i in range(len(places) - 1):
        places[places[i]] = places[i + 1]
    return places


def counted_in(x, counts):
    most = len(counts)
    for i in range(len(x)):
        k = int(x[i])
        if k >= 0 and k < most:
            counts[k] += 1
    return counts


def below_diagonal(x):
    for i in range(x.shape[0]):
        for j in range(i):
            x[i, j - 1] += i - 2
    return x


def guarded(places, numbers, counts):
    """Only what the `if` lets through may be an index at all."""
    for i in range(len(places)):
        k = places[i]
        if k < 0 or k >= len(numbers):
            continue
        counts[numbers[k]] += 1
    return counts


def guarded_until(places, numbers, counts):
    for i in range(len(places)):
        k = places[i]
        if k >= len(numbers):
            return i
        counts[int(numbers[abs(k)])] += 1
    return -1


def guarded_rows(places, numbers, counts):
    for i in range(len(places)):
        k = places[i]
        if k < 0 or k >= len(numbers):
            continue
        for j in range(len(counts)):
            counts[numbers[k], j] += 1
    return counts


def beyond(places, counts, n):
    """The first store raises, whatever number of rounds would come after it."""
    for i in range(n):
        for j in range(n):
            counts[places[0], i] = j
    return counts


def _with(numbers, **changed):
    numbers = numbers.copy()
    for place, value in changed.items():
        numbers[int(place[1:])] = value
    return numbers


def _counts(n=300):
    return np.zeros(n, np.int64)


ODD = [
    _with(NUMBERS, **{f"p{place}": value})
    for place in (0, 63, 1023, 1024, 2047, 2499)
    for value in (np.nan, -np.inf, 2.0**31, -(2.0**40), 2.0**62, -(2.0**63), -0.0)
]
SHORT = [NUMBERS[:n] for n in (0, 1, 63, 64, 65, 1024, 1025)]
ROOTS = [np.abs(x) for x in SHORT]
ROWS = np.abs(NUMBERS[:2400]) % 160
PAIRS = [ROWS.reshape(shape) for shape in ((800, 3), (60, 40), (2, 1200), (2400, 1))]
STRANGE = [
    _with(ROWS, **{f"p{at}": v}).reshape(800, 3)
    for at in (0, 1200, 2399)
    for v in (171.0, -1.0, np.nan)
]

CASES: list[Case] = [
    (converted, [(x, _counts(len(x))) for x in (*SHORT, *ODD, NUMBERS[::-2])]),
    (converted, [(NUMBERS.astype(np.float32), _counts(2500)), (NUMBERS, np.zeros(2500, np.int8))]),
    (converted, [(NUMBERS % 100, np.zeros(2500, t)) for t in (np.uint8, np.uint64, np.float64)]),
    (converted, [(NUMBERS, np.zeros(2500, np.uint64)), (NUMBERS, _counts(2499))]),
    (converted_from, [(x, _counts(2500), n) for x in ODD[:14] for n in (2, 70, 2500)]),
    (converted_from, [(NUMBERS * 2.0**40, _counts(2500), 2500), (NUMBERS, _counts(2500), 2501)]),
    (roots, [(x, _counts(len(x))) for x in (*ROOTS, ROOTS[-1] * 1e30, *map(np.abs, ODD), NUMBERS)]),
    (roots, [(-0.0 * ROOTS[-1], _counts(1025)), (_with(ROOTS[-1], p7=-1.0), _counts(1025))]),
    (bytes_of, [(x, np.zeros(x.shape, t)) for x in PAIRS for t in (np.uint8, np.int64, np.int16)]),
    (bytes_of, [(x, np.zeros((800, 3), np.uint8)) for x in STRANGE]),
    (
        bytes_of,
        [(PAIRS[1], np.zeros((60, 39), np.uint8)), (PAIRS[1].T, np.zeros((40, 60), np.uint8))],
    ),
    (bytes_of, [(PAIRS[0][:0], np.zeros((0, 3), np.uint8)), (PAIRS[1], PAIRS[1])]),
    (sums_of_rows, [(x, _counts(len(x))) for x in (*PAIRS, *STRANGE, 2.0**49 * PAIRS[1])]),
    (histogram, [(x % 300, _counts()) for x in SHORT]),
    (histogram, [(np.abs(x), _counts(200)) for x in ODD if not np.any(x == -(2.0**63))]),
    (histogram, [(NUMBERS, _counts())]),
    (counted, [(PLACES, _counts(n)) for n in (96, 97, 200)]),
    (counted, [(PLACES - 20, _counts(97)), (PLACES.astype(np.uint8), _counts(97))]),
    (counted, [(_with(PLACES, p1500=400), _counts()), (_with(PLACES, p1500=-300), _counts())]),
    (counted, [(PLACES, PLACES), (PLACES[::3], _counts(97)), (PLACES[:, None], _counts(97))]),
    (
        summed,
        [
            (PLACES, PLACES[::-1], NUMBERS, np.zeros((97, 97))),
            (PLACES, PLACES[::-1], NUMBERS, np.zeros((97, 96))),
            (PLACES, PLACES[:2000], NUMBERS, np.zeros((97, 97))),
            (PLACES, PLACES - 97, NUMBERS, np.zeros((97, 97))),
        ],
    ),
    (permuted, [(np.argsort(x), x, np.zeros(len(x))) for x in SHORT]),
    (permuted, [(PLACES, NUMBERS, np.zeros(n)) for n in (97, 50)]),
    (chased, [(PLACES,), (PLACES[:97].copy(),), (PLACES + 2420,)]),
    (counted_in, [(x, _counts(140)) for x in (*SHORT, *ODD)]),
    (guarded, [(FAR, PLACES[:97] % 7, _counts(7)), (FAR[1::2], PLACES[:97] % 7, _counts(6))]),
    (guarded_until, [(FAR[1::2] * s, NUMBERS[:97] % 7, _counts(7)) for s in (1, -1)]),
    (guarded_until, [(FAR, NUMBERS[:97] % 7, _counts(7))]),
    (guarded_rows, [(FAR, PLACES[:97] % 7, np.zeros((7, 7))), (FAR, PLACES % 7, np.zeros((6, 6)))]),
    (beyond, [(PLACES + 5, np.zeros((3, 3)), n) for n in (8, 2**15, 2**31, 2**32, 2**62)]),
    (beyond, [(PLACES, np.zeros((3, 30)), 30), (PLACES, np.zeros((3, 30)), 31)]),
    (below_diagonal, [(x.copy(),) for x in (*PAIRS[1:], PAIRS[1].T, PAIRS[1][:0])]),
]
