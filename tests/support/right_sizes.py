"""Functions whose sizes fit, or may fit for all that can be known: none may be reported.

What is hard about each stands in its name.
"""

# pyright: reportInvalidTypeForm=false

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from scriptc import script
from scriptc.types import B, D, H, K, M, N, b1, f64, i64

# ---------------------------------------------------------------------------------------- learned


@script
def asserted(x: f64[N], y: f64[M]):
    assert len(x) == len(y)
    return x + y


@script
def asserted_by_shapes(a: f64[N, K], b: f64[M, H]):
    assert a.shape == b.shape
    return a * b


@script
def asserted_with_more(x: f64[N], y: f64[M]):
    assert len(x) == len(y) and len(x) > 2  # noqa: PT018 -- one test of both
    return x + y


@script
def asserted_in_a_row(x: f64[N], y: f64[M], z: f64[K]):
    assert len(x) == len(y) == len(z)
    return x + y * z


@script
def asserted_of_what_is_computed(x: f64[N], y: f64[M]):
    assert x.shape[0] - 1 == y.shape[0]
    return x[1:] - y


@script
def asserted_of_a_product(x: f64[N, D], heads: f64[H, K]):
    h, k = heads.shape
    assert x.shape[1] == h * k
    return x.reshape(x.shape[0], h, k) * heads


@script
def refused_otherwise(x: f64[N], y: f64[M]):
    if x.shape[0] != y.shape[0]:
        raise ValueError("sizes differ")
    return x + y


@script
def refused_if_either_differs(a: f64[N, K], b: f64[M, H]):
    if a.shape[0] != b.shape[0] or a.shape[1] != b.shape[1]:
        raise ValueError("shapes differ")
    return a + b


@script
def refused_unless_both_fit(a: f64[N, K], b: f64[M, H]):
    if not (len(a) == len(b) and a.shape[1] == b.shape[1]):
        raise ValueError("shapes differ")
    return a + b


@script
def refused_by_shapes(a: f64[N, K], b: f64[M, H]):
    if a.shape != b.shape:
        raise ValueError("shapes differ")
    return a + b


@script
def skipped_otherwise(x: f64[N], y: f64[M], count: int) -> float:
    total = 0.0
    for _ in range(count):
        if len(x) != len(y):
            continue
        total += float(x @ y)
    return total


@script
def stops_otherwise(x: f64[N], y: f64[M]) -> float:
    total = 0.0
    while True:
        if len(x) != len(y):
            break
        total += float(x @ y)
        if total > 0.0:
            break
    return total


@script
def ghost_cells(u: f64[N], force: f64[M]):
    assert len(u) == len(force) + 2
    for _ in range(10):
        u[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2.0 * u[1:-1] + u[:-2]) + force
    return u


@script
def valid_convolution(x: f64[N], w: f64[K]):
    return np.convolve(x, w, "same") + x, np.convolve(x, w, "valid") * 2.0


@script
def left_otherwise(x: f64[N], y: f64[M]):
    if not len(x) == len(y):  # noqa: SIM201
        return x
    return x + y


@script
def tested_by_a_name(x: f64[N], y: f64[M]):
    n, m = len(x), len(y)
    fits = n == m
    if fits:
        return x + y
    return x


@script
def mended(x: f64[N], y: f64[M]):
    if len(x) != len(y):
        y = np.zeros(len(x))
    return x + y


@script
def one_or_the_other(x: f64[N], y: f64[M]):
    if len(x) != len(y) and len(y) != 1:
        raise ValueError("does not fit")
    return x + y


@script
def one_of_two(x: f64[N], y: f64[M]):
    assert len(y) == len(x) or len(y) == 1
    return x + y


@script
def nested_tests(x: f64[N], y: f64[M]):
    if len(x) != len(y):  # noqa: SIM102
        if len(y) != 1:
            raise ValueError("does not fit")
    return x * y


def same_size(x: np.ndarray, y: np.ndarray):
    if len(x) != len(y):
        raise ValueError("sizes differ")


@script
def tested_by_a_helper(x: f64[N], y: f64[M]):
    same_size(x, y)
    return x + y


@script
def tested_against_a_number(x: f64[N]):
    if x.shape[0] == 3:
        return x + np.array([1.0, 2.0, 3.0])
    return x


@script
def equal_to_an_int(x: f64[N], n: int, y: f64[M]):
    assert len(x) == n
    assert len(y) == n
    return x - y + np.ones(n)


@script
def small_ones(x: f64[N]):
    if len(x) < 3:
        return x[:1] + np.ones(2)[: len(x)]
    return x[1:-1] + x[2:]


@script
def small_ones_apart(x: f64[N]):
    if len(x) < 2:
        return x
    return x[1:] - x[:-1]


@script
def caught(x: f64[N], y: f64[M]) -> float:
    try:
        return float(np.sum(x + y))
    except ValueError:
        return 0.0


# --------------------------------------------------------------------------------- not to be known


@script
def cut_to_fit(x: f64[N], y: f64[M]):
    n = min(len(x), len(y))
    return x[:n] + y[:n]


@script
def cut_by_the_other(x: f64[N], y: f64[M]):
    return x[: len(y)] + y


@script
def cut_by_a_number(x: f64[N], y: f64[M], k: int):
    return x[k:] + y[k:]


@script
def lagged(x: f64[N], k: int):
    return x[k:] * x[: len(x) - k]


@script
def halves(x: f64[N]):
    half = len(x) // 2
    return x[:half] + x[half:]


@script
def even_and_odd(x: f64[N]):
    return x[::2] + x[1::2]


@script
def picked(x: f64[N], y: f64[M], keep: b1[N], other: b1[M]):
    return x[keep] + y[other]


@script
def counted(x: f64[N], y: f64[M]):
    return x[: int(np.sum(x > 0.0))] + y[: int(np.sum(y > 0.0))]


@script
def given_number(n: int, x: f64[N]):
    return np.zeros(n) + x


@script
def any_size(x: f64[N], y: f64[...]):
    return x + y


@script
def heads(x: f64[N, D], count: int):
    n, d = x.shape
    split = x.reshape(n, count, d // count)
    return split.transpose(1, 0, 2).reshape(count, -1)


@script
def in_pairs(x: f64[N]):
    return x.reshape(-1, 2).sum(axis=1)


@script
def in_named_heads(x: f64[N, D], count: f64[H]):
    n, d = x.shape
    h = len(count)
    return x.reshape(n, h, d // h).transpose(1, 0, 2).reshape(h, -1)


@script
def rounded_up(x: f64[N], block: f64[K]):
    k = len(block)
    rows = (len(x) + k - 1) // k
    wide = np.zeros(rows * k)
    wide[: len(x)] = x
    return wide.reshape(rows, k) * block


@script
def rounded_up_to_four(x: f64[N]):
    wide = np.zeros((len(x) + 3) // 4 * 4)
    wide[: len(x)] = x
    return wide.reshape(-1, 4).sum(axis=1) + wide[::4]


@script
def put_together(x: f64[N]):
    wide = np.zeros(2 * len(x))
    wide[::2] = x
    wide[1::2] = x[::-1]
    return wide.reshape(-1, 2)[:, 0] - x


@script
def coarse(u: f64[N, M]):
    v = u[: len(u) // 2 * 2, : u.shape[1] // 2 * 2]
    return 0.25 * (v[::2, ::2] + v[1::2, ::2] + v[::2, 1::2] + v[1::2, 1::2])


@script
def waves(x: f64[N]):
    return np.fft.irfft(np.fft.rfft(x) * np.fft.rfftfreq(len(x)), len(x)) + x


@script
def windows(x: f64[N], w: f64[K]):
    out = np.zeros(len(x) - len(w) + 1)
    for i in range(len(out)):
        out[i] = np.sum(x[i : i + len(w)] * w)
    return out


@script
def grows(x: f64[N], rounds: int):
    for _ in range(rounds):
        x = np.concatenate((x, x[:1]))
    return x


@script
def shrinks(x: f64[N]):
    while len(x) > 1:
        half = len(x) // 2
        x = x[:half] + x[half : 2 * half]
    return x


@script
def triangle(a: f64[N, N], b: f64[N]):
    x = b.copy()
    for i in range(len(b)):
        x[i] = (b[i] - a[i, :i] @ x[:i]) / a[i, i]
    return x


# -------------------------------------------------------------------------------------------- fits


@script
def outer_sum(x: f64[N], y: f64[M]):
    return x[:, None] + y


@script
def kept_axis(a: f64[N, M]):
    return (a - a.mean(axis=1, keepdims=True)) / a.std(axis=0)


@script
def joined(x: f64[N], y: f64[M]):
    z = np.concatenate((x, y))
    w = np.zeros(len(y) + len(x))
    w[: len(x)] = x
    w[len(x) :] = y
    return z - w


@script
def bordered(x: f64[N]):
    wide = np.zeros(len(x) + 2)
    wide[1:-1] = x
    return wide[2:] - 2.0 * x + wide[:-2]


@script
def laplace(u: f64[N, M]):
    inner = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2]
    u[1:-1, 1:-1] = inner / 4.0


@script
def network(x: f64[B, D], first: f64[D, H], bias: f64[H], second: f64[H, K]):
    hidden = np.maximum(x @ first + bias, 0.0)
    return hidden @ second


@script
def attention(q: f64[H, N, D], k: f64[H, M, D], v: f64[H, M, K]):
    s = q @ k.transpose(0, 2, 1)
    p = np.exp(s - s.max(axis=-1, keepdims=True))
    return (p / p.sum(axis=-1, keepdims=True)) @ v


@script
def flattened(a: f64[N, M], x: f64[M]):
    return (a.reshape(-1) * 2.0).reshape(a.shape) + x


@script
def by_columns(a: f64[N, M]):
    total = np.zeros(len(a))
    for j in range(a.shape[1]):
        total += a[:, j]
    return total


@script
def gathered(x: f64[N], index: i64[M], y: f64[M]):
    return x[index] + y


@script
def either(x: f64[N], y: f64[M], first: bool):
    z = x if first else y
    return z + z


@script
def reused(x: f64[N], y: f64[M]) -> float:
    z = x * 2.0
    total = z.sum()
    z = y * 2.0
    return float(total + (z * y).sum())


@script
def declared(a: f64[N, M], keep: b1[N]) -> tuple[f64[N], f64[M], f64[N, M], f64[K], f64[...]]:
    rows = a.sum(axis=1)
    return rows, a.sum(axis=0), a * 2.0, rows[keep], rows[1:]


@script
def declared_one(x: f64[N], y: f64[M]) -> f64[N]:
    if len(x) != len(y):
        return x
    return x + y if x[0] > 0.0 else y


RIGHT: Sequence[Callable[..., Any]] = [
    *(asserted, asserted_by_shapes, asserted_with_more, asserted_in_a_row),
    *(asserted_of_what_is_computed, asserted_of_a_product, refused_otherwise, left_otherwise),
    *(refused_if_either_differs, refused_unless_both_fit, refused_by_shapes, skipped_otherwise),
    *(stops_otherwise, ghost_cells, valid_convolution),
    *(tested_by_a_name, mended, one_or_the_other, one_of_two, nested_tests, tested_by_a_helper),
    *(tested_against_a_number, equal_to_an_int, small_ones, small_ones_apart, caught),
    *(cut_to_fit, cut_by_the_other, cut_by_a_number, lagged, halves, even_and_odd, picked),
    *(
        counted,
        given_number,
        any_size,
        heads,
        in_pairs,
        in_named_heads,
        rounded_up,
        windows,
        grows,
        shrinks,
        triangle,
    ),
    *(outer_sum, kept_axis, joined, bordered, laplace, network, attention, flattened),
    *(rounded_up_to_four, put_together, coarse, waves, by_columns, gathered, either, reused),
    *(declared, declared_one),
]
