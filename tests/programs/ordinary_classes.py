"""Classes as people write them: stars in `super().__init__`, kept properties, NotImplemented."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic, reportAttributeAccessIssue=false

from collections import Counter, defaultdict, deque
from functools import cached_property
from typing import Generic, TypeVar

from tests.programs import Case

T = TypeVar("T")


class Base:
    def __init__(self, a, b=2):
        self.a, self.b = a, b


class ByName(Base):
    def __init__(self, c, **kwargs):
        super().__init__(**kwargs)
        self.c = c


class ByPlace(Base):
    def __init__(self, *args, c=5):
        self.c = c
        super().__init__(*args)


class Circle:
    def __init__(self, r):
        self.r = r
        self.calls = 0

    @cached_property
    def area(self):
        self.calls += 1
        for k in range(3):
            if k == 2:
                return self.r * k
        return 0

    @cached_property
    def nothing(self):
        self.calls += 1

    @cached_property
    def parts(self):
        return [self.area, self.r]


class Disc(Circle):
    @cached_property
    def area(self):
        return 7


class Tree:
    """A class with the class of its nodes inside."""

    class Node:
        def __init__(self, v):
            self.v = v
            self.left = self.right = None

    LIMIT = 5

    def __init__(self):
        self.root = None
        self.spare = self.Node(0)

    def add(self, v):
        node = self.Node(v)
        if self.root is None:
            self.root = Tree.Node(v)
            return
        at = self.root
        while True:
            if v < at.v:
                if at.left is None:
                    at.left = node
                    return
                at = at.left
            else:
                if at.right is None:
                    at.right = node
                    return
                at = at.right

    def walk(self):
        found = []

        def go(node):
            if node is not None:
                go(node.left)
                found.append(node.v)
                go(node.right)

        go(self.root)
        return found


class Money:
    """Amounts that are added to 0, and compared if they are not negative."""

    def __init__(self, cents):
        self.cents = cents

    def __add__(self, other):
        if isinstance(other, Money):
            return Money(self.cents + other.cents)
        return NotImplemented

    def __radd__(self, other):
        if other == 0:
            return self
        return NotImplemented

    def __lt__(self, other):
        if self.cents < 0:
            return NotImplemented
        return self.cents < other.cents


class Coins(Money):
    pass


class Vector:
    def __init__(self, *items):
        self.items = list(items)

    def __add__(self, other):
        return type(self)(*[a + b for a, b in zip(self.items, other.items, strict=True)])

    def __mul__(self, factor):
        return self.__class__(*(a * factor for a in self.items))

    def first(self, n):
        return type(self)(self.items[0], n)

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(map(str, self.items))})"


class Row(Vector):
    pass


class Warmth:
    """Properties that the constructor sets and reads."""

    def __init__(self, celsius):
        self.celsius = celsius
        self.is_warm = self.fahrenheit > 80

    @property
    def celsius(self):
        return self._celsius

    @celsius.setter
    def celsius(self, value):
        if value < -273:
            raise ValueError("too cold")
        self._celsius = value

    @property
    def fahrenheit(self):
        return self._celsius * 9 / 5 + 32


class Climate(Warmth):
    def __init__(self, celsius, rain):
        super().__init__(celsius)
        self.rain = rain

    @property
    def rain(self):
        return self._rain

    @rain.setter
    def rain(self, value):
        self._rain = value * 2


class Node(Generic[T]):
    def __init__(self, value: T, rest: "Node[T] | None" = None):
        self.value = value
        self.rest = rest


class Linked(Generic[T]):
    def __init__(self) -> None:
        self.head: Node[T] | None = None

    def push(self, value: T) -> None:
        self.head = Node(value, self.head)

    def __iter__(self):
        node = self.head
        while node is not None:
            yield node.value
            node = node.rest


def stars(n):
    d, e, f = ByName(n, a=4, b=7), ByPlace(n, 9), ByPlace(n, c=1)
    return d.a, d.b, d.c, e.a, e.b, e.c, f.a, f.b, f.c


def kept(n):
    circle, shapes = Circle(n), [Circle(n), Disc(n)]
    first = circle.area
    circle.r = 10
    circle.parts.append(99)
    read = first, circle.area, circle.parts, circle.nothing, circle.nothing, circle.calls
    return read, [s.area for s in shapes], [s.parts for s in shapes]


def nested(n):
    tree = Tree()
    for v in (5, n, 8, 1):
        tree.add(v)
    return tree.walk(), tree.spare.v


def added_up(n, start):
    return sum([Money(1), Money(n)]).cents, (0 + Money(n)).cents, (start + Money(n)).cents


def compared(n):
    return Money(1) < Coins(n), Coins(n) < Money(1), Money(-n) < Coins(1)


def of_its_class(n):
    v, r = Vector(1, 2) + Vector(n, 4), Row(1, 2) * n
    return repr(v), repr(r), repr(r + r), [repr(x.first(n)) for x in (v, r)]


def without_brackets(n):
    linked = Linked()
    for i in range(n):
        linked.push(i)
    return list(linked), sum(linked)


def set_by_init(n):
    try:
        w, c = Warmth(n), Climate(n + 1, 7)
    except ValueError as error:
        return str(error), 0, False, 0, 0
    c.celsius += 30
    return str(w.celsius), w.fahrenheit, w.is_warm, c.rain, c.celsius


def said_by_calls(n):
    return counted({"a": n}, {1}, deque([n]), Counter("aab"), defaultdict(int), b"xy")


def counted(d: dict, s: set, q: deque, c: Counter, e: defaultdict, b: bytes):
    return len(d) + len(s), sum(d.values()), q[0], c["a"], e["z"], len(b)


CASES: list[Case] = [
    (stars, [(3,)]),
    (kept, [(3,)]),
    (nested, [(3,), (6,)]),
    (added_up, [(3, 0), (3, 5)]),
    (compared, [(3,), (-3,)]),
    (of_its_class, [(3,)]),
    (without_brackets, [(3,), (0,)]),
    (set_by_init, [(3,), (40,), (-300,)]),
    (said_by_calls, [(3,)]),
]
