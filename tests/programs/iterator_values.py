"""Iterators that are objects: each way to make one, taken by `next` and by several loops.

The types come from the call, which is what these programs are about.
"""

# pyright: basic
# ruff: noqa: B905, UP028

import itertools

from tests.programs import Case


def iter_list(n: int):
    xs = list(range(n))
    it = iter(xs)
    a = next(it)
    t = 0
    for x in it:
        t += x
        if t > 3:
            break
    return a, t, next(it, -1), next(it, -2)


def iter_tuple(n: int):
    it = iter((1, 2, n))
    return next(it) + next(it), next(it), next(it, 7)


def iter_str(n: int):
    it = iter("abc" * n)
    s = next(it)
    for c in it:
        s += c + next(it, "!")
    return s


def iter_dict(n: int):
    d = {i: i * i for i in range(n)}
    it = iter(d)
    return next(it), list(it)


def iter_items(n: int):
    d = {i: i * i for i in range(n)}
    it = iter(d.items())
    a = next(it)
    return a, next(it), list(it)


def iter_values(n: int):
    d = {i: i * i for i in range(n)}
    it = iter(d.values())
    a = next(it)
    return a, sum(it)


def iter_set(n: int):
    it = iter({1, 2, n})
    return next(it), sorted(it)


def iter_range(n: int):
    it = iter(range(n))
    return next(it), next(it), list(it)


def lines(n: int):
    text = "a\nb\nc\n" * n
    lines = iter(text.split("\n"))
    head = next(lines)
    out = [head]
    for line in lines:
        if not line:
            break
        out.append(line + next(lines, ""))
    return out


def zip_self(n: int):
    it = iter(range(n))
    return list(zip(it, it))


def zip_kept(n: int):
    z = zip(range(n), "abcdefgh")
    a = next(z)
    return a, [x for x in z], next(z, None)


def zip3(n: int):
    z = zip(range(n), "abcdefgh", [1.5, 2.5])
    a = next(z)
    return a, list(z), list(z)


def enum_kept(n: int):
    e = enumerate("abcdef", n)
    a, b = next(e)
    return a, b, list(e), next(e, (-1, ""))


def rev_kept(n: int):
    r = reversed([1, 2, n])
    return next(r), next(r), list(r)


def map_kept(n: int):
    m = map(lambda v: v * n, range(n))
    a = next(m)
    return a, next(m), sum(m)


def filter_kept(n: int):
    m = filter(lambda v: v % 2 == 0, range(n * 3))
    a = next(m)
    return a, next(m), list(m)


def genexp_kept(n: int):
    g = (x * n for x in range(n) if x != 1)
    a = next(g)
    return a, next(g), list(g)


def genexp_two(n: int):
    g = ((x, y) for x in range(n) for y in range(x) if x + y != 2)
    a = next(g)
    out = []
    for p in g:
        out.append(p)
        if len(out) == 2:
            break
    return a, out, list(g)


def genexp_passed(n: int):
    return taking(x * x for x in range(n))


def taking(g):
    a = next(g)
    return a, list(g)


def make(n):
    return (i + n for i in range(n))


def genexp_returned(n: int):
    g = make(n)
    return next(g), list(g)


def count(n: int):
    c = itertools.count(n)
    return next(c), next(c), next(c)


def cycle(n: int):
    c = itertools.cycle("ab")
    return [next(c) for _ in range(n)]


def repeat(n: int):
    c = itertools.repeat(n, 2)
    return next(c), next(c), next(c, 0)


def chain(n: int):
    c = itertools.chain([1, n], range(3))
    return next(c), next(c), list(c)


def islice(n: int):
    it = iter(range(100))
    a = list(itertools.islice(it, n))
    b = list(itertools.islice(it, n))
    return a, b, next(it)


def takewhile(n: int):
    it = iter(range(100))
    a = list(itertools.takewhile(lambda v: v < n, it))
    return a, next(it)


def groupby(n: int):
    g = itertools.groupby(range(n), lambda v: v // 2)
    k, items = next(g)
    return k, list(items), [(k, list(v)) for k, v in g]


def accumulate(n: int):
    g = itertools.accumulate(range(n))
    a = next(g)
    return a, next(g), list(g)


def pairwise(n: int):
    g = itertools.pairwise(range(n))
    a = next(g)
    return a, list(g)


def product(n: int):
    g = itertools.product(range(n), "ab")
    a = next(g)
    return a, next(g), list(g)


def perm(n: int):
    g = itertools.permutations(range(n), 2)
    a = next(g)
    return a, next(g), len(list(g))


def comb(n: int):
    g = itertools.combinations(range(n), 2)
    a = next(g)
    return a, next(g), len(list(g))


def zl(n: int):
    g = itertools.zip_longest(range(n), range(2), fillvalue=-1)
    a = next(g)
    return a, next(g), list(g)


def tee(n: int):
    a, b = itertools.tee(range(n))
    x = next(a)
    return x, next(a), list(b), list(a)


class Count:
    def __init__(self, n: int):
        self.n = n
        self.i = 0

    def __iter__(self):
        return self

    def __next__(self) -> int:
        if self.i >= self.n:
            raise StopIteration
        self.i += 1
        return self.i


class Bag:
    def __init__(self, n: int):
        self.items = list(range(n))

    def __iter__(self):
        return iter(self.items)


class Gen:
    def __init__(self, n: int):
        self.n = n

    def __iter__(self):
        for i in range(self.n):
            yield i * 2


def obj(n: int):
    c = Count(n)
    return list(c), list(c)


def obj_sum(n: int):
    return sum(Count(n)), max(Count(n)), min(Count(n)), sorted(Count(n)), set(Count(n))


def obj_in(n: int):
    return 3 in Count(n), 2 in Bag(n), 4 in Gen(n), 5 not in Gen(n)


def bag(n: int):
    b = Bag(n)
    return list(b), sum(b), max(b), [x for x in b], list(zip(b, b)), list(enumerate(b))


def gen_case(n: int):
    b = Gen(n)
    return list(b), sum(b), max(b), [x for x in b], list(zip(b, b)), any(b), all(b)


def iter_obj(n: int):
    it = iter(Bag(n))
    a = next(it)
    g = iter(Gen(n))
    return a, next(it), list(it), next(g), list(g)


def gen(n):
    for i in range(n):
        yield i


def in_gen(n: int):
    g = gen(n * 2)
    a = 2 in g
    return a, list(g), 100 in g


def sum_gen(n: int):
    g = gen(n)
    next(g)
    return sum(g), sum(g)


def max_gen(n: int):
    g = gen(n)
    next(g)
    h = gen(n)
    next(h)
    return max(g), min(h), any(g), all(g)


def join(n: int):
    g = (str(x) for x in range(n))
    a = next(g)
    return a + ",".join(g)


def dict_case(n: int):
    g = ((str(x), x) for x in range(n))
    a = next(g)
    return a, dict(g)


def setg(n: int):
    g = gen(n)
    next(g)
    return set(g)


def unpack(n: int):
    g = gen(3)
    a, b, c = g
    h = iter([1, 2, n])
    x, *y = h
    return a, b, c, x, y


def extend(n: int):
    g = gen(n)
    next(g)
    xs = [1]
    xs.extend(g)
    return xs


def sentinel(n: int):
    xs = [3, 2, 1, 0, 5]
    return [x for x in iter(xs.pop, 0)]


CASES: list[Case] = [
    (iter_list, [(3,), (6,)]),
    (iter_tuple, [(3,), (6,)]),
    (iter_str, [(3,), (6,)]),
    (iter_dict, [(3,), (6,)]),
    (iter_items, [(3,), (6,)]),
    (iter_values, [(3,), (6,)]),
    (iter_set, [(3,), (6,)]),
    (iter_range, [(3,), (6,)]),
    (lines, [(3,), (6,)]),
    (zip_self, [(3,), (6,)]),
    (zip_kept, [(3,), (6,)]),
    (zip3, [(3,), (6,)]),
    (enum_kept, [(3,), (6,)]),
    (rev_kept, [(3,), (6,)]),
    (map_kept, [(3,), (6,)]),
    (filter_kept, [(3,), (6,)]),
    (genexp_kept, [(3,), (6,)]),
    (genexp_two, [(3,), (6,)]),
    (genexp_passed, [(3,), (6,)]),
    (genexp_returned, [(3,), (6,)]),
    (count, [(3,), (6,)]),
    (cycle, [(3,), (6,)]),
    (repeat, [(3,), (6,)]),
    (chain, [(3,), (6,)]),
    (islice, [(3,), (6,)]),
    (takewhile, [(3,), (6,)]),
    (groupby, [(3,), (6,)]),
    (accumulate, [(3,), (6,)]),
    (pairwise, [(3,), (6,)]),
    (product, [(3,), (6,)]),
    (perm, [(3,), (6,)]),
    (comb, [(3,), (6,)]),
    (zl, [(3,), (6,)]),
    (tee, [(3,), (6,)]),
    (obj, [(3,), (6,)]),
    (obj_sum, [(3,), (6,)]),
    (obj_in, [(3,), (6,)]),
    (bag, [(3,), (6,)]),
    (gen_case, [(3,), (6,)]),
    (iter_obj, [(3,), (6,)]),
    (in_gen, [(3,), (6,)]),
    (sum_gen, [(3,), (6,)]),
    (max_gen, [(3,), (6,)]),
    (join, [(3,), (6,)]),
    (dict_case, [(3,), (6,)]),
    (setg, [(3,), (6,)]),
    (unpack, [(3,), (6,)]),
    (extend, [(3,), (6,)]),
    (sentinel, [(3,), (6,)]),
]
