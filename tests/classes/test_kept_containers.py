"""Lists, dicts and sets of Python's that objects of scripted classes keep."""

# Types come from the calls.
# pyright: basic

import copy
import gc
import pickle
import threading
import weakref
from dataclasses import dataclass, field
from typing import Any

import pytest

from scriptc import script
from tests.support.students import BACKENDS, same, students
from tests.support.support_code import live_blocks


def test_what_either_side_puts_in_the_other_sees():
    def program(decorate):
        student, _ = students(decorate)
        scores = [90, 85]
        ann, bob = student("Ann", scores), student("Bob", scores)
        seen = [ann.average(), ann.scores is scores, bob.scores is ann.scores]
        scores.append(60)
        seen += [ann.average(), bob.average()]
        ann.add(100)
        seen += [list(scores), list(bob.scores)]
        ann.scores.append(7)
        seen += [list(scores), bob.average()]
        scores.clear()
        seen += [ann.average(), list(bob.scores)]
        scores.extend([1, 2])
        bob.add(3)
        seen.append(list(scores))
        ann.replace([5])
        scores.append(9)
        return [*seen, ann.average(), bob.average(), scores]

    assert same(program)[-1] == [1, 2, 3, 9]


def test_the_call_that_keeps_a_list_changes_it_too():
    def program(decorate):
        @decorate
        class Bag:
            def __init__(self, xs, ys=None):
                self.xs = xs
                self.ys = ys
                xs.append(3)
                if len(xs) > 3:
                    raise ValueError(len(xs))

            def keep(self, xs):
                self.xs = xs
                xs.append(5)
                if len(xs) > 2:
                    raise ValueError("half")

            def put(self, x):
                self.xs.append(x)
                return 0 if self.ys is None else len(self.ys)

        xs, ys, zs, seen = [1], [1, 2, 3], [7, 8], []
        bag = Bag(xs)
        seen.append(list(xs))
        for call in (lambda: Bag(ys), lambda: bag.keep(zs), lambda: bag.put(9)):
            try:
                seen.append(call())
            except ValueError as error:
                seen.append(error.args)
            seen += [list(xs), list(ys), list(zs)]
        zs.append(11)
        seen.append(list(bag.xs))
        one = [1]
        both = Bag(one, one)
        seen += [both.put(2), one, both.xs is both.ys]
        return seen

    assert same(program)[-3:] == [3, [1, 3, 2], True]


def test_a_kept_list_that_python_changed_is_stored():
    def program(decorate):
        student, _ = students(decorate)
        scores, others = [1, 2], [5]
        ann = student("Ann", scores)
        ann.scores = others
        scores.append(3)
        ann.scores = scores
        scores.append(4)
        ann.add(6)
        return ann.average(), scores, others

    assert same(program)[1] == [1, 2, 3, 4, 6]


def test_threads_have_their_own_lists():
    def program(decorate):
        student, _ = students(decorate)
        scores = [[0] for _ in range(4)]
        people = [student("Ann", own) for own in scores]

        def work(person, own):
            for score in range(100):
                person.add(score)
                own.append(-1)

        threads = [
            threading.Thread(target=work, args=pair) for pair in zip(people, scores, strict=True)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return [person.average() for person in people], scores

    assert len(same(program)[1][0]) == 201


def test_displays_are_the_objects_own():
    def program(decorate):
        student, course = students(decorate)
        ann, bob = student("Ann", [90, 100]), student("Bob", [70])
        of_all = course("Math", [ann, bob])
        bob.add(130)
        more = course("Art")
        more.enroll(ann)
        ann.scores.append(95)
        return of_all.best().name, of_all.averages(), more.averages(), of_all.best() is bob

    assert same(program)[0] == "Bob"


def test_functions_that_are_given_what_is_kept_see_the_same():
    def program(decorate):
        student, _ = students(decorate)

        @decorate
        def of_both(scores, who):
            scores.append(1)
            who.scores.append(2)
            return sum(who.scores), sum(scores)

        @decorate
        def alone(scores):
            scores.append(1000)
            return len(scores)

        scores = [10, 20]
        ann = student("Ann", scores)
        seen = [of_both(scores, ann), list(scores)]
        seen += [alone(scores), ann.average(), of_both([3], ann), list(scores)]
        return seen

    same(program)


def test_copies_and_pickles_have_what_was_put_in_by_then():
    def program(decorate):
        student, _ = students(decorate)
        scores = [1, 2]
        ann = student("Ann", scores)
        scores.append(3)
        other = copy.deepcopy(ann)
        scores.append(4)
        other.add(5)
        return list(other.scores), list(ann.scores), scores

    assert same(program) == ([1, 2, 3, 5], [1, 2, 3, 4], [1, 2, 3, 4])


@script
class Pickled:
    def __init__(self, items):
        self.items = items

    def total(self):
        return sum(self.items)


def test_pickles_have_it_too():
    items = [1, 2]
    kept = Pickled(items)
    items.append(3)
    assert pickle.loads(pickle.dumps(kept)).total() == 6


def test_dicts_and_sets_and_dataclasses():
    def program(decorate):
        @decorate
        @dataclass
        class Box:
            items: list[float]
            tags: dict[str, int] = field(default_factory=dict)
            seen: set[int] = field(default_factory=set)
            rows: list[list[int]] | None = None

            def add(self, item):
                self.items.append(item)
                self.tags["n"] = len(self.items)
                self.seen.add(len(self.items))
                return len(self.rows) if self.rows is not None else -1

        items, tags, seen, rows = [1.0, 2.0], {"a": 1}, {7}, [[1, 2], [3]]
        box = Box(items, tags, seen, rows)
        found: list[Any] = [box.add(2.5), list(items), dict(tags), set(seen), repr(box)]
        tags["b"] = 5
        seen.discard(7)
        found += [box.add(1.0), repr(box), box.tags is tags, box.rows is rows]
        found += [box == Box(items, tags, seen, rows), (box.rows or [])[0] is rows[0]]
        other = Box([1.5])
        found += [other.add(2.0), repr(other)]
        del tags["a"]
        return [*found, box.tags, items, repr(Box([], {}, set()))]

    same(program)


def test_lists_in_lists():
    def program(decorate):
        @decorate
        class Grid:
            def __init__(self, rows):
                self.rows = rows

            def set(self, i, j, value):
                self.rows[i][j] = value

            def total(self):
                return sum([sum(row) for row in self.rows])

        rows = [[1, 2], [3, 4]]
        grid = Grid(rows)
        grid.set(0, 1, 10)
        return grid.total(), rows, Grid([[1], [2]]).total()

    assert same(program) == (18, [[1, 10], [3, 4]], 3)


@pytest.mark.parametrize("backend", BACKENDS)
def test_items_of_other_types_are_refused(backend):
    @script(backend=backend)
    class Student:
        scores: list[int]

        def __init__(self, scores):
            self.scores = scores

        def total(self):
            return sum(self.scores)

    scores: list[Any] = [1]
    ann: Any = Student(scores)
    scores.append("many")
    with pytest.raises(TypeError, match="expected int, got str"):
        ann.total()
    scores.pop()
    assert ann.total() == 1
    del scores
    ann.total()
    with pytest.raises(TypeError, match="expected int, got str"):
        ann.scores.append("many")
    assert ann.scores == [1]


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_list_has_items_of_one_type_in_all_objects(backend):
    student, _ = students(script(backend=backend))

    @script(backend=backend)
    class Floats:
        held: list[float]

        def __init__(self):
            self.held = [0.5]

    scores = [1]
    ann = student("Ann", scores)
    floats: Any = Floats()
    with pytest.raises(TypeError, match="is a list\\[int\\] there, and a list\\[float\\] here"):
        floats.held = scores
    assert floats.held == [0.5]
    assert ann.average() == 1.0


def test_other_fields_may_get_wider_types_meanwhile():
    def program(decorate):
        student, _ = students(decorate)
        scores = [1]
        ann, bob = student("Ann", scores), student("Bob", scores)
        ann.name = 5
        scores.append(3)
        bob.add(5)
        return list(ann.scores), bob.average(), scores, ann.scores is scores

    assert same(program) == ([1, 3, 5], 3.0, [1, 3, 5], True)


def test_lists_that_objects_share_stay_one_when_they_move():
    def program(decorate):
        @decorate
        class Bag:
            def __init__(self, name):
                self.name = name
                self.items = []
                self.rows = [[1], [2]]
                self.pair = ([1], {"a": 1})

            def share(self, other):
                self.items = other.items
                self.rows[0] = other.rows[1]
                self.pair = other.pair

            def add(self, item):
                self.items.append(item)
                self.rows[0].append(item)
                self.pair[0].append(item)
                self.pair[1]["b"] = item

        make: Any = Bag
        ann, bob = make("Ann"), make("Bob")
        ann.add(1)
        bob.share(ann)
        ann.name = 5
        bob.add(2)
        return ann.items, ann.rows, ann.pair, bob.items, bob.rows, bob.pair

    assert same(program)[0] == [1, 2]


def test_empty_displays():
    def program(decorate):
        student, _ = students(decorate)
        ann = student("Ann", [])
        ann.add(3)
        return list(ann.scores), ann.average()

    assert same(program) == ([3], 3.0)


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_empty_list_of_which_no_field_is_known_is_refused_at_the_next_call(backend):
    @script(backend=backend)
    class Student:
        def __init__(self, scores):
            self.scores = scores or []
            self.others = scores

        def add(self, score):
            self.scores.append(score)
            self.others = [score]

    scores: list[int] = []
    ann = Student(scores)
    ann.add(3)
    assert ann.scores == [3]


def test_what_nobody_else_has_is_let_go():
    student, _ = students(script)
    warm = student("Ann", [1])
    warm.average()
    before = live_blocks()
    for _ in range(10):
        scores = [1, 2, 3]
        ann = student("Ann", scores)
        scores.append(4)
        assert ann.average() == 2.5
        del scores
        gone = weakref.ref(ann)
        del ann
        warm.average()
        gc.collect()
        assert gone() is None
    assert live_blocks() == before


def test_defaults_are_one_for_all_objects():
    def program(decorate):
        @decorate
        class Bag:
            def __init__(self, items=[1]):  # noqa: B006
                self.items = items

            def add(self, item):
                self.items.append(item)

        one, two = Bag(), Bag()
        one.add(2)
        other = Bag([5])
        other.add(6)
        return one.items, two.items, Bag().items is one.items, other.items

    assert same(program) == ([1, 2], [1, 2], True, [5, 6])


def test_arguments_of_any_name():
    def program(decorate):
        @decorate
        class Base:
            def __init__(self, name, *rest, **options):
                self.name = name
                self.rest = rest
                self.size = options.get("size", 1)
                self.count = len(options)

            def named(self, **numbers):
                return sorted(numbers.keys()), sum(numbers.values())

        class Heir(Base):
            def __init__(self, *args, **kwargs):
                super().__init__(*args, **kwargs)
                self.extra = 5

        @decorate
        def total(first, **numbers):
            for number in numbers.values():
                first += number
            return first

        base, heir = Base("x", 1, 2, size=4, other=5), Heir("z", size=3)
        found = [base.name, base.rest, base.size, base.count, Base("y").count]
        again = Heir("a", other=2)
        found += [again.name, again.size, again.count, again.extra, Heir("b").count]
        found += [base.named(a=1, b=2), heir.name, heir.size, heir.extra, heir.count]
        return [*found, total(1), total(1, a=2), total(1, a=2, b=3)]

    same(program)


def test_what_python_stores_is_one_with_the_field():
    def program(decorate):
        @decorate
        class Bag:
            def __init__(self):
                self.items = [0]
                self.rows = [[1]]
                self.found = None

            def add(self, item):
                self.items.append(item)

            def find(self):
                self.found = [1]

            def total(self):
                return sum(self.items)

        one: Any = Bag()
        other: Any = Bag()
        items = [1, 2]
        one.items = items
        items.append(3)
        found = [one.total(), one.items is items]
        one.add(4)
        found.append(list(items))
        other.items = items
        other.add(5)
        items.append(6)
        found += [list(one.items), other.total(), list(items)]
        one.items = [7]
        one.add(8)
        found += [list(one.items), list(items), other.items]
        one.find()
        parts = [5]
        one.found = parts
        parts.append(6)
        rows = [[1, 2], [3]]
        one.rows = rows
        return [*found, one.found, one.found is parts, one.rows is rows, one.total(), one.rows]

    same(program)


def test_many_at_once():
    def program(decorate):
        student, course = students(decorate)
        lists = [[number, 2] for number in range(60)]
        everyone = [student(f"s{number}", scores) for number, scores in enumerate(lists)]
        of_all = course("Math", everyone[:50])
        others = {"x": everyone[50:]}

        @decorate
        def last(table):
            found = table["x"][-1]
            found.scores.append(9)
            return found.average()

        for scores in lists:
            scores.append(4)
        found: list[Any] = [everyone[3].average(), of_all.best().name, last(others)]
        everyone[59].add(1)
        lists[20].append(500)
        found += [of_all.best().name, everyone[20].scores is lists[20], lists[59]]
        del lists
        return [*found, everyone[20].average(), everyone[59].scores]

    same(program)
