"""Classes without annotations whose objects hold lists of one type here, and of another there."""

# Types come from the calls.
# pyright: basic
# ruff: noqa: E721 -- classes are compared in every way

from dataclasses import dataclass

import numpy as np

from tests.programs import Case


class Vector:
    KIND = "vector"

    def __init__(self, items):
        self.items = list(items)

    @classmethod
    def zeros(cls, count):
        return cls([0] * count)

    @staticmethod
    def dot(one, two):
        return sum(x * y for x, y in zip(one.items, two.items, strict=True))

    @property
    def size(self):
        return len(self.items)

    def __len__(self):
        return len(self.items)

    def __getitem__(self, place):
        return self.items[place]

    def __iter__(self):
        return iter(self.items)

    def __add__(self, other):
        return Vector([a + b for a, b in zip(self.items, other.items, strict=True)])

    def __eq__(self, other):
        return isinstance(other, Vector) and self.items == other.items

    def __hash__(self):
        return hash(tuple(self.items))

    def __repr__(self):
        return f"{type(self).__name__}({self.items})"

    def copy(self):
        return type(self)(self.items)

    def floats(self):
        return self.__class__([float(x) for x in self.items])

    def scaled(self, factor):
        return Vector([factor * x for x in self.items])


def numbers(count):
    one, two = Vector([1, 2]), Vector([0.5, 1.5])
    both = one + two
    tests = one == two, one == Vector([1, 2]), one == Vector([1.0, 2.0]), both != two
    return (
        repr(one),
        repr(two),
        repr(both),
        tests,
        len(one),
        Vector.dot(one, two),
        two.size,
        one.KIND,
    )


def kinds(count):
    one, two = Vector([1, 2]), Vector([0.5] * count)
    classes = (
        type(one) is type(two),
        type(one) is Vector,
        type(two) == type(one),
        type(one) != Vector,
    )
    made = one.copy() == one, repr(one.floats()), repr(two.copy()), one.floats() == one
    return isinstance(one, Vector), isinstance(two, Vector), type(two).__name__, classes, made


def together(count):
    vectors = [Vector([1, 2]), Vector([0.5, 1.5])]
    named = {"a": Vector([count]), "b": Vector([0.5])}
    keys = {Vector([1]): "one"}
    return (
        [v[0] for v in vectors],
        sum(v.size for v in vectors),
        [repr(v) for v in vectors],
        [repr(v) for v in named.values()],
        keys[Vector([1])],
        Vector([count]) in keys,
    )


def made(count):
    chosen = Vector([1, 2])
    if count > 1:
        chosen = Vector([0.5])
    for _ in range(count):
        chosen = chosen.scaled(0.5)
    arrays = Vector(np.ones(2)), repr(Vector("ab"))
    return (
        repr(Vector.zeros(2)),
        repr(Vector.zeros(2).scaled(0.5)),
        repr(chosen),
        repr(Vector("ab")),
        arrays[0][0],
        arrays[1],
    )


def empty(count):
    filled, one = Vector([]), Vector([1])
    filled.items.append("x" * count)
    return repr(filled), repr(one)


@dataclass
class Polynomial:
    terms: list

    def __call__(self, x):
        found = 0
        for term in reversed(self.terms):
            found = found * x + term
        return found


def polynomials(x):
    one, two = Polynomial([1, 2]), Polynomial([0.5])
    equal = one == Polynomial([1, 2]), one == two, one == Polynomial([1.0, 2.0])
    return repr(one), repr(two), one(x), two(x), equal


class Box:
    def __init__(self, held):
        self.held = held


def boxes(count):
    one, two, three = Box([1, 2]), Box(["a"] * count), Box({"k": 1})
    inner = Box(Box([0.5]))
    return one.held[0] + 1, two.held[0] + "b", three.held["k"], inner.held.held[0]


def second(vector: Vector, place: int = 0) -> "Vector":
    return vector.scaled(vector[place])


def annotated(count):
    def first(vector: Vector):
        return vector[0]

    others = repr(second(Vector([2]))), repr(second(Vector([0.5])))
    return first(Vector([count])), first(Vector([0.5])), others


def lists_of_unlike_numbers(count):
    ints, floats = [1, count], [1.0, float(count)]
    return ints == floats, ints != floats, ints == [*floats, 1.0], ints == [0.5]


class Seen:
    def __init__(self, held):
        self.held = held

    def see(self, held):
        self.held = held


def ints_stay(x, n):
    one, two, three = Seen(x), Seen(x), Seen(x)
    two.see(n)
    three.see(n > 0)
    return one.held, two.held, three.held, two.held / 2


class Chosen:
    def __init__(self, k):
        if k > 1:
            self.x = k
        elif k == 1:
            self.x = "one"
        else:
            self.x = None
        self.shown = str(self.x)


class ChosenKind:
    def __init__(self, k):
        if k > 1:
            self.held = [k, k]
        else:
            self.held = {"a": k}
        self.count = len(self.held)


class ChosenFunction:
    def __init__(self, k, f):
        if k > 1:
            self.f = f
        elif k == 1:
            self.f = lambda x: -f(x)
        else:
            self.f = abs


class ChosenMore(Chosen):
    def __init__(self, k):
        super().__init__(k)
        try:
            self.y = 1 // k
        except ZeroDivisionError as error:
            self.y = str(error)


def chosen_in_init(ks):
    return (
        [(Chosen(k).x, Chosen(k).shown) for k in ks],
        [(ChosenKind(k).held, ChosenKind(k).count) for k in ks],
        [ChosenFunction(k, lambda x, y=k: x + y).f(k) for k in ks],
        [(ChosenMore(k).x, ChosenMore(k).y) for k in ks],
    )


class Term:
    def __init__(self, op, *args):
        self.op = str(op)
        self.args = args

    def __add__(self, other):
        return Term("+", self, other)

    def __radd__(self, other):
        return Term("+", other, self)

    def __neg__(self):
        return Term("-", self)

    def __repr__(self):
        return f"({self.op} {' '.join(map(str, self.args))})"


class Kids:
    def __init__(self, value, kids=()):
        self.value = value
        self.kids = kids

    def total(self):
        return self.value + sum(k.total() if isinstance(k, Kids) else k for k in self.kids)


def tuples_of_terms(k):
    x = Term("x")
    y = Term("f", x, k, "a")
    return (
        (repr(x + k), repr(k + x), repr(-x), repr(x + y), len((x + x).args)),
        Kids(1, (Kids(2), k)).total() + Kids(1, (k, Kids(2))).total() + Kids(k).total(),
    )


CASES: list[Case] = [
    (numbers, [(1,)]),
    (kinds, [(2,)]),
    (together, [(1,), (2,)]),
    (made, [(1,), (3,)]),
    (empty, [(2,)]),
    (polynomials, [(3,)]),
    (boxes, [(1,)]),
    (annotated, [(3,)]),
    (lists_of_unlike_numbers, [(2,)]),
    (ints_stay, [(2.5, 1), (2.5, 0)]),
    (chosen_in_init, [([0, 1, 2],)]),
    (tuples_of_terms, [(3,)]),
]
