"""Classes with bases: fields and methods of bases, `super()`, constants and properties."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from abc import ABC
from typing import ClassVar

import numpy as np

from scriptc.types import N, f64
from tests.programs import Case


class Shape:
    """The constants of a class are read from it, from objects, and through subclasses."""

    SIDES = 0
    scale: float = 2.0
    KINDS: ClassVar[int] = 7

    def __init__(self, name: str):
        self.name = name
        self.count = 0

    def describe(self):
        self.count += 1
        return f"{self.name} {self.area():.2f} {self.SIDES}"

    def area(self) -> float:
        return 0.0

    @property
    def twice(self):
        return 2 * self.area()

    @classmethod
    def make(cls, n):
        return cls(str(n * cls.KINDS))

    @staticmethod
    def helper(x):
        return x + 1


class Square(Shape):
    SIDES = 4

    def __init__(self, width: float):
        super().__init__("square")
        self.width = width
        self.first = self.helper(3) + self.SIDES

    def area(self) -> float:
        return self.width * self.width * self.scale

    def describe(self):
        return "<" + super().describe() + ">"

    @property
    def twice(self):
        return super().twice + 0.5


class Tagged(Square):
    """The base's `__init__` by its name."""

    def __init__(self, width, tag, *, more: int = 1):
        Square.__init__(self, width)
        self.tag = tag
        self.name = self.name + "!" * more


class Plain(Square):
    """All from its base, the `__init__` too."""

    def extra(self):
        return self.area() + Plain.SIDES + self.KINDS


class Empty:
    def three(self):
        return 3


class Nothing(ABC, Empty):
    pass


def shapes(width):
    square, tagged, plain = Square(width), Tagged(width + 1, 5), Plain(width)
    shape = Shape.make(4)
    return (
        (square.describe(), square.count, square.first, square.twice, Square.SIDES),
        (tagged.describe(), tagged.tag, Tagged(1.0, 6, more=2).name if width > 9 else "none"),
        (plain.describe(), plain.extra(), plain.twice, plain.SIDES, Plain.helper(1)),
        (shape.describe(), shape.twice, Empty().three(), Nothing().three()),
    )


class Width:
    def __init__(self, width: float):
        self._width = width
        self.sets = 0

    @property
    def width(self):
        return self._width

    @width.setter
    def width(self, value: float):
        if value < 0:
            raise ValueError(f"width {value}")
        self._width = value
        self.sets += 1


class Tenth(Width):
    @property
    def width(self):
        return 10 * self._width

    @width.setter
    def width(self, value: float):
        self._width = value / 10


class Counted(Width):
    __slots__ = ()

    def __init__(self, width: float):
        super().__init__(width)
        self.tag: int = 1

    def total(self):
        return super().width + self.tag


def widths(width):
    plain, tenth, counted = Width(width), Tenth(1.0), Counted(2.0)
    plain.width = 3.0
    plain.width += 1
    plain.width *= 2.5
    tenth.width = 5.0
    tenth.width += 1.0
    counted.width = width
    return plain.width, plain.sets, tenth.width, tenth._width, counted.total(), counted.sets


class Layer:
    weight: f64[N]

    def __init__(self, weight):
        self.weight = weight
        self.seen = [0.5]
        self.last = None

    def __len__(self):
        return len(self.seen)

    def __eq__(self, other):
        return self.weight.sum() == other.weight.sum()

    def forward(self, x):
        self.seen.append(x)
        return self.weight * x


class Shifted(Layer):
    last: float | None

    def __init__(self, weight, shift):
        self.shift = shift
        super().__init__(weight + shift)
        self.seen.append(shift)

    def forward(self, x):
        self.last = x
        return super().forward(x) + self.shift

    def __str__(self):
        return f"{self.shift} {len(self)}"


def layers(weight, shift):
    layer = Shifted(weight, shift)
    result = layer.forward(2.0) if layer.last is None else weight
    return result, layer.seen, str(layer), layer == Shifted(weight, shift), layer.last


class Point:
    LIMIT = 9

    def __init__(self, x: int, y: int):
        self.x, self.y = x, y

    def plus(self, more):
        return self.x + more

    @property
    def twice(self):
        return 2 * self.x


def attributes_by_name(x):
    point, total = Point(x, 2), 0
    setattr(point, "x", x + 1)  # noqa: B010 -- this is what it is about
    if hasattr(point, "x"):
        total += point.x
    if hasattr(point, "z"):
        total += point.z  # pyright: ignore[reportAttributeAccessIssue]
    values = getattr(point, "y"), getattr(point, "z", 7), getattr(point, "x", 3)  # noqa: B009
    more = getattr(point, "plus")(4), getattr(point, "twice"), getattr(point, "LIMIT")  # noqa: B009
    return total, values, more, hasattr(point, "z"), hasattr(point, "plus")


CASES: list[Case] = [
    (attributes_by_name, [(2,)]),
    (shapes, [(2.0,), (0.5,)]),
    (widths, [(2.0,), (-1.0,)]),
    (layers, [(np.arange(3.0), 0.5)]),
]
