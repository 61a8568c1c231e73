"""Nested functions, lambdas, and functions that are passed to others."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic
# ruff: noqa: E731, B023

import math

import numpy as np

from tests.programs import Case


def reads_what_is_around(x, k):
    def scaled(y):
        return y * k + x

    power = lambda z, w=2: z**w + scaled(z)
    k = k + 1
    return scaled(3.0), power(2.0), power(2.0, w=3)


def newton(f, df, x):
    for _ in range(20):
        x = x - f(x) / df(x)
    return x


def root_of(c):
    return newton(lambda t: t * t - c, lambda t: 2 * t, 1.0)


def square(x):
    return x * x


def called(f, x):
    return f(x)


def has_names(x):
    f = abs
    g = square
    return f(x) + g(x), called(math.sqrt, 4.0), called(g, x)


def calls_itself(n):
    def factorial(m):
        return 1 if m < 2 else m * factorial(m - 1)

    return factorial(n)


def passed_on(n, k):
    def fibonacci(m):
        if m < 2:
            return k
        return fibonacci(m - 1) + fibonacci(m - 2)

    def both(f, m):
        return f(m) + called(f, m)

    return both(fibonacci, n)


def runge_kutta(f, y, t, h):
    k1 = f(t, y)
    k2 = f(t + h / 2, y + h / 2 * k1)
    k3 = f(t + h / 2, y + h / 2 * k2)
    k4 = f(t + h, y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def oscillator(n, w):
    matrix = np.array([[0.0, 1.0], [-w, 0.0]])
    rhs = lambda t, y: matrix @ y
    y = np.array([1.0, 0.0])
    for i in range(n):
        y = runge_kutta(rhs, y, i * 0.25, 0.25)
    return np.round(y, 9)


def in_loops(n):
    out = []
    for i in range(n):
        f = lambda x: x + i
        out.append(f(10))
    return out, [(lambda q: q * i)(j) for j in range(n) if n > 0]


def around_another(f, x):
    def inner(y):
        return f(y) + x

    return called(inner, x)


def two_deep(a):
    return around_another(lambda v: v * a, 3.0)


def typed(n):
    kind = np.float32
    whole = np.int64
    return np.zeros(n, dtype=kind), whole(n) + 1


def declared(n):
    def half(x: float) -> float:
        return x / 2

    def named(x, *, scale=-1, text="a"):
        return f"{x * scale}{text}"

    return half(n), named(n), named(n, scale=2)


def writes_around(n):
    out = [0]
    seen = [[1]]
    x = np.zeros(n)

    def add(i):
        out.append(i)
        seen[0].append(i)
        x[i] = i
        return len(out)

    for i in range(n):
        add(i)
    return out, seen, x


def raises_inside(n):
    total = 0

    def divide(i):
        return 10 // (i - total)

    try:
        for i in range(n):
            total += i
            total += divide(n)
    except ZeroDivisionError:
        return -total
    return total


def conflicts(board, row, column):
    return any(board[i] == column or abs(board[i] - column) == row - i for i in range(row))


def queens(n):
    board = [[0] * n for _ in range(n)]

    def place(row, columns):
        if row == n:
            return 1
        total = 0
        for column in range(n):
            columns[row] = column
            if not conflicts(columns, row, column):
                board[row][column] += 1
                total += place(row + 1, columns)
        return total

    return place(0, [0] * n), board


def negated(x):
    return -x


def ordered(xs: list[float], c: float):
    order = [3.0, 1.0, 2.0]
    least = min(xs, key=lambda v: (v - c) ** 2)
    xs.sort(key=lambda v: abs(v - c))
    ys = sorted(xs, key=lambda v: order[int(abs(v)) % 3], reverse=c > 0)
    return least, max(xs, key=negated), ys, sorted(range(5), key=lambda i: -xs[i % len(xs)])


def ordered_rows(a):
    pairs = [(i % 3, x) for i, x in enumerate(a[0])]
    pairs.sort(key=lambda p: p[0], reverse=True)
    words = sorted(["b", "aa", "c", "bb"], key=len)
    return max(a, key=lambda r: r.sum()), sorted(a, key=lambda r: r[0]), pairs, words


def ordered_by_what_raises(xs: list[int]):
    ys = xs[:]
    try:
        ys.sort(key=lambda v: 6 // v)
    except ZeroDivisionError:
        return ys, max(xs, key=lambda v: v % 3)
    return ys, min(xs[:0], key=lambda v: v)


def called_if_given(x, before=None, after=math.floor):
    if before is not None:
        x = before(x)
    done = after is None
    return x if done or after is None else after(x)


def gives_functions_or_none(x):
    shift = lambda v: v + 2
    return (
        called_if_given(x),
        called_if_given(x, abs),
        called_if_given(x, shift, None),
        called_if_given(x, None, lambda v: -v) if shift is not None else 0,
    )


CASES: list[Case] = [
    (gives_functions_or_none, [(1.5,), (-2.25,), (-0.0,)]),
    (ordered, [([1.0, -3.0, 2.0, 5.0, -1.0, 3.5], 0.5), ([2.0, -2.0, 1.0], -1.0), ([2.0], 1.0)]),
    (
        ordered_rows,
        [(np.array([[3.0, 1.0, 7.0, 2.0], [1.0, 5.0, 0.0, 9.0], [0.0, 2.0, 1.0, 1.0]]),)],
    ),
    (ordered_by_what_raises, [([3, 1, 2],), ([3, 0, 2],), ([5, 4, 3, 2, 1, 7, 6],)]),
    (reads_what_is_around, [(1.0, 2), (1, 2)]),
    (root_of, [(2.0,), (9,)]),
    (has_names, [(3,), (-0.5,)]),
    (calls_itself, [(5,), (0,)]),
    (passed_on, [(6, 1), (1, 2.5)]),
    (oscillator, [(4, 2.0), (0, 1.0)]),
    (in_loops, [(3,), (1,)]),
    (two_deep, [(2.0,), (2,)]),
    (typed, [(3,)]),
    (declared, [(3.0,)]),
    (writes_around, [(3,), (0,)]),
    (raises_inside, [(3,), (1,), (5,)]),
    (queens, [(5,), (1,)]),
]
