"""Fields of classes that hold values of several types, with and without annotations."""

# Variables of several types are what these programs are about.
# pyright: basic

from dataclasses import dataclass

from tests.programs import Case


class Node:
    def __init__(self, value, rest):
        self.value = value
        self.rest = rest


def linked(a, b):
    node = Node(a, None)
    node = Node(b, node)
    node = Node("end", node)
    count = 0
    total = 0
    while node is not None:
        if isinstance(node.value, str):
            count += len(node.value)
        else:
            total += node.value
        node = node.rest
    return count, total


@dataclass
class Pair:
    x: int | float
    y: int | float

    def plus(self, other):
        return Pair(self.x + other.x, self.y + other.y)


def pairs(a, b):
    both = Pair(b, a).plus(Pair(a, b))
    return both.x, both.y, str(Pair(a, b)), both == Pair(b, a), Pair(a, b) == Pair(a, b)


class Reading:
    def __init__(self, value):
        self.value = value
        self.count = 1

    def read(self, value):
        if value is not None:
            self.value = value
        self.count += 1
        return self.value


def readings(a, b):
    first, second, third = Reading(a), Reading(b), Reading(None)
    second.value = a
    found = [first.value, second.value, third.value, first.read(b), second.read(None)]
    return found, first.count, second.count, third.count


@dataclass
class Setting:
    name: str
    value: int | str | float | None = None

    def shown(self):
        if self.value is None:
            return self.name
        if isinstance(self.value, str):
            return f"{self.name}={self.value!r}"
        return f"{self.name}={self.value + 1}"


def settings(n, text):
    every = [Setting("a"), Setting("b", n), Setting("c", text), Setting("d", n / 2)]
    every[0].value = text
    every[3].value = None
    return [setting.shown() for setting in every], [setting.value for setting in every]


class Leaf:
    def __init__(self, value):
        self.value = value


class Sum:
    left: "Leaf | Sum | Product"
    right: "Leaf | Sum | Product"

    def __init__(self, left, right):
        self.left = left
        self.right = right


class Product:
    left: "Leaf | Sum | Product"
    right: "Leaf | Sum | Product"

    def __init__(self, left, right):
        self.left = left
        self.right = right


def evaluated(node):
    if isinstance(node, Leaf):
        return node.value
    if isinstance(node, Sum):
        return evaluated(node.left) + evaluated(node.right)
    return evaluated(node.left) * evaluated(node.right)


def expression(n):
    tree = Sum(Leaf(n), Product(Leaf(2), Sum(Leaf(n), Leaf(1))))
    return evaluated(tree), evaluated(tree.right)


CASES: list[Case] = [
    (linked, [(1, 2.5), (2.5, 1), (1, 2)]),
    (pairs, [(1, 2.5), (1, 2)]),
    (readings, [(1, 2.5), (1, "a")]),
    (settings, [(3, "text")]),
    (expression, [(3,)]),
]
