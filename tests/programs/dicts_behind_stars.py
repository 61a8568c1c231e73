"""`**` in front of a dict whose keys the run says."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic, reportCallIssue=false, reportArgumentType=false

import json
from dataclasses import dataclass

from tests.programs import Case


def scaled(a, b=2, c="x"):
    return a * 10 + b, c


def by_name(*, a, b=1, c):
    return a - b + c


@dataclass
class Point:
    x: int
    y: int = 5


class Row:
    def __init__(self, x, y=None):
        self.x = x
        self.y = y

    def moved(self, a, b=1):
        return self.x + a, b


def outer(**named):
    return scaled(**named)


def plain(d):
    return scaled(**d), scaled(**{**d, "a": 9}), outer(a=d["a"])


def beside_others(d, log):
    return scaled(log.pop(), **d), scaled(b=5, **d) if "b" not in d else None


def told(d):
    try:
        return scaled(**d)
    except TypeError as error:
        return str(error)


def told_by_name(d):
    try:
        return by_name(**d)
    except TypeError as error:
        return str(error)


def told_twice(d, k):
    try:
        return scaled(1, **d) if k else Row(**d).x
    except TypeError as error:
        return str(error)


def objects(rows):
    points = [Point(**row) for row in rows]
    return [(p.x, p.y) for p in points], [Row(**row).y for row in rows]


def methods(d):
    row = Row(3)
    return row.moved(**d), Row(4).moved(**d)


def of_texts(text):
    found = []
    for row in json.loads(text):
        found.append(scaled(**row))
    return found


def by_chance(k):
    options = {"a": 1}
    if k:
        options["b"] = 9
    return scaled(**options)


CASES: list[Case] = [
    (plain, [({"a": 1},), ({"a": 2, "b": 3},)]),
    (beside_others, [({"b": 1}, [5]), ({"c": 1}, [7])]),
    (told, [({"a": 1},), ({"b": 1},), ({"a": 1, "d": 1},), ({"d": 1, "": 2},)]),
    (told_by_name, [({"a": 1, "c": 2},), ({"b": 1},), ({"a": 1},), ({"a": 1, "c": 3, "z": 4},)]),
    (told_twice, [({"a": 1}, 1), ({"b": 1}, 1), ({"y": 1}, 0), ({"x": 1}, 0), ({"q": 1}, 0)]),
    (objects, [([{"x": 1, "y": 2}, {"x": 3}],)]),
    (methods, [({"a": 1},), ({"a": 1, "b": 2},)]),
    (of_texts, [('[{"a": 1}, {"a": 2.5, "b": 3}]',)]),
    (by_chance, [(0,), (1,)]),
]
