"""Cached properties that ask for those of their bases: `super().area`."""

# Without annotations the types come from the calls, which is what these programs are about.
# pyright: basic

from functools import cached_property

from tests.programs import Case


class A:
    def __init__(self, n, log):
        self.n = n
        self.log = log

    @cached_property
    def area(self):
        self.log.append("A")
        return self.n * 2

    @property
    def plain(self):
        return self.n + 1

    def m(self, k):
        return self.n - k


class B(A):
    @cached_property
    def area(self):
        self.log.append("B")
        return super().area + 1

    @cached_property
    def more(self):
        if self.n > 2:
            return super().plain
        return super().m(2) + sum(self.n for _ in range(2))


class C(B):
    @cached_property
    def area(self):
        return super().area * 10


def asked_again(n):
    log = []
    a, b, c = A(n, log), B(n, log), C(n, log)
    s = [b.area, b.area, a.area, c.area, c.area, b.more, c.more, c.more]
    return s, log


def asked_of_each(n):
    log = []
    xs = [A(n, log), B(n, log), C(n, log)]
    return [x.area for x in xs], [x.area for x in xs], log


CASES: list[Case] = [
    (asked_again, [(1,), (3,)]),
    (asked_of_each, [(1,), (3,)]),
]
