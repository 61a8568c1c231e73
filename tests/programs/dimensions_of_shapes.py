"""A base whose `__init__` takes any number of arguments, and heirs that give it more or fewer."""

# Types come from the calls.
# pyright: basic

from tests.programs import Case


class Shape:
    def __init__(self, *dims, name="shape"):
        self.dims = dims
        self.name = name

    def area(self):
        return 0

    def text(self):
        return f"{self.name} of {len(self.dims)}: {self.area()}"


class Square(Shape):
    def __init__(self, width):
        super().__init__(width, name="square")

    def area(self):
        return self.dims[0] ** 2


class Rectangle(Shape):
    def __init__(self, width, height, **options):
        super().__init__(width, height, **options)

    def area(self):
        return self.dims[0] * self.dims[1]


class Box(Rectangle):
    def __init__(self, *dims):
        super().__init__(*dims[:2], name="box")
        self.depth = dims[-1]

    def area(self):
        return 2 * (super().area() + self.depth * (self.dims[0] + self.dims[-1]))


def shapes(n):
    found = [Square(n), Rectangle(n, 3), Rectangle(1, n, name="strip"), Box(n, 2, 1)]
    return [s.text() for s in found], sum(s.area() for s in found)


def last_of(count):
    found = []
    for shape in [Square(2), Rectangle(2, 3)][:count]:
        try:
            found.append(shape.dims[1])
        except IndexError as e:
            found.append(str(e))
    return found


CASES: list[Case] = [
    (shapes, [(4,), (0,)]),
    (last_of, [(2,), (1,)]),
]
