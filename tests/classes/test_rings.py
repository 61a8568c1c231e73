"""Rings of objects are collected: none that anybody outside holds, and all others in time."""

import copy
import ctypes
import gc
import pickle
import sys
import textwrap
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scriptc import ScriptError, script
from tests.support.live_source import live_module
from tests.support.support_code import live_blocks


@script
class Node:
    def __init__(self, value: int):
        self.value = value
        self.data = np.full(3, float(value))
        self.next: Node | None = None
        self.others: list[Node] = []


@script
def ring(count: int) -> Node:
    first = Node(0)
    last = first
    for k in range(1, count):
        node = Node(k)
        node.others.append(last)
        last.next = node
        last = node
    last.next = first
    return first


@script
def sum_of(node: Node, count: int) -> int:
    total = 0
    for _ in range(count):
        total += node.value
        following = node.next
        assert following is not None
        node = following
    return total


@script
def many(count: int, size: int) -> int:
    total = 0
    for k in range(count):
        total += sum_of(ring(size), size) + k
    return total


@script
def at_once(count: int) -> int:
    rings = [ring(2) for _ in range(count)]
    return sum([made.value for made in rings])


@script
def failing(count: int) -> int:
    first = ring(5)
    table = {k: ring(3) for k in range(count)}
    table[0].others.append(first)
    first.others.append(table[0])
    return table[count].value


@script
def appended(node: Node, count: int) -> int:
    for _ in range(count):
        made = Node(1)
        made.next = node
        node.others.append(made)
    return len(node.others)


@pytest.fixture(autouse=True)
def _nothing_stays() -> Iterator[None]:  # pyright: ignore[reportUnusedFunction]
    gc.collect()
    many(0, 1)  # what other tests had does not count
    before = live_blocks()
    yield
    gc.collect()
    assert live_blocks() == before


def test_rings_that_a_call_leaves_are_collected_when_it_ends() -> None:
    before = live_blocks()
    assert many(10, 4) == 10 * 6 + 45
    assert live_blocks() == before
    assert at_once(3000) == 0  # of which some stay when the collector runs within the call
    assert live_blocks() == before
    with pytest.raises(KeyError, match="4"):
        failing(4)
    assert live_blocks() == before


def test_a_ring_that_python_holds_stays() -> None:
    node = ring(4)
    held = live_blocks()
    for _ in range(3):
        many(3000, 4)  # more than fit into the first table
        gc.collect()
        assert (sum_of(node, 8), live_blocks()) == (12, held)
    third = node.next
    assert third is not None
    del node
    gc.collect()
    assert (sum_of(third, 4), third.others[0].value, live_blocks()) == (6, 0, held)


def test_a_ring_is_collected_with_pythons_garbage() -> None:
    before = live_blocks()
    node = ring(1000)
    assert live_blocks() > before + 1000
    del node  # nobody calls
    gc.collect()
    assert live_blocks() == before


class Large:
    """An object of more than 500 bytes, which stands in no list of free blocks."""

    def __init__(self):
        self.other: Large | None = None
        self.f0 = self.f1 = self.f2 = self.f3 = self.f4 = self.f5 = self.f6 = self.f7 = 1.0
        self.f8 = self.f9 = self.f10 = self.f11 = self.f12 = self.f13 = self.f14 = self.f15 = 1.0
        self.f16 = self.f17 = self.f18 = self.f19 = self.f20 = self.f21 = self.f22 = self.f23 = 1.0
        self.f24 = self.f25 = self.f26 = self.f27 = self.f28 = self.f29 = self.f30 = self.f31 = 1.0
        self.f32 = self.f33 = self.f34 = self.f35 = self.f36 = self.f37 = self.f38 = self.f39 = 1.0
        self.f40 = self.f41 = self.f42 = self.f43 = self.f44 = self.f45 = self.f46 = self.f47 = 1.0
        self.f48 = self.f49 = self.f50 = self.f51 = self.f52 = self.f53 = self.f54 = self.f55 = 1.0
        self.f56 = self.f57 = self.f58 = self.f59 = self.f60 = self.f61 = self.f62 = self.f63 = 1.0


class Small:
    def __init__(self, key: int):
        self.a = key
        self.b = key
        self.c = key
        self.d = key
        self.next: Small | None = None


@script
def large_and_small(count: int, first: bool) -> tuple[list[int], float, list[int]]:
    larges = [Large() for _ in range(count)]
    smalls = [Small(k) for k in range(count)]
    for small in smalls:
        small.next = smalls[0]
    smalls.pop()  # a free block stands in the table
    larges.pop(0 if first else -1)  # another one takes the place of what is given back
    found: list[int] = []
    for small in smalls:
        if small.next is not None:
            found.append(small.next.a + small.d)
    more = [Small(k + 10) for k in range(count)]
    more[0].next = more[-1]
    return found, sum([large.f1 + large.f63 for large in larges]), [small.d for small in more]


def test_large_blocks_leave_what_stands_beside_free_ones_alone() -> None:
    before = live_blocks()
    for first in (False, True):
        for count in (5, 2, 5):
            found, total, more = large_and_small(count, first)
            assert (found, total) == (list(range(count - 1)), 2.0 * (count - 1))
            assert more == list(range(10, 10 + count))
    assert live_blocks() == before


@pytest.mark.skipif(sys.platform != "linux", reason="Linux says how much memory is in use")
def test_memory_is_bounded_within_a_call() -> None:
    many(10_000, 3)
    before = _resident_pages()
    many(300_000, 3)  # 300 MB together
    assert _resident_pages() - before < 4096


def _resident_pages() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1])


def test_arrays_in_rings_are_let_go() -> None:
    class Array(np.ndarray):
        pass

    @script
    def tied(x: np.ndarray) -> int:
        first, second = Holder(x), Holder(x)
        first.other, second.other = second, first
        return len(x)

    x = np.ones(3).view(Array).view(np.ndarray)
    dead: list[str] = []
    weakref.finalize(x.base, dead.append, "dead")
    assert tied(x) == 3
    del x
    assert dead == ["dead"]


@script
class Holder:
    def __init__(self, x: np.ndarray):
        self.x = x
        self.other: Holder | None = None


def test_all_collections_together_take_linear_time() -> None:
    """Each call leaves a block more; few of the calls collect."""
    node = ring(2)
    for _ in range(20_000):
        appended(node, 1)
    assert len(node.others) == 20_000


def test_threads_collect_each_others_rings() -> None:
    node = ring(10)

    def work(number: int) -> bool:
        good = True
        for turn in range(8):
            good &= many(300, 4) == 300 * 6 + 299 * 150
            mine = ring(number + 2)
            good &= sum_of(mine, number + 2) == (number + 1) * (number + 2) // 2
            good &= sum_of(node, 10) == 45
            if number == 0 and turn % 4 == 0:  # it takes long among so many tests
                gc.collect()
        return good

    with ThreadPoolExecutor(3) as pool:
        assert all(pool.map(work, range(3)))


def test_code_is_freed_after_the_rings_whose_deleters_it_has() -> None:
    source = """
        from scriptc import script

        @script
        class Tied:
            def __init__(self, name: str):
                self.name = name
                self.other: "Tied | None" = None

        @script
        def tied(count: int) -> Tied:
            made = Tied("a name that needs a block of its own, as it is long")
            for k in range(count):
                made = Tied(made.name)
                made.other = made
            return made
    """
    kept = ring(400)  # so few blocks more do not start a collection at the end of a call
    for _ in range(5):
        module = live_module(textwrap.dedent(source))
        module.tied(50)
        del module
        gc.collect(1)
        many(1, 3)
    assert kept.value == 0


def test_what_only_pythons_collector_could_see_is_refused() -> None:
    @script
    def weak(node: Node) -> bool:
        return weakref.ref(node)() is node

    with pytest.raises(ScriptError, match=r"(?s)weakref\.ref is not built.*rings are collected"):
        weak(ring(1))


# Classes that meet in a ring after objects of them were made: nothing declares the fields.
# pyright: basic


def test_objects_are_collected_that_were_made_before_there_could_be_a_ring() -> None:
    @script
    class Item:
        def __init__(self, v):
            self.v = v
            self.kids = []

        def kid(self, other):
            self.kids.append(other)

    @script
    class Holder:
        def __init__(self, item):
            self.item = item

    gc.collect()
    before = live_blocks()
    item = Item(1)
    holder = Holder(item)
    item.kid(holder)
    assert item.kids[0].item is item
    del item, holder
    gc.collect()
    gc.collect()
    assert live_blocks() == before


def test_objects_are_collected_that_what_inherits_puts_into_a_ring() -> None:
    @script
    class Item:
        def __init__(self, v):
            self.v = v

    @script
    class Holder:
        def __init__(self, item):
            self.item = item

    class Box(Item):
        def __init__(self, v, holder):
            super().__init__(v)
            self.holder = holder

    gc.collect()
    before = live_blocks()
    holder = Holder(Item(1))
    box = Box(2, holder)
    holder.item = box
    assert (holder.item.v, box.holder is holder) == (2, True)
    del holder, box
    gc.collect()
    gc.collect()
    assert live_blocks() == before


def _required(backend: str) -> tuple[Any, Any]:
    """Return classes whose objects can be in a ring, though each field needs an object."""

    @script(backend=backend)
    class Base:
        def __init__(self, number: int):
            self.number = number

    class Item(Base):
        other: Base
        both: tuple[Base, Base]

        def __init__(self, number: int, other: Base):
            self.number = number
            self.other = other
            self.both = (other, Base(5))

        def total(self) -> int:
            other, last = self.both
            return self.number + 10 * self.other.number + 100 * other.number + last.number

    return Base, Item


@pytest.mark.parametrize("backend", ["interp", "llvm"])
def test_rings_through_fields_that_need_an_object_are_copied(backend: str) -> None:
    base, item = _required(backend)
    first = item(1, base(0))
    second = item(2, first)
    third = item(3, second)
    first.other, first.both = third, (second, base(7))
    for start in (first, second, third):
        made = copy.deepcopy(start)
        gc.collect()
        assert made.total() == start.total()
        assert made.other.other.other is made
        assert made is not start
    both = copy.deepcopy([second, first])
    assert both[0].other is both[1]


@script
class Base:
    def __init__(self, number: int):
        self.number = number


class Item(Base):
    other: Base

    def __init__(self, number: int, other: Base):
        self.number = number
        self.other = other


def test_rings_through_fields_that_need_an_object_are_pickled() -> None:
    first = Item(1, Base(0))
    first.other = Item(2, first)
    made = pickle.loads(pickle.dumps(first))
    gc.collect()
    assert made.number == 1
    assert isinstance(made.other, Item)
    assert made.other.other is made
    first.other = made.other = Base(0)


def test_ctrl_c_while_python_collects_is_not_lost() -> None:
    many(1, 4)  # from now on rings are collected with Python's garbage
    anyone = ctypes.PYFUNCTYPE(None, ctypes.py_object, ctypes.py_object)
    before = list(gc.callbacks)
    ours = [c for c in before if getattr(c, "__module__", "scriptc").startswith("scriptc")]
    # A C function: Python code in a callback would handle the signal there.
    gc.callbacks[:] = [anyone(("PyErr_SetInterrupt", ctypes.pythonapi)), *ours]
    try:
        with pytest.raises(KeyboardInterrupt):
            gc.collect()
    finally:
        gc.callbacks[:] = before
