"""`min` and `max` of several values compare these, not their items."""

# pyright: basic

from functools import total_ordering

from tests.programs import Case


@total_ordering
class Pair:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __iter__(self):
        yield self.x
        yield self.y

    def __eq__(self, other):
        return self.x + self.y == other.x + other.y

    def __lt__(self, other):
        return self.x + self.y < other.x + other.y


def of_objects(n):
    first, second = Pair(1, n), Pair(2, 2)
    least = min(first, second)
    return list(least), least is second, max(first, second).x


def of_bytes(first, second):
    return min(first, second), max(first, second), max(first)


def of_lists(first, second):
    return min(first, second), max(first, second), min(first), min((3, 1), (2, 9))


def of_items(xs):
    return min(x for x in xs), max(xs), max(*xs), min(set(xs))


CASES: list[Case] = [
    (of_objects, [(9,), (0,)]),
    (of_bytes, [(b"b", b"a"), (b"ab", b"b")]),
    (of_lists, [([1, 2], [0, 9])]),
    (of_items, [([1, 5, 2],)]),
]
