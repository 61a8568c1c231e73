"""Let bodies attract each other and see how well the total energy is kept.

A heavy body in the middle, light ones around it on nearly circular orbits. The loops over pairs
are written with scalars: what is slow in Python is quick when compiled.
"""

import argparse
import os
from pathlib import Path

import numpy as np
import numpy.typing as npt

from scriptc import save, script
from scriptc.types import D, N, f64

OUT = Path(__file__).parent / "out"

Vectors = npt.NDArray[np.float64]


@script
def advance(
    positions: f64[N, D], velocities: f64[N, D], masses: f64[N], dt: float, steps: int
) -> None:
    """Move all bodies `steps` times by `dt`, in place; D is 3, the constant of gravity is 1."""
    count = masses.shape[0]
    for _ in range(steps):
        for i in range(count):
            for j in range(i + 1, count):
                dx = positions[i, 0] - positions[j, 0]
                dy = positions[i, 1] - positions[j, 1]
                dz = positions[i, 2] - positions[j, 2]
                square = dx * dx + dy * dy + dz * dz
                pull = dt / (square * np.sqrt(square))
                velocities[i, 0] -= dx * masses[j] * pull
                velocities[i, 1] -= dy * masses[j] * pull
                velocities[i, 2] -= dz * masses[j] * pull
                velocities[j, 0] += dx * masses[i] * pull
                velocities[j, 1] += dy * masses[i] * pull
                velocities[j, 2] += dz * masses[i] * pull
        positions += dt * velocities


@script
def energy(positions: f64[N, D], velocities: f64[N, D], masses: f64[N]):
    """Return the kinetic energy plus the (negative) potential energy of every pair."""
    count = masses.shape[0]
    total = 0.0
    for i in range(count):
        total += 0.5 * masses[i] * np.sum(velocities[i] * velocities[i])
        for j in range(i + 1, count):
            apart = positions[i] - positions[j]
            total -= masses[i] * masses[j] / np.sqrt(np.sum(apart * apart))
    return total


def start(bodies: int) -> tuple[Vectors, Vectors, Vectors]:
    """Return positions, velocities and masses of a heavy body and `bodies - 1` light ones."""
    random = np.random.default_rng(1)
    radii = np.linspace(1.0, 4.0, bodies)
    angles = random.uniform(0.0, 2.0 * np.pi, bodies)
    # A body at distance r from a mass of 1 keeps to its circle at the speed 1 / sqrt(r).
    speeds = 1.0 / np.sqrt(radii)
    height = random.normal(0.0, 0.05, bodies)
    level = np.zeros(bodies)
    positions = np.stack([radii * np.cos(angles), radii * np.sin(angles), height], axis=1)
    velocities = np.stack([-speeds * np.sin(angles), speeds * np.cos(angles), level], axis=1)
    masses = np.full(bodies, 1e-3 / bodies)
    positions[0], velocities[0], masses[0] = 0.0, 0.0, 1.0
    return positions, velocities, masses


def main(size: int = 200, steps: int = 200) -> float:
    """Move `size` bodies and return by what part the energy has changed."""
    positions, velocities, masses = start(size)
    before = energy(positions, velocities, masses)
    advance(positions, velocities, masses, 1e-3, steps)
    after = energy(positions, velocities, masses)
    change = float((after - before) / abs(before))
    print(f"energy of {size} bodies before {before:.9f}, after {steps} steps {after:.9f}")
    print(f"changed by {change:.1e} of itself")

    # As plain Python there is nothing compiled to save.
    if os.environ.get("SCRIPTC_DISABLE") != "1":
        OUT.mkdir(exist_ok=True)
        save({"advance": advance, "energy": energy}, OUT / "nbody.scriptc")
    return change


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=200, help="how many bodies")
    parser.add_argument("--steps", type=int, default=200, help="how many steps of time")
    arguments = parser.parse_args()
    main(arguments.size, arguments.steps)
