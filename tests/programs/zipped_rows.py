"""Rows of grids and tables that zip(*rows) turns: beside others, in functions, of every kind."""

# Without annotations the types come from the call, which is what these programs are about.
# ruff: noqa: B905, RUF015, RUF059 -- how people write it
# pyright: basic, reportArgumentType=false, reportOptionalSubscript=false, reportOptionalMemberAccess=false
# pyright: reportAttributeAccessIssue=false, reportOperatorIssue=false, reportCallIssue=false
# pyright: reportOptionalOperand=false, reportReturnType=false

import itertools
from collections import Counter, deque

import numpy as np

from tests.programs import Case


def two():
    return [1, 2], [3, 4]


def rot(m):
    return [list(r)[::-1] for r in zip(*m)]


def rot2(m):
    return list(map(list, zip(*m[::-1])))


def rotated(n):
    m = [[1, 2], [3, 4]]
    return rot(m), rot2(rot(m)), rot(rot(rot(rot(m)))) == m


def transposed_twice(n):
    m = [[1, 2], [3, 4]]
    return list(zip(*zip(*m))), [list(r) for r in zip(*zip(*m))]


def gathered(n):
    m = ["abc", "abd"]
    return Counter(zip(*m)), deque(zip(*m)), [*zip(*m)], list(itertools.chain(*zip(*m)))


def tested(n):
    m = [[1, 2], [3, 4]]
    return (
        (1, 3) in zip(*m),
        (1, 4) in list(zip(*m)),
        np.array(list(zip(*m))),
        {c: sum(c) for c in zip(*m)},
    )


def starred(n):
    m = [[1, 2], [3, 4]]
    first, *rest = zip(*m)
    return first, rest, next(zip(*m)), next(iter(zip(*m)))


def beside_others(n):
    m = [[1, 2], [3, 4]]
    return (
        [a + b for (a, b), c in zip(zip(*m), "xy")],
        list(zip(zip(*m), range(5))),
        list(enumerate(zip(*m), 1)),
    )


def places(n):
    m = [[i * j for j in range(3)] for i in range(n)]
    out = []
    for j, col in enumerate(zip(*m)):
        if j == 1:
            continue
        for i, x in enumerate(col):
            out.append((i, j, x))
    return out


def left(n):
    m = [[1, 2], [3, 4]]
    for col in zip(*m):
        if sum(col) > 4:
            break
    else:
        return 0
    return col


def gen(m):
    for c in zip(*m):
        yield sum(c)


def in_generators(n):
    return list(gen([[1, 2], [3, 4]])), sum(gen([[1, 2], [3, 4]]))


def gen2(m):
    yield from zip(*m)


def handed_on(n):
    return list(gen2([[1, 2], [3, 4]]))


def indices(n):
    x = np.array([[1, 0, 2], [0, 3, 0]])
    r, c = np.nonzero(x)
    return (
        [(int(a), int(b)) for a, b in zip(*np.nonzero(x))],
        list(map(tuple, zip(*np.where(x > 1)))),
        sum(int(x[i, j]) for i, j in zip(*np.nonzero(x))),
    )


def pairs_of_kinds(n):
    t = ([1, 2, 3], "ab")
    return (
        dict(zip(*t)),
        dict(zip(*t[::-1])),
        sorted(zip(*t)),
        [x for x in zip(*t)][0],
        list(zip(*t, strict=False)),
    )


def strict_pairs(n):
    t = ([1, 2, 3], "ab")
    return list(zip(*t, strict=True))


def of_tuples(n):
    t = ((1, "a"), (2, "b"))
    out = []
    for x, y in zip(*t):
        out.append((str(x), str(y)))
    return out


def of_equal_tuples(n):
    t = ((1, 2), (3, 4))
    return (
        [x * y for x, y in zip(*t)],
        list(zip(*t)),
        tuple(zip(*t)),
        list(map(sum, zip(*t))),
        max(zip(*t)),
    )


def of_lists_in_a_tuple(n):
    t = ([1, 2], [3, 4])
    return (
        list(map(sum, zip(*t))),
        list(map(list, zip(*t))),
        list(map(lambda p: p[0] * p[1], zip(*t))),
        [*zip(*t)],
        list(filter(None, map(max, zip(*t)))),
    )


def order_of_calls(n):
    calls = []

    def two(k):
        calls.append(k)
        return [k, k + 1], [k * 2, k * 3]

    out = [a * b for a, b in zip(*two(n))]
    out += list(map(sum, zip(*two(n + 1))))
    out += [sum(c) for c in zip(*two(n + 2))]
    for a, b in zip(*two(7)):
        out.append(a - b)
    return out, calls


def kept_lazily(n):
    t = ([1, 2], [3, 4])
    g = zip(*t)
    t[0][0] = 50
    return next(g), list(g), list(g)


def kept_maps(n):
    it = map(sum, zip(*[[1, 2], [3, 4]]))
    return next(it), list(it)


def rows_assigned(n):
    m = [[1, 2], [3, 4]]
    out = []
    for c in zip(*m):
        m = [[0]]
        out.append(c)
    return out, m


def rows_that_shrink(n):
    m = [[1, 2, 3], [4, 5, 6]]
    out = []
    for c in zip(*m):
        m[1].pop()
        out.append(c)
    return out


def of_nothing(n):
    return list(zip(*[[]])), list(zip(*[[1], []])), [sum(c) for c in zip(*[[0][:0], [1]])]


def messages(n):
    m = [[1, 2], [3]]
    a = b = c = ""
    try:
        list(zip(*m, strict=True))
    except ValueError as e:
        a = str(e)
    m = [[1], [3, 4]]
    try:
        print([sum(c) for c in zip(*m, strict=True)])
    except ValueError as e:
        b = str(e)
    m = [[1, 2], [3, 4], [5]]
    try:
        list(zip(*m, strict=True))
    except ValueError as e:
        c = str(e)
    m = [[1], [3], [5, 6]]
    try:
        list(zip(*m, strict=True))
    except ValueError as e:
        return a, b, c, str(e)


def of_dicts(n):
    d = {"a": [1, 2], "b": [3, 4]}
    return (
        [sum(c) for c in zip(*d.values())],
        [dict(zip(d, c)) for c in zip(*d.values())],
        list(zip(*d)),
    )


def of_generator_expressions(n):
    return [sum(c) for c in zip(*([i, i + 1] for i in range(n)))], [
        sum(c) for c in zip(*[[i, i + 1] for i in range(n)])
    ]


def of_long_tuples(n):
    m = [tuple([i, i]) for i in range(n)]
    return (
        [sum(c) for c in zip(*m)],
        list(zip(*[(1, 2), (3, 4)])),
        list(zip(*{(1, 2)})),
        [*map(set, zip(*m))],
    )


def of_floats(n):
    m = [[1.5, 2.0], [3.0, 4.0]]
    return (
        [sum(c) / len(c) for c in zip(*m)],
        [max(c, key=lambda v: -v) for c in zip(*m)],
        ["-".join(map(str, c)) for c in zip(*m)],
    )


def lcp(words):
    out = []
    for cs in zip(*words):
        if len(set(cs)) != 1:
            return "".join(out)
        out.append(cs[0])
    return "".join(out)


def longest_start(n):
    return lcp(["flower", "flow", "flight"]), lcp(["a"])


class M:
    def __init__(self, rows):
        self.rows = rows

    def t(self):
        return M([list(c) for c in zip(*self.rows)])

    def mul(self, o):
        return M([[sum(a * b for a, b in zip(r, c)) for c in zip(*o.rows)] for r in self.rows])


def multiplied(n):
    return M([[1, 2], [3, 4]]).mul(M([[1, 0], [2, 1]])).t().rows


def inner(n):
    return [[sum(a * b for a, b in zip(r, c)) for c in zip(*[[1, 2], [3, 4]])] for r in [[n, 1]]]


def both_ways(n):
    pts = [(1, 2.0), (3, 4.0)]
    xs, ys = zip(*pts)
    xs2, ys2 = map(list, zip(*pts))
    return xs, ys, xs2, ys2


def decided(n):
    return (
        any(all(c) for c in zip(*[[1, 0], [1, 1]])),
        all(len(set(c)) == 1 for c in zip(*["ab", "ab"])),
        len(list(zip(*["ab", "cd"]))),
        "".join(a for (a,) in zip(*["xyz"])),
    )


def passed_on(n):
    m = [[1, 2], [3, 4]]
    return (
        reduce_(zip(*m)),
        list(itertools.accumulate(map(sum, zip(*m)))),
        list(itertools.islice(zip(*m), 1)),
    )


def reduce_(it):
    t = 0
    for a in it:
        t = t * 10 + a[0]
    return t


CASES: list[Case] = [
    (rotated, [(3,)]),
    (transposed_twice, [(3,)]),
    (gathered, [(3,)]),
    (tested, [(3,)]),
    (starred, [(3,)]),
    (beside_others, [(3,)]),
    (places, [(3,)]),
    (left, [(3,)]),
    (in_generators, [(3,)]),
    (handed_on, [(3,)]),
    (indices, [(3,)]),
    (pairs_of_kinds, [(3,)]),
    (strict_pairs, [(3,)]),
    (of_tuples, [(3,)]),
    (of_equal_tuples, [(3,)]),
    (of_lists_in_a_tuple, [(3,)]),
    (order_of_calls, [(3,)]),
    (kept_lazily, [(3,)]),
    (kept_maps, [(3,)]),
    (rows_assigned, [(3,)]),
    (rows_that_shrink, [(3,)]),
    (of_nothing, [(3,)]),
    (messages, [(3,)]),
    (of_dicts, [(3,)]),
    (of_generator_expressions, [(3,)]),
    (of_long_tuples, [(3,)]),
    (of_floats, [(3,)]),
    (longest_start, [(3,)]),
    (multiplied, [(3,)]),
    (inner, [(3,)]),
    (both_ways, [(3,)]),
    (decided, [(3,)]),
    (passed_on, [(3,)]),
]
