"""Layers of neural networks, forward."""

# Half of the programs have no annotations: their types come from the call.
# pyright: basic

import numpy as np

from scriptc.types import B, D, H, K, N, f32, f64, i64
from tests.benchmarks.array_programs.program import Program


def layer_norm(x: f64[N, D], gamma: f64[D], beta: f64[D]) -> f64[N, D]:
    """Rows of mean 0 and variance 1, scaled and shifted."""
    mean = np.mean(x, axis=-1, keepdims=True)
    variance = np.var(x, axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-5) * gamma + beta


def _gelu(x):
    return 0.5 * x * (1.0 + np.tanh(0.7978845608 * (x + 0.044715 * x**3)))


def mlp(x: f32[N, D], w1: f32[D, H], b1: f32[H], w2: f32[H, K], b2: f32[K]) -> f32[N, K]:
    """Two products, each with its bias; GELU between them, a residual behind."""
    return x[:, : len(b2)] + _gelu(x @ w1 + b1) @ w2 + b2


def batch_norm(x, gamma, beta, running_mean, running_variance):
    """Images of a batch are normalised by channel, and then cut off below 0."""
    mean = x.mean(axis=(0, 2, 3))
    variance = x.var(axis=(0, 2, 3))
    scale = gamma / np.sqrt(variance + 1e-5)
    shift = beta - mean * scale
    y = np.maximum(x * scale[None, :, None, None] + shift[None, :, None, None], 0.0)
    return y, 0.9 * running_mean + 0.1 * mean, 0.9 * running_variance + 0.1 * variance


def gru(x, h, w, u, b):
    """A recurrent layer over all steps of a sequence; its gates are parts of one product."""
    n = h.shape[1]
    for t in range(x.shape[0]):
        a = x[t] @ w + b
        s = h @ u
        reset = 1.0 / (1.0 + np.exp(-(a[:, :n] + s[:, :n])))
        update = 1.0 / (1.0 + np.exp(-(a[:, n : 2 * n] + s[:, n : 2 * n])))
        new = np.tanh(a[:, 2 * n :] + reset * s[:, 2 * n :])
        h = update * h + (1.0 - update) * new
    return h


def embedding_pool(table: f32[N, D], ids: i64[B, K]):
    """The mean of the rows that the words of a text pick, at length 1; id 0 is padding."""
    real = (ids > 0).astype(np.float32)
    rows = table[ids] * real[:, :, None]
    pooled = rows.sum(axis=1) / np.maximum(real.sum(axis=1, keepdims=True), 1.0)
    return pooled / (np.sqrt(np.sum(pooled**2, axis=1, keepdims=True)) + 1e-6)


def _rows(n, rng):
    return rng.normal(1.0, 2.0, (n, 64)), rng.normal(1.0, 0.1, 64), rng.normal(0.0, 0.1, 64)


def _two_layers(n, rng):
    shapes = (n, 32), (32, 64), (64,), (64, 16), (16,)
    return tuple(rng.normal(0.0, 0.3, shape).astype(np.float32) for shape in shapes)


def _images(n, rng):
    channels = rng.normal(1.0, 0.1, (4, 8))
    return rng.normal(0.0, 1.0, (n, 8, 16, 16)), *channels[:3], channels[3] ** 2


def _sequences(n, rng):
    d = 24
    x, h = rng.normal(0.0, 1.0, (12, n, d)), np.zeros((n, d))
    return x, h, *rng.normal(0.0, 0.2, (2, d, 3 * d)), rng.normal(0.0, 0.2, 3 * d)


def _texts(n, rng):
    table = rng.normal(0.0, 1.0, (8 * n, 32)).astype(np.float32)
    return table, rng.integers(0, 8 * n, (n, 16)) * (rng.random((n, 16)) < 0.8)


PROGRAMS = [
    Program(layer_norm, _rows, small=500, large=40_000),
    Program(mlp, _two_layers, small=600, large=20_000),
    Program(batch_norm, _images, small=16, large=600, tiny=2),
    Program(gru, _sequences, small=40, large=2_000, tiny=3),
    Program(embedding_pool, _texts, small=100, large=10_000),
]
