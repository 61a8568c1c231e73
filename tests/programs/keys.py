"""Objects, unions, members and what holds them as keys of dicts and items of sets."""

# Equal keys of several types are the subject: linters want one of them.
# pyright: basic

import enum
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.programs import Case


@dataclass(frozen=True)
class Place:
    x: int
    y: int = 0
    note: str = field(default="", compare=False)


class Word:
    def __init__(self, text: str):
        self.text = text

    def __hash__(self):
        return hash(self.text.lower())

    def __eq__(self, other):
        return isinstance(other, Word) and self.text.lower() == other.text.lower()

    def __repr__(self) -> str:
        return f"Word({self.text})"


class Minus:
    def __init__(self, n: int):
        self.n = n

    def __hash__(self):
        return -1 if self.n else True

    def __eq__(self, other):
        return self.n == other.n


class Thing:
    def __init__(self, n: int):
        self.n = n


class Part(Thing):
    pass


class Unhashable:
    def __init__(self, n: int):
        self.n = n

    def __eq__(self, other):
        return self.n == other.n


class Shape:
    def __init__(self, n: int):
        self.n = n

    def __hash__(self):
        return self.n

    def __eq__(self, other):
        return self.n == other.n


class Round(Shape):
    def __hash__(self):
        return self.n + 10


class Color(enum.Enum):
    RED = 1
    GREEN = 2
    BLUE = 3


class Edge(NamedTuple):
    start: int
    name: str | None


def frozen_dataclasses(n: int) -> tuple[int, int, list[int]]:
    counts: dict[Place, int] = {}
    for i in range(n):
        place = Place(i % 3, i % 2, str(i))
        counts[place] = counts.get(place, 0) + i
    seen = {place for place in counts if place.x}
    seen |= {Place(1, 1), Place(9)}
    return len(counts), counts[Place(1, 1, "other")], sorted(p.x for p in seen)


def own_hashes(words: list[str]) -> list[str]:
    held: dict[Word, list[str]] = {}
    for word in words:
        held.setdefault(Word(word), []).append(word)
    first = {Word("a"), Word("A"), Word("b")}
    del held[Word(words[0].upper())]
    return [f"{key!r} {held[key]}" for key in held] + [str(len(first)), str(Word("B") in first)]


def order_of_sets(n: int) -> list[int]:
    shapes = {Shape(i * 7 % 50) for i in range(n)}
    shapes.discard(Shape(0))
    return [shape.n for shape in shapes]


def hashes(n: int) -> tuple[int, int, int, int]:
    return hash(Minus(n)), hash(Place(n, 2, "x")), hash((n, Place(1), "a")), hash(Edge(n, None))


def hashes_of_a_base(n: int) -> tuple[int, bool]:
    shapes: list[Shape] = [Shape(n), Round(n)]
    places = {shape: i for i, shape in enumerate(shapes)}
    return sum(map(hash, shapes)), Shape(n) in places


def by_identity(n: int) -> tuple[int, int, bool, bool, list[int]]:
    one, two = Thing(n), Thing(n)
    counts = {one: 1, two: 2}
    counts[one] += n
    things = {one, two, one}
    things.add(Thing(n))
    part: Thing = Part(n)
    return counts[one], len(things), part in things, two in things, [t.n for t in counts]


def by_id(n: int):
    shared = Thing(7)
    cells = [shared if i % 2 else Thing(i) for i in range(n)]
    last = None
    seen, order = set(), []
    for cell in [*cells, shared]:
        if id(cell) not in seen:
            seen.add(id(cell))
            order.append(cell.n)
            last = cell
    counts = {id(cell): 0 for cell in cells}
    for cell in cells:
        counts[id(cell)] += 1
    return order, sorted(counts.values()), id(last) == id(shared), id(last) == id(None)


def unhashable(n: int) -> int:
    if n > 1:
        return hash(Unhashable(n))
    held = {}
    if n:
        held[Unhashable(n)] = 1
    return len(held)


def members(colors: list[Color]) -> tuple[dict[tuple[Color, int], int], list[Color]]:
    counts: dict[tuple[Color, int], int] = {}
    for i, color in enumerate(colors):
        counts[color, i % 2] = counts.get((color, i % 2), 0) + 1
    return counts, list(set(colors))


def given_members(seen: set[tuple[Color, int]], counts: dict[Color, int], color: Color) -> bool:
    seen.add((color, 2))
    counts[color] = counts.get(color, 0) + 1
    return (color, 1) in seen


def hash_of_member(color: Color) -> bool:
    return hash(color) == hash(color.name)


def unions(counts: dict[int | str, int], key: int | str) -> dict[int | str, int]:
    counts[key] = counts.get(key, 0) + 1
    counts["a"] = 5
    counts[7] = counts[key]
    return counts


def union_items(items: set[int | str | None], n: int) -> tuple[int, bool, bool]:
    items |= {n, "new", None}
    items.discard("old")
    return len(items), n + 1 in items, None in items


def optional_keys(counts: dict[str | None, int], key: str | None) -> int:
    counts[None] = counts.get(None, 0) + 1
    return counts[key] + counts[None]


def optional_parts(edges: dict[tuple[int, str | None], float], n: int) -> int:
    edges[n, None] = 1.5
    named = {Edge(i, name) for i, name in edges}
    return len(named) + (Edge(n, None) in named)


def equal_numbers(n: int) -> str:
    held = {n: "int", True: "bool"}
    held[1 if n else 2] = "again"
    kinds: set[int | bool | str] = {True, "1"}
    return f"{held} {len(kinds)}"


def sets_of_several(n: int) -> set[int | str]:
    return {n, "a", 5}


def missing(counts: dict[int | str, int], key: int | str) -> int:
    return counts.pop(key)


def compared_with_none(x: int | None, y: int | None) -> list[bool]:
    held = [x, None]
    return [x == y, x != y, x == None, (x, 1) == (y, 1), x in (None, 0), y in held]  # noqa: E711


def lists_of_objects(n: int) -> tuple[int, int, int, bool]:
    one, two = Thing(1), Thing(2)
    things = [one, two, one]
    things.remove(one)
    try:
        return things.index(two), things.count(one), things.index(Thing(n)), False
    except ValueError:
        return things.index(two), things.count(one), len(things), repr(one) == repr(one)


def as_dict_values(n: int) -> list[int]:
    held = {frozenset({Place(n), Place(1)}): 1}
    held[frozenset({Place(1), Place(n)})] = 2
    return list(held.values())


_MIXED = {1: 2, "b": 3}

CASES: list[Case] = [
    (frozen_dataclasses, [(12,)]),
    (own_hashes, [(["Ab", "aB", "c", "C", "d"],)]),
    (order_of_sets, [(3,), (40,)]),
    (hashes, [(0,), (3,), (-5,)]),
    (hashes_of_a_base, [(4,)]),
    (by_identity, [(3,)]),
    (by_id, [(5,), (1,), (0,)]),
    (unhashable, [(0,), (1,), (2,)]),
    (members, [([Color.RED, Color.BLUE, Color.RED, Color.GREEN],)]),
    (given_members, [({(Color.RED, 1)}, {Color.BLUE: 1}, c) for c in (Color.RED, Color.BLUE)]),
    (hash_of_member, [(Color.RED,)]),
    (unions, [(_MIXED, 1), (_MIXED, "b")]),
    (union_items, [({1, "old", None}, 4)]),
    (optional_keys, [({"a": 1, None: 2}, "a"), ({"a": 1, None: 2}, None)]),
    (optional_parts, [({}, 3)]),
    (equal_numbers, [(1,), (0,)]),
    (sets_of_several, [(5,), (6,)]),
    (missing, [(_MIXED, 1), (_MIXED, "c"), (_MIXED, 9)]),
    (compared_with_none, [(1, 1), (1, None), (0, 3)]),
    (lists_of_objects, [(3,)]),
    (as_dict_values, [(3,)]),
]
