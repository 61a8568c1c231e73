"""Operators on objects of a class and of one that inherits from it: who is asked first."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic, reportAssignmentType=false

from dataclasses import dataclass
from functools import total_ordering

from tests.programs import Case


class Plain:
    """Says which methods were called, with which sides."""

    def __init__(self, x: int):
        self.x = x

    def __add__(self, other):
        return f"Plain.add {self.x} {other.x}"

    def __radd__(self, other):
        return f"Plain.radd {self.x} {other.x}"

    def __sub__(self, other):
        return f"Plain.sub {self.x} {other.x}"

    def __rsub__(self, other):
        return f"Plain.rsub {self.x} {other.x}"

    def __divmod__(self, other):
        return f"Plain.divmod {self.x} {other.x}"

    def __lt__(self, other):
        return f"Plain.lt {self.x} {other.x}"

    def __gt__(self, other):
        return f"Plain.gt {self.x} {other.x}"


class Own(Plain):
    """Has reflected methods of its own."""

    def __radd__(self, other):
        return f"Own.radd {self.x} {other.x}"

    def __rdivmod__(self, other):
        return f"Own.rdivmod {self.x} {other.x}"

    def __gt__(self, other):
        return f"Own.gt {self.x} {other.x}"


class Heir(Plain):
    """Inherits all of them."""


class Last(Own):
    """Has one more than its base."""

    def __rsub__(self, other):
        return f"Last.rsub {self.x} {other.x}"


def texts_of_operators():
    found = []
    found.append(Plain(1) + Own(2))
    found.append(Own(1) + Plain(2))
    found.append(Plain(1) + Heir(2))
    found.append(Own(1) + Heir(2))
    found.append(Plain(1) - Own(2))
    found.append(divmod(Plain(1), Own(2)))
    found.append(divmod(Own(1), Own(2)))
    found.append(Plain(1) < Own(2))
    found.append(Plain(1) > Own(2))
    found.append(Plain(1) < Heir(2))
    found.append(Own(1) < Heir(2))
    return found


def pairs_of_mixed_lists():
    found = []
    values = [Plain(1), Own(2), Heir(3), Last(4), Plain(5)]
    for a in values:
        for b in values:
            found.append(a + b)
            found.append(a - b)
            found.append(divmod(a, b))
            found.append(a < b)
            found.append(a > b)
    return found


def updated(n):
    value = Plain(n)
    found = []
    for other in [Plain(1), Own(2), Last(3)]:
        text = value
        text += other
        found.append(text)
    return found


class Declining:
    """Declines every value that is negative."""

    def __init__(self, x: int):
        self.x = x

    def __add__(self, other):
        if other.x < 0:
            return NotImplemented
        return self.x + other.x

    def __le__(self, other):
        if other.x < 0:
            return NotImplemented
        return self.x <= other.x


class Taking(Declining):
    def __radd__(self, other):
        return 1000 + self.x + other.x

    def __ge__(self, other):
        return self.x == -other.x


def declined(n):
    found = []
    values = [Declining(1), Taking(n), Declining(-5), Taking(2)]
    for a in values:
        for b in values:
            try:
                found.append(str(a + b))
            except TypeError as error:
                found.append(str(error))
    return found


class Refusing:
    def __init__(self, x: int):
        self.x = x

    def __mul__(self, other):
        return self.x * other.x


class Reluctant(Refusing):
    """Is asked first, and has nothing to say of any object."""

    def __rmul__(self, other):
        if isinstance(other, int):
            return self.x * other
        return NotImplemented


def asked_in_turn(n):
    return Refusing(n) * Reluctant(3), n * Reluctant(4), Reluctant(n) * Refusing(5)


class Equal:
    def __init__(self, x: int):
        self.x = x

    def __eq__(self, other):
        return self.x == other.x

    def __hash__(self):
        return self.x


class Always(Equal):
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 5


class Never(Equal):
    def __eq__(self, other):
        return False

    __hash__ = None


def equalities():
    one, two, three = Equal(1), Always(2), Never(1)
    return (
        (one == two, two == one, one != two, two != one, one == three, one != three, three != one),
        two in [Equal(9)],
        one in [Always(9)],
        [Equal(1)] == [Always(2)],
        [Always(1)] == [Equal(2)],
        [Equal(1)].count(two),
        (Equal(1), 2) == (Always(5), 2),
    )


def equalities_of_mixed_lists():
    values = [Equal(1), Always(2), Equal(2), Never(2)]
    return (
        [[a == b for a in values] for b in values],
        [values.index(v) for v in values],
        values == values[::-1],
    )


@total_ordering
class Ranked:
    def __init__(self, rank: int):
        self.rank = rank

    def __eq__(self, other):
        return self.rank == other.rank

    def __lt__(self, other):
        return self.rank < other.rank


class Turned(Ranked):
    """Is ordered the other way, beside objects of its base as well."""

    def __lt__(self, other):
        return self.rank > other.rank


def orders_of_mixed_lists(n):
    values = [Ranked(1), Turned(n), Ranked(3), Turned(1)]
    found = [(a < b, a <= b, a > b, a >= b) for a in values for b in values]
    return found, max(values).rank


@dataclass
class Written:
    x: int


@dataclass
class WrittenToo(Written):
    y: int = 3


def dataclasses_differ(n):
    return Written(n) == WrittenToo(n), WrittenToo(n) == Written(n)


CASES: list[Case] = [
    (texts_of_operators, [()]),
    (pairs_of_mixed_lists, [()]),
    (updated, [(7,)]),
    (declined, [(3,)]),
    (asked_in_turn, [(3,)]),
    (equalities, [()]),
    (equalities_of_mixed_lists, [()]),
    (orders_of_mixed_lists, [(2,)]),
    (dataclasses_differ, [(1,)]),
]
