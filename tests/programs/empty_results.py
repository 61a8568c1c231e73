"""Functions that return empty lists and dicts, which their calls say the items of."""

# Results without annotation are what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case


def _made():
    return []


def _table():
    return {}


def filled(n):
    items = _made()
    for i in range(n):
        items.append(i * 0.5)
    table = _table()
    table["n"] = n
    return items, table


class Layer:
    def params(self):
        return []

    def name(self):
        return "layer"


class Linear(Layer):
    def __init__(self, n):
        self.weight = np.ones((n, 2))
        self.grad = np.zeros((n, 2))

    def params(self):
        return [(self.weight, self.grad)]


class Activation(Layer):
    def name(self):
        return "activation"


def layers(n):
    net = [Linear(n), Activation(), Linear(2)]
    found = [pair for layer in net for pair in layer.params()]
    total = sum(float(weight.sum()) for weight, _ in found)
    return len(found), total, [layer.name() for layer in net]


class Shape:
    def parts(self):
        return []


class Group(Shape):
    def __init__(self, shapes):
        self.shapes = shapes

    def parts(self):
        return self.shapes


def _count(shape):
    return 1 + sum(_count(part) for part in shape.parts())


def counted():
    return _count(Group([Shape(), Group([Shape()]), Shape()]))


class Node:
    def __init__(self, value, left=None, right=None):
        self.value = value
        self.left = left
        self.right = right


def _inserted(node, value):
    if node is None:
        return Node(value)
    if value < node.value:
        node.left = _inserted(node.left, value)
    else:
        node.right = _inserted(node.right, value)
    return node


def _in_order(node):
    if node is None:
        return []
    return [*_in_order(node.left), node.value, *_in_order(node.right)]


def _paths(node):
    if node is None:
        return []
    if node.left is None and node.right is None:
        return [[node.value]]
    return [[node.value, *path] for path in _paths(node.left) + _paths(node.right)]


def trees(values):
    root = None
    for value in values:
        root = _inserted(root, value)
    return _in_order(root), _paths(root)


def _subsets(items):
    if not items:
        return [[]]
    rest = _subsets(items[1:])
    return rest + [[items[0], *subset] for subset in rest]


def subsets(n):
    return _subsets(list(range(n))), _subsets(["a", "b"])


def _permutations(items):
    if not items:
        return [[]]
    found = []
    for i in range(len(items)):
        for rest in _permutations(items[:i] + items[i + 1 :]):
            found.append([items[i], *rest])
    return found


def permutations(n):
    return _permutations(list(range(n)))


def _parts(text):
    if not text:
        return []
    head, *rest = text.split(",")
    return [head, *_parts(",".join(rest))]


def parts(text):
    return _parts(text)


def nested(n):
    def inner():
        return []

    first = inner()
    first.append((n, "a"))
    return first, inner()


CASES: list[Case] = [
    (filled, [(0,), (3,)]),
    (layers, [(1,), (3,)]),
    (counted, [()]),
    (trees, [([5, 2, 8, 1, 9],), ([1.5],)]),
    (subsets, [(0,), (3,)]),
    (permutations, [(0,), (3,)]),
    (parts, [("a,b,c",), ("",)]),
    (nested, [(1,)]),
]
