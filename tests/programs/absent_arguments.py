"""Arrays and ints that may be None, in calls, displays, ranges, formats and indices."""

# ruff: noqa: UP031
# Without annotations the types follow from what is put in, which is what these programs are about.
# pyright: basic, reportArgumentType=false, reportCallIssue=false, reportOptionalSubscript=false
# pyright: reportOptionalOperand=false, reportAttributeAccessIssue=false, reportGeneralTypeIssues=false
# pyright: reportOptionalMemberAccess=false, reportOptionalIterable=false, reportOperatorIssue=false

from collections import deque

import numpy as np

from tests.programs import Case


class Model:
    def __init__(self):
        self.n = None
        self.found = None

    def fit(self, x):
        self.n = len(x)
        self.found = x * 2
        return self

    def totals(self, x):
        return (
            np.sum(self.found),
            np.cumsum(self.found),
            np.unique(self.found),
            np.argmax(self.found),
        )

    def made(self, x):
        like = np.zeros_like(self.found) + np.full_like(self.found, 2.0)
        return np.array(self.found), np.asarray(self.found) + 1, np.tile(self.found, 2), like

    def shapes(self):
        return np.reshape(self.found, (1, -1)), np.atleast_2d(self.found), np.roll(self.found, 1)


def model(fit):
    made = Model()
    if fit:
        made.fit(np.array([1.0, 2.0, 2.0]))
    return made


def fitted(n):
    """What NumPy is given is no None: where it is, it makes arrays that scripts do not have."""
    found = model(n > 0)
    return found.totals(np.ones(n)), found.made(np.ones(n)), found.shapes(), shown(n > 0)


def joined(fit):
    return np.concatenate([model(fit).found, np.zeros(2), model(fit).found])


def joined_pairs(fit):
    found = model(fit).found
    return np.concatenate((found, found[:1])), np.concatenate((found, found))


def stacked(fit):
    a, b = model(fit).found, model(True).found
    return np.vstack([a, b]) if fit else np.zeros((1, 1))


def drawn(fit):
    return np.random.default_rng(0).choice(model(fit).found)


def crossed(fit):
    found = model(fit).found
    return np.histogram(found, bins=2), np.interp(1.5, found, found), np.outer(found, found)


def halves(fit):
    return np.where(model(fit).found > 2.0, model(fit).found, -1.0), np.max(model(True).found)


def equals(fit):
    x = np.array([2.0, 1.0, 4.0])
    found = model(fit).found
    same, other = found == x, x != found
    return np.mean(same), other, np.sum(np.arange(3) == found), int(np.sum(same | other))


def settled(xs):
    """Whether the next step is the same as the one before, of which there is none at first."""
    last, steps = None, 0
    for x in xs:
        new = np.array([x, x * 2])
        if np.array_equal(last, new) or np.array_equal(new, last):
            break
        last, steps = new, steps + 1
    return steps, last


def looped(fit):
    n = model(fit).n
    total = 0
    for i in range(n):
        total += i
    for i in range(1, n):
        total += i
    for i in range(0, 10, n):
        total += i
    return total


def listed(fit):
    n = model(fit).n
    return [i for i in range(n)], list(range(n, 5)), sum(range(n)), len(range(n))


def shown(fit):
    n = model(fit).n
    return f"{n:03d} {n:>{n}} {n} {n!r}", f"{n:<{n}}|"


def by_format(x):
    y = None if x > 3 else x
    return f"{y:.2f}"


def of_three(k):
    y = None if k == 0 else ("ab" if k == 1 else 7)
    return f"{y:5}|"


def by_percent(k):
    y = None if k == 0 else k
    out = []
    for how in range(4):
        try:
            if how == 0:
                out.append("%d" % y)
            elif how == 1:
                out.append("%5.1f|%d" % (1.5, y))
            elif how == 2:
                out.append("%s %s" % (y, y))
            else:
                out.append("%.2f %x" % (y, y))
        except TypeError as error:
            out.append(str(error))
    return out


def sizes(k):
    n = None if k == 0 else k
    out = []
    for how in range(7):
        try:
            if how == 0:
                out.append(np.zeros((n, 2)).size)
            elif how == 1:
                out.append(np.full((n, n), 1).size)
            elif how == 2:
                out.append(np.bincount(np.array([1, 0, 1]), minlength=n).size)
            elif how == 3:
                out.append(np.random.default_rng(1).random((n, 2)).size)
            elif how == 4:
                out.append(np.ones(6).reshape(n, -1).size)
            elif how == 5:
                out.append(np.ones((2, 3, n)).size)
            else:
                out.append(np.arange(n).size + np.eye(n).size)
        except TypeError as error:
            out.append(-len(str(error)))
    return out


def of_methods(k):
    y = None if k == 0 else k
    out = []
    xs = [1, 2, 3]
    for how in range(6):
        try:
            if how == 0:
                out.append("5".zfill(y))
            elif how == 1:
                out.append("5".rjust(y))
            elif how == 2:
                xs.insert(y, 9)
            elif how == 3:
                out.append(str(xs.pop(y)))
            elif how == 4:
                out.append(str(round(1.2345, y)))
            else:
                out.append("a,b,c,d".split(",", y)[0])
        except TypeError as error:
            out.append(str(error))
    return out, xs


def many(k):
    y = None if k == 0 else k
    return np.array([y, y, y, y, y]).sum() if k else 0


class Grid:
    def __init__(self):
        self.at = None

    def move(self, at):
        self.at = at

    def put(self, xs):
        xs[self.at] = 3
        return xs

    def add(self, xs):
        xs[self.at] += 3
        return xs


def written(k):
    grid = Grid()
    if k:
        grid.move(k)
    return grid.put([1, 2, 3, 4])


def added(k):
    grid = Grid()
    if k:
        grid.move(k)
    return grid.add([1, 2, 3, 4])


def into_arrays(k):
    grid = Grid()
    grid.move(k)
    a, b, q = np.zeros(4), np.zeros((4, 4)), deque([1, 2, 3])
    a[grid.at] = 2.0
    a[grid.at] += 1.0
    b[grid.at, 1] = 5.0
    q[grid.at] = 9
    return a, b, list(q), b[grid.at, 1]


CASES: list[Case] = [
    (fitted, [(1,)]),
    *((f, [(True,), (False,)]) for f in (joined, joined_pairs, stacked, crossed, halves)),
    *((f, [(True,), (False,)]) for f in (equals, looped, listed, shown)),
    (settled, [([1.0, 2.0, 2.0, 3.0],)]),
    (drawn, [(True,)]),
    (by_format, [(1.5,), (4.0,)]),
    (of_three, [(0,), (1,), (2,)]),
    *((f, [(0,), (2,)]) for f in (by_percent, sizes, of_methods)),
    (many, [(2,)]),
    *((f, [(0,), (2,)]) for f in (written, added)),
    (into_arrays, [(1,), (2,)]),
]
