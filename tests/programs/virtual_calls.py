"""Values of a base type: which method is called, the class of the object says."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic, reportGeneralTypeIssues=false

from abc import ABC, abstractmethod
from dataclasses import dataclass

from tests.programs import Case


class Shape(ABC):
    KIND = "shape"

    def __init__(self, name: str):
        self.name = name

    @abstractmethod
    def area(self) -> float: ...

    def describe(self, factor):
        return f"{self.name} {factor * self.area():.2f} {self.KIND}"

    @property
    def double(self):
        return 2 * self.area()

    def __lt__(self, other):
        return self.area() < other.area()


class Square(Shape):
    KIND = "square"

    def __init__(self, width: float):
        super().__init__("square")
        self.width = width

    def area(self) -> float:
        return self.width * self.width

    def scaled(self, factor):
        return Square(self.width * factor)

    def __str__(self):
        return f"Square({self.width})"


class Circle(Shape):
    def __init__(self, radius: float):
        super().__init__("circle")
        self.radius = radius
        self.asked = [radius]

    def area(self) -> float:
        self.asked.append(self.radius)
        return 3.0 * self.radius * self.radius

    def scaled(self, factor):
        return Circle(self.radius * factor)

    @property
    def double(self):
        return 2 * self.area() + 0.5

    def __str__(self):
        return f"Circle of {self.radius}"


class Big(Circle):
    KIND = "big"

    def describe(self, factor, more=2):
        return "big " + super().describe(factor) + str(more)


def shapes(width, count):
    found: list[Shape] = [Square(width), Circle(width)]
    for i in range(count):
        found.append(Big(width + i))
    text = ""
    total = 0.0
    for shape in found:
        total += shape.area() + shape.double
        text += f"{shape.describe(2)} {shape.KIND} {shape};"
    best = found[0]
    for shape in found:
        if best < shape:
            best = shape
    other = Square(1.0) if width > 3 else Circle(2.0)
    return total, text, best.name, other.area(), best.KIND, type(best).__name__


def tests_of_classes(width, count):
    found: list[Shape] = [Square(width), Circle(width), Big(1.0)]
    total, seen = 0.0, ""
    for shape in found:
        if isinstance(shape, Square):
            total += shape.width
        elif isinstance(shape, Big):
            total += 100 * shape.radius
        else:
            total += 10 * shape.radius  # pyright: ignore[reportAttributeAccessIssue]
        if type(shape) is Circle:
            shape.radius += 1.0
        seen += shape.__class__.__name__ + type(shape).__name__
        if type(shape) is not Big and not isinstance(shape, (Square, Big)):
            seen += "!"
    maybe: Shape | None = found[count] if count < 3 else None
    if maybe is not None and isinstance(maybe, Circle):
        total += len(maybe.asked)
    if isinstance(maybe, Circle):
        total += maybe.radius
    equal = type(found[1]) == type(found[1])  # noqa: E721 -- means the same
    same = type(found[0]) is type(found[1]), equal
    return total, seen, same, isinstance(maybe, Shape), isinstance(found[0], Circle | Big)


class Expr:
    def value(self, x: float) -> float:
        raise NotImplementedError

    def __add__(self, other):
        return Add(self, other)

    def __mul__(self, other: "Expr") -> "Expr":
        return Mul(self, other)


class Const(Expr):
    def __init__(self, number: float):
        self.number = number

    def value(self, x: float) -> float:
        return self.number

    def __repr__(self) -> str:
        return str(self.number)


class Var(Expr):
    def value(self, x: float) -> float:
        return x

    def __repr__(self) -> str:
        return "x"


class Pair(Expr):
    left: Expr
    right: Expr

    def __init__(self, left: Expr, right: Expr):
        self.left = left
        self.right = right


class Add(Pair):
    def value(self, x: float) -> float:
        return self.left.value(x) + self.right.value(x)

    def __repr__(self) -> str:
        return f"({self.left!r} + {self.right!r})"


class Mul(Pair):
    def value(self, x: float) -> float:
        return self.left.value(x) * self.right.value(x)

    def __repr__(self) -> str:
        return f"{self.left!r} * {self.right!r}"


def derivative(expr: Expr) -> Expr:
    if isinstance(expr, Add):
        return derivative(expr.left) + derivative(expr.right)
    if isinstance(expr, Mul):
        return derivative(expr.left) * expr.right + expr.left * derivative(expr.right)
    return Const(1.0) if isinstance(expr, Var) else Const(0.0)


def expressions(x, depth):
    expr: Expr = Var()
    for i in range(depth):
        expr = expr * expr + Const(float(i)) if i % 2 else expr * Const(2.0)
    slope = derivative(expr)
    return expr.value(x), slope.value(x), repr(expr), len(repr(slope))


class Failing(Expr):
    """The last class of which there are objects is one without the method."""


def failing(count):
    found: list[Expr] = [Const(1.0), Failing()]
    return found[count].value(1.0)


@dataclass
class Event:
    time: float

    def cost(self, rate):
        return rate * self.time


@dataclass
class Delay(Event):
    more: int = 2

    def cost(self, rate):
        return super().cost(rate) * self.more


def events(time):
    queue: dict[str, Event] = {"a": Event(time), "b": Delay(time, 3)}
    queue["c"] = Delay(2 * time)
    pair: tuple[Event, int] = (Delay(time), 1)
    return (
        [queue[key].cost(0.5) for key in queue],
        [str(e) for e in queue.values()],
        pair[0].cost(1),
    )


class Kept:
    def __init__(self, n: int):
        self.n = n


class KeptTwice(Kept):
    pass


class KeptOnce(Kept):
    pass


def one_of(first: bool, one: KeptTwice, other: KeptOnce) -> Kept:
    return one if first else other


def identities_of_bases(first: bool):
    one, other = KeptTwice(1), KeptOnce(2)
    found: Kept = one_of(first, one, other)
    is_one = found is one, one is found, found is not one, found == one, one != found
    return is_one, found is other, found is found


class Thing:
    pass


class Switch(Thing):
    def __init__(self, on):
        self.on = on

    def __bool__(self):
        return self.on


class Bag(Thing):
    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count


def thing(k):
    if k == 0:
        return Thing()
    if k < 3:
        return Switch(k == 2)
    return Bag(k - 3) if k < 5 else None


def truths(n):
    """A base without `__bool__` does not say whether objects of others count as false."""
    found = [thing(k) for k in range(n)]
    alone = [x for x in found if x is not None]
    tests = [1 if x else 2 for x in found], [not x for x in alone], any(alone), all(alone)
    return [bool(x) for x in found], tests, len(list(filter(None, alone)))


class Chain:
    def run(self, n, burn=0, told=None):
        out = []
        for i in range(n):
            out.append(i + burn)
            if told is not None:
                told(i)
        return out


class Short(Chain):
    def run(self, n, burn=0, told=None):
        if told:
            told(burn)
        return [n]


def given_functions(n, k):
    """A function with variables of its own is given to whichever method it is."""
    seen = []
    lengths = [chain.run(n, told=lambda i: seen.append(i + k)) for chain in (Chain(), Short())]
    chain = Short() if k else Chain()
    return lengths, chain.run(n, told=seen.append, burn=2), chain.run(1), seen


class Room:
    """Each makes an object of the next one: the classes are found one after the other."""

    def __init__(self, n):
        self.n = n
        self.note = None

    def leave(self, seen):
        return self

    def tell(self, what):
        self.note = what


class Cellar(Room):
    def leave(self, seen):
        seen.append(("cellar", self.n))
        return Stairs(self.n + 1)

    def tell(self, what):
        self.note = what + 0.5


class Stairs(Room):
    def leave(self, seen):
        seen.append(("stairs", self.n))
        return Attic(self.n * 2) if self.n % 2 else Cellar(self.n)

    def tell(self, what):
        self.note = f"{what}!"


class Attic(Room):
    def leave(self, seen, most=20):
        seen.append(("attic", self.n))
        if self.n > most:
            raise ValueError(f"too high: {self.n}")
        return Cellar(self.n + 1)

    def tell(self, what):
        self.note = what - 1


def rooms(n, steps):
    """What one class is called with alone is not asked of those that are found later."""
    seen = []
    stairs = Stairs(0)
    stairs.tell("up")
    room: Room = Cellar(n)
    for k in range(steps):
        if k == 2:
            room.tell(k)
        room = room.leave(seen)
    return seen, type(room).__name__, stairs.note, room.note


CASES: list[Case] = [
    (rooms, [(1, 0), (1, 3), (2, 4), (0, 9), (9, 9)]),
    (given_functions, [(3, 0), (2, 1)]),
    (identities_of_bases, [(True,), (False,)]),
    (shapes, [(2.0, 2), (0.5, 0), (4.0, 1)]),
    (tests_of_classes, [(2.0, 0), (0.5, 1), (0.5, 2), (0.5, 3)]),
    (expressions, [(0.5, 0), (1.5, 1), (1.5, 4)]),
    (failing, [(0,), (1,), (2,)]),
    (events, [(1.5,)]),
    (truths, [(6,)]),
]
