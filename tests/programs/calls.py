"""Functions calling functions: recursion, defaults, keywords, captured values."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import math
from math import inf as infinity

import numpy as np

from scriptc.types import N, f64
from tests.programs import Case

LIMIT = 10
RATE = 0.25
NAME = "scale"
VERBOSE = False
PAIR = (3, 0.5)
ONE = np.float32(1.5)
TABLE = np.array([1.0, 2.0, 4.0, 8.0])
COUNTS = np.arange(6).reshape(2, 3)


def square(x):
    return x * x


def factorial(n):
    if n <= 1:
        return 1
    return n * factorial(n - 1)


def late_base(n):
    if n > 0:
        return late_base(n - 1) * 2.0
    return 1.0


def corrected(u, depth):
    """An array that an operation in place keeps, with what the function itself gives."""
    if depth > 0:
        u += corrected(u[::2] * 0.5, depth - 1).sum()
    return u - 1


def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    return False if n == 0 else is_even(n - 1)


def ackermann(m: int, n: int) -> int:
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


def many_types(i, x):
    return square(i), square(x), square(np.float32(2.5)), square(True)


def defaults(a, b=2, *, c=0.5, d=None):
    if d is None:
        return a + b * c
    return a + b * c + d


def use_defaults(a):
    return defaults(a), defaults(a, 3), defaults(a, c=1.5), defaults(d=1.0, b=4, a=a)


def argument_order(a):
    return defaults(c=a + 1.0, a=a * 2.0, b=3)


def annotated(x: float, n: int = 3) -> float:
    total = 0
    for _ in range(n):
        total = total + x
    return total


def converts(n):
    return annotated(n), annotated(2, n), annotated(True)


def result_literal(x: float) -> float:
    if x > 0:
        return 1.0
    return x


def nothing(x):
    x += 1


def calls_nothing(x):
    nothing(x)
    y = nothing(x)
    return y is None


def always_raises(x):
    raise ValueError("always")


def calls_raiser(x):
    if x > 0:
        always_raises(x)
    return x


def captured(x):
    total = x * RATE
    for _ in range(LIMIT):
        total += 1
    if VERBOSE:
        total = "not compiled"
    return total, NAME, PAIR[1] * PAIR[0], infinity


def captured_dtype(x):
    return x * ONE


def captured_array(i):
    return TABLE[i] + lookup(i)


def lookup(i):
    return TABLE[-1 - i] + COUNTS[1, i % 3]


def captured_sum(n):
    total = 0.0
    for _ in range(n):
        total += np.sum(TABLE) + COUNTS.shape[1]
    return total


def dot(a: f64[N], b: f64[N]) -> float:
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


def calls_dot(a, n):
    b = np.ones(n)
    return dot(a, a) + dot(a, b)


def tuple_result(a, b):
    return b, (a, a + b)


def uses_tuple(a, b):
    x, (y, z) = tuple_result(a, b)
    t = tuple_result(z, y)
    return x, y, z, t[1][0], t[-1], len(t)


def deep(n, acc):
    if n == 0:
        return acc
    return deep(n - 1, acc + n)


def first_ones(x: f64[N], n: int) -> float:
    if n == 0:
        return x[0]
    return first_ones(x, n - 1) + x[n]


def memset(x):
    """Code that the compiler makes calls C's functions of these names."""
    return memset(x - 1) if x > 3 else x


def memcpy(x):
    return memcpy(x - 1) if x > 3 else x


def erf(x):
    return math.erf(x) if x < 3 else erf(x - 1)


def names_of_c(x):
    zeros = np.zeros(5000)
    return memset(x) + memcpy(x + 1) + erf(x) + zeros.copy().sum()


def sum_of_rows(rows, n):
    return sum(rows[n - 1]) + sum_of_rows(rows, n - 1) if n > 0 else 0


def sum_of_halves(rows):
    if len(rows) < 2:
        return sum(rows[0])
    return sum_of_halves(rows[: len(rows) // 2]) + sum_of_halves(rows[len(rows) // 2 :])


def text_after(rows, n):
    return str(rows[n:]), f"{rows[:n]}", len(rows[n:][::-1])


def even_places(rows, n):
    return odd_places(rows, n - 1) + rows[n][0] if n >= 0 else 0


def odd_places(rows, n):
    return even_places(rows, n - 1) - rows[n][-1] if n >= 0 else 0


def reached_from(graph, node, seen):
    if seen[node]:
        return 0
    seen[node] = True
    count = 1
    for other in graph[node]:
        count += reached_from(graph, other, seen)
    return count


def reached(graph):
    return reached_from(graph, 0, [False] * len(graph))


def taken_in_turn(first, second, n):
    if n == 0:
        return len(first)
    second.append(n)
    return taken_in_turn(second, first, n - 1)


def written_between(values, n):
    if n == 0:
        return 0
    before = values[0]
    taken_in_turn(values, values, 1)
    values[0] = n
    return before * 10 + values[0] + written_between(values, n - 1)


def down_and_up(x, n):
    if n == 0:
        return 0.0
    before = x[0]
    up_and_down(x, n - 1)
    return before * 100 + x[0]


def up_and_down(x, n):
    x[0] += 1
    down_and_up(x, n)
    x[0] += 1


def write_arrays(rows, n):
    if n == len(rows):
        return 0.0
    rows[n][0] += 5.0
    return write_arrays(rows[1:], 0) + rows[n][-1]


_ROWS = [[1, 2], [3], [4, -1, 5]]

CASES: list[Case] = [
    (sum_of_rows, [(_ROWS, 3), (_ROWS, 0)]),
    (sum_of_halves, [(_ROWS,), ([[2]],)]),
    (text_after, [(_ROWS, 1), (_ROWS, 3), (_ROWS, -2)]),
    (even_places, [(_ROWS, 2), (_ROWS, -1)]),
    (reached, [([[1, 2], [0, 3], [2, 2], [1], [0]],)]),
    (taken_in_turn, [([1], [2], 5), ([1], [2], 0)]),
    (written_between, [([5, 6], 4)]),
    (down_and_up, [(np.arange(3.0), 4)]),
    (write_arrays, [([np.arange(3.0), np.arange(2.0)], 0)]),
    (names_of_c, [(7.0,)]),
    (factorial, [(0,), (5,), (20,)]),
    (first_ones, [(np.arange(5.0) + 0.5, 0), (np.arange(5.0) + 0.5, 3)]),
    (late_base, [(0,), (10,)]),
    (corrected, [(np.arange(5.0), 0), (np.arange(5.0), 3), (np.arange(9.0)[::-1], 2)]),
    (is_even, [(0,), (7,), (10,)]),
    (ackermann, [(2, 3), (1, 5)]),
    (many_types, [(3, 1.5)]),
    (use_defaults, [(1,), (2.5,)]),
    (argument_order, [(1,), (0.5,)]),
    (annotated, [(1.5,), (2.0, 4), (np.float64(0.1), 2)]),
    (result_literal, [(1.0,), (-2.0,), (np.float64(-2.0),)]),
    (calls_nothing, [(1,)]),
    (calls_raiser, [(0,), (1,)]),
    (captured, [(1,), (2.5,)]),
    (captured_dtype, [(2.0,), (np.float64(2.0),), (3,)]),
    (captured_array, [(0,), (2,), (9,)]),
    (captured_sum, [(3,)]),
    (calls_dot, [(np.array([1.0, 2.0, 3.0]), 3)]),
    (uses_tuple, [(1, 2), (0.5, 3)]),
    (deep, [(50, 0)]),
]
# A literal takes the type it is merged with: equal in value to what CPython has.
MERGED: list[Case] = [
    (captured_sum, [(0,)]),
]
