"""Lists, dicts, sets and deques that Python reads from fields: what it puts in, the object has."""

import copy
import json
import pickle
from collections import Counter, OrderedDict, defaultdict, deque
from typing import Any

import pytest

from scriptc import script

# Types come from the calls, which is what these classes are about.
# pyright: basic


class Node:
    def __init__(self, name):
        self.name = name
        self.children = []
        self.tags = {}
        self.seen = set()
        self.waiting = deque(maxlen=3)
        self.grid = [[0] * 2 for _ in range(2)]
        self.by = defaultdict(list)
        self.counts = Counter()
        self.order = OrderedDict()
        self.pair = ([1], "x")

    def total(self):
        return len(self.children) + sum(child.total() for child in self.children)

    def sums(self):
        return sum(map(sum, self.grid)) + self.pair[0][-1]

    def add(self, child):
        self.children.append(child)

    def fill(self):
        self.waiting.append(1)
        self.by["a"].append(1)
        self.counts["x"] += 1
        self.seen.add(1)
        self.order["k"] = 1

    def shown(self):
        return str((sorted(self.seen), self.waiting, self.tags, dict(self.by), self.counts))


def last(xs):
    return xs[-1]


def grow(xs):
    xs.append(7)
    return len(xs)


def used_lists(Node: Any, last: Any, grow: Any) -> list[object]:
    a, b, c = Node("a"), Node("b"), Node("c")
    a.children.append(b)
    a.children.append(c)
    b.children.extend([Node("d"), Node("e")])
    found: list[object] = [a.total(), a.children[0] is b, a.children == [b, c]]
    a.grid[0][1] = 5
    a.grid[1].append(3)
    a.grid.append([1])
    rows = a.grid
    rows.append([2])
    rows[-1].append(4)
    a.pair[0].append(9)
    found += [str(a.grid), a.sums(), str(a.pair)]
    children = a.children
    a.add(Node("f"))
    children.append(Node("g"))
    a.children.sort(key=lambda node: node.name, reverse=True)
    found.append([node.name for node in a.children])
    a.children.pop()
    a.children += [b]
    a.children[:] = a.children[1:3]
    del a.children[0]
    found += [[node.name for node in a.children], a.total()]
    found += [json.dumps(a.grid), copy.copy(a.grid), pickle.loads(pickle.dumps(a.grid))]
    found += [last(a.grid), last([a.grid[0], [1]]), [*a.grid, [2]], isinstance(a.grid, list)]
    found += [grow(a.grid[0]), type(a.grid).__name__, repr(a.grid[1])]
    return found


def used_others(Node: Any) -> list[object]:
    a = Node("a")
    a.fill()
    a.tags["z"] = 2
    a.tags.update(y=3)
    a.tags |= {"v": 4}
    popped = a.tags.pop("z"), a.tags.setdefault("w", 9)
    a.seen.add(5)
    a.seen |= {7}
    a.seen.discard(1)
    a.waiting.append(2)
    a.waiting.extendleft([0, 8])
    first = a.waiting.popleft()
    a.by["b"].append(4)
    a.by["a"].append(2)
    a.by.setdefault("c", []).append(3)
    a.counts["x"] += 2
    a.counts.update("xy")
    a.order["j"] = 2
    a.order.move_to_end("k")
    found: list[object] = [popped, first, a.shown(), list(a.order), repr(a.seen), repr(a.waiting)]
    return [*found, a.counts.most_common(1), copy.deepcopy(a.by), a.waiting.maxlen]


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_what_python_puts_into_fields_is_there(backend: str) -> None:
    expected = used_lists(Node, last, grow), used_others(Node)
    cls, own, own_grow = (script(f, backend=backend) for f in (Node, last, grow))
    assert repr((used_lists(cls, own, own_grow), used_others(cls))) == repr(expected)


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_what_a_function_puts_into_a_field_that_it_is_given(backend: str) -> None:
    class Held:
        def __init__(self):
            self.xs = [1, 2]

    held: Any = script(Held, backend=backend)()
    assert script(grow, backend=backend)(held.xs) == 3
    assert held.xs == [1, 2, 7]


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_what_a_field_has_no_more_is_pythons_own(backend: str) -> None:
    node: Any = script(Node, backend=backend)("a")
    node.fill()
    row, grid, waiting = node.grid[0], node.grid, node.waiting
    node.grid = [[9, 9]]
    row.append(1)
    assert (grid[0], node.grid) == ([0, 0, 1], [[9, 9]])
    by = node.by
    by["x"].append(1)
    part = node.by["x"]
    node.by = defaultdict(list)
    with pytest.raises(RuntimeError, match="the field 'by' was changed after this was read"):
        part.append(1)
    waiting.append(5)
    assert list(node.waiting) == [1, 5]


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_a_declared_field_takes_nothing_else(backend: str) -> None:
    class Declared:
        xs: list[int]

        def __init__(self):
            self.xs = [1]

    declared: Any = script(Declared, backend=backend)()
    with pytest.raises(TypeError, match="expected int, got str"):
        declared.xs.append("a")
    declared.xs.append(2)
    assert declared.xs == [1, 2]


class Shelf:
    def __init__(self):
        self.xs = [1]
        self.rows = [[1], [2]]

    def push(self, x):
        self.xs.append(x)


def both(first, second):
    first.append(2)
    return len(second)


def into(rows):
    rows[0].append(5)
    rows.append([7])
    return len(rows)


def also(shelf, xs):
    shelf.push(3)
    xs.append(4)


def used_shelf(Shelf: Any, both: Any, into: Any, grow: Any) -> list[object]:
    shelf = Shelf()
    found: list[object] = [both(shelf.xs, shelf.xs), str(shelf.xs)]
    old = shelf.xs
    shelf.push(8)
    found += [grow(old), str(shelf.xs), str(old)]
    mine = [shelf.rows[0], [0]]
    found += [into(mine), str(mine), str(shelf.rows), into(shelf.rows), str(shelf.rows)]
    return found


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_what_functions_do_with_what_they_are_given(backend: str) -> None:
    expected = used_shelf(Shelf, both, into, grow)
    scripted = [script(f, backend=backend) for f in (Shelf, both, into, grow)]
    assert repr(used_shelf(*scripted)) == repr(expected)


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_a_field_that_is_changed_twice_in_a_call(backend: str) -> None:
    shelf: Any = script(Shelf, backend=backend)()
    script(also, backend=backend)(shelf, shelf.xs)
    assert shelf.xs == [1, 3, 4]

    class Line:
        def __init__(self):
            self.xs = deque([1])

        def push(self, x):
            self.xs.append(x)

    line: Any = script(Line, backend=backend)()
    with pytest.raises(RuntimeError, match="the field 'xs' was changed twice"):
        script(also, backend=backend)(line, line.xs)
    assert line.xs == deque([1, 3])
