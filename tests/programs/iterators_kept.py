"""Iterators that are kept: in fields and lists, passed on, returned, with variables that change.

The types come from the call, which is what these programs are about.
"""

# pyright: basic
# ruff: noqa: B905, B023

import collections
import itertools

from tests.programs import Case


def squares(n):
    for i in range(n):
        yield i * i


def taking(g):
    a = next(g, -1)
    return a, list(g)


def late_lambda(n: int):
    k = 1
    m = map(lambda v: v * k, range(n))
    a = next(m)
    k = 10
    return a, next(m), list(m)


def late_genexp(n: int):
    k = 1
    m = (v * k for v in range(n))
    a = next(m)
    k = 10
    return a, next(m), list(m)


def late_first(n: int):
    xs = [1, 2, n]
    m = (v for v in xs)
    a = next(m)
    xs = [7]
    return a, list(m)


def grow(n: int):
    xs = [1, 2, n]
    m = iter(xs)
    a = next(m)
    xs.append(5)
    b = list(m)
    xs.append(6)
    return a, b, list(m)


def late_gen(n: int):
    k = 1

    def inner(f):
        for i in range(n):
            yield f(i) + k

    g = inner(lambda v: v * k)
    a = next(g)
    k = 10
    return a, list(g)


def lazy_passed(n: int):
    g = squares(n)
    return taking(g)


def lazy_passed2(n: int):
    g = (x for x in range(n))
    return taking(g)


def lazy_passed3(n: int):
    g = map(str, range(n))
    return taking(g)


class Box:
    def __init__(self, it):
        self.it = it

    def take(self):
        return next(self.it, None)


def field(n: int):
    b = Box(iter([1, 2, n]))
    return b.take(), b.take(), b.take(), b.take()


class Lexer:
    def __init__(self, text: str):
        self.chars = iter(text)
        self.cur = next(self.chars, "")

    def adv(self):
        c = self.cur
        self.cur = next(self.chars, "")
        return c


def lexer(n: int):
    x = Lexer("abc")
    return x.adv(), x.adv(), x.adv(), x.adv(), x.cur


def rows(rows: list[list[int]]):
    it = iter(rows)
    r = next(it)
    r.append(5)
    for q in it:
        q.append(9)
    return rows


def rows2(rows: list[list[int]]):
    for r in map(lambda q: q, rows):
        r.append(1)
    return len(rows)


def incompr(n: int):
    return [taking(x * i for x in range(n)) for i in range(3)]


def incompr2(n: int):
    gs = [(x * i for x in range(n)) for i in range(3)]
    return [list(g) for g in gs]


def inloop(n: int):
    out = []
    for i in range(3):
        out.append(taking(x * i for x in range(n)))
    return out


def inloop2(n: int):
    gs = []
    for i in range(3):
        gs.append(x * i for x in range(n))
    return [list(g) for g in gs]


def roundrobin(n: int):
    its = [iter(range(n)), iter(range(2)), iter(range(10, 15))]
    out = []
    queue = collections.deque(its)
    while queue:
        it = queue.popleft()
        v = next(it, None)
        if v is not None:
            out.append(v)
            queue.append(it)
    return out


def chunks(n: int):
    it = iter(range(n * 2 + 1))
    out = []
    while True:
        chunk = list(itertools.islice(it, 3))
        if not chunk:
            break
        out.append(chunk)
    return out


def walrus(n: int):
    it = iter(range(n * 2 + 1))
    out = []
    while chunk := list(itertools.islice(it, 3)):
        out.append(chunk)
    return out


def stop(n: int):
    it = iter([1])
    next(it)
    try:
        next(it)
    except StopIteration:
        return 7
    return next(it)


def stop2(n: int):
    it = iter([1])
    next(it)
    return next(it)


def dictchange(n: int):
    d = {1: 2, 3: 4}
    it = iter(d)
    a = next(it)
    d[5] = 6
    return a, next(it)


def cond(n: int):
    it = iter([1, 2, 3]) if n > 3 else iter([4, 5])
    return list(it)


def cond2(n: int):
    it = iter([1, 2, 3]) if n > 3 else (x for x in (4, 5))
    return next(it), list(it)


def enumerate_it(n: int):
    it = iter("abc")
    return [(i, c, next(it, "-")) for i, c in enumerate(it)]


def two_maps(n: int):
    a = iter(range(n))
    b = map(lambda x, y: x + y, a, a)
    return list(b)


def chain_it(n: int):
    a = iter(range(n))
    first = next(a)
    return list(itertools.chain([first], a))


def peek(n: int):
    a = iter(range(n))
    first = next(a)
    a = itertools.chain([first * 10], a)
    return list(a)


def count_zip(n: int):
    c = itertools.count()
    out = [(next(c), x) for x in "ab"]
    return out, next(c)


def primes():
    D = {}
    q = 2
    while True:
        if q not in D:
            yield q
            D[q * q] = [q]
        else:
            for p in D[q]:
                D.setdefault(p + q, []).append(p)
            del D[q]
        q += 1


def primes_case(n: int):
    g = primes()
    taken = [next(g) for _ in range(n)], list(itertools.islice(g, n))
    return taken, list(itertools.takewhile(lambda p: p < 60, g))


def zip_gens(n: int):
    return list(zip(squares(n), squares(n + 1), squares(n)))


def dict_zip(n: int):
    z = zip("abc", range(n))
    return dict(z)


def minmax_key(n: int):
    it = iter(["aa", "b", "cccc"])
    next(it)
    return max(it, key=len)


def any_case(n: int):
    it = iter([False, True, False, True])
    return any(it), list(it)


def for_else(n: int):
    it = iter(range(n))
    for x in it:
        if x == 2:
            break
    else:
        return "none"
    return list(it)


def unp(n: int):
    it = iter(range(3))
    a, b, c = it
    return a + b + c


def unp2(n: int):
    it = iter(range(n))
    a, *rest = it
    return a, rest


def tuple_mixed(n: int):
    it = iter((1, "a", 2.5))
    return [x for x in it]


def iter_none(n: int):
    it = iter([None, 1, None])
    return next(it), next(it), next(it, 5), next(it, 5)


def nested_gen(n: int):
    rows = (tuple(range(i)) if False else [i, i + 1] for i in range(n))
    first = next(rows)
    return first, [sum(r) for r in rows]


def lambdas(n: int):
    found = []
    for k in range(2):
        fs = [lambda: i * 10 + k for i in range(n)]
        found += [f() for f in fs]
        if k == 0:
            first = fs[0]
    return found, first()


def from_iterable(n: int):
    c = itertools.chain.from_iterable([[1, n], [3]])
    return next(c), list(c)


CASES: list[Case] = [
    (late_lambda, [(3,), (6,)]),
    (late_genexp, [(3,), (6,)]),
    (late_first, [(3,), (6,)]),
    (grow, [(3,), (6,)]),
    (late_gen, [(3,), (6,)]),
    (lazy_passed, [(3,), (6,)]),
    (lazy_passed2, [(3,), (6,)]),
    (lazy_passed3, [(3,), (6,)]),
    (field, [(3,), (6,)]),
    (lexer, [(3,), (6,)]),
    (rows, [([[1], [2]],)]),
    (rows2, [([[1], [2]],)]),
    (incompr, [(3,), (6,)]),
    (incompr2, [(3,), (6,)]),
    (inloop, [(3,), (6,)]),
    (inloop2, [(3,), (6,)]),
    (roundrobin, [(3,), (6,)]),
    (chunks, [(3,), (6,)]),
    (walrus, [(3,), (6,)]),
    (stop, [(3,), (6,)]),
    (stop2, [(3,), (6,)]),
    (dictchange, [(3,), (6,)]),
    (cond, [(3,), (6,)]),
    (cond2, [(3,), (6,)]),
    (enumerate_it, [(3,), (6,)]),
    (two_maps, [(3,), (6,)]),
    (chain_it, [(3,), (6,)]),
    (peek, [(3,), (6,)]),
    (count_zip, [(3,), (6,)]),
    (primes_case, [(3,), (6,)]),
    (zip_gens, [(3,), (6,)]),
    (dict_zip, [(3,), (6,)]),
    (minmax_key, [(3,), (6,)]),
    (any_case, [(3,), (6,)]),
    (for_else, [(3,), (6,)]),
    (unp, [(3,), (6,)]),
    (unp2, [(3,), (6,)]),
    (tuple_mixed, [(3,), (6,)]),
    (iter_none, [(3,), (6,)]),
    (nested_gen, [(3,), (6,)]),
    (lambdas, [(3,), (6,)]),
    (from_iterable, [(3,), (6,)]),
]
