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


class Tree:
    """Objects of several classes hold each other, in tuples and lists, and may be None."""


@dataclass(frozen=True)
class Leaf(Tree):
    text: str


@dataclass(frozen=True)
class Fork(Tree):
    left: Tree
    right: Tree | None = None


@dataclass(frozen=True)
class Marked(Tree):
    marks: tuple[Tree, int]

    def __repr__(self):
        return f"<{self.marks}>"


@dataclass
class Bush(Tree):
    trees: list[Tree]
    shade: float = field(default=0.5, repr=False)

    def __str__(self):
        return f"bush of {len(self.trees)}"


def planted(n):
    tree: Tree = Leaf(f"leaf {n}")
    for i in range(n):
        tree = Fork(tree, None if i % 2 else Fork(tree))
    if n > 1:
        tree = Marked((tree, n))
    return tree


def forest(n):
    tree, other = planted(n), planted(n + 1)
    bush: Tree = Bush([tree, other])
    shown = repr(bush), str(bush), str([bush]), f"{tree} {tree!r:.9}"
    same = tree == planted(n), tree == other, tree != other, bush == Bush([tree, other], 0.5)
    return shown, same, hash(tree) == hash(planted(n)), len({tree, other, planted(n)})


class Wrong(Exception):
    pass


@dataclass
class Größe:
    höhe: str | None
    all: dict[str, list[str]]


def escaped(word):
    """What ascii() gives of objects, containers and exceptions that hold texts."""
    tree: Tree = Bush([Leaf(word), Fork(Leaf("\\x"), Marked((Leaf("'é'"), 2)))])
    size = Größe(None if word == "" else word, {word: [word, "a"], "\u20ac\n": ["\U0001f600"]})
    texts = f"{tree!a} {size!a} {[word]!a} {(word, 1)!a}", ascii({word}), ascii({word: 1})
    raised = ascii(Wrong(word)), f"{ValueError(word, 1)!a:>40}", ascii(None), f"{size.höhe!a:<12}|"
    return texts, raised, f"{size!a:.5}"


def unhashed(n):
    bush: Tree = Bush([]) if n else Leaf("")
    try:
        return hash(Fork(bush)) == hash(Fork(bush))
    except TypeError as error:
        return str(error)


@dataclass(frozen=True, order=True)
class Place:
    x: int
    y: float


@dataclass(frozen=True, order=True)
class Way:
    start: Place
    end: Place


@dataclass(frozen=True, order=True)
class Tour:
    there: Way
    back: Way


def tours(x):
    ways = [Way(Place(a, 0.5), Place(x, b)) for a in range(2) for b in (1.5, -0.0)]
    found = sorted(Tour(one, two) for one in ways for two in ways)
    first, last = found[0], max(found)
    orders = first < last, first <= first, first > last, first >= last, first == found[0]
    return str(found[1]), repr(last), orders, len(set(found)), found.index(last)


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
    (forest, [(0,), (1,), (2,), (5,)]),
    (escaped, [("",), ("é",), ("ASCII",), ("\u20ac'\U0001f600\x7f",)]),
    (unhashed, [(0,), (1,)]),
    (tours, [(0,), (3,)]),
    (keys, [(1,)]),
]
