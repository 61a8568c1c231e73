"""Graphs as lists of edges: messages go from the source of each edge to its target."""

# Half of the programs have no annotations: their types come from the call.
# pyright: basic

import numpy as np

from scriptc.types import D, E, N, f32, i64
from tests.benchmarks.array_programs.program import Program


def message_passing(h: f32[N, D], source: i64[E], target: i64[E], w: f32[D, D]):
    """A layer of a graph network: sums of messages, by degree, added to what a node knows."""
    messages = np.maximum(h @ w, 0.0)[source]
    sums = np.zeros_like(h)
    np.add.at(sums, target, messages)
    degree = np.bincount(target, minlength=len(h)).astype(np.float32)
    return h + sums / np.maximum(degree, 1.0)[:, None]


def pagerank(source, target, n, steps):
    """Ranks flow along edges; nodes without any share theirs with all."""
    degree = np.bincount(source, minlength=n)
    rank = np.full(n, 1.0 / n)
    for _ in range(steps):
        share = rank / np.maximum(degree, 1)
        arrived = np.bincount(target, weights=share[source], minlength=n)
        lost = np.sum(np.where(degree == 0, rank, 0.0))
        rank = 0.15 / n + 0.85 * (arrived + lost / n)
    return rank


def graph_attention(h, source, target, a_source, a_target):
    """The messages to a node are weighed by a softmax over the edges that end there."""
    score = (h @ a_source)[source] + (h @ a_target)[target]
    score = np.where(score > 0.0, score, 0.2 * score)
    most = np.full(len(h), -np.inf)
    np.maximum.at(most, target, score)
    weight = np.exp(score - most[target])
    total = np.zeros(len(h))
    np.add.at(total, target, weight)
    out = np.zeros_like(h)
    np.add.at(out, target, (weight / total[target])[:, None] * h[source])
    return out


def _edges(n, rng):
    return rng.integers(0, n, (2, 8 * n))


def _graph(n, rng):
    h = rng.normal(0.0, 1.0, (n, 16)).astype(np.float32)
    return h, *_edges(n, rng), rng.normal(0.0, 0.3, (16, 16)).astype(np.float32)


def _pages(n, rng):
    return *_edges(n, rng), n, 6


def _graph_with_scores(n, rng):
    return rng.normal(0.0, 1.0, (n, 8)), *_edges(n, rng), *rng.normal(0.0, 1.0, (2, 8))


PROGRAMS = [
    Program(message_passing, _graph, small=500, large=20_000),
    Program(pagerank, _pages, small=2_000, large=100_000),
    Program(graph_attention, _graph_with_scores, small=500, large=20_000),
]
