"""Items of containers that are one object: they are equal there, whatever their `__eq__` says."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from collections import deque
from dataclasses import dataclass, field

from tests.programs import Case


class Never:
    """Equal to nothing when it is asked."""

    def __init__(self, number: int):
        self.number = number

    def __eq__(self, other: object):
        return False

    def __ne__(self, other: object):
        return True

    def __hash__(self):
        return self.number


class Parity:
    def __init__(self, number: int):
        self.number = number

    def __eq__(self, other: object):
        if not isinstance(other, Parity):
            return NotImplemented
        return self.number % 2 == other.number % 2


@dataclass
class Person:
    name: str
    friends: list["Person"] = field(default_factory=list)

    def befriend(self, other: "Person"):
        if other in self.friends:
            return False
        self.friends.append(other)
        other.friends.append(self)
        return True


def rings(names: list[str]):
    """Two who are each other's friends: to compare their fields would never end."""
    first, second, third = [Person(name) for name in names]
    made = [first.befriend(second), second.befriend(third), first.befriend(second)]
    alike = first.friends == [second], (first, 1) == (first, 1), first.friends != [second]
    second.friends.remove(first)
    return made, alike, second.friends.index(third), second.friends.count(third), first == first


def in_lists(number: int):
    a, b = Never(number), Never(number)
    items = [a, b]
    found = [a in items, b in items, Never(number) in items, a in (b, a), a == a, a != a]
    found += [items == [a, b], items != [a, b], items == [b, a], (a, 1) == (a, 1), (a, b) == (b, a)]
    places = [items.index(b), items.count(a)]
    items.remove(b)
    maybe = [None, a]
    return found, places, len(items), a in maybe, maybe == [None, a], maybe.index(a)


def in_others(number: int):
    a, b = Never(number), Never(number)
    queue, table, those = deque([b, a]), {a: 1}, {a, b}
    found = [a in queue, queue == deque([b, a]), queue == deque([a, b]), queue != deque([b, a])]
    found += [a in table, b in table, a in list(table), a in {1: a}.values(), {1: a} == {1: a}]
    found += [a in those, Never(number) in those]
    return found, queue.index(a), table.get(a), table.get(b), len(those)


def by_their_methods(number: int):
    items = [Parity(1), Parity(number)]
    found = Parity(3) in items, items == [Parity(5), Parity(number + 2)], items == [Parity(2)] * 2
    return found, items.index(Parity(number)), (Parity(1), 2) == (Parity(7), 2)


CASES: list[Case] = [
    (rings, [(["a", "b", "c"],)]),
    (in_lists, [(3,)]),
    (in_others, [(3,)]),
    (by_their_methods, [(2,), (3,)]),
]
