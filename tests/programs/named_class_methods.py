"""Class methods, static methods and attributes of enumerations and named tuples."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from enum import Enum, IntEnum
from typing import NamedTuple

from tests.programs import Case


class Color(Enum):
    RED = 1
    GREEN = 2

    @classmethod
    def default(cls):
        return cls.RED

    @classmethod
    def named(cls, text):
        for color in cls:
            if color.name.lower() == text:
                return color
        raise ValueError(text)

    @staticmethod
    def count():
        return len(Color)


class Planet(Enum):
    EARTH = (5.97, 6.37, "blue")
    MARS = (0.64, 3.38, "red")

    def __init__(self, mass, radius, color):
        self.mass = mass
        self.radius = radius
        self.color = color

    @property
    def gravity(self):
        return self.mass / self.radius**2


class Day(IntEnum):
    MONDAY = 1
    TUESDAY = 2

    @classmethod
    def read(cls, text):
        return cls[text.upper()]


class Person(NamedTuple):
    name: str
    age: int = 3

    @classmethod
    def read(cls, text):
        name, age = text.split(":")
        return cls(name, int(age))

    @staticmethod
    def nobody():
        return Person("nobody", 0)


def of_colors(text):
    color = Color.GREEN
    return Color.default(), Color.named(text), Color.count(), color.default(), color.count()


def of_planets(name):
    planet = Planet[name]
    return planet.mass, planet.color, planet.gravity, [p.radius for p in Planet], Planet.EARTH.color


def of_days(text):
    return Day.read(text), Day.read(text) + 1, max(Day.MONDAY, Day.read(text)).name


def of_people(text):
    person = Person.read(text)
    return person, Person.nobody().name, person.read("q:1").age, person.nobody()


CASES: list[Case] = [
    (of_colors, [("red",), ("green",), ("blue",)]),
    (of_planets, [("MARS",), ("EARTH",)]),
    (of_days, [("tuesday",), ("sunday",)]),
    (of_people, [("Ann:7",), ("Ann",), ("Ann:x",)]),
]
