"""Ranges as values: in variables, fields, lists, arguments and results of functions."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic
# ruff: noqa: B905

import numpy as np

from tests.programs import Case


def total(numbers):
    result = 0
    for i in numbers:
        result += i
    return result


def backwards(n: int):
    return range(n, 0, -1)


class Span:
    def __init__(self, n: int):
        self.numbers = range(n, n + 3)


def looped_over(n: int):
    r = range(n)
    s = range(1, n, 2)
    out = [i for i in r]
    for i in s:
        if i == 5:
            continue
        out.append(i)
    return (
        *(out, total(r), total(s), total(range(n, 0, -1)), total(backwards(n)), list(reversed(s))),
        *([list(x) for x in [r, s, backwards(3)]], list(zip(r, s)), list(enumerate(s, 1))),
        *(sum(r), max(range(n)), sorted(range(3), reverse=True), any(s), list(map(str, s))),
    )


def asked(n: int):
    r = range(n)
    s = range(1, n, 2)
    return (
        *(len(r), len(s), len(range(n, 0, -3)), len(range(3, 1)), r[0], s[-1], r[-n]),
        *(
            3 in s,
            n in r,
            n - 1 in r,
            2.0 in r,
            2.5 in r,
            True in s,
            4 not in s,
            3 in range(5, 1, -2),
        ),
        *(
            r == range(0, n),
            r == s,
            r != s,
            range(0) == range(3, 1),
            range(0, 3, 2) == range(0, 4, 2),
        ),
        *(str(s), f"{r}", repr(range(5, 1, -1)), r.start, s.stop, s.step, bool(range(0)), bool(r)),
        *(s.index(3), s.count(3), s.count(4)),
    )


def sliced(n: int, k: int):
    r = range(2, n, 3)
    return (
        *(list(r[1:]), list(r[::-1]), list(r[::-2]), list(r[k:]), list(r[:k]), list(r[-2:k])),
        *(str(r[1:3]), str(r[::2]), len(r[k:k]), list(range(10)[2:8][::3]), str(r[k::-1])),
    )


def kept(n: int):
    span = Span(n)
    t = 0
    for i in span.numbers:
        t += i
    for k, i in enumerate(span.numbers):
        t += k * i
    r = range(n) if n > 3 else range(2)
    return t, list(span.numbers), len(span.numbers), [x * y for x, y in zip(span.numbers, r)]


def changed_meanwhile(n: int):
    r = range(n)
    seen = []
    for i in r:
        r = range(2)
        n = 7
        seen.append(i)
    return seen, len(r), n


def no_step(n: int):
    return len(range(0, 5, n))


def item_of(n: int):
    return range(3)[n]


def place_of(n: int):
    return range(0, 9, 3).index(n)


def put_into_arrays(n):
    distances = np.zeros((n, n + 1), dtype=int)
    distances[:, 0] = range(n)
    distances[0] = range(n, -1, -1)
    values = np.zeros(3)
    values[:] = range(n)
    return distances, values, np.arange(10.0)[range(n)]


def as_keys(n: int, x: float):
    r = range(0, n, 2)
    rows = {r: 1, range(0): 2}
    rows[range(n, 2 * n)] = 3
    rows[range(0, n + n % 2, 2)] = 4
    found = rows.get(range(5, 2)), rows[range(0)], len(rows), r in {r, range(1)}
    same = hash(r) == hash(range(0, n, 2)), hash(range(1, 12, 3))
    return found, same, x in r


CASES: list[Case] = [
    (as_keys, [(5, 2.0), (8, 2.5), (3, float("nan")), (3, float("inf")), (3, -1e300)]),
    (put_into_arrays, [(3,), (1,), (2,)]),
    (looped_over, [(3,), (6,), (9,)]),
    (asked, [(6,), (9,)]),
    (sliced, [(20, 2), (20, -1), (9, 30), (12, -30)]),
    (kept, [(2,), (6,)]),
    (changed_meanwhile, [(3,)]),
    (no_step, [(2,), (0,)]),
    (item_of, [(2,), (-3,), (3,), (-4,)]),
    (place_of, [(6,), (7,)]),
]
