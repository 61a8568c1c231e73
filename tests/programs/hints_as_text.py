"""Annotations under `from __future__ import annotations`, with names for type checkers alone."""

# Annotations that say little are what these programs are about.
# pyright: basic, reportMissingImports=false, reportArgumentType=false
# ruff: noqa: UP037

from __future__ import annotations

import typing
from collections.abc import Generator
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from scriptc.types import N, f64
from tests.programs import Case

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import nowhere.at.all

    FloatArray = npt.NDArray[np.float64]
if typing.TYPE_CHECKING:
    from nowhere import Thing as Other

    class Shape: ...


Array = np.ndarray


def scaled(x: np.ndarray, k: float | np.ndarray, sign: int = 1) -> FloatArray:
    y: Array = x * k
    z: FloatArray = y * sign
    return z


def unknown(x: Other, y: nowhere.at.all.Class[int, ...] | None, z: Shape | None = None) -> Other:
    a: nowhere.Thing = x
    if y is None:
        return a, z
    return a + y, z


def items(xs: Sequence[float], f: Callable[[float], float]) -> Sequence[float]:
    return [f(x) for x in xs]


def passes(xs: Sequence[float], ys: "Array") -> Any:
    return items(xs, lambda v: v - 1), items(ys, np.sin), scaled(ys, ys, sign=-1)


def declared(x: f64[N], n: int, mode: Literal["a", "b"] = "a") -> float:
    total: float = n / 2
    return x.sum() * total if mode == "a" else x[0] - total


def counted(n: int) -> Iterator[int]:
    yield from range(n)


def averaged() -> Generator[float, float, str]:
    total = yield 0.0
    yield total / 2
    return "done"


def generators(n: int):
    halves = averaged()
    next(halves)
    return [halves.send(2.0 * k) for k in counted(n)]


T = TypeVar("T")


class Box(Generic[T]):
    def __init__(self, held: T, more: list[T], note: FloatArray | None = None):
        self.held = held
        self.more = more


def boxes(n: int) -> tuple[int, str, int]:
    return Box(n, [1]).held, Box("a", ["b"]).more[0], len(Box([n], [[n]]).held)


X = np.array([1.0, -2.0, 0.5])
A = np.array([[1.0, -0.0], [np.nan, 2.0]])
CASES: list[Case] = [
    (scaled, [(X, 2), (X, X), (A, 0.5), (A.T, A), (X.astype(np.float32), 3), (1, 2)]),
    (unknown, [(X, X), (X, None), (1, 2, X), (A, 1.5, 3), (True, None, "a")]),
    (passes, [([1.0, 2.0], X), (X, X[::-1]), ((1, 2), X)]),
    (boxes, [(3,)]),
    (generators, [(1,)]),
    (declared, [(X, 2), (X, 3, "b"), (np.zeros(0), 1)]),
]
