"""Named tuples as values: made, read by name and by place, compared, kept, shown, given back."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from collections import namedtuple
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from tests.programs import Case


class Point(NamedTuple):
    x: float
    y: float = 0.5

    def length(self) -> float:
        return (self.x * self.x + self.y * self.y) ** 0.5

    @property
    def swapped(self):
        return Point(self.y, self.x)

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)


class Row(NamedTuple):
    name: str
    count: int
    where: Point
    tags: str | None = None


Pair = namedtuple("Pair", ["left", "right"])
Triple = namedtuple("Triple", "a b c", defaults=(3,))


def made(x: float):
    p = Point(x)
    q = Point(y=x, x=2.0)
    return p, q, Point(1.0, 2.0), p.x, q[1], q[-2], len(p)


def unpacked(p: Point):
    x, y = p
    first, *rest = p
    total = 0.0
    for value in p:
        total += value
    a, b = [*p]
    return x, y, first, rest, total, a, b, tuple(p), list(p), max(p), sum(p)


def compared(p: Point, q: Point):
    return p == q, p != q, p < q, p >= q, p == (1.0, 0.5), p.x in p, hash(p) == hash((p.x, p.y))


def with_methods(p: Point, q: Point):
    return p.length(), p.swapped, p + q, p._replace(x=7.0), p._replace(y=1.0), p._fields, p


def texts(p: Point, r: Row):
    return str(p), f"{p} {r}", repr(r), str([p]), p


def rows(items: list[Row], n: int):
    found = {}
    for name, count, where, _ in items:
        if where.x > n:
            found[name] = count
    items.append(Row("new", n, Point(1.5)))
    return found, items[0].where.y, [r.name for r in items], items[-1]


def keys(points: list[Point]):
    seen: dict[Point, int] = {}
    for p in points:
        seen[p] = seen.get(p, 0) + 1
    return seen, Point(1.0) in seen


def untyped(a, b):
    p = Pair(a, b)
    q = Pair(left=b, right=a)
    t = Triple(1, 2.5)
    return p, q, t, p.left, q.right, t.c, p == (a, b), Pair(Point(1.0), [1, 2])


def given(p, t: tuple[int, int]):
    return p, p.left + t[0], p[1], p[:1], p + t


def matched(r: Row):
    match r:
        case Row("a", n):
            return n
        case Row(where=Point(x, y)) if x > y:
            return x
        case (_, n, Point(x=0.0), None):
            return -n
        case [name, *_]:
            return len(name)


def maybe(p: Point | None):
    if p is None:
        return Point(-1.0)
    return p._replace(x=p.x + 1)


def as_dict(p: Point):
    return p._asdict(), len(p._asdict())


def swap_all(points: list[Point]):
    for i in range(len(points)):
        points[i] = points[i].swapped
    return points


class Mark(Enum):
    OPEN = "o"
    DONE = "d"


class Step(NamedTuple):
    at: Pair
    mark: Mark = Mark.DONE
    start: Point = Point(1.0, 2.0)


MOVES = {"R": Pair(1, 0), "L": Pair(-1, 0)}
CORNERS = (Point(0.0, 1.0), Point(2.0))
MARKS = {Mark.OPEN: [("x", Mark.DONE)]}


class Walker:
    def __init__(self, width: int):
        self.width = width

    def steps(self):
        for name, move in MOVES.items():
            if move.left != self.width:
                yield name, move


@dataclass
class Task:
    name: str
    mark: Mark = Mark.OPEN
    place: Point = CORNERS[1]
    both: tuple[Pair, Mark] = (Pair(1, 2), Mark.DONE)


def marked(name: str, mark: Mark = Mark.DONE, *, at: Point = CORNERS[1]):
    return name, mark, at.x


def in_containers_outside(n: int):
    """No name in these functions mentions the classes of what the containers hold."""
    walker = Walker(n)
    found = [(name, move) for _ in range(2) for name, move in walker.steps()]
    return found, [p.length() for p in CORNERS], CORNERS, [m.value for m in MARKS], MARKS


def as_defaults(name: str):
    task = Task(name)
    step = Step(Pair(1, 2))
    made = task.mark, task.mark.value, task.place, task.both[0].right, task.both[1], repr(task)
    return made, marked(name), marked(name, Mark.OPEN, at=Point(9.0)), step, step.start.x


def of_exactly(low, high):
    both = (Pair(low, high), Point(0.5, high), Mark.OPEN, (low, high))
    return [type(v) is Pair for v in both], [type(v) is Mark for v in both], type(both[3]) is tuple


CASES: list[Case] = [
    (of_exactly, [(1, 2)]),
    (in_containers_outside, [(1,), (7,)]),
    (as_defaults, [("a",)]),
    (made, [(2.5,)]),
    (unpacked, [(Point(1.5, 2.0),)]),
    (
        compared,
        [
            (Point(1.0, 0.5), Point(1.0)),
            (Point(1.0, 2.0), Point(1.0, 1.0)),
            (Point(0.0, 2.0), Point(1.0, 1.0)),
        ],
    ),
    (with_methods, [(Point(3.0, 4.0), Point(1.0))]),
    (texts, [(Point(3.0, 4.0), Row("a", 1, Point(0.0), "t"))]),
    (rows, [([Row("a", 3, Point(5.0)), Row("b", 4, Point(0.0, 1.0))], 2)]),
    (keys, [([Point(1.0), Point(2.0), Point(1.0)],)]),
    (untyped, [(1, 2), (3, 4)]),
    (given, [(Pair(1, 2), (3, 4))]),
    (
        matched,
        [
            (Row("a", 3, Point(5.0)),),
            (Row("b", 3, Point(5.0)),),
            (Row("b", 3, Point(0.0)),),
            (Row("bcd", 3, Point(0.25)),),
        ],
    ),
    (maybe, [(None,), (Point(2.0),)]),
    (as_dict, [(Point(2.0),)]),
    (swap_all, [([Point(1.0), Point(2.0, 3.0)],)]),
]
