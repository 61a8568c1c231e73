"""Containers of arrays on a device: dicts, deques, named tuples, and those in fields of objects."""

# Results have no annotations.
# pyright: basic

import copy
from collections import defaultdict, deque
from typing import NamedTuple

import numpy as np
import pytest

import scriptc
from scriptc import script
from tests.support.device_calls import OnDevice, to_host


class Point(NamedTuple):
    place: np.ndarray
    weight: float


def stepped(p, g):
    for k in p:
        p[k] = p[k] - 0.1 * g
    p["new"] = g * 2.0
    p["w"] += 1.0
    return p


def replaced(p):
    del p["w"]
    q = {"z": p["b"] * 2.0}
    p["w"] = q["z"] + 1.0
    return q


def grouped(d, q):
    d[2].append(d[1][0] * 3.0)
    first = q.popleft()
    q.append(first * 5.0)
    found = {k: [v + 1.0 for v in d[k]] for k in d}
    return first + q[0], found


def weighted(points):
    points.append(Point(points[0].place * 2.0, 1.0))
    total = np.zeros(3)
    for p in points:
        total += p.place * p.weight
    return Point(total, 2.0), [(p.weight, p.place) for p in points]


class Bag:
    def __init__(self, x):
        self.named = {"x": x}
        self.last = deque([x])

    def grow(self):
        self.named["y"] = self.named["x"] * 2.0
        self.last.append(self.last[0] + 1.0)
        self.named["x"] += 1.0
        total = 0.0
        for k in self.named:
            total += float(np.sum(self.named[k]))
        return total


def plain(value):
    """Return a value with lists for arrays, which compare, and what tells classes apart."""
    if isinstance(value, np.ndarray):
        return str(value.dtype), value.tolist()
    if isinstance(value, dict):
        return type(value).__name__, [(key, plain(item)) for key, item in value.items()]
    if isinstance(value, tuple | list | deque):
        return type(value).__name__, [plain(item) for item in value]
    return value


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (stepped, ({"w": np.arange(4.0), "b": np.ones(4)}, np.arange(4.0))),
        (replaced, ({"w": np.arange(4.0), "b": np.ones(4)},)),
        (grouped, (defaultdict(list, {1: [np.ones(2)]}), deque([np.arange(3.0), np.ones(3)]))),
        (weighted, ([Point(np.arange(3.0), 2.0)],)),
    ],
)
def test_what_containers_hold_goes_to_the_device_and_back(function, arguments) -> None:
    given, expected = copy.deepcopy(arguments), copy.deepcopy(arguments)
    result = script(function, backend="cuda")(*given)
    assert plain(result) == plain(function(*expected))
    assert plain(given) == plain(expected)


def test_a_dict_keeps_the_arrays_that_stay() -> None:
    w = np.arange(4.0)
    given = {"w": w, "b": np.ones(4)}
    assert script(stepped, backend="cuda")(given, np.arange(4.0)) is given
    assert list(given) == ["w", "b", "new"]


def test_containers_of_objects_hold_arrays() -> None:
    on, expected = script(Bag, backend="cuda")(np.arange(3.0)), Bag(np.arange(3.0))
    assert [on.grow(), on.grow()] == [expected.grow(), expected.grow()]
    assert plain(on.named) == plain(expected.named)
    assert plain(on.last) == plain(expected.last)


def test_arrays_in_containers_are_moved_once() -> None:
    given = {"p": Point(np.arange(3.0), 2.0), "q": deque([np.ones(2)])}
    moved = scriptc.to_device(given)
    assert (type(moved["p"]), type(moved["q"])) == (Point, deque)
    assert np.asarray(moved["p"].place).tolist() == [0.0, 1.0, 2.0]
    assert given["q"][0].tolist() == np.asarray(moved["q"][0]).tolist()


def test_arrays_of_a_device_are_found_in_containers() -> None:
    given = {"w": OnDevice(np.arange(4.0)), "b": OnDevice(np.ones(4))}
    expected = {"w": np.arange(4.0), "b": np.ones(4)}
    result = script(replaced)(given)
    replaced(expected)
    assert list(given) == ["b", "w"]
    assert (
        to_host(given["w"]).tolist()
        == expected["w"].tolist()
        == (to_host(result["z"]) + 1).tolist()
    )
