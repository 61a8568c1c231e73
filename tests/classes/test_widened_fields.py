"""Fields of scripted classes that hold more as Python goes on, with every backend as in CPython."""

import copy
import ctypes
import gc
import pickle
import threading
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from scriptc import ScriptError, script
from scriptc.classes import layouts
from scriptc.scripted_function import store_of

# Types come from the calls, which is what these classes are about.
# pyright: basic


def _now(held: Any) -> Any:
    """Return a copy: in CPython it changes with the object."""
    return copy.copy(held)


class Stack:
    def __init__(self):
        self.items = []
        self.best = None

    def push(self, x):
        self.items.append(x)
        return self

    def pop(self):
        if not self.items:
            raise IndexError("empty")
        return self.items.pop()

    def see(self, x):
        self.best = x

    def each(self):
        yield from self.items


class Tree:
    def __init__(self, value, left=None, right=None):
        self.value = value
        self.left = left
        self.right = right

    def insert(self, value):
        if value < self.value:
            if self.left is None:
                self.left = Tree(value)
            else:
                self.left.insert(value)
        elif self.right is None:
            self.right = Tree(value)
        else:
            self.right.insert(value)

    def values(self):
        found = []
        if self.left is not None:
            found += self.left.values()
        found.append(self.value)
        if self.right is not None:
            found += self.right.values()
        return found


class Room:
    def __init__(self, name):
        self.name = name
        self.exits = {}
        self.other = None
        self.seen = []
        self.cost = 0

    def tie(self, other):
        self.other = other
        other.other = self
        self.seen.append(other)

    def go(self, steps):
        room = self
        for _ in range(steps):
            room = room.other  # pyright: ignore
        return room

    def note(self, key, value):
        self.exits[key] = value

    def pay(self, amount):
        self.cost += amount
        return self.cost


class Model:
    def __init__(self, n):
        self.weights = np.zeros(n)
        self.losses = []
        self.best = None
        self.named = {}

    def step(self, x):
        self.weights += x
        loss = float(np.sum(self.weights))
        self.losses.append(loss)
        if self.best is None or loss < self.best:
            self.best = loss

    def keep(self, name):
        self.named[name] = self.weights


def used_stack(Stack: Any) -> list[object]:
    first, second = Stack(), Stack()
    found: list[object] = [_now(first.items), first.best]
    with pytest.raises(IndexError, match="empty"):
        first.pop()
    first.push(1).push(2)
    found += [first.pop(), _now(first.items), _now(second.items)]
    second.push("a")
    second.see(2.5)
    found += [_now(second.items), _now(first.items), first.best, second.best]
    first.see(first.pop())
    found += [first.best, type(first.best).__name__, second.pop(), _now(second.items)]
    first.push(None).push((1, "b"))
    return [*found, _now(first.items), list(first.each())]


def used_tree(Tree: Any) -> list[object]:
    root = Tree(5)
    for value in (3, 8, 2.5, 9):
        root.insert(value)
    other = Tree("m")
    other.insert("a")
    found: list[object] = [root.values(), other.values(), root.left.left.value, root.left.value]
    with pytest.raises(TypeError, match="'<' not supported between instances of 'str' and 'int'"):
        root.insert("x")
    root.right = None
    root.left.value = 4
    return [*found, root.values()]


def used_rooms(Room: Any) -> list[object]:
    a, b = Room("a"), Room("b")
    seen = weakref.ref(a)
    a.tie(b)
    found: list[object] = [a.go(3) is b, a.go(4) is a, _now(a.exits), a.seen[0] is b]
    for room, key, value in ((a, "north", 1), (b, "south", 2.5), (b, 3, (1,))):
        room.note(key, value)
        found += [
            a.go(3) is b,
            a.go(4) is a,
            _now(a.exits),
            _now(b.exits),
            seen() is a,
            a.seen[0] is b,
        ]
    twin = copy.deepcopy(a)
    found += [
        twin.go(2) is twin,
        _now(twin.other.exits),
        twin.seen[0] is twin.other,
        twin.other is b,
    ]
    found += [repr(a.pay(2)), repr(b.pay(0.5)), repr(a.pay(1)), repr(twin.cost)]
    return found


def used_model(Model: Any) -> list[object]:
    first, second = Model(3), Model(2)
    weights = first.weights
    weights[0] = 7.0
    first.step(1.0)
    found: list[object] = [
        _now(first.losses),
        first.best,
        second.best,
        weights.tolist(),
        _now(second.losses),
    ]
    weights[1] = 100.0
    first.keep("w")
    found += [first.weights.tolist(), first.named["w"].tolist(), _now(second.named)]
    second.step(1.0)
    return [*found, _now(second.losses), first.best]


def used_fields(Room: Any) -> list[object]:
    a, b = Room("a"), Room("b")
    a.other = b
    a.name = None
    found: list[object] = [a.other is b, b.other, a.name, b.name, a.go(1) is b]
    a.other = None
    b.exits = {"x": 1}
    b.note("y", 2)
    a.exits = {}
    a.note(1, 2.5)
    a.seen = [b]
    return [*found, _now(b.exits), _now(a.exits), a.seen[0] is b, _now(b.seen)]


class Rates:
    def __init__(self):
        self.rate = 1.5
        self.steps = [0.5]
        self.named = {"a": 0.5}
        self.pair = (0.5, 1)
        self.losses = []

    def see(self, x):
        self.losses.append(x.mean())
        self.steps.append(self.rate)
        return self.losses[-1] * self.rate


def used_rates(Rates: Any) -> list[object]:
    rates, other = Rates(), Rates()
    found: list[object] = [rates.see(np.ones(2)), _now(rates.losses)]
    rates.losses.append(0.5)
    found += [rates.see(np.zeros(3)), _now(rates.losses)]
    rates.losses.append(1)
    rates.losses.append(np.float64(2.0))
    rates.rate = 2
    found += [rates.rate, rates.rate / 4, rates.see(np.ones(2)), _now(rates.losses)]
    rates.steps.append(3)
    rates.named["b"] = 4
    rates.pair = (1, 2)
    other.steps = [1, 2]
    found += [_now(rates.steps), rates.named["b"], rates.pair, _now(other.steps), other.rate]
    return [*found, other.see(np.ones(1)), _now(other.steps)]


USES = [
    (Rates, used_rates),
    (Stack, used_stack),
    (Tree, used_tree),
    (Room, used_rooms),
    (Model, used_model),
    (Room, used_fields),
]


@pytest.mark.parametrize("backend", ["llvm", "interp"])
@pytest.mark.parametrize(("cls", "use"), USES, ids=[use.__name__ for _, use in USES])
def test_fields_hold_what_they_are_given(
    cls: type, use: Callable[[Any], object], backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = use(cls)
    scripted = script(cls, backend=backend)
    monkeypatch.setitem(globals(), cls.__name__, scripted)  # as a decorator would
    assert repr(use(scripted)) == repr(expected)


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_objects_stay_while_a_generator_may_hold_them(backend: str) -> None:
    scripted: Any = script(Stack, backend=backend)
    stack = scripted().push(1).push(2)
    going_on = stack.each()
    assert next(going_on) == 1
    with pytest.raises(ScriptError, match="while a generator of a script is not at its end"):
        stack.push("a")
    assert (stack.items, list(going_on)) == ([1, 2], [2])
    assert stack.push("a").items == [1, 2, "a"]


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_what_goes_wrong_leaves_objects_as_they_were(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted: Any = script(Stack, backend=backend)
    stacks = [scripted().push(k) for k in range(3)]
    real, count = layouts.complete, 0

    def failing(*args: Any) -> None:
        nonlocal count
        count += 1
        if count == 2:
            raise MemoryError
        real(*args)

    monkeypatch.setattr(layouts, "complete", failing)
    for _ in range(2):
        try:
            stacks[0].push("a")
        except MemoryError:
            assert [s.items for s in stacks] == [[0], [1], [2]]
            assert stacks[1].pop() == 1
            stacks[1].push(1)
    assert [s.items for s in stacks] == [[0, "a"], [1], [2]]


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_pickles_of_objects_that_held_less(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scripted: Any = script(Stack, backend=backend)
    monkeypatch.setitem(globals(), "Stack", scripted)
    stack = scripted()
    empty = pickle.dumps(stack)
    stack.push(3).see("x")
    again = pickle.loads(empty)
    assert (again.items, again.best, stack.items, stack.best) == ([], None, [3], "x")
    assert again.push(2.5).items == [2.5]
    assert pickle.loads(pickle.dumps(stack)).items == [3]


def test_threads_call_methods_while_objects_move() -> None:
    scripted: Any = script(Stack)
    stack, others = scripted().push(1), [scripted() for _ in range(50)]

    def work() -> None:
        for k in range(300):
            mine = others[k % len(others)]
            try:
                mine.push(2)
                mine.pop()
            except TypeError as error:
                if "never initialised" not in str(error):
                    raise

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    stack.push("a").push(None).push(2.5)
    for thread in threads:
        thread.join()
    assert stack.items == [1, "a", None, 2.5]


def test_nothing_of_the_objects_as_they_were_stays() -> None:
    scripted: Any = script(Stack)
    counter = store_of(script(used_stack)._options.cache_dir).support["sc_live_blocks"]
    gc.collect()
    before = ctypes.c_int64.from_address(counter).value
    stacks = [scripted().push(k) for k in range(10)]
    stacks[0].push("a").push(None)
    del stacks
    gc.collect()
    assert ctypes.c_int64.from_address(counter).value == before


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_what_a_class_declares_stays(backend: str) -> None:
    class Declared:
        x: float

        def __init__(self, x):
            self.x = x
            self.y = 1

    scripted: Any = script(Declared, backend=backend)
    declared = scripted(1.5)
    with pytest.raises(TypeError, match="field 'x': expected float, got str"):
        declared.x = "a"
    declared.y = "b"
    assert (declared.x, declared.y, scripted(2.0).y) == (1.5, "b", 1)


class _Order:
    def __init__(self, n: int):
        self.n = n


class _Trade:
    def __init__(self, n: int):
        self.n = n


class _Item:
    def __init__(self):
        self.items = []


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_an_object_is_read_whose_neighbour_came_to_hold_another_class(backend: str) -> None:
    order: Any = script(_Order, backend=backend)
    trade: Any = script(_Trade, backend=backend)

    class Book:
        def __init__(self):
            self.last: order | None = None  # pyright: ignore[reportInvalidTypeForm]
            self.trades = []

        def put(self, n: int):
            self.trades.append(trade(n))
            return order(n + 1)

    book: Any = script(Book, backend=backend)()
    assert (book.put(4).n, [t.n for t in book.trades]) == (5, [4])


class _Grid:
    def __init__(self, n, fill=0):
        self.cells = [[fill] * n for _ in range(n)]
        self.counts = {fill: n}
        self.pair = [fill, fill]

    def get(self, i):
        return self.cells[i][i], self.counts, self.pair


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_lists_that_an_init_makes_hold_other_types_in_other_objects(backend: str) -> None:
    cls: Any = script(_Grid, backend=backend)
    made = [cls(2), cls(2, "."), cls(1, 0.5)]
    assert [one.get(0) for one in made] == [
        *((0, {0: 2}, [0, 0]), (".", {".": 2}, [".", "."]), (0.5, {0.5: 1}, [0.5, 0.5]))
    ]
    assert [one.cells for one in made] == [[[0, 0]] * 2, [[".", "."]] * 2, [[0.5]]]


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_an_heir_sets_a_list_of_its_base_again(backend: str) -> None:
    base: Any = script(_Item, backend=backend)

    class Named(base):
        def __init__(self):
            super().__init__()
            self.items = ["a"]

        def add(self, text):
            self.items.append(text)
            return self

    class Counted(base):
        def __init__(self):
            super().__init__()
            self.items = []
            self.table = {}

        def add(self, key):
            self.items.append(key)
            self.table[key] = self.table.get(key, 0) + 1
            return self

    named: Any = script(Named, backend=backend)
    counted: Any = script(Counted, backend=backend)
    assert named().add("b").items == ["a", "b"]
    made = counted()
    assert (made.add("x").add("x").items, made.table) == (["x", "x"], {"x": 2})
    plain = base()
    plain.items.append(3)
    assert (plain.items, made.items, named().items) == ([3], ["x", "x"], ["a"])
