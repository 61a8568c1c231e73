"""Constructors that hand their object on, and functions in them that share variables with them."""

# Without annotations the types come from the calls, which is what these programs are about.
# pyright: basic, reportPossiblyUnboundVariable=false
# Variables of loops that functions keep are the point.
# ruff: noqa: B023

from tests.programs import Case


class Reads:
    def __init__(self, o, n):
        x = n
        self.cb = lambda: x
        o.append(self)
        x = 99
        self.m = self.cb()


def reads(n):
    o = []
    return Reads(o, n).m


class Writes:
    def __init__(self, o, n):
        k = 0

        def inc():
            nonlocal k
            k += 1
            return k

        o.append(self)
        inc()
        self.m = k
        k = 10
        self.p = inc()


def writes(n):
    o = []
    b = Writes(o, n)
    return b.m, b.p


class Loops:
    def __init__(self, o, n):
        self.fs = []
        for i in range(n):
            self.fs.append(lambda: i)
        o.append(self)
        i = 7
        self.g = lambda: i + n
        n = 5


def in_loops(n):
    o = []
    c = Loops(o, n)
    return [f() for f in c.fs], c.g()


class Reassigned:
    def __init__(self, o, n):
        n += 1
        t = "a" * n

        def show():
            return t + str(n)

        self.first = show()
        o.append(self)
        t += "b"
        self.second = show()
        if n > 2:
            t = "c"
            n = 0
        self.third = show()


def reassigned(n):
    o = []
    d = Reassigned(o, n)
    return d.first, d.second, d.third


class Later:
    def __init__(self, o, n):
        y = n
        o.append(self)
        self.g = lambda: y
        y = 3
        self.v = self.g()


def made_later(n):
    o = []
    d = Later(o, n)
    return d.v, d.g()


class Unset:
    def __init__(self, o, n):
        if n:
            z = 3
        self.g = lambda: z
        o.append(self)
        z = 4
        self.c = self.g()


def perhaps_unset(n):
    o = []
    return Unset(o, n).c


class Raises:
    def __init__(self, o, xs):
        count = 0

        def add(x):
            nonlocal count
            count += x
            return count

        self.add = add
        o.append(self)
        for x in xs:
            self.add(x)
        self.count = count
        if count > 3:
            raise ValueError(count)


def raises(n):
    o = []
    j = None
    try:
        j = Raises(o, [1, n])
    except ValueError as e:
        return str(e), len(o)
    return j.count, j.add(2)


CASES: list[Case] = [
    *((f, [(0,), (1,), (3,)]) for f in (reads, writes, in_loops, reassigned, made_later)),
    (perhaps_unset, [(0,), (1,)]),
    (raises, [(0,), (1,), (3,)]),
]
