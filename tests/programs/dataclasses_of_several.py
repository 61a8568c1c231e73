"""Dataclasses that inherit: objects are equal if they are of one class and their fields are."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from dataclasses import dataclass, field

from tests.programs import Case


@dataclass
class Shape:
    name: str


@dataclass
class Circle(Shape):
    radius: float


@dataclass
class Square(Shape):
    side: float
    note: str = field(default="", compare=False)


class Plain(Square):
    """It inherits the method, which compares the classes."""


class Expr:
    pass


@dataclass
class Num(Expr):
    value: float


@dataclass
class Add(Expr):
    left: Expr
    right: Expr


@dataclass
class Neg(Expr):
    inner: Expr


@dataclass(frozen=True)
class Key:
    a: int


@dataclass(frozen=True)
class Longer(Key):
    b: int = 0


def shapes(x):
    return [Circle("c", x), Square("s", x, "n"), Circle("c", x), Plain("s", x), Shape("c")]


def compared(x):
    found = shapes(x)
    table = [[a == b for a in found] for b in found]
    return table, [a != found[1] for a in found], found == shapes(x), found == shapes(x + 1)


def found(x):
    known = shapes(x)
    known.remove(Circle("c", x))
    count = known.count(Square("s", x))
    return known.index(Plain("s", x)), count, Shape("c") in known, Shape("d") in known


def beside(shape: Shape, x):
    """Only one side may be of several classes."""
    return Circle("c", x) == shape, shape == Circle("c", x), shape != Square("c", x)


def beside_each(x):
    return [beside(shape, x) for shape in (Circle("c", x), Circle("c", x + 1), Shape("c"))]


def simplified(e):
    match e:
        case Add(Num(0.0), other) | Add(other, Num(0.0)):
            return simplified(other)
        case Add(left, right):
            return Add(simplified(left), simplified(right))
        case Neg(Neg(inner)):
            return simplified(inner)
        case Neg(inner):
            return Neg(simplified(inner))
        case _:
            return e


def trees(x):
    tree = Add(Num(x), Neg(Neg(Add(Num(0.0), Num(2.0)))))
    plain = simplified(tree)
    return plain == Add(Num(x), Num(2.0)), tree == plain, tree == tree, plain != tree, str(plain)


def keys(x):
    names = {Key(x): "k", Longer(x): "l"}
    return (
        names[Key(x)],
        names[Longer(x, 0)],
        len({Key(1), Longer(1), Key(1), Longer(1, 0), Longer(1, 2)}),
    )


CASES: list[Case] = [
    (compared, [(1.5,)]),
    (found, [(1.5,)]),
    (beside_each, [(1.5,)]),
    (trees, [(1.0,), (0.0,)]),
    (keys, [(1,)]),
]
