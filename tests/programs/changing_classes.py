"""Attributes of classes that change, and containers of the module and of classes that are written.

Each program sets what it changes first, so that all ways to run it begin with the same.
"""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic
# ruff: noqa: RUF012 -- containers of classes are what this is about

from collections.abc import Sequence
from typing import ClassVar

from tests.programs import Case

LOG = []
TOTALS: dict[str, int] = {}
SEEN = set()
ROWS = [[1, 2], [3]]


class Account:
    """A class that counts its objects, and keeps what happened."""

    count = 0
    names = []
    totals: ClassVar[dict[str, int]] = {}
    last = None
    rate = 0
    kind = "plain"
    limits = (1, 2)
    PLAIN = 7

    def __init__(self, name, amount=0):
        self.name = name
        self.amount = amount
        Account.count += 1
        self.number = Account.count
        Account.names.append(name)
        Account.totals[name] = Account.totals.get(name, 0) + amount
        Account.last = name

    @classmethod
    def reset(cls):
        cls.count = 0
        cls.names = []
        cls.totals.clear()
        cls.last = None
        cls.rate = 0
        cls.kind, cls.limits = "plain", (1, 2)

    def raise_rate(self):
        type(self).rate += 0.5
        self.__class__.kind = "dear"
        __class__.limits = (self.limits[1], self.limits[0] + self.PLAIN)
        return self.rate, type(self).rate, self.__class__.kind, self.kind, Account.limits

    @staticmethod
    def opened():
        return Account.count

    @property
    def all_names(self):
        return self.names


class Savings(Account):
    """What it changes belongs to its base."""

    def __init__(self, name):
        super().__init__(name, self.PLAIN)
        Account.count += 10


class Ids:
    """A class that gives each object a number."""

    _next = 1

    def __init__(self):
        self.id = self._take()

    @classmethod
    def _take(cls):
        taken = cls._next
        cls._next += 1
        return taken


class Walk:
    """A class that counts calls of a method that calls itself."""

    steps = 0
    deepest = 0

    def go(self, n):
        Walk.steps += 1
        Walk.deepest = max(Walk.deepest, n)
        return 0 if n == 0 else self.go(n - 1) + 1


class Part:
    """What its constructor calls changes the class."""

    made = 0

    def __init__(self):
        self.register(2)

    def register(self, by):
        Part.made += by
        self.number = Part.made


class Shape:
    """A base whose classes have constants of their own, and one that changes."""

    SIDES = 0
    made = 0

    def __init__(self):
        Shape.made += 1

    def sides(self):
        return type(self).SIDES, self.__class__.made


class Triangle(Shape):
    SIDES = 3


class Square(Shape):
    SIDES = 4


def accounts(n):
    Account.reset()
    first, second = Account("x", n), Account("y")
    numbers = first.number, second.number, Account.count, first.count, Account.opened()
    kept = Account.names == first.all_names, sorted(Account.totals.items())
    return numbers, kept, list(Account.names), Account.last, second.last


def none_again(n):
    Account.reset()
    before = Account.last
    Account("a")
    between = Account.last is None, Account.last
    Account.last = None
    return before, between, Account.last is None


def several_types(n):
    Account.reset()
    account = Account("r", n)
    first = account.raise_rate()
    Account.rate = n
    return first, account.raise_rate(), Account.kind


def through_a_class_that_inherits(n):
    Account.reset()
    a, b = Savings("s"), Savings("t")
    return a.number, b.number, Savings.count, a.totals["s"], Savings.last


def raising(n):
    Account.reset()
    try:
        Account("z", n)
        Account.count //= n
    except ZeroDivisionError as error:
        return str(error), Account.count, Account.names[0]
    return "", Account.count, Account.names[0]


def numbered(n):
    Ids._next = n
    return [Ids().id for _ in range(3)], Ids._next


def recursive(n):
    Walk.steps = Walk.deepest = 0
    return Walk().go(n), Walk.steps, Walk.deepest


def of_several_classes(n):
    Shape.made = 0
    shapes = [Triangle(), Square(), Triangle()]
    return [shape.sides() for shape in shapes], Shape.made


def in_parts(n):
    Part.made = 0

    def numbers():
        for _ in range(n):
            Part.made += 1
            yield Part.made

    return [Part().number for _ in range(n)], list(numbers()), Part.made


def logged(n):
    LOG.clear()
    TOTALS.clear()
    SEEN.clear()
    for i in range(n):
        LOG.append((i, str(i)))
        TOTALS[str(i % 2)] = TOTALS.get(str(i % 2), 0) + i
        SEEN.add(i % 3)
    rest = LOG.pop() if LOG else None
    return LOG, rest, TOTALS, SEEN


def given_to_functions(n):
    LOG.clear()
    _put(LOG, n)
    same = LOG
    same.append((n, "again"))
    return len(LOG), LOG[-1], same == LOG


def _put(items, n):
    items.append((n, "given"))


def inside(n):
    ROWS[0][:] = [1, 2]
    ROWS[1:] = [[3]]
    row = ROWS[0]
    row.append(n)
    ROWS.append([n, n])
    for items in ROWS:
        items[0] += 1
    return ROWS, row, ROWS[0] == row


def while_looped_over(n):
    SEEN.clear()
    SEEN.add(n)
    for i in SEEN:
        SEEN.add(i + 1)


N: Sequence[tuple[int, ...]] = [(3,), (0,)]
CASES: list[Case] = [
    (accounts, N),
    (none_again, N),
    (several_types, N),
    (through_a_class_that_inherits, N),
    (raising, N),
    (numbered, N),
    (recursive, N),
    (of_several_classes, N),
    (in_parts, N),
    (logged, N),
    (given_to_functions, N),
    (inside, N),
    (while_looped_over, N),
]
