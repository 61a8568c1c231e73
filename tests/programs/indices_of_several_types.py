"""Indices that may be an int, or what is none: in nodes of trees that are dicts, above all."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case


def _node(n):
    node = {"value": 1.5, "feature": 1, "name": "a"}
    if n > 2:
        node["left"] = {"value": 2.5}
    return node


def read(n, key):
    x = np.arange(n) * 1.5
    return x[_node(n)[key]]


def written(n, key):
    x = np.arange(n) * 1.5
    node = _node(n)
    x[node[key]] = 3
    x[node[key]] += 1
    return x


def of_lists(n, key):
    xs = [0.5] * n
    node = _node(n)
    try:
        xs[node[key]] = 3.5
    except TypeError as error:
        return str(error), xs[node["feature"]]
    xs[node[key]] += 3.5
    del xs[node["feature"]]
    return "", xs


def in_order(n, key):
    said = []

    def told(value):
        said.append(str(value))
        return value

    xs = [1, 2, 3]
    node = _node(n)
    try:
        told(xs)[node[told(key)]] = told(n)
        told(xs)[node[told(key)]] -= told(n)
        del told(xs)[node[told(key)]]
    except TypeError:
        said.append("TypeError")
    return said, xs


def grown(rows, depth):
    """A tree of dicts, as it is written for teaching."""
    values = [row[-1] for row in rows]
    if depth == 0 or len(set(values)) == 1:
        return {"label": max(set(values), key=values.count)}
    best, at = None, None
    for feature in range(len(rows[0]) - 1):
        for row in rows:
            left = [r[-1] for r in rows if r[feature] <= row[feature]]
            right = [r[-1] for r in rows if r[feature] > row[feature]]
            if left and right:
                score = sum(len(part) - part.count(part[0]) for part in (left, right))
                if best is None or score < best:
                    best, at = score, (feature, row[feature])
    if at is None:
        return {"label": values[0]}
    feature, bound = at
    return {
        "feature": feature,
        "bound": bound,
        "left": grown([r for r in rows if r[feature] <= bound], depth - 1),
        "right": grown([r for r in rows if r[feature] > bound], depth - 1),
    }


def labels(rows, depth):
    tree = grown(rows, depth)
    found = []
    for row in rows:
        node = tree
        while "label" not in node:
            node = node["left"] if row[node["feature"]] <= node["bound"] else node["right"]
        found.append(node["label"])
    return found


def with_none(places):
    found, xs = [], [1, 2, 3]
    for place in places:
        try:
            xs[place] = 5
            xs[place] += 2
            found.append(xs[place])
        except TypeError as error:
            found.append(str(error))
        try:
            xs[place] += 1
        except TypeError as error:
            found.append(str(error))
        try:
            del xs[place]
        except TypeError as error:
            found.append(str(error))
    return found, xs


KEYS = ("feature", "value", "name", "left", "absent")
ROWS = [[2.5, 1.0, 0], [1.0, 3.5, 1], [4.5, 0.5, 0], [2.0, 2.5, 1], [3.5, 2.0, 1]]
CASES: list[Case] = [
    (with_none, [((1, None, "a"),), ([1, None, "a"],)]),
    (read, [(4, key) for key in KEYS]),
    (written, [(4, key) for key in KEYS]),
    (of_lists, [(4, key) for key in KEYS]),
    (in_order, [(4, key) for key in KEYS]),
    (labels, [(ROWS, 0), (ROWS, 1), (ROWS, 3)]),
]
