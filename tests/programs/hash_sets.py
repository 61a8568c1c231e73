"""Sets and frozensets: displays, methods, operators, loops in CPython's order, kinds of items."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case


def displays(n: int):
    s = {n, 1, 2, n}
    t = {20, 1, 2, 3, 4}
    empty: set[int] = set()
    learned = set()
    for i in range(n):
        learned.add(i * i % 23)
    first = [x for x in s], [x for x in t], len(empty), not empty, bool(s)
    return first, learned, list(learned), {x % 5 for x in range(n) if x % 2}, set(range(n)), t, s


def orders_of_displays(n: int):
    """Few items are put in one by one; of more constants a frozenset is made first."""
    three, four, five = {17, 8, 2}, {33, 2, 12, 7}, {41, 33, 2, 17, 12}
    others = {n, 8, n + 16}, {n * 8, 16, 8, 24}, {n, 8, 16, 24, 32}
    texts = {"b", "a"} | {"c", "d", str(n)}
    orders = [[x for x in s] for s in (three, four, five, *others)]
    return orders, list(texts), {1.5, -0.0, 0.0}, {(n, "a"), (1, "b")}, {True, False}


def orders_of_constants() -> list[list[int]]:
    """A loop runs over the frozenset that CPython keeps, and what is made of it is another set.

    No two of them share a slot there: from a `.pyc` file they would be in another order.
    """
    found = [[x for x in {10, 20, 30, 40, 50}], list({10, 20, 30, 40, 50}), [x for x in {7, 12}]]
    found.append([*{10, 20, 30, 40, 50}])
    found.append([x for y in {3, 12} for x in {33, 42, 17, 11, 2, 68} if x > y])
    last: list[int] = []
    for x in {41, 8, 18, 28, 32, 2}:
        last.append(x)
    named = {41, 8, 18, 28, 32, 2}
    return [*found, last, [x for x in named], [i * x for i, x in enumerate({15, 6, 23, 33, 44})]]


def made_of(xs: list[int], text: str):
    d = {x: text for x in xs}
    found = (
        set(xs),
        set(d),
        set(x // 2 for x in xs),
        set(d.values()),
        set(enumerate(xs)),
        set((3, n(xs))),
    )
    again = (
        set(found[0]),
        frozenset(found[0]),
        frozenset(xs),
        frozenset(xs[:0]),
        set(np.array(xs, dtype=np.int64)),
    )
    return found, again[:3], list(again[0]), list(again[2]), len(again[3]), sorted(again[4])


def n(xs: list[int]) -> int:
    return len(xs)


def grown(count: int, step: int):
    s = set()
    order = []
    for i in range(count):
        s.add(i * step)
        if i % 3 == 2:
            s.discard((i - 1) * step)
        if i % 50 == 49:
            order.append([x for x in s][:9])
            s.pop()
    total = 0
    place = 1
    for x in s:
        total += x * place
        place = -place
    return len(s), total, order, 7 * step in s, s


def removed(xs: list[int], x: int):
    s = set(xs)
    s.discard(x + 1000)
    s.remove(x)
    return s


def emptied():
    s = {1}
    s.pop()
    return s.pop()


def changed_in_loop(count: int):
    s = {1, 2, 3}
    for x in s:
        if x == 2:
            for i in range(count):
                s.add(100 + i)
    return s


def methods(a: set[int], b: frozenset[int], xs: list[int]):
    new = a.union(b), a.intersection(b), a.difference(b), a.symmetric_difference(b), a.copy()
    lists = a.union(xs), a.intersection(xs), a.difference(xs), a.symmetric_difference(xs)
    kept = b.union(a), b & a, b.copy(), b - a
    more = a.union(b, xs), a.difference(b, xs), a.intersection(b, xs), a.union()
    asked = a.issubset(b), a.issuperset(b), a.isdisjoint(b), a.issubset(xs), a.issuperset(xs[:1])
    return new, lists, kept, more, asked, a.isdisjoint(xs), b.issubset(range(50))


def operators(a: set[int], b: set[int]):
    made = a | b, a & b, a - b, a ^ b, list(a ^ b), list(a & b), list(a - b)
    asked = a <= b, a < b, a >= b, a > b, a == b, a != b, a <= a, a < a.copy(), a == frozenset(a)
    c = a.copy()
    c |= b
    first = list(c)
    c &= a | {5}
    c ^= {1, 77}
    c -= {2, 3}
    f = frozenset(a)
    g = f
    f |= b
    c.update(b)
    c.intersection_update(a)
    c.difference_update({3})
    c.symmetric_difference_update([900, 901])
    return made, asked, first, c, f, g, f - g, len(a | b), 3 in a, 3 not in b


def taken(s: set[float], t: set[str]):
    total = sum(s), max(s), min(s), sorted(s), sorted(t, reverse=True), any(s), all(t), len(t)
    pairs = [(i, x) for i, x in enumerate(sorted(t))]
    mapped = {x: len(x) for x in t}
    return total, pairs, max(mapped.values()), sum(1 for x in s if x > 1.0), [abs(x) for x in s]


def of_strings(words: list[str]):
    seen = set()
    repeated = set()
    order = []
    for word in words:
        if word in seen:
            repeated.add(word)
        seen.add(word)
        order.append(len(seen))
    return [w for w in seen], repeated, order, seen - repeated, "a" in seen


def of_tuples(count: int):
    alive = {(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)}
    for _ in range(count):
        near: dict[tuple[int, int], int] = {}
        for x, y in alive:
            for dx in (-1, 0, 1):
                for dy in (-1, 0, 1):
                    if dx != 0 or dy != 0:
                        cell = (x + dx, y + dy)
                        near[cell] = near.get(cell, 0) + 1
        alive = {c for c, k in near.items() if k == 3 or (k == 2 and c in alive)}
    return alive, [c for c in alive], min(alive), max(alive)


def of_frozensets(count: int):
    sets = {frozenset((1, i)) for i in range(count)}
    d = {frozenset([1, 2]): 5}
    d[frozenset([2, 1])] += 1
    codes = hash(frozenset(range(count))), hash(frozenset(["a"])) == hash(frozenset({"a"}))
    return sets, d, frozenset([2, 1]) in sets, codes, frozenset([3]) == {3}, list(sets)


def held(count: int):
    groups = {}
    rows = [set() for _ in range(3)]
    for i in range(count):
        if i % 4 not in groups:
            groups[i % 4] = set()
        groups[i % 4].add(i)
        rows[i % 3].add(str(i))
    graph: dict[str, set[str]] = {"a": {"b"}}
    graph.setdefault("b", set()).add("a")
    return groups, [len(r) for r in rows], graph, [sorted(r) for r in rows]


def of_sets(d: dict[str, set[int]], x: int):
    return {k: sorted(v) for k, v in d.items()}, x in d["a"], [len(v) for v in d.values()]


def texts(xs: list[float], words: list[str]):
    one = set(words[:1])
    return (
        str(set(xs[:1])),
        repr(one),
        f"{frozenset(xs[:1])}",
        str(set(xs[:0])),
        str(frozenset(words[:0])),
    )


def of_numbers(x: int):
    s = {1.5, -0.0, 0.0, 2.0**70, float(x)}
    t = {True, x > 3}
    return s, 0.0 in s, t, {np.float64(x), np.float64(2.5)}, [v for v in s]


def united(xs: list[int], s: set[int]):
    low, *rest = sorted(set(xs))
    parts = {*xs, *s}, {*s, len(xs)}, {*range(4), 9}, list({*xs, 5})
    loops = [x for x in set(xs)], sum(set(xs)), max(frozenset(xs)), [x for x in {*s}]
    return low, rest, parts, loops, len(set(xs)), [i for i, x in enumerate(set(xs)) if x > 0]


class Bag:
    def __init__(self, xs: list[int]) -> None:
        self.items: set[int] = set()
        self.names = frozenset(["x"])
        for x in xs:
            self.items.add(x)

    def has(self, x: int) -> bool:
        return x in self.items


def in_objects(xs: list[int]):
    bag = Bag(xs)
    bag.items |= {5}
    return bag.has(5), bag.has(99), len(bag.items), bag.names, bag.items


def as_results(n: int):
    if n > 2:
        return set()
    return {n}


WORDS = [
    *"abcab",
    "the",
    "dog",
    "over",
    "the",
    "lazy",
    "fox",
    "dog",
    "quick",
    "brown",
    "jumps",
    "cat",
]


def filled_again(xs: list[int], ys: list[int]):
    """The order is that of CPython also where a set was emptied before it is filled."""
    found = []
    for start in ([7], xs):
        emptied = set(start)
        for x in start:
            emptied.discard(x)
        emptied |= set(ys)
        taken = set(start) - set(start)
        taken |= set(ys)
        cleared = set(start)
        cleared.clear()
        cleared |= set(ys)
        found += [list(emptied), list(taken), list(cleared), list(set(start) | set(ys))]
    return found


CASES: list[Case] = [
    (
        filled_again,
        [
            ([10**12 * k % 999983 - 4 for k in range(n)], [k * k * 10**9 for k in range(m)])
            for n, m in ((1, 12), (9, 3), (40, 70), (3, 0))
        ],
    ),
    (displays, [(0,), (3,), (40,)]),
    (orders_of_constants, [()]),
    (orders_of_displays, [(0,), (3,), (40,), (8,)]),
    (made_of, [([5, 3, 5, 100], "y"), (list(range(0, 90, 7)), "z")]),
    (grown, [(10, 1), (400, 3), (300, 2**40 + 7)]),
    (removed, [([1, 2, 3], 2), ([1], 5)]),
    (emptied, [()]),
    (changed_in_loop, [(0,), (1,), (50,)]),
    (
        methods,
        [
            ({1, 2, 3}, frozenset({3, 4}), [1, 9]),
            (set(range(0, 60, 3)), frozenset(range(40)), [3, 3]),
        ],
    ),
    (operators, [({1, 2, 3}, {3, 4}), ({100, 8, 16}, set(range(30)))]),
    (taken, [({1.5, -2.0, 1e300}, {"b", "a", ""})]),
    (of_strings, [(WORDS,)]),
    (of_tuples, [(0,), (12,)]),
    (of_frozensets, [(6,), (30,)]),
    (held, [(20,)]),
    (of_sets, [({"a": {1, 2}, "b": {9}}, 2)]),
    (texts, [([1.5], ["it's"])]),
    (of_numbers, [(2,), (5,)]),
    (united, [([3, 1, 3], {7, 1}), ([1], set(range(30)))]),
    (in_objects, [([1, 2, 3],)]),
    (as_results, [(1,), (5,)]),
]
