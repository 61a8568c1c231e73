"""What tests tell in generators, in those that are parts of loops and in those that are objects."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic, reportArgumentType=false, reportOptionalSubscript=false, reportOptionalMemberAccess=false
# pyright: reportAttributeAccessIssue=false, reportOperatorIssue=false, reportCallIssue=false
# pyright: reportOptionalOperand=false, reportReturnType=false

from tests.programs import Case


class Box:
    def __init__(self, v):
        self.v = v


def field(b):
    if b.v is not None:
        yield b.v + 1
        yield 0 if b.v is None else b.v + 2


def field_between(n):
    b = Box(None)
    b.v = n
    out = []
    for x in field(b):
        out.append(x)
        b.v = None
    return out


def field_between_resumptions(n):
    b = Box(None)
    b.v = n
    g = field(b)
    a = next(g)
    b.v = None
    return a, list(g)


def field2(b):
    if b.v is not None:
        yield b.v + 1
        yield b.v + 2


def field_lost(n):
    b = Box(None)
    b.v = n
    out = []
    try:
        for x in field2(b):
            out.append(x)
            b.v = None
    except TypeError as e:
        return out, str(e)
    return out


def local(xs):
    for x in xs:
        if isinstance(x, str):
            yield x
            yield x + "!"
        elif x is None:
            yield "none"
        else:
            y = x + 1
            yield str(y)
            yield str(x - y)


def kinds(n):
    return list(local([n, "a", None]))


def kinds_kept(n):
    g = local([n, "a", None])
    return next(g), list(g)


class Shape:
    pass


class Sq(Shape):
    def __init__(self, s):
        self.s = s


class Ci(Shape):
    def __init__(self, r):
        self.r = r


def areas(shapes):
    for s in shapes:
        if type(s) is Sq:
            yield s.s * s.s
        elif isinstance(s, Ci):
            yield 3 * s.r * s.r
        else:
            yield -1


def classes_of_objects(n):
    return list(areas([Sq(2), Ci(n), Sq(1)]))


def classes_kept(n):
    g = areas([Sq(2), Ci(n), Sq(1)])
    return next(g), next(g)


def m(es):
    for e in es:
        match e:
            case int():
                yield e + 1
            case str():
                yield len(e)
            case [a, b]:
                yield a + b
            case None:
                yield 0


def patterns(n):
    return list(m([n, "abc", (1, 2), None]))


def patterns_kept(n):
    g = m([n, "abc", (1, 2), None])
    return next(g), next(g), next(g), next(g)


def flat(x):
    if isinstance(x, list):
        for y in x:
            yield from flat(y)
    elif isinstance(x, tuple):
        yield sum(x)
    else:
        yield x


def flattened(n):
    return list(flat([1, [2, [n, (4, 5)]]]))


def skip(xs):
    for x in xs:
        if x is None:
            continue
        if isinstance(x, (int, float)) and not isinstance(x, bool):
            yield x * 2
            continue
        yield len(x)


def skipped(n):
    return list(skip([1, None, 2.5, "abc"]))


def beside_type(n):
    type = 3

    def gen(es):
        for e in es:
            if isinstance(e, str):
                yield e.upper()

    return list(gen(["a", n])), type


def beside_list(list):
    def gen(es):
        for e in es:
            if isinstance(e, str):
                yield e.upper()

    return [x for x in gen(["a", list])]


def beside_isinstance(isinstance):
    return [x for x in local([isinstance, "a", None])]


def expressions(n):
    return [a for a in (z.upper() for z in ["a", n, None] if isinstance(z, str))]


def summed(n):
    return sum(x for x in [1, n, None] if x is not None)


def filtered(n):
    return list(x for x in local([n, "b"]) if x.isdigit())


class Node:
    def __init__(self, v, nxt=None):
        self.v = v
        self.nxt = nxt

    def __iter__(self):
        n = self
        while n is not None:
            if isinstance(n.v, str):
                yield n.v.upper()
            else:
                yield str(n.v)
            n = n.nxt


def of_linked(n):
    return list(Node("a", Node(n)))


def of_linked_kept(n):
    g = iter(Node("a", Node(n)))
    return next(g), next(g)


def with_none(xs):
    for x in xs:
        if x:
            yield x + 1


def of_truth(n):
    return list(with_none([n, None, 0]))


def asserts(xs):
    for x in xs:
        assert isinstance(x, str), "no"
        yield x.upper()


def asserted(n):
    return list(asserts(["a", "b", n]))


def asserted_kept(n):
    g = asserts(["a", n])
    return next(g), next(g)


def ret(xs):
    for x in xs:
        if not isinstance(x, int):
            return
        yield x + 1


def ended(n):
    return list(ret([n, "a", 4]))


class A:
    def items(self):
        yield 1


class B(A):
    def items(self):
        yield 0
        yield from super().items()


def of_bases(n):
    return list(B().items())


class C(A):
    def items(self):
        for x in super().items():
            yield x + 1


def of_bases_in_loops(n):
    return list(C().items())


class D(C):
    def go(self):
        return [x for x in self.items()]

    def items(self):
        for x in super().items():
            yield x * 10


def of_two_bases(n):
    return D().go()


CASES: list[Case] = [
    (field_between, [(3,)]),
    (field_between_resumptions, [(3,)]),
    (field_lost, [(3,)]),
    (kinds, [(4,)]),
    (kinds_kept, [(4,)]),
    (classes_of_objects, [(3,)]),
    (classes_kept, [(3,)]),
    (patterns, [(3,)]),
    (patterns_kept, [(3,)]),
    (flattened, [(3,)]),
    (skipped, [(3,)]),
    (beside_type, [(3,)]),
    (beside_list, [(3,)]),
    (beside_isinstance, [(3,)]),
    (expressions, [(3,)]),
    (summed, [(3,)]),
    (filtered, [(34,)]),
    (of_linked, [(3,)]),
    (of_linked_kept, [(3,)]),
    (of_truth, [(3,)]),
    (asserted, [(3,)]),
    (asserted_kept, [(3,)]),
    (ended, [(3,)]),
    (of_bases, [(3,)]),
    (of_bases_in_loops, [(3,)]),
    (of_two_bases, [(3,)]),
]
