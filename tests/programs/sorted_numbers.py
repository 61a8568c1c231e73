"""Lists of floats and ints that are sorted, many of them by NumPy, and heaps of pairs."""

# pyright: basic

import heapq
import math

from tests.programs import Case


def floats(items: list[float], descending: bool):
    found = sorted(items, reverse=descending)
    items.sort(reverse=not descending)
    return found, items, [math.copysign(1.0, item) for item in found]


def ints(items: list[int], descending: bool):
    found = sorted(items, reverse=descending)
    items.sort(reverse=not descending)
    return found, items


def pairs(items: list[tuple[float, int]], descending: bool):
    return sorted(items, reverse=descending), sorted(items, key=lambda pair: -pair[1])


def texts_beside(items: list[tuple[str, int]]):
    items.sort()
    return items, max(items), sorted(items, key=lambda pair: pair[1], reverse=True)


def heap(items: list[tuple[float, int]]):
    waiting: list[tuple[float, int]] = []
    for item in items:
        heapq.heappush(waiting, item)
    shown = waiting[:]
    heapq.heapify(items)
    found = [heapq.heappop(waiting) for _ in range(len(shown) // 2)]
    found.append(heapq.heappushpop(waiting, (2.5, 9)))
    if waiting:
        found.append(heapq.heapreplace(waiting, (0.5, 1)))
    return shown, items, found, waiting


def nothing_left():
    waiting: list[int] = []
    return heapq.heappop(waiting)


ZEROS = [0.0, -0.0, 1.5, -0.0, -1.5, 0.0, 2.0, -3.0, 0.0, -0.0, 9.0, 8.0, 7.0, 6.0, 5.0, -0.0, 4.0]
EDGES = [math.inf, -math.inf, 5e-324, -5e-324, 1e308, -1e308, 0.0, 1.0, -1.0, 0.5] * 2
MANY = [math.sin(k) * 100 for k in range(200)]
WORDS = [k * 7919 % 301 - 150 for k in range(300)]
LIMITS = [2**63 - 1, -(2**63), 0, -1, 1, 2**62, -(2**62)] * 3
CASES: list[Case] = [
    (floats, [(x[:], d) for x in ([], [1.0], ZEROS, EDGES, MANY) for d in (False, True)]),
    (floats, [(sorted(MANY), False), (sorted(MANY, reverse=True), False), (MANY[:16], True)]),
    (ints, [(x[:], d) for x in ([], [1], WORDS, LIMITS, WORDS[:16]) for d in (False, True)]),
    (pairs, [([(x % 5, k) for k, x in enumerate(MANY[:n])], n == 9) for n in (0, 1, 9, 40)]),
    (texts_beside, [([(str(k % 7), k) for k in range(n)],) for n in (1, 9, 30)]),
    (heap, [([(float(k % 6), -k) for k in WORDS[:n]],) for n in (0, 1, 2, 7, 40)]),
    (nothing_left, [()]),
]
