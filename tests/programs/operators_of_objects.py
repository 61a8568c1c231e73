"""Operators on objects: the methods that Python's syntax calls, reflected ones and defaults."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from dataclasses import dataclass, field

import numpy as np

from scriptc.types import N, f64
from tests.programs import Case


class Vector:
    """Arithmetic, with the number on either side."""

    def __init__(self, x: float, y: float):
        self.x = x
        self.y = y

    def __add__(self, other):
        if not isinstance(other, Vector):
            return NotImplemented
        return Vector(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return Vector(self.x - other.x, self.y - other.y)

    def __mul__(self, other):
        if isinstance(other, Vector):
            return self.x * other.x + self.y * other.y
        return Vector(self.x * other, self.y * other)

    def __rmul__(self, other):
        return Vector(other * self.x, other * self.y)

    def __truediv__(self, other: float):
        return Vector(self.x / other, self.y / other)

    def __pow__(self, power: int, modulus: int | None = None):
        return Vector(self.x**power, self.y**power)

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def __pos__(self):
        return self

    def __invert__(self):
        return Vector(self.y, self.x)

    def __eq__(self, other):
        if not isinstance(other, Vector):
            return NotImplemented
        return self.x == other.x and self.y == other.y

    def __lt__(self, other):
        return self.x < other.x

    def __bool__(self):
        return self.x != 0.0 or self.y != 0.0

    def __repr__(self):
        return f"Vector({self.x}, {self.y!r})"

    def __format__(self, spec):
        return f"<{self.x:.2f}|{spec}>"


def arithmetic(x: float, k: int):
    v = Vector(x, 2.0)
    w = 2.0 * v + -v * 3 - +v / 2.0
    u = k * ~(w**2)
    u += v
    return w.x, w.y, u.x, u.y, v * w, bool(v), not Vector(0.0, 0.0)


def numpy_numbers_beside(x: f64[N]):
    v = x[0] * Vector(1.0, float(x[1]))
    return v.x, v.y, v.x * np.float32(2)


def compared(x: float):
    v, w = Vector(x, 1.0), Vector(1.0, 1.0)
    same = v == w, v != w, v == 3, v != "a", 3 == v  # noqa: SIM300
    return *same, v < w, v > w, v in [w], [v, w] == [w, v], (1, v) == (1, w)


def shown(x: float):
    v = Vector(x, 2.5)
    return f"{v!r} {v:>3} {v}", str(v), repr(v), f"{[v]} {(v, 1)}"


class Polynomial:
    """A container: length, items, search, call, in place."""

    def __init__(self, coefficients: list[float]):
        self.coefficients = coefficients.copy()

    def __len__(self):
        return len(self.coefficients)

    def __getitem__(self, power: int) -> float:
        return self.coefficients[power]

    def __setitem__(self, power: int, value: float):
        self.coefficients[power] = value

    def __delitem__(self, power: int):
        del self.coefficients[power]

    def __contains__(self, value: float):
        return value in self.coefficients

    def __call__(self, x: float, scale: float = 1.0) -> float:
        total = 0.0
        for c in reversed(self.coefficients):
            total = total * x + c
        return total * scale

    def __iadd__(self, other):
        for i in range(len(other)):
            self[i] += other[i]
        return self


class Empty:
    def __len__(self):
        return self.size

    def __init__(self, size: int):
        self.size = size


def container(x: float, n: int):
    p = Polynomial([1.0, x, 0.5])
    before = p[-1], len(p), x in p, 7.0 in p, 7.0 not in p
    p[0] = x
    p[1] += 2.0
    q = p
    q += Polynomial([1.0, 1.0])
    value = p(2.0), p(x, scale=0.5), p(1.0, 3.0)
    del p[n]
    return before, value, p is q, len(p), p[0] if p else 0.0


def length_of(n: int):
    e = Empty(n)
    return len(e), "some" if e else "none"


class Grid:
    def __init__(self, rows: int, columns: int):
        self.columns = columns
        self.cells = np.zeros(rows * columns)

    def __getitem__(self, place: tuple[int, int]) -> f64:
        return self.cells[place[0] * self.columns + place[1]]

    def __setitem__(self, place: tuple[int, int], value: float):
        self.cells[place[0] * self.columns + place[1]] = value


def by_pairs(n: int):
    g = Grid(3, 4)
    for i in range(3):
        g[i, n] = i + 0.5
    g[2, 0] -= 1.0  # pyright: ignore[reportArgumentType]
    return g[1, n], g[2, 0], np.sum(g.cells)


class Plain:
    def __init__(self, n: int):
        self.n = n


def identities(n: int):
    a, b = Plain(n), Plain(n)
    c = a
    same = a is c, a is b, a is not b, a == c, a == b, a != b, a == n
    return *same, a in [b, c], bool(a), Plain(n) == Vector(1.0, 2.0)


def given_twice(a, b):
    return a is b, a == b, a.n + b.n


@dataclass(order=True)
class Card:
    rank: int
    suit: str
    note: float = field(default=0.5, compare=False, repr=False)


def cards(n: int):
    a, b = Card(n, "s"), Card(3, "h", 2.0)
    order = a < b, a <= b, a > b, a >= b
    return a == b, a != b, *order, a == Card(n, "s", 9.0), f"{a} {b!r}"


class Price:
    """What float(), int(), abs() and round() ask for a number."""

    def __init__(self, cents: int):
        self.cents = cents

    def __float__(self) -> float:
        return self.cents / 100

    def __int__(self) -> int:
        return self.cents // 100

    def __abs__(self):
        return Price(abs(self.cents))

    def __round__(self, digits: int = 0):
        return round(self.cents / 100, digits)


class Place:
    """An index, which float() and int() take for want of another."""

    def __init__(self, at: int):
        self.at = at

    def __index__(self) -> int:
        return self.at


def asked_for_numbers(cents: int):
    price, place = Price(cents), Place(cents)
    numbers = float(price), int(price), abs(price).cents, round(price), round(price, 1)
    return numbers, int(place), float(place)


def least_of_all(n: int):
    prices = {i: Price((i * 7) % n) for i in range(1, n)}
    dearest = max(prices, key=lambda i: (prices[i].cents, -i))
    return dearest, min({3, n, 5}, key=lambda k: -k), max("abc", key=lambda c: c != "b")


class Counted:
    """Counts how often it is compared."""

    def __init__(self, size: int, log: list[int]):
        self.size = size
        self.log = log

    def __lt__(self, other):
        self.log.append(self.size)
        return self.size < other.size

    def __gt__(self, other):
        self.log.append(-self.size)
        return self.size > other.size


def comparisons(sizes: list[int]):
    log: list[int] = []
    found = [Counted(size, log) for size in sizes]
    return min(found).size, max(found).size, log


class Declining:
    """A `__ne__` that says less than `__eq__`."""

    def __init__(self, x):
        self.x = x

    def __ne__(self, other):
        if isinstance(other, Declining):
            return self.x != other.x
        return NotImplemented

    def __eq__(self, other):
        if isinstance(other, Declining):
            return self.x == other.x
        return self.x == other


class DecliningAll:
    def __init__(self, x):
        self.x = x

    def __ne__(self, other):
        return NotImplemented

    def __eq__(self, other):
        return self.x == other.x


class OfDecliningAll(DecliningAll):
    pass


def unequal(n):
    a, b = Declining(1), Declining(2)
    one, two, other = DecliningAll(1), DecliningAll(1), OfDecliningAll(1)
    optional = Declining(1) if n > 1 else None
    return (
        (a != b, a != 1, a != 2, n != a, a == 1, optional != a),
        (one != two, one != one, one == two, other != one, one != other, a != one),
    )


class Chosen:
    """Methods that decline in an expression, or by another method."""

    def __init__(self, x):
        self.x = x

    def __eq__(self, other):
        return self.x == other.x if isinstance(other, Chosen) else NotImplemented

    def __lt__(self, other):
        return NotImplemented if not isinstance(other, Chosen) else self.x < other.x

    def __add__(self, other):
        if isinstance(other, Chosen):
            return Chosen(self.x + other.x)
        return NotImplemented

    def __radd__(self, other):
        if other == 0:
            return self
        return self.__add__(other)


def chosen(xs):
    found = [Chosen(x) for x in xs]
    a, b = found[0], found[-1]
    return sum(found).x, a == b, a == xs[0], a != xs[0], a != Chosen(xs[0]), a < b  # pyright: ignore[reportAttributeAccessIssue]


CASES: list[Case] = [
    (chosen, [([1, 2],), ([3],)]),
    (unequal, [(1,), (2,)]),
    (comparisons, [([2, 1, 3],), ([4],), ([],)]),
    (arithmetic, [(1.5, 2), (0.0, 0), (-2.0, 1)]),
    (numpy_numbers_beside, [(np.array([2.0, -0.5]),)]),
    (compared, [(1.0,), (0.5,), (float("nan"),)]),
    (shown, [(1.0,), (1e22,)]),
    (container, [(2.0, 0), (-1.0, -1), (0.5, 5)]),
    (length_of, [(0,), (3,), (-1,)]),
    (by_pairs, [(1,), (0,)]),
    (identities, [(1,)]),
    (cards, [(2,), (3,), (4,)]),
    (asked_for_numbers, [(-1250,), (99,)]),
    (least_of_all, [(5,), (2,), (1,)]),
]
