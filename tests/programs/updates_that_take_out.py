"""Updates in place whose value takes out of the container what is updated: it is stored back."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import heapq
from collections import deque
from dataclasses import dataclass

import numpy as np

from tests.programs import Case


def arrays_of_a_stack(n):
    stack = [np.full(2, float(i)) for i in range(n)]
    while len(stack) > 1:
        stack[-1] += stack.pop()
    return stack


def lists_of_a_list(xs):
    xs[0] += xs.pop(0)
    return xs


def lists_of_a_dict(d):
    d["a"] += d.pop("a")
    return d


def nothing_left(xs):
    xs[0] *= xs.pop().sum()
    return xs


def of_a_heap(q):
    q[0] += heapq.heappop(q)
    return q


def of_a_deque(n):
    q = deque([i] for i in range(n))
    q[0] += q.popleft()
    return list(q)


class Stack:
    def __init__(self, n):
        self.items = [np.arange(3.0) + i for i in range(n)]

    def join(self):
        self.items[-1] += self.items.pop()
        return self


def of_a_field(n):
    return Stack(n).join().items


@dataclass
class Point:
    x: int
    y: float = 0.5


def unequal(n):
    p, q = Point(n), Point(1)
    return p != q, p == q, p != p, [p] != [q], Point(n, 1.0) != Point(n, 2.0)


CASES: list[Case] = [
    (arrays_of_a_stack, [(3,), (2,), (1,)]),
    (lists_of_a_list, [([[1], [2]],), ([[1], [2], [3]],)]),
    (lists_of_a_dict, [({"a": [1], "b": [2]},)]),
    (nothing_left, [([np.ones(2)],), ([np.ones(2), np.ones(2)],)]),
    (of_a_heap, [([[1], [2], [3]],)]),
    (of_a_deque, [(3,), (2,)]),
    (of_a_field, [(2,), (3,)]),
    (unequal, [(1,), (2,)]),
]
