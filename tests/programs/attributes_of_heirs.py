"""Attributes and methods that only some of the classes have that an object may be of."""

# pyright: basic, reportAttributeAccessIssue=false

from tests.programs import Case


class Shape:
    def __init__(self, kind):
        self.kind = kind


class Circle(Shape):
    def __init__(self, radius):
        super().__init__("circle")
        self.radius = radius

    def scaled(self, factor, shift=0.0):
        return self.radius * factor + shift


class Box(Shape):
    edges = 4

    def __init__(self, width, name="box"):
        super().__init__("box")
        self.width = width
        self.name = name

    @property
    def area(self):
        return self.width**2

    def scaled(self, factor, shift=0.0):
        return f"{self.width * factor + shift}"


class Point(Shape):
    def __init__(self):
        super().__init__("point")


def some_shapes(count: int):
    return [Circle(1.5), Box(2), Point(), Circle(0.5)][:count]


def by_kind(count: int):
    found = []
    for shape in some_shapes(count):
        if shape.kind == "circle":
            found.append(shape.radius)
        elif shape.kind == "box":
            found.append(shape.area + shape.edges + len(shape.name))
        else:
            found.append(-1)
    return found


def read(place: int):
    return some_shapes(4)[place].radius


def called(place: int):
    shape = some_shapes(4)[place]
    try:
        return shape.scaled(2, shift=1)
    except AttributeError as error:
        return str(error)


def of_property(place: int):
    return some_shapes(4)[place].area


class Step:
    def fit(self, x):
        return self


class Scale(Step):
    def __init__(self):
        self.factor = None

    def fit(self, x):
        self.factor = max(x)
        return self

    def changed(self, x):
        return [v / self.factor for v in x]


class Mean(Step):
    def __init__(self):
        self.mean = 0.0

    def fit(self, x):
        self.mean = sum(x) / len(x)
        return self


class Pipeline:
    def __init__(self, *steps):
        self.steps = steps

    def fit(self, x):
        *firsts, last = self.steps
        for _, step in firsts:
            x = step.fit(x).changed(x)
        last[1].fit(x)
        return self

    def __getitem__(self, name):
        for key, step in self.steps:
            if key == name:
                return step
        raise KeyError(name)


def pipelines(x: list[float]):
    pipe = Pipeline(("scale", Scale()), ("again", Scale()), ("mean", Mean())).fit(x)
    return pipe["mean"].mean, pipe["scale"].factor, pipe["again"].factor


def starred_targets():
    first, *rest, last = (1, 2.5, "a", None, 7)
    *shapes, count = (Circle(1.5), Box(2), 2)
    return first, rest, last, [shape.kind for shape in shapes], count


class Named(Shape):
    def __init__(self):
        super().__init__("named")

    @classmethod
    def label(cls, n):
        return cls.__name__ * n


class Renamed(Named):
    pass


def class_methods(n: int):
    labels = []
    for shape in (Named(), Renamed(), Named()):
        labels.append(shape.label(n))
    return labels, [shape.label(n) for shape in (Renamed(), Named())]


CASES: list[Case] = [
    (class_methods, [(1,), (2,)]),
    (by_kind, [(4,), (2,), (0,)]),
    (read, [(0,), (1,), (2,)]),
    (called, [(0,), (1,), (2,)]),
    (of_property, [(1,), (0,)]),
    (pipelines, [([1.0, 2.0, 4.0],)]),
    (starred_targets, [()]),
]
