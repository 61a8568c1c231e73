"""Steps of optimisers over the weights of a model."""

# Half of the programs have no annotations: their types come from the call.
# pyright: basic

import numpy as np

from scriptc.types import D, N, f64
from tests.benchmarks.array_programs.program import Program


def adam(w: f64[N], m: f64[N], v: f64[N], g: f64[N], step: int):
    """One step with decoupled weight decay."""
    m = 0.9 * m + 0.1 * g
    v = 0.999 * v + 0.001 * g**2
    m_hat = m / (1.0 - 0.9**step)
    v_hat = v / (1.0 - 0.999**step)
    w = w - 1e-3 * (m_hat / (np.sqrt(v_hat) + 1e-8) + 0.01 * w)
    return w, m, v


def clipped_momentum(w, b, w_speed, b_speed, w_gradient, b_gradient, limit):
    """Gradients are scaled so that the norm of all of them together is at most the limit."""
    norm = np.sqrt(np.sum(w_gradient**2) + np.sum(b_gradient**2))
    scale = np.minimum(1.0, limit / (norm + 1e-6))
    w_speed = 0.9 * w_speed + w_gradient * scale
    b_speed = 0.9 * b_speed + b_gradient * scale
    w = w - 0.01 * w_speed
    b = b - 0.01 * b_speed
    return w, b, w_speed, b_speed, norm


def weighted_logistic(x: f64[N, D], y: f64[N], age: f64[N], w: f64[D], steps: int) -> f64[D]:
    """Descend the gradient of a logistic model; the weights of samples are the same each time."""
    for _ in range(steps):
        weight = np.exp(-age / 30.0) / np.sum(np.exp(-age / 30.0))
        p = 1.0 / (1.0 + np.exp(-(x @ w)))
        w = w - 0.5 * (x.T @ (weight * (p - y)) + 1e-4 * w)
    return w


def _weights(n, rng):
    w, m, g = rng.normal(0.0, 1.0, (3, n))
    return w, m, m * m, g, 10


def _layers(n, rng):
    w, w_speed, w_gradient = rng.normal(0.0, 1.0, (3, n, 32))
    b, b_speed, b_gradient = rng.normal(0.0, 1.0, (3, n))
    return w, b, w_speed, b_speed, w_gradient, b_gradient, 5.0


def _labelled(n, rng):
    x = rng.normal(0.0, 1.0, (n, 8))
    y = (x[:, 0] + rng.normal(0.0, 1.0, n) > 0).astype(np.float64)
    return x, y, rng.uniform(0.0, 100.0, n), np.zeros(8), 10


PROGRAMS = [
    Program(adam, _weights, small=12_000, large=800_000),
    Program(clipped_momentum, _layers, small=400, large=30_000),
    Program(weighted_logistic, _labelled, small=4_000, large=100_000),
]
