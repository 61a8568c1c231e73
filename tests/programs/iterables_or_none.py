"""Loops over objects with items, and over generators, that may be None, or lists and others."""

# Without annotations the types come from the call, which is what these programs are about.

# pyright: basic, reportArgumentType=false, reportOptionalSubscript=false, reportOptionalMemberAccess=false
# pyright: reportAttributeAccessIssue=false, reportOperatorIssue=false, reportCallIssue=false
# pyright: reportOptionalOperand=false, reportReturnType=false, reportGeneralTypeIssues=false, reportOptionalIterable=false

from itertools import permutations

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


class Counting:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return iter(range(self.n))


class Indexed:
    def __init__(self, n):
        self.n = n

    def __getitem__(self, i):
        if i >= self.n:
            raise IndexError(i)
        return i * 10


def count(n):
    yield from range(n)


def of_any_kind(k):
    x = count(3)
    if k == 1:
        x = [7]
    if k == 2:
        x = Counting(2)
    if k == 3:
        x = Indexed(2)
    if k == 4:
        x = range(2)
    if k == 5:
        x = {3: 4}
    if k == 6:
        x = (1, 2)
    found = []
    for i in x:
        if i == 10:
            continue
        found.append(i)
        if len(found) > 1:
            break
    else:
        found.append(-1)
    return found


def counts(values, function=None):
    if function:
        values = map(function, values)
    bins = {}
    for value in values:
        bins[value] = bins.get(value, 0) + 1
    return sorted(bins.items())


def mapped_or_not(xs):
    return counts(xs), counts(xs, lambda x: x * x), counts(map(abs, xs), abs)


def orders(xs, every):
    ways = permutations(xs) if every else [tuple(xs)]
    return [way[::-1] for way in ways if way[0] != 2]


def all_orders(k):
    return orders([1, 2, 3], k > 1), sum(x for x in (count(k) if k > 1 else [k]))


def nested(k):
    x = count(3) if k == 0 else [1, 2]
    found = []
    for i in x:
        for j in x:
            found.append((i, j))
    return found


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
    (of_any_kind, [(k,) for k in range(7)]),
    (mapped_or_not, [([1, -1, 2],)]),
    (all_orders, [(1,), (2,)]),
    (nested, [(0,), (1,)]),
]
