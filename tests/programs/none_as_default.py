"""Parameters and fields that are declared to be something, and are None by default."""

# That is what these programs are about.
# ruff: noqa: RUF013
# pyright: basic, reportArgumentType=false, reportAssignmentType=false, reportOptionalMemberAccess=false

from dataclasses import dataclass, field

import numpy as np

from scriptc.types import N, f64
from tests.programs import Case


class Node:
    def __init__(self, value: int, left: "Node" = None, right: "Node" = None):
        self.value = value
        self.left = left
        self.right = right

    def total(self) -> int:
        found = self.value
        for child in (self.left, self.right):
            if child is not None:
                found += child.total()
        return found


@dataclass
class Event:
    time: float
    who: Node = None
    tags: list = None
    name: str = None
    codes: list[int] = field(default=None)


class Queue:
    last: Node = None

    def put(self, node):
        self.last = node
        return self


def weighted(x: f64[N], w: f64[N] = None, k: int = None, *, label: str = None) -> float:
    if w is None:
        w = np.ones(len(x))
    if k is None:
        k = 2
    return float((x * w).sum() * k) + (0 if label is None else len(label))


def value_of(node: Node = None) -> int:
    return 0 if node is None else node.value


def trees(n):
    tree = Node(n, Node(2), Node(3, Node(4)))
    return tree.total(), tree.left.right is None, tree.right.left.value


def events(n):
    first = Event(1.0, Node(n), None, "x", [n])
    second = Event(2.0)
    if n > 1:
        second.who = first.who
    names = [e.name for e in (first, second)]
    return value_of(first.who), value_of(second.who), names, first.codes, second.codes, second.tags


def queues(n):
    queue = Queue()
    before = queue.last is None
    return before, queue.put(Node(n)).last.value


def absent(n):
    nothing = None
    return value_of(), value_of(nothing), value_of(Node(n) if n else None)


def of_arrays(x):
    return weighted(x), weighted(x, x), weighted(x, k=3), weighted(x, None, 1, label="ab")


def passed_from_python(x, given):
    return weighted(x, x if given else None)


X = np.array([1.0, 2.0, -0.5])
CASES: list[Case] = [
    (trees, [(1,)]),
    (events, [(1,), (2,)]),
    (queues, [(3,)]),
    (absent, [(0,), (2,)]),
    (of_arrays, [(X,), (X[:0],)]),
    (passed_from_python, [(X, True), (X, False)]),
]
