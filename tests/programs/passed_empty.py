"""Empty lists, dicts and sets that functions fill which they are passed to."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from dataclasses import dataclass

from tests.programs import Case


def filled_by_a_nested_function(n):
    out = []

    def visit(k):
        if k > 0:
            out.append(k)
            visit(k - 1)

    visit(n)
    return out


def fill(xs, n):
    for i in range(n):
        xs.append(i * 0.5)


def filled_by_a_function(n):
    xs = []
    fill(xs, n)
    return xs


def memo(n):
    memo = {}

    def fib(k):
        if k in memo:
            return memo[k]
        r = k if k < 2 else fib(k - 1) + fib(k - 2)
        memo[k] = r
        return r

    return fib(n), len(memo)


def all_pairs(n):
    res = []
    cur = []

    def back(start):
        if len(cur) == 2:
            res.append(cur.copy())
            return
        for i in range(start, n):
            cur.append(i)
            back(i + 1)
            cur.pop()

    back(0)
    return res


def put(d, k, v):
    if k in d:
        d[k].append(v)
    else:
        d[k] = [v]


def dict_of_lists(n):
    d = {}
    for i in range(n):
        put(d, i % 3, i)
    return d


def add_edge(g, u, v):
    if u not in g:
        g[u] = []
    g[u].append(v)


def graph(n):
    g = {}
    add_edge(g, 1, n)
    add_edge(g, 1, 3)
    return g


def total(xs):
    t = 0
    for x in xs:
        t += x
    return t


def summed_before(n):
    xs = []
    a = total(xs)
    xs.append(n)
    return a, total(xs)


def size(xs):
    return len(xs)


def counted_before(n):
    xs = []
    a = size(xs)
    for i in range(n):
        xs.append((i, "a"))
    return a, size(xs)


def set_of_seen(n):
    seen = set()

    def go(k):
        if k in seen:
            return
        seen.add(k)
        go((k * 3) % n)

    go(1)
    return len(seen)


def two_deep(n):
    xs: list[int] = []

    def deep(k):
        def inner(j):
            ys.append(j)
            xs.append(j)

        inner(k)

    ys = []
    deep(n)
    return xs, ys


def kept_by_statements(n):
    found = {}

    def count(k):
        if k in found:
            return found[k]
        if k < 2:
            return k
        total = count(k - 1) + count(k - 2)
        found[k] = total
        return total

    return count(n), len(found)


def kept_by_arms(a: str, b: str):
    found = {}

    def longest(i, j):
        if (i, j) in found:
            return found[i, j]
        if i == len(a) or j == len(b):
            text = ""
        elif a[i] == b[j]:
            text = a[i] + longest(i + 1, j + 1)
        else:
            one, other = longest(i + 1, j), longest(i, j + 1)
            text = one if len(one) >= len(other) else other
        found[i, j] = text
        return text

    return longest(0, 0)


@dataclass
class Segment:
    start: int
    end: int


def add_to(n, segments: list[Segment]):
    if segments and segments[-1].end == n - 1:
        segments[-1].end = n
    else:
        segments.append(Segment(n, n))


def segments_of(numbers):
    out = []
    for n in numbers:
        add_to(n, out)
    return out


def of_declared_objects(n):
    return (
        segments_of([]) == [],
        [(s.start, s.end) for s in segments_of([*range(n), n + 3])],
        str(segments_of([1])),
    )


CASES: list[Case] = [
    (kept_by_statements, [(30,), (1,)]),
    (kept_by_arms, [("ABCBDAB", "BDCABA"), ("", "a")]),
    (filled_by_a_nested_function, [(6,)]),
    (filled_by_a_function, [(6,)]),
    (memo, [(6,)]),
    (all_pairs, [(6,)]),
    (dict_of_lists, [(6,)]),
    (graph, [(6,)]),
    (summed_before, [(6,)]),
    (counted_before, [(6,)]),
    (set_of_seen, [(6,)]),
    (two_deep, [(6,)]),
    (of_declared_objects, [(6,)]),
]
