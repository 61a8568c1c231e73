"""Statistics: several numbers of one array, masks, columns made comparable."""

# Half of the programs have no annotations: their types come from the call.
# pyright: basic

import numpy as np

from scriptc.types import M, N, f64
from tests.benchmarks.array_programs.program import Program


def moments(x):
    """Six statistics of one array."""
    return np.sum(x), np.min(x), np.max(x), np.mean(x), np.std(x), np.sum(x * x)


def standardised(x: f64[N, M]) -> f64[N, M]:
    """Columns of mean 0 and deviation 1, cut off at three deviations."""
    mean = np.mean(x, axis=0)
    deviation = np.std(x, axis=0)
    return np.clip((x - mean) / (deviation + 1e-9), -3.0, 3.0)


def above_limit(x, limit):
    """What the elements above a limit come to: their sum, mean and spread, and how many."""
    above = x > limit
    picked = x[above]
    return x[above].sum(), picked.mean(), np.sqrt(np.mean(picked * picked)), above.sum()


def covariance(x: f64[N, M]):
    """The covariances of columns, and their correlations."""
    centred = x - x.mean(axis=0)
    covariances = centred.T @ centred / (len(x) - 1)
    deviations = np.sqrt(np.diag(covariances))
    return covariances, covariances / np.outer(deviations, deviations)


def _samples(n, rng):
    return (rng.normal(1.0, 2.0, n),)


def _table(n, rng):
    return (rng.normal(1.0, 2.0, (n, 16)),)


def _samples_and_limit(n, rng):
    return rng.normal(0.0, 1.0, n), 0.3


PROGRAMS = [
    Program(moments, _samples, small=40_000, large=3_000_000),
    Program(standardised, _table, small=2_000, large=150_000),
    Program(above_limit, _samples_and_limit, small=30_000, large=2_000_000),
    Program(covariance, _table, small=2_000, large=150_000),
]
