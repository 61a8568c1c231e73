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


_X = np.arange(24.0).reshape(2, 3, 4)

CASES: list[Case] = [
    (normalised, [(_X,), (_X[::-1, :, ::2],), (_X[:1, :1],)]),
    (losses, [(_X, _X + 1.0), (_X[:0], _X[:0]), (_X[:, :0], _X[:, :0])]),
    (other_tuples, [(0,), (1,), (2,), (3,)]),
]
