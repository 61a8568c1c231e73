"""Nested functions that write to variables of the functions around them, or call each other."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case


def counts(n):
    count = 0

    def add(k):
        nonlocal count
        count += k

    for i in range(n):
        add(i)
    return count


def several(n):
    total = 0.0
    best = None
    text = ""

    def visit(x):
        nonlocal total, best, text
        total += x * 0.5
        if best is None or x > best:
            best = x
        text += str(x) + ","

    for i in range(n):
        visit(i * (10 - i))
    if best is not None:
        best = best + 1
    return total, best, text


def calls_itself(n):
    steps = 0

    def hanoi(k, a, b, c):
        nonlocal steps
        if k == 0:
            return
        hanoi(k - 1, a, c, b)
        steps += 1
        hanoi(k - 1, c, b, a)

    hanoi(n, 0, 1, 2)
    return steps


def two_deep(n):
    a = 1

    def outer(k):
        b = k

        def inner(m):
            nonlocal a, b
            a += m
            b *= 2
            return b

        r = inner(k) + inner(1)
        return r + b

    x = outer(n)
    y = outer(2)
    return a, x, y


def shared(n):
    x = 0

    def get():
        return x

    def put(v):
        nonlocal x
        x = v

    put(n)
    a = get()
    x += 1
    put(get() * 2)
    return a, x, get()


def applied(f, n):
    for i in range(n):
        f(i)


def is_passed_on(n):
    seen: list[int] = []
    t = 0

    def f(i):
        nonlocal t
        t = t + i
        seen.append(t)

    applied(f, n)
    applied(lambda i: f(i * i), n)
    return seen, t


def of_arrays(n):
    a = np.zeros(n)

    def grow():
        nonlocal a
        a = np.concatenate((a, a + 1))

    grow()
    grow()
    return a, a.shape


def of_a_parameter(x, fail):
    def f(y):
        nonlocal x
        x += y
        if len(x) > 5:
            raise ValueError(x)

    try:
        for _ in range(fail):
            f("bc")
    except ValueError as e:
        return x, str(e)
    return x, ""


def may_be_unset(n):
    def next_one():
        nonlocal z
        z += 1
        return z

    if n > 100:
        z = 1
    return next_one() + z


def set_by_the_nested_one(n):
    def f():
        nonlocal x
        for x in range(5):
            n_times = x * n
        a, x = x, n_times + 2
        return a

    x = 0
    return f(), x


def own_variable(n):
    x = n

    def f():
        x = 5

        def g():
            nonlocal x
            x += 1

        g()
        return x

    return f(), x


def call_each_other(n):
    def even(k):
        return True if k == 0 else odd(k - 1)

    def odd(k):
        return False if k == 0 else even(k - 1)

    return even(n), odd(n), [even(i) for i in range(3)]


def three_call_each_other(n):
    step = 1
    calls = 0
    limit = n

    def a(k):
        nonlocal calls
        calls += 1
        return 0 if k > limit else 1 + b(k + step)

    def b(k):
        return c(k) + helper(k)

    def c(k):
        return a(k + 1) + (c(k + 5) if k < 2 else 0)

    def helper(k):
        return k * step

    r = a(0), b(1), c(2)
    step = 2
    return r, a(0), calls


def applied_to(f, x):
    return f(x)


def kept_ones_call_each_other(n):
    def even(k):
        return True if k == 0 else odd(k - 1)

    def odd(k):
        return False if k == 0 else even(k - 1)

    fs = [even, odd]
    return [f(n) for f in fs], applied_to(even, 3), applied_to(lambda k: odd(k), 3)


CASES: list[Case] = [
    (counts, [(5,), (0,)]),
    (several, [(6,), (0,)]),
    (calls_itself, [(6,)]),
    (two_deep, [(3,)]),
    (shared, [(4,)]),
    (is_passed_on, [(4,)]),
    (of_arrays, [(2,)]),
    (of_a_parameter, [("a", 2), ("a", 9)]),
    (may_be_unset, [(3,), (101,)]),
    (set_by_the_nested_one, [(3,)]),
    (own_variable, [(3,)]),
    (call_each_other, [(6,), (3,)]),
    (three_call_each_other, [(6,)]),
    (kept_ones_call_each_other, [(6,)]),
]
