"""Protocols of classes that builtin functions ask for: slices, sums, orders, loops backwards."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import functools
import math
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from tests.programs import Case


class Sequence:
    """Items by places and by slices, and nothing else to loop with."""

    def __init__(self, items: list[int]):
        self.items = items

    def __len__(self):
        return len(self.items)

    def __getitem__(self, place):
        if isinstance(place, slice):
            return Sequence(self.items[place])
        return self.items[place]

    def __repr__(self):
        return f"Sequence({self.items})"


class Table:
    """Keys that are pairs of places and slices."""

    def __init__(self, rows: list[list[int]]):
        self.rows = rows

    def __getitem__(self, key):
        row, column = key
        if isinstance(row, slice):
            return [cells[column] for cells in self.rows[row]]
        return self.rows[row][column]

    def __setitem__(self, key, value: int):
        if isinstance(key, slice):
            for i in range(*key.indices(len(self.rows))):
                self.rows[i] = [value, value]
        else:
            row, column = key
            self.rows[row][column] = value

    def __delitem__(self, key):
        del self.rows[key]


class Countdown:
    """A loop of its own, in both directions."""

    def __init__(self, first: int):
        self.first = first

    def __iter__(self):
        yield from range(self.first, 0, -1)

    def __reversed__(self):
        yield from range(1, self.first + 1)


class Vector:
    """Sums that start with 0 or with a vector."""

    def __init__(self, x: float, y: float):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __radd__(self, other: int):
        return Vector(other + self.x, other + self.y)

    def __repr__(self):
        return f"<{self.x}, {self.y}>"


@functools.total_ordering
class Version:
    """An order that the decorator completes."""

    def __init__(self, major: int, minor: int):
        self.major = major
        self.minor = minor

    def __eq__(self, other):
        if not isinstance(other, Version):
            return NotImplemented
        return (self.major, self.minor) == (other.major, other.minor)

    def __lt__(self, other):
        return (self.major, self.minor) < (other.major, other.minor)

    def __repr__(self):
        return f"{self.major}.{self.minor}"


@functools.total_ordering
class Height:
    """The same from another comparison."""

    def __init__(self, metres: float):
        self.metres = metres

    def __eq__(self, other):
        return self.metres == other.metres

    def __ge__(self, other):
        return self.metres >= other.metres


@dataclass(order=True, frozen=True)
class Point:
    """An order that the dataclass writes."""

    x: int
    y: int = 0


class Level(IntEnum):
    """Members with the order of their numbers."""

    LOW = 1
    HIGH = 5


class Share:
    """A number that counts, is rounded and divided by its methods."""

    def __init__(self, parts: int):
        self.parts = parts

    def __index__(self) -> int:
        return self.parts

    def __floor__(self) -> int:
        return self.parts - 1

    def __ceil__(self) -> int:
        return self.parts + 1

    def __trunc__(self) -> int:
        return self.parts

    def __divmod__(self, other: int):
        return self.parts // other, self.parts % other

    def __rdivmod__(self, other: int):
        return divmod(other, self.parts)


def by_slices(n: int):
    items = Sequence([5, 6, 7, n])
    parts = items[1:n], items[::-1], items[:], items[-2:]
    return [repr(part) for part in parts], len(items[n:]), items[0], items[-1]


def by_pairs_and_slices(n: int):
    table = Table([[1, 2], [3, 4], [5, 6]])
    found = table[0, 1], table[:, n], table[n:, 0]
    table[0, 0] = 9
    table[1:] = 7
    rows = [list(row) for row in table.rows]
    del table[0:2]
    return found, rows, table.rows


def kept_slices(n: int):
    inner, every_second = slice(1, n), slice(None, n, 2)
    xs, numbers = [1, 2, 3, 4, 5], np.arange(6.0)
    parts = xs[inner], "abcdef"[every_second], float(np.sum(numbers[inner]))
    bounds = inner.start, inner.stop, inner.step, every_second.start
    return parts, bounds, repr(inner), inner == slice(1, n), every_second.indices(3)


def without_a_step(n: int):
    return slice(0, 5, n).indices(5)


def in_loops_of_their_own(n: int):
    items = Sequence([3, 1, n])
    backwards = list(reversed(items)), [x for x in reversed(Countdown(n))]
    return n in items, 9 in items, n in Countdown(n), 9 not in Countdown(n), backwards


def sums(n: int):
    vectors = [Vector(i / 1, i / 2) for i in range(n)]
    started = sum(vectors, Vector(1.0, 1.0)), sum((v for v in vectors), start=Vector(0.0, 0.0))
    return repr(sum(vectors)), repr(started), sum([[1], [n]], [0])


def completed_orders(n: int):
    one, two = Version(1, n), Version(2, 0)
    tests = one < two, one <= two, one > two, one >= two, one == two, one != two
    low, high = Height(1.5), Height(float(n))
    heights = low < high, low <= high, low > high, low >= high, max(low, high).metres
    return tests, heights, repr(sorted([two, one])), repr(max(one, two)), one == n


def extremes(n: int):
    points = Point(n, 1), Point(2), Point(2, n)
    members = min(Level.HIGH, Level.LOW), max([Level.LOW, Level.HIGH])
    values = min("b", "a"), max((1, n), (1, 2)), max([1], [1, n])
    return repr(max(points)), min(Point(n), Point(1)).x, [m.name for m in members], values


def asked_for_parts(n: int):
    share = Share(n)
    parts = [10, 20, 30, 40][share], divmod(share, 2), divmod(17, share)
    return parts, math.floor(share), math.ceil(share), math.trunc(share), [1, 2, 3][:share]


def below(n: int):
    return issubclass(Level, IntEnum), issubclass(bool, int), issubclass(Point, (Vector, Share)), n


CASES: list[Case] = [
    (by_slices, [(2,), (0,), (-1,)]),
    (by_pairs_and_slices, [(1,), (0,)]),
    (kept_slices, [(3,), (-1,), (0,)]),
    (without_a_step, [(2,), (-1,), (0,)]),
    (in_loops_of_their_own, [(3,), (0,)]),
    (sums, [(3,), (0,)]),
    (completed_orders, [(1,), (2,)]),
    (extremes, [(1,), (3,)]),
    (asked_for_parts, [(3,), (1,), (0,)]),
    (below, [(1,)]),
]
