"""Dataclasses whose objects stay inside of a program."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import dataclasses

import numpy as np

from scriptc.types import N, f64
from tests.programs import Case


@dataclasses.dataclass(frozen=True)
class Grid:
    n: int
    h: float = 0.5
    name: str = "grid"

    def length(self):
        return self.n * self.h

    @property
    def twice(self):
        return 2 * self.n


@dataclasses.dataclass
class Particle:
    x: float
    v: float

    def step(self, dt):
        self.x += self.v * dt


@dataclasses.dataclass(kw_only=True, slots=True)
class Named:
    a: int
    b: float = 2.0


@dataclasses.dataclass(order=True)
class Mixed:
    a: int
    b: float = 2.0
    c: bool = dataclasses.field(default=True, kw_only=True)


@dataclasses.dataclass
class Held:
    grid: Grid
    first: Particle | None
    values: f64[N]


@dataclasses.dataclass
class Nothing:
    pass


def frozen(a):
    one, other = Grid(3, a), Grid(n=4)
    return one.length(), one.twice, one.name, other.h, other.length(), one.n * one.h


def moved(a, rounds):
    particles = [Particle(i * 1.0, a) for i in range(3)]
    for _ in range(rounds):
        for particle in particles:
            particle.step(0.1)
    best = None
    for particle in particles:
        if best is None or particle.x > best.x:
            best = particle
    return [p.x for p in particles], best.x if best is not None else 0.0


def by_keyword(a):
    Nothing()
    return Named(a=1).b, Named(b=a, a=2).b, Mixed(1, c=False).c, Mixed(1, a).b


def held(x):
    kept = Held(Grid(2), None, x)
    kept.values[0] = 9
    kept.values = kept.values * 2
    kept.grid = Grid(5, 1.0)
    length = kept.grid.length()
    kept.first = Particle(1.0, 2.0)
    return kept.values, length, kept.first.v


CASES: list[Case] = [
    (frozen, [(1.5,), (0.0,)]),
    (moved, [(1.5, 3), (-0.5, 0)]),
    (by_keyword, [(1.5,)]),
    (held, [(np.arange(3.0),)]),
]
