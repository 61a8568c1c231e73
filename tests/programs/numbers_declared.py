"""Numbers of one of several types where a float is declared."""

from dataclasses import dataclass

import numpy as np

from tests.programs import Case


def median(xs: list[int | float], i: int) -> float:
    return xs[i]


def halved(a: float) -> float:
    return a / 2


def through_others(xs: list[int | float]) -> tuple[float, float, float]:
    first: float = xs[0]
    total = 0.5
    total += halved(xs[1])
    return first + 0.5, halved(xs[-1]), total


class Mean:
    def __init__(self) -> None:
        self.total: float = 0.0

    def add(self, x: int | float) -> None:
        self.total = self.total + 0.5
        self.last: float = x


def in_fields(xs: list[int | float]) -> tuple[float, float]:
    mean = Mean()
    for x in xs:
        mean.add(x)
    return mean.total, mean.last / 4


def kept(x: int) -> int:
    return x


def shown(x: int, y: int = False) -> str:
    return f"{x} {y}"


def turned(n: int, odd: int) -> int:
    return odd if n == 0 else turned(n - 1, not odd)


def perhaps(x: int | None = None) -> int | None:
    return x


def bools_as_ints(a: int) -> object:
    n: int = a > 2
    m: int = 0
    for i in range(a):
        m = i > 1
    sums = n + 1, n
    n += 5
    return kept(a > 2), kept(a), shown(a > 2), shown(a, 1), sums, n, m, turned(3, 0), perhaps(True)


def perhaps_first(x: np.ndarray, k: int):
    return None if k == 0 else x[0] if k == 1 else 2


def perhaps_count(k: int) -> int | None:
    return None if k == 0 else k


def whole(k: int) -> float | None:
    return perhaps_count(k)


def doubled(x: float | None) -> str:
    return "none" if x is None else f"{x * 2:.3f}"


@dataclass
class Leaf:
    value: float | None = None
    count: float | None = None


def where_none_may_be(x: np.ndarray, k: int):
    leaf = Leaf(perhaps_first(x, k), perhaps_count(k))
    texts = [doubled(leaf.value), doubled(leaf.count), doubled(whole(k))]
    leaf.value = x.mean()
    leaf.count = perhaps_first(x, k)
    return *texts, doubled(leaf.value), doubled(leaf.count), doubled(perhaps_count(k))


CASES: list[Case] = [
    (bools_as_ints, [(3,), (0,)]),
    (median, [([1, 2.5], 1), ([1.5, 2], 0)]),
    (through_others, [([1, 2.5],), ([1.5, 3],)]),
    (in_fields, [([1, 2.5],), ([2.5, 1],)]),
    (where_none_may_be, [(np.ones(3), 0), (np.ones(3), 1), (np.ones(3), 2)]),
]
