"""Trees whose nodes have defaults for what they lack, and constructors with functions of fields."""

# Fields that may be None are used without a test.
# pyright: basic, reportOptionalMemberAccess=false, reportArgumentType=false
# pyright: reportOptionalOperand=false, reportCallIssue=false, reportIndexIssue=false
# pyright: reportOperatorIssue=false

import numpy as np

from tests.programs import Case


class Node:
    """A leaf has a value alone, another node all but a value."""

    def __init__(self, feature=None, threshold=None, left=None, right=None, value=None):
        self.feature = feature
        self.threshold = threshold
        self.left = left
        self.right = right
        self.value = value


def impurity(y):
    if len(y) == 0:
        return 0.0
    p = np.bincount(y) / len(y)
    return 1.0 - np.sum(p * p)


def best_split(x, y):
    best = (None, None, 1e9)
    for feature in range(x.shape[1]):
        for threshold in np.unique(x[:, feature]):
            mask = x[:, feature] <= threshold
            left, right = y[mask], y[~mask]
            if len(left) == 0 or len(right) == 0:
                continue
            found = (len(left) * impurity(left) + len(right) * impurity(right)) / len(y)
            if found < best[2]:
                best = (feature, threshold, found)
    return best


def grown(x, y, depth):
    if depth == 0 or len(np.unique(y)) == 1:
        return Node(value=int(np.argmax(np.bincount(y))))
    feature, threshold, _ = best_split(x, y)
    if feature is None:
        return Node(value=int(np.argmax(np.bincount(y))))
    mask = x[:, feature] <= threshold
    left, right = grown(x[mask], y[mask], depth - 1), grown(x[~mask], y[~mask], depth - 1)
    return Node(feature, threshold, left, right)


def reached(node, point):
    while node.value is None:
        node = node.left if point[node.feature] <= node.threshold else node.right
    return node.value


def decided(x, y, depth):
    root = grown(x, y, depth)
    return [reached(root, point) for point in x]


class Space:
    """A k-d tree."""

    def __init__(self, points, depth=0):
        self.axis = depth % len(points[0])
        points = sorted(points, key=lambda p: p[self.axis])
        middle = len(points) // 2
        self.point = points[middle]
        self.left = Space(points[:middle], depth + 1) if middle > 0 else None
        rest = points[middle + 1 :]
        self.right = Space(rest, depth + 1) if rest else None

    def nearest(self, query, best=None):
        distance = sum((a - b) ** 2 for a, b in zip(self.point, query, strict=True))
        if best is None or distance < best[0]:
            best = (distance, self.point)
        apart = query[self.axis] - self.point[self.axis]
        near, far = (self.left, self.right) if apart < 0 else (self.right, self.left)
        if near is not None:
            best = near.nearest(query, best)
        if far is not None and apart**2 < best[0]:
            best = far.nearest(query, best)
        return best


def nearest(points, queries):
    space = Space(points)
    return [space.nearest(query) for query in queries]


class Ranked:
    def __init__(self, xs, modulus):
        self.modulus = modulus
        self.scale = 2

        def value(x):
            return (x % self.modulus) * self.scale

        self.best = max(xs, key=value)
        self.modulus = 3
        self.order = sorted(xs, key=lambda x: -value(x))
        self.large = list(filter(lambda x: x > self.modulus, xs))


def ranked(xs, modulus):
    found = Ranked(xs, modulus)
    return found.best, found.order, found.large


def an_axis_for_none(x, place):
    index = None if place < 0 else place
    return x[index]


X = np.random.default_rng(0).random((30, 4))
Y = (X[:, 0] + X[:, 1] > 1).astype(np.int64)
POINTS = [(2.0, 3.0), (5.0, 4.0), (9.0, 6.0), (4.0, 7.0), (8.0, 1.0), (7.0, 2.0)]
CASES: list[Case] = [
    (decided, [(X, Y, 3), (X, Y, 0), (X[:1], Y[:1], 2)]),
    (nearest, [(POINTS, [(9.0, 2.0), (3.0, 3.0)]), (POINTS[:1], [(0.0, 0.0)])]),
    (ranked, [([5, 3, 8, 1, 9], 4), ([1], 1)]),
    (an_axis_for_none, [(X[0], 0), (X[0], 9)]),
]
