"""Features of samples: columns put together, clusters, and chains that have nothing in common."""

# Half of the programs have no annotations: their types come from the call.
# pyright: basic

import numpy as np

from scriptc.types import K, M, N, f64
from tests.benchmarks.array_programs.program import Program


def stacked_features(x, y):
    """Columns of two variables and their product, and what they come to in each row."""
    features = np.stack((x, y, x * y), axis=1)
    return features.sum(axis=1), np.sqrt((features**2).sum(axis=1))


def mixture(x: f64[N], y: f64[M]):
    """Weights of two groups of scores that are normalised together."""
    scores = np.exp(np.concatenate((x * 2.0, y + 1.0)))
    weights = scores / np.sum(scores)
    return weights, -np.sum(weights * np.log(weights + 1e-300)), np.sum(weights[: len(x)])


def cluster_step(points: f64[N, M], centres: f64[K, M]):
    """One step of k-means: to the nearest centre, and the centres to the means of their points."""
    distance = np.sum((points[:, None, :] - centres[None, :, :]) ** 2, axis=2)
    nearest = np.argmin(distance, axis=1)
    sums = np.zeros_like(centres)
    np.add.at(sums, nearest, points)
    count = np.bincount(nearest, minlength=len(centres))
    return sums / np.maximum(count, 1)[:, None], nearest, np.mean(np.min(distance, axis=1))


def eight_chains(a, b, c, d, e, f, g, h):
    """Eight signals, none of which has to do with another."""
    a = np.tanh(np.sin(a) * np.exp(-a * a))
    b = np.sqrt(np.abs(np.cos(b))) + np.log1p(b * b)
    c = np.cumsum(np.exp(-np.abs(c)))
    d = np.exp(d - np.max(d)) / np.sum(np.exp(d - np.max(d)))
    e = (e - np.mean(e)) / np.std(e)
    f = np.arctan(f) * np.cosh(0.1 * f)
    g = np.where(g > 0.0, np.log1p(np.abs(g)), np.expm1(-np.abs(g)))
    h = h[::-1] * np.sin(h) + np.roll(h, 1)
    return a, b, c, d, e, f, g, h


def _pair(n, rng):
    return tuple(rng.normal(0.0, 1.0, (2, n)))


def _groups(n, rng):
    return rng.normal(0.0, 1.0, n), rng.normal(0.0, 1.0, n // 2)


def _points(n, rng):
    centres = rng.normal(0.0, 3.0, (8, 4))
    return centres[rng.integers(0, 8, n)] + rng.normal(0.0, 1.0, (n, 4)), centres + 0.5


def _signals(n, rng):
    return tuple(rng.normal(0.0, 1.0, (8, n)))


PROGRAMS = [
    Program(stacked_features, _pair, small=12_000, large=800_000),
    Program(mixture, _groups, small=16_000, large=1_000_000),
    Program(cluster_step, _points, small=400, large=40_000),
    Program(eight_chains, _signals, small=3_000, large=150_000),
]
