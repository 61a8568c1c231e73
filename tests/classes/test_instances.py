"""Python's objects of scripted classes: one for each instance, as long as anything holds it."""

import copy
import ctypes
import gc
import os
import pickle
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from scriptc import script
from scriptc.scripted_function import store_of
from scriptc.types import N, f64
from scriptc_runtime.errors import UnsupportedError


@script(backend="llvm")
class Point:
    def __init__(self, x: float, y: float) -> None:
        self.x = x
        self.y = y


@script(backend="llvm")
class Link:
    def __init__(self, value: f64[N], point: Point) -> None:
        self.value = value
        self.point = point


@script(backend="llvm")
def moved(p: Point, by: float) -> Point:
    return Point(p.x + by, p.y + by)


@script(backend="llvm")
def itself(p: Point) -> Point:
    return p


@script(backend="llvm")
def point_of(link: Link) -> Point:
    return link.point


@script(backend="llvm")
def maybe(p: Point, wanted: bool) -> Point | None:
    return p if wanted else None


@script(backend="llvm")
def thrice(p: Point) -> tuple[Point, Point, Point]:
    new = Point(p.y, p.x)
    return new, p, new


@script(backend="llvm")
def swapped(p: Point) -> None:
    p.x, p.y = p.y, p.x


def live_blocks() -> int:
    support = store_of(os.environ["SCRIPTC_CACHE_DIR"]).support
    return ctypes.c_int64.from_address(support["sc_live_blocks"]).value


def test_an_instance_has_one_object() -> None:
    p = Point(1.0, 2.0)
    assert itself(p) is p
    assert maybe(p, True) is p
    assert maybe(p, False) is None
    link = Link(np.ones(2), p)
    assert link.point is p
    assert point_of(link) is p
    first, second, third = thrice(p)
    assert (first is third, second is p, first is p) == (True, True, False)
    assert (type(first), first.x, first.y) == (Point, 2.0, 1.0)


def test_an_instance_outlives_its_object() -> None:
    link = Link(np.ones(2), Point(1.0, 2.0))
    swapped(link.point)
    held = link.point
    assert (held.x, held.y) == (2.0, 1.0)
    assert point_of(link) is held


def test_objects_and_blocks_are_freed_once() -> None:
    value = np.ones(3)
    p = moved(Point(1.0, 2.0), 1.0)
    Link(value, p)
    point_of(Link(value, p))
    gc.collect()
    before, held, types = live_blocks(), sys.getrefcount(value), sys.getrefcount(Point)
    kept = [Link(value, moved(p, float(n))) for n in range(10)]
    points = [point_of(link) for link in kept for _ in range(3)]
    assert live_blocks() == before + 20
    assert sys.getrefcount(value) == held + 10
    assert sys.getrefcount(Point) == types + 10
    del kept
    assert live_blocks() == before + 10
    del points
    assert (live_blocks(), sys.getrefcount(value)) == (before, held)
    assert sys.getrefcount(Point) == types


def test_weak_references_do_not_keep_an_object() -> None:
    link = Link(np.ones(2), Point(1.0, 2.0))
    seen: list[Any] = []

    def callback(dead: "weakref.ref[Point]") -> None:
        # The instance lives: what asks for it now gets another object.
        seen.append((dead(), link.point))

    weak = weakref.ref(link.point, callback)
    assert weak() is None
    p = link.point
    seen.clear()
    weak = weakref.ref(p, callback)
    assert weak() is p
    del p
    ((dead, other),) = seen
    assert dead is None
    assert other is link.point
    assert (other.x, other.y) == (1.0, 2.0)


class _Keeper:
    """Part of a cycle; takes what it holds out of it."""

    kept: "list[Point]" = []  # noqa: RUF012 -- of all of them

    def __init__(self, p: Point) -> None:
        self.p = p
        self.me = self

    def __del__(self) -> None:
        self.kept.append(self.p)


def test_an_object_that_a_finaliser_keeps_is_whole() -> None:
    _Keeper(Point(3.0, 4.0))
    gc.collect()
    p = _Keeper.kept.pop()
    assert (p.x, p.y) == (3.0, 4.0)
    assert itself(p) is p


def test_objects_of_many_threads_are_their_own() -> None:
    link = Link(np.ones(2), Point(0.0, 0.0))
    before = live_blocks()

    def work(number: int) -> bool:
        good = True
        for step in range(2000):
            p = moved(Point(float(number), 0.0), float(step))
            good &= (p.x, p.y) == (number + step, step)
            shared = point_of(link)
            good &= shared is point_of(link)
            del shared
        return good

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(4)))
    assert live_blocks() == before


class _Collecting:
    """Garbage whose end asks for the point of a link."""

    def __init__(self, link: Link, seen: list[object]) -> None:
        self.link, self.seen, self.me = link, seen, self

    def __del__(self) -> None:
        self.seen.append(self.link.point)


def test_an_object_made_while_another_is_made_is_the_same(thorough: bool) -> None:
    link = Link(np.ones(2), Point(1.0, 2.0))
    seen: list[object] = []
    threshold = gc.get_threshold()
    try:
        gc.collect()
        for _ in range(20 if thorough else 5):
            _Collecting(link, seen)
            gc.set_threshold(1)  # the next allocation of an object collects
            p = point_of(link)
            gc.set_threshold(*threshold)
            gc.collect()
            assert all(s is p for s in seen)
            seen.clear()
    finally:
        gc.set_threshold(*threshold)


@pytest.mark.parametrize("backend", ["interp", "llvm"])
@pytest.mark.parametrize("name", ["__new__", "__del__"])
def test_a_class_that_makes_or_ends_its_objects_is_refused(name: str, backend: str) -> None:
    def initialise(self: object) -> None:
        pass

    def other(self: object) -> None:
        pass

    written = type("C", (), {"__init__": initialise, name: other})
    with pytest.raises(UnsupportedError, match=f"{name} is not in the language") as caught:
        script(written, backend=backend)
    (problem,) = caught.value.diagnostics
    assert problem.span is not None


def test_objects_take_no_other_attributes() -> None:
    p: Any = Point(1.0, 2.0)
    with pytest.raises(AttributeError, match=r"^'Point' object has no attribute 'z'"):
        p.z = 3.0


def test_copies_leave_no_blocks_behind() -> None:
    link = Link(np.ones(2), Point(1.0, 2.0))

    def by_pickle(value: Link) -> Link:
        return pickle.loads(pickle.dumps(value))

    def check(made: Link) -> None:
        assert point_of(made) is made.point
        assert itself(made.point) is made.point

    for duplicate in (copy.copy, copy.deepcopy, by_pickle):
        check(duplicate(link))
        before = live_blocks()
        for _ in range(20):
            check(duplicate(link))
        assert live_blocks() == before
