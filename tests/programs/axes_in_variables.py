"""Axes and orders of axes that a variable holds, which is given ints alone."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

COLUMNS = (1, 2)


def normalised(x):
    axes = 0, 2
    mean = x.mean(axis=axes, keepdims=True)
    variance = np.var(x, axis=axes, keepdims=True)
    order = (1, 2, 0)
    return (x - mean) / np.sqrt(variance + 1e-5), x.transpose(order), np.flip(x, axes)


def losses(x, y):
    """A loss over all but the first axis."""
    axes = (1, 2)
    both = (x * y).sum(axis=axes)
    either = x.sum(axis=axes) + y.sum(axis=COLUMNS)
    return 1.0 - 2.0 * both / (either + 1.0)


def other_tuples(k: int):
    """What a tuple of ints is known to be ends where it is given others."""
    pair = (0, 1)
    for i in range(k):
        pair = (pair[1], i)
    axes = (1, 2)
    if k > 1:
        axes = (0, 2)
    return pair, axes, axes[0] + 10 * axes[1], axes == (1, 2), pair > (1, 2), 2 in axes, max(axes)


def all_but_some(x):
    """Axes of ranges, of some of them, of sums and of parts of tuples."""
    axes = (0,) + tuple(range(2, x.ndim))  # noqa: RUF005 -- as it is written
    last = x.ndim - 1
    order = tuple(range(x.ndim))[::-1]
    but_one = tuple(i for i in range(x.ndim) if i != 1)
    return (
        *(x.mean(axis=axes, keepdims=True), x.sum(axis=tuple(range(1, x.ndim)))),
        *(np.cumsum(x, axis=last), np.max(x, axis=but_one), x.sum(axis=(last, last - 1))),
        *(x.transpose(order), np.stack((x, x), axis=last + 1), np.sum(x, axis=(0, 1, 2)[1:])),
        *(axes, order, but_one, tuple(range(2, 0, -1)), tuple(range(5, 2)), last - 2),
    )


def numbers_that_grow(x, k: int):
    """What an int or a tuple is known to be ends where a loop changes it."""
    count, axes, up = 0, (0,), x.ndim
    for i in range(k):
        count = count + 1
        axes = axes[:0] + (i,)  # noqa: RUF005 -- a sum of tuples
        up = up - 1 if i % 2 else up + 2
    while up < 9:
        up = up + 2
    return count, axes, up, up - 1, axes[0] + 1, tuple(i for i in range(count) if i != 1)


def tuples_that_grow(k: int):
    """A test of the length of a tuple that is known before the loop, and not in it."""
    some, more = (0,), (k,)
    while len(some) < 3:
        some = some + (k,)  # noqa: RUF005 -- a sum of tuples
    while len(more) < 4:
        more = more + more
    return some, more


_X = np.arange(24.0).reshape(2, 3, 4)


def halved(x, depth):
    if depth == 0:
        return x.sum(axis=0)
    return halved(x * 0.5, depth - 1)


def of_a_depth(x):
    """Each call computes its depth: it is no constant of the function that is called."""
    return halved(x, 40)


CASES: list[Case] = [
    (normalised, [(_X,), (_X[::-1, :, ::2],), (_X[:1, :1],)]),
    (losses, [(_X, _X + 1.0), (_X[:0], _X[:0]), (_X[:, :0], _X[:, :0])]),
    (all_but_some, [(_X,), (_X[::-1, :, ::2],), (_X[:, :1],), (_X + 0.5,)]),
    (numbers_that_grow, [(_X, 0), (_X, 1), (_X, 4), (_X[0, 0], 3)]),
    (tuples_that_grow, [(0,), (7,)]),
    (other_tuples, [(0,), (1,), (2,), (3,)]),
    (of_a_depth, [(_X,)]),
]
