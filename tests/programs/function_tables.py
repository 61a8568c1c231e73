"""Tables of functions and classes: global ones, and classes as values."""

# Functions without annotation are what these programs are about.
# pyright: basic

import math
import operator
from dataclasses import dataclass

from tests.programs import Case


class Square:
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side**2


class Circle:
    def __init__(self, radius):
        self.radius = radius

    def area(self):
        return math.pi * self.radius**2


@dataclass
class Point:
    x: float
    y: float = 2.0


def add(a, b):
    return a + b


OPERATORS = {
    "+": operator.add,
    "-": operator.sub,
    "*": lambda a, b: a * b,
    "max": max,
    "add": add,
}
SHAPES = {"square": Square, "circle": Circle}
FUNCTIONS = (math.sin, math.cos, lambda v: v * 2)


def calculated(tokens):
    stack = []
    for token in tokens:
        if token in OPERATORS:
            b = stack.pop()
            a = stack.pop()
            stack.append(OPERATORS[token](a, b))
        else:
            stack.append(float(token))
    return stack[0]


def made(kind, size):
    return SHAPES[kind](size)


def areas():
    return [round(made(kind, 2.0).area(), 3) for kind in ("square", "circle")]


def applied(x):
    return [f(x) for f in FUNCTIONS], FUNCTIONS[0](x), sorted(OPERATORS), len(SHAPES)


def found(sign):
    function = OPERATORS.get(sign)
    return function(1.0, 2.0) if function is not None else None


def missing(sign):
    return OPERATORS[sign](1.0, 2.0)


def all_of(x):
    out = {}
    for sign, function in OPERATORS.items():
        out[sign] = function(x, 2.0)
    return out


def nested(x):
    def apply(sign):
        return OPERATORS[sign](x, 3.0)

    return apply("+") + sum(map(apply, ["*", "-"]))


def local_classes(kind):
    kinds = {"square": Square, "circle": Circle}
    makers = [Point, lambda x: Point(x, 5.0)]
    cls = Square if kind == "square" else Circle
    area = kinds[kind](2.0).area()
    return (
        round(area, 3),
        [m(1.0).y for m in makers],
        cls(3.0).area(),
        [p.x for p in map(Point, [1.0])],
    )


def bound_methods(xs: list[int], words: list[str]):
    seen = [0]
    kept = set()

    def each(f, ys):
        for y in ys:
            f(y)

    each(seen.append, xs)
    each(kept.add, xs)
    dash, order = "-", ["b", "a", "c"]
    return seen, sorted(kept), list(map(dash.join, [words, words])), sorted(words, key=order.index)


CONVERSIONS = {"i": int, "f": float, "": str}


def converted(x):
    return CONVERSIONS["i"](x), CONVERSIONS["f"](x), CONVERSIONS[""](x)


CASES: list[Case] = [
    (calculated, [(["1", "2", "+", "3", "max", "4", "add"],)]),
    (areas, [()]),
    (applied, [(1.0,)]),
    (found, [("*",), ("?",)]),
    (missing, [("+",), ("?",)]),
    (all_of, [(5.0,)]),
    (nested, [(4.0,)]),
    (converted, [(2.5,)]),
    (bound_methods, [([1, 2, 2], ["a", "b"]), ([], ["c", "a"])]),
    (local_classes, [("square",), ("circle",)]),
]
