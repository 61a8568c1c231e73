"""Lists, dicts and sets that are empty inside of what a program is given."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import heapq
import math

from tests.programs import Case


def distances(graph, start):
    found = {name: math.inf for name in graph}
    found[start] = 0
    heap = [(0, start)]
    while heap:
        distance, name = heapq.heappop(heap)
        if distance > found[name]:
            continue
        for other, length in graph[name].items():
            if distance + length < found[other]:
                found[other] = distance + length
                heapq.heappush(heap, (distance + length, other))
    return found


def with_one_more(rows):
    for _, values in rows:
        values.append(7)
    return rows


def counted(sets):
    return {name: len(items) for name, items in sets.items()}


def given_back(deep, table):
    return deep, table


CASES: list[Case] = [
    (distances, [({"a": {}, "b": {"c": 1, "a": 4}, "c": {"a": 2}}, "b")]),
    (with_one_more, [([("a", []), ("b", [1, 2])],)]),
    (counted, [({"a": set(), "b": {1}},)]),
    (
        given_back,
        [([[[]], [[], [1]]], {"a": [], "b": None, "c": [1.5]}), ([[], [[2]]], {"c": [0.5]})],
    ),
]
