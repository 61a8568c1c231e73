"""Functions that are kept by what they are passed to: they see what is assigned later."""

# Without annotations the types come from the calls, which is what these programs are about.
# pyright: basic, reportOptionalCall=false
# Variables of loops that functions keep are the point.
# ruff: noqa: B023

from tests.programs import Case


def keep(fs, f):
    fs.append(f)


def keep_further(fs, f):
    keep(fs, f)


def in_loops(n: int):
    fs = []
    for i in range(n):
        keep_further(fs, lambda: i)
    rest = []
    for i in range(n):
        keep(rest, lambda i=i: i)
    return [f() for f in fs], [f() for f in rest]


class Button:
    def __init__(self, f):
        self.f = f


class Registry:
    def __init__(self):
        self.handlers = []
        self.n = 0

    def add(self, f):
        self.handlers.append(f)

    def fill(self, n):
        for i in range(n):
            self.add(lambda: (i, self.n))
        self.n = 9


def in_fields(n: int):
    buttons = []
    for i in range(n):
        buttons.append(Button(lambda: i))
    registry = Registry()
    registry.fill(n)
    registry.n += 1
    return [b.f() for b in buttons], [f() for f in registry.handlers]


def same(f):
    return f


def twice(f):
    return lambda x: f(f(x))


def delayed(f):
    def run():
        return f()

    return run


def given_back(n: int):
    k = n
    g = same(lambda: k)
    h = twice(lambda x: x + k)
    d = delayed(lambda: k)
    k += 10
    return g(), h(0), d()


def made_inside(n: int):
    v = n

    def middle():
        def inner():
            return v

        return inner

    f = middle()
    v = n + 5
    return f()


def mapped(f, xs):
    for x in xs:
        yield f(x)


def mapped_elsewhere(f, xs):
    return mapped(f, xs)


def in_generators(n: int):
    k = 1
    it = mapped_elsewhere(lambda x: x * k, [1, 2, n])
    first = next(it)
    k = 10
    return first, list(it)


def by_itself(f, n, fs):
    fs.append(f)
    if n:
        by_itself(f, n - 1, fs)


def own_variable(n, fs):
    k = n
    fs.append(lambda: k)
    if n:
        own_variable(n - 1, fs)
    k += 100


def in_recursion(n: int):
    fs = []
    k = 1
    by_itself(lambda: k, n, fs)
    k = 5
    gs = []
    own_variable(n, gs)
    return [f() for f in fs], [g() for g in gs]


class Lazy:
    def __init__(self, f):
        self.f = f
        self.done = False
        self.value = 0

    def get(self):
        if not self.done:
            self.value = self.f()
            self.done = True
        return self.value


def written_too(n: int):
    count = n

    def bump():
        nonlocal count
        count += 1
        return count

    x, y = Lazy(bump), Lazy(bump)
    return x.get(), y.get(), x.get(), count


class Widget:
    def __init__(self):
        self.callback = None

    def on(self, f):
        self.callback = f

    def fire(self, v):
        return self.callback(v)


def perhaps_none(n: int):
    widgets = [Widget() for _ in range(3)]
    for i in range(n):
        widgets[i].on(lambda v: v + i)
    return [w.fire(4) for w in widgets], widgets[0].callback(n + 1)


def by_name(name: str):
    table = {"a": lambda x: x + 1, "b": lambda x: x * 2}
    f = table.get(name)
    return f(4), table.get(name)(5)


CASES: list[Case] = [
    (in_loops, [(0,), (3,)]),
    (in_fields, [(2,)]),
    (given_back, [(1,)]),
    (made_inside, [(1,)]),
    (in_generators, [(3,)]),
    (in_recursion, [(2,)]),
    (written_too, [(4,)]),
    (perhaps_none, [(3,), (2,), (0,)]),
    (by_name, [("a",), ("b",), ("c",)]),
]
