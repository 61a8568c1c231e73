"""Recursive generators that give lists, deques and dicts which begin empty."""

# Without annotations the types come from the call, which is what these programs are about.
# ruff: noqa: RUF005 -- sums of lists and loops that yield are what these programs are about
# pyright: basic, reportArgumentType=false, reportOptionalSubscript=false, reportOptionalMemberAccess=false
# pyright: reportAttributeAccessIssue=false, reportOperatorIssue=false, reportCallIssue=false
# pyright: reportOptionalOperand=false, reportReturnType=false

from collections import deque

from tests.programs import Case


def parts(xs):
    if not xs:
        yield []
        return
    first, rest = xs[0], xs[1:]
    for p in parts(rest):
        yield [[first]] + p
        for i in range(len(p)):
            yield p[:i] + [[first] + p[i]] + p[i + 1 :]


def partitions(n):
    return list(parts([1, 2, 3]))


def partitions_of_text(n):
    return list(parts("ab"))


def exact(n, cur=None):
    cur = cur or []
    if n == 0:
        yield cur
    for k in range(1, n + 1):
        yield from exact(n - k, cur + [k])


def exactly(n):
    return list(exact(n))


def compositions(n):
    if n == 0:
        yield []
        return
    for k in range(n, 0, -1):
        yield from ([k] + q for q in compositions(n - k))


def of_expressions(n):
    return list(compositions(n))


class Sub:
    def __init__(self, xs):
        self.xs = xs

    def all(self, i):
        if i == len(self.xs):
            yield []
            return
        for s in self.all(i + 1):
            yield s
            yield [self.xs[i], *s]

    def __iter__(self):
        yield from self.all(0)


def of_methods(n):
    return list(Sub([1, 2, 3]).all(0))


def of_iter(n):
    return [s for s in Sub("abc") if len(s) == 2]


def of_nested(n):
    def go(k):
        if k == 0:
            yield []
            return
        for s in go(k - 1):
            yield s + [k * n]

    return list(go(3))


def pairs(n):
    if n == 0:
        yield [], []
        return
    for a, b in pairs(n - 1):
        yield a + [n], b
        yield a, b + [n]


def in_pairs(n):
    return list(pairs(2))


def dq(n):
    if n == 0:
        yield deque()
        return
    for d in dq(n - 1):
        d.append(n)
        yield d


def deques(n):
    return list(dq(n))


def even(n):
    if n == 0:
        yield []
    else:
        for x in odd(n - 1):
            yield x + [n]


def odd(n):
    if n == 0:
        return
    for x in even(n - 1):
        yield [n] + x


def each_other(n):
    return list(even(4)), list(odd(3))


def strs(n):
    if n == 0:
        yield []
        return
    for s in strs(n - 1):
        yield s + ["a" * n]
        yield s + [str(n)]


def joined(n):
    return [",".join(s) for s in strs(3)]


def opt(n):
    if n == 0:
        yield []
        yield None
        return
    for s in opt(n - 1):
        if s is not None:
            yield s + [n]


def beside_none(n):
    return list(opt(2))


def memo_paths(grid, r, c):
    if r == 0 and c == 0:
        yield [(0, 0)]
        return
    if r > 0:
        for q in memo_paths(grid, r - 1, c):
            yield q + [(r, c)]
    if c > 0:
        for q in memo_paths(grid, r, c - 1):
            yield q + [(r, c)]


def routes(n):
    return list(memo_paths([[0] * 3] * 3, 2, 2))


def prod(*pools):
    if not pools:
        yield []
        return
    for x in pools[0]:
        for rest in prod(*pools[1:]):
            yield [x] + rest


def products(n):
    return list(prod([1, 2], [3, 4]))


def sq(n, sofar):
    if len(sofar) == n:
        yield list(sofar)
        return
    for c in range(n):
        if all(c != d and abs(c - d) != len(sofar) - i for i, d in enumerate(sofar)):
            sofar.append(c)
            yield from sq(n, sofar)
            sofar.pop()


def queens(n):
    return list(sq(4, []))


def empty_dict(n):
    if n == 0:
        yield {}
        return
    for d in empty_dict(n - 1):
        yield {**d, n: str(n)}


def spread(n):
    return list(empty_dict(2))


def changed(n):
    out = []
    for x in compositions(n):
        x.append(0)
        out.append(x)
    return out


def folded(n):
    first = next(compositions(n))
    return (
        first,
        sum(len(q) for q in compositions(n)),
        max(compositions(n)),
        sorted(compositions(n)),
        [1, 2] in compositions(3),
    )


def sums(xs, t):
    if t == 0:
        yield []
    elif t > 0 and xs:
        for s in sums(xs[1:], t - xs[0]):
            yield [xs[0]] + s
        yield from sums(xs[1:], t)


def sums_of(n):
    return list(sums([1, 2, 3, 4], 5))


CASES: list[Case] = [
    (partitions, [(3,)]),
    (partitions_of_text, [(3,)]),
    (exactly, [(3,)]),
    (of_expressions, [(3,)]),
    (of_methods, [(3,)]),
    (of_iter, [(3,)]),
    (of_nested, [(3,)]),
    (in_pairs, [(3,)]),
    (deques, [(3,)]),
    (each_other, [(3,)]),
    (joined, [(3,)]),
    (beside_none, [(3,)]),
    (routes, [(3,)]),
    (products, [(3,)]),
    (queens, [(3,)]),
    (spread, [(3,)]),
    (changed, [(3,)]),
    (folded, [(3,)]),
    (sums_of, [(3,)]),
]
