"""Work for a device: functions as users write them, arrays for them, and the bytes they must move.

A function is the same for NumPy, scriptc, CuPy and, by another `np`, for JAX and PyTorch.
"""

# Functions without annotations, as users write them.
# pyright: basic

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


class Work(NamedTuple):
    """A function, the shapes of its arrays for about so many elements, and of its result."""

    function: Callable[..., Any]
    shapes: Callable[[int], tuple[tuple[int, ...], ...]]
    result: Callable[[int], tuple[int, ...]]
    plan: str

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.function.__name__

    def arguments(self, elements: int, dtype: str) -> list[np.ndarray]:
        """Return arrays of random numbers, never zeros."""
        random = np.random.default_rng(1)
        return [(random.random(shape) + 0.5).astype(dtype) for shape in self.shapes(elements)]

    def moved(self, elements: int, dtype: str) -> int:
        """Return the bytes of all arrays, each once."""
        shapes = (*self.shapes(elements), self.result(elements))
        return sum(math.prod(shape) for shape in shapes) * np.dtype(dtype).itemsize


def copied(x):
    return x * 1


def fused(x, y, z):
    return np.exp(x) * y + z


def distance(x, y):
    return np.sqrt(x * x + y * y)


def row_sums(x):
    return np.sum(x, axis=1)


def column_sums(x):
    return np.sum(x, axis=0)


def total(x):
    return np.sum(x)


def softmax(x):
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


def layer_norm(x):
    mean = np.mean(x, axis=1, keepdims=True)
    return (x - mean) / np.sqrt(np.mean((x - mean) * (x - mean), axis=1, keepdims=True) + 1e-5)


def unit(x):
    return x / np.sqrt(np.sum(x * x))


def stencil(x):
    return 0.25 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])


def turned(x):
    return np.transpose(x) + 1


def product(x, y):
    return x @ y


def running_sums(x):
    return np.cumsum(x, axis=1)


def in_order(x):
    return np.sort(x)


def _vectors(count: int) -> Callable[[int], tuple[tuple[int, ...], ...]]:
    return lambda n: ((n,),) * count


def _matrix(n: int) -> tuple[int, int]:
    """Return the shape of a matrix with rows of an odd length, up to 1,001."""
    columns = min(1001, max(3, math.isqrt(n) | 1))
    return max(n // columns, 3), columns


def _matrices(n: int) -> tuple[tuple[int, ...], ...]:
    return (_matrix(n),)


def _square(n: int) -> tuple[int, int]:
    side = max(math.isqrt(n), 4)
    return side, side


def _vector(n: int) -> tuple[int, ...]:
    return (n,)


def _inner(n: int) -> tuple[int, int]:
    rows, columns = _matrix(n)
    return rows - 2, columns - 2


WORKS = (
    Work(copied, _vectors(1), _vector, "points"),
    Work(fused, _vectors(3), _vector, "points"),
    Work(distance, _vectors(2), _vector, "points"),
    Work(row_sums, _matrices, lambda n: _matrix(n)[:1], "rows"),
    Work(softmax, _matrices, _matrix, "rows"),
    Work(layer_norm, _matrices, _matrix, "rows"),
    Work(column_sums, _matrices, lambda n: _matrix(n)[1:], "columns"),
    Work(total, _vectors(1), lambda _: (), "fold"),
    Work(unit, _vectors(1), _vector, "fold"),
    Work(stencil, _matrices, _inner, "points"),
    Work(turned, _matrices, lambda n: _matrix(n)[::-1], "points"),
    Work(running_sums, _matrices, _matrix, "scan"),
    Work(in_order, _vectors(1), _vector, "sort"),
    Work(product, lambda n: (_square(n), _square(n)), _square, "tile"),
)
BY_NAME = {work.name: work for work in WORKS}
# Machine code adds these in another order.
IN_ANOTHER_ORDER = frozenset({"product"})
