"""Comprehensions, and builtin functions that take items one by one."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic
# ruff: noqa: SIM108

import numpy as np

from tests.programs import Case

builtin_sum, builtin_any = sum, any


def squares(n):
    return [i * i for i in range(n)]


def two_loops(n):
    return [i * j for i in range(n) if i % 2 for j in range(i) if j != 1]


def inside_another(n):
    return [[i * j for j in range(i)] for i in range(n)]


def own_variables(n):
    i = 10
    first = [i for i in range(n)]
    again = [i for i in [i + 1 for i in first]]
    shadowed = [[x for x in range(x)] for x in range(n)]
    return i, first, again, shadowed


def from_outside(xs, k):
    xs = [x * k for x in xs if x > k]
    return [x + y for x in xs for y in xs]


def of_arrays(x, y):
    rows = [row.sum() for row in y]
    return [v * 2 for v in x], rows, [a / b for a, b in zip(x, y[0], strict=False)]


def with_places(xs):
    second = [x + y for (_, x), y in zip(enumerate(xs), xs, strict=False)]
    return [(i, x) for i, x in enumerate(xs)], second


def over_a_tuple(a, b):
    return [t * 2 for t in (a, b, 7)], [s for s in ("x", "y")]


def in_tests(n):
    total = 0
    while len([i for i in range(n) if i > 2]) > 1:
        n -= 1
        total += sum([i for i in range(n)]) if n > 4 and [i for i in range(n) if i > 3] else 100
    return n, total


def walrus(n):
    last = -1
    found = [last := i * 3 for i in range(n) if i != 2]
    if n > 3 and any((seen := v) > 5 for v in found):
        return seen, last, found
    return last, last, found


def raises_half_way(n):
    done = [0]
    try:
        out = [done.append(10 // (3 - i)) or i for i in range(n)]
    except ZeroDivisionError:
        out = []
    return out, done


def unrolled(n):
    out = []
    for k in (1, 2.5):
        out.append(sum([i * k for i in range(n)]) * 1.0)
    return out


def any_and_all(xs, k):
    return any(x > k for x in xs), all(x > k for x in xs), any(xs), all(xs)


def nested_any(n, k):
    seen = []
    one = any(seen.append(i * 10 + j) or i * j == k for i in range(n) for j in range(i))
    every = all(i + j < k for i in range(n) if i != 1 for j in range(i))
    return one, every, seen


def mixed_truth(a, b):
    return any((a, b)), all((a, b, "text")), any(()), all(()), any([a > 1, False])


def sums(xs, n):
    start = 5
    return (
        sum(x * x for x in xs),
        sum((x > 1 for x in xs), start),
        sum(i for i in range(n) if i % 3),
        sum(float(i) for i in range(n)) + 0.5,
    )


def extremes(xs):
    return min(abs(x) for x in xs), max([x * 2 for x in xs]), min([x for x in xs if x > 0])


def empty_on_one_path(n):
    if n < 0:
        return []
    if n == 0:
        found = []
    else:
        found = [n / 2]
    both = [] if n < 2 else [n]
    found.append(float(len(both)))
    return found


def arrays_of_lists(x, n):
    return np.array([v * 2 for v in x]), np.array([i for i in range(n)]), np.sum([v for v in x])


def prime_pairs(n):
    primes = [p for p in range(2, n) if all(p % q for q in range(2, p))]
    return [(p, q) for p in primes for q in primes if q - p == 2]


def as_statements(n):
    found = []
    [found.append(i) for i in range(n)]
    [[found.append((i, j)[1]) for j in range(i)] for i in range(n)]
    [0 for i in found if i > 1]
    [found.pop(i) for i in (9,) if n > 3]
    list(map(found.append, range(n)))
    return found


def deep_sums(n):
    """Sums in sums: each is checked until its types stay, the inner ones with it."""
    total = sum(
        sum(
            sum(sum(sum(a + b for a in range(b)) for b in range(c)) for c in range(d))
            for d in range(e)
        )
        for e in range(n)
    )
    halves = sum(
        sum(sum(sum(a / (b + 1) for a in range(b)) for b in range(c)) for c in range(d))
        for d in range(n)
    )
    most = max(
        [
            max(
                [
                    max([max([a * b for a in range(b + 1)]) for b in range(c + 1)])
                    for c in range(d + 1)
                ]
            )
            for d in range(n)
        ]
    )
    rows = [
        [[[a if a % 2 else None for a in range(b)] for b in range(c)] for c in range(d)]
        for d in range(n)
    ]
    return total, halves, most, rows


def deep_sources(n):
    """What a loop runs over is looked at several times, and so is what that one runs over."""
    names = sorted(
        [
            a.strip()
            for a in sorted(
                [
                    b.lower()
                    for b in sorted(
                        [c + " " for c in sorted([f"X{d}" for d in reversed(list(range(n)))])]
                    )
                ]
            )
        ]
    )
    doubled = [
        x
        for x in [
            y + 0.5
            for y in [z for z in list(sorted([w * 2 for w in list(range(n)) if w != 1])) if z]
        ]
        if x > 1
    ]
    table = {
        k: v
        for k, v in {
            a: b
            for a, b in {
                c: d
                for c, d in {e: f * 2 for e, f in {g: str(g) for g in range(n)}.items()}.items()
                if c
            }.items()
        }.items()
        if v
    }
    pairs = list(enumerate(list(enumerate(list(enumerate(list(range(n))))))))
    text = "-".join([p for p in ",".join([q for q in "".join([r for r in str(n) * 3])])])
    return names, doubled, table, pairs, text


def many_in_a_sum(n):
    """What each holds is known where it stands, and not one statement in each pass."""
    r = 0
    r += sorted([n, 0])[0] + max([[x, 0] for x in range(n)])[0]
    r += sorted([n, 1])[1] + max([[x, 1] for x in range(n)])[0]
    r += sorted([n, 2])[0] + max([[x, 2] for x in range(n)])[0]
    r += sorted([n, 3])[1] + max([[x, 3] for x in range(n)])[0]
    r += sorted([n, 4])[0] + max([[x, 4] for x in range(n)])[0]
    r += sorted([n, 5])[1] + max([[x, 5] for x in range(n)])[0]
    r += sorted([n, 6])[0] + max([[x, 6] for x in range(n)])[0]
    r += sorted([n, 7])[1] + max([[x, 7] for x in range(n)])[0]
    r += sorted([n, 8])[0] + max([[x, 8] for x in range(n)])[0]
    r += sorted([n, 9])[1] + max([[x, 9] for x in range(n)])[0]
    r += sorted([n, 10])[0] + max([[x, 10] for x in range(n)])[0]
    r += sorted([n, 11])[1] + max([[x, 11] for x in range(n)])[0]
    r += sorted([n, 12])[0] + max([[x, 12] for x in range(n)])[0]
    r += sorted([n, 13])[1] + max([[x, 13] for x in range(n)])[0]
    r += sorted([n, 14])[0] + max([[x, 14] for x in range(n)])[0]
    r += sorted([n, 15])[1] + max([[x, 15] for x in range(n)])[0]
    r += sorted([n, 16])[0] + max([[x, 16] for x in range(n)])[0]
    r += sorted([n, 17])[1] + max([[x, 17] for x in range(n)])[0]
    r += sorted([n, 18])[0] + max([[x, 18] for x in range(n)])[0]
    r += sorted([n, 19])[1] + max([[x, 19] for x in range(n)])[0]
    r += sorted([n, 20])[0] + max([[x, 20] for x in range(n)])[0]
    r += sorted([n, 21])[1] + max([[x, 21] for x in range(n)])[0]
    r += sorted([n, 22])[0] + max([[x, 22] for x in range(n)])[0]
    r += sorted([n, 23])[1] + max([[x, 23] for x in range(n)])[0]
    r += sorted([n, 24])[0] + max([[x, 24] for x in range(n)])[0]
    r += sorted([n, 25])[1] + max([[x, 25] for x in range(n)])[0]
    r += sorted([n, 26])[0] + max([[x, 26] for x in range(n)])[0]
    r += sorted([n, 27])[1] + max([[x, 27] for x in range(n)])[0]
    r += sorted([n, 28])[0] + max([[x, 28] for x in range(n)])[0]
    r += sorted([n, 29])[1] + max([[x, 29] for x in range(n)])[0]
    r += sorted([n, 30])[0] + max([[x, 30] for x in range(n)])[0]
    r += sorted([n, 31])[1] + max([[x, 31] for x in range(n)])[0]
    r += sorted([n, 32])[0] + max([[x, 32] for x in range(n)])[0]
    r += sorted([n, 33])[1] + max([[x, 33] for x in range(n)])[0]
    r += sorted([n, 34])[0] + max([[x, 34] for x in range(n)])[0]
    r += sorted([n, 35])[1] + max([[x, 35] for x in range(n)])[0]
    r += sorted([n, 36])[0] + max([[x, 36] for x in range(n)])[0]
    r += sorted([n, 37])[1] + max([[x, 37] for x in range(n)])[0]
    r += sorted([n, 38])[0] + max([[x, 38] for x in range(n)])[0]
    r += sorted([n, 39])[1] + max([[x, 39] for x in range(n)])[0]
    return r


def deep_loops(n):
    """What a loop adds to is an int at first, and then a float."""
    x, y, z, last = 0, 0, 0, None
    for _ in range(n):
        for _ in range(n):
            for k in range(n):
                a = 0
                for m in range(n):
                    a += m
                    y = y + x
                z = z + a
                last = a if last is None else last + k
            x = x + 0.5
    return x, y, z, last


def in_unrolled_loops(n):
    """A loop over a tuple is looked at again with the one around it, and all that is in it."""
    acc = None
    out = []
    total, k = 0, 0
    while k < n:
        for pair in ((1, "a"), ("b", 2)):
            row = [str(part) for part in pair]
            acc = row if acc is None else acc + sorted(row)
        for a in (1, 2.5, "x"):
            xs = sorted([n, k, 1])
            out.append((str(a), [x * 2 for x in xs], sum(x for x in xs)))
            total = total + len(xs)
        k += 1
        total = total * 1.0 if k > 2 else total
    return acc, out, total


def called_as_results(n):
    rows = [[i, i + 1] for i in range(n)]
    flat = [x for list in rows for x in list]
    pairs = {a: b for dict in rows for a, b in [dict]}
    total = builtin_sum(sum * 2 for row in rows for sum in row)
    return (
        flat,
        pairs,
        {x for set in rows for x in set},
        total,
        builtin_any(any > n for any in flat),
    )


CASES: list[Case] = [
    (in_unrolled_loops, [(0,), (1,), (3,)]),
    (deep_sums, [(5,)]),
    (many_in_a_sum, [(3,)]),
    (deep_sources, [(4,)]),
    (deep_loops, [(3,), (2,)]),
    (as_statements, [(3,), (0,), (4,)]),
    (called_as_results, [(3,), (0,)]),
    (squares, [(5,), (0,), (-1,)]),
    (two_loops, [(6,), (1,)]),
    (inside_another, [(4,), (0,)]),
    (own_variables, [(4,), (0,)]),
    (from_outside, [([1, 5, 3], 2), ([1.5, 0.5], 1.0)]),
    (of_arrays, [(np.arange(3.0), np.arange(1, 7).reshape(2, 3))]),
    (with_places, [([3, 1],), ([1.5],)]),
    (over_a_tuple, [(1, 2)]),
    (in_tests, [(8,), (2,)]),
    (walrus, [(5,), (2,), (0,)]),
    (raises_half_way, [(3,), (6,)]),
    (unrolled, [(4,)]),
    (any_and_all, [([1, 2], 0), ([0, 5], 3), (np.array([0.0, 2.0]), 1), ([0.0], 3.0)]),
    (nested_any, [(5, 6), (5, 100), (0, 1)]),
    (mixed_truth, [(0, 2.5), (0, 0.0), (3, 1.0)]),
    (sums, [([1.5, 2.0], 5), ([1, 2, 3], 0), (np.array([1, 3]), 4)]),
    (extremes, [([3, -1, 2],), ([0.5],), ([-1.0],)]),
    (empty_on_one_path, [(-1,), (0,), (1,), (4,)]),
    (arrays_of_lists, [(np.array([0.5, 2.0]), 3), (np.arange(3), 1)]),
    (prime_pairs, [(30,), (0,)]),
]
