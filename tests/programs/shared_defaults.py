"""Defaults that all calls share: lists, dicts, sets and arrays, which calls may change."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic
# ruff: noqa: B006, B008

from collections.abc import Iterator

import numpy as np

from tests.programs import Case

SYSTEM = [[0.0, 1.0], [2.0, 3.0]]
BODIES = {"first": SYSTEM[0], "second": SYSTEM[1]}


def advance(n, bodies=SYSTEM):
    for body in bodies:
        body[0] += n


def energy(body, bodies=SYSTEM):
    body[1] += 100
    return sum(b[0] + b[1] for b in bodies)


def system(n):
    advance(n)
    first = energy(BODIES["first"])
    advance(n)
    found = first, energy(BODIES["second"]), SYSTEM[0][0]
    SYSTEM[:] = [[0.0, 1.0], [2.0, 3.0]]
    BODIES.update(first=SYSTEM[0], second=SYSTEM[1])
    return found


def fib(n, known={0: 0, 1: 1}):
    if n not in known:
        known[n] = fib(n - 1) + fib(n - 2)
    return known[n]


def doubled(n, known={}):
    if n in known:
        return known[n]
    known[n] = n * 2
    return known[n] + 1


def counted(n, *, seen: set[int] = set()):
    seen.add(n)
    size = len(seen)
    if size > 1:
        seen.clear()
    return size


def tagged(n, tags=["first"]):
    tags.append("one more")
    found = len(tags) + n
    tags.pop()
    return found


def numbered(n, seen=[], named={}) -> Iterator[int]:
    for i in range(n):
        seen.append(i)
        named[i] = len(seen)
        yield i + len(seen)
    seen.clear()
    named.clear()


def scaled(x, factors=np.ones(3), shift=np.float32(2)):
    return x * factors + shift


def put(i, into=np.zeros(3)):
    into[i] += 1
    return into


class Owner:
    def __init__(self, n, xs=[1]):
        self.n = n + len(xs)

    def known(self, n, cache={}):
        cache[n] = cache.get(n, self.n)
        return cache.pop(n)


def memo(n):
    fresh = doubled(n), doubled(n), doubled(n + 1, {n + 1: 5})
    return fib(n) + fib(n + 1), len(fresh), fresh[1:], counted(n), counted(n + 1)


def others(n):
    owner = Owner(n)
    found = owner.n, Owner(n, [1, 2]).n, owner.known(3), Owner(7).known(3)
    return found, tagged(n), list(numbered(n)), sum(numbered(n)), sum(numbered(n, [1]))


def arrays(x):
    put(1)
    found = put(2).copy()
    put(1, found)
    put(0)[:] = 0
    return scaled(2.0 * x), scaled(x, x), found


CASES: list[Case] = [
    (system, [(1.0,), (2.0,)]),
    (memo, [(10,)]),
    (others, [(2,), (0,)]),
    (arrays, [(np.arange(3.0),)]),
]
