"""Containers that Python reads from fields, and those in others, are those of the objects."""

# Types come from the calls.
# pyright: basic

import copy
import subprocess
import sys
from datetime import date, timedelta
from enum import Enum
from fractions import Fraction
from typing import Any, NamedTuple

from tests.support.students import same, students


class Colour(Enum):
    RED = 1
    BLUE = 2


class Row(NamedTuple):
    name: str
    marks: list[int]


def test_lists_in_named_tuples():
    def program(decorate):
        @decorate
        class Book:
            def __init__(self):
                self.rows = []

            def add(self, row):
                self.rows.append(row)

            def bump(self, place, mark):
                self.rows[place].marks.append(mark)

        marks = [1, 2]
        book = Book()
        book.add(Row("a", marks))
        book.bump(0, 5)
        marks.append(7)
        book.rows[0].marks.append(8)
        return marks, book.rows, book.rows[0].marks is marks

    same(program)


def test_annotated_dates_and_fractions():
    def program(decorate):
        @decorate
        def late(due: date, today: date, grace: timedelta) -> bool:
            return today > due + grace

        @decorate
        def share(part: Fraction, count: int) -> int:
            return (part * count).numerator

        @decorate
        class Loan:
            def __init__(self, year: int, month: int):
                self.year = year
                self.month = month

            def months(self, today: date) -> int:
                return (today.year - self.year) * 12 + today.month - self.month

        day = date(2024, 1, 31)
        seen = [late(day, date(2024, 2, n), timedelta(days=2)) for n in (1, 2, 3)]
        return [*seen, share(Fraction(3, 4), 8), Loan(2023, 11).months(day)]

    same(program)


def test_members_in_lists_of_fields():
    def program(decorate):
        @decorate
        class Cell:
            def __init__(self, value=None):
                self.value = value
                self.log = []

            def put(self, value):
                self.value = value

            def note(self, value):
                self.log.append(value)

        cell, other = Cell(), Cell(Colour.BLUE)
        cell.put(Colour.RED)
        other.note(Colour.RED)
        log = other.log
        other.note(Colour.BLUE)
        log.append(Colour.RED)
        last = Cell()
        last.value = Colour.RED
        return cell.value, other.value, other.log, log, cell.log, last.value

    same(program)


def test_rows_are_one_on_either_side():
    def program(decorate):
        @decorate
        class Grid:
            def __init__(self, rows):
                self.rows = rows

            def total(self):
                return sum([sum(row) for row in self.rows])

            def put(self, value):
                self.rows[0][0] = value

            def add(self, row):
                self.rows.append([row])

        rows = [[1, 2], [3, 4]]
        grid = Grid(rows)
        rows[0].append(5)
        seen = [grid.total()]
        del rows
        row = [1, 2]
        other = Grid(given := [row, [3]])
        other.put(9)
        seen += [grid.total(), given, row[:], given[0] is row]
        other.add(4)
        given[2].append(7)
        del given
        row.append(6)
        seen += [other.total(), other.rows[0] is row]
        read = other.rows
        read[1].append(8)
        read.append(row)
        row[0] = 10
        other.add(1)
        seen += [other.total(), [*read], other.rows is read]
        other.rows[1].pop()
        for number in range(3):
            other.rows.append([number])
            other.put(number)
        return [*seen, read, other.rows, other.total()]

    same(program)


def test_lists_in_what_is_given():
    def program(decorate):
        @decorate
        class Pair:
            def __init__(self, both, *more):
                self.both = both
                self.first = both[0]
                self.more = more
                self.found = []

            def put(self, x):
                self.both[1].append(x)
                self.first.append(x)
                self.more[0].append(x)

            def take(self, pairs):
                for pair in pairs:
                    self.found.append(pair)
                return len(self.found)

            def named(self, table):
                self.first = table["a"]

        a, b, c, d = [1], [2], [3], [4]
        pair = Pair((a, b), c)
        pair.put(5)
        seen = [a[:], b[:], c[:], pair.both, pair.both[0] is a]
        a.append(6)
        pair.both[1].append(7)
        seen += [b[:], pair.first[:], pair.take([("x", d)]), pair.take([])]
        d.append(8)
        seen += [pair.found, pair.found[0][1] is d]
        pair.named({"a": d, "b": [0]})
        pair.put(9)
        pair.both = (d, d)
        pair.put(10)
        return [*seen, pair.first, pair.both, a, b, c, d]

    same(program)


def test_a_list_that_is_read_is_that_of_the_field():
    def program(decorate):
        student, _ = students(decorate)
        ann = student("Ann", [1, 2])
        scores = ann.scores
        ann.add(3)
        seen = [scores[:], ann.scores is scores]
        bob = student("Bob", scores)
        bob.add(4)
        cat = student("Cat", ann.scores)
        cat.scores.append(5)
        seen += [scores[:], ann.average(), bob.scores is cat.scores]
        ann.scores = [9]
        scores.append(6)
        ann.add(8)
        dan = student("Dan", [])
        dan.scores = bob.scores
        dan.add(7)
        del scores
        bob.scores.append(1)
        return [*seen, ann.scores, bob.scores, dan.average(), cat.scores is dan.scores]

    same(program)


def test_copies_share_what_the_objects_share():
    def program(decorate):
        student, _ = students(decorate)
        scores = [1, 2]
        ann = student("Ann", scores)
        other, copied = copy.deepcopy((ann, scores))
        other.add(3)
        seen = [copied, scores[:], ann.scores is scores]
        again = copy.copy(ann)
        again.add(4)
        seen += [scores[:], again.scores is ann.scores]
        bob = student("Bob", [5])
        shallow = copy.copy(bob)
        shallow.add(6)
        seen += [bob.scores[:], bob.average()]
        one, two = copy.deepcopy([bob, shallow])
        one.add(7)
        return [*seen, one.scores, two.scores, bob.scores]

    same(program)


def test_lists_get_wider_types_while_python_has_them():
    def program(decorate):
        student, _ = students(decorate)
        scores: list[Any] = [1]
        ann, bob = student("Ann", scores), student("Bob", scores)
        ann.add(2.5)
        scores.append(3)
        seen = [bob.average(), [*scores]]
        scores.append(4.5)
        bob.add(1)
        seen += [ann.scores is scores, ann.average(), [*scores]]
        rows: list[Any] = [[1], [2]]
        row = rows[0]

        @decorate
        class Grid:
            def __init__(self, rows):
                self.rows = rows

            def put(self, x):
                self.rows[0].append(x)

        grid = Grid(rows)
        grid.put(0.5)
        row.append(5)
        grid.put(2)
        return [*seen, rows, row, grid.rows, grid.rows[0] is row]

    same(program)


def test_empty_lists_are_one_with_their_field():
    def program(decorate):
        student, _ = students(decorate)
        scores: list[Any] = []
        ann = student("Ann", scores)
        ann.add(3)
        seen = [scores[:], ann.scores is scores]
        scores.append(0.5)
        seen.append(ann.average())

        @decorate
        class Inventory:
            def __init__(self, items, log):
                self.items = items
                self.log = log
                self.names = ["x"]
                self.log.append("made")

            def add(self, name, count):
                self.items[name] = count
                self.log.append(name)

            def count(self):
                return sum(self.items.values())

        items: dict[Any, Any] = {}
        log: list[Any] = []
        inventory = Inventory(items, log)
        inventory.add("nail", 3)
        items["screw"] = 4
        log.append("end")
        inventory.add("pin", 5)
        return [*seen, items, log, inventory.count(), inventory.log is log]

    same(program)


def test_lists_of_other_numbers_in_the_same_field():
    def program(decorate):
        @decorate
        class Vector:
            def __init__(self, xs):
                self.xs = xs

            def norm(self):
                return sum(x * x for x in self.xs)

            def plus(self, other):
                return Vector([a + b for a, b in zip(self.xs, other.xs, strict=True)])

        @decorate
        class Graph:
            def __init__(self, edges):
                self.edges = edges

            def after(self, node):
                return [b for a, b in self.edges if a == node]

        one: list[Any] = [1, 2]
        vector, other = Vector(one), Vector([0.5, 3.0])
        seen = [vector.norm(), other.norm(), vector.xs, vector.plus(other).xs, vector.xs is one]
        one.append(7)
        seen += [vector.norm(), Vector([1, 2.5]).norm(), Vector(["a"]).xs, [*vector.xs]]
        graph, named = Graph([(1, 2), (2, 3)]), Graph([("a", "b")])
        return [*seen, graph.after(1), named.after("a")]

    same(program)


def test_lists_of_objects_that_move_to_wider_types():
    def program(decorate):
        @decorate
        class Node:
            def __init__(self, name):
                self.name = name
                self.edges = []

            def link(self, other, weight=1):
                self.edges.append((other, weight))

        @decorate
        class Graph:
            def __init__(self, nodes):
                self.nodes = nodes

            def total(self):
                return sum(weight for node in self.nodes for _, weight in node.edges)

            def named(self):
                return [node.name for node in self.nodes]

        made: list[Any] = [Node(name) for name in "abc"]
        a, b, c = made
        a.link(b)
        nodes = [a, b]
        graph = Graph(nodes)
        edges = b.edges
        nodes.append(c)
        seen = [graph.total(), graph.named()]
        b.link(c, 0.5)
        seen += [graph.total(), len(edges), edges[0][1], graph.nodes is nodes]
        graph.nodes.remove(a)
        nodes.append(b)
        return [*seen, [node.name for node in nodes], graph.named(), graph.total()]

    same(program)


def test_sets_that_are_read_before_anything_changes():
    def program(decorate):
        @decorate
        class Tags:
            def __init__(self):
                self.tags = {1}
                self.pairs = {(1, 2)}

            def add(self, tag: int):
                self.tags.add(tag)
                self.pairs.add((tag, tag))
                return len(self.tags)

        owner = Tags()
        tags, pairs = owner.tags, owner.pairs
        first = owner.add(3)
        tags.add(9)
        return first, owner.add(4), sorted(tags), sorted(pairs), tags is owner.tags

    same(program)


_PASSED_ON = """
from dataclasses import dataclass, field
from scriptc import script

@script
@dataclass
class Account:
    owner: str
    log: list[tuple[str, float]] = field(default_factory=list)

    def add(self, x: float) -> None:
        self.log.append(("in", x))

first = Account("ann")
first.add(1.0)
second = Account("bob", first.log)
second.add(2.0)
assert first.log == second.log == [("in", 1.0), ("in", 2.0)], (first, second)
"""


def test_the_first_list_that_is_kept_may_be_one_that_was_read(tmp_path):
    path = tmp_path / "passed_on.py"
    path.write_text(_PASSED_ON)
    # In a process of its own, which has loaded nothing yet that other calls need.
    subprocess.run([sys.executable, path], check=True, timeout=60)


def test_a_late_list_of_lists_may_be_none_while_others_are_kept():
    def program(decorate):
        @decorate
        class Table:
            def fill(self, rows):
                self.rows = [list(row) for row in rows]
                return self

        @decorate
        class Keeper:
            def __init__(self, marks):
                self.marks = marks

        marks = [1]
        keeper, table = Keeper(marks), Table()
        marks.append(2)
        return keeper.marks, table.fill([(1, 2), (3,)]).rows, hasattr(Table(), "rows")

    same(program)
