"""Enumerations and named tuples in global tables, of classes that the functions do not name."""

from enum import Enum, Flag, IntEnum, StrEnum
from typing import NamedTuple

from tests.programs import Case


class Factors(NamedTuple):
    up: float
    down: float = 0.5


class Kind(Enum):
    SOLID = "s"
    LIQUID = "l"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Name(StrEnum):
    ONE = "one"
    TWO = "two"


class Access(Flag):
    READ = 1
    WRITE = 2


class Words(Enum):
    """Members whose values are tables."""

    ONES = {0: "zero", 1: "one"}  # noqa: RUF012 -- a member
    TENS = {2: "twenty", 3: "thirty"}  # noqa: RUF012
    EVEN = [0, 2, 4]  # noqa: RUF012


class Entry(NamedTuple):
    kind: Kind
    level: Level
    factors: Factors


UNITS = {"atm": Factors(1.0, 1.0), "bar": Factors(0.986923, 1.01325), "torr": Factors(0.25)}
STEPS = [Factors(1.0, 2.0), Factors(3.0, 4.0)]
PAIR = (Factors(1.0, 2.0), Factors(-0.0, 4.0))
ONE = Factors(1.5, 2.5)
KINDS = [Kind.LIQUID, Kind.SOLID]
BOTH = (Kind.SOLID, Level.HIGH, Name.TWO, Access.WRITE)
BY_NAME = {"ice": Kind.SOLID, "water": Kind.LIQUID}
COUNTS = {Kind.SOLID: 1, Kind.LIQUID: 2}
LEVELS = {"low": Level.LOW, "high": Level.HIGH}
ENTRIES = [Entry(Kind.SOLID, Level.LOW, ONE), Entry(Kind.LIQUID, Level.HIGH, Factors(0.0))]
NESTED = {"all": [(1, Kind.SOLID), (2, Kind.LIQUID)], "none": []}


def converted(value: float, of: str, to: str) -> float:
    if of not in UNITS:
        raise ValueError(f"no unit {of}")
    return value * UNITS[of].up * UNITS[to].down


def steps(i: int) -> tuple[float, float]:
    return STEPS[i].down, sum(step.up for step in PAIR)


def one(i: int):
    return ONE, ONE.up + i, PAIR


def kinds(i: int):
    return [kind.value for kind in KINDS], [kind.name for kind in KINDS], KINDS[i]


def by_name(name: str):
    return BY_NAME[name], BY_NAME[name].value, LEVELS.get("low"), LEVELS["high"] > 1


def counts(i: int):
    return [(kind, kind.name, n + i) for kind, n in COUNTS.items()]


def both(i: int):
    kind, level, name, access = BOTH
    return kind.name, level + i, name.upper(), access.value, BOTH


def entries(i: int):
    return [(entry.kind.name, entry.level + i, entry.factors.up) for entry in ENTRIES], ENTRIES


def nested(name: str):
    return [(n, kind.name) for n, kind in NESTED[name]], STEPS, UNITS


def words(n: int):
    if n < 2:
        return Words.ONES.value[n], len(Words.EVEN.value)
    return Words.TENS.value[n // 10] + Words.ONES.value.get(n % 10, "?"), n in Words.EVEN.value


CASES: list[Case] = [
    (words, [(1,), (31,), (4,)]),
    (converted, [(2.0, "bar", "atm"), (1.0, "mile", "atm"), (1.0, "torr", "torr")]),
    (steps, [(0,), (1,), (2,)]),
    (one, [(1,)]),
    (kinds, [(0,), (-1,)]),
    (by_name, [("ice",), ("water",), ("steam",)]),
    (counts, [(1,)]),
    (both, [(1,)]),
    (entries, [(1,)]),
    (nested, [("all",), ("none",)]),
]
