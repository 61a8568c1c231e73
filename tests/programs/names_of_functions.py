"""Functions and classes that are objects are asked for their names, and classes for constants."""

# Without annotations the types follow from what is put in, which is what these programs are about.
# pyright: basic

import math

from tests.programs import Case


class Add:
    symbol = "+"

    def go(self):
        return 1

    def other(self):
        return 2

    alias = other


class Less(Add):
    symbol = "-"

    def go(self):
        return 3


class Times:
    symbol = "*"

    def go(self):
        return 4


def f():
    return 1


def g():
    return 2


def pick(functions, log):
    log.append(len(log))
    return functions[0]


def of_classes():
    names = [c.__name__ for c in (Add, Less)], [c.__qualname__ for c in [Add, Times]]
    symbols = [c.symbol for c in (Add, Less, Times)], {c.symbol: c.__name__ for c in (Add, Times)}
    made = []
    for cls in (Add, Less):
        made.append((cls.__name__, cls().go(), cls.symbol))
    return names, symbols, made, max((Add, Times), key=lambda c: c.symbol).__name__


def of_functions(n):
    def inner():
        return n

    log = []
    names = [c.__name__ for c in (f, g)], [c.__name__ for c in [f, len, math.sqrt, Add, int]]
    more = [x.__name__ for x in [inner, lambda: n]], pick([f, g], log).__name__, log
    table = {"a": f, "b": g}
    texts = [f"{key}: {function.__name__}" for key, function in table.items()]
    return names, more, texts, sorted([g, f], key=lambda h: h.__name__)[0]()


class Commands:
    def __init__(self):
        self.commands = [self.go, self.stop]

    def go(self):
        return 1

    def stop(self):
        return 2

    def names(self):
        return [command.__name__ for command in self.commands]


def of_methods():
    add, less = Add(), Less()
    names = [m.__name__ for m in (add.go, less.go, add.other, less.alias)]
    objects = [Add(), Less()]
    kept = [made.go for made in objects]
    return (
        *(names, [m.__qualname__ for m in [add.go, less.go, less.other]]),
        *([m.__qualname__ for m in kept], Commands().names()),
    )


CASES: list[Case] = [
    (of_classes, [()]),
    (of_functions, [(3,)]),
    (of_methods, [()]),
]
