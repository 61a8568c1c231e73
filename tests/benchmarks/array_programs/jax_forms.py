"""JAX's form of the programs that write into arrays, or whose sizes are those of a mask.

Arrays of JAX do not change and have known sizes, so its users write these otherwise. A function
here stands for the program of its name.
"""

# JAX is installed beside the benchmark alone.
# pyright: basic, reportMissingImports=false

import jax.numpy as jnp


def above_limit(x, limit):
    above = x > limit
    count = above.sum()
    total = jnp.where(above, x, 0.0).sum()
    squares = jnp.where(above, x * x, 0.0).sum()
    return total, total / count, jnp.sqrt(squares / count), count


def wave(u, before, steps):
    g = jnp.zeros((u.shape[0] + 2, u.shape[1] + 2))
    for _ in range(steps):
        g = g.at[1:-1, 1:-1].set(u)
        g = g.at[0, :].set(g[1, :])
        g = g.at[-1, :].set(g[-2, :])
        g = g.at[:, 0].set(g[:, 1])
        g = g.at[:, -1].set(g[:, -2])
        around = g[:-2, 1:-1] + g[2:, 1:-1] + g[1:-1, :-2] + g[1:-1, 2:]
        after = 2.0 * u - before + 0.2 * (around - 4.0 * u)
        before = u
        u = after
    return u


def message_passing(h, source, target, w):
    messages = jnp.maximum(h @ w, 0.0)[source]
    sums = jnp.zeros_like(h).at[target].add(messages)
    degree = jnp.bincount(target, length=len(h)).astype(jnp.float32)
    return h + sums / jnp.maximum(degree, 1.0)[:, None]


def pagerank(source, target, n, steps):
    degree = jnp.bincount(source, length=n)
    rank = jnp.full(n, 1.0 / n)
    for _ in range(steps):
        share = rank / jnp.maximum(degree, 1)
        arrived = jnp.bincount(target, weights=share[source], length=n)
        lost = jnp.sum(jnp.where(degree == 0, rank, 0.0))
        rank = 0.15 / n + 0.85 * (arrived + lost / n)
    return rank


def graph_attention(h, source, target, a_source, a_target):
    score = (h @ a_source)[source] + (h @ a_target)[target]
    score = jnp.where(score > 0.0, score, 0.2 * score)
    most = jnp.full(len(h), -jnp.inf).at[target].max(score)
    weight = jnp.exp(score - most[target])
    total = jnp.zeros(len(h)).at[target].add(weight)
    return jnp.zeros_like(h).at[target].add((weight / total[target])[:, None] * h[source])


def cluster_step(points, centres):
    distance = jnp.sum((points[:, None, :] - centres[None, :, :]) ** 2, axis=2)
    nearest = jnp.argmin(distance, axis=1)
    sums = jnp.zeros_like(centres).at[nearest].add(points)
    count = jnp.bincount(nearest, length=len(centres))
    return sums / jnp.maximum(count, 1)[:, None], nearest, jnp.mean(jnp.min(distance, axis=1))
