"""Tuples with items that have no order: they raise where such items decide, and only there."""

# Comparisons that may raise are what these programs are about.
# pyright: basic, reportOperatorIssue=false

import heapq
import itertools

from tests.programs import Case


class Task:
    def __init__(self, name):
        self.name = name


def queue(n):
    waiting = []
    number = itertools.count()
    for i in range(n):
        heapq.heappush(waiting, (-(i % 3), next(number), Task(f"task {i}")))
    found = []
    while waiting:
        priority, _, task = heapq.heappop(waiting)
        found.append((priority, task.name))
    return found


def ties(n):
    waiting = []
    for i in range(n):
        heapq.heappush(waiting, (0, Task(str(i))))
    return len(waiting)


def ordered(n):
    rows = [(i % 2, i, Task(str(i))) for i in range(n)]
    rows.sort(reverse=True)
    return [task.name for _, _, task in rows], [row[1] for row in sorted(rows)]


def least(n):
    return min([(n, {"a": 1}), (1, {"b": 2})]), max((n, None), (2, None)), (n, 1j) > (2, 1j)


class Loop:
    def __init__(self):
        self.queue = []
        self.number = itertools.count()
        self.now = 0.0
        self.log = []

    def call_later(self, delay, function, *arguments):
        heapq.heappush(self.queue, (self.now + delay, next(self.number), function, arguments))

    def run(self):
        while self.queue:
            self.now, _, function, arguments = heapq.heappop(self.queue)
            function(*arguments)


def called_later(n):
    loop = Loop()

    def tick(k):
        loop.log.append((loop.now, k))
        if k < n:
            loop.call_later(0.5 * k, tick, k + 1)

    loop.call_later(1.0, tick, 1)
    loop.call_later(0.25, tick, n)
    loop.run()
    return loop.log


CASES: list[Case] = [
    (queue, [(5,), (0,)]),
    (ties, [(1,), (3,)]),
    (ordered, [(4,), (1,)]),
    (least, [(3,), (1,), (2,)]),
    (called_later, [(4,)]),
]
