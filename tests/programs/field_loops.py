"""Loops over the fields of objects: `vars(x).items()`, `self.__dict__`, `dataclasses.fields(x)`."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import dataclasses
from dataclasses import dataclass, fields

from tests.programs import Case


class Shown:
    def __repr__(self):
        inner = ", ".join(f"{name}={value!r}" for name, value in self.__dict__.items())
        return f"{self.__class__.__name__}({inner})"


class Point(Shown):
    def __init__(self, x, y):
        self.x, self.y = x, y

    def copy_from(self, other):
        for name, value in vars(other).items():
            setattr(self, name, value)


class Tag(Shown):
    """Fields of its own come first, and a method sets one."""

    def __init__(self, text):
        self.text = text
        super().__init__()
        self.reset()
        self.last: float = 2.5

    def reset(self):
        self.seen = [1]


class Corner(Point):
    def __init__(self, name):
        self.name = name
        super().__init__(1, "c")
        self.z = None


def shown(n):
    found = [Point(n, "a"), Point(n + 1, "b")]
    return repr(found), repr(Tag("t")), str(Corner("c"))


def of_several(n):
    things: list[Shown] = [Tag("x"), Corner("y" * n)]
    names = [name for thing in things for name in vars(thing)]
    return str(things), names


def copied(n):
    one, two = Point(n, "a"), Point(0, "b")
    two.copy_from(one)
    total = 0
    for name in vars(two):
        if name == "y":
            break
        total += len(name)
    else:
        total += 100
    return two.x, two.y, total, [str(v) for v in vars(one).values()]


@dataclass
class Row:
    number: int
    price: float = 1.5
    hidden: str = dataclasses.field(default="h", repr=False)

    def text(self):
        return ";".join(f"{f.name}={getattr(self, f.name)}" for f in fields(self))


@dataclass
class Long(Row):
    more: tuple = (1, 2)


def named(n):
    row = Row(n)
    names = []
    for f in dataclasses.fields(row):
        if f.name == "hidden":
            continue
        names.append(f.name.upper())
    columns = [f.name for f in fields(Row)]
    return (
        names,
        columns,
        row.text(),
        Long(n, 2.5).text(),
        {f.name: len(f.name) for f in fields(Long)},
    )


CASES: list[Case] = [
    (shown, [(3,)]),
    (of_several, [(2,)]),
    (copied, [(5,)]),
    (named, [(1,)]),
]
