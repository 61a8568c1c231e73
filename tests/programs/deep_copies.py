"""`copy.deepcopy` of containers in containers: what is held twice is copied once."""

# pyright: basic

import copy
from collections import OrderedDict, deque

import numpy as np

from tests.programs import Case


def grids(n: int):
    board = [[0] * n for _ in range(n)]
    other = copy.deepcopy(board)
    other[0][0] = 5
    board[1][1] = 7
    return board, other


def shared_rows(n: int):
    row = [n]
    rows = [row, row, [n]]
    other = copy.deepcopy(rows)
    other[0].append(1)
    row.append(2)
    return rows, other


def deeper(n: int):
    row = [n]
    cubes = [[row, [0]], [row], []]
    other = copy.deepcopy(cubes)
    other[1][0].append(1)
    other[2].append([3])
    return cubes, other


def graphs(n: int):
    graph = {0: [1, 2], 1: [0], 2: []}
    other = copy.deepcopy(graph)
    other[2].append(n)
    del other[0]
    by_name = {"a": {"x": 1}, "b": {}}
    twice = copy.deepcopy(by_name)
    twice["a"]["y"] = n
    return graph, other, by_name, twice


def pairs(n: int):
    row = [n]
    both = (row, row, "text", (row, 1.5))
    one, two, text, (three, _) = copy.deepcopy(both)
    one.append(1)
    return both, one, two, three, text


def perhaps(n: int):
    rows: list[list[int] | None] = [None, [n], None]
    other = copy.deepcopy(rows)
    other[0] = [1]
    if (row := other[1]) is not None:
        row.append(2)
    return rows, other


def others(n: int):
    seen = [{n}, {n, 2}]
    queues = {"a": deque([n], maxlen=2)}
    ordered = OrderedDict(a=n)
    copies = copy.deepcopy(seen), copy.deepcopy(queues), copy.deepcopy([ordered])
    copies[0][0].add(9)
    copies[1]["a"].append(9)
    copies[2][0]["b"] = 9
    return seen, queues, ordered, copies


def arrays(n: int):
    weights = [np.zeros(n), np.ones(n + 2)]
    other = copy.deepcopy(weights[:1])
    other[0][0] = 3.0
    return weights[0], other


def none_in_it(n: int):
    rows: list[list[float]] = []
    return copy.deepcopy(rows), copy.deepcopy({}), copy.deepcopy([]), copy.deepcopy(5)


def none_itself(n: int):
    x = None if n == 0 else [n]
    y = copy.deepcopy(x)
    if y is not None:
        y.append(1)
    return x, y, y is None


def dicts_in_dicts(n: int):
    one = {1: {2: [n]}}
    two = {"a": [{"b": [n]}]}
    copies = copy.deepcopy(one), copy.deepcopy(two)
    copies[0][1][2].append(5)
    copies[1]["a"][0]["c"] = []
    return one, two, copies


def changed_later(rows: list[list[int]]):
    before = copy.deepcopy(rows)
    rows[0][0] += 1
    return before, rows


CASES: list[Case] = [
    (grids, [(2,)]),
    (shared_rows, [(1,)]),
    (deeper, [(1,)]),
    (graphs, [(4,)]),
    (pairs, [(1,)]),
    (perhaps, [(1,)]),
    (others, [(1,)]),
    (arrays, [(2,)]),
    (none_in_it, [(1,)]),
    (none_itself, [(0,), (1,)]),
    (dicts_in_dicts, [(1,)]),
    (changed_later, [([[1], [2]],)]),
]
