"""Variables that stand for generators, whose items are taken at one place."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic
# ruff: noqa: B905

import itertools

from tests.programs import Case


def squares(n):
    for i in range(n):
        yield i * i


def words(n):
    for i in range(n):
        yield "w" + str(i)


def taken_later(n: int):
    g = squares(n)
    t = 0
    for x in g:
        t += x
    h = (x + n for x in range(n))
    n = 100
    return t, sum(h), n


def one_of_another(n: int):
    k = 2
    evens = (x for x in squares(n) if x % k == 0)
    doubled = (2 * x for x in evens)
    k = 3
    return list(doubled)


def of_builtins(n: int):
    m = map(lambda v: v + 1, squares(n))
    z = zip(words(n), range(n))
    p = itertools.combinations(range(n), 2)
    e = enumerate(words(n))
    return max(m), list(z), [a * b for a, b in p], [w * i for i, w in e]


def in_each_iteration(n: int):
    out = []
    for i in range(n):
        g = (x for x in squares(n) if x > i)
        out.append(next(g, -1))
    out += squares(2)
    out += (v for v in range(2))
    return out, set(squares(n))


def perhaps_taken(n: int):
    g = (x for x in range(n))
    if n > 3:
        return sum(g)
    return 0


def starred_chain(n: int):
    return list(itertools.chain(*[[1], [2, n]]))


CASES: list[Case] = [
    (taken_later, [(0,), (4,)]),
    (one_of_another, [(5,)]),
    (of_builtins, [(4,)]),
    (in_each_iteration, [(4,)]),
    (perhaps_taken, [(3,), (5,)]),
    (starred_chain, [(4,)]),
]
