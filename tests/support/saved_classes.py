"""Classes whose objects `test_saved_state` saves; it loads this file once for each backend."""

# pyright: basic

import numpy as np

from scriptc import script
from scriptc.types import D, K, M, N, f64

SHARED = np.arange(3.0)


@script
class Pair:
    def __init__(self, e: f64[N], z: f64[M]) -> None:
        self.e = e
        self.z = z

    def up(self) -> f64[M]:
        self.e += 1.0
        return self.z

    def down(self) -> f64[N]:
        self.z -= 10.0
        return self.e


@script
class Part:
    def __init__(self, x: float) -> None:
        self.x = x
        self.w = np.zeros(2)

    def up(self) -> float:
        self.x += 1.0
        self.w += 1.0
        return self.x


@script
class Whole:
    best: f64[K, D] | None
    inner: Part
    maybe: Part | None
    parts: list[Part]

    def __init__(self, x: float) -> None:
        self.best = None
        self.inner = Part(x)
        self.also = self.inner
        self.maybe = None
        self.parts = [self.inner, Part(x + 1.0)]

    def fit(self) -> None:
        self.best = np.ones((2, 3))
        self.maybe = self.parts[1]

    def up(self) -> float:
        total = self.inner.up() + 100.0 * self.also.x + 10.0 * self.parts[0].x
        maybe = self.maybe
        if maybe is not None:
            total += 1000.0 * maybe.up() + 10000.0 * self.parts[1].x
        best = self.best
        return total if best is None else total + float(np.sum(best))


@script
class Scalar:
    def __init__(self, x) -> None:
        self.x = x

    def value(self) -> float:
        return float(self.x[()])


@script
class Holder:
    inner: Part

    def __init__(self) -> None:
        self.inner = Part(2.0)


@script
class Lists:
    counts: list[int]
    rows: list[list[float]]
    arrays: list[f64[N]]
    pair: tuple[str, list[bool], tuple[int, f64[N]]]
    single: tuple[float]

    def __init__(self, x: f64[N]) -> None:
        self.counts = [1, 2]
        self.rows = [[0.5], [-0.0, 2.5]]
        self.arrays = [x, np.ones(2)]
        self.pair = ("a", [True], (3, x))
        self.single = (np.inf,)
        self.small = np.float32(0.1)

    def push(self, i: int) -> int:
        self.counts.append(i)
        self.rows[0].append(1.5)
        self.arrays[0] += 1.0
        return len(self.counts) + len(self.rows[0])

    def last(self) -> f64[N]:
        return self.pair[2][1]

    def scalar(self) -> float:
        return self.single[0]


@script
class OneList:
    def __init__(self) -> None:
        self.xs = [1]
        self.ys = (0, [self.xs])


@script
class Ring:
    other: "Ring | None"

    def __init__(self) -> None:
        self.other = None

    def close(self) -> None:
        self.other = self

    def link(self, other: "Ring") -> None:
        self.other = other


@script
class Global:
    def __init__(self, w: f64[N]) -> None:
        self.w = w

    def both(self) -> f64[N]:
        self.w += 1.0
        return self.w + SHARED
