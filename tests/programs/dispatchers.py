"""Functions behind `functools.singledispatch`: the type of an argument says what is called."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic, reportArgumentType=false, reportCallIssue=false

from dataclasses import dataclass
from functools import singledispatch

from tests.programs import Case


@singledispatch
def kind(x):
    return "other"


@kind.register
def _(x: int):
    return f"int {x}"


@kind.register(str)
def _(x):
    return "text " + x


@kind.register(list)
@kind.register(tuple)
def _(x):
    return f"{len(x)} items"


@kind.register(type(None))
def _(x):
    return "none"


class Shape:
    pass


@dataclass
class Circle(Shape):
    r: float


@dataclass
class Square(Shape):
    s: float


class Unit(Square):
    def __init__(self):
        self.s = 1.0


@singledispatch
def area(shape, k=1):
    raise NotImplementedError("no area")


@area.register
def _(shape: Circle, k=1):
    return 3 * shape.r * shape.r * k


@area.register
def _(shape: Square, k=1):
    return shape.s * shape.s * k


@dataclass
class Num:
    value: int


@dataclass
class Add:
    left: "Num | Add"
    right: "Num | Add"


@singledispatch
def value_of(node):
    raise TypeError(f"bad {node}")


@value_of.register
def _(node: Num):
    return node.value


@value_of.register
def _(node: Add):
    return value_of(node.left) + value_of(node.right)


@singledispatch
def json(x):
    return "?"


@json.register(int)
@json.register(float)
def _(x):
    return str(x)


@json.register
def _(x: str):
    return '"' + x + '"'


@json.register
def _(x: list):
    return "[" + ",".join(json(item) for item in x) + "]"


@json.register
def _(x: dict):
    return "{" + ",".join(json(k) + ":" + json(v) for k, v in x.items()) + "}"


def kinds(n):
    several = [kind(x) for x in [n, "a", 2.5, None]]
    return several, kind(n), kind(n > 0), kind("b"), kind([n]), kind((1, n)), kind({1: 2})


def areas(r):
    shapes = [Circle(r), Square(2.0), Unit()]
    return [area(s) for s in shapes], [area(s, k=2) for s in shapes], area(Circle(1.0), 3)


def without(n):
    return area(n)


def values(n):
    return value_of(Add(Num(n), Add(Num(2), Num(3)))), value_of(Num(n))


def texts(n):
    return json([n, "a", [2.5, 1.5]]), json({"a": [n], "b": [2]}), json((1,))


CASES: list[Case] = [
    (kinds, [(3,)]),
    (areas, [(2.0,)]),
    (without, [(1,)]),
    (values, [(1,)]),
    (texts, [(1,)]),
]
