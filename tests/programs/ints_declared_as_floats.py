"""Ints where floats are declared, which stay ints: the text of a value tells them apart."""

# pyright: basic

import heapq
from collections import OrderedDict, defaultdict, deque
from dataclasses import dataclass

from tests.programs import Case


class Point:
    def __init__(self, x: float, y: float = 0):
        self.x = x
        self.y = y

    def __repr__(self) -> str:
        return f"Point({self.x}, {self.y})"

    def __add__(self, other: "Point") -> "Point":
        return Point(self.x + other.x, self.y + other.y)


@dataclass(frozen=True, order=True)
class Vector:
    x: float
    y: float = 0

    def __add__(self, other: "Vector") -> "Vector":
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, k: float) -> "Vector":
        return Vector(self.x * k, self.y * k)

    def norm(self) -> float:
        return (self.x**2 + self.y**2) ** 0.5


@dataclass
class Item:
    name: str
    price: float
    count: int = 1
    discount: float | None = None

    def total(self) -> float:
        return self.price * self.count


@dataclass
class Account:
    owner: str
    balance: float = 0.0

    def deposit(self, amount: float) -> None:
        if amount <= 0:
            raise ValueError(f"{amount} is not positive")
        self.balance += amount


class Shape:
    def area(self) -> float:
        raise NotImplementedError


class Square(Shape):
    def __init__(self, side: float):
        self.side = side

    def area(self) -> float:
        return self.side * self.side


class Circle(Shape):
    def __init__(self, radius: float):
        self.radius = radius

    def area(self) -> float:
        return 3.0 * self.radius**2


def area(width: float, height: float) -> float:
    return width * height


def clamped(v: float, lo: float, hi: float) -> float:
    return max(lo, min(v, hi))


def power(x: float, n: int) -> float:
    return 1 if n == 0 else x * power(x, n - 1)


def points(n: int) -> str:
    return f"{Point(1)} {Point(2.5)} {Point(n) + Point(2.5, 3)} {Point(1) + Point(n)}"


def vectors(n: int) -> str:
    a, b = Vector(n, 2), Vector(0.5, 3)
    found = [a, b, a + b, a * 2, b * 2, max(a, b), *sorted([b, a])]
    return f"{found} {(a + a).norm()} {Vector(1) == Vector(1.0)} {hash(a) == hash(b)}"


def items(n: int) -> list[str]:
    found = [Item("a", n), Item("b", 2.5, 4), Item("c", 10, discount=1), Item("d", 1.5, 2, 0.5)]
    texts = [f"{i} {i.total()} {i.price:.2f} {i.price:>5} {i.price}" for i in found]
    return [*texts, f"{sum(i.total() for i in found)} { {i.name: i.price for i in found} }"]


def accounts(n: int) -> str:
    ann, bob = Account("Ann", n), Account("Bob")
    ann.deposit(50)
    bob.deposit(50)
    text = f"{ann} {bob}"
    bob.deposit(2.5)
    ann.balance = 7
    try:
        ann.deposit(-5)
    except ValueError as error:
        text += f" {error}"
    return f"{text} {ann} {bob}"


def shapes(n: int) -> list[str]:
    found: list[Shape] = [Square(n), Circle(1), Square(1.5)]
    return [str(shape.area()) for shape in found]


def calls(n: int) -> str:
    best: float = n
    none: float = 0
    for x in (1, 2.5):
        best = max(best, x)
    results = area(2, n), area(2, 3.5), clamped(0.25, 0, n), clamped(2.5, 0, n), clamped(n, 0, 1)
    return f"{results} {best} {none} {power(1.5, 2)}"


def a_pair(pair: tuple[float, float]) -> str:
    x, y = pair
    return f"{x} {y}"


def pairs(n: int) -> str:
    return a_pair((n, 1)) + a_pair((n, 0.5))


def described(xs: list[int]) -> dict[str, float]:
    return {"count": len(xs), "mean": sum(xs) / len(xs)}


def listed(xs: list[int]) -> list[float]:
    return [len(xs), 0.5]


def summed(xs: list[float]) -> float:
    return sum(xs)


def weights(n: int) -> dict[tuple[int, int], float]:
    return {(i, i + 1): i * 2 for i in range(n)}


class Shop:
    def __init__(self) -> None:
        self.prices: dict[str, float] = {}
        self.log: list[float] = []

    def put(self, name: str, price: float) -> None:
        self.prices[name] = price
        self.log.append(price)


def containers(n: int) -> str:
    xs = list(range(n + 1))
    grown: list[float] = []
    grown.append(len(xs))
    grown.append(0.5)
    counted: dict[str, float] = {}
    counted["n"] = len(xs)
    counted["half"] = n / 2
    shop = Shop()
    shop.put("a", len(xs))
    shop.put("b", 2.5)
    sums = summed([len(xs), 2]), summed([1.5, len(xs)])
    made = described(xs), listed(xs), grown, counted, sums, weights(n)
    return f"{made} {shop.prices} {shop.log}"


def with_names(xs: list[int]) -> list[tuple[str, float]]:
    return [("count", len(xs)), ("half", 0.5)]


def in_order(xs: list[int]) -> dict[str, float]:
    return OrderedDict(count=len(xs), half=0.5)


def pairs_inside(xs: list[int]) -> dict[str, tuple[float, str]]:
    return {"a": (len(xs), "s"), "b": (0.5, "t")}


def numbers(n: int) -> list[int]:
    return list(range(n))


def collections_of_floats(n: int) -> str:
    xs = numbers(n)
    unique: set[float] = set()
    unique.add(len(xs))
    unique.add(0.5)
    line: deque[float] = deque()
    line.append(len(xs))
    line.append(0.5)
    heap: list[tuple[float, str]] = []
    for pair in ((n, "a"), (0.5, "b"), (2, "c")):
        heapq.heappush(heap, pair)
    first = [heapq.heappop(heap) for _ in range(3)]
    edges: dict[str, list[tuple[str, float]]] = defaultdict(list)
    edges["a"].append(("b", len(xs)))
    edges["a"].append(("c", 1.5))
    extended: list[float] = [1.5]
    extended.extend(numbers(n))
    extended.extend(x / 2 for x in xs)
    extended += numbers(2)
    best: tuple[float, str] | None = None
    for x in (n, 1.5):
        if best is None or x > best[0]:
            best = (x, "best")
    made = with_names(xs), in_order(xs), pairs_inside(xs)
    return f"{made} {sorted(unique)} {line} {first} {edges} {extended} {best}"


CASES: list[Case] = [
    (f, [(0,), (3,)])
    for f in (
        points,
        vectors,
        items,
        accounts,
        shapes,
        calls,
        pairs,
        containers,
        collections_of_floats,
    )
]
