"""Objects outside: constants of a module, in lists, dicts and fields of others, and of classes."""

# Types come from the calls, and classes hold objects.
# pyright: basic, reportAttributeAccessIssue=false

import math
from dataclasses import dataclass, field

import numpy as np

from tests.programs import Case


@dataclass(frozen=True)
class Unit:
    """A frozen dataclass of which the module has objects."""

    dims: tuple[int, int, int]
    scale: float = 1.0
    name: str = ""

    def __mul__(self, other: "Unit") -> "Unit":
        (a, b, c), (x, y, z) = self.dims, other.dims
        return Unit((a + x, b + y, c + z), self.scale * other.scale)

    def __truediv__(self, other: "Unit") -> "Unit":
        (a, b, c), (x, y, z) = self.dims, other.dims
        return Unit((a - x, b - y, c - z), self.scale / other.scale)


class Quantity:
    def __init__(self, value, unit):
        self.value = value
        self.unit = unit

    def to(self, unit):
        if unit.dims != self.unit.dims:
            raise ValueError(f"{self.unit.dims} and {unit.dims}")
        return Quantity(self.value * self.unit.scale / unit.scale, unit)

    def __repr__(self):
        return f"{self.value:g} {self.unit.name or '?'}"


KG = Unit((1, 0, 0), name="kg")
M = Unit((0, 1, 0), name="m")
S = Unit((0, 0, 1), name="s")
KM = Unit((0, 1, 0), 1000.0, "km")
HOUR = Unit((0, 0, 1), 3600.0, "h")
UNITS = {"kg": KG, "m": M, "s": S, "km": KM}
LENGTHS = [M, KM]
PAIR = (KM, "far")


def speeds(value):
    v = Quantity(value, KM / HOUR).to(M / S)
    try:
        Quantity(1.0, KG).to(S)
    except ValueError as error:
        return v.value, str(error), v.unit.scale
    return v.value, "", 0.0


def looked_up(names):
    found = [UNITS[name] for name in names if name in UNITS]
    same = [UNITS[u.name] is u for u in found], KM is UNITS["km"], LENGTHS[1] is KM
    total = sum(u.scale for u in LENGTHS)
    return (
        [u.name for u in found],
        same,
        total,
        PAIR[0] is KM,
        PAIR[1],
        Unit((0, 1, 0), 1e3, "km") == KM,
    )


def sorted_units(count):
    by_scale = sorted(UNITS.values(), key=lambda u: (-u.scale, u.name))
    return (
        [u.name for u in by_scale][:count],
        max(LENGTHS, key=lambda u: u.scale).name,
        len(UNITS),
        KG in LENGTHS,
    )


class Shape:
    def __init__(self, name):
        self.name = name

    def area(self) -> float:
        return 0.0

    def text(self):
        return f"{self.name} {self.area():.1f}"


class Square(Shape):
    def __init__(self, width):
        super().__init__("square")
        self.width = width

    def area(self) -> float:
        return self.width**2


class Circle(Shape):
    UNIT = Unit((0, 2, 0), 1.0, "m2")

    def __init__(self, radius):
        super().__init__("circle")
        self.radius = radius

    def area(self) -> float:
        return math.pi * self.radius**2


SHAPES = [Square(2.0), Circle(1.0), Shape("none")]
FIRST = SHAPES[0]


def shapes(count):
    texts = [shape.text() for shape in SHAPES for _ in range(count)]
    own = [Square(float(k)) for k in range(count)]
    kinds = [isinstance(shape, Circle) for shape in SHAPES]
    return (
        texts,
        kinds,
        FIRST is SHAPES[0],
        sum(s.area() for s in own),
        Circle.UNIT.name,
        type(FIRST).__name__,
    )


class Registry:
    """What it holds in lists and dicts Python sees when the call ends."""

    def __init__(self, name):
        self.name = name
        self.log: list[str] = []
        self.counts: dict[str, int] = {}
        self.weights = np.array([1.0, 2.0])
        self.first = None

    def add(self, word):
        self.log.append(word)
        self.counts[word] = self.counts.get(word, 0) + 1
        self.weights[0] += len(word)
        return len(self.log)

    def __len__(self):
        return len(self.counts)

    def __contains__(self, word):
        return word in self.counts

    @property
    def longest(self):
        return max(self.log, key=len) if self.log else ""


REGISTRY = Registry("all")


def registered(words: list[str]):
    before, weight = len(REGISTRY.log), float(REGISTRY.weights[0])
    for word in words:
        REGISTRY.add(word)
    grown = len(REGISTRY.log) - before
    found = [word in REGISTRY for word in words]
    del REGISTRY.log[before:]
    for word in words:
        REGISTRY.counts.pop(word, 0)
    REGISTRY.weights[0] = weight
    return grown, found, len(REGISTRY), REGISTRY.longest, REGISTRY.name, REGISTRY.first is None


@dataclass
class Node:
    value: int
    left: "Node | None" = None
    right: "Node | None" = None

    def total(self) -> int:
        found = self.value
        if self.left is not None:
            found += self.left.total()
        if self.right is not None:
            found += self.right.total()
        return found


TREE = Node(1, Node(2, Node(3)), Node(4))


def trees(value):
    first = TREE.left.left.value if TREE.left and TREE.left.left else 0
    return (
        TREE.total(),
        Node(value, TREE).total(),
        first,
        TREE == TREE,
        TREE.right == Node(4),
    )


class Scaled:
    """An object that is called."""

    def __init__(self, factor):
        self.factor = factor

    def __call__(self, x):
        return self.factor * x

    def __getitem__(self, k):
        return self.factor + k


TWICE, HALF = Scaled(2.0), Scaled(0.5)


def apply(f, x):
    return f(x)


def called(x):
    f = TWICE if x > 1.0 else HALF
    return f(x), TWICE(x), apply(HALF, x), TWICE[3], [g(x) for g in (TWICE, HALF)]


def recursive(count):
    """A root that calls itself uses the objects of the first call."""
    if count == 0:
        return KM is UNITS["km"]
    return recursive(count - 1) and UNITS["km"] is KM


@dataclass
class Settings:
    rate: float = 0.1
    steps: int = 3
    tags: list[str] = field(default_factory=list)


SETTINGS = Settings(rate=0.5, tags=["a"])


def run(x, settings):
    for _ in range(settings.steps):
        x -= settings.rate * x
    return x, len(settings.tags)


def configured_text(x):
    return run(x, SETTINGS), str(SETTINGS), Settings(0.5, 3, ["a"]) == SETTINGS


class App:
    """Functions are registered before the call."""

    def __init__(self):
        self.handlers = {}
        self.hooks = []

    def on(self, name):
        def decorate(function):
            self.handlers[name] = function
            return function

        return decorate

    def run(self, name, x):
        for hook in self.hooks:
            x = hook(x)
        return self.handlers[name](x)


APP = App()
APP.hooks.append(abs)


@APP.on("twice")
def twice(x):
    return 2.0 * x


@APP.on("half")
def half(x):
    return x / 2.0


def dispatched(names, x):
    known = [name for name in names if name in APP.handlers]
    return [APP.run(name, x) for name in known], len(APP.handlers)


class Styled:
    def __init__(self, text, unit=KG, units=PAIR):
        self.text = text
        self.unit = unit
        self.far = units[1]


def defaults(text):
    one, two = Styled(text), Styled(text, M)
    return one.unit is KG, two.unit.name, one.far, KM == KG, {KM: 1}[UNITS["km"]]


class Roads:
    def __init__(self, lengths):
        self.lengths = lengths

    def cost(self, town):
        return self.costs[town]


class Journey:
    def __init__(self, roads):
        self.roads = roads

    def least(self, town):
        return self.roads.costs[town]

    def has_costs(self):
        return hasattr(self.roads, "costs")

    def costs_or(self, default):
        return getattr(self.roads, "costs", default)

    def tried(self):
        try:
            return len(self.roads.costs)
        except AttributeError as error:
            return str(error)


WITH_COSTS, WITHOUT = Roads({"a": 1}), Roads({"b": 2})
WITH_COSTS.costs = {"a": 8, "b": 9}
LONG, SHORT = Journey(WITH_COSTS), Journey(WITHOUT)


def beside_the_fields(town):
    return (
        (WITH_COSTS.costs[town], WITH_COSTS.cost(town), LONG.least(town), LONG.roads.lengths),
        [journey.has_costs() for journey in (LONG, SHORT)],
        [journey.tried() for journey in (LONG, SHORT)],
        [journey.costs_or({}) for journey in (LONG, SHORT)],
    )


CASES: list[Case] = [
    (speeds, [(90.0,), (3.6,)]),
    (looked_up, [(["kg", "km", "zz"],), (["m"],)]),
    (sorted_units, [(2,), (0,)]),
    (shapes, [(2,), (1,)]),
    (registered, [(["a", "bb", "a"],), ([],)]),
    (trees, [(5,)]),
    (called, [(3.0,), (0.5,)]),
    (recursive, [(3,), (0,)]),
    (dispatched, [(["twice", "half", "none"], -3.0)]),
    (defaults, [("a",)]),
    (configured_text, [(2.0,)]),
    (beside_the_fields, [("a",), ("b",)]),
]
