"""Loops over objects with items, and over generators, that may be None."""

# Without annotations the types come from the call, which is what these programs are about.

# pyright: basic, reportArgumentType=false, reportOptionalSubscript=false, reportOptionalMemberAccess=false
# pyright: reportAttributeAccessIssue=false, reportOperatorIssue=false, reportCallIssue=false
# pyright: reportOptionalOperand=false, reportReturnType=false, reportGeneralTypeIssues=false, reportOptionalIterable=false

from tests.programs import Case


class N2:
    def __init__(self, k):
        self.k = k
        self.l = None
        self.r = None

    def __iter__(self):
        if self.l is not None:
            yield from self.l
        yield self.k
        if self.r is not None:
            yield from self.r


def ins(n, k):
    if n is None:
        return N2(k)
    if k < n.k:
        n.l = ins(n.l, k)
    else:
        n.r = ins(n.r, k)
    return n


def listed(n):
    t = None
    for k in [3, 1, 2, 5]:
        t = ins(t, k)
    return list(t)


def surely(n):
    t = N2(3)
    for k in [1, 2, 5]:
        ins(t, k)
    return list(t), sum(t), [x for x in t], max(t)


def looped(n):
    t = None
    for k in [3, 1, 2, 5]:
        t = ins(t, k)
    out = []
    for x in t:
        out.append(x)
    return out


def never(n):
    t = N2(1) if n > 9 else None
    return list(t)


def taken(n):
    t = N2(1) if n > 2 else None
    return sorted(t), sum(t), set(t)


class Tree:
    def __init__(self):
        self.root = None

    def add(self, k):
        self.root = ins(self.root, k)

    def __iter__(self):
        if self.root:
            yield from self.root


def of_fields(n):
    t = Tree()
    for k in [3, 1, 2, 5]:
        t.add(k)
    return list(t), [x for x in Tree()]


class Tree2:
    def __init__(self):
        self.root = None

    def add(self, k):
        self.root = ins(self.root, k)

    def __iter__(self):
        return iter(self.root)


def begun(n):
    t = Tree2()
    for k in [3, 1, 2, 5]:
        t.add(k)
    return list(t)


class Holder:
    def __init__(self, n):
        self.tree = N2(n) if n > 2 else None

    def total(self):
        t = 0
        for x in self.tree:
            t += x
        return t


def in_methods(n):
    out = []
    for k in (n, 1):
        try:
            out.append(Holder(k).total())
        except TypeError as e:
            out.append(len(str(e)))
    return out


def left(n):
    out = []
    for t in [N2(1), None, N2(n)]:
        try:
            for x in t:
                if x == n:
                    break
                out.append(x)
            else:
                out.append(-1)
        except TypeError as e:
            out.append(len(str(e)))
    return out


def up(n):
    yield from range(n)


def generators(n):
    g = up(n) if n > 1 else None
    out = []
    try:
        for x in g:
            out.append(x)
            if x:
                break
        out += list(g)
    except TypeError as e:
        out.append(len(str(e)))
    return out


def comprehensions(n):
    t = N2(n) if n > 2 else None
    try:
        a = [x for x in t]
    except TypeError as e:
        return str(e)
    return a, {x: 1 for x in t}, sum(x for x in t), list(enumerate(t)), list(map(str, t))


CASES: list[Case] = [
    (listed, [(3,)]),
    (surely, [(3,)]),
    (looped, [(3,)]),
    (never, [(3,), (10,)]),
    (taken, [(3,), (1,)]),
    (of_fields, [(3,)]),
    (begun, [(3,)]),
    (in_methods, [(3,)]),
    (left, [(3,)]),
    (generators, [(1,), (3,)]),
    (comprehensions, [(1,), (3,)]),
]
