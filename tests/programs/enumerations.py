"""Members of enumerations as values: passed, kept, compared, shown, matched, and their classes."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import dataclasses
import enum
import re
import signal
from enum import auto
from http import HTTPStatus
from typing import NamedTuple

from tests.programs import Case


class Color(enum.Enum):
    RED = 1
    GREEN = 2
    BLUE = 3
    CRIMSON = 1

    def is_warm(self):
        return self is Color.RED

    @property
    def double(self):
        return self.value * 2

    def mixed(self, other):
        return Color.BLUE if self != other else self


class Planet(enum.Enum):
    EARTH = (5.5, 6.25)
    MARS = (0.5, 3.5)


class Word(enum.StrEnum):
    YES = auto()
    NO = "nope"


class Level(enum.IntEnum):
    LOW = 1
    MID = 5
    HIGH = 10

    def next(self):
        return Level.HIGH if self >= Level.MID else Level.MID


class Perm(enum.Flag):
    R = auto()
    W = auto()
    X = auto()
    RW = R | W


class Mode(enum.IntFlag):
    A = 1
    B = 2


def identity(c: Color):
    return c


def compared(a: Color, b: Color):
    return a is b, a == b, a is not b, a != b, a == 1, a is Color.RED, a == Color.CRIMSON


def parts(c: Color):
    return c.name, c.value, c.is_warm(), c.double, c.mixed(Color.RED)


def texts(c: Color):
    return f"{c} {c!r}", str(c), repr(c), [str(m) for m in Color], f"{[c]} {(c, c)}"


def held(c: Color, n: int):
    table = {Color.RED: 1, c: n}
    table[Color.GREEN] = 7
    kept = [c, Color.BLUE]
    kept.append(Color.RED)
    pair = (c, kept)
    return table, kept[::-1], pair, c in table, Color.BLUE in table, c in kept


def given(colors: list[Color], by_name: dict[str, Color], maybe: Color | None):
    colors.append(by_name["b"])
    found = maybe if maybe is not None else colors[0]
    return found, len(colors), [c.value for c in colors]


def from_values(n: int, name: str):
    try:
        first = Color(n)
    except ValueError as e:
        return str(e), None
    try:
        return first.name, Color[name]
    except KeyError as e:
        return str(e), None


def of_the_class(c: Color):
    total = 0
    names = []
    for member in Color:
        total += member.value
        names.append(member.name)
    return total, names, len(Color), list(Color), c in Color, [m for m in Color if m is not c]


def matched(c: Color):
    match c:
        case Color.RED:
            return "warm"
        case Color.GREEN | Color.BLUE:
            return "cold"


def matched_with_guards(c: Color, n: int) -> str:
    match c:
        case Color.RED if n > 1:
            return "many"
        case Color.RED:
            return "red"
        case Color.GREEN:
            return "green"
        case other:
            return other.name


def truths(c: Color, v: Level, w: Word):
    return bool(c), bool(v), bool(w), 1 if c else 2, not v


def tuples(p: Planet):
    mass, radius = p.value
    return mass / radius, p.name, p


def of_words(w: Word):
    return w, w == "yes", w + "!", f"{w:>6}", str(w), repr(w), w.value, w is Word.NO, len(w)


def of_levels(v: Level, xs: list[int]):
    return (
        v,
        v + 1,
        v * 2.5,
        v > Level.LOW,
        v == 5,
        v < 7,
        str(v),
        repr(v),
        f"{v:03}",
        v.name,
        v.value,
        v.next(),
        xs[v],
        max(int(v), 3),
        int(v),
        list(range(v))[-1],
        -v,
        hash(v),
        v is Level.MID,
        Level(10),
    )


def of_flags(p: Perm, q: Perm):
    return (
        p | q,
        p & q,
        p ^ q,
        ~p,
        p in q,
        Perm.R in p,
        bool(p & q),
        p == q,
        str(p | q),
        repr(p | q),
        (p | q).name,
        p.value,
        repr(p & q),
        Perm(3),
        Perm.RW is Perm.R | Perm.W,
        {p: 1, q: 2},
    )


def of_modes(m: Mode):
    return m, m | Mode.B, m | 8, m & 1, m + 1, str(m), repr(m | Mode.B), m == 1, m.name, ~m


def hashes(c: Color):
    return hash(c) == hash(c.name), hash(Level.MID)


def of_the_library(n):
    found = HTTPStatus(n)
    known = re.I == re.IGNORECASE, n == signal.SIGINT, HTTPStatus.OK.value, int(signal.SIGTERM)
    return found, found is HTTPStatus.NOT_FOUND, known, re.MULTILINE


class Spot(NamedTuple):
    x: float = 1.5
    color: Color = Color.BLUE


HALF = Spot(0.5)
WHOLE = Spot(2.0)
SPOTS = (HALF, (Word.NO,))


@dataclasses.dataclass
class Paint:
    color: Color = Color.CRIMSON
    level: Level = Level.MID
    perm: Perm = Perm.R | Perm.X
    both: tuple = (Color.GREEN, 2)
    spot: Spot = WHOLE


def mixed(color=Color.GREEN, level=Level.LOW, spot=HALF, spots=SPOTS):
    return color, color is Color.GREEN, level + 1, spot, spot.color, spots


def each(count, color=Color.GREEN, spot=WHOLE):
    for _ in range(count):
        yield color, spot.x


def defaults(color, count):
    first, second = Paint(), Paint(color, perm=Perm.W)
    shown = [repr(first), repr(second)], first == second, first.level < second.level + 1
    return shown, mixed(), mixed(color), mixed(spot=Spot(0.5, color)), list(each(count)), Spot()


def maybe_none(n):
    """A member that may be None is compared by what it is."""
    found = Color.RED if n > 1 else None
    other = Color.CRIMSON
    if found is Color.RED:
        return "red", found is other, found is not None and found is Color.BLUE
    return str(found), found is other, Color.RED is not found


CASES: list[Case] = [
    (maybe_none, [(1,), (2,)]),
    (defaults, [(Color.RED, 2), (Color.BLUE, 0)]),
    (identity, [(Color.RED,), (Color.BLUE,), (Color.CRIMSON,)]),
    (compared, [(Color.RED, Color.RED), (Color.RED, Color.BLUE)]),
    (parts, [(c,) for c in Color]),
    (texts, [(c,) for c in Color]),
    (held, [(Color.RED, 4), (Color.GREEN, 5)]),
    (
        given,
        [
            ([Color.RED], {"b": Color.BLUE}, None),
            ([Color.GREEN, Color.RED], {"b": Color.RED}, Color.BLUE),
        ],
    ),
    (from_values, [(1, "RED"), (3, "CRIMSON"), (2, "PINK"), (7, "RED")]),
    (of_the_class, [(Color.GREEN,)]),
    (matched, [(c,) for c in Color]),
    (matched_with_guards, [(Color.RED, 5), (Color.RED, 0), (Color.GREEN, 0), (Color.BLUE, 9)]),
    (truths, [(Color.RED, Level.LOW, Word.NO)]),
    (tuples, [(Planet.EARTH,), (Planet.MARS,)]),
    (of_words, [(Word.YES,), (Word.NO,)]),
    (of_levels, [(Level.LOW, list(range(20))), (Level.MID, list(range(20)))]),
    (of_flags, [(Perm.R, Perm.RW), (Perm.X, Perm.W), (Perm.R, Perm.R)]),
    (of_modes, [(Mode.A,), (Mode.B,), (Mode.A | Mode.B,)]),
    (hashes, [(Color.BLUE,)]),
    (of_the_library, [(404,), (200,), (2,)]),
]
