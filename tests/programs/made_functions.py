"""The functions of `operator` and `functools`, as calls and as values."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import functools
import operator
from collections.abc import Callable
from functools import partial, reduce
from operator import attrgetter, itemgetter, methodcaller

from tests.programs import Case


class Item:
    def __init__(self, v: int, w: float):
        self.v = v
        self.w = w

    def times(self, k: int, j: int = 1):
        return self.v * k + j


def area(w, h, *, scale=1):
    return w * h * scale


def of_numbers(n):
    return (
        (operator.add(n, 2), operator.sub(n, 2.5), operator.mul(n, n), operator.truediv(n, 4)),
        (operator.floordiv(-n, 4), operator.mod(-n, 4), operator.pow(n, 2), operator.neg(n)),
        (operator.lt(n, 3), operator.le(n, 6), operator.eq(n, 6), operator.ne(n, 6)),
        (operator.gt(n, 3), operator.ge(n, 7), operator.not_(n), operator.truth(n)),
        (operator.and_(n, 3), operator.or_(n, 3), operator.xor(n, 3), operator.invert(n)),
        (operator.lshift(n, 2), operator.rshift(n, 1), operator.abs(-n), operator.pos(n)),
    )


def of_sequences(n):
    xs = [n, 1, n]
    operator.setitem(xs, 1, 7)
    return (
        (operator.concat(xs, [n]), operator.concat("a", "b"), operator.getitem(xs, 1)),
        (operator.contains(xs, 7), operator.countOf(xs, n), operator.indexOf(xs, 7)),
    )


def not_found(n):
    return operator.indexOf([1, 2], n)


def divides(n):
    return operator.floordiv(1, n)


def reduced(n):
    halves = [0.5 * i for i in range(n)]
    return (
        (reduce(operator.mul, [n, 2, 3]), reduce(lambda a, b: a + b, range(n), 0)),
        (reduce(operator.add, ["a", "b"], "x"), reduce(max, (3, n, 1))),
        (reduce(operator.add, halves, 0.0), reduce(min, (x * 0.5 for x in range(n)), 2.0)),
    )


def reduced_to_nothing(n):
    return functools.reduce(operator.add, [x for x in range(n)])


def partials(n):
    f = partial(area, n)
    g = partial(area, h=3, scale=2)
    add, by = partial(operator.add, n), partial(area, scale=n)
    n = 100
    fs = [partial(operator.add, n), partial(operator.mul, 3)]
    return (
        (f(2), f(2, scale=5), g(n), g(n, scale=1), by(1, 2), add(1)),
        ([h(10) for h in fs], partial(pow, 2)(3), partial(partial(area, 1), 2, scale=3)()),
    )


def getters(n):
    pairs = [(3, "c"), (1, "b"), (2, "a")]
    items = [Item(3, 1.0), Item(1, 2.0), Item(n, 0.5)]
    k = n
    of_k = itemgetter(k)
    k = 0
    return (
        (sorted(pairs, key=itemgetter(0)), sorted(pairs, key=itemgetter(1)), of_k([7] * 10)),
        (itemgetter(1, 0)(pairs[0]), max(pairs, key=operator.itemgetter(0)), k),
        ([p.v for p in sorted(items, key=attrgetter("w"))], attrgetter("v", "w")(items[0])),
        (methodcaller("times", n)(items[1]), methodcaller("times", 2, j=n)(items[1])),
    )


@functools.cache
def squared(x):
    return x * x


@functools.cache
def named(x):
    return f"<{x}>", x


def cached(n):
    return squared(n) + squared(2), squared(0.5), named(n)


def in_a_table(n):
    functions = {"+": operator.add, "-": operator.sub, "/": operator.truediv, "max": max}
    return [functions[k](float(n), 3.0) for k in ["+", "-", "/", "max"]]


class Called:
    def __init__(self, k: int):
        self.k = k

    def __call__(self, x: int):
        return x + self.k


def asks_what_is_called(n):
    f, item, called = squared, Item(n, 1.0), Called(n)
    kept = [area]
    g = kept[0]
    return callable(f), callable(n), callable(item), callable(called), callable(g), called(2)


def formats(n):
    return format(n, "05d"), format(n / 4, ".3f"), format(n), format("ab", ">5"), format(n, "#x")


class Steps:
    def __init__(self):
        self.steps = []

    def add(self, name, function, size):
        self.steps.append((name, functools.partial(function, size=size)))
        return self

    def run(self, x):
        for _, step in self.steps:
            x = step(x)
        return x


def scaled(x, size):
    return x * size


def moved(x, size):
    return x + size


def kept_steps(x):
    """What is made for functions of several types is one class for each."""
    steps = Steps().add("scale", scaled, 2.5).add("move", moved, 1.0)
    return steps.run(x), [name for name, _ in steps.steps]


class Stages:
    def __init__(self):
        self.stages: list[tuple[str, Callable]] = []

    def add(self, name, function, *first, **named):
        self.stages.append((name, functools.partial(function, *first, **named)))
        return self

    def __call__(self, x):
        for _, stage in self.stages:
            x = stage(x)
        return x


def times(x, k=1.0):
    return x * k


def shifted(by, x, twice=False):
    return x + by * (2 if twice else 1)


def staged(x):
    stages = (
        Stages().add("a", times, k=2.0).add("b", shifted, 1.0).add("c", shifted, 2.0, twice=True)
    )
    return stages(x), stages.add("d", times, k=0.5)(x), [name for name, _ in stages.stages]


CASES: list[Case] = [
    (kept_steps, [(2.0,), (-0.5,)]),
    (of_numbers, [(6,)]),
    (of_sequences, [(6,)]),
    (not_found, [(2,), (3,)]),
    (divides, [(2,), (0,)]),
    (reduced, [(6,)]),
    (reduced_to_nothing, [(0,), (3,)]),
    (partials, [(6,)]),
    (staged, [(3.0,)]),
    (getters, [(6,)]),
    (cached, [(6,)]),
    (in_a_table, [(6,)]),
    (asks_what_is_called, [(6,)]),
    (formats, [(6,)]),
]
