"""Heaps and sorted lists, as `heapq` and `bisect` have them; and what silences NumPy's warnings."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import bisect
import heapq
import math
from heapq import heappop, heappush

import numpy as np
from numpy import errstate as quiet

from tests.programs import Case


def shortest_paths(w, start):
    count = len(w)
    distances = [math.inf] * count
    distances[start] = 0.0
    heap = [(0.0, start)]
    while heap:
        distance, u = heapq.heappop(heap)
        if distance > distances[u]:
            continue
        for v in range(count):
            longer = distance + float(w[u, v])
            if w[u, v] > 0 and longer < distances[v]:
                distances[v] = longer
                heapq.heappush(heap, (longer, v))
    return distances


def sorted_by_heap(x):
    heap = []
    for v in x:
        heappush(heap, int(v))
    before = heap.copy()
    out = []
    while heap:
        out.append(heappop(heap))
    other = x.tolist()
    heapq.heapify(other)
    ordered = other.copy()
    return before, out, ordered, heapq.heappushpop(other, 3), heapq.heapreplace(other, 100), other


def of_nothing(which):
    heap = [1.5]
    heap.pop()
    if which == 0:
        return heapq.heappop(heap), heap
    if which == 1:
        return heapq.heapreplace(heap, 2.0), heap
    heapq.heapify(heap)
    return heapq.heappushpop(heap, 2.0), heap


def of_tuples(n):
    heap = []
    for i in range(n):
        heappush(heap, ((i * 7) % 5, -i, "x"))
    return [heappop(heap) for _ in range(len(heap))]


def given(heap: list[int]):
    heapq.heapify(heap)
    heappush(heap, 0)
    return heappop(heap)


def places(a: list[int], v):
    a.sort()
    found = bisect.bisect_left(a, v), bisect.bisect_right(a, v), bisect.bisect(a, v)
    part = bisect.bisect_left(a, v, 1), bisect.bisect(a, v, lo=0, hi=1)
    bisect.insort(a, 2)
    bisect.insort_left(a, 1)
    return found, part, a.copy()


def places_in_array(x, v, low):
    return bisect.bisect_left(x, v), bisect.bisect_right(x, 3), bisect.bisect_left(x, v, low, 20)


def places_between(a, v, low, high):
    found = bisect.bisect_left(a, v, low, high), bisect.bisect(a, v, hi=high)
    left, right = a.copy(), a.copy()
    bisect.insort(right, 2, low, high)
    bisect.insort_left(left, 2, hi=high)
    return found, left, right


def places_in_none(a, v):
    empty = a[:0]
    return bisect.bisect_left(empty, v, 0, -1), bisect.bisect(empty, v, hi=-1)


def places_far(a, v, low, high):
    if v == 2:
        return bisect.bisect_left(a, v, low, high)
    return bisect.bisect(a, v, low, high)


def inserted(x):
    out = []
    for v in x:
        bisect.insort(out, v)
    return out


def least_and_largest(x, n):
    return heapq.nsmallest(n, x), heapq.nlargest(n, x)


def of_what_loops_run_over(xs, n):
    pairs = [(v % 3, v) for v in xs]
    least = heapq.nsmallest(n, pairs), heapq.nsmallest(2, (v * v for v in xs))
    return least, heapq.nlargest(n, range(5)), heapq.nlargest(2, ["b", "", "ba"]), len(xs)


def silenced(x):
    with np.errstate(divide="ignore", invalid="ignore"):
        y = 1 / x
    for i in range(len(x)):
        with quiet(all="ignore"), np.errstate(over="warn", under="ignore"):
            if x[i] == 0:
                continue
            if i == 2:
                return y, np.log(x[i:])
    return y, x


class Task:
    """Ordered by time; what is later in the order of the alphabet comes first."""

    def __init__(self, time: float, name: str):
        self.time = time
        self.name = name

    def __lt__(self, other: "Task") -> bool:
        return (self.time, other.name) < (other.time, self.name)


def of_objects(n: int):
    tasks: list[Task] = []
    for i in range(n):
        heapq.heappush(tasks, Task(i * 7 % 5 / 2, "abc"[i % 3]))
    last = max(tasks) if tasks else Task(0.0, "")
    taken = []
    while tasks:
        task = heapq.heappop(tasks)
        taken.append((task.time, task.name))
    return taken, last.time, last.name


_WEIGHTS = np.array([[0, 2, 9, 0], [2, 0, 3, 7], [9, 3, 0, 1], [0, 7, 1, 0.0]])
_NUMBERS = np.random.default_rng(0).integers(0, 50, 40)

CASES: list[Case] = [
    (shortest_paths, [(_WEIGHTS, 0), (_WEIGHTS, 3)]),
    (sorted_by_heap, [(_NUMBERS,), (_NUMBERS[:1],), (_NUMBERS[::-3],)]),
    (of_objects, [(0,), (1,), (9,)]),
    (of_nothing, [(0,), (1,), (2,)]),
    (of_tuples, [(0,), (1,), (12,)]),
    (given, [([3, 1, 2],), ([5],)]),
    (least_and_largest, [([3, 1, 2, 3, 1], n) for n in (-1, 0, 1, 3, 5, 9)]),
    (least_and_largest, [([0.0, -0.0, 1.5, -0.0, 0.0], n) for n in (1, 2, 4)]),
    (least_and_largest, [(_NUMBERS, 5), (_NUMBERS[::-3], 1), (_NUMBERS[:0], 2)]),
    (least_and_largest, [(np.array([3, 200, 7, 3], np.uint8), 2), (np.array([True, False]), 1)]),
    (of_what_loops_run_over, [([5, 1, 4, 2], 3), ([1], 0)]),
    (places, [([3, 1, 2], 1.5), ([1], 0.0), ([1, 1, 1], 1.0)]),
    (places_in_array, [(np.arange(9.0), 3.5, 2), (np.arange(9.0), 50.0, 2)]),
    (places_in_array, [(np.arange(9, dtype=np.uint8), 2, 0), (np.arange(9.0), 1.0, -1)]),
    (places_between, [([1, 2, 3], 2, low, high) for low in (0, 1) for high in (-2, -1, 0, 2, 3)]),
    (places_between, [([1, 2, 3], 2, -1, 3), ([1, 2], 2, 0, 4)]),
    (places_in_none, [([1, 2, 3], 2)]),
    (places_far, [([1, 2, 3], v, low, 2**63 - 1) for v in (2, 3) for low in (0, 1, 2**63 - 1)]),
    (inserted, [(np.array([2.0, -0.0, 0.0, 5.0]),), (_NUMBERS[:5],)]),
    (silenced, [(np.array([1.0, 0.0, -1.0]),), (np.array([2.0]),)]),
]
