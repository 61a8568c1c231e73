"""Methods that an `__init__` calls where a class or its bases define them: the class's own are.

`super().__init__()` becomes a part of the constructor where the base calls what is defined anew.
"""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from tests.programs import Case


class Machine:
    speed = 3

    def __init__(self, name, size=2):
        self.name = name
        self.log = []
        self.setup(size)
        self.parts = [self.part(i) for i in range(size)]
        if size > 2:
            self.large = True
        else:
            self.large = False

    def setup(self, size):
        self.log.append(f"machine {size}")
        self.size = size

    def part(self, i):
        return f"{self.name}{i}"

    def run(self):
        for step in self.steps():
            self.log.append(step)
        return self

    def steps(self):
        yield "start"
        yield "stop"


class Robot(Machine):
    def __init__(self, name, arms):
        self.arms = arms
        super().__init__(name.upper(), size=arms + 1)
        self.log.append("robot")

    def setup(self, size):
        super().setup(size)
        self.log.append(f"arms {self.arms} of {self.size}")

    def steps(self):
        yield "wave"
        yield from super().steps()


class Welder(Robot):
    def __init__(self, name):
        super().__init__(name, 1)
        self.heat = len(self.log)

    def part(self, i):
        if i == 0:
            return "torch"
        return super().part(i)

    def setup(self, size):
        self.log.append("weld")
        super().setup(size + self.speed)


class Plain(Machine):
    pass


class Quiet(Machine):
    def setup(self, size):
        self.size = -size


def made(n: int):
    machines = [Machine("m", n), Plain("p"), Quiet("q"), Robot("r", n), Welder("w")]
    found = []
    for m in machines:
        found.append((m.name, m.size, m.parts, m.large, m.run().log))
    return found, Welder("v").heat


class Shape:
    def __init__(self, scale):
        self.scale = scale
        self.area = self.compute()

    def compute(self):
        raise NotImplementedError("compute")

    def __lt__(self, other):
        return self.area < other.area


class Square(Shape):
    def __init__(self, side, scale=1):
        self.side = side
        super().__init__(scale)

    def compute(self):
        return self.scale * self.side**2


class Circle(Shape):
    def __init__(self, radius):
        self.radius = radius
        super().__init__(2)
        self.area += 0.5

    def compute(self):
        return self.scale * 3.0 * self.radius


def abstract(n: int):
    square, circle = Square(n), Circle(n)
    return square.area, circle.area, square < circle


class Loader:
    def __init__(self, text):
        self.text = text
        try:
            self.value = self.parse(text)
        except ValueError as e:
            self.value = -1
            self.problem = str(e)
        else:
            self.problem = ""

    def parse(self, text):
        return int(text)


class Doubling(Loader):
    def parse(self, text):
        if not text:
            raise ValueError("nothing")
        return 2 * super().parse(text)


class Counting(Doubling):
    count = 0

    def __init__(self, text):
        super().__init__(text)
        self.count += 1


def with_handlers(text):
    found = [Loader(text), Doubling(text), Counting(text)]
    return [(x.value, x.problem) for x in found], found[2].text


class Reader:
    def __init__(self, n):
        self.n = n
        moved = self.moved(n)
        a, b = self.both()
        total = 0
        for x in self.several():
            total += x
        listed = [y for y in self.several() if y > 2]
        if self.moved(1) > 2:
            self.far = True
        else:
            self.far = False
        self.read = moved + a + b + total + len(listed) + self.moved(self.moved(1))

    def moved(self, i):
        if i == 0:
            return self.n
        shifted = self.shift(i)
        return shifted

    def shift(self, i):
        return i + self.n

    def both(self):
        return self.n, 2

    def several(self):
        return [self.n, 2, 3]


class Late(Reader):
    def shift(self, i):
        found = super().shift(i)
        return 10 * found


def in_variables(n: int):
    return [(x.read, x.far) for x in (Reader(n), Late(n))]


class Chain:
    """Its methods return the object, which a constructor drops in lines of their own."""

    def __init__(self, items=()):
        self.items = []
        self.reset()
        for item in items:
            self.add(item)
        self.done = True

    def reset(self):
        if not self.items:
            return self
        self.items.clear()
        return self

    def add(self, item):
        if item < 0:
            return self
        self.items.append(item)
        return self


class Longer(Chain):
    def __init__(self, items):
        super().__init__(items)
        self.add(100).add(200)


class Turned(Chain):
    def __init__(self, items):
        super().__init__(items)
        self.size = len(self.items)

    def add(self, item):
        self.items.append(-item)
        return self

    def reset(self):
        self.name = "turned"
        return super().reset()


def chained(n: int):
    turned = Turned([n])
    found = Chain([n, -n]).add(4), Longer([n]), turned, Chain()
    return [chain.items for chain in found], turned.size, turned.name


CASES: list[Case] = [
    (chained, [(1,), (0,)]),
    (made, [(1,), (3,)]),
    (abstract, [(2,)]),
    (in_variables, [(0,), (5,)]),
    (with_handlers, [("12",), ("",), ("x",)]),
]
