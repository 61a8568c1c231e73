"""Constants of classes that hold items, methods that constructors call, results of recursion."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic
# ruff: noqa: RUF012 -- constants of classes are what this is about

import numpy as np

from tests.programs import Case


class Plan:
    """Constants of every kind, read through objects, classes and methods of classes."""

    NAMES = ("first", "second")
    COSTS = {"first": 1, "second": 2}
    STEPS = [1, 2, 3]
    KINDS = {"short", "long"}
    WEIGHTS = np.array([0.5, 1.5])
    DEPTHS = frozenset([1, 2])
    PARTS = {"a": [1, 2], "b": [3]}
    PAIRS = [("x", 1), ("y", 2)]

    def read(self):
        numbers = self.COSTS["first"], Plan.COSTS.get("third", 9), len(self.STEPS)
        tests = "short" in self.KINDS, 1 in self.DEPTHS, float(np.sum(self.WEIGHTS))
        return self.NAMES[0], numbers, tests, self.PARTS["a"][1], [n for n, _ in self.PAIRS]

    @classmethod
    def cost(cls, name):
        return cls.COSTS[name] + cls.STEPS[0]

    @staticmethod
    def last():
        return Plan.STEPS[-1]


class Dear(Plan):
    """Another value of a constant."""

    COSTS = {"first": 10, "second": 20}


class Roman:
    """A table that a method loops over."""

    VALUES = [(10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]

    def __init__(self, number):
        self.number = number

    def __str__(self):
        text, rest = "", self.number
        for value, sign in self.VALUES:
            while rest >= value:
                text += sign
                rest -= value
        return text


class Chain:
    """Methods that the constructor calls in loops, conditions and a `try`."""

    LIMITS = (1, 5)

    def __init__(self, items=(), least=0):
        self.first = None
        self.size = 0
        self.bad = 0
        self.limit = self.LIMITS[1]
        for item in items:
            self.append(item)
        while self.size < least:
            self.grow()
        self.is_even = self.grow() and self.size % 2 == 0
        self.end = self.grow() if least > 2 else False
        try:
            self.append(items[least])
            self.grow()
        except IndexError:
            self.spoil()
        finally:
            self.grow()

    def append(self, item):
        if self.first is None:
            self.first = item
        self.size += 1

    def grow(self):
        self.size += 1
        return True

    def spoil(self):
        self.bad += 1


class Formula:
    """What formulas have in common."""

    def value(self, known):
        raise NotImplementedError


class Minus(Formula):
    """A sign before another formula: its value is known of others alone."""

    def __init__(self, inner):
        self.inner = inner

    def value(self, known):
        return -self.inner.value(known)


class Number(Formula):
    """A number."""

    def __init__(self, number):
        self.number = number

    def value(self, known):
        return self.number


class Sum(Formula):
    """Two formulas."""

    def __init__(self, left, right):
        self.left, self.right = left, right

    def value(self, known):
        return self.left.value(known) + self.right.value(known)


def read(name):
    plan, dear = Plan(), Dear()
    costs = plan.cost(name), Plan.cost(name), Dear.cost(name), dear.COSTS[name]
    return plan.read(), dear.read(), costs, Plan.last(), sorted(Plan.COSTS), sum(Plan.STEPS)


def in_a_table(n):
    return str(Roman(n)), str(Roman(n + 3))


def constructed(first, least):
    chain = Chain([first, 7, 8], least)
    return chain.first, chain.size, chain.bad, chain.is_even, chain.end, chain.limit


def recursive(n):
    formula = Sum(Number(n), Minus(Sum(Number(1), Minus(Number(n)))))
    return formula.value({"x": 1})


CASES: list[Case] = [
    (read, [("first",), ("second",), ("third",)]),
    (in_a_table, [(1,), (14,)]),
    (constructed, [(5, 0), (5, 4), (0, 9)]),
    (recursive, [(3,), (-2,)]),
]
