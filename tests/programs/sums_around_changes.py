"""Sums before and after what they sum is changed in place: they share a loop, not a result."""

# Results have no annotations.
# pyright: basic

import numpy as np

from scriptc.types import N, f64
from tests.programs import Case


def own(x: f64[N]):
    z = x.copy()
    a = np.sum(z)
    z += 1.0
    b = np.sum(z)
    z *= 3.0
    return a, b, np.sum(z), z


def extremes(x: f64[N]):
    z = x * 2.0
    a, m = np.sum(z), np.max(z)
    z[:] = z * 2.0
    return a, m, np.sum(z), np.max(z)


def rows(x: f64[N]):
    z = x.copy()
    a = np.sum(z[:, None] * np.ones(3))
    z -= 1.0
    return a, np.sum(z[:, None] * np.ones(3)), np.sum(z), np.sum(z)


CALLS = [(np.arange(float(n)) % 7,) for n in (5000, 1, 5, 2048, 2049, 70_000, 0)]
CASES: list[Case] = [(own, CALLS), (extremes, CALLS[:-1]), (rows, CALLS)]
