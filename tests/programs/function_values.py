"""Functions as values: in variables, lists, dicts, fields and results, with what they captured."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic
# ruff: noqa: E731, B023, SIM108

import math

from tests.programs import Case


def make_adder(n):
    def add(x):
        return x + n

    return add


def compose(f, g):
    return lambda x: f(g(x))


def square(x):
    return x * x


def closures_are_returned(n):
    a = make_adder(n)
    b = make_adder(10)
    return a(1), b(2), compose(a, b)(3), compose(square, lambda q: q + 1)(n)


def in_a_list(n):
    fs = [square]
    fs.append(square)
    return fs[0](n) + fs[1](2)


def computed_defaults(n):
    f = lambda x, k=n + 1: x * k
    n = 100

    def g(x, *, m=n * 2):
        return x + m

    return f(3), g(1), g(1, m=3), f(3, 2)


def make_counter():
    count = 0

    def bump():
        nonlocal count
        count += 1
        return count

    return bump


def counters(n):
    c = make_counter()
    d = make_counter()
    return c(), c(), d(), c()


def defaults_in_a_loop(n):
    fs = []
    for i in range(n):
        fs.append(lambda x, i=i: x + i)
    return [f(10) for f in fs]


def captured_late(n):
    fs = []
    for i in range(n):
        fs.append(lambda x: x + i)
    return [f(10) for f in fs]


def a_builtin_function(n):
    fs = [math.sqrt]
    return fs[0](float(n))


class Point:
    def __init__(self, v: int):
        self.v = v

    def m(self, k: int):
        return self.v + k


def bound_methods(n):
    p = Point(n)
    f = p.m
    p.v = 7
    return f(2), [f][0](3)


def curried(n):
    def curry(a):
        def inner(b):
            def inner2(c):
                return a * b + c

            return inner2

        return inner

    return curry(n)(2)(3)


def calls_itself(n):
    def fact(k):
        return 1 if k < 2 else k * fact(k - 1)

    fs = [fact]
    return fs[0](n)


def in_a_dict(n):
    ops = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b}
    r = []
    for k in ["+", "*", "-", "+"]:
        r.append(ops[k](n, 3))
    return r


def chosen(n):
    f = square if n > 3 else make_adder(n)
    if n > 100:
        g = square
    else:
        g = make_adder(3)
    return f(n), g(n)


def defined_in_branches(n):
    if n > 5:

        def h(x):
            return x + 1
    else:

        def h(x):
            return x - 1

    return h(n), h(2)


class Runner:
    def __init__(self, f, k: int):
        self.f = f
        self.k = k

    def run(self, x):
        return self.f(x) + self.k


def in_a_field(n):
    q = Runner(square, n)
    return q.run(3), q.f(2)


def pick(n):
    if n > 3:
        return square
    return make_adder(n)


def results_of_a_choice(n):
    return pick(n)(2), pick(1)(2), [pick(i)(10) for i in range(n)]


def in_a_loop(n):
    fs = (square, make_adder(2), abs, math.floor)
    t = 0
    for f in fs:
        t += f(n)
    gs = [square, abs, make_adder(1), int]
    for g in gs:
        t = t * 2 + g(n)
    return t


def may_be_none(n):
    handler = None
    if n > 3:
        handler = square
    if handler is not None:
        return handler(n)
    return -1


def shares_its_cell(n):
    c = make_counter()
    fs = [c, c]
    fs[0]()
    fs[1]()
    return c()


def apply(f, x):
    return f(x)


def passed_on(n):
    fs = [square, make_adder(n)]
    return (
        [apply(f, n) for f in fs],
        sorted([3, 1, 2], key=fs[0]),
        sorted([3, -1, 2], key=[abs, square][n % 2]),
    )


def pairs_of_closures(n):
    def pair(x, y):
        return lambda f: f(x, y)

    def first(p):
        return p(lambda a, b: a)

    def second(p):
        return p(lambda a, b: b)

    p = pair(n, 2)
    return first(p), second(p)


def same_names(n):
    def scaled(f):
        def by(x):
            return f(x) * n

        return by

    n = n + 1
    fs = [scaled(abs)]

    def other(k):
        n = k * 100
        g = lambda x: x + n
        h = make_adder(7)
        return called(h, g)

    def called(h, g):
        return g(h(1))

    return fs[0](-2), other(2), with_closure(make_adder(5), n)


def with_closure(f, n):
    return calls_it(lambda g: g(n) + f(n), lambda x: x * n)


def calls_it(f, g):
    fs = [f]
    n = 1000
    return fs[0](g) + n


def takes_closures(n):
    def outer(f):
        return f(n) + n

    fs = [outer]
    n2 = n * 100

    def use(n):
        return fs[0](lambda x: x + n)

    return use(n2)


class Sorted:
    def __init__(self, order="min", f=lambda x: x):
        self.items = []
        if order == "min":
            self.f = f
        else:
            self.f = lambda x: -f(x)

    def add(self, item):
        self.items.append((self.f(item), item))
        self.items.sort()


def second(pair):
    return pair[1]


class Keyed:
    def __init__(self, items, key=second, kind=list):
        self.items = sorted(items, key=key)
        self.kinds = kind(self.items)


def defaults_of_constructors(n):
    plain, other, third = Sorted(), Sorted("max", f=lambda x: x % 3), Sorted("max")
    for i in range(n):
        plain.add(i)
        other.add(i * i)
        third.add(-i)
    pairs = [(i, -i) for i in range(n)]
    return plain.items, other.items, third.items, Keyed(pairs).kinds, Keyed(pairs, min).items


CASES: list[Case] = [
    (closures_are_returned, [(6,), (2,)]),
    (in_a_list, [(6,), (2,)]),
    (computed_defaults, [(6,), (2,)]),
    (counters, [(6,), (2,)]),
    (defaults_in_a_loop, [(6,), (2,)]),
    (captured_late, [(6,), (2,)]),
    (a_builtin_function, [(6,), (2,)]),
    (bound_methods, [(6,), (2,)]),
    (curried, [(6,), (2,)]),
    (calls_itself, [(6,), (2,)]),
    (in_a_dict, [(6,), (2,)]),
    (chosen, [(6,), (2,)]),
    (defined_in_branches, [(6,), (2,)]),
    (in_a_field, [(6,), (2,)]),
    (results_of_a_choice, [(6,), (2,)]),
    (in_a_loop, [(6,), (2,)]),
    (may_be_none, [(6,), (2,)]),
    (shares_its_cell, [(6,), (2,)]),
    (passed_on, [(6,), (2,)]),
    (same_names, [(6,)]),
    (takes_closures, [(6,)]),
    (defaults_of_constructors, [(6,), (2,)]),
    (pairs_of_closures, [(6,), (2,)]),
]
