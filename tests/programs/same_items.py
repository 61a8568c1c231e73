"""Objects in containers: one and the same counts as equal, whatever its `__eq__` says."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from tests.programs import Case


class Unequal:
    """What equals nothing, not even itself."""

    def __init__(self, x: int) -> None:
        self.x = x

    def __eq__(self, other: object) -> bool:
        return False

    def __hash__(self) -> int:
        return self.x


class ByValue:
    def __init__(self, x: int) -> None:
        self.x = x

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ByValue) and self.x == other.x

    def __hash__(self) -> int:
        return self.x


@dataclass
class Node:
    data: float
    after: Node | None = None


def in_lists(n: int):
    a, b = Unequal(n), Unequal(n)
    xs = [a, b]
    return (
        [[a] == [a], [a] != [a], [a] == [b], a in xs, Unequal(n) in xs, a == a],
        [xs.index(b), xs.count(b), xs == [a, b], [xs] == [[a, b]], xs == [b, a]],
    )


def removed(n: int):
    a, b = Unequal(n), Unequal(n)
    xs = [a, b, a]
    xs.remove(b)
    queue = deque([a, b])
    return len(xs), xs[1] is a, b in queue, queue == deque([a, b]), queue.index(b)


def in_tuples(n: int):
    a, b = Unequal(n), Unequal(n)
    return (a,) == (a,), (a, 1) != (a, 1), (a, b) == (a, a), a in (b, a), a in (b, b)


def in_dicts(n: int):
    a, b = Unequal(n), Unequal(n)
    d = {a: 1, b: 2}
    return len(d), d[a], d[b], {1: a} == {1: a}, {1: a} == {1: b}, a in {a}, len({a, b, a})


def not_there(n: int):
    return [ByValue(1), ByValue(2)].index(ByValue(n))


def by_value(n: int):
    a, b = ByValue(n), ByValue(n)
    return [a] == [b], (a, 1) == (b, 1), a in [b], {a: 1}[b], (a,) < (b,) if n > 5 else 0


def ring(n: int):
    """An object that holds itself: the fields of one and the same are not looked at."""
    first = Node(1.0)
    first.after = Node(2.0, first)
    node: Node | None = first
    found: list[float] = []
    while node:
        found.append(node.data)
        node = node.after
        if node == first:
            break
    return found, [first] == [first], (first, n) == (first, n)


def chains(n: int):
    one, two = Node(1.0, Node(2.0)), Node(1.0, Node(2.0))
    return one == two, one == Node(1.0), [one] == [two], (one, None) == (two, None)


def maybe(n: int):
    a = Unequal(n)
    xs: list[Unequal | None] = [None, a]
    return (
        xs == [None, a],
        a in xs,
        None in xs,
        xs.index(a),
        (None, a) == (None, a),
        (a, None) == (a, a),
    )


CASES: list[Case] = [
    (in_lists, [(1,)]),
    (removed, [(1,)]),
    (in_tuples, [(1,)]),
    (in_dicts, [(1,)]),
    (not_there, [(1,), (2,)]),
    (by_value, [(1,)]),
    (ring, [(1,)]),
    (chains, [(1,)]),
    (maybe, [(1,)]),
]
