"""Ints in containers that are declared to hold floats stay ints: the text tells them apart."""

# pyright: basic

import heapq
from collections import OrderedDict, defaultdict, deque

import numpy as np

from tests.programs import Case


def described(xs: list[int]) -> dict[str, float]:
    return {"count": len(xs), "mean": sum(xs) / len(xs)}


def listed(xs: list[int]) -> list[float]:
    return [len(xs), 0.5]


def weights(n: int) -> dict[tuple[int, int], float]:
    return {(i, i + 1): i * 2 for i in range(n)}


def containers(n: int) -> str:
    xs = list(range(n + 1))
    grown: list[float] = []
    grown.append(len(xs))
    grown.append(0.5)
    counted: dict[str, float] = {}
    counted["n"] = len(xs)
    counted["half"] = n / 2
    made = described(xs), listed(xs), grown, counted, weights(n)
    return f"{made}"


def with_names(xs: list[int]) -> list[tuple[str, float]]:
    return [("count", len(xs)), ("half", 0.5)]


def in_order(xs: list[int]) -> dict[str, float]:
    return OrderedDict(count=len(xs), half=0.5)


def pairs_inside(xs: list[int]) -> dict[str, tuple[float, str]]:
    return {"a": (len(xs), "s"), "b": (0.5, "t")}


def numbers(n: int) -> list[int]:
    return list(range(n))


def collections_of_floats(n: int) -> str:
    xs = numbers(n)
    unique: set[float] = set()
    unique.add(len(xs))
    unique.add(0.5)
    line: deque[float] = deque()
    line.append(len(xs))
    line.append(0.5)
    heap: list[tuple[float, str]] = []
    for pair in ((n, "a"), (0.5, "b"), (2, "c")):
        heapq.heappush(heap, pair)
    first = [heapq.heappop(heap) for _ in range(3)]
    edges: dict[str, list[tuple[str, float]]] = defaultdict(list)
    edges["a"].append(("b", len(xs)))
    edges["a"].append(("c", 1.5))
    extended: list[float] = [1.5]
    extended.extend(numbers(n))
    extended.extend(x / 2 for x in xs)
    extended += numbers(2)
    best: tuple[float, str] | None = None
    for x in (n, 1.5):
        if best is None or x > best[0]:
            best = (x, "best")
    made = with_names(xs), in_order(xs), pairs_inside(xs)
    return f"{made} {sorted(unique)} {line} {first} {edges} {extended} {best}"


def as_array(n: int) -> str:
    xs: list[float] = []
    for i in range(n):
        xs.append(i * 0.5)
    heights: list[float] = [1, 2, n * 0.5]
    return f"{np.array(xs)} {np.mean(heights)} {sum(xs)}"


CASES: list[Case] = [
    (containers, [(0,), (3,)]),
    (collections_of_floats, [(0,), (3,)]),
    (as_array, [(1,), (3,)]),
]
