"""What Python does not let a program write to, in a `try` that says so: it raises."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic, reportAttributeAccessIssue=false, reportIndexIssue=false
# pyright: reportFunctionMemberAccess=false

import dataclasses
from collections import namedtuple
from dataclasses import dataclass
from typing import NamedTuple

from tests.programs import Case

Pair = namedtuple("Pair", "x y")


class Row(NamedTuple):
    x: int


@dataclass(frozen=True)
class Point:
    x: int
    y: int = 0


class Circle:
    def __init__(self, r):
        self.r = r

    @property
    def area(self):
        return 3 * self.r


class Slots:
    __slots__ = ("a",)

    def __init__(self):
        self.a = 1


def frozen(n):
    point, found = Point(n), []
    try:
        point.x = n + 1
    except dataclasses.FrozenInstanceError as error:
        found.append((str(error), type(error).__name__))
    try:
        point.y += 1
    except AttributeError as error:
        found.append((str(error), repr(error)))
    try:
        del point.x
    except Exception as error:
        found.append((str(error), type(error).__name__))
    return found, point.x, point.y


def read_only(n):
    circle, slots, found = Circle(n), Slots(), []
    try:
        circle.area = 5
    except AttributeError as error:
        found.append(str(error))
    try:
        del circle.area
    except AttributeError as error:
        found.append(str(error))
    try:
        slots.b = found.append("evaluated")
    except AttributeError as error:
        found.append(str(error))
    return found, circle.area


def tuples(n):
    pair, row, plain, text, found = Pair(n, 2), Row(n), (n, 2), "abc", []
    try:
        pair.x = 5
    except AttributeError as error:
        found.append(str(error))
    try:
        row.x = 5
    except AttributeError as error:
        found.append(str(error))
    try:
        plain[0] = 5
    except TypeError as error:
        found.append(str(error))
    try:
        text[0] = "x"
    except TypeError as error:
        found.append(str(error))
    try:
        text.size = 3
    except:  # noqa: E722 -- how people write it
        found.append("no such attribute")
    return found, pair, plain


CASES: list[Case] = [
    (frozen, [(1,)]),
    (read_only, [(2,)]),
    (tuples, [(1,)]),
]
