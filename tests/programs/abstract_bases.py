"""Bases that use fields, constants and methods of the classes that inherit from them."""

# Bases that type checkers find incomplete are what these programs are about.
# pyright: basic, reportAttributeAccessIssue=false

from abc import ABC, abstractmethod

from tests.programs import Case


class Shape:
    def text(self):
        return f"{self.name} of area {self.area():.2f}"

    def is_larger(self, other):
        return self.area() > other.area()


class Square(Shape):
    def __init__(self, side):
        self.name = "square"
        self.side = side

    def area(self):
        return self.side**2


class Circle(Shape):
    def __init__(self, radius):
        self.name = "circle"
        self.radius = radius

    def area(self):
        return 3.0 * self.radius**2


def shapes(x):
    found = [Square(x), Circle(1.0), Square(0.5)]
    largest = found[0]
    for shape in found:
        if shape.is_larger(largest):
            largest = shape
    return [shape.text() for shape in found], largest.name, [shape.area() for shape in found]


class Learner:
    def update(self, arm, reward):
        self.counts[arm] += 1
        self.values[arm] += (reward - self.values[arm]) / self.counts[arm]
        self.updates += 1

    def best(self):
        return max(range(len(self.values)), key=lambda i: self.values[i])


class Greedy(Learner):
    def __init__(self, arms):
        self.counts = [0] * arms
        self.values = [0.0] * arms
        self.updates = 0

    def pick(self, step):
        return self.best()


class Turns(Learner):
    def __init__(self, arms):
        self.updates = 0
        self.counts = [1] * arms
        self.values = [1.0] * arms
        self.first = 1

    def pick(self, step):
        return (step + self.first) % len(self.values)


def learners(steps):
    found = []
    for learner in [Greedy(3), Turns(2)]:
        for step in range(steps):
            arm = learner.pick(step)
            learner.update(arm, float(arm))
        found.append((learner.best(), list(learner.counts), learner.updates))
    return found


class Node:
    pass


class Leaf(Node):
    def __init__(self, value):
        self.value = value

    def result(self):
        return self.value


class Operation(Node):
    def __init__(self, left, right):
        self.left = left
        self.right = right

    def result(self):
        return self.apply(self.left.result(), self.right.result())

    def text(self):
        return self.symbol * 2


class Sum(Operation):
    symbol = "+"

    def apply(self, one, two):
        return one + two


class Product(Operation):
    symbol = "*"

    def apply(self, one, two):
        return one * two


def _written(node):
    if isinstance(node, Leaf):
        return str(node.value)
    return f"({_written(node.left)}{node.symbol}{_written(node.right)})"


def operations(n):
    whole = Sum(Leaf(2), Product(Leaf(n), Sum(Leaf(1), Leaf(4))))
    return whole.result(), _written(whole), whole.text()


class Named:
    def label(self) -> str:
        return self.kind() + str(self.number)


class Only(Named):
    def __init__(self, number):
        self.number = number

    def kind(self):
        return "only "


def _used(one: Named):
    return one.label(), one.number, one.kind()


def single(n):
    return _used(Only(n))


class Sized:
    def show(self):
        return f"{self.size}{self.unit}"


class Length(Sized):
    unit = "m"

    def __init__(self):
        self.size = 3


class Weight(Sized):
    unit = "kg"

    def __init__(self):
        self.size = 2.5


def of_several_types():
    found = [Length(), Weight()]
    return [one.show() for one in found], [one.size for one in found], [one.unit for one in found]


class Pair:
    def __init__(self, *shapes):
        self.shapes = shapes

    def total(self, weights):
        return sum(
            weight * shape.area() for shape, weight in zip(self.shapes, weights, strict=True)
        )


def zipped(x):
    return Pair(Square(x), Square(2.0)).total([3, 0.5])


class Abstract(ABC):
    def __init__(self, name):
        self.name = name

    @abstractmethod
    def area(self): ...

    @abstractmethod
    def label(self): ...


class HalfDone(Abstract):
    def area(self):
        return 1


class Whole(HalfDone):
    def label(self):
        return f"whole {self.name}"


def called_in_try(n):
    found = []
    try:
        Abstract("x")  # pyright: ignore[reportAbstractUsage]
    except TypeError as e:
        found.append(str(e))
    try:
        n += 1
        half = HalfDone("y")  # pyright: ignore[reportAbstractUsage]
        n += 10
        found.append(half.name)
    except TypeError as e:
        found.append(str(e))
    else:
        found.append("none")
    finally:
        found.append("done")
    try:
        if n > 3:
            raise ValueError("v")
        Abstract("q")  # pyright: ignore[reportAbstractUsage]
    except (ValueError, TypeError) as e:
        found.append(type(e).__name__)
    return found, n, Whole("z").label()


class Item:
    def __init__(self, v: int):
        self.v = v


class Box(Item):
    def __init__(self, v: int, item: Item):
        super().__init__(v)
        self.item = item


def boxed(n: int):
    """An item holds nothing, but what inherits from it may be in a ring."""
    total = 0
    for i in range(n):
        outer = Box(i, Box(2, Item(i)))
        if i % 3 == 0:
            outer.item = outer
        total += outer.item.v + Item(5).v
    return total


CASES: list[Case] = [
    (boxed, [(4,), (30000,)]),
    (called_in_try, [(1,), (5,)]),
    (shapes, [(2.0,), (0.25,)]),
    (learners, [(0,), (4,)]),
    (operations, [(3,)]),
    (single, [(4,)]),
    (of_several_types, [()]),
    (zipped, [(1.5,)]),
]
