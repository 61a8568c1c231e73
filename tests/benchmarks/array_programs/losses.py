"""Losses of models that learn: each one number, or a few, of predictions and targets."""

# Half of the programs have no annotations: their types come from the call.
# pyright: basic

import numpy as np

from scriptc.types import C, D, N, f32, f64, i64
from tests.benchmarks.array_programs.program import Program


def cross_entropy(logits: f64[N, C], labels: i64[N]) -> float:
    """Softmax and the mean of the negative logarithms at the labels."""
    shifted = logits - np.max(logits, axis=1, keepdims=True)
    log_p = shifted - np.log(np.sum(np.exp(shifted), axis=1, keepdims=True))
    return -np.mean(log_p[np.arange(len(labels)), labels])


def focal_loss(logits, targets, gamma):
    """The sigmoid of the same logits is written twice."""
    hit = targets * np.log(1.0 / (1.0 + np.exp(-logits)) + 1e-12)
    miss = (1.0 - targets) * np.log(1.0 - 1.0 / (1.0 + np.exp(-logits)) + 1e-12)
    p = 1.0 / (1.0 + np.exp(-logits))
    weight = np.where(targets > 0.5, 1.0 - p, p) ** gamma
    return -np.mean(weight * (hit + miss))


def regression_losses(predicted: f64[N], wanted: f64[N], delta: float):
    """Mean absolute and squared errors, Huber's loss, and the share of variance explained."""
    error = predicted - wanted
    size = np.abs(error)
    huber = np.where(size <= delta, 0.5 * error**2, delta * (size - 0.5 * delta))
    explained = 1.0 - np.sum(error**2) / np.sum((wanted - np.mean(wanted)) ** 2)
    return np.mean(size), np.mean(error**2), np.mean(huber), explained


def contrastive_loss(a: f32[N, D], b: f32[N, D], temperature: float):
    """Rows of two views that belong together are to be alike, others not (InfoNCE)."""
    a = a / np.sqrt(np.sum(a * a, axis=1, keepdims=True))
    b = b / np.sqrt(np.sum(b * b, axis=1, keepdims=True))
    likeness = a @ b.T / temperature
    rows = np.log(np.sum(np.exp(likeness - np.max(likeness)), axis=1)) + np.max(likeness)
    columns = np.log(np.sum(np.exp(likeness - np.max(likeness)), axis=0)) + np.max(likeness)
    return 0.5 * np.mean(rows + columns) - np.mean(np.diag(likeness))


def vae_loss(mean, log_variance, noise, x, weights):
    """A latent sample, its reconstruction, and the divergence from a normal distribution."""
    z = mean + np.exp(0.5 * log_variance) * noise
    spread = np.exp(0.5 * log_variance) + 1e-3
    error = x - np.tanh(z @ weights)
    kl = -0.5 * np.sum(1.0 + log_variance - mean**2 - np.exp(log_variance), axis=1)
    return np.mean(np.sum(error**2, axis=1)) + np.mean(kl), np.mean(spread)


def _logits_and_labels(n, rng):
    return rng.normal(0.0, 3.0, (n, 10)), rng.integers(0, 10, n)


def _logits_and_targets(n, rng):
    return rng.normal(0.0, 3.0, n), (rng.random(n) < 0.3).astype(np.float64), 2.0


def _predictions(n, rng):
    wanted = rng.normal(0.0, 2.0, n)
    return wanted + rng.normal(0.0, 1.0, n), wanted, 1.0


def _views(n, rng):
    rows = rng.normal(0.0, 1.0, (n, 32))
    other = rows + rng.normal(0.0, 0.3, rows.shape)
    return rows.astype(np.float32), other.astype(np.float32), 0.2


def _latents(n, rng):
    a, b, noise = rng.normal(0.0, 0.5, (3, n, 16))
    return a, b, noise, rng.normal(0.0, 1.0, (n, 8)), rng.normal(0.0, 0.3, (16, 8))


PROGRAMS = [
    Program(cross_entropy, _logits_and_labels, small=3_000, large=200_000),
    Program(focal_loss, _logits_and_targets, small=16_000, large=1_000_000),
    Program(regression_losses, _predictions, small=16_000, large=1_500_000),
    Program(contrastive_loss, _views, small=200, large=1_500),
    Program(vae_loss, _latents, small=1_000, large=60_000),
]
