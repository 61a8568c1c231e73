"""What only loops take, taken apart, `a, b = x`: sets, dicts, deques, ranges, objects."""

from collections import deque
from itertools import zip_longest

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic
from tests.programs import Case


def of_containers(n):
    a, b = {1, 2}
    found = {"a": n, "b": 2}
    c, d = found
    queue = deque([n, 4])
    e, f = queue
    places = range(n)
    g, h = places
    ((k, v),) = {"k": n}.items()
    return a + b, c, d, e, f, g, h, k, v


def counted(n):
    found = dict.fromkeys(range(n), 0)
    a, b = found
    return a, b


def with_rest(n):
    first, *rest = {"a": 1, "b": n}
    one, *others = range(n)
    return first, rest, one, others


class Pair:
    def __init__(self, x):
        self.x = x
        self.seen = {x: 1, x + 1: 2}

    def __iter__(self):
        yield self.x
        yield self.x + 1


def of_objects(n):
    pair = Pair(n)
    a, b = pair
    c, d = pair.seen
    return a, b, c, d


def longest(rows, fill):
    columns = ["".join(column) for column in zip_longest(*rows, fillvalue=fill)]
    pairs = [(a, b) for a, b in zip_longest(*[rows, rows[1:]])]
    return columns, list(zip_longest(*rows)), pairs


def made(n):
    return set(range(n))


def of_calls(n):
    a, b = made(n)
    (c, d), e = made(n), n
    f, *g = dict.fromkeys(range(n), 1) | {9: 2}
    h, i = {n} | {5}
    j, k = frozenset([n, 6])
    (m,) = {"a": 1}.values()
    for o, p in [{1, 2}, made(n)]:
        e += o * p
    q = [made(n)]
    r, s = q[0]
    t = u, v = list(range(n))
    return a, b, c, d, e, f, g, h, i, j, k, m, r, s, t, u, v


CASES: list[Case] = [
    (of_calls, [(2,), (1,), (3,)]),
    (of_containers, [(2,), (3,)]),
    (counted, [(2,), (1,), (4,)]),
    (with_rest, [(3,), (1,), (0,)]),
    (of_objects, [(1,)]),
    (longest, [(["abc", "d", "ef"], " "), (["a"], "-")]),
]
