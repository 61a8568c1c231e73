"""Objects of a class and of one that inherits from it, beside objects of a third one."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from tests.programs import Case


class Sphere:
    def __init__(self, r):
        self.r = r

    def hit(self):
        return self.r


class Plane:
    def __init__(self, b):
        self.b = b

    def hit(self):
        return self.b * 2


class Surface:
    def colour(self):
        return 1


class Board(Surface):
    def colour(self):
        return 2


class Number:
    def __init__(self, value):
        self.value = value

    def result(self):
        return self.value


class Positive(Number):
    pass


class Negated:
    def __init__(self, inner):
        self.inner = inner

    def result(self):
        return -self.inner.result()


class Holder:
    held: "Negated | Number"

    def __init__(self, held: "Negated | Number"):
        self.held = held


class Scene:
    def __init__(self, **options):
        self.items = []
        self.colour = options.get("colour", (1, 1, 1))
        self.light = options.get("light", -0.5)

    def add(self, thing, surface):
        self.items.append((thing, surface))


def pairs(n):
    scene = Scene(colour=(n, 2, 3))
    scene.add(Sphere(1), Surface())
    scene.add(Plane(2), Board())
    scene.add(Plane(n), Surface())
    seen = [(thing.hit(), surface.colour(), type(thing).__name__) for thing, surface in scene.items]
    return seen, scene.colour, scene.light, Scene(light=2.5).light


def trees(n):
    tree = Negated(Negated(Positive(n)))
    found = [x.result() for x in [Number(1), Negated(Number(3)), Positive(4)]]
    one = Number(1) if n > 5 else Negated(Number(2)) if n > 2 else Positive(3)
    return tree.result(), found, one.result(), isinstance(one, Positive), isinstance(one, Number)


def taken(x: "Number | Negated | None"):
    return 0 if x is None else x.result()


def fields(n):
    holder = Holder(Positive(n))
    first = holder.held.result()
    holder.held = Negated(Number(1))
    second = holder.held.result()
    holder.held = Positive(7)
    table = {"a": Number(1), "b": Negated(Number(2)), "c": Positive(5)}
    table["b"] = Positive(9)
    results = [x.result() for x in table.values()]
    kinds = type(holder.held).__name__, isinstance(table["b"], Positive), type(table["b"]).__name__
    return first, second, holder.held.result(), kinds, results, taken(Positive(2)), taken(None)


CASES: list[Case] = [
    (pairs, [(3,)]),
    (trees, [(3,), (1,), (9,)]),
    (fields, [(3,)]),
]
