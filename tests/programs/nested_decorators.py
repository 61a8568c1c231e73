"""Functions inside of functions are decorated, by functions there and of the module."""

# Functions without annotation are what these programs are about.
# pyright: basic, reportOptionalMemberAccess=false

import functools

from tests.programs import Case


def twice(f):
    def applied(x):
        return f(f(x))

    return applied


def applied(n):
    @twice
    def step(x):
        return x + n

    return step(1), step(n)


def in_order(n):
    log = []

    def repeat(k):
        log.append(k)

        def decorate(f):
            def h(x):
                for _ in range(k):
                    x = f(x)
                return x

            return h

        return decorate

    def plus(f):
        return lambda x: f(x) + 100

    @plus
    @repeat(3)
    def g(x):
        return x * n

    @repeat(2)
    @plus
    def k(x):
        return x * n

    return g(1), k(1), log


def registered(n):
    seen = []

    def note(f):
        seen.append(f.__name__)
        return f

    @note
    def a():
        return n

    @note
    def b():
        return 2 * n

    return a() + b(), seen, b.__name__


def of_any(n):
    def logged(f):
        calls = 0

        @functools.wraps(f)
        def h(*args, **kwargs):
            nonlocal calls
            calls += 1
            return f(*args, **kwargs), calls

        return h

    @logged
    def add(a, b=2, *, c=3):
        return a + b + c

    return add(n), add(n, 5), add(1, c=n)


class Counter:
    def __init__(self):
        self.calls = 0

    def counted(self, f):
        def h(x):
            self.calls += 1
            return f(x)

        return h


def by_methods(n):
    counter = Counter()

    @counter.counted
    def half(x):
        if x < 0:
            raise ValueError("negative")
        return x / 2

    return half(n), half(1), counter.calls


CASES: list[Case] = [
    (applied, [(3,), (0.5,)]),
    (in_order, [(2,)]),
    (registered, [(4,)]),
    (of_any, [(1,)]),
    (by_methods, [(3,), (-1,)]),
]
