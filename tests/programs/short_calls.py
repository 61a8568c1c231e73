"""Calls that are short for others: copies, the largest and smallest by a key."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import copy
import heapq
from collections import Counter, deque
from heapq import nsmallest

from tests.programs import Case


def copies(xs: list[int], d: dict[str, float], s: set[int]):
    ys, zs = copy.copy(xs), copy.deepcopy(xs)
    ys.append(1)
    zs.append(2)
    e = copy.deepcopy(d)
    e["new"] = 1.5
    t = copy.copy(s)
    t.add(99)
    c = copy.deepcopy(Counter("aab"))
    c["a"] += 5
    q = copy.copy(deque([1, 2], 2))
    q.append(3)
    plain = copy.copy(3), copy.deepcopy("text"), copy.deepcopy((1, 2.5)), copy.copy(None)
    return xs, ys, zs, d, e, t, c, q, plain, copy.deepcopy(frozenset(s))


def rows(xs: list[list[int]]):
    ys = copy.copy(xs)
    ys.append([0])
    zs = [copy.deepcopy(row) for row in xs]
    zs[0].append(7)
    return len(xs), len(ys), zs, sum(map(len, xs))


def by_key(words: list[str], n: int):
    long = heapq.nlargest(n, words, key=len)
    short = nsmallest(n, words, key=lambda w: (len(w), w))
    last = heapq.nlargest(n, words, lambda w: w[-1:])
    counts = Counter(words)
    often = heapq.nlargest(n, counts.items(), key=lambda pair: pair[1])
    keys = heapq.nlargest(n, counts, key=lambda w: counts[w])
    return long, short, last, often, keys, heapq.nlargest(n, words), nsmallest(n, range(9), key=abs)


CASES: list[Case] = [
    (copies, [([3, 1], {"a": 0.5}, {4})]),
    (rows, [([[1], [2, 3]],)]),
    (by_key, [(["bb", "a", "ccc", "dd", "a"], n) for n in (-1, 0, 1, 2, 9)]),
]
