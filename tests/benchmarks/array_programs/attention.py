"""Attention between the places of a sequence, and how places are told apart."""

# Half of the programs have no annotations: their types come from the call.
# pyright: basic

import numpy as np

from scriptc.types import D, H, T, f64
from tests.benchmarks.array_programs.program import Program


def causal_attention(q: f64[H, T, D], k: f64[H, T, D], v: f64[H, T, D]) -> f64[H, T, D]:
    """Heads of attention; a place sees none that comes later."""
    length = q.shape[1]
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[2])
    later = np.arange(length)[None, :] > np.arange(length)[:, None]
    scores = np.where(later, -1e30, scores)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return (weights / weights.sum(axis=-1, keepdims=True)) @ v


def rotary(x, base):
    """Each half of a row is turned by an angle that its place gives."""
    half = x.shape[2] // 2
    frequency = base ** (-np.arange(half) / half)
    angle = np.arange(x.shape[1])[:, None] * frequency[None, :]
    left, right = x[:, :, :half], x[:, :, half:]
    return np.concatenate(
        (
            left * np.cos(angle) - right * np.sin(angle),
            left * np.sin(angle) + right * np.cos(angle),
        ),
        axis=-1,
    )


def _heads(n, rng):
    return tuple(rng.normal(0.0, 1.0, (3, 4, n, 32)))


def _turned(n, rng):
    return rng.normal(0.0, 1.0, (8, n, 64)), 10_000.0


PROGRAMS = [
    Program(causal_attention, _heads, small=96, large=500),
    Program(rotary, _turned, small=64, large=2_000),
]
