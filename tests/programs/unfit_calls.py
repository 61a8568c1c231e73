"""Callbacks that are called with other arguments than they take: TypeError where Python calls them.

The types come from the calls.
"""

# pyright: basic

from tests.programs import Case


def zero():
    return 0


def one(a):
    return a


def two(a, b=2):
    return a * 10 + b


def many(*xs):
    return sum(xs)


def named(*, key):
    return key


class Acc:
    def __init__(self):
        self.t = 0

    def add(self, x, y):
        self.t += x + y
        return self.t


class Bus:
    def __init__(self):
        self.fns = []

    def on(self, f):
        self.fns.append(f)
        return f

    def emit(self, *args, **kw):
        out = []
        for f in self.fns:
            try:
                out.append(f(*args, **kw))
            except TypeError as e:
                out.append(str(e))
        return out


def called_back(n):
    bus = Bus()
    acc = Acc()
    for f in (zero, one, two, many):
        bus.on(f)
    bus.on(acc.add)
    bus.on(lambda q, r: q - r)
    bus.on(named)

    @bus.on
    def local(a, /, b, *, c=3):
        return a + b + c + n

    return (
        bus.emit(),
        bus.emit(1),
        bus.emit(1, 2),
        bus.emit(1, 2, 3),
        bus.emit(1, b=5),
        bus.emit(key=4),
        bus.emit(1, b=2, c=3),
        bus.emit(1, 2, z=3),
        acc.t,
    )


def alone(n):
    bus = Bus()
    bus.on(two)
    return bus.emit(), bus.emit(n), bus.emit(1, 2, 3), bus.emit(c=n)


CASES: list[Case] = [(called_back, [(1,)]), (alone, [(4,)])]
