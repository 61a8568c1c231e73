"""Physics: grids with ghost cells, periodic grids, bodies."""

# Half of the programs have no annotations: their types come from the call.
# pyright: basic

import numpy as np

from scriptc.types import D, M, N, f64
from tests.benchmarks.array_programs.program import Program


def wave(u: f64[N, M], before: f64[N, M], steps: int) -> f64[N, M]:
    """A membrane whose ghost cells reflect."""
    g = np.zeros((u.shape[0] + 2, u.shape[1] + 2))
    for _ in range(steps):
        g[1:-1, 1:-1] = u
        g[0, :] = g[1, :]
        g[-1, :] = g[-2, :]
        g[:, 0] = g[:, 1]
        g[:, -1] = g[:, -2]
        around = g[:-2, 1:-1] + g[2:, 1:-1] + g[1:-1, :-2] + g[1:-1, 2:]
        after = 2.0 * u - before + 0.2 * (around - 4.0 * u)
        before = u
        u = after
    return u


def heat(u, conductivity, steps):
    """Heat in a plate of uneven material, whose edges let none out."""
    for _ in range(steps):
        p = np.pad(u, 1, mode="edge")
        k = np.pad(conductivity, 1, mode="edge")
        south = (k[2:, 1:-1] + conductivity) * (p[2:, 1:-1] - u)
        north = (k[:-2, 1:-1] + conductivity) * (p[:-2, 1:-1] - u)
        east = (k[1:-1, 2:] + conductivity) * (p[1:-1, 2:] - u)
        west = (k[1:-1, :-2] + conductivity) * (p[1:-1, :-2] - u)
        u = u + 0.1 * (south + north + east + west)
    return u


def advection(c, vx, vy, dt):
    """One upwind step of what a flow carries over a periodic grid, and how much there is."""
    from_left = c - np.roll(c, 1, axis=1)
    from_right = np.roll(c, -1, axis=1) - c
    from_above = c - np.roll(c, 1, axis=0)
    from_below = np.roll(c, -1, axis=0) - c
    along = np.where(vx > 0.0, vx * from_left, vx * from_right)
    across = np.where(vy > 0.0, vy * from_above, vy * from_below)
    c = c - dt * (along + across)
    return c, np.sum(c), np.max(np.abs(c))


def gravity(position: f64[N, D], velocity: f64[N, D], mass: f64[N], dt: float):
    """One step of bodies that attract each other, and their energy."""
    apart = position[None, :, :] - position[:, None, :]
    squared = np.sum(apart**2, axis=2) + 0.01
    pull = mass[None, :] / (squared * np.sqrt(squared))
    velocity = velocity + dt * np.sum(apart * pull[:, :, None], axis=1)
    kinetic = 0.5 * np.sum(mass * np.sum(velocity**2, axis=1))
    potential = -0.5 * np.sum(mass[None, :] * mass[:, None] / np.sqrt(squared))
    return position + dt * velocity, velocity, kinetic + potential


def burgers(u: f64[N], left, right, dt: float, steps: int) -> f64[N]:
    """A shock by the scheme of Lax and Friedrichs; a cell beyond each end has a given value."""
    for _ in range(steps):
        cells = np.concatenate((left, u, right))
        flux = 0.5 * cells**2
        speed = np.max(np.abs(cells))
        through = 0.5 * (flux[1:] + flux[:-1]) - 0.5 * speed * (cells[1:] - cells[:-1])
        u = u - dt * (through[1:] - through[:-1])
    return u


def _membrane(n, rng):
    u = rng.normal(0.0, 1.0, (n, n))
    return u, u + rng.normal(0.0, 0.1, u.shape), 6


def _plate(n, rng):
    return rng.normal(0.0, 1.0, (n, n)), rng.uniform(0.2, 1.0, (n, n)), 4


def _flow(n, rng):
    return *rng.normal(0.0, 1.0, (3, n, n)), 0.1


def _bodies(n, rng):
    return *rng.normal(0.0, 1.0, (2, n, 3)), rng.uniform(0.1, 1.0, n), 0.01


def _shock(n, rng):
    u = np.linspace(1.0, -0.5, n) + rng.normal(0.0, 0.05, n)
    return u, np.ones(1), np.full(1, -0.5), 0.2, 8


PROGRAMS = [
    Program(wave, _membrane, small=120, large=800),
    Program(heat, _plate, small=120, large=700),
    Program(advection, _flow, small=120, large=900),
    Program(gravity, _bodies, small=96, large=700),
    Program(burgers, _shock, small=12_000, large=500_000),
]
