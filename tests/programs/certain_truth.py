"""`and` behind objects that may be None: the value is None, or what follows.

The types come from the calls.
"""

# pyright: basic

from tests.programs import Case


class Node:
    def __init__(self, v, nxt=None):
        self.v = v
        self.nxt = nxt


class Sized:
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n


class Base:
    def __init__(self, a):
        self.a = a


class Falsy(Base):
    def __bool__(self):
        return self.a > 1


def second(n):
    return n and n.nxt and n.nxt.v


def size(s):
    return s and s.n


def chained(k):
    n = Node(1, Node(2))
    m = Node(3) if k else None
    s = Sized(k) if k < 2 else None
    r = s and s.n + 5
    b = Base(1) if k else Falsy(k)
    c = b if k < 3 else None
    d = c and c.a
    x = (m and m.v) or -1
    if m and m.nxt and m.nxt.v:
        x += 1
    t = (n.nxt and n.nxt.nxt) is None
    return (
        second(n),
        second(m),
        m and m.v,
        second(n.nxt),
        r if isinstance(r, int) else "obj",
        x,
        t,
        d if isinstance(d, int) else str(d is None),
        (m and "yes") or "no",
        m and [m.v],
        m and None,
    )


CASES: list[Case] = [(chained, [(k,) for k in range(4)])]
