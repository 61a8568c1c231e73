"""Methods that give values of other types in other classes."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import math

from tests.programs import Case


class Shape:
    def area(self):
        raise NotImplementedError

    def name(self):
        return None

    def describe(self):
        return f"{type(self).__name__} with area {self.area():.2f}"


class Circle(Shape):
    def __init__(self, r):
        self.r = r

    def area(self):
        return math.pi * self.r**2

    def name(self):
        return "circle"


class Rect(Shape):
    def __init__(self, w, h):
        self.w = w
        self.h = h

    def area(self):
        return self.w * self.h


def summed(n):
    shapes = [Circle(n), Rect(3, 4), Circle(1.5)]
    areas = [shape.area() for shape in shapes]
    largest = max(shapes, key=lambda shape: shape.area())
    texts = [shape.describe() for shape in shapes]
    return sum(shape.area() for shape in shapes), areas, largest.describe(), texts


def named(n):
    shapes = [Rect(n, n), Circle(n)]
    return [shape.name() for shape in shapes], [isinstance(s.area(), int) for s in shapes]


def without(n):
    shapes = [Circle(n), Shape()]
    return [shape.area() for shape in shapes]


CASES: list[Case] = [
    (summed, [(2,), (0.5,)]),
    (named, [(2,)]),
    (without, [(2,)]),
]
