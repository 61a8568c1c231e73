"""`copy.copy` and `copy.deepcopy` of objects: another object of the class, field by field."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic, reportOptionalMemberAccess=false

import copy
from dataclasses import dataclass, field

from tests.programs import Case


class Point:
    def __init__(self, x, tags):
        self.x = x
        self.tags = tags


class Named(Point):
    def __init__(self, x, tags, name):
        super().__init__(x, tags)
        self.name = name


@dataclass
class Board:
    size: int
    cells: list[list[int]] = field(default_factory=list)
    seen: dict[str, int] = field(default_factory=dict)

    def after(self, row, column, value):
        """Return the board after a move."""
        moved = copy.deepcopy(self)
        moved.cells[row][column] = value
        moved.seen[f"{row},{column}"] = value
        return moved


class Node:
    def __init__(self, value, next_node=None):
        self.value = value
        self.next = next_node


def shallow(n):
    first = Point(n, [1])
    second = copy.copy(first)
    second.tags.append(2)
    second.x = 7
    return first.x, first.tags, second.x, second.tags, first is second


def of_its_class(n):
    """A copy is of the class of the object, whatever the variable may hold."""
    points = [Point(n, []), Named(n, [], "a")]
    copies = [copy.copy(point) for point in points]
    return [p.name if isinstance(p, Named) else "no name" for p in copies]


def linked(n):
    first = Node(1, Node(n))
    second = copy.copy(first)
    second.value = 5
    second.next.value = 6
    return first.value, first.next.value, copy.copy(first.next.next) is None


def moved(n):
    board = Board(2, [[0] * 2 for _ in range(2)])
    after = board.after(0, 1, n).after(1, 1, n + 1)
    return board.cells, board.seen, after.cells, after.seen, after == board, after.size


def shared(n):
    """What two fields hold is one list in the copy, too."""
    tags = [n]
    first = Named(tags, tags, "a")
    second = copy.deepcopy(first)
    second.tags.append(2)
    return second.x, second.tags, first.tags, second.name


class Position:
    def __init__(self, n):
        self.n = n
        self.pieces = {}
        self.moves = []

    def push(self, k):
        after = copy.copy(self)
        after.n += k
        after.moves = [*self.moves, k]
        return after

    def note(self, text):
        self.noted = text


def never_filled(n):
    first = Position(n)
    second = first.push(2)
    return second.n, first.n, second.moves, first.moves, len(second.pieces)


def filled_later(n):
    first = Position(n)
    second = first.push(n)
    second.pieces = {**first.pieces, n: "k"}
    third = second.push(1)
    third.pieces[7] = "q"
    return first.pieces, second.pieces, third.pieces


def set_late(n):
    first = Position(n)
    second = first.push(1)
    first.note("a")
    third = first.push(2)
    second.note("b")
    fourth = Position(n).push(3)
    found = [hasattr(p, "noted") for p in (first, second, third, fourth)]
    return found, third.noted, second.noted, first.noted


CASES: list[Case] = [
    (shallow, [(3,)]),
    (of_its_class, [(3,)]),
    (linked, [(2,)]),
    (moved, [(4,)]),
    (shared, [(1,)]),
    (never_filled, [(3,)]),
    (filled_later, [(3,)]),
    (set_late, [(3,)]),
]
