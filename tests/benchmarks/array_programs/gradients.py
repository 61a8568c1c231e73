"""Layers of neural networks, backward."""

# Half of the programs have no annotations: their types come from the call.
# pyright: basic

import numpy as np

from scriptc.types import D, N, f64
from tests.benchmarks.array_programs.program import Program


def layer_norm_gradient(x: f64[N, D], gamma: f64[D], dy: f64[N, D]):
    """The gradients of a layer norm for its input, its scale and its shift."""
    mean = x.mean(axis=1, keepdims=True)
    inverse = 1.0 / np.sqrt(x.var(axis=1, keepdims=True) + 1e-5)
    normal = (x - mean) * inverse
    d_normal = dy * gamma
    mixed = np.mean(d_normal * normal, axis=1, keepdims=True)
    dx = inverse * (d_normal - np.mean(d_normal, axis=1, keepdims=True) - normal * mixed)
    return dx, np.sum(dy * normal, axis=0), np.sum(dy, axis=0)


def mlp_gradient(x, w1, b1, w2, b2, wanted):
    """A network with one hidden layer: the loss, and its gradients for all weights."""
    hidden = np.maximum(x @ w1 + b1, 0.0)
    error = hidden @ w2 + b2 - wanted
    loss = np.mean(error**2)
    d_out = 2.0 * error / error.size
    d_hidden = np.where(hidden > 0.0, d_out @ w2.T, 0.0)
    return (
        loss,
        x.T @ d_hidden,
        np.sum(d_hidden, axis=0),
        hidden.T @ d_out,
        np.sum(d_out, axis=0),
    )


def _rows(n, rng):
    x, dy = rng.normal(1.0, 2.0, (2, n, 64))
    return x, rng.normal(1.0, 0.1, 64), dy


def _network(n, rng):
    shapes = (n, 16), (16, 32), (32,), (32, 4), (4,), (n, 4)
    return tuple(rng.normal(0.0, 0.5, shape) for shape in shapes)


PROGRAMS = [
    Program(layer_norm_gradient, _rows, small=250, large=20_000),
    Program(mlp_gradient, _network, small=800, large=40_000),
]
