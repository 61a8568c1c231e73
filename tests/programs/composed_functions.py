"""Functions made of functions, and functions of several kinds in one list."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic, reportArgumentType=false, reportCallIssue=false, reportOperatorIssue=false

from functools import reduce

from tests.programs import Case


def _then(f, g):
    return lambda x: g(f(x))


def _all_of(*functions):
    return reduce(lambda f, g: lambda x: g(f(x)), functions)


def composed(n):
    """What is made of functions is another one after each."""
    plain = reduce(_then, [lambda x: x + 1, lambda x: x * 2, abs])
    pair = (lambda x: x - 1, str)
    return plain(n), reduce(_then, pair)(n), _all_of(abs, str, len)(n), _all_of(str)(n)


def of_numbers(n):
    """Of what are no functions it is a loop over all."""
    return reduce(lambda a, b: a * b, [n, 2, 3]), reduce(max, (n, 4)), reduce(_sum, [n], 1.5)


def _sum(a, b):
    return a + b


def registered(n):
    """A decorator puts several functions into one list."""
    handlers = []

    def handler(f):
        handlers.append(f)
        return f

    @handler
    def more(x):
        return x + 1

    @handler
    def twice(x):
        return x * 2

    return [f(n) for f in handlers], more(n)


def named(n):
    handlers = []

    def on(f):
        handlers.append(f)

    def first(x):
        return x - 1

    def second(x):
        return f"{x}"

    on(first)
    on(second)
    on(abs)
    return [f(n) for f in handlers]


CASES: list[Case] = [
    (composed, [(-3,), (12,)]),
    (of_numbers, [(3,), (0.5,)]),
    (registered, [(3,), (1.5,)]),
    (named, [(-3,)]),
]
