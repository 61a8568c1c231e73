"""Loops that count up to an end and test what they read on the way, and walks along two arrays."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

RNG = np.random.default_rng(23)
TEXT = RNG.integers(0, 3, 300).astype(np.uint8)
SORTED, OTHER = np.sort(RNG.integers(0, 60, 40)), np.sort(RNG.integers(0, 60, 55))


def occurrences(text, word):
    n, m = len(text), len(word)
    found = 0
    for i in range(n - m + 1):
        j = 0
        while j < m and text[i + j] == word[j]:
            j += 1
        if j == m:
            found += 1
    return found


def beyond_the_end(text, word):
    """Behind the last places the text ends before the word."""
    last = -1
    for i in range(len(text)):
        j = 0
        while j < len(word) and text[i + j] == word[j]:
            j += 1
        last = j
    return last


def runs(x):
    i = 0
    lengths = []
    while i < len(x):
        j = i
        while j < len(x) and x[j] == x[i]:
            j += 1
        lengths.append(j - i)
        i = j
    return lengths


def first(x, value, start):
    i = start
    total = 0
    while i < len(x) and x[i] != value:
        total += int(x[i])
        i += 1
    return i, total


def last(x, value, start):
    i = start
    seen = 0
    while i >= 0 and x[i] != value:
        seen += i
        i -= 1
    return i, seen


def around_each(x):
    total = 0
    for i in range(len(x)):
        k = 0
        while k < len(x) and i - k >= 0 and i + k < len(x) and x[i - k] == x[i + k]:
            total += 1
            k += 1
    return total


def found_at(table, value):
    """The end of the search is carried out of two loops."""
    rows, columns = table.shape
    r = c = 0
    while r < rows:
        c = 0
        while c < columns and table[r, c] != value:
            c += 1
        if c < columns:
            break
        r += 1
    return r, c


def in_both(a, b):
    i = j = found = 0
    while i < len(a) and j < len(b):
        if a[i] == b[j]:
            found += 1
            i += 1
            j += 1
        elif a[i] < b[j]:
            i += 1
        else:
            j += 1
    return i, j, found


def pairs(a, target):
    i = 0
    j = len(a) - 1
    found = 0
    while i < j:
        s = a[i] + a[j]
        if s == target:
            found += 1
            i += 1
            j -= 1
        elif s < target:
            i += 1
        else:
            j -= 1
    return i, j, found


def three_ways(x):
    """In one arm a number becomes too large sooner than in the others."""
    small = large = steps = 0
    for v in x:
        if v < 10:
            small += 1
        elif v > 50:
            large = large * 3 + 1
            large %= 1000003
        else:
            steps += 2
    return small, large, steps


WORDS = [TEXT[10:13], TEXT[:1], TEXT[:0], TEXT[296:], TEXT, np.array([9], np.uint8)]

CASES: list[Case] = [
    (occurrences, [(TEXT, w) for w in WORDS]),
    (occurrences, [(TEXT[:2], TEXT[:5]), (TEXT[:0], TEXT[:0]), (TEXT[::-2], TEXT[3:5])]),
    (beyond_the_end, [(TEXT, w) for w in WORDS]),
    (beyond_the_end, [(np.zeros(5, np.uint8), np.zeros(2, np.uint8))]),
    (runs, [(TEXT,), (TEXT[:1],), (TEXT[:0],), (np.zeros(7),)]),
    (first, [(SORTED, v, s) for v in (0, 30, 61) for s in (0, 5, 39, 40, 41, -3)]),
    (last, [(SORTED, v, s) for v in (0, 30, 61) for s in (0, 5, 39, 40, -1, -2)]),
    (around_each, [(TEXT,), (TEXT[:1],), (TEXT[:0],)]),
    (found_at, [(SORTED.reshape(8, 5), v) for v in (*SORTED[::9], 99)]),
    (found_at, [(np.zeros((3, 0)), 1.0), (np.zeros((0, 3)), 1.0)]),
    (in_both, [(SORTED, OTHER), (SORTED, SORTED), (SORTED[:0], OTHER), (OTHER, SORTED[::2])]),
    (in_both, [(SORTED * 0.5, OTHER * 1.0), (np.array([np.nan, 2.0]), OTHER * 1.0)]),
    (pairs, [(SORTED, t) for t in (0, 30, 60, 200)]),
    (pairs, [(SORTED[:1], 3), (SORTED[:0], 3), (np.unique(OTHER), 61)]),
    (three_ways, [(OTHER,), (SORTED,), (OTHER[:0],)]),
]
