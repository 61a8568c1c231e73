"""Values of unlike types are never equal; tuples written in place are searched and counted."""

# Comparisons that their types decide are what these programs are about.
# pyright: basic, reportUnnecessaryComparison=false

from collections import deque

import numpy as np

from tests.programs import Case


def equal(a, b):
    return a == b, a != b


def lists(a, b):
    return [a] == [b, b], [a] != [b], [a][1:] == [b][1:]


def chained(n: int):
    return 1 == n == "a", "a" != n != 2


def first_of(n: float | str):
    if n == "":
        return "nothing"
    return f"{n} is something"


def counted(n: int):
    a, b = n > 1, n > 2
    return (a, b).count(True), (a, n, 2.0, "a").count(2), (n, "a").count("a"), ().count(n)


def gate(a: int, b: int):
    return int((a, b).count(0) == 0), (a, b).count(1) % 2


def placed(n: int):
    mixed = (n, 1.5, "a", None)
    return mixed.index(1.5), (n, "a", n).index("a"), mixed.index("a", 1), (n, 3, n).index(n, -1)


def not_there(n: int):
    return (n, 1.5, "a").index("b")


def behind(n: int):
    return (n, 1.5, n).index(n, 1, 2)


def numbered(n: int):
    pair = (n, "a", 2.5)
    return (
        [(i, x) for i, x in enumerate((n, n + 1), 5)],
        [(i, str(x)) for i, x in enumerate(pair, start=n)],
        [i for i, _ in enumerate(pair, -1)],
    )


CASES: list[Case] = [
    (
        equal,
        [
            (1, "a"),
            ("a", 1.5),
            ([1], 1),
            ((1, 2), [1, 2]),
            ({1: 2}, [1]),
            ({1}, [1]),
            (deque([1]), [1]),
            ({1: 2}, {1}),
            (b"a", "a"),
            (True, "a"),
            (None, 1),
            (np.float64(1.0), "a"),
            (b"a", np.int64(1)),
            (np.int64(1), {1: 2}),
            (None, np.bool_(True)),
        ],
    ),
    (lists, [(1, "a"), ("a", 1.5), ([1], 1), (b"a", "a"), ({1}, [1])]),
    (chained, [(1,), (2,)]),
    (first_of, [(1,), ("",), ("a",), (1.5,)]),
    (counted, [(2,), (3,)]),
    (gate, [(1, 0), (1, 1)]),
    (placed, [(2,)]),
    (not_there, [(2,)]),
    (behind, [(2,)]),
    (numbered, [(2,)]),
]
