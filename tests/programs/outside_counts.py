"""Counters outside: `next` of an `itertools.count` of a module or a class."""

# Types come from the calls, and classes hold counters.
# pyright: basic

import itertools
from dataclasses import dataclass, field

from tests.programs import Case

_numbers = itertools.count(1)
_evens = itertools.count(10, -2)


class Task:
    """A class that numbers its objects."""

    _ids = itertools.count()

    def __init__(self, name):
        self.id = next(Task._ids)
        self.name = name

    @classmethod
    def named(cls, names):
        return [cls(name) for name in names]

    def again(self):
        return next(self._ids) - self.id


class Urgent(Task):
    """Its objects are numbered with all others."""

    def __init__(self, name, level):
        super().__init__(name)
        self.level = level


@dataclass
class Row:
    """The factory of a field takes a number."""

    name: str
    number: int = field(default_factory=lambda: next(_numbers))


@dataclass
class Ticket:
    """The factory is the method of a counter."""

    name: str
    number: int = field(default_factory=itertools.count(5, 2).__next__)
    other: int = field(default_factory=_numbers.__next__, init=False)


def tickets(names: list[str]):
    first = Ticket("first")
    given = [*(Ticket(name) for name in names), Ticket("given", 0)]
    return [(t.number - first.number, t.other - first.other) for t in given[:-1]], given[-1].number


def differences(names: list[str]):
    """What a counter gives depends on the calls before: all is told from the first number."""
    first = Task("first")
    tasks = [*Task.named(names), Urgent("u", 3)]
    return [task.id - first.id for task in tasks], tasks[-1].again() - first.again()


def stepping(count):
    first = next(_evens)
    return [next(_evens) - first for _ in range(count)]


def rows(names: list[str]):
    base = next(_numbers)
    return [(row.name, row.number - base) for row in [Row(name) for name in names]]


def raised(names):
    """What was taken before an exception is taken."""
    before = next(_numbers)
    try:
        for name in names:
            if next(_numbers) - before > 2:
                raise ValueError(name)
    except ValueError as error:
        return str(error), next(_numbers) - before
    return "", next(_numbers) - before


CASES: list[Case] = [
    (differences, [(["a", "b"],), ([],)]),
    (stepping, [(3,), (0,)]),
    (rows, [(["a", "b"],), ([],)]),
    (tickets, [(["a", "b"],), ([],)]),
    (raised, [(["a", "b", "c", "d"],), (["a"],)]),
]
