"""Functions in which sizes meet that their annotations say are different, one mistake in each.

`WRONG` has with each the text that is reported, and the two sizes.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from scriptc import script
from scriptc.types import B, D, H, K, M, N, f64, i64

# ----------------------------------------------------------------------------- element by element


@script
def added(x: f64[N], y: f64[M]):
    return x * 2.0 + y


@script
def third_of_a_chain(x: f64[N], y: f64[N], z: f64[M]):
    return x + y + z


@script
def scaled_columns(a: f64[N, M], scale: f64[N]):
    return a * scale


@script
def scaled_rows(a: f64[N, M], scale: f64[M]):
    return a * scale[:, None]


@script
def centred(a: f64[N, M]):
    return a - a.mean(axis=1)


@script
def chosen(x: f64[N], y: f64[M]):
    return np.where(x > 0.0, x, y)


@script
def largest(x: f64[N], y: f64[M]):
    return np.maximum(x, y)


@script
def compared(x: f64[N], y: f64[M]) -> int:
    return int(np.sum(x < y))


@script
def updated(x: f64[N], y: f64[M]):
    z = np.zeros(len(x))
    z += y
    return z


@script
def outer_and_turned(x: f64[N], y: f64[M]):
    return np.outer(x, y) + np.outer(y, x)


# --------------------------------------------------------------------------------------- products


@script
def inner(x: f64[N], y: f64[M]) -> float:
    return float(x @ y)


@script
def dotted(x: f64[N], y: f64[M]) -> float:
    return float(np.dot(x, y))


@script
def product(a: f64[N, K], b: f64[N, K]):
    return a @ b


@script
def layers(x: f64[B, D], first: f64[D, H], second: f64[D, H]):
    hidden = np.tanh(x @ first)
    return hidden @ second


@script
def layer_with_bias(x: f64[B, D], weights: f64[D, H], bias: f64[D]):
    return x @ weights + bias


@script
def gradient(x: f64[B, D], error: f64[B, H]):
    return x @ error


@script
def quadratic(a: f64[N, N], x: f64[M]) -> float:
    return float(x @ (a @ x))


@script
def contracted(a: f64[N, K], b: f64[M, K]):
    return np.einsum("ij,jk->ik", a, b)


@script
def solved(a: f64[N, N], b: f64[M]):
    return np.linalg.solve(a, b)


@script
def inverted(a: f64[N, M]):
    return np.linalg.inv(a)


# --------------------------------------------------------------------- concatenation and stacking


@script
def joined(x: f64[N], y: f64[M]):
    return np.concatenate((x, y)) - x


@script
def joined_columns(a: f64[N, K], b: f64[M, K]):
    return np.concatenate((a, b), axis=1)


@script
def stacked(x: f64[N], y: f64[M]):
    return np.stack((x, y), axis=1)


@script
def with_border(x: f64[N]):
    wide = np.concatenate((x[:1], x, x[-1:]))
    return wide[2:] - 2.0 * wide[1:] + wide[:-2]


@script
def padded(x: f64[N]):
    wide = np.zeros(len(x) + 2)
    wide[1:] = x
    return wide


# ---------------------------------------------------------------------------------------- slices


@script
def differences(x: f64[N]):
    return x[1:] - x


@script
def second_differences(x: f64[N]):
    return x[2:] - 2.0 * x[1:-1] + x[:-1]


@script
def laplace(u: f64[N, M]):
    return u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-1]


@script
def smoothed(x: f64[N]):
    y = np.zeros(len(x) - 2)
    y[:] = 0.5 * (x[1:] + x[:-1])
    return y


@script
def reversed_against(x: f64[N]):
    return x[::-1] + x[1:]


@script
def interior(u: f64[N, M], f: f64[N, M]):
    u[1:-1, 1:-1] = f[1:-1, 1:]


@script
def trapezoids(x: f64[N], y: f64[N]) -> float:
    width = np.diff(x)
    return float(np.sum(width * y))


# -------------------------------------------------------------------------- shapes and attention


@script
def flattened(a: f64[N, M], x: f64[N]):
    return a.reshape(-1) + x


@script
def reshaped(a: f64[N, M]):
    return a.reshape(a.shape[1], a.shape[1])


@script
def heads(x: f64[N, D], count: f64[H, K]):
    return x.reshape(x.shape[0], count.shape[0], count.shape[1])


@script
def half_of_each_head(x: f64[N, D]):
    return x.reshape(x.shape[0], 4, x.shape[1] // 8)


@script
def every_other(x: f64[N]):
    return x[::2] + x[1:]


@script
def half_and_all(x: f64[N]):
    half = len(x) // 2
    return x[:half] * x[: half - 1]


@script
def in_pairs(x: f64[N]):
    return x.reshape(-1, 2).sum(axis=1) + x


@script
def of_other_heads(x: f64[N, D], count: f64[H], other: f64[K]):
    n, d = x.shape
    return x.reshape(n, len(count), d // len(other))


@script
def scores(q: f64[H, N, D], k: f64[H, M, D]):
    return q @ k


@script
def attention(q: f64[N, D], k: f64[M, D], v: f64[N, K]):
    s = q @ k.T
    p = np.exp(s - s.max(axis=1)[:, None])
    p /= p.sum(axis=1)[:, None]
    return p @ v


@script
def attention_in_heads(q: f64[H, N, D], k: f64[H, M, D], v: f64[H, N, D]):
    s = q @ k.transpose(0, 2, 1)
    p = np.exp(s - s.max(axis=-1, keepdims=True))
    return (p / p.sum(axis=-1, keepdims=True)) @ v


def softmax(s: np.ndarray):
    e = np.exp(s - np.max(s, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


@script
def attention_in_a_loop(q: f64[H, N, D], k: f64[H, M, D], v: f64[H, N, D]):
    out = np.zeros_like(q)
    for h in range(q.shape[0]):
        out[h] = softmax(q[h] @ k[h].T) @ v[h]
    return out


@script
def attention_in_batches(q: f64[B, H, N, D], k: f64[B, H, M, D], v: f64[B, H, N, D]):
    s = q @ k.transpose(0, 1, 3, 2)
    return softmax(s) @ v


@script
def normalised(s: f64[N, M]):
    return s / s.sum(axis=1)


# ------------------------------------------------------------------------- calls, masks and loops


@script
def picked(x: f64[N], keep: f64[M]):
    return x[keep > 0.0]


@script
def weighted(x: f64[N], weights: f64[M]) -> float:
    return float(np.average(x, weights=weights))


@script
def distance(x: f64[N], y: f64[N]) -> float:
    return float(np.sqrt(np.sum((x - y) ** 2)))


@script
def nearest(points: f64[N, D], place: f64[M]):
    found = np.zeros(len(points))
    for i in range(len(points)):
        found[i] = distance(points[i], place)
    return found


def half_of(x: np.ndarray, y: np.ndarray):
    return 0.5 * (x + y)


@script
def through_a_helper(x: f64[N], y: f64[M]):
    return half_of(x, y)


@script
def steps(u: f64[N], flow: f64[M], count: int):
    for _ in range(count):
        u = u + 0.1 * flow
    return u


@script
def in_a_finally(x: f64[N], y: f64[M]) -> float:
    try:
        return float(x @ y)
    finally:
        print("done")


@script
def where_they_differ(x: f64[N], y: f64[M]) -> float:
    if len(x) == len(y):
        return float(x @ y)
    return float(np.sum(x * y))


@script
def told_of_others(x: f64[N], y: f64[M], z: f64[K]):
    assert len(x) == len(y)
    return x + y + z


@script
def sized(n: int, x: f64[N]):
    edges = np.linspace(0.0, 1.0, len(x) + 1)
    return edges * x + n


@script
def sums_of_columns(a: f64[N, M]) -> f64[N]:
    return a.sum(axis=0)


@script
def steps_between(x: f64[N]) -> f64[N]:
    return x[1:] - x[:-1]


@script
def corners(x: f64[N]) -> f64[N]:
    return x[:4]


@script
def split(x: f64[N], y: f64[M]) -> tuple[f64[N], f64[M]]:
    if x[0] > 0.0:
        return x, y
    return 2.0 * x, x


@script
def counted(x: f64[N], index: i64[M]):
    found = np.zeros_like(x)
    found[:] = x[index]
    return found


WRONG: Mapping[Callable[..., Any], tuple[str, str, str]] = {
    added: ("x * 2.0 + y", "N", "M"),
    third_of_a_chain: ("x + y + z", "N", "M"),
    scaled_columns: ("a * scale", "M", "N"),
    scaled_rows: ("a * scale[:, None]", "N", "M"),
    centred: ("a - a.mean(axis=1)", "M", "N"),
    chosen: ("np.where(x > 0.0, x, y)", "N", "M"),
    largest: ("np.maximum(x, y)", "N", "M"),
    compared: ("x < y", "N", "M"),
    updated: ("z += y", "N", "M"),
    outer_and_turned: ("np.outer(x, y) + np.outer(y, x)", "N", "M"),
    inner: ("x @ y", "N", "M"),
    dotted: ("np.dot(x, y)", "N", "M"),
    product: ("a @ b", "K", "N"),
    layers: ("hidden @ second", "H", "D"),
    layer_with_bias: ("x @ weights + bias", "H", "D"),
    gradient: ("x @ error", "D", "B"),
    quadratic: ("a @ x", "N", "M"),
    contracted: ('np.einsum("ij,jk->ik", a, b)', "K", "M"),
    solved: ("np.linalg.solve(a, b)", "N", "M"),
    inverted: ("np.linalg.inv(a)", "N", "M"),
    joined: ("np.concatenate((x, y)) - x", "M + N", "N"),
    joined_columns: ("np.concatenate((a, b), axis=1)", "N", "M"),
    stacked: ("np.stack((x, y), axis=1)", "N", "M"),
    with_border: ("wide[2:] - 2.0 * wide[1:]", "N", "N + 1"),
    padded: ("wide[1:] = x", "N", "N + 1"),
    differences: ("x[1:] - x", "N - 1", "N"),
    second_differences: ("x[2:] - 2.0 * x[1:-1] + x[:-1]", "N - 2", "N - 1"),
    laplace: ("u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-1]", "M - 2", "M - 1"),
    smoothed: ("y[:] = 0.5 * (x[1:] + x[:-1])", "N - 1", "N - 2"),
    reversed_against: ("x[::-1] + x[1:]", "N", "N - 1"),
    interior: ("u[1:-1, 1:-1] = f[1:-1, 1:]", "M - 1", "M - 2"),
    trapezoids: ("width * y", "N - 1", "N"),
    flattened: ("a.reshape(-1) + x", "M*N", "N"),
    reshaped: ("a.reshape(a.shape[1], a.shape[1])", "M*N", "M*M"),
    heads: ("x.reshape(x.shape[0], count.shape[0], count.shape[1])", "D*N", "H*K*N"),
    half_of_each_head: ("x.reshape(x.shape[0], 4, x.shape[1] // 8)", "D*N", "4*(D // 8)*N"),
    every_other: ("x[::2] + x[1:]", "(N + 1) // 2", "N - 1"),
    half_and_all: ("x[:half] * x[: half - 1]", "N // 2", "(N // 2) - 1"),
    in_pairs: ("x.reshape(-1, 2).sum(axis=1) + x", "N // 2", "N"),
    of_other_heads: ("x.reshape(n, len(count), d // len(other))", "D*N", "(D // K)*H*N"),
    scores: ("q @ k", "D", "M"),
    attention: ("p @ v", "M", "N"),
    attention_in_heads: ("(p / p.sum(axis=-1, keepdims=True)) @ v", "M", "N"),
    attention_in_a_loop: ("softmax(q[h] @ k[h].T) @ v[h]", "M", "N"),
    attention_in_batches: ("softmax(s) @ v", "M", "N"),
    normalised: ("s / s.sum(axis=1)", "M", "N"),
    picked: ("x[keep > 0.0]", "N", "M"),
    weighted: ("np.average(x, weights=weights)", "M", "N"),
    nearest: ("distance(points[i], place)", "M", "D"),
    through_a_helper: ("x + y", "N", "M"),
    steps: ("u + 0.1 * flow", "N", "M"),
    in_a_finally: ("x @ y", "N", "M"),
    where_they_differ: ("x * y", "N", "M"),
    told_of_others: ("x + y + z", "N", "K"),
    sized: ("edges * x", "N + 1", "N"),
    sums_of_columns: ("return a.sum(axis=0)", "M", "N"),
    steps_between: ("return x[1:] - x[:-1]", "N - 1", "N"),
    corners: ("return x[:4]", "4", "N"),
    split: ("return 2.0 * x, x", "N", "M"),
    counted: ("found[:] = x[index]", "M", "N"),
}
