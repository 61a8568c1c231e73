"""`isinstance(x, type(self))` where self may be of several classes; `super()` in class methods."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from tests.programs import Case


class Point:
    def __init__(self, x):
        self.x = x

    def __eq__(self, other):
        if not isinstance(other, type(self)):
            return False
        return self.x == other.x

    def __hash__(self):
        return hash(self.x)

    def is_like(self, other):
        return isinstance(other, self.__class__)

    def plus(self, other):
        return self.x + other.x if isinstance(other, self.__class__) and other.x > 0 else 0


class Moved(Point):
    pass


class Twice(Moved):
    def plus(self, other):
        if self.x > 0 and not isinstance(other, type(self)):
            return -1
        return super().plus(other)


def points(x):
    return [Point(x), Moved(x), Twice(x)]


def like(x):
    found = points(x)
    return [[a.is_like(b) for a in found] for b in found], [a.is_like(x) for a in found]


def equal(x):
    found = points(x)
    return [[a == b for a in found] for b in found], [a == x for a in found], Twice(x) in found


def added(x):
    return [a.plus(b) for a in points(x) for b in points(x)], [a.plus(x) for a in points(x)]


class Made:
    def __init__(self, x):
        self.x = x

    @classmethod
    def empty(cls):
        return cls(0)

    @classmethod
    def of(cls, text, *, factor=1):
        return cls(int(text) * factor)

    def name(self):
        return type(self).__name__


class Full(Made):
    @classmethod
    def empty(cls):
        found = super().empty()
        found.x = 100
        return found

    @classmethod
    def of(cls, text, *, factor=2):
        return super().of(text + "0", factor=factor)


class Fuller(Full):
    @classmethod
    def empty(cls):
        found = super().empty()
        found.x += 1
        return found


def made(text):
    found = [Full.empty(), Fuller.empty(), Made.empty(), Fuller.of(text), Full.of(text, factor=3)]
    return [(one.name(), one.x) for one in found]


CASES: list[Case] = [
    (made, [("3",)]),
    (like, [(1,)]),
    (equal, [(1,)]),
    (added, [(1,), (0,)]),
]
