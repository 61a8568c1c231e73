"""Functions that are compared: those of a module, and methods that are bound to an object."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic, reportUnnecessaryComparison=false

from tests.programs import Case


def plus(x):
    return x + 1


def minus(x):
    return x - 1


def twice(x):
    return x * 2


def in_lists():
    found = [plus, minus, twice, plus]
    found.remove(plus)
    has = minus in found, plus in found, found.count(plus), found.count(minus)
    found.remove(plus)
    return [f(10) for f in found], has, plus in found, plus not in found


def chosen(k):
    f = plus if k > 0 else minus
    return f == plus, f is plus, f != minus, f is not minus, f == twice, plus == plus


def perhaps(k):
    f = None if k == 0 else plus
    g = None if k < 2 else plus
    return f is None, f == plus, f is plus, f == g, f != g


class Sink:
    def __init__(self, n):
        self.n = n
        self.seen = []

    def got(self, x):
        self.seen.append(x)
        return self.n + x

    def other(self, x):
        return x


class Source:
    def __init__(self):
        self.sinks = []

    def connect(self, sink):
        if sink not in self.sinks:
            self.sinks.append(sink)

    def disconnect(self, sink):
        self.sinks.remove(sink)

    def send(self, x):
        return [sink(x) for sink in self.sinks]


def observed(k):
    source, first, second = Source(), Sink(10), Sink(20)
    for sink in (first, second):
        source.connect(sink.got)
        source.connect(sink.got)
    source.connect(plus)
    source.connect(first.other)
    before = source.send(1)
    source.disconnect(first.got if k == 0 else second.got)
    equal = first.got == first.got, first.got == second.got, first.got == first.other
    return before, source.send(2), first.seen, second.seen, equal


CASES: list[Case] = [
    (in_lists, [()]),
    (chosen, [(1,), (0,)]),
    (perhaps, [(0,), (1,), (2,)]),
    (observed, [(0,), (1,)]),
]
