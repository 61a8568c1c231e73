"""Fields that an `__init__` sets on some of its paths alone: reading them elsewhere raises."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from tests.programs import Case


class Part:
    def __init__(self, k):
        if k > 0:
            self.x = k
        if k > 1:
            self.y = [k]
        self.z = 1

    def has(self):
        return hasattr(self, "x"), hasattr(self, "y")


class Whole(Part):
    def __init__(self, k):
        super().__init__(k)
        if k > 2:
            self.w = self.x + 1


def some_paths(k):
    part, whole = Part(k), Whole(k)
    found = []
    for thing in (part, whole):
        for name in ("x", "y"):
            try:
                found.append(str(getattr(thing, name)))
            except AttributeError as error:
                found.append(str(error))
        found.append(str(thing.has()))
    try:
        found.append(str(whole.w))
    except AttributeError as error:
        found.append(str(error))
    return found


class Locale:
    def __init__(self, kind):
        if kind == "en":
            self.point, self.comma = ".", ","
        elif kind == "nl":
            self.point, self.comma = ",", "."

    def shown(self, number):
        return f"{number:,.2f}".replace(",", "_").replace(".", self.point).replace("_", self.comma)


def locales(kind):
    try:
        return Locale(kind).shown(12345.5)
    except AttributeError as error:
        return str(error)


class Counted:
    def __init__(self, k):
        for i in range(k):
            self.last = i


def counted(k):
    thing, found = Counted(k), []
    try:
        found.append(thing.last)
    except AttributeError:
        found.append(-2)
    return found


class ReadAtOnce:
    def __init__(self, k):
        if k > 1:
            self.x = [k]
        self.y = 0
        if k:
            self.y = self.x[0]
        self.z = self.x if k else [5]


class ReadLater(ReadAtOnce):
    def set(self, k):
        self.x = [k, k]


def read_at_once(k):
    try:
        thing, other = ReadLater(k), ReadAtOnce(k)
    except AttributeError as error:
        return str(error)
    thing.set(k)
    return thing.x, thing.y, thing.z, other.y, hasattr(other, "x")


CASES: list[Case] = [
    (read_at_once, [(0,), (1,), (2,)]),
    (some_paths, [(0,), (1,), (2,), (3,)]),
    (locales, [("en",), ("nl",), ("de",)]),
    (counted, [(0,), (2,)]),
]
